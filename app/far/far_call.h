// far_call.h - runs a command of this program at another place, as if it ran here.
//
// What it prints goes to the standard output and, line by line, to the standard error; on a
// terminal nothing of it is obeyed. Files that it writes come here, and get their names when they
// are whole. Threads: the main thread.
#pragma once
#include "app/far/far_link.h"

#define MC_FAR_OUTPUTS_MOST 16u

typedef struct mc_far_call {
    mc_text words;                            // frames, in order
    const char *outputs[MC_FAR_OUTPUTS_MOST]; // names here
    uint32_t output_count;
    bool passes_input; // the standard input
    bool failed;
} mc_far_call;

// `text` is not kept, but an output's name is.
void mc_far_call_add(mc_far_call *call, mc_far_frame_kind kind, const char *text);
void mc_far_call_deinit(mc_far_call *call);

// What the patterns stand for there, with sizes and times. What is wrong is printed, with its exit
// code in *code.
mc_result mc_far_call_identify(mc_far_link *link, const mc_far_call *call, mc_text *identity,
                               int *code, mc_error *error);

// Runs the words. *code is the exit code there. An error is one of the connection or of writing
// here.
mc_result mc_far_call_run(mc_far_link *link, const mc_far_call *call, int *code, mc_error *error);
