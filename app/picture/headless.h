// headless.h - a session without a window: does what a script says, prints what it answers, writes
// pictures. A device is needed for these alone.
//
// Notices and what is copied go to stdout, the rest to stderr. Time goes by in frames of a sixtieth
// of a second, however long one takes. Threads: the main thread, once at a time.
#pragma once
#include "app/picture/picture_options.h"
#include "app/session/script.h"
#include "app/session/session.h"

typedef struct mc_headless_desc {
    mc_session_desc session;           // without host and views
    mc_script *script;                 // with whose end, or `quit`, the session ends
    const mc_picture_options *picture; // of which device, drawn how
    uint32_t width, height;            // of pictures
} mc_headless_desc;

// Returns the program's exit code.
int mc_headless_run(const mc_headless_desc *desc);
