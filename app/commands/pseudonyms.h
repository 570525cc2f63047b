// pseudonyms.h - --hash-names and --unhash: traces that may leave the house, and those that come
// back.
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
    uint32_t note_count; // that --notes gave, and that are left out
} mc_pseudonyms;

void mc_option_list_add_pseudonyms(mc_option_list *list, mc_pseudonyms *names);

// Reads the key, if there is one; warns if others may read it, too. Returns MC_EXIT_OK, or the exit
// code after saying what is wrong.
int mc_pseudonyms_begin(mc_pseudonyms *names);
// What steps go to: `sink`, or one before it that hides or restores names.
mc_result mc_pseudonyms_wrap(mc_pseudonyms *names, mc_import_sink *sink, mc_error *error);
// Another trace in place of *trace, made step by step in memory; the same if no key was given. On
// failure *trace is NULL.
mc_result mc_pseudonyms_convert(mc_pseudonyms *names, mc_trace **trace, mc_error *error);
// Once all names have come: MC_EXIT_OK, or the exit code after saying that the key was not theirs.
int mc_pseudonyms_check(const mc_pseudonyms *names);
// Notes are text that nobody hides: empties the list, where names are hidden.
void mc_pseudonyms_take_notes(mc_pseudonyms *names, mc_note_list *notes);
// Says what was not restored, or left out; returns the exit code.
int mc_pseudonyms_end(mc_pseudonyms *names, int code);
