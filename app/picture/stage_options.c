#include "app/picture/stage_options.h"

void mc_stage_options_init(mc_stage_options *options, double width, double height) {
    *options = (mc_stage_options){.size = {width, height}, .picture = mc_picture_options_default()};
    options->view.picture = &options->picture;
    options->view.pair = &options->input.pair;
}

void mc_stage_options_deinit(mc_stage_options *options) {
    mc_view_option_deinit(&options->view);
}

void mc_option_list_add_stage(mc_option_list *list, mc_stage_options *options) {
    mc_option_list_add_view(list, &options->view);
    mc_option_list_add_picture(list, &options->picture);
    mc_option_list_add_ground_size(list, &options->picture.settings.layout, "ground-size");
    mc_option_list_add_pair(list, &options->input.pair, &options->picture.settings.layout);
    mc_option_list_add_input(list, &options->input);
}

int mc_stage_options_check(mc_stage_options *options, uint32_t *width, uint32_t *height) {
    int code = mc_picture_check(&options->picture);
    options->input.pair.has_before_places = options->picture.settings.layout.pair == MC_PAIR_A;
    if (!options->input.pair.align)
        options->input.pair.align = options->picture.settings.layout.align;
    return code == MC_EXIT_OK ? mc_stage_check_size(options->size, width, height) : code;
}

int mc_stage_open(mc_stage *stage, const mc_stage_options *options, const char *const *paths,
                  uint32_t path_count, uint32_t width, uint32_t height) {
    mc_input_options input = options->input;
    const char *wanted = options->picture.settings.group_by;
    if (options->picture.view) input.wanted_frame_s = options->picture.settings.frame_s;
    input.is_group_optional = !input.group_by && wanted[0];
    if (input.is_group_optional) input.group_by = wanted;
    input.groups_as_usual = !options->picture.is_lenient; // a view says how, or as it was recorded
    mc_stage_desc desc = {.paths = paths,
                          .path_count = path_count,
                          .input = &input,
                          .picture = &options->picture,
                          .width = width,
                          .height = height};
    return mc_stage_init(stage, &desc);
}
