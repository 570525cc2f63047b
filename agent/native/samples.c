#include "agent/native/samples.h"

#include "engine/base/memory.h"
#include <pthread.h>

#define SAMPLES_MOST ((size_t)4 << 20)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static mc_samples waiting;

bool mc_samples_add(mc_samples *samples, const mc_sample *sample, size_t most) {
    if (samples->count >= most ||
        !mc_reserve(&samples->items, &samples->capacity, samples->count + 1, sizeof *sample))
        return false;
    samples->items[samples->count++] = *sample;
    return true;
}

bool mc_samples_put(const mc_sample *sample) {
    pthread_mutex_lock(&mutex);
    bool has_room = mc_samples_add(&waiting, sample, SAMPLES_MOST);
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
