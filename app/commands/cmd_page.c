#include "app/command.h"
#include "app/commands/page_options.h"
#include "app/page/page_file.h"
#include "engine/base/memory.h"

static int make(const char *const *paths, uint32_t path_count, const char *title,
                const char *output, mc_page_options *options) {
    mc_trace *trace = NULL;
    mc_page_desc desc;
    mc_page_view view;
    int code = mc_page_options_begin(options);
    if (code == MC_EXIT_OK)
        code = mc_page_options_open(options, paths, path_count, &trace, &desc, &view);
    if (code == MC_EXIT_OK) {
        desc.title = title;
        code = mc_page_write(&desc, output);
    }
    mc_trace_destroy(trace);
    return mc_page_options_end(options, code);
}

static int run(mc_page_options *options, const char *output, const char *const *paths,
               uint32_t path_count) {
    int code = mc_page_options_check(options, "page");
    if (code != MC_EXIT_OK) return code;
    if (!output) return mc_command_wrong_usage("page: -o FILE.html is missing");
    if (!mc_command_check_output(output, ".html")) return MC_EXIT_USAGE;
    char *name = mc_command_get_title(paths, path_count, &options->input);
    if (!name) {
        mc_error error = {0};
        mc_error_out_of_memory(&error);
        return mc_command_fail(&error);
    }
    code = make(paths, path_count, options->title ? options->title : name, output, options);
    mc_free(name);
    return code;
}

int mc_command_page(int argc, const char **argv) {
    mc_page_options options;
    const char *output = NULL;
    mc_option_list list = {0};
    mc_page_options_init(&options);
    mc_option_list_add_file(&list, "o", &output, "FILE",
                            "HTML file to write, which may be a pipe or /dev/stdout");
    mc_option_list_add_page(&list, &options);
    mc_view_option_usage usage = {
        .list = &list,
        .synopsis = "memcity page TRACE… -o FILE.html [--steps N] [--max-size SIZE] "
                    "[--window A:B] [--metric NAME] [--versus TRACE] [options]\n"
                    "       memcity page --view FILE -o FILE.html [TRACE…] [options]",
        .text = "Writes one self-contained HTML page in which to walk through the city: turn it, "
                "zoom, play the\nsteps, search, enter districts and follow the findings, in any "
                "browser, without memcity. The\npage asks for nothing from the network.",
        .least_path_count = 1};
    uint32_t path_count;
    const char *const *paths;
    int code;
    if (mc_view_option_begin(&options.view, &usage, argc, argv, &paths, &path_count, &code))
        code = run(&options, output, paths, path_count);
    mc_view_option_deinit(&options.view);
    return code;
}
