// far_child.h - a command that connects to another place, as a child process: for a program that
// must neither wait for it nor fail with it, such as the window.
//
// ssh is started without a terminal, so it asks for passwords by a window of its own (ssh-askpass).
// Threads: any; the calling one waits.
#pragma once
#include "app/form.h"

// Options of a window's command line that say how a trace is read there, and their values.
typedef struct mc_far_options {
    mc_text words; // each with its NUL
    uint32_t count;
} mc_far_options;
void mc_far_options_add(mc_far_options *options, const char *name, const char *value); // or NULL
void mc_far_options_deinit(mc_far_options *options);

// Whether one of these is an address.
bool mc_far_has_address(const char *const *paths, uint32_t count);
// Appends the paths to `files`, and instead of addresses those of traces here, which are fetched if
// they are not there yet; addresses of one place that follow each other are one trace. What was
// said meanwhile goes to `said`, line by line, also on failure. MC_ERROR_CANCELLED soon after
// `progress` has said so.
mc_result mc_far_child_fetch(const char *const *paths, uint32_t count,
                             const mc_far_options *options, const mc_progress *progress,
                             mc_form_texts *files, mc_text *said, mc_error *error);

// What a command prints, of `most` bytes at most. `words` end with NULL.
mc_result mc_far_child_ask(const char *const *words, size_t most, const mc_progress *progress,
                           mc_text *out, mc_text *said, mc_error *error);
