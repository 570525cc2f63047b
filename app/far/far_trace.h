// far_trace.h - traces that were imported at another place, kept in the user's cache here.
//
// A trace is found again by its address, the options that it was read with, this program, and what
// lies there: paths, sizes and times. One that was not used for 30 days goes. Threads: the main
// thread.
#pragma once
#include "app/far/far_call.h"
#include "app/far/far_words.h"

// Finds or fetches what `addresses` stand for at one place, as one trace. `options` are words of
// the line, `keep` as of --keep, or NULL. *path is for mc_free(). Returns MC_EXIT_OK, or the exit
// code after saying what is wrong.
int mc_far_trace_fetch(const mc_far_word *const *addresses, uint32_t address_count,
                       const mc_far_line *line, char **path);

// Appends what asks for the objects of a fetched trace where they are, as words of a command line:
// addresses, and how the dumps were read. Nothing: `path` is none, or memory is out.
void mc_far_trace_find_words(const char *path, mc_form_texts *words);
