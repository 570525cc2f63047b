#include "app/answers/asked.h"

#include "engine/base/memory.h"
#include <string.h>

typedef struct asked_key {
    _Alignas(max_align_t) unsigned char bytes[MC_SLOT_KEY_SIZE];
} asked_key;

struct mc_asked {
    const mc_question *question;
    mc_slot_kind kind; // of the question, in the slot's words
    mc_slot *slot;
    asked_key key; // of the answer
    void *answer;
    bool has_answer;
    uint32_t version;
};

typedef struct asked_task {
    const mc_question *question;
    mc_dataset *dataset; // held by the slot as long as the task runs
    mc_dataset *linked;  // held, or NULL
    asked_key key;
    void *answer;
} asked_task;

static void destroy_task(void *context) {
    asked_task *task = context;
    if (!task) return;
    if (task->answer) mc_question_drop_answer(task->question, task->answer);
    mc_free(task->answer);
    mc_dataset_release(task->linked);
    mc_free(task);
}

static mc_result run(void *context, void **memory, const mc_progress *progress, mc_error *error) {
    asked_task *task = context;
    mc_ask ask = {task->dataset, task->linked, task->dataset->trace, memory, progress};
    return task->question->ask(&ask, task->key.bytes, task->answer, error);
}

mc_result mc_asked_create(const mc_question *question, void (*wake)(void), mc_asked **out,
                          mc_error *error) {
    mc_asked *asked = *out = mc_alloc_zero(1, sizeof *asked);
    if (!asked) return mc_error_out_of_memory(error);
    asked->question = question;
    asked->kind = (mc_slot_kind){question->key_size, question->differ, run,
                                 destroy_task,       question->forget, question->keeps_memory};
    memcpy(asked->key.bytes, question->nothing, question->key_size);
    asked->answer = mc_alloc_zero(1, question->answer_size);
    mc_result result =
        asked->answer ? mc_slot_create(&asked->kind, question->nothing, wake, &asked->slot, error)
                      : mc_error_out_of_memory(error);
    if (result == MC_OK) return MC_OK;
    mc_asked_destroy(asked);
    *out = NULL;
    return result;
}

void mc_asked_destroy(mc_asked *asked) {
    if (!asked) return;
    mc_slot_destroy(asked->slot);
    if (asked->answer) mc_question_drop_answer(asked->question, asked->answer);
    mc_free(asked->answer);
    mc_free(asked);
}

bool mc_asked_want(mc_asked *asked, mc_dataset *dataset, const void *key) {
    return mc_asked_want_so(asked, &(mc_asked_request){.dataset = dataset}, key);
}

bool mc_asked_want_so(mc_asked *asked, const mc_asked_request *request, const void *key) {
    const mc_question *question = asked->question;
    if (!mc_slot_want(asked->slot, key)) return false;
    if (!question->differ(key, question->nothing)) {
        mc_slot_cancel(asked->slot);
        return true;
    }
    asked_task *task = mc_alloc_zero(1, sizeof *task);
    void *answer = mc_alloc_zero(1, question->answer_size);
    if (!task || !answer) {
        mc_free(task);
        mc_free(answer);
        return true;
    }
    task->question = question;
    task->dataset = request->dataset;
    task->linked = request->linked ? mc_dataset_hold(request->linked) : NULL;
    task->answer = answer;
    memcpy(task->key.bytes, key, question->key_size);
    void (*start)(mc_slot *, mc_dataset *, void *) =
        request->waits ? mc_slot_start_behind : mc_slot_start;
    start(asked->slot, request->dataset, task);
    return true;
}

mc_slot_outcome mc_asked_take(mc_asked *asked, mc_error *error) {
    void *taken;
    mc_slot_outcome outcome = mc_slot_take(asked->slot, &taken, error);
    asked_task *task = taken;
    if (outcome == MC_SLOT_FOUND || outcome == MC_SLOT_LATE) {
        mc_asked_drop_answer(asked);
        void *before = asked->answer;
        asked->answer = task->answer;
        task->answer = before;
        asked->key = task->key;
        asked->has_answer = true;
    }
    destroy_task(task);
    return outcome;
}

void mc_asked_revert(mc_asked *asked) {
    mc_slot_revert(asked->slot, asked->key.bytes);
}

void mc_asked_hold(mc_asked *asked, bool is_held) {
    mc_slot_hold(asked->slot, is_held);
}

void mc_asked_drop_answer(mc_asked *asked) {
    mc_question_drop_answer(asked->question, asked->answer);
    memcpy(asked->key.bytes, asked->question->nothing, asked->question->key_size);
    asked->has_answer = false;
    asked->version++;
}

void mc_asked_reset(mc_asked *asked) {
    if (!asked) return;
    mc_slot_reset(asked->slot);
    mc_asked_drop_answer(asked);
}

const void *mc_asked_get_answer(const mc_asked *asked) {
    return asked->answer;
}

const void *mc_asked_get_key(const mc_asked *asked) {
    return asked->key.bytes;
}

const void *mc_asked_get_wanted(const mc_asked *asked) {
    return mc_slot_get_wanted(asked->slot);
}

bool mc_asked_has_answer(const mc_asked *asked) {
    return asked->has_answer;
}

bool mc_asked_is_answered(const mc_asked *asked) {
    return asked->has_answer &&
           !asked->question->differ(asked->key.bytes, mc_asked_get_wanted(asked));
}

uint32_t mc_asked_get_version(const mc_asked *asked) {
    return asked->version;
}

bool mc_asked_is_looking(const mc_asked *asked) {
    return mc_slot_is_looking(asked->slot);
}

float mc_asked_get_progress(const mc_asked *asked) {
    return mc_slot_get_progress(asked->slot);
}

bool mc_asked_is_busy(const mc_asked *asked) {
    return asked && mc_slot_is_busy(asked->slot);
}
