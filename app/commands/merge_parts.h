// merge_parts.h - the input traces of `merge`: a path and a name each.
//
// Threads: one object serves one thread at a time.
#pragma once
#include "engine/store/merge/merge.h"

// Zero-initialise; deinit.
typedef struct mc_merge_parts {
    mc_merge_part *items; // with texts of their own
    uint32_t count;
    size_t capacity;
} mc_merge_parts;

// Adds "FILE", named after the file without folder and extension, or "NAME=FILE". If a file with
// the whole text as its path exists, the text is a path.
mc_result mc_merge_parts_add(mc_merge_parts *parts, const char *const *texts, uint32_t count,
                             mc_error *error);
// Such texts from a file, one a line; "-": from the standard input. Empty lines are none.
mc_result mc_merge_parts_read(mc_merge_parts *parts, const char *path, mc_error *error);
void mc_merge_parts_deinit(mc_merge_parts *parts);
