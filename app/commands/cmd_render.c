#include "app/picture/stage.h"
#include "app/picture/view_option.h"
#include "app/png_file.h"
#include <stdio.h>

int mc_command_render(int argc, const char **argv) {
    uint32_t step = MC_NONE, width = 0, height = 0;
    double size[2] = {1920, 1080};
    const char *output = NULL;
    mc_input_options input = {0};
    mc_layout_options layout = mc_layout_options_default();
    mc_picture_options picture = mc_picture_options_default();
    mc_view_option view = {.picture = &picture, .layout = &layout, .step = &step, .size = size};
    mc_option_list list = {0};
    mc_option_list_add(&list, (mc_option){.name = "o",
                                          .kind = MC_OPTION_STRING,
                                          .target = &output,
                                          .argument = "FILE",
                                          .help = "the PNG file to write"});
    mc_option_list_add(&list, (mc_option){.name = "step",
                                          .kind = MC_OPTION_UINT,
                                          .target = &step,
                                          .argument = "K",
                                          .help = "which step, counted from 0 (the last)"});
    mc_option_list_add(&list, (mc_option){.name = "size",
                                          .kind = MC_OPTION_SIZE,
                                          .target = size,
                                          .argument = "WxH",
                                          .help = "of the picture, in pixels (1920x1080)"});
    mc_option_list_add_view(&list, &view);
    mc_option_list_add_picture(&list, &picture);
    mc_option_list_add_layout(&list, &layout, "ground-size");
    mc_option_list_add_input(&list, &input);
    mc_command_usage usage = {
        .synopsis = "memcity render TRACE… -o FILE.png [--step K] [--size WxH] [--camera C] "
                    "[--select KEY] [options]\n"
                    "       memcity render --view FILE -o FILE.png [TRACE…] [options]",
        .text = "Draws the city at one step into a PNG file; needs no display.",
        .options = list.options,
        .option_count = list.count,
        .least_positional = 1,
        .most_positional = MC_NONE};
    uint32_t path_count;
    const char *const *paths;
    int code = MC_EXIT_USAGE;
    mc_stage stage = {0};
    if (mc_view_option_parse(&usage, argc, argv, &view, &paths, &path_count) != MC_OPTIONS_OK) {
        code = view.exit_code;
        goto end;
    }
    if (!output) {
        code = mc_command_wrong_usage("render: say where to with -o FILE.png");
        goto end;
    }
    if (!mc_command_check_output(output, ".png")) goto end;
    code = mc_picture_check(&picture);
    if (code == MC_EXIT_OK) code = mc_stage_check_size(size, &width, &height);
    if (code != MC_EXIT_OK) goto end;

    mc_stage_desc desc = {.paths = paths,
                          .path_count = path_count,
                          .input = &input,
                          .layout = &layout,
                          .picture = &picture,
                          .width = width,
                          .height = height};
    code = mc_stage_init(&stage, &desc);
    if (code == MC_EXIT_OK) mc_view_option_fit_step(&view, stage.trace, &step);
    if (code == MC_EXIT_OK) code = mc_command_get_step(stage.trace, &stage.city->desc, &step);
    if (code == MC_EXIT_OK) code = mc_stage_set_step(&stage, step);
    if (code == MC_EXIT_OK) code = mc_stage_draw(&stage, 1.0f);
    if (code == MC_EXIT_OK) {
        mc_error error = {0};
        if (mc_png_write(output, stage.pixels, width, height, &error) != MC_OK)
            code = mc_command_fail(&error);
    }
end:
    mc_stage_deinit(&stage);
    mc_view_option_deinit(&view);
    return code;
}
