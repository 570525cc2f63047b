// root_way.h - from which GC root, and by which fields, a leaf that grows is held most plausibly.
//
// Pure CPU code. Fields and roots are known between classes, not between objects: many fields hold
// a HashMap, and nothing says which of them holds the one that grows. So each hop has a price, the
// logarithm of how unlikely it is, and the cheapest way is taken (Dijkstra 1959):
// - while what is held grows with the leak, a field costs by its share of that growth;
// - from there on a field of the program costs by how many of those there are, since what a program
//   piles up hangs on the program's own; one of the language's library by its share of all
//   references to what it holds;
// - a root of the library's, or one that becomes more with the leak, is the last resort.
// Weak references hold nothing. Threads: any, on separate objects.
#pragma once
#include "engine/analyze/max_tree.h"

#define MC_ROOT_WAY_MOST 24

typedef struct mc_root_hop {
    uint32_t node;
    uint32_t field;  // string of the trace: by which it holds the next one, or the leaf in the end
    uint32_t rivals; // other fields and roots that could hold the next one as well
} mc_root_hop;

typedef struct mc_root_way {
    mc_root_hop hops[MC_ROOT_WAY_MOST]; // from what the root holds down
    uint32_t count;
    bool is_found;
    uint32_t root_kind;   // mc_root_kind
    uint32_t root_name;   // string; MC_NONE: has none, or it is one of several that are alike
    uint64_t root_count;  // objects of that kind that are held directly, if it has no name
    uint32_t root_rivals; // other fields and roots that could hold the first hop as well …
    bool is_only_one;     // … none of which is the program's own, while the root is
    double price;         // in bits
} mc_root_way;

typedef struct mc_root_finder mc_root_finder; // of the window's last step

// Fields and roots of the window's ends are read. *finder is NULL where the last step has none:
// that is no error. O(nodes + fields log fields).
mc_result mc_root_finder_create(const mc_trace *trace, mc_step_range window,
                                mc_root_finder **finder, mc_error *error);
void mc_root_finder_destroy(mc_root_finder *finder); // NULL is fine

// O(fields log nodes).
void mc_root_finder_find(mc_root_finder *finder, uint32_t leaf, mc_root_way *way);
