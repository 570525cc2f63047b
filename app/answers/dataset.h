// dataset.h - what is opened: a trace and what is known of it, read-only and counted by its
// holders.
//
// Whoever reads it, in whichever thread, holds it meanwhile; the last one to let go frees it. So
// another trace can be opened, or the window closed, while something still reads this one. Threads:
// hold and release from any; what is in it does not change once it is shared.
#pragma once
#include "app/form.h"
#include "app/pair.h"
#include "engine/trace/regroup/regroup.h"
#include <stdatomic.h>

#define MC_DATASET_WARNING_CAPACITY 100 // more are counted, but not kept

typedef struct mc_dataset_warnings {
    char *texts[MC_DATASET_WARNING_CAPACITY];
    uint32_t count, all_count; // kept; all
} mc_dataset_warnings;

// Beside what a dataset has; owned by it.
typedef struct mc_dataset_pair {
    struct mc_dataset *sides[MC_VERSUS_SIDES]; // held
    mc_pair_options options;
    char windows[MC_VERSUS_SIDES][MC_PAIR_WINDOW_SIZE]; // to which the options refer
    char align[MC_ALIGN_SIZE];
    mc_name_folds folds; // and what they folded
} mc_dataset_pair;

typedef struct mc_dataset {
    mc_trace *trace;
    char *name;             // of the trace; may be NULL
    mc_form_texts paths;    // that it was read from, absolute
    int64_t *dump_times_ms; // of the heap dumps among them
    uint32_t dump_count;
    mc_dataset_warnings warnings;
    bool is_of_jvm;   // what it was read from says more classifiers than the trace has
    char *group_list; // "type,package", by which it is grouped, or its dumps; NULL: as they are
    // Of a trace that is another one's, regrouped; that one's is held.
    struct mc_dataset *base;
    mc_regrouping grouping; // of the base; of count 0: it is as it was opened
    mc_dataset_pair *pair;  // of two that are one (pairing.h), which are grouped; or NULL
    // What was read of a recording stays true as it grows: of datasets that are the same recording;
    // of those whose nodes have the same numbers as well.
    uint64_t recording, numbering;
    atomic_uint holder_count;
} mc_dataset;

// Takes over the trace, in any case; the caller holds it. NULL: out of memory.
mc_dataset *mc_dataset_create(mc_trace *trace);
// The same with what another one says of itself, for a recording that goes on.
mc_dataset *mc_dataset_create_next(const mc_dataset *before, mc_trace *trace);
mc_dataset *mc_dataset_hold(mc_dataset *dataset);
void mc_dataset_release(mc_dataset *dataset);        // NULL is fine
void mc_dataset_pair_destroy(mc_dataset_pair *pair); // likewise

// While it is made: looks what is there.
void mc_dataset_set_paths(mc_dataset *dataset, char *const *paths, uint32_t count);
void mc_dataset_warnings_add(mc_dataset_warnings *warnings, const char *text);
void mc_dataset_warnings_deinit(mc_dataset_warnings *warnings);
