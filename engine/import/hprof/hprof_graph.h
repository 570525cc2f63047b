// hprof_graph.h - the graph of a heap dump's objects and their strong references.
//
// Vertices are the objects by their numbers (hprof_ids.h), followed by a root that references every
// object the dump's roots name. Edges are the references of docs/heap-dumps.md except weak ones,
// those of java.lang.ref.Reference.referent in any subclass. If no root names an object of the
// dump, the root references all objects. If two objects have the same id, the first in the file is
// used. Two passes over the heap; memory as in graph.h, and for each thread a few thousand
// references.
#pragma once
#include "engine/graph/graph.h"
#include "engine/import/hprof/hprof_fields.h"
#include "engine/import/hprof/hprof_graph_notes.h"

typedef enum mc_hprof_vertex {
    MC_HPROF_VERTEX_UNKNOWN,
    MC_HPROF_VERTEX_ROOT,
    MC_HPROF_VERTEX_INSTANCE,
    MC_HPROF_VERTEX_OBJECTS,    // array
    MC_HPROF_VERTEX_PRIMITIVES, // array
    MC_HPROF_VERTEX_CLASS
} mc_hprof_vertex;

typedef struct mc_hprof_graph_kind {
    mc_hprof_vertex what;
    uint32_t class; // index; of CLASS the one that it is; of PRIMITIVES the type of the elements
    uint32_t leaf;  // MC_NONE: no object
} mc_hprof_graph_kind;

typedef struct mc_hprof_graph {
    mc_graph graph;
    mc_hprof_graph_kind *kinds;
    uint32_t kind_count;
    uint64_t root_count;         // objects that roots name; 0: there are none, and all count as one
    uint32_t lasting_root_count; // those that more than a stack or a lock names: the first edges
                                 // of the root
} mc_hprof_graph;

typedef struct mc_hprof_graph_desc {
    const mc_hprof_file *file;
    const mc_hprof_batch *batches;
    size_t batch_count;
    const mc_hprof_classes *classes; // with references
    const mc_hprof_ids *ids;
    mc_hprof_crew *crew;
    mc_hprof_graph_notes *notes; // zeroed; NULL: not wanted
} mc_hprof_graph_desc;

// To be deinitialised in any case. MC_ERROR_UNSUPPORTED beyond the limits of graph.h.
mc_result mc_hprof_graph_init(mc_hprof_graph *graph, const mc_hprof_graph_desc *desc,
                              mc_error *error);
void mc_hprof_graph_deinit(mc_hprof_graph *graph);
