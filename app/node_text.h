// node_text.h - what a node is called, as the commands print it.
//
// Everything is appended to `out`, which says if memory ran out. Threads: any.
#pragma once
#include "engine/trace/trace.h"

void mc_node_append_key_json(const mc_trace *trace, uint32_t node, mc_text *out);  // full key
void mc_node_append_path_json(const mc_trace *trace, uint32_t node, mc_text *out); // with roles
void mc_node_append_key_tsv(const mc_trace *trace, uint32_t node, mc_text *out);
void mc_node_append_path_line(const mc_trace *trace, uint32_t node, mc_text *out);

void mc_node_append_name_line(const mc_trace *trace, uint32_t node, mc_text *out);
// "java.util → HashMap$Node": the names below the root, without roles.
void mc_node_append_place_line(const mc_trace *trace, uint32_t node, mc_text *out);
