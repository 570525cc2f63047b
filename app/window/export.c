#include "app/window/export.h"

#include "app/png_file.h"
#include "app/session/tables.h"
#include "app/views/painters.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdio.h>

void mc_viewer_copy(mc_viewer *viewer, bool is_row) {
    mc_session *session = viewer->session;
    mc_text text = {0};
    if (mc_session_append_copy(session, is_row, &text)) {
        mc_window_set_clipboard(viewer->window, text.data);
        mc_session_set_notice(session, "Copied %s: %.600s",
                              is_row ? "step, objects, bytes and growth" : "the full key",
                              text.data);
    }
    mc_text_deinit(&text);
}

void mc_viewer_save_picture(mc_viewer *viewer, bool with_panels) {
    if (viewer->session->message_is_notice)
        mc_session_set_message(viewer->session, NULL); // not in the picture
    viewer->picture = with_panels ? MC_VIEWER_PICTURE_WITH_PANELS : MC_VIEWER_PICTURE_OF_CITY;
    mc_session_redraw(viewer->session);
}

void mc_viewer_take_picture(mc_viewer *viewer, const mc_scene *scene, const mc_ui_draw *draw) {
    bool alone = viewer->picture == MC_VIEWER_PICTURE_OF_CITY;
    viewer->picture = MC_VIEWER_NO_PICTURE;
    uint32_t width, height;
    mc_window_get_size(viewer->window, &width, &height);
    mc_error error = {0};
    mc_text path = {0};
    char suffix[64] = "";
    if (viewer->session->shown)
        snprintf(suffix, sizeof suffix, "-step%" PRIu32, viewer->session->playback.step);
    mc_scene shown = *scene;
    const mc_view *view = viewer->session->view;
    if (alone && viewer->session->shown)
        shown = mc_view_get_painter(view)->get_uncovered(view, scene);
    uint8_t *pixels = mc_alloc((size_t)width * height, 4);
    if (!pixels) {
        mc_error_out_of_memory(&error);
    } else if (mc_session_append_output_path(viewer->session, &path, suffix, "png") &&
               mc_renderer_render_image(viewer->renderer, &shown, alone ? NULL : draw, width,
                                        height, pixels, &error) == MC_OK &&
               mc_png_write(path.data, pixels, width, height, &error) == MC_OK) {
        mc_session_set_notice(viewer->session, "Wrote %s", path.data);
    }
    if (error.code != MC_OK) mc_session_set_message(viewer->session, error.message);
    mc_free(pixels);
    mc_text_deinit(&path);
}
