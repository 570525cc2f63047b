// hprof_graph.h - builds the graph of a heap dump's objects and their strong references.
//
// Vertices are the objects by their numbers (hprof_ids.h), followed by a root that references every
// object the dump's roots name. Edges are the references of docs/reference/heap-dumps.md except
// weak ones, those of java.lang.ref.Reference.referent in any subclass. If no root names an object
// of the dump, the root references all objects. If two objects have the same id, the first in the
// file is used. Two passes over the heap; memory as in graph.h, and for each thread a few thousand
// references.
#pragma once
#include "engine/import/hprof/hprof_dump.h"

// Fills the dump's heap. `has_notes`: also its weak edges, and the dump's roots and the count of
// its dangling references. MC_ERROR_UNSUPPORTED beyond the limits of graph.h.
mc_result mc_hprof_build_graph(mc_hprof_dump *dump, bool has_notes, mc_error *error);
