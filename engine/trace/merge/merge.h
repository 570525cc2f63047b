// merge.h - many traces as one .mct file: each part's groups below one of its own, or side by side.
//
// `under` names a classifier: each part then is a group of it, outermost, called as the part is.
// Without it the groups below the parts' roots, which have to be different ones, stand side by
// side; so merging what was merged gives the same trace as merging all at once, in any order.
// Steps: those of all parts, brought together by mc_merge_alignment. What a part (or, side by side,
// each of its outermost groups) has no step of its own for, it has as it was before, for `hold_ms`;
// then it is not there. A file that was written here says what is held (mc_mct_read_held()), so
// that it is not taken for data when that file is a part itself. docs/merge.md says all this for
// users.
//
// Parts are opened one after another, twice each: to see what they have, and to copy it. Memory:
// one part's nodes and a few columns of it; of all parts their steps' times, their names up to a
// limit, and a bit a node and step beyond what a temporary file beside `path` takes. Threads: one
// call, one thread.
#pragma once
#include "engine/trace/trace.h"

typedef enum mc_merge_alignment {
    MC_MERGE_TIMES,   // steps of the very same time are one
    MC_MERGE_BUCKETS, // those of an interval of bucket_ms; its beginning is the step's time
    MC_MERGE_STEPS,   // the first ones, the second ones …; times become 0, 1, 2 …
} mc_merge_alignment;

// Which of a part's steps in a bucket is taken. What flows (mc_metric_kind) is always their sum.
typedef enum mc_merge_take {
    MC_MERGE_LAST,
    MC_MERGE_FIRST,
    MC_MERGE_MEAN,    // of metrics that add up; all else is the last one's
    MC_MERGE_NEAREST, // buckets are around their times then, and the nearest one is taken
    MC_MERGE_TAKE_COUNT
} mc_merge_take;
extern const char *const mc_merge_take_names[]; // ends with NULL

typedef struct mc_merge_part {
    const char *name; // what its group is called; without `under` it is only said in messages
    const char *path; // in messages
} mc_merge_part;

typedef struct mc_merge_desc {
    const mc_merge_part *parts; // in any order: it makes no difference
    uint32_t part_count;
    // Opens a part; called once or twice for each. MC_ERROR_BAD_DATA and MC_ERROR_IO are the
    // part's, all else ends the work.
    mc_result (*open)(void *user, uint32_t part, mc_trace **trace, mc_error *error);
    void *user;
    const char *under; // NULL: side by side
    bool is_guessed;   // the alignment is chosen by the parts' times; see mc_merge_report
    mc_merge_alignment alignment;
    int64_t bucket_ms; // above 0
    int64_t hold_ms;   // below 0: one bucket; without buckets nothing
    mc_merge_take take;
    bool skip_bad;               // parts that can't be read are left out, which is logged
    const char *path;            // of the file, which does not exist or is empty
    const mc_log *log;           // may be NULL
    const mc_progress *progress; // likewise
} mc_merge_desc;

typedef struct mc_merge_report {
    uint32_t part_count, skipped_count; // that were merged; that were left out
    uint32_t step_count, node_count;
    mc_merge_alignment alignment; // what was taken
    int64_t bucket_ms;
    uint64_t held_count; // groups of parts, in all steps together
} mc_merge_report;

// MC_ERROR_BAD_DATA names the part: what is damaged, two that are called the same, metrics that
// contradict each other. The file is of no use then.
mc_result mc_trace_merge(const mc_merge_desc *desc, mc_merge_report *report, mc_error *error);
