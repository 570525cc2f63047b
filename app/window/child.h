// child.h - runs this program as a child process of the window, to make a video or to record.
//
// A failure of the child does not affect the window. Used by the main thread.
#pragma once
#include "engine/base/text.h"
#include <sys/types.h>

#define MC_CHILD_SAID_MAX 8192 // bytes of its output that are kept

typedef struct mc_window_child {
    pid_t process; // 0: none
    int pipe;      // its stdout and stderr
    mc_text said;  // output that was not taken yet
} mc_window_child;

// `arguments` begin with the program's name and end with NULL.
mc_result mc_window_child_start(mc_window_child *child, const char *const *arguments,
                                mc_error *error);
// Another program, from one of the folders of $PATH; only its stdout is taken.
mc_result mc_window_child_start_program(mc_window_child *child, const char *program,
                                        const char *const *arguments, mc_error *error);
// Reads new output into `said`. Returns whether the child has ended, with *status as of waitpid().
bool mc_window_child_poll(mc_window_child *child, int *status);
// Sends it `signal` if it runs, and waits a moment for it to clean up; after that it goes on alone.
// Safe on a zeroed one.
void mc_window_child_end(mc_window_child *child, int signal);
