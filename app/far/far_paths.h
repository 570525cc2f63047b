// far_paths.h - what paths and patterns from another place stand for here.
//
// Threads: one.
#pragma once
#include "engine/base/text.h"

// Appends what `pattern` stands for, each followed by NUL: a file or folder of this very name, or
// else what matches it by the shell's rules, in their order. "~/" is the user's home. *count is
// raised by their number. MC_ERROR_IO: there is none.
mc_result mc_far_paths_expand(const char *pattern, mc_text *paths, uint32_t *count,
                              mc_error *error);

// Appends a line for the file, or for each file in the folder: sizes, times, numbers, path.
void mc_far_paths_identify(const char *path, mc_text *out);
