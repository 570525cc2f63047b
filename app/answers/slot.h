// slot.h - something that follows from a key: wanted, being computed beside, found.
//
// A slot has a thread of its own. The newest key wins: what was begun for another is cancelled and
// never seen. Where keys come by themselves, as steps of a recording do, and perhaps faster than
// they are answered, that would mean no answer ever: there what runs is awaited and seen, late, and
// of the keys that came meanwhile the newest is next. A task holds the dataset that it reads, so
// nobody waits for it before opening another one. Threads: one, but for what runs in the slot's.
#pragma once
#include "app/answers/dataset.h"
#include "app/answers/job.h"

#define MC_SLOT_KEY_SIZE 320

typedef struct mc_slot_kind {
    size_t key_size; // at most MC_SLOT_KEY_SIZE
    bool (*differ)(const void *a, const void *b);
    // In the thread. *state is what it keeps from task to task, as long as they are of one dataset.
    mc_result (*run)(void *task, void **state, const mc_progress *progress, mc_error *error);
    void (*destroy)(void *task);
    void (*destroy_state)(void *state); // NULL: it keeps nothing
} mc_slot_kind;

typedef struct mc_slot mc_slot;

typedef enum mc_slot_outcome {
    MC_SLOT_NOTHING, // new
    MC_SLOT_FOUND,   // what is wanted
    MC_SLOT_FAILED,  // to find it
    MC_SLOT_LATE,    // what was wanted when it began; what is wanted now is looked for
} mc_slot_outcome;

// `none` is the key that wants nothing.
mc_result mc_slot_create(const mc_slot_kind *kind, const void *none, void (*wake)(void),
                         mc_slot **slot, mc_error *error);
void mc_slot_destroy(mc_slot *slot); // waits for its task; NULL is fine

// Makes this the key that is wanted. False: it was before.
bool mc_slot_want(mc_slot *slot, const void *key);
// Begins to look for it, and takes over `task`.
void mc_slot_start(mc_slot *slot, mc_dataset *dataset, void *task);
// Likewise, once what runs has ended and was taken; instead of another one that waits so.
void mc_slot_start_behind(mc_slot *slot, mc_dataset *dataset, void *task);
void mc_slot_cancel(mc_slot *slot);
// What is wanted again was found before: nothing is looked for.
void mc_slot_revert(mc_slot *slot, const void *key);
// Back to the beginning: nothing is wanted, and nothing was found.
void mc_slot_reset(mc_slot *slot);

// If there is something of what is wanted, *task is the caller's, to be destroyed as the kind does.
// FAILED fills the error; being cancelled is no failure. LATE comes only of what something was
// started behind.
mc_slot_outcome mc_slot_take(mc_slot *slot, void **task, mc_error *error);

const void *mc_slot_get_wanted(const mc_slot *slot);
const void *mc_slot_get_found(const mc_slot *slot); // or failed to
bool mc_slot_is_looking(const mc_slot *slot);       // what is wanted is not what was found
float mc_slot_get_progress(const mc_slot *slot);    // 0 to 1; < 0: not known yet
bool mc_slot_is_busy(const mc_slot *slot);          // something runs, or waits to be taken
