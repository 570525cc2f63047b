#include "agent/native/samples.h"

#include <pthread.h>
#include <stdlib.h>

#define SAMPLES_MOST ((size_t)4 << 20)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static mc_samples waiting;

bool mc_samples_put(const mc_sample *sample) {
    pthread_mutex_lock(&mutex);
    bool has_room = waiting.count < waiting.capacity;
    if (!has_room && waiting.capacity < SAMPLES_MOST) {
        size_t capacity = waiting.capacity ? waiting.capacity * 2 : 1024;
        mc_sample *larger = realloc(waiting.items, capacity * sizeof *larger);
        if (larger) {
            waiting.items = larger;
            waiting.capacity = capacity;
            has_room = true;
        }
    }
    if (has_room) waiting.items[waiting.count++] = *sample;
    pthread_mutex_unlock(&mutex);
    return has_room;
}

void mc_samples_take(mc_samples *taken) {
    taken->count = 0;
    pthread_mutex_lock(&mutex);
    mc_samples swapped = waiting;
    waiting = *taken;
    *taken = swapped;
    pthread_mutex_unlock(&mutex);
}
