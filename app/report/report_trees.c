#include "app/report/report_trees.h"

#include "app/flat/flat_svg.h"
#include "app/picture/timeline_picture.h"

#define WIDTH 1072.0 // of the page's column
#define HEIGHT 420.0

// Below that rows are too thin to be read, and there may be thousands.
enum { MOST_LEVELS = 15 };

static int put(mc_flat_stage *stage, const char *title, const char *scope, mc_text *out) {
    mc_error error = {0};
    mc_form_steps steps = mc_timeline_choose_steps(stage->desc.window);
    mc_flat_stage_begin_sheet(stage, true);
    stage->sheet.scale = 1; // as large as the page's text
    int code = mc_timeline_put(stage, &steps, false);
    if (code != MC_EXIT_OK) return code;
    return mc_flat_svg_append_sheet(&stage->sheet, title, scope, out, &error) == MC_OK
               ? MC_EXIT_OK
               : mc_command_fail(&error);
}

int mc_report_trees_draw(mc_report_trees *trees, const mc_trace *trace,
                         const mc_layout_options *layout, const char *title) {
    int code = MC_EXIT_OK;
    for (int dark = 0; dark < 2 && code == MC_EXIT_OK; dark++) {
        mc_flat_options options = mc_flat_options_default();
        options.layout = *layout;
        options.form = MC_FLAT_ICICLE;
        options.level_count = MOST_LEVELS;
        options.is_scaled = true;
        options.is_dark = dark;
        options.size[0] = WIDTH;
        options.size[1] = HEIGHT;
        mc_flat_stage stage;
        code = mc_flat_stage_init_open(&stage, &options, trace, title);
        if (code == MC_EXIT_OK)
            code = put(&stage, title, dark ? "trees-dark" : "trees-light",
                       dark ? &trees->dark : &trees->light);
        mc_flat_stage_deinit(&stage);
    }
    return code;
}

void mc_report_trees_deinit(mc_report_trees *trees) {
    mc_text_deinit(&trees->light);
    mc_text_deinit(&trees->dark);
}
