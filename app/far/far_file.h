// far_file.h - files that come from another place, under the names that were asked for here.
//
// The other side may be anybody's: it names a file only by the number of an output and, if that is
// a folder, by a path below it, which leaves it nowhere. Threads: one.
#pragma once
#include "engine/base/file.h"

typedef struct mc_far_file {
    mc_file_writer writer;
    bool is_open;
} mc_far_file;

// `head`: a byte, the number of the output, and the path below it, which is empty for a file.
mc_result mc_far_file_begin(mc_far_file *file, const char *const *outputs, uint32_t output_count,
                            const char *head, size_t size, mc_error *error);
mc_result mc_far_file_write(mc_far_file *file, const char *bytes, size_t size, mc_error *error);
mc_result mc_far_file_commit(mc_far_file *file, mc_error *error);
void mc_far_file_discard(mc_far_file *file); // safe on a zeroed or committed one

// Whether a path of `size` bytes is relative and stays in its folder.
bool mc_far_file_is_below(const char *path, size_t size);
