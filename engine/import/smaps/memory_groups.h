// memory_groups.h - a process's memory as the groups of a step: kinds, and in them mappings. They
// add up to Rss.
//
// Groups stay from step to step. Bytes are resident ones. Threads: one object serves one thread at
// a time.
#pragma once
#include "engine/import/smaps/memory_kind.h"
#include "engine/trace/step_tree.h"

#define MC_MEMORY_ROOT "RSS"            // the root's key
#define MC_MEMORY_ESTIMATED "estimated" // the metric that no other trace has

typedef struct mc_memory_groups mc_memory_groups;

mc_result mc_memory_groups_create(mc_memory_groups **groups, mc_error *error);
void mc_memory_groups_destroy(mc_memory_groups *groups); // NULL is fine

// The step's tree, whose time is the caller's to set. `pages` as of mc_memory_pieces_cut().
mc_result mc_memory_groups_fill_tree(mc_memory_groups *groups, const mc_process_memory *memory,
                                     const mc_resident_pages *pages, mc_step_tree *tree,
                                     mc_error *error);
