// tree_labels.h - finds the segments of a sunburst or icicle with room for a name, and the names'
// places.
//
// Names run along the arc or straight from the centre, whichever has more room, and are never
// upside down. Lengths in pixels. Pure. Threads: any.
#pragma once
#include "engine/tree/flat_plane.h"
#include "engine/tree/tree.h"

typedef struct mc_tree_label {
    uint32_t entry;
    double x, y;      // the text's middle
    double angle_rad; // its direction there, clockwise from the right
    double radius;    // along an arc whose centre is that far at its right hand; negative: at its
                      // left hand; 0: straight
    double room;      // how long it may be
} mc_tree_label;

typedef struct mc_tree_label_desc {
    const mc_tree *tree;
    const mc_flat_plane *plane;
    uint32_t root, level_count;
    const mc_interval *intervals;
    double font_size; // of an em
    double least_room;
} mc_tree_label_desc;

// Level by level, the root's first. Returns how many of `capacity` were filled. O(entries).
uint32_t mc_tree_labels_place(const mc_tree_label_desc *desc, mc_tree_label *labels,
                              uint32_t capacity);
