// hprof_references.h - counts references between leaves without a graph, in two more passes over a
// heap: one notes each object's leaf, if not known yet, one follows all references.
//
// Each object has a word for its own leaf and the first leaves that reference it, as many as fit in
// 64 bits: three of 65,535 leaves, five of 1,000. Memory: 8 bytes per object, the ids, and what
// reference_counts.h says. Threads: those of the dump's crew.
#pragma once
#include "engine/heap/reference_counts.h"
#include "engine/import/hprof/hprof_dump.h"
#include "engine/import/hprof/hprof_roots.h"

// `references` and `roots` are zeroed, and to be deinitialised in any case.
mc_result mc_hprof_find_references(mc_hprof_dump *dump, mc_heap_references *references,
                                   mc_hprof_root_notes *roots, mc_error *error);
