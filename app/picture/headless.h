// headless.h - runs a session without a window: executes a script, prints its results, writes
// pictures. Only pictures need a device.
//
// Notices and copied text go to stdout, other messages to stderr. Each frame advances time by 1/60
// s, however long it takes. Threads: the main thread, once at a time.
#pragma once
#include "app/picture/picture_options.h"
#include "app/session/script.h"
#include "app/session/session.h"

typedef struct mc_headless_desc {
    mc_session_desc session;           // without host and views
    mc_script *script;                 // the session ends with the script, or with `quit`
    const mc_picture_options *picture; // device and look of pictures
    uint32_t width, height;            // of pictures
} mc_headless_desc;

// Returns the program's exit code.
int mc_headless_run(const mc_headless_desc *desc);
