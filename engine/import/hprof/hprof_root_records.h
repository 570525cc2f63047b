// hprof_root_records.h - the records of a dump's roots, kept while the dump is linked: the graph
// knows which objects roots name, and not what these roots are.
//
// Zero-initialise, add, deinit. Memory: 24 bytes per root. Threads: one object per worker, then
// merged.
#pragma once
#include "engine/base/base.h"

#define MC_HPROF_ROOT_SIZE 17 // of the longest record of a root
typedef struct mc_hprof_root_record {
    uint32_t target; // position (graph.h)
    unsigned char record[MC_HPROF_ROOT_SIZE];
} mc_hprof_root_record;

typedef struct mc_hprof_root_records {
    mc_hprof_root_record *items;
    size_t count, capacity;
} mc_hprof_root_records;

void mc_hprof_root_records_deinit(mc_hprof_root_records *records);

// False if memory is out.
bool mc_hprof_root_records_add(mc_hprof_root_records *records, const unsigned char *record,
                               uint32_t id_size, uint32_t target);
// Appends those of `other`.
bool mc_hprof_root_records_merge(mc_hprof_root_records *records,
                                 const mc_hprof_root_records *other);
