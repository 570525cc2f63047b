#include "app/views/city/city_roots.h"

#include "app/pair.h"
#include "app/session/gc_roots.h"
#include "app/views/city/city_framing.h"
#include "engine/analyze/class_names.h"
#include "engine/scene/theme.h"
#include <string.h>

static void make_scale(mc_city_view *self) {
    const mc_look *look = &self->base.session->settings.look;
    mc_theme theme = mc_theme_get(look->dark, (mc_palette)look->palette);
    mc_scale_marks_make(&self->markers, self->city, &theme);
    self->city->markers = &self->markers;
}

void mc_city_view_begin_roots(mc_city_view *self) {
    if (self->city->full_height > 0) make_scale(self);
}

static bool are_shown(const mc_city_view *self) {
    const mc_session *session = self->base.session;
    // Of two traces they are the second one's.
    bool is_apart = session->shown && mc_trace_is_versus(session->trace) &&
                    !mc_session_is_pictured(session) &&
                    mc_pair_get_show(session->trace, session->shown->metric) != MC_PAIR_B;
    return session->settings.look.roots && !is_apart &&
           mc_session_get_root_groups(session)->count > 0;
}

void mc_city_view_drop_roots(mc_city_view *self) {
    self->markers = (mc_city_markers){0};
    self->hovered_marker = MC_NONE;
    if (self->city) self->city->markers = NULL;
}

// They take room at the edge, so that a city that is seen as a whole is framed anew.
void mc_city_view_update_roots(mc_city_view *self) {
    const mc_session *session = self->base.session;
    const mc_look *look = &session->settings.look;
    bool had_any = self->city->markers && self->markers.count > 0;
    if (are_shown(self)) {
        mc_theme theme = mc_theme_get(look->dark, (mc_palette)look->palette);
        mc_root_marks_make(&self->markers, mc_session_get_root_groups(session), self->city, &theme);
        self->city->markers = &self->markers;
    } else if (self->city->full_height > 0) {
        make_scale(self);
    } else {
        mc_city_view_drop_roots(self);
    }
    bool has_any = self->markers.count > 0;
    if (has_any != had_any) {
        self->camera.world = mc_camera_bounds_of_city(self->city); // the eye may stay
        mc_view_pick_again(&self->base);
        if (session->settings.is_home)
            mc_city_view_frame(self, MC_NONE,
                               session->settings.motion ? MC_VIEW_FRAME : MC_VIEW_AT_ONCE);
    }
    bool is_free = are_shown(self) && session->input.is_over_picture;
    self->hovered_marker =
        is_free ? mc_city_view_pick_marker(self, session->input.x, session->input.y, INFINITY)
                : MC_NONE;
    if (self->hovered_marker == MC_NONE) return;
    mc_hit hit = mc_city_view_look_along(
        self, mc_camera_get_ray(&self->camera, session->input.x, session->input.y));
    bool is_hit = hit.structure.building != MC_NONE || hit.structure.district != MC_NONE;
    if (is_hit)
        self->hovered_marker =
            mc_city_view_pick_marker(self, session->input.x, session->input.y, hit.distance);
}

uint32_t mc_city_view_pick_marker(const mc_city_view *self, double x, double y, float distance) {
    float at;
    if (!are_shown(self) || !self->city->markers) return MC_NONE;
    mc_ray ray = mc_camera_get_ray(&self->camera, x, y);
    uint32_t marker = mc_city_markers_pick(&self->markers, ray.origin, ray.direction, &at);
    return marker != MC_NONE && at < distance ? marker : MC_NONE;
}

mc_structure mc_city_view_get_marked_root(const mc_city_view *self, mc_structure hovered) {
    uint32_t marker = self->hovered_marker;
    bool is_other = hovered.building != MC_NONE || hovered.district != MC_NONE;
    if (marker == MC_NONE && !is_other) marker = mc_session_get_chosen_root(self->base.session);
    if (!are_shown(self) || marker >= self->markers.count) return hovered;
    return (mc_structure){MC_NONE, self->city->district_count + marker};
}

mc_result mc_city_view_add_root_links(const mc_city_view *self, mc_joins *joins, mc_error *error) {
    const mc_session *session = self->base.session;
    const mc_root_groups *groups = mc_session_get_root_groups(session);
    uint32_t chosen = mc_session_get_chosen_root(session);
    uint32_t selected = mc_session_get_selected(session), before = joins->count;
    uint32_t most = session->settings.look.most_references;
    if (!are_shown(self)) return MC_OK;
    if (session->walk.is_shown)
        return mc_session_get_walk(session)->desc.step == session->counts.step
                   ? mc_joins_add_root_path(joins, groups, &mc_session_get_walk(session)->trail,
                                            error)
                   : MC_OK;
    if (chosen != MC_NONE)
        return mc_joins_add_holds(joins, groups, chosen, most == 0 ? MC_NONE : most, error);
    bool is_alone = mc_session_is_pictured(session) && !session->walk.is_known;
    bool is_wanted = session->settings.look.show_incoming || is_alone;
    if (selected == MC_NONE || !is_wanted) return MC_OK;
    const mc_metric objects = MC_METRIC_OBJECTS;
    uint64_t count = 0;
    mc_result result =
        mc_trace_read_value(session->trace, session->counts.step, objects, selected, &count, error);
    if (result == MC_OK)
        result = mc_joins_add_roots(joins, groups, mc_trace_get_nodes(session->trace), selected,
                                    count, error);
    bool has_own = joins->count > before;
    return result == MC_OK && !has_own && mc_session_has_root_path(session)
               ? mc_joins_add_root_path(joins, groups, mc_session_get_root_path(session), error)
               : result;
}

void mc_city_view_fill_root_legend(const mc_city_view *self, mc_fact_legend *legend) {
    const mc_session *session = self->base.session;
    const mc_look *look = &session->settings.look;
    bool is_there[MC_ROOT_CLASS_COUNT] = {false};
    if (self->markers.count == 0) return;
    for (uint32_t i = 0; i < mc_session_get_root_groups(session)->count; i++)
        is_there[mc_root_class_get(mc_session_get_root_groups(session)->items[i].kind)] = true;
    const bool is_jvm = mc_class_is_jvm_trace(session->trace);
    mc_theme theme = mc_theme_get(look->dark, (mc_palette)look->palette);
    for (uint32_t i = 0; i < MC_ROOT_CLASS_COUNT; i++) {
        if (!is_there[i]) continue;
        legend->root_colors[legend->root_count] =
            mc_theme_pack(mc_root_class_get_color((mc_root_class)i, &theme), 255);
        legend->root_texts[legend->root_count++] = mc_root_class_get_name((mc_root_class)i, is_jvm);
    }
}
