// import.h - opens a recorded trace, whatever its files look like.
//
// Accepts a file (one step, or an array of steps), a folder as AntTracks writes it, a folder of one
// of its forms, with `points-to-maps/` and `pointed-from-maps/` beside the steps, or several such
// paths; plain, .gz or .zst. The form (AntTracks or default) is recognised by content. SPEC: the
// two JSON forms and their pointer maps. Untrusted input: every error is MC_ERROR_BAD_DATA with
// "FILE:OFFSET: what was expected" (the offset of a compressed file's content is called "unpacked
// byte"). Heap dumps and class histograms of a JVM, recognised by content, are steps, too (hprof.h,
// histogram.h). An .mct file, recognised by content too, is opened as it is; it stands alone.
// Memory, beyond the files, which are mapped: what the builder needs, and steps that are being
// read: two as a rule, more as far as they are little beside the trace, or take 16 MB. Compressed
// files are unpacked into memory as a whole, then one at a time if they are large.
// Threads: reads in up to four threads of its own, at most as many as there are cores; `log` and
// `progress` are called in the calling thread. Run it beside the window.
#pragma once
#include "engine/import/jvm/grouping.h"
#include "engine/import/step_times.h"
#include "engine/trace/build/trace_builder.h"

typedef struct mc_import_desc {
    const char *const *paths;
    uint32_t path_count;
    bool skip_bad_steps;          // leave a bad step (or pointer map) out, with a warning to `log`
    bool is_live;                 // of an .mct file: that its writer has not finished is no news
    bool partial;                 // take what is there of a heap dump or histogram that is cut off
    bool whole_dumps;             // a heap dump that is cut off or damaged is bad data
    bool no_references;           // of heap dumps: only objects and bytes, which is faster
    const char *temporary_folder; // where packed heap dumps are unpacked; NULL: /var/tmp
    const char *group_by;         // of what a JVM writes, as mc_grouping_parse(); NULL: the default
    const mc_step_times *times; // of steps that don't say it, in the order of the files; NULL: from
                                // the files' names or their times of modification
    const mc_log *log;          // warnings, may be NULL
    const mc_progress *progress; // in bytes of input, may be NULL
} mc_import_desc;

typedef struct mc_import_report {
    uint32_t step_count;       // read
    uint32_t skipped_count;    // bad steps and maps left out
    uint32_t incomplete_count; // heap dumps that are cut off or damaged: what is there was read
    uint64_t input_bytes;      // on disk
} mc_import_report;

// On failure *trace is NULL and `error` says why. `report` may be NULL.
mc_result mc_import_trace(const mc_import_desc *desc, mc_trace **trace, mc_import_report *report,
                          mc_error *error);

// Where steps go instead of into a trace in memory: first all steps, then all pointer maps. What
// these functions return ends the import, but for MC_ERROR_BAD_DATA if bad steps are skipped.
typedef struct mc_import_sink {
    mc_result (*add_step)(void *user, const mc_step_tree *tree, const char *source,
                          mc_error *error);
    mc_result (*add_references)(void *user, const mc_reference_map *map,
                                mc_reference_direction direction, mc_error *error);
    void *user;
} mc_import_sink;

// As above, of as large a trace as may be: a few steps are in memory at a time.
mc_result mc_import_steps(const mc_import_desc *desc, const mc_import_sink *sink,
                          mc_import_report *report, mc_error *error);
