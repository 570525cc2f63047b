#include "app/views/city/city_labels.h"

#define MOST_HITS 12
#define MOST_HITS_TRIED 200 // many may be out of the picture

// The names that there are so far.
typedef struct label_list {
    mc_label_scene scene;
    uint32_t selected; // node, which has its name already
    mc_label *labels;
    uint32_t count, capacity;
} label_list;

// Of a building; a district's name is on its rim.
static bool add(label_list *list, uint32_t node, bool is_wanted) {
    uint32_t building = list->scene.city->node_building[node];
    if (building == MC_NONE || list->count == list->capacity) return false;
    if (!mc_label_building(&list->scene, building, is_wanted, &list->labels[list->count]))
        return false;
    list->count++;
    return true;
}

static bool add_other(label_list *list, uint32_t node, bool is_wanted) {
    return node != list->selected && add(list, node, is_wanted);
}

// The largest ones that a search has found.
static void add_hits(label_list *list, const mc_session_search *search) {
    uint32_t added = 0;
    for (uint32_t i = 0; i < search->hit_count && i < MOST_HITS_TRIED && added < MOST_HITS; i++)
        added += add_other(list, search->hits[i], true);
}

uint32_t mc_city_view_fill_labels(const mc_city_view *self, mc_label *labels, uint32_t capacity) {
    const mc_session *session = self->base.session;
    const mc_layout *shown = session->shown;
    const mc_walk *walk = &session->walk.walk;
    label_list list = {.scene = {.city = self->city,
                                 .params = &self->params,
                                 .from = session->from,
                                 .to = session->to,
                                 .camera = &self->camera,
                                 .scale = (float)session->input.text_scale},
                       .selected = mc_session_get_selected(session),
                       .labels = labels,
                       .capacity = capacity};
    if (list.selected != MC_NONE) add(&list, list.selected, true);
    for (uint32_t i = 0; session->walk.is_shown && i < walk->count; i++)
        add_other(&list, walk->stops[i].node, true);
    add_hits(&list, &session->search);
    bool fades = session->search.hit_count > 0 || session->walk.is_shown;
    uint32_t growers = fades ? 0 : session->wish.look.opaque_count; // those that stand out
    for (uint32_t i = 0; i < growers && i < shown->grower_count; i++)
        add_other(&list, shown->growers[i], false);
    if (self->glide_elapsed_s >= 0) return list.count;
    return list.count + mc_label_districts(&list.scene, labels + list.count, capacity - list.count);
}
