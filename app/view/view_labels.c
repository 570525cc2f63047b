#include "app/view/view_state.h"
#include "engine/scene/labels.h"

#define MOST_HITS 12
#define MOST_HITS_TRIED 200 // many may be out of the picture

static mc_ui_label make_label(const mc_view *view, const mc_label *label) {
    return (mc_ui_label){.text = mc_view_get_name(view, label->node),
                         .x = label->x,
                         .y = label->y,
                         .most_width = label->most_width,
                         .opacity = label->opacity,
                         .strong = label->strong,
                         .flat = label->flat};
}

static bool add_building(mc_view *view, const mc_label_scene *scene, uint32_t building,
                         bool is_wanted, mc_ui_label *out) {
    mc_label label;
    if (!mc_label_building(scene, building, is_wanted, &label)) return false;
    *out = make_label(view, &label);
    return true;
}

// The largest ones that a search has found.
static uint32_t add_hits(mc_view *view, const mc_label_scene *scene, mc_ui_label *labels,
                         uint32_t capacity) {
    const mc_view_search *search = &view->explore.search;
    uint32_t count = 0, most = capacity < MOST_HITS ? capacity : MOST_HITS;
    for (uint32_t i = 0; i < search->hit_count && i < MOST_HITS_TRIED && count < most; i++) {
        uint32_t building = view->city->node_building[search->hits[i]];
        if (building == MC_NONE || building == view->selected.building) continue;
        if (add_building(view, scene, building, true, &labels[count])) count++;
    }
    return count;
}

uint32_t mc_view_fill_labels(mc_view *view, mc_ui_label *labels) {
    mc_label_scene scene = {.city = view->city,
                            .params = &view->params,
                            .from = view->from,
                            .to = view->to,
                            .camera = &view->camera,
                            .scale = mc_view_get_scale(view)};
    uint32_t count = 0;
    if (view->selected.building != MC_NONE &&
        add_building(view, &scene, view->selected.building, true, &labels[count])) {
        count++;
    }
    const mc_walk *walk = &view->explore.walk.walk;
    for (uint32_t i = 0; view->explore.walk.is_shown && i < walk->count; i++) {
        uint32_t building = view->city->node_building[walk->stops[i].node];
        if (building == MC_NONE || building == view->selected.building) continue;
        if (add_building(view, &scene, building, true, &labels[count])) count++;
    }
    count += add_hits(view, &scene, labels + count, MC_VIEW_LABEL_CAPACITY - count);
    bool fades = view->explore.search.hit_count > 0 || view->explore.walk.is_shown;
    uint32_t growers = fades ? 0 : view->wish.look.opaque_count; // those that stand out
    if (growers > view->grower_count) growers = view->grower_count;
    for (uint32_t i = 0; i < growers; i++) {
        if (count == MC_VIEW_LABEL_CAPACITY) return count;
        if (view->growers[i] == view->selected.building) continue;
        if (add_building(view, &scene, view->growers[i], false, &labels[count])) count++;
    }
    if (view->glide_elapsed_s >= 0) return count;
    mc_label districts[MC_VIEW_LABEL_CAPACITY];
    uint32_t most = MC_VIEW_LABEL_CAPACITY - count;
    uint32_t district_count = mc_label_districts(&scene, districts, most);
    for (uint32_t i = 0; i < district_count; i++)
        labels[count++] = make_label(view, &districts[i]);
    return count;
}
