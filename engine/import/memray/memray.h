// memray.h - reads what memray records, every allocation of a Python program, into steps.
//
// File formats 11 to 13, unpacked (memray_records.h). Frames are Python's, each at the line that it
// carried out, and native ones where those were recorded (memray_sites.h). As memray counts: what
// the allocators of Python get of the system is there as well as what they give on, where that was
// recorded. A step is a moment of film.h; of sums (run --aggregate), there are the peak and the
// end. Data comes in pieces of any size. Untrusted input: errors are MC_ERROR_BAD_DATA with the
// byte offset. Memory: what is alive, frames, stacks, and what film.h takes; never the events.
// Threads: one object serves one thread at a time; one of its own applies what that decodes.
#pragma once
#include "engine/import/format/profile_options.h"
#include "engine/import/stacks/stack_sites.h"

typedef struct mc_memray mc_memray;

typedef struct mc_memray_desc {
    const mc_profile_options *options; // copied; what it points to is kept
    uint64_t memory_most; // that frames and stacks may take, in bytes; more is bad data
    const char *path;     // of the recording, beside which programs with symbols may lie; NULL
    const mc_log *log;    // may be NULL
} mc_memray_desc;

mc_result mc_memray_create(const mc_memray_desc *desc, mc_memray **reader, mc_error *error);
void mc_memray_destroy(mc_memray *reader); // NULL is fine

mc_result mc_memray_feed(mc_memray *reader, const unsigned char *data, size_t size,
                         mc_error *error);
// After all data. MC_ERROR_BAD_DATA if there was nothing to make a step of. *is_cut: the program
// was killed, or the file is not whole.
mc_result mc_memray_finish(mc_memray *reader, bool *is_cut, mc_error *error);
// The steps in the order of their times; *is_there: there was one more. `end_missing`: what the
// last one lacks, in words; NULL: nothing.
mc_result mc_memray_next_step(mc_memray *reader, const char *end_missing, mc_step_tree *tree,
                              bool *is_there, mc_error *error);
