#include "engine/base/write_behind.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include <pthread.h>

#define BUFFER_COUNT 4

typedef struct chunk {
    unsigned char *bytes;
    size_t size;
    uint64_t offset;
} chunk;

struct mc_write_behind {
    int fd;
    chunk chunks[BUFFER_COUNT]; // a ring
    // Guarded by the mutex.
    uint32_t submitted, written; // they wrap around
    bool has_ended;
    int cause; // errno
    pthread_mutex_t mutex;
    pthread_cond_t has_changed;
    bool has_mutex, has_condition, has_thread;
    pthread_t thread;
};

// With the mutex locked, which is open while it writes.
static void write_next(mc_write_behind *self) {
    const chunk *next = &self->chunks[self->written % BUFFER_COUNT];
    int cause = self->cause;
    pthread_mutex_unlock(&self->mutex);
    if (cause == 0) cause = mc_file_write_at(self->fd, next->bytes, next->size, next->offset);
    pthread_mutex_lock(&self->mutex);
    self->cause = cause;
    self->written++;
    pthread_cond_broadcast(&self->has_changed);
}

static void *run(void *user) {
    mc_write_behind *self = user;
    pthread_mutex_lock(&self->mutex);
    while (!self->has_ended) {
        if (self->written == self->submitted)
            pthread_cond_wait(&self->has_changed, &self->mutex);
        else
            write_next(self);
    }
    pthread_mutex_unlock(&self->mutex);
    return NULL;
}

mc_result mc_write_behind_create(int fd, size_t buffer_size, mc_write_behind **writer,
                                 mc_error *error) {
    mc_write_behind *self = *writer = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->fd = fd;
    self->has_mutex = pthread_mutex_init(&self->mutex, NULL) == 0;
    self->has_condition = pthread_cond_init(&self->has_changed, NULL) == 0;
    bool is_done = self->has_mutex && self->has_condition;
    for (uint32_t i = 0; i < BUFFER_COUNT && is_done; i++)
        is_done = (self->chunks[i].bytes = mc_alloc(buffer_size, 1)) != NULL;
    if (!is_done) {
        mc_write_behind_destroy(self);
        *writer = NULL;
        return mc_error_out_of_memory(error);
    }
    self->has_thread = pthread_create(&self->thread, NULL, run, self) == 0;
    return MC_OK;
}

void mc_write_behind_destroy(mc_write_behind *self) {
    if (!self) return;
    if (self->has_thread) {
        pthread_mutex_lock(&self->mutex);
        self->has_ended = true;
        pthread_cond_broadcast(&self->has_changed);
        pthread_mutex_unlock(&self->mutex);
        pthread_join(self->thread, NULL);
    }
    for (uint32_t i = 0; i < BUFFER_COUNT; i++)
        mc_free(self->chunks[i].bytes);
    if (self->has_condition) pthread_cond_destroy(&self->has_changed);
    if (self->has_mutex) pthread_mutex_destroy(&self->mutex);
    mc_free(self);
}

// Waits until no more than `most` chunks are to be written. Returns errno.
static int wait_for(mc_write_behind *self, uint32_t most) {
    pthread_mutex_lock(&self->mutex);
    while (self->submitted - self->written > most) {
        if (self->has_thread)
            pthread_cond_wait(&self->has_changed, &self->mutex);
        else
            write_next(self);
    }
    int cause = self->cause;
    pthread_mutex_unlock(&self->mutex);
    return cause;
}

unsigned char *mc_write_behind_get_buffer(mc_write_behind *self) {
    (void)wait_for(self, BUFFER_COUNT - 1);
    return self->chunks[self->submitted % BUFFER_COUNT].bytes;
}

bool mc_write_behind_submit(mc_write_behind *self, size_t size, uint64_t offset) {
    pthread_mutex_lock(&self->mutex);
    chunk *next = &self->chunks[self->submitted % BUFFER_COUNT];
    next->size = size;
    next->offset = offset;
    self->submitted++;
    pthread_cond_broadcast(&self->has_changed);
    int cause = self->cause;
    pthread_mutex_unlock(&self->mutex);
    return cause == 0;
}

int mc_write_behind_finish(mc_write_behind *self) {
    return wait_for(self, 0);
}
