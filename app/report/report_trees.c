#include "app/report/report_trees.h"

#include "app/flat/flat_svg.h"
#include "app/picture/timeline_picture.h"

#define WIDTH 1072 // of the page's column
#define HEIGHT 420

// Below that rows are too thin to be read, and there may be thousands.
enum { MOST_LEVELS = 15 };

static int put(mc_stage *stage, const char *title, const char *scope, mc_text *out) {
    mc_error error = {0};
    mc_flat_sheet sheet = {.width = 0};
    mc_form_steps steps = mc_timeline_choose_steps(stage->layout.window);
    int code = mc_timeline_put(stage, &steps, false, &sheet);
    if (code == MC_EXIT_OK && mc_flat_svg_append_sheet(&sheet, title, scope, out, &error) != MC_OK)
        code = mc_command_fail(&error);
    mc_flat_sheet_deinit(&sheet);
    return code;
}

int mc_report_trees_draw(mc_report_trees *trees, mc_trace *trace, const mc_layout_options *layout,
                         const char *title) {
    mc_picture_options picture = mc_picture_options_default();
    picture.settings.layout = *layout;
    picture.settings.view = MC_FLAT_ICICLE + 1;
    picture.settings.tree_levels = MOST_LEVELS;
    picture.settings.tree_scaled = picture.settings.look.names = true;
    mc_stage_desc desc = {.trace = trace,
                          .keeps_trace = true,
                          .picture = &picture,
                          .width = WIDTH,
                          .height = HEIGHT,
                          .flat = {.form = MC_FLAT_ICICLE, .is_vector = true, .is_composed = true},
                          .text_scale = 1}; // as large as the page's text
    mc_stage stage;
    int code = mc_stage_init(&stage, &desc);
    for (int dark = 0; dark < 2 && code == MC_EXIT_OK; dark++) {
        mc_stage_set_dark(&stage, dark);
        code = put(&stage, title, dark ? "trees-dark" : "trees-light",
                   dark ? &trees->dark : &trees->light);
    }
    mc_stage_deinit(&stage);
    return code;
}

void mc_report_trees_deinit(mc_report_trees *trees) {
    mc_text_deinit(&trees->light);
    mc_text_deinit(&trees->dark);
}
