// asked.h - a question that is asked beside: the key that is wanted, and the answer that is there.
//
// The newest key wins (slot.h). The answer to an earlier key stays until another one takes its
// place, or until it is dropped: whoever shows it decides whether it may be seen meanwhile.
//
// Threads: one; the question itself is asked in the slot's own.
#pragma once
#include "app/answers/question.h"
#include "app/answers/slot.h"

typedef struct mc_asked mc_asked;

mc_result mc_asked_create(const mc_question *question, void (*wake)(void), mc_asked **asked,
                          mc_error *error);
void mc_asked_destroy(mc_asked *asked); // waits for its thread; NULL is fine

// Makes this the key that is wanted, and begins to look for its answer unless it asks for nothing.
// False: it was wanted before.
bool mc_asked_want(mc_asked *asked, mc_dataset *dataset, const void *key);
// FOUND: there is a new answer. FAILED fills the error; the answer is what it was.
mc_slot_outcome mc_asked_take(mc_asked *asked, mc_error *error);
// What was answered last is what is wanted again; what is on its way is never seen.
void mc_asked_revert(mc_asked *asked);
void mc_asked_drop_answer(mc_asked *asked);
// Back to the beginning: nothing is wanted, and there is no answer.
void mc_asked_reset(mc_asked *asked);

// Never NULL: an answer of nothing is zeroed. Valid until the next call that is not a getter.
const void *mc_asked_get_answer(const mc_asked *asked);
// What the answer is of; the question's `nothing` where there is none.
const void *mc_asked_get_key(const mc_asked *asked);
const void *mc_asked_get_wanted(const mc_asked *asked);
bool mc_asked_has_answer(const mc_asked *asked);
uint32_t mc_asked_get_version(const mc_asked *asked); // grows with each answer, and when one goes
bool mc_asked_is_looking(const mc_asked *asked);      // what is wanted was not found yet
float mc_asked_get_progress(const mc_asked *asked);   // 0 to 1; < 0: not known yet
bool mc_asked_is_busy(const mc_asked *asked);         // something runs, or waits to be taken
