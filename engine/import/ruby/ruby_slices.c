#include "engine/import/ruby/ruby_slices.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include <string.h>

#define SLICE ((size_t)256 << 10) // bytes at least
#define SLICES_MOST 32u           // that are taken apart at once

typedef struct batch {
    mc_ruby_slice slices[SLICES_MOST];
    uint32_t count;
} batch;

typedef struct reader {
    const mc_ruby_slices_desc *desc;
    const char *at;
    batch batches[2], *taken, *read; // that of before, and the next one
    mc_result result;                // of taking
} reader;

static const char *find_line_end(const char *at, const char *end) {
    const char *line_end = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return line_end ? line_end : end;
}

// A line is looked through once, however long it is.
static void cut_slices(reader *self, uint32_t most) {
    const char *end = self->desc->end;
    batch *into = self->read;
    for (into->count = 0; into->count < most && self->at < end; into->count++) {
        mc_ruby_slice *slice = &into->slices[into->count];
        const char *until = (size_t)(end - self->at) > SLICE ? self->at + SLICE : end;
        until = find_line_end(until, end);
        slice->begin = self->at;
        slice->end = self->at = until < end ? until + 1 : end;
    }
}

static void read_slice(const reader *self, mc_ruby_slice *slice) {
    slice->row_count = 0;
    slice->addresses.count = 0;
    slice->wrong_count = 0;
    slice->is_cut = false;
    for (const char *at = slice->begin; at < slice->end;) {
        const char *line_end = find_line_end(at, slice->end);
        const size_t size = (size_t)(line_end - at);
        if (!mc_reserve(&slice->rows, &slice->row_capacity, slice->row_count + 1,
                        sizeof *slice->rows)) {
            slice->failed = true;
            return;
        }
        if (mc_ruby_row_read(at, size, &slice->rows[slice->row_count], &slice->addresses))
            slice->row_count++;
        else if (size > 0 && line_end + 1 >= self->desc->end)
            slice->is_cut = true;
        else if (size > 0)
            slice->wrong_count++;
        at = line_end + 1;
    }
    slice->failed = slice->addresses.failed;
}

static void take_slices(reader *self) {
    for (uint32_t i = 0; i < self->taken->count && self->result == MC_OK; i++) {
        const mc_ruby_slice *slice = &self->taken->slices[i];
        self->result =
            slice->failed ? MC_ERROR_OUT_OF_MEMORY : self->desc->take(self->desc->user, slice);
    }
}

// The first part takes, the others read.
static void run_part(void *user, uint32_t part, uint32_t thread) {
    reader *self = user;
    (void)thread;
    if (part == 0)
        take_slices(self);
    else
        read_slice(self, &self->read->slices[part - 1]);
}

static void deinit(reader *self) {
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < SLICES_MOST; k++) {
            mc_free(self->batches[i].slices[k].rows);
            mc_free(self->batches[i].slices[k].addresses.items);
        }
    mc_free(self);
}

mc_result mc_ruby_slices_read(const mc_ruby_slices_desc *desc) {
    const uint32_t threads = desc->thread_count > 0 ? desc->thread_count : 1;
    const uint32_t most = threads < SLICES_MOST / 4 ? threads * 4 : SLICES_MOST;
    reader *self = mc_alloc_zero(1, sizeof *self);
    if (!self) return MC_ERROR_OUT_OF_MEMORY;
    self->desc = desc;
    self->at = desc->begin;
    self->taken = &self->batches[0];
    self->read = &self->batches[1];
    do {
        const char *taken = self->at;
        cut_slices(self, most);
        mc_parallel_run(self->read->count + 1, threads, run_part, self);
        if (self->result == MC_OK) self->result = desc->report(desc->user, taken);
        batch *before = self->taken;
        self->taken = self->read;
        self->read = before;
    } while (self->taken->count > 0 && self->result == MC_OK);
    const mc_result result = self->result;
    deinit(self);
    return result;
}
