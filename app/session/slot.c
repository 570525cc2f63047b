#include "app/session/slot.h"

#include "engine/base/memory.h"
#include <assert.h>
#include <string.h>

typedef struct slot_key {
    _Alignas(max_align_t) unsigned char bytes[MC_SLOT_KEY_SIZE];
} slot_key;

struct mc_slot {
    const mc_slot_kind *kind;
    mc_job *job;
    slot_key none, wanted, found;
    // The thread's, between tasks.
    void *state;
    mc_dataset *state_dataset;
};

typedef struct slot_task {
    mc_slot *slot;
    slot_key key;
    mc_dataset *dataset;
    void *task; // NULL: it was taken
} slot_task;

static void drop_state(mc_slot *slot) {
    if (slot->state && slot->kind->destroy_state) slot->kind->destroy_state(slot->state);
    slot->state = NULL;
    mc_dataset_release(slot->state_dataset);
    slot->state_dataset = NULL;
}

static mc_result run(void *context, const mc_progress *progress, mc_error *error) {
    slot_task *task = context;
    mc_slot *slot = task->slot;
    if (slot->state_dataset != task->dataset) {
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
    mc_job_destroy(slot->job);
    drop_state(slot);
    mc_free(slot);
}

bool mc_slot_want(mc_slot *slot, const void *key) {
    if (!slot->kind->differ(key, slot->wanted.bytes)) return false;
    memcpy(slot->wanted.bytes, key, slot->kind->key_size);
    return true;
}

void mc_slot_start(mc_slot *slot, mc_dataset *dataset, void *task) {
    slot_task *started = mc_alloc_zero(1, sizeof *started);
    if (!started) {
        slot->kind->destroy(task);
        return;
    }
    *started = (slot_task){slot, slot->wanted, mc_dataset_hold(dataset), task};
    mc_job_start(slot->job, (mc_job_task){run, destroy_task, started});
}

void mc_slot_cancel(mc_slot *slot) {
    mc_job_cancel(slot->job);
}

void mc_slot_reset(mc_slot *slot) {
    if (!slot) return;
    slot->wanted = slot->found = slot->none;
    mc_job_cancel(slot->job);
}

mc_slot_outcome mc_slot_take(mc_slot *slot, void **task, mc_error *error) {
    mc_job_outcome outcome;
    *task = NULL;
    if (!mc_job_take(slot->job, &outcome)) return MC_SLOT_NOTHING;
    slot_task *done = outcome.context;
    mc_slot_outcome result = MC_SLOT_NOTHING;
    bool is_wanted = !slot->kind->differ(done->key.bytes, slot->wanted.bytes);
    if (is_wanted && outcome.result != MC_ERROR_CANCELLED) {
        result = outcome.result == MC_OK ? MC_SLOT_FOUND : MC_SLOT_FAILED;
        slot->found = done->key;
        *task = done->task;
        done->task = NULL;
        if (outcome.result != MC_OK) *error = outcome.error;
    }
    destroy_task(done);
    return result;
}

const void *mc_slot_get_wanted(const mc_slot *slot) {
    return slot->wanted.bytes;
}

const void *mc_slot_get_found(const mc_slot *slot) {
    return slot->found.bytes;
}

bool mc_slot_is_looking(const mc_slot *slot) {
    return slot->kind->differ(slot->wanted.bytes, slot->found.bytes);
}

bool mc_slot_is_busy(const mc_slot *slot) {
    return slot && mc_job_is_busy(slot->job);
}

float mc_slot_get_progress(const mc_slot *slot) {
    return mc_job_get_progress(slot->job);
}
