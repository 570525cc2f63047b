// streets.h - merged retaining paths as ways between places: what of a held tree can be drawn.
//
// A row's objects are in the smallest group with all of them; a street leads from that of a row to
// that of a row below, past rows of the same place or of none known. What leads from one place to
// another by several fields is one street. Where GC roots stand somewhere, too, streets begin at
// these: at a static field, which is what people take for a root, though strictly its class is
// held; at the class that is one; else at the group of roots that names the most of the place,
// lasting ones first. Nothing then leads to a class but what other static fields don't lead on
// from. Cost: the rows, squared in no case, each by the groups of roots. Threads: any.
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

// Those that hold the most first, ties by ends. `roots`: of the tree's step; NULL, or not known:
// streets begin at the first place. The caller frees them with mc_free(). Of a tree without rows
// there are none.
mc_result mc_streets_find(const mc_trace *trace, const mc_retaining_tree *tree,
                          const mc_root_groups *roots, mc_street **streets, uint32_t *count,
                          mc_error *error);
