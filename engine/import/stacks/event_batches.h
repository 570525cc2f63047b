// event_batches.h - hands the events of a recording, in batches, to another thread, which applies
// them in their order while the one that reads goes on.
//
// What apply() changes belongs to it until flush() returns. With one core, and where no thread can
// be started, the thread that reads applies them. Memory: two batches. Threads: all functions, the
// one that created it.
#pragma once
#include "engine/base/base.h"

typedef struct mc_event_kind {
    size_t size; // of an event, in bytes
    // False: memory was out.
    bool (*apply)(void *user, const void *events, size_t count);
} mc_event_kind;

typedef struct mc_event_batches {
    unsigned char *next, *end; // where the next event goes, of which next moves behind; if next is
                               // end, hand_over() makes room for some thousands
    struct mc_event_queue *queue;
} mc_event_batches;

mc_result mc_event_batches_init(const mc_event_kind *kind, void *user, mc_event_batches *batches,
                                mc_error *error);
// What is not applied yet is dropped. Zeros are fine.
void mc_event_batches_deinit(mc_event_batches *batches);

// Both false if memory was out. The latter waits until all events are applied.
bool mc_event_batches_hand_over(mc_event_batches *batches);
bool mc_event_batches_flush(mc_event_batches *batches);
