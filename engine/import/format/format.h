// format.h - the interface of an importer for a foreign format: a row of the table in formats.c.
//
// Each format has a folder of its own, engine/import/<format>/, and one constant mc_format that the
// table names; nothing else knows of it. An importer recognises a file by its content and passes
// what it reads to a sink: steps, pointer maps, and the fields and GC roots that keep objects
// alive. Files are untrusted. Threads: all functions of a reader are called in the importing
// thread; a reader may have further threads of its own.
#pragma once
#include "engine/base/file.h"
#include "engine/import/bytes/byte_stream.h"
#include "engine/import/bytes/watch.h"
#include "engine/import/format/deep.h"
#include "engine/import/format/profile_options.h"
#include "engine/import/format/remote_tab.h"
#include "engine/import/format/rows_options.h"
#include "engine/import/format/step_times.h"
#include "engine/trace/notes.h"
#include "engine/trace/step_referrers.h"
#include "engine/trace/step_tree.h"
#include "engine/trace/trace.h"

// The input of an import, and its options.
typedef struct mc_import_desc {
    const char *const *paths;
    uint32_t path_count;
    const char *const *names; // what messages call files that are given as paths; NULL: that
    bool is_graph; // all files are graphs of rows (docs/reference/graph.md), even if they don't say
                   // so
    bool skip_bad_steps; // leave a bad step (or pointer map) out, with a warning to `log`
    bool is_live;        // of an .mct file: that its writer has not finished is no news
    bool partial;        // take what is there of a heap dump or histogram that is cut off
    bool whole_dumps;    // a heap dump that is cut off or damaged is bad data
    bool no_references;  // of heap dumps: only objects and bytes, which is faster
    mc_import_deep deep;
    struct mc_kept_owners *kept_owners; // of steps before; NULL: there are none
    mc_rows_options rows;
    uint32_t stacks;           // mc_stacks_form: what collapsed stacks are taken for
    double sample_interval_ms; // that one of their counts stands for; 0: as is usual
    mc_profile_options profiles;
    const char *temporary_folder; // where packed heap dumps are unpacked; NULL: /var/tmp
    // By which classifiers leaves are grouped: of what a JVM writes, as mc_grouping_parse(), all
    // else is regrouped (regroup.h). NULL: the default, or as the input is.
    const char *group_by;
    double frame_ms; // of methods: their elevation in such a frame (sliding_window.h); 0: as it is
    bool keeps_groups; // only what a JVM writes is grouped by that; see the report
    const char *tab;   // of a server's address that names none: which one; NULL: the only one
    const mc_step_times *times; // of steps that don't say it, in the order of the files; NULL: from
                                // the files' names or their times of modification
    const mc_note_list *notes;  // of steps of the trace, once it is there; NULL: none
    const mc_log *log;          // warnings, may be NULL
    const mc_progress *progress; // in bytes of input, may be NULL
} mc_import_desc;

#define MC_IMPORT_TAB_MOST 20

typedef struct mc_import_report {
    uint32_t step_count;       // read
    uint32_t skipped_count;    // bad steps and maps left out
    uint32_t incomplete_count; // heap dumps that are cut off or damaged: what is there was read
    uint64_t input_bytes;      // on disk
    bool is_wrong_grouping;    // the error is that of desc.group_by
    bool has_own_groups;       // some of it is not of a JVM: its groups are its own
    // The error is that a server has several tabs that can give trees, and none was named.
    mc_remote_tab tabs[MC_IMPORT_TAB_MOST];
    uint32_t tab_count; // there may be more than have room
} mc_import_report;

// Receives the steps: first all steps, then all pointer maps, except in formats that have a step's
// references together with the step. An error returned here ends the import, except
// MC_ERROR_BAD_DATA if bad steps are skipped.
typedef struct mc_import_sink {
    mc_result (*add_step)(void *user, const mc_step_tree *tree, const char *source,
                          mc_error *error);
    mc_result (*add_references)(void *user, const mc_reference_map *map,
                                mc_reference_direction direction, mc_error *error);
    // Of the step that was passed on last. NULL: not wanted.
    mc_result (*add_referrers)(void *user, const mc_step_referrers *referrers, mc_error *error);
    mc_result (*add_paths)(void *user, const mc_step_paths *paths, mc_error *error);    // likewise
    mc_result (*add_owners)(void *user, const mc_step_owners *owners, mc_error *error); // likewise
    void *user;
} mc_import_sink;

// One import, as its readers see it.
typedef struct mc_import_context {
    const mc_import_desc *desc;
    const mc_import_sink *sink;
    mc_import_report *report; // steps, what is left out and what is cut off are counted here
    mc_import_watch *watch;
    mc_step_clock *clock; // for steps that don't say their time
    uint64_t input_size;  // of all files, on disk
    uint64_t step_count;  // of files of steps
} mc_import_context;

typedef enum mc_source_kind {
    MC_SOURCE_STEP,
    MC_SOURCE_POINTS_TO,
    MC_SOURCE_POINTED_FROM
} mc_source_kind;

typedef struct mc_source_file {
    char *path;
    const char *name; // in messages: another one, or the path
    mc_source_kind kind;
    uint32_t group; // which of the given paths it comes from
    uint64_t size;  // on disk
    bool is_remote; // of a server: `path` is its address
} mc_source_file;

typedef enum mc_format_match {
    MC_FORMAT_OTHER, // a file of another format, or of none
    MC_FORMAT_MATCHES,
    MC_FORMAT_UNCLEAR // empty, or cut off before it shows
} mc_format_match;

#define MC_FORMAT_EXTENSIONS_MAX 4

typedef struct mc_format {
    const char *id, *title; // "hprof", "heap dumps"
    const char *help;       // one line: what it is, and of whom
    const char *record;     // one line: how one comes by it; NULL: not said
    const char *options;    // of the command line, that it heeds; "": none
    // Files in folders are looked at if they have such a name (or one with .gz or .zst behind it).
    const char *extensions[MC_FORMAT_EXTENSIONS_MAX]; // with the dot, up to NULL
    bool is_text;    // others have such names, too: of no interest if they are not of this format
    bool is_grouped; // by who reads it, as desc.group_by says
    bool is_binary;  // one of such a name that is not recognised is a damaged one
    bool is_told_early; // by the first 4 KB of what is packed; nothing else begins as these do

    // By the beginning of a file, or of what comes out of a packed one. Nothing is judged: a file
    // of the format may be wrong all the same.
    mc_format_match (*detect)(const unsigned char *data, size_t size);

    // A reader for one import. `context` outlives it.
    mc_result (*create)(const mc_import_context *context, void **reader, mc_error *error);
    // Reads a file, and passes on what it holds, now or until the flush. The reader may take the
    // mapping over, and zeroes it then. Returns what ends the import.
    mc_result (*read)(void *reader, const mc_source_file *file, mc_file_map *mapping,
                      mc_error *error);
    // The same of an array of documents, or a single one, that a server sends; the stream begins
    // with its bracket or brace. NULL: there is no such thing.
    mc_result (*read_stream)(void *reader, const mc_source_file *file, const mc_byte_stream *stream,
                             mc_error *error);
    // Whether a file, of another format as such, completes the one that the reader read last. NULL:
    // none does.
    bool (*completes)(void *reader, const unsigned char *data, size_t size);
    // Passes on all that was read; after all steps, and in the end. May be NULL.
    mc_result (*flush)(void *reader, mc_error *error);
    void (*destroy)(void *reader); // NULL is fine
} mc_format;

// Tells how far the import is. MC_ERROR_CANCELLED: all is to stop, and the watch says so.
mc_result mc_import_report_progress(const mc_import_context *context, mc_error *error);

// A step of a file.
typedef struct mc_import_step {
    const char *path;
    uint32_t index;          // in the file
    bool is_numbered;        // in messages
    const int64_t *known_ms; // its time; NULL: the file does not say it
} mc_import_step;

// Gives the tree its time, passes it on, and counts it. `name`: scratch. `origin`: of the time;
// NULL is fine.
mc_result mc_import_pass_step(const mc_import_context *context, const mc_import_step *step,
                              mc_step_tree *tree, mc_text *name, mc_time_origin *origin,
                              mc_error *error);
