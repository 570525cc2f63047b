#include "app/window/export.h"

#include "app/picture/session_caption.h"
#include "app/picture/session_picture.h"
#include "app/session/host.h"
#include "app/session/tables.h"
#include "app/views/painters.h"

// What is marked in the headline, if anything, goes before the key.
void mc_viewer_copy(mc_viewer *viewer, mc_session_copy what) {
    static const char *const names[] = {
        [MC_COPY_KEY] = "the full key",
        [MC_COPY_ROW] = "step, objects, bytes and growth",
        [MC_COPY_FINDING] = "the finding",
    };
    mc_session *session = viewer->session;
    mc_text text = {0};
    const char *marked = what == MC_COPY_KEY ? mc_ui_get_marked_text(viewer->ui) : "";
    if (marked[0]) {
        mc_window_set_clipboard(viewer->window, marked);
        mc_session_set_notice(session, "Copied: %.600s", marked);
    } else if (mc_session_append_copy(session, what, &text)) {
        mc_window_set_clipboard(viewer->window, text.data);
        mc_session_set_notice(session, "Copied %s: %.600s", names[what], text.data);
    }
    mc_text_deinit(&text);
}

void mc_viewer_save_picture(mc_viewer *viewer, bool with_panels) {
    mc_session_clear_notices(viewer->session);
    viewer->picture = with_panels ? MC_VIEWER_PICTURE_WITH_PANELS : MC_VIEWER_PICTURE_OF_CITY;
    mc_session_redraw(viewer->session);
}

void mc_viewer_take_picture(mc_viewer *viewer, const mc_scene *scene, const mc_ui_draw *draw) {
    bool alone = viewer->picture == MC_VIEWER_PICTURE_OF_CITY;
    viewer->picture = MC_VIEWER_NO_PICTURE;
    uint32_t width, height;
    mc_window_get_size(viewer->window, &width, &height);
    mc_scene shown = *scene;
    mc_ui_draw caption;
    const mc_view *view = viewer->session->view;
    if (alone && viewer->session->shown)
        shown = mc_view_get_painter(view)->get_uncovered(view, scene);
    if (alone) mc_session_draw_caption(viewer->session, viewer->ui, width, height, &caption);
    mc_session_write_picture(viewer->session, viewer->renderer, &shown, alone ? &caption : draw,
                             width, height);
}
