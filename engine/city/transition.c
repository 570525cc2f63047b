#include "engine/city/transition.h"

#include "engine/base/memory.h"

static mc_structure find_old(const mc_city *old, const uint32_t *came_from, uint32_t node) {
    if (came_from) node = came_from[node];
    return node == MC_NONE ? MC_STRUCTURE_NONE : mc_city_find_node(old, node);
}

mc_box *mc_transition_create(const mc_city *city, const mc_city *old,
                             const mc_update_params *params, const uint64_t *from,
                             const uint64_t *to, const uint32_t *came_from) {
    uint32_t building_count = city->building_count;
    mc_box *boxes = mc_alloc_zero((size_t)building_count + city->district_count + 1, sizeof *boxes);
    if (!boxes) return NULL;
    // A jump is no place to stay.
    mc_update_params at_rest = *params;
    at_rest.jump = 0.0f;
    for (uint32_t i = 0; i < building_count; i++) {
        uint32_t was = find_old(old, came_from, city->building_node[i]).building;
        if (was != MC_NONE && old->half_count > 0 && i < city->half_count) was -= old->half_count;
        if (was != MC_NONE)
            boxes[i] = mc_city_evaluate_building(old, &at_rest, was, from[was], to[was], NULL);
    }
    for (uint32_t i = 0; i < city->district_count; i++) {
        uint32_t was = find_old(old, came_from, city->district_node[i]).district;
        if (was != MC_NONE) boxes[building_count + i] = mc_city_evaluate_district(old, params, was);
    }
    return boxes;
}
