// trace_location.h - the location of a trace: the path of a file or folder, a server's address, or
// the address of what lies elsewhere (app/far_address.h); or a pair of these.
//
// Threads: any.
#pragma once
#include "engine/base/text.h"

// Whether there is such a file or folder, or both; of what lies elsewhere that shows when it is
// asked.
bool mc_trace_location_is_there(const char *path);

// The absolute path, or the address as it is; the caller frees it with mc_free(). NULL: there is no
// such file, or memory is out.
char *mc_trace_location_make_whole(const char *path);

// A short label: a part of `path`, which must not be a pair.
const char *mc_trace_location_get_label(const char *path);

// ---- two

typedef struct mc_trace_location_pair {
    char *path, *other;
    bool is_versus; // compared; else a heap and its methods, either way
} mc_trace_location_pair;

bool mc_trace_location_is_pair(const char *path);
// Both as one text, absolute, which names no file; likewise.
char *mc_trace_location_make_pair(const char *path, bool is_versus, const char *other);
// False: it is no pair, or memory is out. Deinit in either case.
bool mc_trace_location_split(const char *path, mc_trace_location_pair *pair);
void mc_trace_location_pair_deinit(mc_trace_location_pair *pair);

// "a.mct versus b.mct", "a.mct with b.mct"; of one, as mc_trace_location_get_label().
void mc_trace_location_append_label(const char *path, mc_text *out);
// The same with whole paths.
void mc_trace_location_append(const char *path, mc_text *out);
