#include "app/picture/stage_flat.h"

#include "app/flat/flat_svg.h"
#include "app/picture/flat_title.h"
#include "app/png_file.h"
#include "app/session/host.h"
#include "engine/base/file.h"
#include "engine/scene/flat_color.h"
#include <string.h>

#define MARGIN 16 // of a picture, times the sheet's scale

// ---- what it shows

// What --color says. A metric that a view names and the trace lacks is reported, and left to the
// view.
static int choose_colors(mc_stage *stage, mc_settings *settings) {
    const char *key = stage->picture->color_key, *name = settings->look.color_metric;
    mc_metric metric;
    uint32_t mode = 0;
    if (!key) {
        if (settings->tree_color == MC_FLAT_COLOR_VALUE && name[0] &&
            mc_trace_find_metric(stage->trace, name) == MC_NONE)
            mc_message_say("the view's metric is not in this trace: %s", name);
        return MC_EXIT_OK;
    }
    stage->desc.flat.is_color_chosen = true;
    while (mode < MC_FLAT_COLOR_VALUE && strcmp(mc_flat_color_mode_names[mode], key) != 0)
        mode++;
    settings->tree_color = mode;
    if (mode < MC_FLAT_COLOR_VALUE) return MC_EXIT_OK;
    (void)mc_form_set_name(settings->look.color_metric, sizeof settings->look.color_metric, key);
    return mc_command_find_metric(stage->trace, "--color", key, &metric);
}

// Of what only a city shows nothing is asked.
int mc_stage_settle_flat(mc_stage *stage, mc_settings *settings) {
    mc_look *look = &settings->look;
    look->show_incoming = look->show_outgoing = look->roots = look->streets = false;
    settings->tree_steps.count = 0; // they stand above a chart
    int code = choose_colors(stage, settings);
    return code == MC_EXIT_OK ? mc_picture_check_pin(stage->picture, stage->trace) : code;
}

static void put_title(void *user, mc_flat_sheet *sheet) {
    mc_stage *stage = user;
    float margin = (float)(MARGIN * (double)sheet->scale);
    mc_flat_title_put(stage->session, sheet, margin, margin, true);
}

void mc_stage_place_flat(mc_stage *stage) {
    mc_session *session = stage->session;
    mc_flat_picture *flat = &stage->desc.flat;
    double scale = session->input.text_scale, margin = MARGIN * scale;
    double title = 0;
    if (stage->picture->legend) {
        flat->put_title = put_title;
        flat->user = stage;
        title = mc_flat_title_get_height(stage->trace) * scale;
    }
    mc_flat_view_set_picture(session->view, flat);
    mc_session_set_viewport(session, (mc_camera_viewport){.width = stage->width,
                                                          .height = stage->height,
                                                          .left = margin,
                                                          .top = margin + title,
                                                          .right = margin,
                                                          .bottom = margin});
}

// Groups whose Other was opened.
static void find_opened(mc_stage *stage) {
    const mc_view_file *view = stage->picture->view;
    for (uint32_t i = 0; view && i < view->opened.count; i++) {
        const char *key = view->opened.items[i];
        uint32_t node = mc_trace_find_node(stage->trace, key, strlen(key));
        if (node == MC_NONE)
            mc_message_say("the view's opened group is not in this trace: %s", key);
        else if (!mc_selection_add(&stage->opened, node))
            mc_message_say("the view's opened groups are more than can be: %s", key);
    }
}

int mc_stage_begin_flat(mc_stage *stage) {
    int code = mc_stage_check_search(stage);
    if (code == MC_EXIT_OK) code = mc_stage_find_selection(stage);
    if (code == MC_EXIT_OK) find_opened(stage);
    return code;
}

// ---- sheets

int mc_stage_draw_sheet(mc_stage *stage, mc_flat_sheet *sheet) {
    mc_error error = {0};
    mc_result result = mc_flat_sheet_finish(sheet, &error);
    if (result != MC_OK) return mc_command_fail(&error);
    mc_drawing drawing = mc_flat_sheet_get_drawing(sheet);
    mc_ui_caption caption = {.drawing = &drawing};
    mc_ui_draw draw;
    mc_ui_draw_caption(stage->ui, &caption, sheet->theme.dark, (float)sheet->width,
                       (float)sheet->height, &draw);
    mc_flat_scene flat = mc_flat_sheet_get_scene(sheet, ++stage->version);
    mc_scene scene = {.theme = sheet->theme, .flat = &flat};
    scene.hovered = scene.selected = MC_STRUCTURE_NONE;
    result = mc_renderer_render_image(stage->renderer, &scene, &draw, sheet->width, sheet->height,
                                      stage->pixels, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

static mc_result write_vectors(const mc_stage *stage, mc_flat_sheet *sheet, const char *path,
                               mc_error *error) {
    const char *name = mc_session_get_trace_name(stage->session);
    mc_text out = {0};
    mc_result result = mc_flat_svg_append_sheet(sheet, name ? name : "", "", &out, error);
    if (result == MC_OK) result = mc_file_write(path, out.data, out.size, error);
    mc_text_deinit(&out);
    return result;
}

int mc_stage_write_sheet(mc_stage *stage, mc_flat_sheet *sheet, const char *path) {
    mc_error error = {0};
    if (sheet->is_vector)
        return write_vectors(stage, sheet, path, &error) == MC_OK ? MC_EXIT_OK
                                                                  : mc_command_fail(&error);
    int code = mc_stage_draw_sheet(stage, sheet);
    if (code == MC_EXIT_OK &&
        mc_png_write(path, stage->pixels, sheet->width, sheet->height, &error) != MC_OK)
        code = mc_command_fail(&error);
    return code;
}

bool mc_stage_is_vector(const char *path) {
    size_t size = strlen(path);
    return size >= 4 && strcmp(path + size - 4, ".svg") == 0;
}
