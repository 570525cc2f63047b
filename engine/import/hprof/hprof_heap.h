// hprof_heap.h - an open heap dump: its classes and groups and, optionally, the graph of its
// objects, for queries on what groups retain, what would be freed without them, and what keeps them
// alive.
//
// Opening takes one pass over the heap (more for loaders and modules, see hprof_origins.h); linking
// takes two more and computes the dominators. Memory when linked: 16 bytes per object and 4 per
// reference, 30 % more while linking. If the data structure is a grouping criterion, dividing
// (hprof_divide.h) makes the groups. Results for a damaged dump cover what could be read
// (mc_hprof_heap.report.damage). Threads: one object serves one thread at a time and uses as many
// threads as requested; queries do not change it.
#pragma once
#include "engine/graph/paths.h"
#include "engine/graph/reach.h"
#include "engine/import/hprof/hprof.h"
#include "engine/import/hprof/hprof_graph.h"
#include "engine/import/hprof/hprof_leaves.h"
#include "engine/import/hprof/hprof_origins.h"

typedef struct mc_hprof_heap {
    mc_hprof_file file;
    mc_hprof_batch *batches;
    size_t batch_count;
    mc_hprof_crew crew;
    mc_hprof_tallies tallies;
    mc_grouping grouping;
    const char *collections; // as of the desc
    bool keeps_ids;          // when linked
    bool has_notes;          // when linked: references can be counted by the graph
    uint64_t walk_size;      // of the progress: a walk over the heap
    mc_heap_groups *groups;
    mc_hprof_classes classes;
    mc_hprof_leaves leaves;
    mc_hprof_origins origins;
    mc_hprof_report report;
    // When linked. Numbers are those of the tree.
    mc_hprof_graph graph;
    mc_hprof_graph_notes notes;
    mc_dominator_tree tree;
    mc_vertex_sizes sizes;
    uint32_t *group_of;      // by number: the leaf's group (mc_heap_groups_get_group)
    uint32_t *group_parents; // by group
} mc_hprof_heap;

// `data` must outlive the heap. MC_ERROR_BAD_DATA as mc_hprof_read(). To be closed in any case.
mc_result mc_hprof_heap_open(mc_hprof_heap *heap, const unsigned char *data, uint64_t size,
                             const mc_hprof_desc *desc, mc_error *error);
void mc_hprof_heap_close(mc_hprof_heap *heap);

// Builds the graph and its dominators, and lists the groups by number; if data structures are a
// criterion, mc_hprof_divide() does the latter. The desc it was opened with must have had
// has_graph. If it also had has_references, there are notes to count references by the graph,
// unless several objects share an id; ids that are no longer needed are freed. MC_ERROR_UNSUPPORTED
// beyond the limits of graph.h.
mc_result mc_hprof_heap_link(mc_hprof_heap *heap, mc_error *error);
// Frees the graph and what is known by its numbers.
void mc_hprof_heap_unlink(mc_hprof_heap *heap);

// Lists the parents of the groups again, after the groups have changed. False: out of memory.
bool mc_hprof_heap_list_parents(mc_hprof_heap *heap);

// ---- asking, when linked. Groups are those of `heap->groups`; sums have an entry each.

// The number of objects that are unreachable, or reachable only by weak references.
uint64_t mc_hprof_heap_count_unreached(const mc_hprof_heap *heap);
mc_vertex_groups mc_hprof_heap_get_groups(const mc_hprof_heap *heap);
// The minimum retained size of each group: see retained.h.
mc_result mc_hprof_heap_retain(const mc_hprof_heap *heap, mc_group_sum *retained, mc_error *error);
// What would be freed if all objects of the marked groups and the references `cuts` were removed:
// see reach.h.
mc_result mc_hprof_heap_demolish(const mc_hprof_heap *heap, const bool *is_gone,
                                 const mc_group_link *cuts, uint32_t cut_count, mc_group_sum *freed,
                                 mc_error *error);
// Finds the merged paths from the roots to the objects of the marked groups: see paths.h. The
// functions below name their nodes.
mc_result mc_hprof_heap_find_paths(const mc_hprof_heap *heap, const bool *is_target,
                                   mc_paths *paths, mc_error *error);
// Append the field by which a path's node is referenced ("Shop.cache"; nothing for a GC root), its
// class ("java.util.HashMap"), or both: "Shop.cache -> java.util.HashMap".
void mc_hprof_heap_append_path_field(const mc_hprof_heap *heap, const mc_paths *paths,
                                     uint32_t node, mc_text *text);
void mc_hprof_heap_append_path_class(const mc_hprof_heap *heap, const mc_paths *paths,
                                     uint32_t node, mc_text *text);
void mc_hprof_heap_append_path_node(const mc_hprof_heap *heap, const mc_paths *paths, uint32_t node,
                                    mc_text *text);
