// trace_types.h - what a trace consists of, as it is handed out; trace.h tells how to get it.
#pragma once
#include "engine/base/text.h"
#include "engine/trace/side_table.h"
#include "engine/trace/step_tree.h"

enum { MC_NODE_SELF = 1 }; // the share of its parent's value that no other child explains

typedef struct mc_node_columns {
    uint32_t count;
    uint32_t leaf_count;         // nodes without children: the buildings
    uint32_t depth;              // of the deepest node; the root has depth 0
    const uint32_t *parent;      // MC_NONE for the root
    const uint32_t *first_child; // valid if child_count > 0
    const uint32_t *child_count;
    // At [first_child .. +child_count): the same children in the order in which the input first
    // names them (by time, then by place in the document). Sums of rounded values depend on it.
    const uint32_t *child_by_appearance;
    const uint32_t *level; // depth of the node
    const uint32_t *key;   // string index
    const uint32_t *name;  // string index
    const uint32_t *role;  // classifier index, MC_NONE: none
    const uint8_t *flags;
} mc_node_columns;

// Whether `node` is `around` or lies in it. MC_NONE is in none.
static inline bool mc_nodes_is_inside(const mc_node_columns *nodes, uint32_t node,
                                      uint32_t around) {
    while (node != MC_NONE && nodes->level[node] > nodes->level[around])
        node = nodes->parent[node];
    return node == around;
}

typedef struct mc_step_info {
    int64_t time_ms;                 // MC_TIME_MIN to MC_TIME_MAX
    uint32_t node_count, leaf_count; // as its input says; see mc_trace_read_size()
    uint32_t pair_count;             // likewise
    uint64_t objects, bytes;         // of the root
    uint64_t heap_limit;             // what the heap may become, in bytes; 0: not known
    uint32_t directions;             // bit 1 << mc_reference_direction: its pointer map was given
    mc_liveness liveness;
    bool has_referrers; // its fields and roots are known
    bool has_paths;     // how its groups are held is known
    bool has_owners;    // who owns its heap is known
    bool is_incomplete; // its input was cut off or damaged
    uint32_t missing;   // string: what it lacks, if it is incomplete
} mc_step_info;

typedef struct mc_step_size {
    uint32_t node_count, leaf_count; // of the step's own tree
    uint32_t pair_count;             // ordered pairs of leaves with references
} mc_step_size;

// References of one step, a row a pair from -> to, sorted by (from, to). Zero-initialise, read,
// deinit.
typedef struct mc_reference_rows {
    mc_reference *items;
    uint32_t count;
} mc_reference_rows;

// The fields that the references of one step go through, sorted by (from, to), then by descending
// count. Names are strings of the trace. Zero-initialise, read, deinit.
typedef struct mc_field_rows {
    mc_field_count *items;
    uint32_t count;
} mc_field_rows;

// GC roots of one step, sorted by (node, kind), then by descending count, unnamed ones last.
// Zero-initialise, read, deinit.
typedef struct mc_root_rows {
    mc_root_count *items;
    uint32_t count;
} mc_root_rows;

// The retaining paths of one step's groups, sorted by node, then by path. Zero-initialise, read,
// deinit.
typedef struct mc_path_sums {
    mc_path_sum *items;
    uint32_t count;
} mc_path_sums;

// The owners of one step, sorted by owner: parents come first, and each has a row if a child has.
// Zero-initialise, read, deinit.
typedef struct mc_owner_rows {
    mc_owner_sum *items;
    uint32_t count;
} mc_owner_rows;

// Who else references what owners of one step have, sorted by owner, then by descending count.
// Zero-initialise, read, deinit.
typedef struct mc_owner_way_rows {
    mc_owner_way *items;
    uint32_t count;
} mc_owner_way_rows;

typedef struct mc_trace mc_trace;
