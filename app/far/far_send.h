// far_send.h - the files that a call writes, and their way to who asked for them.
//
// Threads: one.
#pragma once
#include "app/far/far_frame.h"

#define MC_FAR_SENT_MOST 16u

typedef struct mc_far_outputs {
    char *paths[MC_FAR_SENT_MOST]; // here
    char *names[MC_FAR_SENT_MOST]; // as the other side calls them
    uint32_t count;
} mc_far_outputs;

// *path is where the file `name` is to be written: below `folder`, or `keep`, if that is not NULL.
mc_result mc_far_outputs_add(mc_far_outputs *outputs, const char *folder, const char *name,
                             const char *keep, const char **path, mc_error *error);
void mc_far_outputs_deinit(mc_far_outputs *outputs);

// Appends text in which paths of outputs are replaced by their names there.
void mc_far_outputs_rename(const mc_far_outputs *outputs, const char *bytes, size_t size,
                           mc_text *out);

// Sends those that were written: files, and what is in folders.
mc_result mc_far_outputs_send(const mc_far_outputs *outputs, mc_far_stream *stream,
                              mc_error *error);
