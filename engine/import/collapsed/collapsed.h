// collapsed.h - reads collapsed stacks, which profilers write for flame graphs: a stack per line,
// "outermost;…;innermost 123".
//
// Reads the output of async-profiler, perf with stackcollapse, py-spy and jeprof. One text is one
// step. Untrusted input: errors are MC_ERROR_BAD_DATA with the byte offset and what was expected;
// no byte outside of the given ones is read. Memory: the groups seen so far; linear in the text.
// Threads: one object serves one thread at a time; it keeps its groups from text to text.
#pragma once
#include "engine/trace/step_tree.h"

// What the stacks are taken for.
typedef enum mc_stacks_form {
    MC_STACKS_METHODS, // package, class, method, thread: the time of each method itself
    MC_STACKS_SITES,   // the innermost frame, then its callers: bytes
    MC_STACKS_CALLS,   // who calls whom, from the outermost frame on: time
    MC_STACKS_FORM_COUNT
} mc_stacks_form;

extern const char *const mc_stacks_form_names[]; // ends with NULL

#define MC_STACKS_INTERVAL_MS 10.0 // what a count usually stands for

// Whether a text that begins like this holds collapsed stacks.
bool mc_collapsed_detect(const unsigned char *data, size_t size);

typedef struct mc_collapsed_reader mc_collapsed_reader;

// `interval_ms`: the time that one sample stands for, above 0.
mc_result mc_collapsed_reader_create(mc_stacks_form form, double interval_ms,
                                     mc_collapsed_reader **reader, mc_error *error);
void mc_collapsed_reader_destroy(mc_collapsed_reader *reader); // NULL is fine

// Reads a text into `tree`, whose time is the caller's to set. O(bytes).
mc_result mc_collapsed_reader_read(mc_collapsed_reader *reader, const unsigned char *data,
                                   size_t size, mc_step_tree *tree, mc_error *error);
