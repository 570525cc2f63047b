// streets.h - streets: retaining paths drawn as roads between places of the city.
//
// A row's objects lie in the smallest group that contains all of them. A street leads from a row's
// place to that of a row below, skipping rows with the same place or an unknown one. Paths between
// the same two places by several fields are one street. If GC roots have markers, streets begin at
// these: at a static field, which users think of as a root, though strictly its class is
// referenced; at the class that is a root; else at the group of roots that references most of the
// place's objects, long-lived kinds first. What begins at a static field is not counted on the
// streets above it, so streets that would only lead to the field's class disappear. Cost: linear in
// the rows, each times the groups of roots. Threads: any.
#pragma once
#include "engine/analyze/retaining_tree.h"
#include "engine/analyze/root_groups.h"

typedef struct mc_street {
    uint32_t from, to;       // nodes; from MC_NONE: it begins at a root
    uint32_t root;           // then the group of roots; else MC_NONE
    uint64_t objects, bytes; // of the group that end behind it, and what they retain
    bool is_new;             // all of its rows are
    uint32_t row;            // that holds the most
} mc_street;

// Finds the streets, sorted by what they retain, descending, ties by ends. `roots`: of the tree's
// step; NULL, or not known: streets begin at the first place. The caller frees them with mc_free().
// A tree without rows has none.
mc_result mc_streets_find(const mc_trace *trace, const mc_retaining_tree *tree,
                          const mc_root_groups *roots, mc_street **streets, uint32_t *count,
                          mc_error *error);
