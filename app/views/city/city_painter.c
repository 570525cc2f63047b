#include "app/views/city/city_painter.h"

#include "app/session/unit.h"
#include "app/views/city/city_camera.h"
#include "app/views/city/city_frustums.h"
#include "app/views/city/city_roots.h"
#include "app/views/city/city_view_state.h"
#include "engine/scene/params.h"

static uint32_t get_count(const mc_view *view) {
    const mc_city *city = mc_city_view_of(view)->city;
    return city ? city->building_count : 0;
}

static mc_result upload(const mc_view *view, mc_view_versions *known, mc_renderer *renderer,
                        mc_error *error) {
    const mc_city_view *self = mc_city_view_of(view);
    const mc_session *session = view->session;
    mc_result result = MC_OK;
    bool is_new = known->layout != session->layout_version;
    if (is_new) result = mc_renderer_set_city(renderer, self->city, error);
    if (result == MC_OK && known->counts != session->counts.version) {
        bool advances =
            !is_new && session->counts.advance && known->counts + 1 == session->counts.version;
        result = advances ? mc_renderer_advance_counts(renderer, session->counts.to, error)
                          : mc_renderer_set_counts(renderer, session->counts.from,
                                                   session->counts.to, error);
    }
    if (result == MC_OK && (is_new || known->looks != self->styles.version))
        result = mc_renderer_set_styles(renderer, self->city->styles, error);
    *known =
        (mc_view_versions){session->layout_version, session->counts.version, self->styles.version};
    return result;
}

static uint32_t list_unit(const mc_city_view *self, mc_unit_mark marks[MC_UNIT_MARK_CAPACITY]) {
    mc_session_unit_part parts[MC_UNIT_MARK_CAPACITY];
    uint32_t count = mc_session_list_unit(self->base.session, parts);
    for (uint32_t i = 0; i < count; i++)
        marks[i] = (mc_unit_mark){mc_city_view_find(self, parts[i].node), (float)parts[i].share};
    return count;
}

static mc_scene get_scene(mc_view *view) {
    mc_city_view *self = mc_city_view_of(view);
    mc_structure hovered = mc_city_view_find(self, view->session->hover.node);
    mc_scene scene =
        mc_scene_make(&view->session->settings.look, &self->camera, &self->params, hovered,
                      mc_city_view_get_selected(self), &self->frustums.frustums);
    scene.more_selected_count = mc_city_view_list_more(self, scene.more_selected);
    scene.unit_count = list_unit(self, scene.unit);
    scene.pixel_scale = (float)view->session->input.pixel_scale;
    scene.time_s = mc_city_view_get_time(self);
    scene.hovered = mc_city_view_get_marked_root(self, scene.hovered);
    scene.markers = self->city->markers;
    scene.beacons = &self->beacons;
    if (self->styles.source) {
        const mc_styles *styles = mc_style_source_get(self->styles.source);
        scene.leading = styles->leading;
        scene.leading_count = styles->leading_count;
    }
    return scene;
}

static mc_scene get_uncovered(const mc_view *view, const mc_scene *scene) {
    mc_scene uncovered = *scene;
    mc_camera camera = mc_city_view_get_uncovered(mc_city_view_of(view));
    uncovered.view = mc_camera_get_view(&camera);
    uncovered.hovered = MC_STRUCTURE_NONE;
    return uncovered;
}

const mc_view_painter mc_city_painter = {get_count, upload, get_scene, get_uncovered};
