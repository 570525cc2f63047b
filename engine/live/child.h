// child.h - runs another program and takes what it says, but does not wait for it forever.
//
// Threads: the main thread.
#pragma once
#include "engine/base/text.h"

#define MC_CHILD_OUTPUT_MAX ((size_t)256 << 20) // bytes; what comes after them is an error

typedef struct mc_child_desc {
    const char *const
        *arguments; // the program, looked up in PATH, and its arguments; ends with NULL
    uint64_t timeout_ms;
    bool (*should_stop)(void *user); // asked several times a second; NULL: never
    void *user;
} mc_child_desc;

typedef struct mc_child_outcome {
    mc_text output, messages; // what it wrote to stdout and to stderr
    int exit_code;            // -1: it was ended by a signal
    bool is_timed_out, is_stopped;
} mc_child_outcome;

// Whatever the program does is an outcome; an error is that it can't be started or listened to. It
// is ended if it takes too long, with all that it has started in its process group. The outcome is
// to be deinitialised in any case.
mc_result mc_child_run(const mc_child_desc *desc, mc_child_outcome *outcome, mc_error *error);
void mc_child_outcome_deinit(mc_child_outcome *outcome);
