// node_text.h - names of nodes, as the commands print them.
//
// Everything is appended to `out`, which says if memory ran out. Threads: any.
#pragma once
#include "engine/trace/trace.h"

void mc_node_append_key_tsv(const mc_trace *trace, uint32_t node, mc_text *out);
// Makes the full keys of many nodes, one after another. A key reuses the prefix that it shares with
// the one before, as building each from scratch takes time quadratic in the depth of the tree.
// Zero-initialise all but the trace.
typedef struct mc_node_keys {
    const mc_trace *trace;
    mc_text text;  // of the node that was appended last, escaped
    size_t *ends;  // per level: where that of its ancestor there ends
    uint32_t *way; // that ancestor
    size_t end_capacity, way_capacity;
    uint32_t level_count;
} mc_node_keys;

void mc_node_keys_append_tsv(mc_node_keys *keys, uint32_t node, mc_text *out);
void mc_node_keys_deinit(mc_node_keys *keys);

void mc_node_append_path_line(const mc_trace *trace, uint32_t node, mc_text *out);

void mc_node_append_name_line(const mc_trace *trace, uint32_t node, mc_text *out);
// "java.util → HashMap$Node": the names below the root, without roles.
void mc_node_append_place_line(const mc_trace *trace, uint32_t node, mc_text *out);
