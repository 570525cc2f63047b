// view_file.h - saved views: small files that say what to open and how to show it.
//
// One JSON object; see docs/reference/views.md. Nodes are stored by their full keys, so that a view
// also fits another recording of the same program. Threads: any, on separate objects.
#pragma once

#include "app/session/settings.h"

typedef struct mc_view_file {
    uint32_t version;
    mc_form_texts paths; // what to open; absolute
    char *versus, *with; // paths to compare or link with; NULL: none; absolute
    // The steps to compare, of the first and of the second trace; MC_NONE: all.
    uint32_t pair_windows[2][2];
    char *trace_name; // may be NULL, like the texts below
    char *selection;  // full keys
    char *root;       // of the district that is the city
    char *search;
    mc_form_texts opened, demolished; // full keys
    mc_form_texts more_selected;      // beside the selection; likewise
    uint32_t width, height;           // of the picture; 0: not known
    // Only the fields that the file stores are used: fields for MC_USE_VIEW, step, time window
    // (MC_NONE: all steps, however many there are), camera and search_is_regex.
    mc_settings settings;
} mc_view_file;

void mc_view_file_init(mc_view_file *file);   // empty
void mc_view_file_deinit(mc_view_file *file); // safe on a zeroed one

// Appends one line of JSON, including the line's end.
void mc_view_file_append(const mc_view_file *file, mc_text *out);

// Initialises `file`; deinit in either case. MC_ERROR_BAD_DATA names field and offset.
mc_result mc_view_file_parse(mc_view_file *file, const unsigned char *data, size_t size,
                             mc_error *error);

// Finds the trace of a view that was moved together with it: a missing file is looked for in the
// folder of the view's `path`, and relative paths start in that folder.
void mc_view_file_find_trace(mc_view_file *file, const char *path);

// Read and write a file. After an error in writing, the file is as it was.
mc_result mc_view_file_read(mc_view_file *file, const char *path, mc_error *error);
mc_result mc_view_file_write(const mc_view_file *file, const char *path, mc_error *error);
