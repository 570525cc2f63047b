// hprof_heap.h - a heap dump that is open: its classes and groups, and, if wanted, the graph of its
// objects, to ask what groups retain, what goes without them, and how they are held.
//
// Opening takes one walk over the heap (more for loaders and modules, see hprof_origins.h), linking
// two more and the dominators. Memory when linked: 16 bytes an object and 4 a reference, 30 % more
// on the way. If the data structure is a criterion, dividing (hprof_divide.h) makes the groups.
// Results are of what was read: of a dump that is damaged, they are incomplete
// (mc_hprof_heap.report.damage). Threads: one object serves one thread at a time, and uses as many
// as asked for; asking does not change it.
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
    mc_class_groups *groups;
    mc_hprof_classes classes;
    mc_hprof_leaves leaves;
    mc_hprof_origins origins;
    mc_hprof_report report;
    // When linked. Numbers are those of the tree.
    mc_hprof_graph graph;
    mc_hprof_graph_notes notes;
    mc_dominator_tree tree;
    mc_vertex_sizes sizes;
    uint32_t *group_of;      // by number: the leaf's group (mc_class_groups_get_group)
    uint32_t *group_parents; // by group
} mc_hprof_heap;

// `data` must outlive the heap. MC_ERROR_BAD_DATA as mc_hprof_read(). To be closed in any case.
mc_result mc_hprof_heap_open(mc_hprof_heap *heap, const unsigned char *data, uint64_t size,
                             const mc_hprof_desc *desc, mc_error *error);
void mc_hprof_heap_close(mc_hprof_heap *heap);

// Makes the graph and its dominators, and lists the groups by number, but where data structures are
// a criterion: there mc_hprof_divide() does. The desc it was opened with had has_graph. If it had
// has_references, too, there are notes to count them by the graph, unless several objects have one
// id; the ids are forgotten where nobody needs them any more. MC_ERROR_UNSUPPORTED beyond the
// limits of graph.h.
mc_result mc_hprof_heap_link(mc_hprof_heap *heap, mc_error *error);
// Frees the graph and what is known by its numbers.
void mc_hprof_heap_unlink(mc_hprof_heap *heap);

// The groups are other ones: lists again which one is around each. False: out of memory.
bool mc_hprof_heap_list_parents(mc_hprof_heap *heap);

// ---- asking, when linked. Groups are those of `heap->groups`; sums have an entry each.

// How many objects nothing but weak references reaches, or nothing at all.
uint64_t mc_hprof_heap_count_unreached(const mc_hprof_heap *heap);
mc_vertex_groups mc_hprof_heap_get_groups(const mc_hprof_heap *heap);
// What each group retains: see retained.h.
mc_result mc_hprof_heap_retain(const mc_hprof_heap *heap, mc_group_sum *retained, mc_error *error);
// What goes if all objects of the marked groups and the references `cuts` go: see reach.h.
mc_result mc_hprof_heap_demolish(const mc_hprof_heap *heap, const bool *is_gone,
                                 const mc_group_link *cuts, uint32_t cut_count, mc_group_sum *freed,
                                 mc_error *error);
// How the roots hold the objects of the marked groups: see paths.h. Names of the nodes:
mc_result mc_hprof_heap_find_paths(const mc_hprof_heap *heap, const bool *is_target,
                                   mc_paths *paths, mc_error *error);
// Appends by which field a path's node is referenced ("Shop.cache"; nothing if it is by a GC root),
// what it is ("java.util.HashMap"), and both: "Shop.cache -> java.util.HashMap".
void mc_hprof_heap_append_path_field(const mc_hprof_heap *heap, const mc_paths *paths,
                                     uint32_t node, mc_text *text);
void mc_hprof_heap_append_path_class(const mc_hprof_heap *heap, const mc_paths *paths,
                                     uint32_t node, mc_text *text);
void mc_hprof_heap_append_path_node(const mc_hprof_heap *heap, const mc_paths *paths, uint32_t node,
                                    mc_text *text);
