#include "app/commands/page_options.h"

#include "app/command.h"
#include "app/size_text.h"
#include <string.h>

void mc_page_options_init(mc_page_options *options) {
    *options = (mc_page_options){.first_step = MC_NONE, .picture = mc_picture_options_default()};
    options->picture.settings.is_home = true;
    options->view = (mc_view_option){
        .picture = &options->picture, .step = &options->first_step, .pair = &options->input.pair};
}

void mc_option_list_add_page(mc_option_list *list, mc_page_options *options) {
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

int mc_page_options_check(mc_page_options *options, const char *command) {
    mc_pair_options *pair = &options->input.pair;
    const mc_layout_options *layout = &options->picture.settings.layout;
    if (layout->pair == MC_PAIR_BOTH)
        return mc_command_wrong_usage("%s: --pair both is for pictures and the window", command);
    if (pair->versus && (options->names.hash || options->names.unhash))
        return mc_command_wrong_usage("%s: --versus does not work with --hash-names", command);
    pair->has_before_places = layout->pair == MC_PAIR_A;
    if (!pair->align) pair->align = layout->align;
    if (options->step_count == 1)
        return mc_command_wrong_usage("%s: --steps: expected at least 2", command);
    if (options->most_size && !mc_size_parse(options->most_size, &options->most_bytes))
        return mc_command_wrong_usage("--max-size: expected a size as 500k or 9m, not \"%s\"",
                                      options->most_size);
    return MC_EXIT_OK;
}

int mc_page_options_begin(mc_page_options *options) {
    mc_picture_apply_to_input(&options->picture, &options->input);
    return mc_pseudonyms_begin(&options->names);
}

// What a saved view shows of it, if there is one.
static void get_view(const mc_trace *trace, const mc_page_options *options, uint32_t step,
                     mc_page_view *view) {
    const mc_settings *settings = &options->picture.settings;
    const mc_view_file *file = options->picture.view;
    *view = (mc_page_view){.step = step,
                           .node = MC_NONE,
                           .kind = settings->view,
                           .has_pose = !settings->is_home,
                           .pose = settings->pose,
                           .is_dark = settings->look.dark,
                           .palette = settings->look.palette};
    if (!file || !file->selection) return;
    view->node = mc_trace_find_node(trace, file->selection, strlen(file->selection));
    if (view->node == MC_NONE)
        mc_message_say("the view's selection is not in this trace: %s", file->selection);
}

static int fill(mc_page_options *options, const mc_trace *trace, mc_page_desc *desc,
                mc_page_view *view) {
    uint32_t step = options->first_step;
    *desc = (mc_page_desc){.trace = trace,
                           .view = view,
                           .most_steps = options->step_count,
                           .most_size = options->most_bytes};
    int code = mc_command_get_city_desc(&options->picture.settings.layout, trace, &desc->city);
    if (code == MC_EXIT_OK) {
        mc_view_option_fit_step(&options->view, trace, &step);
        code = mc_command_get_step(trace, &desc->city, &step);
    }
    if (code == MC_EXIT_OK) get_view(trace, options, step, view);
    return code;
}

int mc_page_options_open(mc_page_options *options, const char *const *paths, uint32_t path_count,
                         mc_trace **trace, mc_page_desc *desc, mc_page_view *view) {
    mc_error error = {0};
    *trace = NULL;
    int code = mc_command_open(paths, path_count, &options->input, trace);
    if (code == MC_EXIT_OK && mc_pseudonyms_convert(&options->names, trace, &error) != MC_OK)
        code = mc_command_fail(&error);
    if (code == MC_EXIT_OK) code = mc_pseudonyms_check(&options->names);
    if (code == MC_EXIT_OK) code = fill(options, *trace, desc, view);
    if (code == MC_EXIT_OK) return code;
    mc_trace_destroy(*trace);
    *trace = NULL;
    return code;
}

int mc_page_options_end(mc_page_options *options, int code) {
    return mc_pseudonyms_end(&options->names, code);
}
