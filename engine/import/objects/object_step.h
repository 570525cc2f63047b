// object_step.h - makes a step of a heap that is linked: its tree, references, roots, and what is
// requested beside.
//
// Of any heap whose reader has numbered its roots; groups are the heap's own. Threads: those of the
// heap.
#pragma once
#include "engine/heap/step.h"
#include "engine/import/format/heap_format.h"
#include "engine/import/objects/object_heap.h"
#include "engine/trace/step_owners.h"
#include "engine/trace/step_paths.h"

// Reused from heap to heap. Zero-initialise, make, deinit.
typedef struct mc_object_step {
    mc_step_tree tree;
    mc_reference_map points_to, pointed_from; // by the tree's nodes; empty without references
    mc_step_referrers referrers;
    mc_step_paths paths;   // if they are asked for
    mc_step_owners owners; // likewise; none if the heap has no roots
    // Of a film: the nodes of the groups at its first moment, which the caller fills (NULL: none),
    // and the owners then.
    uint32_t *first_nodes;
    mc_step_owners first_owners;
} mc_object_step;

// Of `desc`, what follows the groups counts. The heap is linked unless nothing asks for that, and
// its graph is gone then.
// The heap's progress is told all of it. `news`: of how many objects of each leaf are new
// (object_news.h); NULL: that is not known.
mc_result mc_object_step_make(mc_object_heap *heap, const mc_heap_desc *desc, const uint64_t *news,
                              mc_object_step *step, mc_error *error);
void mc_object_step_deinit(mc_object_step *step);
