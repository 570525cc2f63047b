#include "app/command.h"
#include "app/commands/export_json.h"
#include "app/commands/export_rows.h"
#include "app/commands/pseudonyms.h"
#include <inttypes.h>

static const char *const format_names[] = {"anttracks", "default", NULL};

// What a trace may have, and `form` doesn't.
static void tell_left_out(const mc_trace *trace, const char *form) {
    bool has_limits = false, has_incomplete = false, has_notes = false;
    for (uint32_t i = 0; i < mc_trace_get_step_count(trace); i++) {
        has_limits |= mc_trace_get_step(trace, i)->heap_limit > 0;
        has_incomplete |= mc_trace_get_step(trace, i)->is_incomplete;
        has_notes |= mc_trace_get_note(trace, i) != NULL;
    }
    const struct {
        bool is_there;
        const char *what;
    } parts[] = {{mc_trace_has_fields(trace) || mc_trace_has_roots(trace), "fields and GC roots"},
                 {mc_trace_has_paths(trace), "retaining paths"},
                 {has_limits, "the heap's limit"},
                 {has_incomplete, "which steps are incomplete, and why"},
                 {has_notes, "notes of steps"}};
    char text[256] = "";
    int length = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].is_there)
            length += snprintf(text + length, sizeof text - (size_t)length, "%s%s",
                               length > 0 ? ", " : "", parts[i].what);
    if (length > 0)
        mc_message_warn("not exported, as %s can't store it: %s. memcity import keeps everything "
                        "in an .mct file",
                        form, text);
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
        mc_message_warn(
            "%s: the folder contains other files that would be read as part of the trace: %" PRIu32,
            folder, report.other_file_count);
    tell_left_out(trace, "AntTracks' JSON forms");
    if (report.lost_name_count > 0)
        mc_message_warn("the AntTracks format can't store names that differ from keys: %" PRIu64
                        " were left out",
                        report.lost_name_count);
    return MC_EXIT_OK;
}

static int export_rows(const mc_trace *trace, const mc_export_rows_options *rows,
                       const char *output) {
    int code = mc_export_rows(trace, rows, output);
    if (code == MC_EXIT_OK && rows->ddl == MC_NONE) tell_left_out(trace, "rows");
    return code;
}

static int export_json(const mc_trace *trace, uint32_t format, const char *folder) {
    if (format == MC_NONE)
        format =
            mc_trace_get_key_kind(trace) == MC_KEY_FULL ? MC_EXPORT_DEFAULT : MC_EXPORT_ANTTRACKS;
    return export_trace(trace, (mc_export_format)format, folder);
}

static int check_usage(const char *folder, const mc_export_rows_options *rows,
                       const mc_input_options *input, const mc_pseudonyms *names) {
    if (!folder && !rows->rows) return mc_command_wrong_usage("export: -o DIR is missing");
    if (!rows->rows && (rows->tsv || rows->csv || rows->ddl != MC_NONE || rows->references))
        return mc_command_wrong_usage(
            "export: --tsv, --csv, --ddl and --references go with --rows");
    if (input->pair.versus && (!rows->rows || names->hash || names->unhash))
        return mc_command_wrong_usage("export: --versus needs --rows, and no --hash-names");
    return MC_EXIT_OK;
}

int mc_command_export(int argc, const char **argv) {
    uint32_t format = MC_NONE;
    const char *folder = NULL;
    mc_input_options input = {.is_raw = true};
    mc_export_rows_options rows = mc_export_rows_options_default();
    mc_option_list list = {0};
    mc_option_list_add_choice(&list, "format", &format, format_names, "F",
                              "one of AntTracks' JSON formats (that of the input)");
    mc_option_list_add_file(
        &list, "o", &folder, "DIR",
        "folder to write to, created if missing; with --rows the file, or - (standard output)");
    mc_option_list_add_export_rows(&list, &rows);
    mc_pseudonyms names = {0};
    mc_option_list_add_pseudonyms(&list, &names);
    mc_layout_options unused = {.pair = 0};
    mc_option_list_add_pair(&list, &input.pair, &unused);
    mc_option_list_hide(&list, "pair");
    mc_option_list_add_input(&list, &input);
    uint32_t path_count;
    int code;
    if (!mc_command_begin(
            &list, "memcity export TRACE… [--format anttracks|default] -o DIR, or --rows [-o FILE]",
            "Writes a trace in AntTracks' JSON formats, one file per step with pointer maps beside "
            "them, or as\nrows for databases.",
            argc, argv, &path_count, &code))
        return code;
    code = check_usage(folder, &rows, &input, &names);
    if (code != MC_EXIT_OK) return code;
    mc_trace *trace = NULL;
    mc_error error = {0};
    code = mc_pseudonyms_begin(&names);
    if (code == MC_EXIT_OK) code = mc_command_open(argv, path_count, &input, &trace);
    if (code == MC_EXIT_OK && mc_pseudonyms_convert(&names, &trace, &error) != MC_OK)
        code = mc_command_fail(&error);
    if (code == MC_EXIT_OK) code = mc_pseudonyms_check(&names);
    if (code == MC_EXIT_OK)
        code = rows.rows ? export_rows(trace, &rows, folder) : export_json(trace, format, folder);
    mc_trace_destroy(trace);
    return mc_pseudonyms_end(&names, code);
}
