// step_tree.h - one step's memory tree as an importer reads it, before its nodes are known to a
// trace.
//
// Columns, one entry a node, parents before children; node 0 is the root. Filled by an importer,
// read by mc_trace_builder. Reused from step to step: reset keeps the memory.
// Threads: one object serves one thread at a time.
#pragma once
#include "engine/base/text.h"

#define MC_COUNT_UNKNOWN UINT64_MAX // a retained or closure size that the input did not compute
#define MC_COUNT_MAX INT64_MAX      // the largest count a node can have

// What a node's key says: its own part of the path ("String"), from which the full key is joined
// with '#', or the whole full key ("Heap#String").
typedef enum mc_key_kind { MC_KEY_PATH_PART, MC_KEY_FULL } mc_key_kind;

typedef struct mc_step_node {
    uint32_t parent;                  // index of an earlier node; MC_NONE for the root
    uint32_t role;                    // index in `roles`; MC_NONE: none (the root)
    uint64_t key_offset, name_offset; // in `text`; the name may share the key's bytes
    uint32_t key_size, name_size;
    uint64_t objects, bytes;
    uint64_t retained_size, closure_size; // or MC_COUNT_UNKNOWN
    uint64_t source_offset;               // where the node begins in the input, for messages
} mc_step_node;

typedef struct mc_step_tree {
    int64_t time_ms;
    mc_key_kind key_kind;
    mc_step_node *nodes;
    size_t node_count, node_capacity;
    mc_text text;     // keys and names, not terminated
    mc_strings roles; // the classifiers' names, outermost first as far as the input says so
} mc_step_tree;

void mc_step_tree_reset(mc_step_tree *tree);
void mc_step_tree_deinit(mc_step_tree *tree);

// Appends a node and returns its index, MC_NONE if memory is out or there are too many nodes.
// Offsets refer to `text`, to which the caller appends. The caller may change the node later.
uint32_t mc_step_tree_add(mc_step_tree *tree, mc_step_node node);

// One direction of the references of one step, as a pointer map has them.
typedef struct mc_reference_entry {
    uint64_t outer_offset, inner_offset; // full keys, in `text`
    uint32_t outer_size, inner_size;
    uint64_t count;
    uint64_t source_offset;
} mc_reference_entry;

typedef struct mc_reference_map {
    int64_t time_ms;
    mc_reference_entry *entries;
    size_t entry_count, entry_capacity;
    mc_text text;
} mc_reference_map;

void mc_reference_map_reset(mc_reference_map *map);
void mc_reference_map_deinit(mc_reference_map *map);
bool mc_reference_map_add(mc_reference_map *map, mc_reference_entry entry);
