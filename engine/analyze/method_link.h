// method_link.h - links a heap with the methods of the same program by name: which methods
// allocated the live objects, and how much of a method's allocations is still alive.
//
// A heap that records allocation sites is linked by them: a live object belongs to the innermost
// frame of its call path whose method is in the methods' trace, since the time of methods missing
// there counts for that frame as well. Overloads are merged, because frames do not name their
// parameters. Any other heap is linked by classes: a class's objects belong to all of its methods,
// whoever allocated them.
//
// Both traces may be grouped in any way: nodes are those of the traces as given, values are read
// from their bases. Memory: some words per node. Threads: one object, one thread.
#pragma once
#include "engine/trace/trace.h"

typedef enum mc_method_link_way {
    MC_METHOD_LINK_BY_SITE,
    MC_METHOD_LINK_BY_CLASS
} mc_method_link_way;

typedef struct mc_method_link mc_method_link;

// Both traces must outlive the link. `frame_ms`: the frame for the methods' times.
// MC_ERROR_UNSUPPORTED: one of them is not of its kind; needed are methods with times, and a heap
// with sites or types.
mc_result mc_method_link_create(const mc_trace *heap, const mc_trace *methods, double frame_ms,
                                mc_method_link **link, mc_error *error);
void mc_method_link_destroy(mc_method_link *link); // NULL is fine
mc_method_link_way mc_method_link_get_way(const mc_method_link *link);

// The step of `to` nearest in time to a step of `from`; of two equally near ones the earlier.
// `gap_ms`: the distance in ms.
uint32_t mc_method_link_find_step(const mc_trace *from, uint32_t step, const mc_trace *to,
                                  uint64_t *gap_ms);

// Selects the steps that the queries below refer to, one of each trace. `progress`, which may be
// NULL, can cancel it. O(nodes of both traces, and of the methods' steps up to this one); steps
// read before are not read again.
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

// For nodes of the heap together: finds the methods that allocated their objects. For methods:
// finds the heap's leaves that contain what they allocated. What lies below two of the nodes counts
// once. Call mc_method_link_read() first. O(nodes).
mc_result mc_method_link_find_methods(const mc_method_link *link, const uint32_t *heap_nodes,
                                      uint32_t node_count, uint32_t most,
                                      mc_method_link_found *found, mc_error *error);
mc_result mc_method_link_find_groups(const mc_method_link *link, const uint32_t *method_nodes,
                                     uint32_t node_count, uint32_t most,
                                     mc_method_link_found *found, mc_error *error);
