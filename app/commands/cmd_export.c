#include "app/command.h"
#include "app/commands/export_json.h"
#include <inttypes.h>

static const char *const format_names[] = {"anttracks", "default", NULL};

// What a trace may have, and AntTracks' forms don't.
static void tell_left_out(const mc_trace *trace) {
    bool has_limits = false, has_incomplete = false;
    for (uint32_t i = 0; i < mc_trace_get_step_count(trace); i++) {
        has_limits |= mc_trace_get_step(trace, i)->heap_limit > 0;
        has_incomplete |= mc_trace_get_step(trace, i)->is_incomplete;
    }
    const struct {
        bool is_there;
        const char *what;
    } parts[] = {{mc_trace_has_fields(trace) || mc_trace_has_roots(trace), "fields and GC roots"},
                 {mc_trace_has_paths(trace), "retaining paths"},
                 {has_limits, "the heap's limit"},
                 {has_incomplete, "which steps are incomplete, and why"}};
    char text[256] = "";
    int length = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].is_there)
            length += snprintf(text + length, sizeof text - (size_t)length, "%s%s",
                               length > 0 ? ", " : "", parts[i].what);
    if (length > 0)
        mc_message_warn("not exported, as AntTracks' JSON forms have no place for it: %s. memcity "
                        "import keeps all of it in an .mct file",
                        text);
}

static int export_trace(const mc_trace *trace, mc_export_format format, const char *folder) {
    mc_command_progress shown;
    mc_export_report report;
    mc_error error = {0};
    mc_progress progress = mc_command_begin_progress(&shown, "writing");
    mc_result result = mc_export_json(trace, format, folder, &progress, &report, &error);
    result = mc_command_end_progress(&shown, result, &error);
    if (result != MC_OK) return mc_command_fail(&error);
    if (report.other_file_count > 0)
        mc_message_warn("%s: other files lie beside those written and would be read as part of the "
                        "trace: %" PRIu32,
                        folder, report.other_file_count);
    tell_left_out(trace);
    if (report.lost_name_count > 0)
        mc_message_warn("the AntTracks form can't hold names that differ from keys: %" PRIu64
                        " were left out",
                        report.lost_name_count);
    return MC_EXIT_OK;
}

int mc_command_export(int argc, const char **argv) {
    uint32_t format = MC_NONE;
    const char *folder = NULL;
    mc_input_options input = {.is_raw = true};
    mc_option_list list = {0};
    mc_option_list_add_choice(&list, "format", &format, format_names, "F",
                              "anttracks or default (the one that the trace came in)");
    mc_option_list_add_file(&list, "o", &folder, "DIR",
                            "the folder to write to; it is made if need be");
    mc_option_list_add_input(&list, &input);
    uint32_t path_count;
    int code;
    if (!mc_command_begin(
            &list, "memcity export TRACE… [--format anttracks|default] -o DIR",
            "Writes a trace as the files of AntTracks' JSON forms: a step a file, pointer maps "
            "beside them.",
            argc, argv, &path_count, &code))
        return code;
    if (!folder) return mc_command_wrong_usage("export: where to? -o DIR is missing");

    mc_trace *trace = NULL;
    code = mc_command_open(argv, path_count, &input, &trace);
    if (code != MC_EXIT_OK) return code;
    if (format == MC_NONE)
        format =
            mc_trace_get_key_kind(trace) == MC_KEY_FULL ? MC_EXPORT_DEFAULT : MC_EXPORT_ANTTRACKS;
    code = export_trace(trace, (mc_export_format)format, folder);
    mc_trace_destroy(trace);
    return code;
}
