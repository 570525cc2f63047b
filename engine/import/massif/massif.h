// massif.h - parses what valgrind's massif writes, massif.out.PID.
//
// Source: valgrind's manual, "Massif", and ms_main.c. Snapshots with a tree of allocation sites
// (detailed, peak) are steps; of the others only sums are known, the largest of which stands in the
// metric `most` of the step behind them. Where there are none for long, nothing was allocated: if
// the heap has not grown behind that, there are steps in between. What massif does not tell apart
// is a group of its own, as are the allocator's overhead and the stacks, where they were measured.
// Times are the clock's if the file counts ms; a million instructions, or bytes, is taken for a
// millisecond otherwise, with a warning. Untrusted input: errors are MC_ERROR_BAD_DATA with the
// byte offset. O(bytes). Threads: any, separate profiles.
#pragma once
#include "engine/import/stacks/profile_import.h"

bool mc_massif_detect(const unsigned char *data, size_t size);

mc_result mc_massif_parse(const mc_profile_input *input, mc_profile *profile, mc_error *error);
