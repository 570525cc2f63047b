// city.h - the layout of a trace as a city: plots, levels and ranks of all buildings and districts,
// as columns.
//
// World: x to the right, z towards the viewer's start, y up. The city covers [0, width] x [0,
// depth]; the layout's x is the world's x, the layout's y the world's z. Buildings and districts
// are in depth-first layout order, so the buildings of a district are contiguous. Computed once per
// (trace, metric, scaling, tiling, child limit, window, root); evaluate.h has what changes with
// time. Ownership: create/destroy; keeps no pointer to the trace. Threads: reading from any thread.
#pragma once
#include "engine/analyze/max_tree.h"
#include "engine/layout/treemap.h"
#include "shaders/shared/city_types.h"
#include <stdatomic.h>

typedef enum mc_scaling {
    MC_SCALING_SQRT,
    MC_SCALING_LINEAR,
    MC_SCALING_QUADRATIC,
    MC_SCALING_UNIFORM, // every leaf the same square plot, whatever its value
    // The same, also where it has nothing, in an order that does not depend on values; heights are
    // linear in the value, up to 100 % of a ratio, or the largest of all leaves.
    MC_SCALING_ELEVATION,
    MC_SCALING_COUNT
} mc_scaling;

typedef struct mc_city_desc {
    mc_metric metric;
    mc_metric area_metric; // whose maxima the plots have; MC_NONE: the metric's own
    bool is_double;        // of the larger of two traces: one of each, side by side
    mc_scaling scaling;
    mc_treemap_desc treemap;
    uint32_t child_limit; // 0: everything is shown
    mc_step_range window;
    uint32_t root_node; // the city of this node's subtree alone; 0: of the whole heap
    bool keeps_shape;   // such a city has its plot's shape in the whole one, and the treemap's area
    double headroom;    // leaves' maxima are rounded up to powers of 1 + this, so that a trace that
                        // grows can be laid out anew without moving everything; 0: they are exact
} mc_city_desc;

// The defaults: squarify, linear, bytes, relative padding, a side of 1000 units, the whole trace; a
// district keeps its shape.
mc_city_desc mc_city_desc_default(const mc_trace *trace);

#define MC_CITY_MARKER_CAPACITY 80

// The markers of GC roots: see markers.h. Colours are final; an opacity of 2 marks them as not
// belonging to a district.
typedef struct mc_city_markers {
    uint32_t count;
    mc_box boxes[MC_CITY_MARKER_CAPACITY];
    mc_color colors[MC_CITY_MARKER_CAPACITY];
} mc_city_markers;

typedef struct mc_city {
    mc_city_desc desc;
    float width, depth;    // world units
    float district_height; // of one level
    float full_height;     // of MC_SCALING_ELEVATION: of a building at its maximum; else 0
    uint32_t node_count;   // of the trace
    uint32_t building_count, district_count;
    uint32_t half_count; // buildings of the first one of two (side_by_side.h); 0: it is one city

    // Per building. Leaves whose maximum is 0 (or that are pruned) have none.
    uint32_t *building_node;
    mc_plot *building_plot;
    float *building_base; // y of its floor: the roof of the district it stands on
    uint64_t *building_max;
    uint64_t *building_first; // MC_COUNT_UNKNOWN: its growth is not known, and has that colour
    uint32_t
        *building_growth_rank; // 0: grew the most; ranks beyond the growing ones follow by order
    uint32_t
        *building_district; // the district it stands in; MC_NONE if the root is the only building
    int64_t largest_growth; // G, in the metric's unit; <= 0: nothing grew
    float highest_top;      // no building ever reaches above this y

    // Per district; district 0 is the root. Its slab is [base, base + district_height].
    uint32_t *district_node;
    mc_plot *district_plot;
    float *district_base;
    uint32_t *district_level;
    uint32_t *district_parent;
    uint32_t *district_building_first, *district_building_count; // the buildings below it
    float *district_top; // no building in it ever reaches above
    uint32_t *district_item_first,
        *district_item_count; // its children, in layout order, in `items`
    uint32_t deepest_level;

    uint32_t *items; // a child: building index, or district index | MC_ITEM_DISTRICT
    mc_cut *cuts; // parallel to items: the cuts of a district's items begin at its item_first (see
                  // mc_cut)

    // Per node of the trace: the structure that shows it, or MC_NONE.
    uint32_t *node_building, *node_district;

    uint32_t hidden_leaf_count; // left out by the child limit
    double hidden_share;        // their share of the sum of maxima; < 0: these do not add up

    // With headroom: per node of the trace, what each leaf has room for.
    uint64_t *leaf_room;
    // Cities of a trace that grows share all columns but those of growth while there is room,
    // counted by their holders.
    atomic_uint *plan_holders;
    void *blocks[3]; // what the columns lie in

    // What whoever shows the city adds to it; theirs, NULL at first, and the last members: all
    // above is read by other threads meanwhile. Evaluation and picking follow.
    const mc_building_style *styles; // one a building: see style.h
    const mc_city_markers *markers;  // of GC roots, at its edge
    const mc_box *before; // where buildings, then districts, were until now: see transition.h
} mc_city;

#define MC_ITEM_DISTRICT 0x80000000u

// A building or a district (the other is MC_NONE), or nothing.
typedef struct mc_structure {
    uint32_t building, district;
} mc_structure;

#define MC_STRUCTURE_NONE ((mc_structure){MC_NONE, MC_NONE})

// Whether all leaves have plots of one size, in grids, instead of a treemap.
bool mc_scaling_is_grid(mc_scaling scaling);

// Computes the plots of nodes whose weights mc_scaling_apply() made.
mc_result mc_scaling_layout(mc_scaling scaling, const mc_treemap_desc *desc,
                            const mc_tree_view *tree, const mc_progress *progress,
                            const mc_treemap_columns *out);

void mc_city_destroy(mc_city *city); // NULL is fine
// Allocates uninitialised columns for this many structures.
mc_result mc_city_create_empty(const mc_city_desc *desc, uint32_t node_count,
                               uint32_t building_count, uint32_t district_count, mc_city **city,
                               mc_error *error);
// The same for a zeroed city that has its desc and counts. On failure it can be destroyed.
mc_result mc_city_allocate_columns(mc_city *city, mc_error *error);
// Makes a zeroed city that has its desc share the plan of `before`: all but its columns of growth,
// which are uninitialised. On failure it can be destroyed.
mc_result mc_city_share_plan(mc_city *city, const mc_city *before, mc_error *error);
// Whether both share one plan: all structures have the same numbers and plots.
bool mc_city_shares_plan(const mc_city *a, const mc_city *b);
// Whether they share a plan or have equal ones: every structure of either has the same place in the
// other. O(buildings).
bool mc_city_has_plots_of(const mc_city *a, const mc_city *b);

// Renumbers the nodes of the structures: `map` has the new node of each of the `map_count` old
// ones, MC_NONE if there is none. Afterwards the city belongs to a trace of `node_count` nodes, and
// a plan that it shared is copied. On failure it is as it was.
mc_result mc_city_renumber(mc_city *city, const uint32_t *map, uint32_t map_count,
                           uint32_t node_count, mc_error *error);

// Gathers a column over nodes into one over buildings. O(buildings).
void mc_city_gather(const mc_city *city, const uint64_t *node_values, uint64_t *building_values);

// Applies the scaling to a value, or to its share of the maximum: SPEC's r. Not negative.
double mc_scaling_apply(mc_scaling scaling, double share);

// The greatest height that a building ever reaches, in world units.
float mc_city_get_building_height(const mc_city *city, uint32_t building_index);

mc_structure mc_city_find_node(const mc_city *city, uint32_t node_index);
uint32_t mc_city_get_node(const mc_city *city, mc_structure structure); // MC_NONE for nothing
