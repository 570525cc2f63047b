// merge_desc.h - what to merge and how, and what came of it; see merge.h.
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
