// hidden_names.h - --hash-names and --unhash: traces that may leave the house, and those that come
// back.
//
// Threads: the main thread.
#pragma once
#include "app/command_options.h"
#include "engine/import/hidden/hidden_sink.h"
#include "engine/trace/trace.h"

typedef struct mc_hidden_names {
    const char *hash, *unhash; // files of keys; NULL: not said
    mc_name_cipher *cipher;
    mc_hidden_sink *hidden;
    uint32_t note_count; // that --notes gave, and that are left out
} mc_hidden_names;

void mc_option_list_add_hidden_names(mc_option_list *list, mc_hidden_names *names);

// Reads the key, if there is one; warns if others may read it, too. Returns MC_EXIT_OK, or the exit
// code after saying what is wrong.
int mc_hidden_names_begin(mc_hidden_names *names);
// What steps go to: `sink`, or one before it that hides or restores names.
mc_result mc_hidden_names_wrap(mc_hidden_names *names, mc_import_sink *sink, mc_error *error);
// Another trace in place of *trace, made step by step in memory; the same if no key was given. On
// failure *trace is NULL.
mc_result mc_hidden_names_convert(mc_hidden_names *names, mc_trace **trace, mc_error *error);
// Once all names have come: MC_EXIT_OK, or the exit code after saying that the key was not theirs.
int mc_hidden_names_check(const mc_hidden_names *names);
// Notes are text that nobody hides: empties the list, where names are hidden.
void mc_hidden_names_take_notes(mc_hidden_names *names, mc_note_list *notes);
// Says what was not restored, or left out; returns the exit code.
int mc_hidden_names_end(mc_hidden_names *names, int code);
