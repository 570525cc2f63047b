// numbering.h - from laid out nodes to a city's buildings and districts.
//
// Pure CPU code, in several threads where a trace is wide. Threads: separate cities may be numbered
// in parallel.
#pragma once
#include "engine/analyze/subtree.h"
#include "engine/city/city.h"

typedef struct mc_numbering_desc {
    const mc_subtree *part; // what the city shows; the rest is over its nodes
    const mc_max_tree *tree;
    const uint8_t *visible;   // what has a place
    mc_treemap_columns plots; // `value` is written over
} mc_numbering_desc;

// Numbers buildings and districts depth first, children in layout order, and fills all columns but
// those of growth. The city's heights are set. On failure the city is to be destroyed.
mc_result mc_city_number_structures(mc_city *city, const mc_numbering_desc *desc, mc_error *error);
