// script.h - runs a script file against a session, one command a line.
//
// A line is an action's name and its argument (app/session/action.h), or one of wait idle
// until nothing is being opened, computed, drawn or on its way wait stopped         until it no
// longer plays wait steps N         until a recording that is followed has so many expect FIELD
// VALUE   a field of the state (--state) has this value, or the session ends print FIELD
// on stdout: its value, as JSON Empty lines and what begins with '#' say nothing. A script is a
// file of the user's: it can do what the user can, and nothing else. Threads: the main thread.
#pragma once
#include "engine/base/text.h"

typedef struct mc_session mc_session;
typedef struct mc_script mc_script;

// Reads and checks all lines, from a file, a pipe or, for "-", stdin. Blocks until the writer
// closes a pipe. MC_ERROR_BAD_DATA names file and line.
mc_result mc_script_read(const char *path, mc_script **script, mc_error *error);
void mc_script_destroy(mc_script *script); // NULL is fine
void mc_script_print_words(void); // prints all commands with their descriptions, for the help

bool mc_script_is_over(const mc_script *script); // nothing is left to do; NULL is fine

// Runs commands until one has to wait; called once a turn. `append_state` writes the state that
// `expect` and `print` read. An error is printed on stderr and ends the session with
// MC_EXIT_BAD_INPUT, a failed expectation with MC_EXIT_FAILED.
void mc_script_run(mc_script *script, mc_session *session,
                   void (*append_state)(void *user, mc_text *out), void *user);
