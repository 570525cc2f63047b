#include "app/picture/timeline_picture.h"
#include <inttypes.h>

typedef struct timeline {
    mc_flat_stage stage;
    mc_flat_options options;
    const char *output;
    bool is_unscaled;
    mc_form_steps steps;
} timeline;

static int check_steps(const timeline *t) {
    mc_step_range window = t->stage.desc.window;
    for (uint32_t i = 0; i < t->steps.count; i++) {
        uint32_t step = t->steps.items[i];
        if (step < window.first_step || step > window.last_step)
            return mc_command_wrong_usage("--steps: expected steps from %" PRIu32 " to %" PRIu32
                                          ", not %" PRIu32,
                                          window.first_step, window.last_step, step);
    }
    return MC_EXIT_OK;
}

static int draw(timeline *t) {
    if (t->steps.count == 0) t->steps = mc_timeline_choose_steps(t->stage.desc.window);
    mc_flat_stage_begin_sheet(&t->stage, mc_flat_stage_is_vector(t->output));
    int code = mc_timeline_put(&t->stage, &t->steps, true);
    return code == MC_EXIT_OK ? mc_flat_stage_write(&t->stage, t->output) : code;
}

int mc_command_timeline(int argc, const char **argv) {
    timeline t = {.options = mc_flat_options_default()};
    mc_input_options input = {0};
    mc_option_list list = {0};
    t.options.form = MC_FLAT_ICICLE;
    mc_option_list_add_file(&list, "o", &t.output, "FILE", "PNG or SVG file to write");
    mc_option_list_add_steps(&list, "steps", &t.steps, "LIST",
                             "steps to draw as trees, such as 0,8,17,25 (six of the time window)");
    mc_option_list_add_flag(&list, "unscaled", &t.is_unscaled,
                            "draw all trees as large as the largest");
    mc_option_list_add_flat(&list, "view", &t.options);
    mc_option_list_add_input(&list, &input);
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
    if (!t.output) return mc_command_wrong_usage("timeline: -o FILE.png or -o FILE.svg is missing");
    if (!mc_flat_stage_is_vector(t.output) && !mc_command_check_output(t.output, ".png"))
        return MC_EXIT_USAGE;
    t.options.is_scaled = !t.is_unscaled;
    code = mc_flat_stage_init(&t.stage, &t.options, argv, path_count, &input);
    if (code == MC_EXIT_OK) code = check_steps(&t);
    if (code == MC_EXIT_OK) code = draw(&t);
    mc_flat_stage_deinit(&t.stage);
    return code;
}
