// view_file.h - a view as a small file: what is open, and how it is shown.
//
// JSON, one object; see docs/views.md. Nodes stand there by their full keys, so that a view fits
// another recording of the same program. Threads: any, on separate objects.
#pragma once

#include "app/session/settings.h"

typedef struct mc_view_file {
    uint32_t version;
    mc_form_texts paths; // what to open; absolute
    char *versus, *with; // what it is compared or linked with; NULL: nothing; absolute
    // Of what is compared, the steps of the first and of the second; MC_NONE: all.
    uint32_t pair_windows[2][2];
    char *trace_name; // may be NULL, as the texts below
    char *selection;  // full keys
    char *root;       // of the district that is the city
    char *search;
    mc_form_texts opened, demolished; // full keys
    mc_form_texts more_selected;      // beside the selection; likewise
    uint32_t width, height;           // of the picture; 0: not known
    // What has a name in the file: fields for MC_USE_VIEW, step, time window (MC_NONE: all steps,
    // however many there are), camera and search_is_regex.
    mc_settings settings;
} mc_view_file;

void mc_view_file_init(mc_view_file *file);   // of nothing
void mc_view_file_deinit(mc_view_file *file); // safe on a zeroed one

// One line of JSON with its end.
void mc_view_file_append(const mc_view_file *file, mc_text *out);

// Initialises `file`; deinit in either case. MC_ERROR_BAD_DATA names field and offset.
mc_result mc_view_file_parse(mc_view_file *file, const unsigned char *data, size_t size,
                             mc_error *error);

// A view may come with its trace: what is not where it was is looked for beside the view's `path`,
// and a relative path begins in the view's folder.
void mc_view_file_find_trace(mc_view_file *file, const char *path);

// The same from a file and into one, which is whole or as it was.
mc_result mc_view_file_read(mc_view_file *file, const char *path, mc_error *error);
mc_result mc_view_file_write(const mc_view_file *file, const char *path, mc_error *error);
