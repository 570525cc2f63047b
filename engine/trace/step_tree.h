// step_tree.h - one step's memory tree as an importer reads it, before its nodes belong to a trace.
//
// One entry per node, parents before children; node 0 is the root. An importer fills it,
// mc_trace_builder reads it. Reused from step to step: reset keeps the memory. Threads: one object
// serves one thread at a time.
#pragma once
#include "engine/base/text.h"
#include "engine/trace/metrics.h"

// The range of step times, in ms. The difference of any two fits in 64 bits. It exceeds what clocks
// return, even in nanoseconds.
#define MC_TIME_MAX ((INT64_C(1) << 62) - 1)
#define MC_TIME_MIN (-MC_TIME_MAX)

// What a node's key is: its own part of the path ("String"), from which the full key is joined with
// '#', or the whole full key ("Heap#String").
typedef enum mc_key_kind { MC_KEY_PATH_PART, MC_KEY_FULL } mc_key_kind;

// What an importer says of a node.
typedef struct mc_step_node {
    uint32_t parent;                  // index of an earlier node; MC_NONE for the root
    uint32_t role;                    // index in `roles`; MC_NONE: none (the root)
    uint64_t key_offset, name_offset; // in `text`, below 2^32; the name may share the key's bytes
    uint32_t key_size, name_size;
    uint64_t objects, bytes;
    uint64_t source_offset; // where the node begins in the input, for messages
} mc_step_node;

// What every node has. A step in flight is mostly these: each byte counts a million times.
typedef struct mc_step_entry {
    uint64_t objects, bytes;
    uint64_t source_offset;
    uint32_t parent, role;
    uint32_t key_offset, key_size;
} mc_step_entry;
_Static_assert(sizeof(mc_step_entry) == 40, "five words");

typedef struct mc_step_name {
    uint32_t offset, size; // MC_NONE: the name is the key
} mc_step_name;

// The values of a metric, up to the last node that has one. Read them with
// mc_step_tree_get_value().
typedef struct mc_step_column {
    uint64_t *values; // MC_COUNT_UNKNOWN: not said
    size_t count, capacity;
    uint64_t source_offset; // of the metric's declaration, for messages; MC_ERROR_NO_OFFSET: none
} mc_step_column;

// Whether what a step counts is alive.
typedef enum mc_liveness {
    MC_LIVENESS_UNKNOWN,
    MC_LIVENESS_GARBAGE, // garbage that was not collected yet is counted, too
    MC_LIVENESS_LIVE,    // right after a collection of the whole heap
    MC_LIVENESS_COUNT
} mc_liveness;

typedef struct mc_step_tree {
    int64_t time_ms; // MC_TIME_MIN to MC_TIME_MAX
    mc_liveness liveness;
    uint64_t heap_limit; // what the heap may become, in bytes, at most MC_COUNT_MAX; 0: not known
    const char *missing; // what its input lacks, in words; the caller's; NULL: nothing
    const char *note;    // what happened then, in words; the caller's; NULL: nothing was noted
    mc_key_kind key_kind;
    mc_step_entry *nodes; // the caller may change counts and roles
    size_t node_count, node_capacity;
    mc_text text;     // keys and names, not terminated
    mc_strings roles; // the classifiers' names, outermost first as far as the input says so

    // What only some inputs say, up to the last node of which it is said. Read it with
    // mc_step_tree_get() and _get_name().
    mc_step_name *names;
    size_t name_count, name_capacity;

    mc_metrics metrics;      // beyond objects and bytes: of which the step has values, or which it
                             // declares
    mc_step_column *columns; // one a metric
    size_t column_capacity;

    // Of trees of a series, whose input numbers its groups: in all of them a number stands for the
    // same key and name under the same parent. So who has met it need not look it up again.
    uint64_t series;  // a number of its own, mc_step_series_begin(); 0: it is of none
    uint32_t *groups; // of the first nodes
    size_t group_count, group_capacity;

    // A number that trees have in common which are alike but for their values: the same nodes,
    // names and groups in the same order, and the same roles. 0: not known. Who changes more than
    // values of such a tree sets it to 0.
    uint64_t shape;

    // Whether each node's objects, bytes and first metrics are whole numbers, and the sums of its
    // children's and, for whom has_own says so, more.
    bool is_summed;
    uint32_t summed_count; // of these metrics
    bool *has_own;
    size_t own_capacity;
} mc_step_tree;

uint64_t mc_step_series_begin(void); // threads: any

void mc_step_tree_reset(mc_step_tree *tree);
// The same for a tree that keeps its shape: all that it has but values and metrics.
void mc_step_tree_reset_values(mc_step_tree *tree);
void mc_step_tree_deinit(mc_step_tree *tree);

// Makes room for so many nodes and bytes of text, in a tree that has had none. False: out of
// memory.
bool mc_step_tree_reserve(mc_step_tree *tree, size_t node_count, size_t text_size);
// Makes room for so many more nodes, each with a name, a group and a value of each metric that the
// tree has. False: out of memory, or there are too many.
bool mc_step_tree_reserve_more(mc_step_tree *tree, size_t count);
// Appends a node and returns its index, MC_NONE if memory is out or there are too many nodes or
// bytes of text. Offsets refer to `text`, to which the caller appends.
uint32_t mc_step_tree_add(mc_step_tree *tree, mc_step_node node);
// The same of a node whose name is its key, until another is set.
uint32_t mc_step_tree_add_entry(mc_step_tree *tree, mc_step_entry entry);
// Returns false if memory is out.
bool mc_step_tree_set_name(mc_step_tree *tree, uint32_t node, mc_step_name name);

// Adds a metric that the tree lacks and returns its index in `metrics`; MC_NONE if memory is out or
// there are too many. It has no values yet.
uint32_t mc_step_tree_add_metric(mc_step_tree *tree, const mc_metric_info *info);
// `value` is a word of the metric's kind. False: out of memory.
bool mc_step_tree_set_value(mc_step_tree *tree, uint32_t metric_index, uint32_t node,
                            uint64_t value);
// Converts a metric whose values were whole numbers so far to a real one. It is no longer additive,
// unless the input declares it so.
void mc_step_tree_make_real(mc_step_tree *tree, uint32_t metric_index);

// A node as it was added.
mc_step_node mc_step_tree_get(const mc_step_tree *tree, size_t node);
static inline mc_step_name mc_step_tree_get_name(const mc_step_tree *tree, size_t node) {
    if (node < tree->name_count && tree->names[node].size != MC_NONE) return tree->names[node];
    return (mc_step_name){tree->nodes[node].key_offset, tree->nodes[node].key_size};
}
static inline uint64_t mc_step_tree_get_value(const mc_step_tree *tree, uint32_t metric_index,
                                              size_t node) {
    const mc_step_column *column = &tree->columns[metric_index];
    return node < column->count ? column->values[node] : MC_COUNT_UNKNOWN;
}
size_t mc_step_tree_memory_size(const mc_step_tree *tree); // of what it holds

typedef enum mc_reference_direction {
    MC_POINTS_TO,   // outer key A, inner key B: objects of B that objects of A reference
    MC_POINTED_FROM // outer key B, inner key A: objects of A that reference objects of B
} mc_reference_direction;

// One direction of the references of one step, as a pointer map has them.
typedef struct mc_reference_entry {
    uint64_t outer_offset, inner_offset; // full keys, in `text`; or nodes, see is_by_node
    uint32_t outer_size, inner_size;
    uint64_t count;
    uint64_t source_offset;
} mc_reference_entry;

typedef struct mc_reference_map {
    int64_t time_ms;
    bool is_by_node; // of the tree of the step that was passed on last: its leaves by their index,
                     // in outer_offset and inner_offset; no key has to be looked up
    mc_reference_entry *entries;
    size_t entry_count, entry_capacity;
    mc_text text;
} mc_reference_map;

void mc_reference_map_reset(mc_reference_map *map);
void mc_reference_map_deinit(mc_reference_map *map);
bool mc_reference_map_add(mc_reference_map *map, mc_reference_entry entry);
