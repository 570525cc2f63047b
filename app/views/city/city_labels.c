#include "app/views/city/city_labels.h"

#include "app/session/why.h"
#include "app/views/city/city_camera.h"
#include "engine/scene/beacons.h"

// `uncovered` is room for the camera of a picture that no panel covers, `theme` for the colours.
static mc_label_scene get_scene(const mc_city_view *self, mc_camera *uncovered, mc_theme *theme) {
    const mc_session *session = self->base.session;
    const mc_look *look = &session->settings.look;
    *theme = mc_theme_get(look->dark, (mc_palette)look->palette);
    if (session->input.is_uncovered) *uncovered = mc_city_view_get_uncovered(self);
    return (mc_label_scene){.city = self->city,
                            .params = &self->params,
                            .from = session->counts.from,
                            .to = session->counts.to,
                            .camera = session->input.is_uncovered ? uncovered : &self->camera,
                            .scale = (float)session->input.text_scale,
                            .theme = theme};
}

// `findings` is room for nodes.
static mc_label_request get_settings(const mc_city_view *self,
                                     uint32_t findings[MC_WHY_MOST_SHOWN]) {
    const mc_session *session = self->base.session;
    const mc_city_styles *styles = &self->styles;
    const mc_layout *shown = session->shown;
    uint32_t most = session->settings.look.opaque_count; // those that stand out
    bool is_of_change = styles->source && styles->is_of_change;
    const uint32_t *growers = is_of_change ? styles->changed : shown->growers;
    uint32_t grower_count = is_of_change ? styles->changed_count : shown->grower_count;
    uint32_t finding_count = is_of_change ? 0 : mc_session_list_findings(session, findings);
    const mc_styles *now = styles->source ? mc_style_source_get(styles->source) : NULL;
    if (now && !is_of_change && finding_count == 0) // a picture asks for no findings
        for (; finding_count < now->leading_count && finding_count < MC_WHY_MOST_SHOWN;
             finding_count++)
            findings[finding_count] = self->city->building_node[now->leading[finding_count]];
    return (mc_label_request){
        .selected = mc_session_get_selected(session),
        .more_selected = session->settings.selection.nodes,
        .more_selected_count = session->settings.selection.count,
        .walk = session->walk.is_shown ? mc_session_get_walk(session) : NULL,
        .is_marking = styles->source && mc_style_source_get(styles->source)->is_marking,
        .marked = styles->marked,
        .marked_count = styles->marked_count,
        .is_of_change = is_of_change,
        .findings = findings,
        .finding_count = finding_count,
        .growers = growers,
        .grower_count = grower_count < most ? grower_count : most,
        .leaves_out_districts = self->transition_elapsed_s >= 0,
    };
}

uint32_t mc_city_view_fill_labels(const mc_city_view *self, mc_label *labels, uint32_t capacity) {
    mc_camera uncovered;
    mc_theme theme;
    mc_label_scene scene = get_scene(self, &uncovered, &theme);
    uint32_t findings[MC_WHY_MOST_SHOWN];
    mc_label_request settings = get_settings(self, findings);
    return mc_label_fill(&scene, &settings, labels, capacity);
}

void mc_city_view_update_beacons(mc_city_view *self) {
    mc_camera uncovered;
    mc_theme theme;
    mc_label_scene scene = get_scene(self, &uncovered, &theme);
    uint32_t findings[MC_WHY_MOST_SHOWN];
    mc_label_request settings = get_settings(self, findings);
    float pixel_scale = (float)self->base.session->input.pixel_scale;
    mc_beacons_fill(&self->beacons, &scene, &settings, &theme, pixel_scale);
}
