// slot.h - computes a result from a key in a background thread.
//
// Each slot has a thread of its own. The newest key wins: a task for an older key is cancelled, and
// its result is dropped. Keys that arrive by themselves, such as steps of a recording, may come
// faster than results; cancelling would then mean that there never is one. For these a running task
// is finished and its late result is used; the newest key that came meanwhile is next
// (mc_slot_start_behind()). A task holds the dataset that it reads, so another one can be opened
// without waiting. Threads: one, except for the tasks, which run in the slot's thread.
#pragma once
#include "app/answers/dataset.h"
#include "app/answers/job.h"

#define MC_SLOT_KEY_SIZE 1088
// sizeof, if there is room for such a key; otherwise it does not compile.
#define MC_SIZE_OF_KEY(type) \
    (sizeof(type) + 0 * sizeof(char[sizeof(type) <= MC_SLOT_KEY_SIZE ? 1 : -1]))

typedef struct mc_slot_kind {
    size_t key_size; // at most MC_SLOT_KEY_SIZE
    bool (*differ)(const void *a, const void *b);
    // Runs in the slot's thread. *state is kept from task to task while they read the same dataset,
    // or, if `keeps_state`, as long as the slot; then it must not refer to a dataset's memory.
    mc_result (*run)(void *task, void **state, const mc_progress *progress, mc_error *error);
    void (*destroy)(void *task);
    void (*destroy_state)(void *state); // NULL: there is no state
    bool keeps_state;
} mc_slot_kind;

typedef struct mc_slot mc_slot;

typedef enum mc_slot_outcome {
    MC_SLOT_NOTHING, // new
    MC_SLOT_FOUND,   // what is wanted
    MC_SLOT_FAILED,  // to find it
    MC_SLOT_LATE,    // a result for the key of the task's start; the wanted key is next
} mc_slot_outcome;

// `none` is the key that asks for nothing.
mc_result mc_slot_create(const mc_slot_kind *kind, const void *none, void (*wake)(void),
                         mc_slot **slot, mc_error *error);
void mc_slot_destroy(mc_slot *slot); // waits for its task; NULL is fine

// Sets the wanted key. False: it was wanted already.
bool mc_slot_want(mc_slot *slot, const void *key);
// Starts `task` for the wanted key, and takes ownership of it.
void mc_slot_start(mc_slot *slot, mc_dataset *dataset, void *task);
// Likewise, but only after the running task has ended and was taken; replaces a task that already
// waits.
void mc_slot_start_behind(mc_slot *slot, mc_dataset *dataset, void *task);
void mc_slot_cancel(mc_slot *slot);
void mc_slot_hold(mc_slot *slot, bool is_held); // as mc_job_hold()
// Wants a key again whose result was found before; starts nothing.
void mc_slot_revert(mc_slot *slot, const void *key);
// Back to the beginning: nothing is wanted, and nothing was found.
void mc_slot_reset(mc_slot *slot);

// Takes the result, if there is one: the caller then owns *task and destroys it with the kind's
// destroy(). FAILED: fills in the error; cancellation is no failure. LATE: only after
// mc_slot_start_behind().
mc_slot_outcome mc_slot_take(mc_slot *slot, void **task, mc_error *error);

const void *mc_slot_get_wanted(const mc_slot *slot);
bool mc_slot_is_looking(const mc_slot *slot);    // the wanted key has no result yet
float mc_slot_get_progress(const mc_slot *slot); // 0 to 1; < 0: not known yet
bool mc_slot_is_busy(const mc_slot *slot);       // something runs, or waits to be taken
