// view.h - `memcity TRACE`: the window, from opening the trace until it is closed.
//
// Opening and laying out run in a background thread; the window answers all the while.
// Threads: call from the main thread (GLFW's rule), once at a time.
#pragma once
#include "app/command.h"
#include "app/session/preferences.h"
#include "app/view/script.h"

// What the command line says. Start from mc_view_desc_default(), where every option is "not said".
typedef struct mc_view_desc {
    const char *const *paths; // what to open; none: an empty window that waits for a drop
    uint32_t path_count;
    bool skip_bad_steps;
    bool partial;               // as of mc_import_desc
    bool no_references;         // as of mc_import_desc
    const char *group_by;       // as of mc_import_desc
    const mc_step_times *times; // likewise, of `paths`
    const char *times_option;   // what they were read from

    // What is shown at the start: the wish, whose layout is what was said (MC_NONE where nothing
    // was), and beside it:
    mc_wish wish;
    uint32_t step;             // MC_NONE: the last of the window; if playing, the first
    const char *selection_key; // a full key; NULL: nothing
    const char *camera;        // as mc_camera_parse() reads it; NULL: as the wish says
    bool follow; // new steps of a recording are shown as they come; its file may not be there yet
    bool playing;
    bool is_lenient; // what a view asks for and the trace lacks is said, nothing more

    uint32_t width, height;      // of the window, in screen coordinates; 0: as remembered
    double scale;                // of text and controls; 0: the screen's
    mc_preferences *preferences; // what is remembered; the window takes it over
    const char *trouble;         // with them, to be said; NULL: none
    const char *device_name;
    uint32_t rasterizer;    // mc_rasterizer
    bool validation;        // with the Vulkan validation layers; their messages go to stderr
    mc_script *script;      // what is to be done; NULL: nothing
    const char *state_path; // a file kept up to date with the state as one line of JSON; NULL: none
} mc_view_desc;

mc_view_desc mc_view_desc_default(void);

// Runs until the window is closed. Messages go to stderr. Returns the program's exit code:
// MC_EXIT_OK; MC_EXIT_BAD_INPUT if what was asked for could not be opened and nothing else was;
// MC_EXIT_FAILED if this machine can't show a window (no display, no Vulkan device) or something
// broke.
int mc_view_run(const mc_view_desc *desc);
