// root_words.h - what a GC root is called in a sentence, whatever the runtime: the one table.
//
// Readers name their roots by nouns ("global main.sessions", "main.serve (goroutine created by
// main.main)", "a function that runs"); the table has what stands before such a name, and what a
// root without one is called. Threads: any.
#pragma once
#include "engine/base/text.h"
#include "engine/trace/step_referrers.h"

// "a local variable of main.serve (goroutine created by main.main)", "global main.sessions", "a
// global variable". `name`: NULL if there is none; the name of a kind counts as none. It is
// appended as it is.
void mc_root_append_words(mc_root_kind kind, const char *name, size_t size, mc_text *out);

// What kind of root one of that name is, to people: that of mc_root_kind_names where it is a JVM's,
// else the runtime's own word: "variable", "stack", "goroutine", "runtime".
const char *mc_root_get_kind_words(mc_root_kind kind, const char *name, size_t size);
