// far_link.h - a connection to this program at another place, by the user's own ssh, docker, podman
// or kubectl. If the very same program is not there yet, it is copied into the user's cache there.
//
// Nothing listens on a network: both sides talk by the standard input and output of that program.
// What it, or the program there, writes to its standard error is printed behind the place's name.
// When the connection ends, however it does, the program there ends and removes what it made.
// Threads: the main thread.
#pragma once
#include "app/far/far_frame.h"
#include "app/far_address.h"
#include <sys/types.h>

typedef struct mc_far_link {
    mc_far_stream stream;
    mc_text label; // the place's name, in messages
    pid_t process; // 0: none
    int errors;    // its standard error; -1: closed
    mc_text said;  // a line of that which is not whole yet
    bool has_said; // at least one line
    bool is_there; // the other side has answered
} mc_far_link;

// MC_ERROR_CANCELLED: the user has interrupted. The message begins with the place's name. To be
// ended in any case.
mc_result mc_far_link_begin(mc_far_link *link, const mc_far_place *place, mc_error *error);

// Waits until something has come, from there or from `input` (-1: none), but not long. False: the
// stream has ended.
bool mc_far_link_wait(mc_far_link *link, int input, bool *has_input);

// The error of a connection that ended too early.
mc_result mc_far_link_fail(const mc_far_link *link, mc_error *error);

void mc_far_link_end(mc_far_link *link);
