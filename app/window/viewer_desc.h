// viewer_desc.h - the window's options on the command line.
#pragma once
#include "app/session/session.h"

typedef struct mc_script mc_script;
typedef struct mc_viewer mc_viewer;

// The options. Start from mc_viewer_desc_default(), where every option is "not given".
typedef struct mc_viewer_desc {
    // Without a host; no paths: an empty window that waits for a file to be dropped.
    mc_session_desc session;
    const char *times_option; // where the session's times were read from
    uint32_t width, height;   // of the window, in screen coordinates; 0: as remembered
    double scale;             // of text, controls and lines; 0: the screen's
    const char *device_name;
    uint32_t rasterizer; // mc_rasterizer
    uint32_t samples;    // of a pixel where nothing moves; 1: it is drawn once; 0: as is preferred
    bool validation;     // with the Vulkan validation layers; their messages go to stderr
    mc_script *script;   // a script to run; NULL: none
    const char *state_path; // a file kept up to date with the state as one line of JSON; NULL: none
} mc_viewer_desc;
