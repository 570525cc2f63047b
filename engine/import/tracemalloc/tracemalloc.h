// tracemalloc.h - parses snapshots of Python's tracemalloc, as Snapshot.dump() writes them.
//
// Source: CPython's Lib/tracemalloc.py; Python 3.4 and later. A pickle (pickle.h) of one object, of
// whose traces each is a block that is alive: its size, and the files and lines of its call path.
// Functions and times are not in it. Untrusted input: errors are MC_ERROR_BAD_DATA with the byte
// offset; nothing is executed. O(bytes). Threads: any, separate profiles.
#pragma once
#include "engine/import/stacks/profile_import.h"

bool mc_tracemalloc_detect(const unsigned char *data, size_t size);

mc_result mc_tracemalloc_parse(const mc_profile_input *input, mc_profile *profile, mc_error *error);
