#include "app/picture/stage_options.h"
#include "app/png_file.h"

static int render(const mc_stage_options *options, const char *const *paths, uint32_t path_count,
                  uint32_t step, uint32_t width, uint32_t height) {
    mc_stage stage = {0};
    int code = mc_stage_open(&stage, options, paths, path_count, width, height);
    if (code == MC_EXIT_OK) mc_view_option_fit_step(&options->view, stage.trace, &step);
    if (code == MC_EXIT_OK) code = mc_command_get_step(stage.trace, &stage.layout, &step);
    if (code == MC_EXIT_OK) code = mc_stage_set_step(&stage, step);
    if (code == MC_EXIT_OK) code = mc_stage_draw(&stage, 1);
    mc_error error = {0};
    if (code == MC_EXIT_OK &&
        mc_png_write(options->output, stage.pixels, width, height, &error) != MC_OK)
        code = mc_command_fail(&error);
    mc_stage_deinit(&stage);
    return code;
}

int mc_command_render(int argc, const char **argv) {
    uint32_t step = MC_NONE, width = 0, height = 0;
    mc_stage_options options;
    mc_stage_options_init(&options, 1920, 1080);
    options.view.step = &step;
    options.view.size = options.size;
    mc_option_list list = {0};
    mc_option_list_add_file(&list, "o", &options.output, "FILE",
                            "PNG file to write, which may be a pipe or /dev/stdout");
    mc_option_list_add_uint(&list, "step", &step, "K", "step, counted from 0 (the last)");
    mc_option_list_add_size(&list, "size", options.size,
                            "size of the picture in pixels (1920x1080)");
    mc_option_list_add_choice(&list, "as", &options.picture.settings.view, mc_picture_view_names,
                              "V", "visualization (city, or that of the view)");
    mc_option_list_add_stage(&list, &options);
    uint32_t path_count;
    const char *const *paths;
    int code;
    mc_view_option_usage usage = {
        .list = &list,
        .synopsis = "memcity render TRACE… -o FILE.png [--step K] [--size WxH] [--camera C] "
                    "[--select KEY] [options]\n"
                    "       memcity render --view FILE -o FILE.png [TRACE…] [options]",
        .text = "Draws the city, a sunburst or an icicle at one step into a PNG file; needs no "
                "display. Use\n--labels --legend to draw it as the window shows it.",
        .least_path_count = 1};
    if (!mc_view_option_begin(&options.view, &usage, argc, argv, &paths, &path_count, &code))
        goto end;
    if (!options.output) {
        code = mc_command_wrong_usage("render: -o FILE.png is missing");
        goto end;
    }
    code = mc_command_check_output(options.output, ".png")
               ? mc_stage_options_check(&options, &width, &height)
               : MC_EXIT_USAGE;
    if (code != MC_EXIT_OK) goto end;
    code = render(&options, paths, path_count, step, width, height);
end:
    mc_stage_options_deinit(&options);
    return code;
}
