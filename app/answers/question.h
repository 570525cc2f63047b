// question.h - a query of an open trace as a table of functions: a key goes in, an answer comes
// out.
//
// A question knows datasets and keys, but no session; the session asks it in a background thread
// (asked.h). The answer to a key never changes. A question may keep
// a cache (`memory`) that speeds up further queries of the same dataset.
//
// Threads: ask() runs in any thread, but only one at a time per memory; the other functions in any
// thread.
#pragma once
#include "app/answers/dataset.h"

typedef struct mc_ask {
    mc_dataset *dataset; // the caller holds it
    mc_dataset *linked;  // likewise, of a question of two datasets; or NULL
    const mc_trace *trace;
    void **memory; // the question's cache; *memory is NULL at first
    const mc_progress *progress;
} mc_ask;

typedef struct mc_question {
    const char *name;
    size_t key_size; // at most MC_SLOT_KEY_SIZE
    size_t answer_size;
    const void *nothing; // the key that asks for nothing
    bool (*differ)(const void *a, const void *b);
    // Fills `answer`, which is zeroed. On error it may be partly filled: deinit() frees it.
    // Returns MC_ERROR_CANCELLED soon after `progress` has said so.
    mc_result (*ask)(const mc_ask *ask, const void *key, void *answer, mc_error *error);
    void (*deinit)(void *answer); // frees and zeroes it; NULL: an answer owns nothing
    void (*forget)(void *memory); // frees the memory; NULL: the question keeps none
    bool keeps_memory;            // for other datasets, too, such as further steps of a recording
} mc_question;

// Frees an answer and leaves it zeroed.
void mc_question_drop_answer(const mc_question *question, void *answer);
