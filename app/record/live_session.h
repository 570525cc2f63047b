// live_session.h - records a running program through its agent, step by step: shared by `run` and
// `attach`.
//
// The recording is an .mct file, the user's or a temporary one; with both subjects one file each. A
// window follows it if wanted. Threads: the main thread.
#pragma once
#include "app/record/live_options.h"

typedef struct mc_live mc_live;

typedef enum mc_live_state {
    MC_LIVE_WAITS, // for an agent
    MC_LIVE_RECORDS,
    MC_LIVE_ENDED, // the agent has said goodbye, or is gone
    MC_LIVE_FAILED // the recording can't go on; said already
} mc_live_state;

typedef struct mc_live_desc {
    const mc_live_options *options;
    const char *listen; // the socket's path; NULL: one of its own
    uint16_t port;      // with TCP; 0: any
    bool is_public;     // with TCP: the user is told where, and where the secret is
    uint32_t pid;       // whose agent it has to be; 0: the first one that comes
    bool is_started;    // the agent does what it is to do by its own options
} mc_live_desc;

// To be ended in any case that left something.
mc_result mc_live_begin(const mc_live_desc *desc, mc_live **live, mc_error *error);
// Appends the agent options that lead it here: "socket=…", without its modes.
void mc_live_append_address(const mc_live *live, mc_text *text);
// Waits for at most 100 ms, and handles the events that came.
mc_live_state mc_live_turn(mc_live *live);
bool mc_live_is_over(
    const mc_live *live); // by --for, or its window was closed and was all there is
// Tells the agent to rest, even if the recording has failed, and waits until it does, at most a few
// seconds. Stops listening.
void mc_live_rest(mc_live *live);
// Finishes the file, waits for the window, removes what was temporary. `code` is what the exit code
// is if nothing went wrong. NULL: just returns it.
int mc_live_end(mc_live *live, int code);
