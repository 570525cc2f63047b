// path_groups.h - groups identified by their paths from the root, and their counts at the step
// being read.
//
// For inputs that name a path and a count at a time. Groups stay from step to step, counts are
// reset with each step. Memory: the groups seen so far. Threads: one object serves one thread at a
// time.
#pragma once
#include "engine/trace/step_tree.h"

typedef struct mc_path_groups mc_path_groups;

// What a step says of each group, and of all in it.
typedef struct mc_path_metric {
    const char *key, *title; // literals
    mc_unit unit;
    bool is_real;
    mc_metric_kind kind;
} mc_path_metric;

#define MC_PATH_ROLE_MOST 16
#define MC_PATH_METRIC_MOST 8

typedef struct mc_path_desc {
    const char *root;                     // what the root is called
    const char *roles[MC_PATH_ROLE_MOST]; // classifiers, outermost first; up to NULL
    // Additive; up to the one whose key is NULL. The keys "objects" and "bytes": those of the
    // groups.
    mc_path_metric metrics[MC_PATH_METRIC_MOST + 1];
} mc_path_desc;

// Copies what `desc` names.
mc_result mc_path_groups_create(const mc_path_desc *desc, mc_path_groups **groups, mc_error *error);
void mc_path_groups_destroy(mc_path_groups *groups); // NULL is fine

// The classifier of that name, which is added behind the others if it isn't there. MC_NONE: out of
// memory, or there are MC_PATH_ROLE_MOST.
uint32_t mc_path_groups_add_role(mc_path_groups *groups, const char *name, size_t size);
uint32_t mc_path_groups_get_role_count(const mc_path_groups *groups);

// The child of `parent` (0: the root) by that name, which is added if it isn't there. MC_NONE:
// out of memory.
uint32_t mc_path_groups_find(mc_path_groups *groups, uint32_t parent, uint32_t role,
                             const char *name, size_t size);
// The same of a key, and a name to show, that were interned. O(1).
uint32_t mc_path_groups_find_interned(mc_path_groups *groups, uint32_t parent, uint32_t role,
                                      uint32_t key, uint32_t name);
uint32_t mc_path_groups_intern(mc_path_groups *groups, const char *text, size_t size); // or MC_NONE

// Counts `values`, one a metric, in a group itself; at `offset` of the input. Whole numbers are
// words, real ones packed (mc_metric_pack()). False: all together are too much.
bool mc_path_groups_count(mc_path_groups *groups, uint32_t group, const uint64_t *values,
                          uint64_t offset);

// Fetches what counting in a group will change into the cache.
void mc_path_groups_prefetch(const mc_path_groups *groups, uint32_t group);

// The step's tree, of the groups that were counted in, with the time 0; and begins another step.
mc_result mc_path_groups_fill_tree(mc_path_groups *groups, mc_step_tree *tree, mc_error *error);
// The node of the tree that was filled last, of a group that was counted in, or is above one.
uint32_t mc_path_groups_get_node(const mc_path_groups *groups, uint32_t group);
// Forgets what was counted.
void mc_path_groups_clear(mc_path_groups *groups);
