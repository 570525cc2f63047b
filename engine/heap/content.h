// content.h - what one object of a group retains: how many objects of which groups are there for
// it alone, on average and how evenly.
//
// Of a single heap the same formula that units (engine/analyze/units.h) find in counts over time:
// each of 5,250 Session retains 1 SessionData, 1 Cart, 3 CartItem. An object is its nearest
// dominator's among the owners, so owners that hold each other are told apart. Threads: as heap.h.
#pragma once
#include "engine/heap/heap.h"

typedef struct mc_heap_content_part {
    uint32_t group;
    uint64_t objects, bytes;
    uint32_t least, median, most; // objects that an owner retains
} mc_heap_content_part;

// Zero-initialise, find, deinit.
typedef struct mc_heap_content {
    uint32_t owner_count;
    uint64_t bytes;               // of all parts
    uint64_t least, median, most; // bytes that an owner retains, with its own
    mc_heap_content_part *parts;  // leaves, the owners' own among them; most bytes first
    uint32_t part_count;
} mc_heap_content;

// `is_owner` has an entry a group: true of leaves with owners. Owners that nothing reaches are left
// out. O(objects), and sorting of what owners retain; 4 bytes an object that they do. On failure
// `content` is zeroed.
mc_result mc_heap_content_find(const mc_heap *heap, const bool *is_owner, mc_heap_content *content,
                               mc_error *error);
void mc_heap_content_deinit(mc_heap_content *content);
