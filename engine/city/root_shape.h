// root_shape.h - the shape of a district shown as a city of its own: about that of its plot in the
// whole city, so that its content keeps its arrangement when the user enters it.
//
// Squarify and binary cut a plot along its longer side, so a square would turn the arrangement of a
// deep district by a quarter. The shape follows from the trace and the settings alone, not from the
// city shown before. Pure CPU code. Threads: any.
#pragma once
#include "engine/city/city.h"

// Sets the proportions of `treemap` to those of the plot of desc->root_node, limited to 1:2; the
// area stays. root_node must not be the trace's own root; `nodes` and `tree` are of the whole
// trace. O(nodes). On failure `treemap` is as it was.
mc_result mc_root_shape_find(const mc_city_desc *desc, const mc_node_columns *nodes,
                             const mc_max_tree *tree, mc_treemap_desc *treemap, mc_error *error);
