// search_parts.h - the search index of a trace's keys: each node's own part of its full key, in
// lower case, distinct ones once; for the search module's own files only.
//
// A full key is the parent's full key and the node's own part ("#String"). For the root, and for a
// node whose full key does not begin with its parent's, the own part is the whole full key, and
// nothing is inherited. Threads: reading from any thread.
#pragma once
#include "engine/trace/trace.h"

typedef struct mc_search_parts {
    char *bytes; // all parts, one after the other
    size_t size, capacity;
    size_t *offset; // part_count + 1 entries
    size_t offset_capacity;
    uint32_t part_count;
    uint32_t *part;                    // per node
    uint8_t *is_detached;              // per node: its own part is its full key
    uint64_t frequency[UINT8_MAX + 1]; // of every byte
    bool begins[UINT8_MAX + 1];        // bytes with which parts of nodes with a parent begin
} mc_search_parts;

// Zero-initialise, build, deinit. O(nodes + bytes of distinct keys). On failure `parts` is zeroed.
mc_result mc_search_parts_build(mc_search_parts *parts, const mc_trace *trace, mc_error *error);
void mc_search_parts_deinit(mc_search_parts *parts);
