// step_paths.h - the retaining paths of a step's groups: a shortest path from the GC roots to each
// object, merged by fields and classes.
//
// A path is identified by its last hop (a field and the class of the objects it references) and by
// its parent, the path to the owner of the field. Paths are shared by all groups and all steps. A
// step tells, for each group, how many of its objects end at which path, and what they retain. Only
// the paths that retain the most are kept; what ends below others is summed at the nearest kept
// path above.
//
// An importer that knows them fills it; mc_trace_builder reads it. Nodes are those of the step's
// tree (step_tree.h), leaves and others. Reused from step to step: reset keeps the memory. Threads:
// one object serves one thread at a time.
#pragma once
#include "engine/base/text.h"

typedef struct mc_retaining_path {
    uint32_t parent; // the path to who has the field, of a lower number; MC_NONE: a GC root
    uint32_t field;  // string: "Shop.cache"; MC_NONE: a GC root references it. Of what a
                     // root references, the root's words ("global main.sessions"), if it has some
    uint32_t class;  // string: "java.util.HashMap"
    uint32_t place;  // node: the smallest group with all of these objects; MC_NONE: not known
} mc_retaining_path;

// The objects of a node that end at a path, and the bytes they retain. An object dominated by
// others of the node is counted, but what it retains is attributed to those.
typedef struct mc_path_sum {
    uint32_t node;
    uint32_t path;                     // MC_NONE: the GC roots themselves
    bool is_folded;                    // behind some of the path's objects there are more of them
    uint64_t objects, bytes;           // here
    uint64_t rest_objects, rest_bytes; // below, on paths that are not told
} mc_path_sum;

typedef struct mc_step_paths {
    int64_t time_ms;
    mc_strings names;
    mc_retaining_path *paths;
    mc_path_sum *sums; // in any order; no node has a path twice, and has those above a path, too
    size_t path_count, sum_count, path_capacity, sum_capacity;
} mc_step_paths;

void mc_step_paths_reset(mc_step_paths *paths);
void mc_step_paths_deinit(mc_step_paths *paths);

// False if memory is out.
bool mc_step_paths_add(mc_step_paths *paths, mc_retaining_path path);
bool mc_step_paths_add_sum(mc_step_paths *paths, mc_path_sum sum);

// For qsort: by node, then by path, the GC roots behind.
int mc_path_sum_compare(const void *a, const void *b);
