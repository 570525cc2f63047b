// dataset.h - an open trace with its metadata: read-only and reference-counted.
//
// A reader, in whatever thread, holds a reference; the last release frees the dataset. So another
// trace can be opened, or the window closed, while a thread still reads this one. Threads: hold and
// release from any; the contents don't change once it is shared.
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

// What a dataset of two traces has in addition; owned by it.
typedef struct mc_dataset_pair {
    struct mc_dataset *sides[MC_VERSUS_SIDES]; // held
    mc_pair_options options;
    // Storage for the texts that the options point to.
    char windows[MC_VERSUS_SIDES][MC_PAIR_WINDOW_SIZE];
    char align[MC_ALIGN_SIZE];
    mc_name_folds folds; // the rules, with counts of what they folded
} mc_dataset_pair;

typedef struct mc_dataset {
    mc_trace *trace;
    char *name;             // of the trace; may be NULL
    mc_form_texts paths;    // paths that it was read from, absolute
    int64_t *dump_times_ms; // of the heap dumps among them
    uint32_t dump_count;
    // Of a trace that was fetched from elsewhere (app/far): where its objects are, and how they
    // were read there, as words of a command line. Empty: it was not.
    mc_form_texts far_words;
    mc_dataset_warnings warnings;
    bool is_of_jvm;   // its source has more classifiers than the trace
    char *group_list; // grouping of the trace or of its dumps, "type,package"; NULL: as recorded
    // If the trace is a regrouping of another one: the dataset of that one, held.
    struct mc_dataset *base;
    mc_regrouping grouping; // of the base; count 0: as opened
    mc_dataset_pair *pair;  // if it is a pair (pairing.h); or NULL
    // Ids for caches, as facts about a recording stay true while it grows: equal `recording`, the
    // same recording; equal `numbering`, also the same node indices.
    uint64_t recording, numbering;
    atomic_uint referrer_count;
} mc_dataset;

// Takes ownership of the trace, also on failure. The caller owns a reference. NULL: out of memory.
mc_dataset *mc_dataset_create(mc_trace *trace);
// The same with the metadata of `before`, for a later state of its recording.
mc_dataset *mc_dataset_create_next(const mc_dataset *before, mc_trace *trace);
mc_dataset *mc_dataset_hold(mc_dataset *dataset);
void mc_dataset_release(mc_dataset *dataset);        // NULL is fine
void mc_dataset_pair_destroy(mc_dataset_pair *pair); // likewise

// Only before the dataset is shared. Makes the paths absolute and finds the heap dumps among them.
void mc_dataset_set_paths(mc_dataset *dataset, char *const *paths, uint32_t count);
void mc_dataset_warnings_add(mc_dataset_warnings *warnings, const char *text);
void mc_dataset_warnings_deinit(mc_dataset_warnings *warnings);
