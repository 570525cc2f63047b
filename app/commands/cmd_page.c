#include "app/command.h"
#include "app/commands/pseudonyms.h"
#include "app/format.h"
#include "app/page/page.h"
#include "app/size_text.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include <string.h>

typedef struct page_options {
    const char *output, *title, *most_size;
    uint32_t step_count;
    uint64_t most_bytes;
    mc_layout_options layout;
    mc_input_options input;
    mc_pseudonyms names;
} page_options;

static void tell(const char *path, size_t size, const mc_page_report *report) {
    char text[MC_FORMAT_SIZE], groups[MC_FORMAT_SIZE];
    mc_message_say("%s: %s, %s, %u of %u steps", path, mc_format_bytes(text, size),
                   mc_format_counted(groups, report->node_count, "group"), report->step_count,
                   report->all_step_count);
    if (report->hidden_count > 0)
        mc_command_tell_hidden(report->hidden_count, report->hidden_share);
}

static int write_page(const mc_trace *trace, const mc_city_desc *city, const char *title,
                      const page_options *options) {
    mc_page_desc desc = {.trace = trace,
                         .city = *city,
                         .title = title,
                         .most_steps = options->step_count,
                         .most_size = options->most_bytes};
    mc_page_report report;
    mc_error error = {0};
    mc_text page = {0};
    mc_command_progress shown;
    mc_progress progress = mc_command_begin_progress(&shown, "making the page");
    mc_result result = mc_page_append(&desc, &progress, &page, &report, &error);
    result = mc_command_end_progress(&shown, result, &error);
    if (result == MC_OK) result = mc_file_write(options->output, page.data, page.size, &error);
    if (result == MC_OK) tell(options->output, page.size, &report);
    mc_text_deinit(&page);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

static int make(const char *const *paths, uint32_t path_count, const char *title,
                page_options *options) {
    mc_trace *trace = NULL;
    mc_city_desc city;
    mc_error error = {0};
    int code = mc_pseudonyms_begin(&options->names);
    if (code == MC_EXIT_OK) code = mc_command_open(paths, path_count, &options->input, &trace);
    if (code == MC_EXIT_OK && mc_pseudonyms_convert(&options->names, &trace, &error) != MC_OK)
        code = mc_command_fail(&error);
    if (code == MC_EXIT_OK) code = mc_pseudonyms_check(&options->names);
    if (code == MC_EXIT_OK) code = mc_command_get_city_desc(&options->layout, trace, &city);
    if (code == MC_EXIT_OK) code = write_page(trace, &city, title, options);
    mc_trace_destroy(trace);
    return mc_pseudonyms_end(&options->names, code);
}

static int check(page_options *options) {
    if (!options->output) return mc_command_wrong_usage("page: -o FILE.html is missing");
    if (options->step_count == 1)
        return mc_command_wrong_usage("page: --steps: expected at least 2");
    if (options->most_size && !mc_size_parse(options->most_size, &options->most_bytes))
        return mc_command_wrong_usage("--max-size: expected a size as 500k or 9m, not \"%s\"",
                                      options->most_size);
    return mc_command_check_output(options->output, ".html") ? MC_EXIT_OK : MC_EXIT_USAGE;
}

int mc_command_page(int argc, const char **argv) {
    page_options options = {.layout = mc_layout_options_default(),
                            .input = {.groups_as_usual = true}};
    mc_option_list list = {0};
    mc_option_list_add_file(&list, "o", &options.output, "FILE",
                            "HTML file to write, which may be a pipe or /dev/stdout");
    mc_option_list_add_string(&list, "title", &options.title, "TEXT",
                              "title of the page (the trace's name)");
    mc_option_list_add_uint(&list, "steps", &options.step_count, "N",
                            "number of steps in the page, evenly spread (all)");
    mc_option_list_add_string(&list, "max-size", &options.most_size, "SIZE",
                              "largest size of the page, such as 9m: leaves out steps, then the "
                              "smallest groups, and says so in the page");
    mc_option_list_add_layout(&list, &options.layout);
    mc_option_list_add_pseudonyms(&list, &options.names);
    mc_option_list_add_input(&list, &options.input);
    uint32_t path_count;
    int code;
    if (!mc_command_begin(
            &list,
            "memcity page TRACE… -o FILE.html [--steps N] [--max-size SIZE] [--window A:B] "
            "[--metric NAME] [options]",
            "Writes one self-contained HTML page in which to walk through the city: turn it, zoom, "
            "play the\nsteps, search, enter districts and follow the findings, in any browser, "
            "without memcity. The\npage asks for nothing from the network.",
            argc, argv, &path_count, &code))
        return code;
    code = check(&options);
    if (code != MC_EXIT_OK) return code;
    char *name = mc_command_get_trace_name(argv[0]);
    if (!name) {
        mc_error error = {0};
        mc_error_out_of_memory(&error);
        return mc_command_fail(&error);
    }
    code = make(argv, path_count, options.title ? options.title : name, &options);
    mc_free(name);
    return code;
}
