// question.h - what can be asked of an open trace, as a row: a key goes in, an answer comes out.
//
// A question knows datasets and keys, and no session: commands and pictures ask it at once, the
// session asks later, in a thread (asked.h). The answer to a key never changes. What makes the next
// answer of the same dataset quicker is kept in a memory of the question's own.
//
// Threads: ask() runs in any thread, one at a time for each memory; the rest everywhere.
#pragma once
#include "app/answers/dataset.h"

typedef struct mc_ask {
    mc_dataset *dataset; // held by whoever asks
    const mc_trace *trace;
    void **memory; // the question's, from key to key of one dataset; NULL at first
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
    void (*deinit)(void *answer); // leaves it zeroed, an answer of nothing; NULL: it owns nothing
    void (*forget)(void *memory); // NULL: there is none
} mc_question;

// Asks at once, in the caller's thread and without a memory. `answer` is the caller's, to be
// deinitialised as the question says, also on error.
mc_result mc_question_ask_now(const mc_question *question, mc_dataset *dataset, const void *key,
                              void *answer, const mc_progress *progress, mc_error *error);
void mc_question_drop_answer(const mc_question *question, void *answer);
