// root_groups.h - the GC roots of a step, grouped for display: the strongest by name, the rest of
// each kind together, and which leaves each references.
//
// Pure CPU code. The program's own roots (static fields of its classes, local variables of its
// methods) come before others. Among these, a root is stronger the more it references directly: for
// each leaf, the share of the leaf's objects that it references, times what the leaf retains (its
// bytes, if that is not known). Threads: any, on separate objects.
#pragma once
#include "engine/trace/trace.h"

#define MC_ROOT_GROUP_NAMED 47 // so many have a group of their own
#define MC_ROOT_GROUP_CAPACITY (MC_ROOT_GROUP_NAMED + MC_ROOT_COUNT)

typedef struct mc_root_hold {
    uint32_t node;    // a leaf
    uint64_t count;   // objects of it that are named
    uint64_t objects; // that it has
} mc_root_hold;

typedef struct mc_root_group {
    mc_root_kind kind;
    uint32_t name;       // string; MC_NONE: the others of the kind
    uint32_t name_count; // roots by name that it stands for; of the others at least
    uint64_t count;      // objects that are named
    double strength;     // bytes
    bool is_program;
    uint32_t first_hold, hold_count; // the most objects first
} mc_root_group;

// Zero-initialise, find, deinit.
typedef struct mc_root_groups {
    mc_root_group items[MC_ROOT_GROUP_CAPACITY]; // by kind, the program's and the strongest first
    uint32_t count;
    mc_root_hold *holds;
    bool is_known; // else the step's roots are not, and there are none
} mc_root_groups;

// O(nodes + roots log roots). Frees what `groups` held before; on failure it is empty.
mc_result mc_root_groups_find(const mc_trace *trace, uint32_t step, mc_root_groups *groups,
                              mc_error *error);
void mc_root_groups_deinit(mc_root_groups *groups);

// The group of a root of this kind and name; MC_NONE: there is none.
uint32_t mc_root_groups_get(const mc_root_groups *groups, mc_root_kind kind, uint32_t name);
