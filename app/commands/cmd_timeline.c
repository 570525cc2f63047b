#include "app/picture/stage_flat.h"
#include "app/picture/stage_options.h"
#include "app/picture/timeline_picture.h"
#include <inttypes.h>

static int check_steps(const mc_form_steps *steps, mc_step_range window) {
    for (uint32_t i = 0; i < steps->count; i++) {
        uint32_t step = steps->items[i];
        if (step < window.first_step || step > window.last_step)
            return mc_command_wrong_usage("--steps: expected steps from %" PRIu32 " to %" PRIu32
                                          ", not %" PRIu32,
                                          window.first_step, window.last_step, step);
    }
    return MC_EXIT_OK;
}

static int draw(mc_stage *stage, mc_form_steps steps, const char *output) {
    mc_flat_sheet sheet = {.width = 0};
    int code = check_steps(&steps, stage->layout.window);
    if (code != MC_EXIT_OK) return code;
    if (steps.count == 0) steps = mc_timeline_choose_steps(stage->layout.window);
    code = mc_timeline_put(stage, &steps, true, &sheet);
    if (code == MC_EXIT_OK) code = mc_stage_write_sheet(stage, &sheet, output);
    mc_flat_sheet_deinit(&sheet);
    return code;
}

int mc_command_timeline(int argc, const char **argv) {
    mc_stage_options options;
    mc_form_steps steps = {.count = 0};
    bool is_unscaled = false;
    uint32_t width, height;
    mc_option_list list = {0};
    mc_stage_options_init_flat(&options, MC_FLAT_ICICLE);
    options.flat.is_composed = true;
    mc_option_list_add_file(&list, "o", &options.output, "FILE", "PNG or SVG file to write");
    mc_option_list_add_steps(&list, "steps", &steps, "LIST",
                             "steps to draw as trees, such as 0,8,17,25 (six of the time window)");
    mc_option_list_add_flag(&list, "unscaled", &is_unscaled,
                            "draw all trees as large as the largest");
    mc_option_list_add_flat(&list, "view", &options);
    mc_option_list_add_input(&list, &options.input);
    mc_option_list_hide(&list, "paths");
    uint32_t path_count;
    int code;
    if (!mc_command_begin(&list,
                          "memcity timeline TRACE… -o FILE.png|FILE.svg [--steps LIST] [--view V] "
                          "[options]",
                          "Draws the heap over time as a chart, with the heap at some steps as "
                          "small icicles or sunbursts\nabove it; needs no display.",
                          argc, argv, &path_count, &code))
        return code;
    if (!options.output)
        return mc_command_wrong_usage("timeline: -o FILE.png or -o FILE.svg is missing");
    options.flat.is_vector = mc_stage_is_vector(options.output);
    if (!options.flat.is_vector && !mc_command_check_output(options.output, ".png"))
        return MC_EXIT_USAGE;
    options.picture.settings.tree_scaled = !is_unscaled;
    code = mc_stage_options_check(&options, &width, &height);
    if (code != MC_EXIT_OK) return code;
    mc_stage stage;
    code = mc_stage_open(&stage, &options, argv, path_count, width, height);
    if (code == MC_EXIT_OK) code = draw(&stage, steps, options.output);
    mc_stage_deinit(&stage);
    return code;
}
