// memray_sums.h - steps of a recording of memray that has sums alone (run --aggregate): what was
// alive when the most was, and at the end.
//
// When the most was alive is known by the measurements of the heap, which memray takes each 10 ms.
// Zero-initialise; deinit. Memory: the sums. Threads: one.
#pragma once
#include "engine/import/format/profile_options.h"
#include "engine/import/memray/memray_sites.h"

typedef struct mc_memray_sum {
    mc_memray_stack stack;
    mc_memray_totals totals;
} mc_memray_sum;

typedef struct mc_memray_moment {
    int64_t time_ms; // since the start
    uint64_t resident_bytes, heap_bytes;
} mc_memray_moment;

typedef struct mc_memray_sums {
    mc_memray_sum *items;
    size_t count, capacity;
    uint64_t peak_bytes, end_bytes;
    bool has_moments;
    mc_memray_moment peak, last;
    uint64_t most_since; // the peak
    uint32_t next_step;
    uint32_t *groups; // of the items
} mc_memray_sums;

void mc_memray_sums_deinit(mc_memray_sums *sums);

// A measurement; they come in the order of time.
void mc_memray_sums_add_moment(mc_memray_sums *sums, const mc_memray_record *record);
// False: memory is out.
bool mc_memray_sums_add(mc_memray_sums *sums, mc_memray_stack stack,
                        const mc_memray_totals *totals);

// The groups of steps: by objects and bytes that are alive.
mc_result mc_memray_sums_create_sites(const mc_profile_options *options, mc_stack_sites **sites,
                                      mc_error *error);
// After all, once. False: memory is out.
bool mc_memray_sums_find_groups(mc_memray_sums *sums, mc_memray_sites *sites);
// As mc_film_reader's. `end_ms`: when the recording ended, since its start.
mc_result mc_memray_sums_next_step(mc_memray_sums *sums, mc_stack_sites *sites, int64_t start_ms,
                                   int64_t end_ms, const char *missing, mc_step_tree *tree,
                                   bool *is_there, mc_error *error);
