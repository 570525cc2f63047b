// asked.h - a background query: the key that is wanted, and the latest answer.
//
// The newest key wins (slot.h). The answer to an earlier key stays until a new one replaces it or
// until it is dropped; the caller decides whether to show it meanwhile. Keys that come by
// themselves, with steps of a recording, may come faster than answers: then what runs is awaited.
//
// Threads: one; the query itself runs in the slot's thread.
#pragma once
#include "app/answers/question.h"
#include "app/answers/slot.h"

typedef struct mc_asked mc_asked;

mc_result mc_asked_create(const mc_question *question, void (*wake)(void), mc_asked **asked,
                          mc_error *error);
void mc_asked_destroy(mc_asked *asked); // waits for its thread; NULL is fine

// Sets the wanted key and starts the query, unless the key asks for nothing. False: this key was
// wanted already.
bool mc_asked_want(mc_asked *asked, mc_dataset *dataset, const void *key);
// Likewise, for more than a key.
typedef struct mc_asked_request {
    mc_dataset *dataset, *linked; // linked: as of mc_ask
    bool waits;                   // a running query goes on, and its answer is taken before
} mc_asked_request;
bool mc_asked_want_so(mc_asked *asked, const mc_asked_request *request, const void *key);
// FOUND: there is a new answer. LATE: likewise, to an earlier key. FAILED: fills in the error; the
// answer has not changed.
mc_slot_outcome mc_asked_take(mc_asked *asked, mc_error *error);
// Wants the key of the present answer again; discards the running query.
void mc_asked_revert(mc_asked *asked);
void mc_asked_drop_answer(mc_asked *asked);
void mc_asked_hold(mc_asked *asked, bool is_held); // while held no query begins
// Back to the beginning: nothing is wanted, and there is no answer.
void mc_asked_reset(mc_asked *asked);

// Never NULL: an empty answer is zeroed. Valid until the next call that is not a getter.
const void *mc_asked_get_answer(const mc_asked *asked);
// The key of the answer; the question's `nothing` if there is none.
const void *mc_asked_get_key(const mc_asked *asked);
const void *mc_asked_get_wanted(const mc_asked *asked);
bool mc_asked_has_answer(const mc_asked *asked);
bool mc_asked_is_answered(const mc_asked *asked); // and it is that to the wanted key
// Grows with each new answer, and when one is dropped.
uint32_t mc_asked_get_version(const mc_asked *asked);
bool mc_asked_is_looking(const mc_asked *asked);    // the wanted answer is not there yet
float mc_asked_get_progress(const mc_asked *asked); // 0 to 1; < 0: not known yet
bool mc_asked_is_busy(const mc_asked *asked);       // something runs, or waits to be taken
