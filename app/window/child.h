// child.h - another run of this program beside the window: it makes a video, or records.
//
// What goes wrong there leaves the window alone. Used by the main thread.
#pragma once
#include "engine/base/text.h"
#include <sys/types.h>

#define MC_CHILD_SAID_MAX 8192 // bytes of what it says that are kept

typedef struct mc_window_child {
    pid_t process; // 0: none
    int pipe;      // what it says, on stdout and stderr
    mc_text said;  // and was not taken yet
} mc_window_child;

// `arguments` begin with the program's name and end with NULL.
mc_result mc_window_child_start(mc_window_child *child, const char *const *arguments,
                                mc_error *error);
// Takes what it has said since. Returns whether it has ended, with *status as of waitpid().
bool mc_window_child_poll(mc_window_child *child, int *status);
// Sends it `signal` if it runs, and waits a moment for it to clean up; what is not done by then it
// does on its own time. Safe on a zeroed one.
void mc_window_child_end(mc_window_child *child, int signal);
