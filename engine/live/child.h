// child.h - runs another program and captures its output, with a time limit.
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

// An error means that the program can't be started or read from; anything the program does is an
// outcome. If it takes too long, it is killed together with its process group. Deinitialise the
// outcome in any case.
mc_result mc_child_run(const mc_child_desc *desc, mc_child_outcome *outcome, mc_error *error);
void mc_child_outcome_deinit(mc_child_outcome *outcome);
