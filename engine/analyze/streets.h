// streets.h - merged retaining paths as ways between places: what of a held tree can be drawn.
//
// A row's objects are in the smallest group with all of them; a street leads from that of a row to
// that of a row below, past rows of the same place or of none known. What leads from one place to
// another by several fields is one street. Cost: the rows, squared in no case. Threads: any.
#pragma once
#include "engine/analyze/held_paths.h"

typedef struct mc_street {
    uint32_t from, to;       // nodes
    uint64_t objects, bytes; // of the group that end behind it, and what they retain
    bool is_new;             // all of its rows are
    uint32_t row;            // that holds the most
} mc_street;

// Those that hold the most first, ties by nodes. The caller frees them with mc_free(). Of a tree
// without rows there are none.
mc_result mc_streets_find(const mc_trace *trace, const mc_held_tree *tree, mc_street **streets,
                          uint32_t *count, mc_error *error);
