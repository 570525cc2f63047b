#include "app/answers/slot.h"

#include "engine/base/memory.h"
#include <assert.h>
#include <string.h>

typedef struct slot_key {
    _Alignas(max_align_t) unsigned char bytes[MC_SLOT_KEY_SIZE];
} slot_key;

typedef struct slot_task slot_task;

struct mc_slot {
    const mc_slot_kind *kind;
    mc_job *job;
    slot_task *next; // until what runs has ended
    slot_key none, wanted, found;
    // The thread's, between tasks.
    void *state;
    mc_dataset *state_dataset;
};

struct slot_task {
    mc_slot *slot;
    slot_key key;
    mc_dataset *dataset;
    void *task; // NULL: it was taken
};

static void drop_state(mc_slot *slot) {
    if (slot->state && slot->kind->destroy_state) slot->kind->destroy_state(slot->state);
    slot->state = NULL;
    mc_dataset_release(slot->state_dataset);
    slot->state_dataset = NULL;
}

static mc_result run(void *context, const mc_progress *progress, mc_error *error) {
    slot_task *task = context;
    mc_slot *slot = task->slot;
    if (!slot->kind->keeps_state && slot->state_dataset != task->dataset) {
        drop_state(slot);
        slot->state_dataset = mc_dataset_hold(task->dataset);
    }
    return slot->kind->run(task->task, &slot->state, progress, error);
}

static void destroy_task(void *context) {
    slot_task *task = context;
    if (task->task) task->slot->kind->destroy(task->task);
    mc_dataset_release(task->dataset);
    mc_free(task);
}

static void drop_next(mc_slot *slot) {
    if (slot->next) destroy_task(slot->next);
    slot->next = NULL;
}

mc_result mc_slot_create(const mc_slot_kind *kind, const void *none, void (*wake)(void),
                         mc_slot **out, mc_error *error) {
    assert(kind->key_size <= MC_SLOT_KEY_SIZE);
    mc_slot *slot = mc_alloc_zero(1, sizeof *slot);
    *out = NULL;
    if (!slot) return mc_error_out_of_memory(error);
    slot->kind = kind;
    memcpy(slot->none.bytes, none, kind->key_size);
    slot->wanted = slot->found = slot->none;
    mc_result result = mc_job_create(wake, &slot->job, error);
    if (result == MC_OK)
        *out = slot;
    else
        mc_slot_destroy(slot);
    return result;
}

void mc_slot_destroy(mc_slot *slot) {
    if (!slot) return;
    drop_next(slot);
    mc_job_destroy(slot->job);
    drop_state(slot);
    mc_free(slot);
}

bool mc_slot_want(mc_slot *slot, const void *key) {
    if (!slot->kind->differ(key, slot->wanted.bytes)) return false;
    memcpy(slot->wanted.bytes, key, slot->kind->key_size);
    return true;
}

// NULL: out of memory; the task is gone.
static slot_task *make_task(mc_slot *slot, mc_dataset *dataset, void *task) {
    slot_task *made = mc_alloc_zero(1, sizeof *made);
    if (made)
        *made = (slot_task){slot, slot->wanted, mc_dataset_hold(dataset), task};
    else
        slot->kind->destroy(task);
    return made;
}

static void start(mc_slot *slot, slot_task *task) {
    if (task) mc_job_start(slot->job, (mc_job_task){run, destroy_task, task});
}

void mc_slot_start(mc_slot *slot, mc_dataset *dataset, void *task) {
    drop_next(slot);
    start(slot, make_task(slot, dataset, task));
}

void mc_slot_start_behind(mc_slot *slot, mc_dataset *dataset, void *task) {
    drop_next(slot);
    slot->next = make_task(slot, dataset, task);
    if (mc_job_is_busy(slot->job)) return;
    start(slot, slot->next);
    slot->next = NULL;
}

void mc_slot_hold(mc_slot *slot, bool is_held) {
    mc_job_hold(slot->job, is_held);
}

void mc_slot_cancel(mc_slot *slot) {
    drop_next(slot);
    mc_job_cancel(slot->job);
}

void mc_slot_revert(mc_slot *slot, const void *key) {
    memcpy(slot->wanted.bytes, key, slot->kind->key_size);
    slot->found = slot->wanted;
    mc_slot_cancel(slot);
}

void mc_slot_reset(mc_slot *slot) {
    if (!slot) return;
    slot->wanted = slot->found = slot->none;
    mc_slot_cancel(slot);
}

mc_slot_outcome mc_slot_take(mc_slot *slot, void **task, mc_error *error) {
    mc_job_outcome outcome;
    *task = NULL;
    if (!mc_job_take(slot->job, &outcome)) return MC_SLOT_NOTHING;
    slot_task *done = outcome.context;
    mc_slot_outcome result = MC_SLOT_NOTHING;
    bool is_wanted = !slot->kind->differ(done->key.bytes, slot->wanted.bytes);
    bool is_late = !is_wanted && slot->next && outcome.result == MC_OK;
    if (is_wanted && outcome.result != MC_ERROR_CANCELLED) {
        result = outcome.result == MC_OK ? MC_SLOT_FOUND : MC_SLOT_FAILED;
        slot->found = done->key;
        *task = done->task;
        done->task = NULL;
        if (outcome.result != MC_OK) *error = outcome.error;
    } else if (is_late) {
        result = MC_SLOT_LATE;
        *task = done->task;
        done->task = NULL;
    }
    destroy_task(done);
    start(slot, slot->next);
    slot->next = NULL;
    return result;
}

const void *mc_slot_get_wanted(const mc_slot *slot) {
    return slot->wanted.bytes;
}

bool mc_slot_is_looking(const mc_slot *slot) {
    return slot->kind->differ(slot->wanted.bytes, slot->found.bytes);
}

bool mc_slot_is_busy(const mc_slot *slot) {
    return slot && (slot->next || mc_job_is_busy(slot->job));
}

float mc_slot_get_progress(const mc_slot *slot) {
    return mc_job_get_progress(slot->job);
}
