#include "engine/import/stacks/event_batches.h"

#include "engine/base/memory.h"
#include "engine/base/ordered_queue.h"
#include "engine/base/parallel.h"
#include <stdatomic.h>
#include <string.h>

#define BATCH 16384 // events
#define WAIT_MS 1000

typedef struct batch {
    unsigned char *events; // BATCH
    size_t count;
} batch;

struct mc_event_queue {
    mc_event_kind kind;
    void *user;
    mc_ordered_queue *jobs;
    batch batches[2];       // by job
    batch *filled;          // the one that is
    atomic_bool has_failed; // then what comes is not applied
};

static void run(void *user, uint32_t job, uint32_t thread) {
    struct mc_event_queue *queue = user;
    batch *b = &queue->batches[job];
    (void)thread;
    if (!queue->has_failed && !queue->kind.apply(queue->user, b->events, b->count))
        queue->has_failed = true;
}

static void begin_batch(mc_event_batches *batches, uint32_t job) {
    struct mc_event_queue *queue = batches->queue;
    queue->filled = &queue->batches[job];
    batches->next = queue->filled->events;
    batches->end = batches->next + BATCH * queue->kind.size;
}

mc_result mc_event_batches_init(const mc_event_kind *kind, void *user, mc_event_batches *batches,
                                mc_error *error) {
    struct mc_event_queue *queue = mc_alloc_zero(1, sizeof *queue);
    *batches = (mc_event_batches){.queue = queue};
    if (!queue) return mc_error_out_of_memory(error);
    queue->kind = *kind;
    queue->user = user;
    uint32_t threads = mc_parallel_get_core_count() > 1;
    mc_result result = mc_ordered_queue_create(threads, run, queue, &queue->jobs, error);
    for (size_t i = 0; i < 2 && result == MC_OK; i++) {
        queue->batches[i].events = mc_alloc(BATCH, kind->size);
        if (!queue->batches[i].events) result = mc_error_out_of_memory(error);
    }
    if (result == MC_OK)
        begin_batch(batches, mc_ordered_queue_get_free(queue->jobs));
    else
        mc_event_batches_deinit(batches);
    return result;
}

void mc_event_batches_deinit(mc_event_batches *batches) {
    struct mc_event_queue *queue = batches->queue;
    if (!queue) return;
    mc_ordered_queue_destroy(queue->jobs);
    mc_free(queue->batches[0].events);
    mc_free(queue->batches[1].events);
    mc_free(queue);
    memset(batches, 0, sizeof *batches);
}

// Of what was handed over, the batch that is oldest.
static void finish_batch(struct mc_event_queue *queue) {
    while (mc_ordered_queue_wait(queue->jobs, WAIT_MS) == MC_NONE) {
    }
    mc_ordered_queue_release(queue->jobs);
}

bool mc_event_batches_hand_over(mc_event_batches *batches) {
    struct mc_event_queue *queue = batches->queue;
    batch *filled = queue->filled;
    uint32_t job;
    filled->count = (size_t)(batches->next - filled->events) / queue->kind.size;
    mc_ordered_queue_submit(queue->jobs);
    while ((job = mc_ordered_queue_get_free(queue->jobs)) == MC_NONE)
        finish_batch(queue);
    begin_batch(batches, job);
    return !queue->has_failed;
}

bool mc_event_batches_flush(mc_event_batches *batches) {
    struct mc_event_queue *queue = batches->queue;
    if (batches->next > queue->filled->events) (void)mc_event_batches_hand_over(batches);
    while (mc_ordered_queue_get_count(queue->jobs) > 0)
        finish_batch(queue);
    return !queue->has_failed;
}
