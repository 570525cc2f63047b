#include "engine/city/glide.h"

#include "engine/base/memory.h"

mc_box mc_city_get_district_box(const mc_city *city, uint32_t district_index) {
    return (mc_box){.footprint = city->district_plot[district_index],
                    .base = city->district_base[district_index],
                    .height = city->district_height,
                    .opacity = 1.0f};
}

mc_box *mc_glide_create(const mc_city *city, const mc_city *old, const mc_update_params *params,
                        const uint64_t *from, const uint64_t *to) {
    uint32_t building_count = city->building_count;
    mc_box *boxes = mc_alloc_zero((size_t)building_count + city->district_count + 1, sizeof *boxes);
    if (!boxes) return NULL;
    // A jump is no place to stay.
    mc_update_params at_rest = *params;
    at_rest.jump = 0.0f;
    for (uint32_t i = 0; i < building_count; i++) {
        uint32_t was = mc_city_find_node(old, city->building_node[i]).building;
        if (was != MC_NONE)
            boxes[i] = mc_city_evaluate_building(old, &at_rest, was, from[was], to[was], NULL);
    }
    bool is_gliding = old->before && params->glide < 1.0f;
    for (uint32_t i = 0; i < city->district_count; i++) {
        uint32_t was = mc_city_find_node(old, city->district_node[i]).district;
        if (was == MC_NONE) continue;
        mc_box box = mc_city_get_district_box(old, was);
        if (is_gliding)
            box = mc_city_glide_box(old->before[old->building_count + was], box, params->glide);
        boxes[building_count + i] = box;
    }
    return boxes;
}
