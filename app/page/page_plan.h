// page_plan.h - what of a city a page has: its nodes in the trace's order, and their plots in whole
// numbers.
//
// A plot is given as shares of its parent's, in 65535ths, and in the order of siblings by size,
// each by its difference from the one before: rows of a treemap share three of four numbers.
// Threads: any, on separate objects.
#pragma once
#include "app/page/page_column.h"
#include "engine/city/city.h"

#define MC_PAGE_GRID 65535 // steps along each side of a district

// Columns over the page's nodes: a parent precedes its children, which are contiguous.
typedef struct mc_page_plan {
    const mc_city *city;
    uint32_t count;
    uint32_t *node;        // of the trace, ascending
    uint32_t *structure;   // a building, or a district | MC_ITEM_DISTRICT
    uint32_t *parent;      // MC_NONE: the first one has none
    uint32_t *first_child; // valid if child_count > 0
    uint32_t *child_count; // 0: a building
    double *largest;       // of a building its maximum, of a district the sum of them
} mc_page_plan;

mc_result mc_page_plan_create(const mc_trace *trace, const mc_city *city, mc_page_plan *plan,
                              mc_error *error);
void mc_page_plan_deinit(mc_page_plan *plan);

// The page's node that shows a node of the trace; MC_NONE: none does. O(log nodes).
uint32_t mc_page_plan_find(const mc_page_plan *plan, uint32_t node);
// The same, or else the nearest one around it.
uint32_t mc_page_plan_find_around(const mc_page_plan *plan, const mc_node_columns *nodes,
                                  uint32_t node);

// Columns "children", "side", "x", "z", "width" and "depth".
void mc_page_plan_append(const mc_page_plan *plan, mc_page_columns *out);
