// draw_lists.h - the order in which buildings are drawn: all at once, or first the opaque ones and
// then all from back to front.
//
// Uses the same rule for opacity as mc_city_evaluate_building(). Lists are rebuilt only when their
// inputs change; none is built while everything is opaque. Threads: the renderer's.
#pragma once
#include "engine/city/evaluate.h"
#include "engine/gpu/frame.h"

typedef struct mc_draw_lists {
    const mc_city *city; // NULL: none
    uint32_t *order;     // back to front for the eye (eye_x, eye_z)
    uint32_t *opaque;
    bool *is_opaque;   // by building
    uint32_t *by_rank; // building by rank of growth
    uint32_t (*scratch)[3];
    bool has_order, has_opaque;
    float eye_x, eye_z; // clamped to the city
    uint32_t opaque_count;
    uint32_t rank_limit, selected_first, selected_count; // that `opaque` was made for
    uint32_t more_selected_count;                        // likewise
    mc_building_range more_selected[MC_MORE_SELECTED_MOST];
    bool dims, fades; // likewise
    uint32_t *marked; // buildings whose style says so
    uint32_t marked_count;
    bool *is_fallen; // whose style says that not all of it stands
    bool has_fallen;
    uint32_t solid_count; // of `opaque`, those that stand
    uint32_t *slabs;      // likewise, that nothing is known of them
    uint32_t slab_count;
    bool shows_slabs; // `opaque` was made for them
    uint64_t order_version, opaque_version;
    // Those of the order that are not opaque, then, from building_count on, the opaque ones. Where
    // there is glass: all of the order, then by building its place there.
    mc_buffer buffers[MC_FRAME_COUNT];
    uint64_t written_opaque[MC_FRAME_COUNT]; // versions of what is in them
    uint64_t written_order[MC_FRAME_COUNT], written_rest[MC_FRAME_COUNT];
} mc_draw_lists;

// On failure `lists` is zeroed.
mc_result mc_draw_lists_init(mc_draw_lists *lists, mc_gpu *gpu, const mc_city *city,
                             mc_error *error);
void mc_draw_lists_retire(mc_draw_lists *lists, mc_frames *frames);

// Which buildings are marked, or slabs; `styles` has one a building, NULL: none.
void mc_draw_lists_set_styles(mc_draw_lists *lists, const mc_building_style *styles);

// What the city pass draws: opaque buildings (from the list, or simply all) and translucent ones.
typedef struct mc_draw_plan {
    uint32_t opaque_first, opaque_count;
    bool opaque_from_list;
    uint32_t translucent_count; // from the list, which begins with them; 0: none
    bool has_glass;             // the glass pass chooses which are opaque and which are not
} mc_draw_plan;

// Brings the buffer of a frame, which the GPU must not be using, up to date. `least_unordered`: so
// many translucent ones, and more, are only counted and not listed.
mc_draw_plan mc_draw_lists_prepare(mc_draw_lists *lists, uint32_t frame_index,
                                   const mc_update_params *params, const float eye[3],
                                   uint32_t least_unordered);
