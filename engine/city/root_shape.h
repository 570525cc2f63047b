// root_shape.h - what shape a district has as a city of its own: about that of its plot in the
// whole city, so that what was left there stays left when one enters it.
//
// Squarify and binary cut a plot along its longer side, so a square instead would turn the
// arrangement of a deep district by a quarter. The shape follows from the trace and the settings
// alone, not from where one came from. Pure CPU code. Threads: any.
#pragma once
#include "engine/city/city.h"

// Gives `treemap`, whose area stays, the proportions of the plot of desc->root_node, but no
// narrower than 1:2. That is not the trace's own root; `nodes` and `tree` are of the whole trace.
// O(nodes). On failure `treemap` is as it was.
mc_result mc_root_shape_find(const mc_city_desc *desc, const mc_node_columns *nodes,
                             const mc_max_tree *tree, mc_treemap_desc *treemap, mc_error *error);
