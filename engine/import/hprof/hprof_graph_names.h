// hprof_graph_names.h - names the vertices of a dump's graph and the fields of their references as
// the program's source does.
//
// Pure functions of what was read. Threads: any.
#pragma once
#include "engine/import/hprof/hprof_graph.h"

// By what vertices of a kind reference others.
mc_hprof_field mc_hprof_graph_get_field(const mc_hprof_graph *graph,
                                        const mc_hprof_classes *classes, const mc_hprof_file *file,
                                        uint32_t kind, uint32_t slot);
// Appends what vertices of a kind are: "java.util.HashMap", "class com.acme.Shop", "GC root".
void mc_hprof_graph_append_kind(const mc_hprof_graph *graph, const mc_hprof_classes *classes,
                                uint32_t kind, mc_text *text);
