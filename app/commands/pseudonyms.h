// pseudonyms.h - --hash-names and --unhash: hides the names of a trace before it is shared, and
// restores them.
//
// Threads: the main thread.
#pragma once
#include "app/command_options.h"
#include "engine/import/pseudonyms/pseudonym_sink.h"
#include "engine/trace/trace.h"

typedef struct mc_pseudonyms {
    const char *hash, *unhash; // files of keys; NULL: not said
    mc_name_cipher *cipher;
    mc_pseudonym_sink *hidden;
    uint32_t note_count; // notes of --notes, which are left out
} mc_pseudonyms;

void mc_option_list_add_pseudonyms(mc_option_list *list, mc_pseudonyms *names);

// Reads the key, if there is one; warns if others may read it, too. Returns MC_EXIT_OK, or the exit
// code after saying what is wrong.
int mc_pseudonyms_begin(mc_pseudonyms *names);
// The sink for steps: `sink`, or one in front of it that hides or restores names.
mc_result mc_pseudonyms_wrap(mc_pseudonyms *names, mc_import_sink *sink, mc_error *error);
// Replaces *trace by a copy with other names, made step by step in memory; keeps it if no key was
// given. On failure *trace is NULL.
mc_result mc_pseudonyms_convert(mc_pseudonyms *names, mc_trace **trace, mc_error *error);
// After all names have passed: MC_EXIT_OK, or the exit code after printing that the key does not
// belong to them.
int mc_pseudonyms_check(const mc_pseudonyms *names);
// Empties the list of notes where names are hidden, as free text can't be hidden.
void mc_pseudonyms_take_notes(mc_pseudonyms *names, mc_note_list *notes);
// Reports names that were not restored, and notes left out; returns the exit code.
int mc_pseudonyms_end(mc_pseudonyms *names, int code);
