// hprof_graph_notes.h - the parts of a heap dump that the graph of its objects lacks, needed to
// count all references by the graph: weak references, single roots, and the number of dangling
// references.
//
// Zero-initialise, add, deinit. Memory: 8 bytes per weak reference, 24 per root. Threads: one
// object per worker, then merged.
#pragma once
#include "engine/base/base.h"

// Of two vertices, by their positions (graph.h).
typedef struct mc_hprof_weak_reference {
    uint32_t source, target;
} mc_hprof_weak_reference;

#define MC_HPROF_ROOT_SIZE 17 // of the longest record of a root
typedef struct mc_hprof_root_note {
    uint32_t target; // position
    unsigned char record[MC_HPROF_ROOT_SIZE];
} mc_hprof_root_note;

typedef struct mc_hprof_graph_notes {
    mc_hprof_weak_reference *weak;
    size_t weak_count, weak_capacity;
    mc_hprof_root_note *roots;
    size_t root_count, root_capacity;
    uint64_t dangling_count; // references to ids that the dump lacks
} mc_hprof_graph_notes;

void mc_hprof_graph_notes_deinit(mc_hprof_graph_notes *notes);

// False if memory is out.
bool mc_hprof_graph_notes_add_weak(mc_hprof_graph_notes *notes, uint32_t source, uint32_t target);
bool mc_hprof_graph_notes_add_root(mc_hprof_graph_notes *notes, const unsigned char *record,
                                   uint32_t id_size, uint32_t target);
// Appends those of `other`.
bool mc_hprof_graph_notes_merge(mc_hprof_graph_notes *notes, const mc_hprof_graph_notes *other);

// By source, so that they can be found; nothing is added then.
void mc_hprof_graph_notes_sort(mc_hprof_graph_notes *notes);
// The first weak reference of a vertex at `position` or behind it; weak_count: there is none.
size_t mc_hprof_graph_notes_find_weak(const mc_hprof_graph_notes *notes, uint32_t position);
