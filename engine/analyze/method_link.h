// method_link.h - a heap and the methods of one program, linked by names: which methods allocated
// what is alive, and what of a method's allocations is.
//
// A heap that knows allocation sites is linked by them: what is alive belongs to the innermost
// frame of its call path whose method the methods' trace has, for there the time of what that trace
// leaves out counts as well. Overloads are one, as frames don't say their parameters. Any other
// heap is linked by classes: a class's objects belong to all of its methods, whoever allocated
// them.
//
// Both traces may be grouped in any way: nodes are those of the traces as given, values are read
// from what they were made of. Memory: some words a node. Threads: one object, one thread.
#pragma once
#include "engine/trace/trace.h"

typedef enum mc_method_link_way {
    MC_METHOD_LINK_BY_SITE,
    MC_METHOD_LINK_BY_CLASS
} mc_method_link_way;

typedef struct mc_method_link mc_method_link;

// Both outlive it. `frame_ms`: in which methods' times are told. MC_ERROR_UNSUPPORTED: one of them
// is not of its kind: methods with times, and a heap with sites or types.
mc_result mc_method_link_create(const mc_trace *heap, const mc_trace *methods, double frame_ms,
                                mc_method_link **link, mc_error *error);
void mc_method_link_destroy(mc_method_link *link); // NULL is fine
mc_method_link_way mc_method_link_get_way(const mc_method_link *link);

// The step of `to` that is nearest to the time of one of `from`; the earlier one where two are.
// `gap_ms`: how far it is, in ms.
uint32_t mc_method_link_find_step(const mc_trace *from, uint32_t step, const mc_trace *to,
                                  uint64_t *gap_ms);

// What the answers are of: a step of either. Cancelled by `progress`, which may be NULL. O(nodes of
// both, and of the methods' steps up to this one; those read before are not read again).
mc_result mc_method_link_read(mc_method_link *link, uint32_t heap_step, uint32_t method_step,
                              const mc_progress *progress, mc_error *error);

typedef struct mc_method_link_row {
    uint32_t node;           // of the other trace
    uint32_t namesakes;      // of a method: overloads that are counted with it
    uint64_t objects, bytes; // alive, of both: allocated there, and of that group
    uint64_t direct_bytes;   // of these, allocated by a line of the method itself
    uint64_t whole_bytes;    // alive of a method's allocations anywhere, or of the group at all
    double now, all;         // of a method: its share of the time of all, in the frame before the
                             // step, and from the first step on
} mc_method_link_row;

// Zero-initialise, find, deinit.
typedef struct mc_method_link_found {
    mc_method_link_row *rows;                  // the most bytes first; by class the most time
    uint32_t count, all_count;                 // that were wanted; all there are
    uint64_t objects, bytes;                   // of all rows; by class of each class once
    uint64_t unlinked_objects, unlinked_bytes; // of the heap's nodes: what belongs to no method
    uint32_t unlinked_leaf; // of what the heap is made of: the largest of these; MC_NONE: none
    double now, all;        // of all methods together
} mc_method_link_found;

void mc_method_link_found_deinit(mc_method_link_found *found);

// Of nodes of the heap together: the methods that allocated them; of methods: the heap's leaves
// that have what they allocated. What lies below two of the nodes counts once. After a read.
// O(nodes).
mc_result mc_method_link_find_methods(const mc_method_link *link, const uint32_t *heap_nodes,
                                      uint32_t node_count, uint32_t most,
                                      mc_method_link_found *found, mc_error *error);
mc_result mc_method_link_find_groups(const mc_method_link *link, const uint32_t *method_nodes,
                                     uint32_t node_count, uint32_t most,
                                     mc_method_link_found *found, mc_error *error);
