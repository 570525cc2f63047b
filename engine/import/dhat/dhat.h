// dhat.h - parses what valgrind's DHAT writes, dhat.out.PID, and dhat-rs, dhat-heap.json.
//
// Source: valgrind's manual, "DHAT", and dh_main.c; file version 2. Two steps: what was alive when
// the most was, and at the end. Both have what DHAT says of the whole run: what was allocated, how
// long it lived, how much of it was read and written, and what is written and never read. A file
// without lifetimes (modes copy and ad-hoc) is one step of that alone. Untrusted input: errors are
// MC_ERROR_BAD_DATA with the byte offset. O(bytes). Threads: any, separate profiles.
#pragma once
#include "engine/import/stacks/profile_import.h"

bool mc_dhat_detect(const unsigned char *data, size_t size);

mc_result mc_dhat_parse(const mc_profile_input *input, mc_profile *profile, mc_error *error);

// Adds averages to a step's tree: how long an object lives, how often a byte is read.
mc_result mc_dhat_complete(mc_step_tree *tree, mc_error *error);
