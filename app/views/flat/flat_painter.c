#include "app/views/flat/flat_painter.h"

#include "app/views/flat/flat_view_state.h"

static uint32_t get_count(const mc_view *view) {
    (void)view; // a frame costs what its pixels cost
    return 0;
}

// Strips come with the scene.
static mc_result upload(const mc_view *view, mc_view_versions *known, mc_renderer *renderer,
                        mc_error *error) {
    (void)renderer;
    (void)error;
    const mc_session *session = view->session;
    *known = (mc_view_versions){session->layout_version, session->counts.version, 0};
    return MC_OK;
}

static mc_scene get_scene(mc_view *view) {
    mc_flat_view *self = mc_flat_view_of(view);
    mc_scene scene = {.theme = self->theme, .flat = &self->scene};
    scene.hovered = scene.selected = MC_STRUCTURE_NONE;
    return scene;
}

static mc_scene get_uncovered(const mc_view *view, const mc_scene *scene) {
    (void)view;
    return *scene;
}

const mc_view_painter mc_flat_painter = {get_count, upload, get_scene, get_uncovered};
