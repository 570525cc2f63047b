#include "app/session/labels.h"

#include "app/session/words.h"
#include "engine/scene/labels.h"

#define MOST_HITS 12
#define MOST_HITS_TRIED 200 // many may be out of the picture

static mc_ui_label make_label(const mc_session *session, const mc_label *label) {
    return (mc_ui_label){.text = mc_session_get_name(session, label->node),
                         .x = label->x,
                         .y = label->y,
                         .most_width = label->most_width,
                         .opacity = label->opacity,
                         .strong = label->strong,
                         .flat = label->flat};
}

static bool add_building(mc_session *session, const mc_label_scene *scene, uint32_t building,
                         bool is_wanted, mc_ui_label *out) {
    mc_label label;
    if (!mc_label_building(scene, building, is_wanted, &label)) return false;
    *out = make_label(session, &label);
    return true;
}

// The largest ones that a search has found.
static uint32_t add_hits(mc_session *session, const mc_label_scene *scene, mc_ui_label *labels,
                         uint32_t capacity) {
    const mc_session_search *search = &session->search;
    uint32_t count = 0, most = capacity < MOST_HITS ? capacity : MOST_HITS;
    for (uint32_t i = 0; i < search->hit_count && i < MOST_HITS_TRIED && count < most; i++) {
        uint32_t building = session->city->node_building[search->hits[i]];
        if (building == MC_NONE || building == session->selected.building) continue;
        if (add_building(session, scene, building, true, &labels[count])) count++;
    }
    return count;
}

uint32_t mc_session_fill_labels(mc_session *session, mc_ui_label *labels) {
    mc_label_scene scene = {.city = session->city,
                            .params = &session->params,
                            .from = session->from,
                            .to = session->to,
                            .camera = &session->camera,
                            .scale = (float)session->input.text_scale};
    uint32_t count = 0;
    if (session->selected.building != MC_NONE &&
        add_building(session, &scene, session->selected.building, true, &labels[count])) {
        count++;
    }
    const mc_walk *walk = &session->walk.walk;
    for (uint32_t i = 0; session->walk.is_shown && i < walk->count; i++) {
        uint32_t building = session->city->node_building[walk->stops[i].node];
        if (building == MC_NONE || building == session->selected.building) continue;
        if (add_building(session, &scene, building, true, &labels[count])) count++;
    }
    count += add_hits(session, &scene, labels + count, MC_SESSION_LABEL_CAPACITY - count);
    bool fades = session->search.hit_count > 0 || session->walk.is_shown;
    uint32_t growers = fades ? 0 : session->wish.look.opaque_count; // those that stand out
    if (growers > session->grower_count) growers = session->grower_count;
    for (uint32_t i = 0; i < growers; i++) {
        if (count == MC_SESSION_LABEL_CAPACITY) return count;
        if (session->growers[i] == session->selected.building) continue;
        if (add_building(session, &scene, session->growers[i], false, &labels[count])) count++;
    }
    if (session->glide_elapsed_s >= 0) return count;
    mc_label districts[MC_SESSION_LABEL_CAPACITY];
    uint32_t most = MC_SESSION_LABEL_CAPACITY - count;
    uint32_t district_count = mc_label_districts(&scene, districts, most);
    for (uint32_t i = 0; i < district_count; i++)
        labels[count++] = make_label(session, &districts[i]);
    return count;
}
