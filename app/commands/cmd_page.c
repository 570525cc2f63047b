#include "app/command.h"
#include "app/commands/pseudonyms.h"
#include "app/page/page_file.h"
#include "app/picture/view_option.h"
#include "app/size_text.h"
#include "engine/base/memory.h"
#include <string.h>

typedef struct page_options {
    const char *output, *title, *most_size;
    uint32_t step_count;
    uint64_t most_bytes;
    uint32_t first_step; // at which the page opens
    mc_picture_options picture;
    mc_view_option view;
    mc_input_options input;
    mc_pseudonyms names;
} page_options;

// What a saved view shows of it, if there is one.
static void get_view(const mc_trace *trace, const page_options *options, mc_page_view *view) {
    const mc_settings *settings = &options->picture.settings;
    const mc_view_file *file = options->picture.view;
    *view = (mc_page_view){.step = options->first_step,
                           .node = MC_NONE,
                           .has_pose = !settings->is_home,
                           .pose = settings->pose,
                           .is_dark = settings->look.dark,
                           .palette = settings->look.palette};
    if (!file || !file->selection) return;
    view->node = mc_trace_find_node(trace, file->selection, strlen(file->selection));
    if (view->node == MC_NONE)
        mc_message_say("the view's selection is not in this trace: %s", file->selection);
}

static int write_page(const mc_trace *trace, const mc_city_desc *city, const char *title,
                      const page_options *options) {
    mc_page_view view;
    get_view(trace, options, &view);
    mc_page_desc desc = {.trace = trace,
                         .view = &view,
                         .city = *city,
                         .title = title,
                         .most_steps = options->step_count,
                         .most_size = options->most_bytes};
    return mc_page_write(&desc, options->output);
}

static int make(const char *const *paths, uint32_t path_count, const char *title,
                page_options *options) {
    mc_trace *trace = NULL;
    mc_city_desc city;
    mc_error error = {0};
    mc_input_options *input = &options->input;
    mc_picture_apply_to_input(&options->picture, input);
    int code = mc_pseudonyms_begin(&options->names);
    if (code == MC_EXIT_OK) code = mc_command_open(paths, path_count, input, &trace);
    if (code == MC_EXIT_OK && mc_pseudonyms_convert(&options->names, &trace, &error) != MC_OK)
        code = mc_command_fail(&error);
    if (code == MC_EXIT_OK) code = mc_pseudonyms_check(&options->names);
    if (code == MC_EXIT_OK)
        code = mc_command_get_city_desc(&options->picture.settings.layout, trace, &city);
    if (code == MC_EXIT_OK) {
        mc_view_option_fit_step(&options->view, trace, &options->first_step);
        code = mc_command_get_step(trace, &city, &options->first_step);
    }
    if (code == MC_EXIT_OK) code = write_page(trace, &city, title, options);
    mc_trace_destroy(trace);
    return mc_pseudonyms_end(&options->names, code);
}

static int check(page_options *options) {
    mc_pair_options *pair = &options->input.pair;
    const mc_layout_options *layout = &options->picture.settings.layout;
    if (layout->pair == MC_PAIR_BOTH)
        return mc_command_wrong_usage("page: --pair both is for pictures and the window");
    if (pair->versus && (options->names.hash || options->names.unhash))
        return mc_command_wrong_usage("page: --versus does not work with --hash-names");
    pair->has_before_places = layout->pair == MC_PAIR_A;
    if (!pair->align) pair->align = layout->align;
    if (!options->output) return mc_command_wrong_usage("page: -o FILE.html is missing");
    if (options->step_count == 1)
        return mc_command_wrong_usage("page: --steps: expected at least 2");
    if (options->most_size && !mc_size_parse(options->most_size, &options->most_bytes))
        return mc_command_wrong_usage("--max-size: expected a size as 500k or 9m, not \"%s\"",
                                      options->most_size);
    return mc_command_check_output(options->output, ".html") ? MC_EXIT_OK : MC_EXIT_USAGE;
}

static void add_options(mc_option_list *list, page_options *options) {
    mc_option_list_add_file(list, "o", &options->output, "FILE",
                            "HTML file to write, which may be a pipe or /dev/stdout");
    mc_option_list_add_string(list, "title", &options->title, "TEXT",
                              "title of the page (the trace's name)");
    mc_option_list_add_uint(list, "steps", &options->step_count, "N",
                            "number of steps in the page, evenly spread (all)");
    mc_option_list_add_string(list, "max-size", &options->most_size, "SIZE",
                              "largest size of the page, such as 9m: leaves out steps, then the "
                              "smallest groups, and says so in the page");
    mc_option_list_add_uint(list, "step", &options->first_step, "K",
                            "step at which the page opens, counted from 0 (the last)");
    mc_option_list_add_layout(list, &options->picture.settings.layout);
    mc_option_list_add_pseudonyms(list, &options->names);
    mc_option_list_add_view(list, &options->view);
    mc_option_list_add_pair(list, &options->input.pair, &options->picture.settings.layout);
    mc_option_list_add_input(list, &options->input);
}

static int run(page_options *options, const char *const *paths, uint32_t path_count) {
    int code = check(options);
    if (code != MC_EXIT_OK) return code;
    char *name = mc_command_get_opened_name(paths[0], &options->input);
    if (!name) {
        mc_error error = {0};
        mc_error_out_of_memory(&error);
        return mc_command_fail(&error);
    }
    code = make(paths, path_count, options->title ? options->title : name, options);
    mc_free(name);
    return code;
}

int mc_command_page(int argc, const char **argv) {
    page_options options = {.first_step = MC_NONE, .picture = mc_picture_options_default()};
    options.picture.settings.is_home = true;
    options.view = (mc_view_option){
        .picture = &options.picture, .step = &options.first_step, .pair = &options.input.pair};
    mc_option_list list = {0};
    add_options(&list, &options);
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
        code = run(&options, paths, path_count);
    mc_view_option_deinit(&options.view);
    return code;
}
