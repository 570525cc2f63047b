// heaptrack.h - reads what heaptrack records, every allocation of a program, into steps.
//
// File formats 0 to 3, unpacked; source: heaptrack's accumulatedtracedata.cpp and linereader.h.
// Lines of lower-case hexadecimal numbers: texts, instruction pointers with the frames inlined
// there, a tree of callers, kinds of allocations (a size at a place), events, the clock and the
// resident memory. A step is a moment of film.h; its time counts from the program's start. Data
// comes in pieces, which need not end with a line. Untrusted input: errors are MC_ERROR_BAD_DATA
// with the byte offset. Memory: the tables of the file, and what film.h takes; never the events.
// Threads: one object serves one thread at a time.
#pragma once
#include "engine/import/format/profile_options.h"
#include "engine/import/stacks/stack_sites.h"

// Whether data that begins like this is such a recording.
bool mc_heaptrack_detect(const unsigned char *data, size_t size);

typedef struct mc_heaptrack mc_heaptrack;

// Keeps no more than `memory_most` bytes for the tables of the file; more is bad data.
mc_result mc_heaptrack_create(const mc_profile_options *options, uint64_t memory_most,
                              mc_heaptrack **reader, mc_error *error);
void mc_heaptrack_destroy(mc_heaptrack *reader); // NULL is fine

mc_result mc_heaptrack_feed(mc_heaptrack *reader, const unsigned char *data, size_t size,
                            mc_error *error);
// After all data. MC_ERROR_BAD_DATA if there was nothing to make a step of. *is_cut: it ends within
// a line.
mc_result mc_heaptrack_finish(mc_heaptrack *reader, bool *is_cut, mc_error *error);
// The steps in the order of their times; *is_there: there was one more. `end_missing`: what the
// last one lacks, in words; NULL: nothing.
mc_result mc_heaptrack_next_step(mc_heaptrack *reader, const char *end_missing, mc_step_tree *tree,
                                 bool *is_there, mc_error *error);
