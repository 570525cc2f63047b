// evaluate.h - evaluates a city at a moment: the CPU reference of shaders/update.comp.
//
// SPEC, "Building at step t": footprint = plot scaled by sqrt(r), height = 2 sqrt(plot area * r),
// colour by growth since the first step, opacity by rank of growth. Between two steps a growing
// building first grows in height, then in area; a shrinking one first shrinks in area, then in
// height. Styles (style.h) may determine colours, opacity and heights instead. After a new layout
// all structures transition from their old places (transition.h). Single precision throughout, as
// on the GPU; the shader does the same operations, so results agree to rounding. Source: "Memory
// Cities", 2020, section VI. Threads: any.
#pragma once
#include "engine/city/city.h"

_Static_assert(MC_SCALING_ELEVATION == MC_SCALING_IS_ELEVATION, "as the shaders have it");

// The colour of a share of the growth, 0 to 1; below 0, of what shrank.
mc_color mc_gradient_get(const mc_update_params *params, float at);

// Parameters for `city` that show a step at rest: both highlights on (N = 10, opacity 40 %),
// nothing selected, the papers' gradient.
mc_update_params mc_update_params_default(const mc_city *city);

// Whether a building is selected.
static inline bool mc_update_params_select(const mc_update_params *params, uint32_t building) {
    bool is_selected = building - params->selected_first < params->selected_count;
    for (uint32_t i = 0; i < params->more_selected_count && !is_selected; i++)
        is_selected = building - params->more_selected[i].first < params->more_selected[i].count;
    return is_selected;
}

// Whether what stands before marked buildings is glass: unless opacity says something else.
static inline bool mc_update_params_have_glass(const mc_update_params *params) {
    const uint32_t others =
        MC_UPDATE_OPACITY_BY_GROWTH | MC_UPDATE_DIM_UNMARKED | MC_UPDATE_FADE_FALLEN;
    return (params->flags & (MC_UPDATE_GLASS | others)) == MC_UPDATE_GLASS;
}

// Computes the shapes between the counts `from` (blend 0) and `to` (blend 1), columns over
// buildings. `colors` may be NULL. O(buildings).
void mc_city_evaluate(const mc_city *city, const mc_update_params *params, const uint64_t *from,
                      const uint64_t *to, mc_box *boxes, mc_color *colors);

// One building of it; `color` may be NULL.
mc_box mc_city_evaluate_building(const mc_city *city, const mc_update_params *params,
                                 uint32_t building_index, uint64_t from, uint64_t to,
                                 mc_color *color);

// A district's slab in its final place, and during a transition.
mc_box mc_city_get_district_box(const mc_city *city, uint32_t district_index);
mc_box mc_city_evaluate_district(const mc_city *city, const mc_update_params *params,
                                 uint32_t district_index);

// A box in transition from its old place (height 0: it had none) to its final one, `transition`
// from 0 to 1.
mc_box mc_city_transition_box(mc_box before, mc_box now, float transition);
