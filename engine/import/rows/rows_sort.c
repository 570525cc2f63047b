#include "engine/import/rows/rows_sort.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MERGE_SIZE ((size_t)64 << 20) // bytes of all runs together that are read ahead
#define READ_SIZE_MOST ((size_t)1 << 20)

// A part of the temporary file that is sorted.
typedef struct run {
    uint64_t offset, end;
    char *bytes; // what was read ahead
    size_t at, size;
} run;

struct mc_rows_sorter {
    mc_rows_sorter_desc desc;
    char *records;
    size_t count, capacity, next;
    const char **order; // of those in memory, once they are sorted
    run *runs;
    size_t run_count, run_capacity;
    uint32_t *heap; // runs, the one with the earliest record first
    size_t heap_count;
    size_t read_size;
    bool is_taken; // the first run's record was handed out
    int fd;
    uint64_t file_size;
};

mc_result mc_rows_sorter_create(const mc_rows_sorter_desc *desc, mc_rows_sorter **sorter,
                                mc_error *error) {
    *sorter = mc_alloc_zero(1, sizeof **sorter);
    if (!*sorter) return mc_error_out_of_memory(error);
    (*sorter)->desc = *desc;
    (*sorter)->fd = -1;
    return MC_OK;
}

void mc_rows_sorter_destroy(mc_rows_sorter *self) {
    if (!self) return;
    for (size_t i = 0; i < self->run_count; i++)
        mc_free(self->runs[i].bytes);
    mc_free(self->records);
    mc_free(self->order);
    mc_free(self->runs);
    mc_free(self->heap);
    if (self->fd >= 0) close(self->fd);
    mc_free(self);
}

static int64_t get_time(const char *record) {
    int64_t time_ms;
    memcpy(&time_ms, record, sizeof time_ms);
    return time_ms;
}

// ---- in memory

static int compare_records(const void *a, const void *b) {
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int64_t left = get_time(x), right = get_time(y);
    if (left != right) return left < right ? -1 : 1;
    return x < y ? -1 : x > y; // as they came
}

static bool sort_records(mc_rows_sorter *self) {
    bool is_sorted = true;
    mc_free(self->order);
    self->order = mc_alloc(self->count + 1, sizeof *self->order);
    if (!self->order) return false;
    for (size_t i = 0; i < self->count; i++) {
        self->order[i] = self->records + i * self->desc.record_size;
        is_sorted &= i == 0 || get_time(self->order[i - 1]) <= get_time(self->order[i]);
    }
    if (!is_sorted) qsort(self->order, self->count, sizeof *self->order, compare_records);
    return true;
}

// ---- the temporary file

static mc_result fail_io(const mc_rows_sorter *self, const char *what, int cause, mc_error *error) {
    return mc_fail(error, MC_ERROR_IO,
                   "can't %s a temporary file in %s, where rows are sorted by time: %s", what,
                   self->desc.folder, strerror(cause));
}

static mc_result open_file(mc_rows_sorter *self, mc_error *error) {
    self->fd = mc_file_open_nameless(self->desc.folder);
    return self->fd >= 0 ? MC_OK : fail_io(self, "make", errno, error);
}

static mc_result write_bytes(mc_rows_sorter *self, const char *bytes, size_t size,
                             mc_error *error) {
    int cause = mc_file_write_at(self->fd, bytes, size, self->file_size);
    if (cause != 0) return fail_io(self, "write", cause, error);
    self->file_size += size;
    return MC_OK;
}

// What is in memory becomes a run.
static mc_result spill(mc_rows_sorter *self, mc_error *error) {
    size_t own = self->desc.record_size, capacity = READ_SIZE_MOST / own + 1, count = 0;
    mc_result result = self->fd < 0 ? open_file(self, error) : MC_OK;
    if (result != MC_OK) return result;
    char *bytes = mc_alloc(capacity, own);
    if (!bytes || !sort_records(self) ||
        !mc_reserve(&self->runs, &self->run_capacity, self->run_count + 1, sizeof *self->runs)) {
        mc_free(bytes);
        return mc_error_out_of_memory(error);
    }
    run added = {.offset = self->file_size};
    for (size_t i = 0; i < self->count && result == MC_OK; i++) {
        memcpy(bytes + count++ * own, self->order[i], own);
        if (count < capacity && i + 1 < self->count) continue;
        result = write_bytes(self, bytes, count * own, error);
        count = 0;
    }
    mc_free(bytes);
    added.end = self->file_size;
    self->runs[self->run_count++] = added;
    self->count = 0;
    return result;
}

bool mc_rows_sorter_is_full(const mc_rows_sorter *self) {
    return self->count >= self->desc.most;
}

mc_result mc_rows_sorter_add(mc_rows_sorter *self, const void *record, mc_error *error) {
    size_t own = self->desc.record_size;
    mc_result result = mc_rows_sorter_is_full(self) ? spill(self, error) : MC_OK;
    if (result != MC_OK) return result;
    if (self->count == self->capacity &&
        !mc_reserve(&self->records, &self->capacity, self->count + 1, own))
        return mc_error_out_of_memory(error);
    memcpy(self->records + self->count++ * own, record, own);
    return MC_OK;
}

const void *mc_rows_sorter_get(const mc_rows_sorter *self, size_t index) {
    assert(self->run_count == 0);
    return index < self->count ? self->records + index * self->desc.record_size : NULL;
}

// ---- merging

static mc_result fill(mc_rows_sorter *self, run *own, mc_error *error) {
    uint64_t left = own->end - own->offset;
    own->at = 0;
    own->size = left < self->read_size ? (size_t)left : self->read_size;
    for (size_t done = 0; done < own->size;) {
        ssize_t got =
            pread(self->fd, own->bytes + done, own->size - done, (off_t)(own->offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return fail_io(self, "read", got < 0 ? errno : EIO, error);
        done += (size_t)got;
    }
    own->offset += own->size;
    return MC_OK;
}

// Of records of one time those of the earlier run came first.
static bool is_before(const mc_rows_sorter *self, uint32_t a, uint32_t b) {
    const run *x = &self->runs[a], *y = &self->runs[b];
    int64_t left = get_time(x->bytes + x->at), right = get_time(y->bytes + y->at);
    return left != right ? left < right : a < b;
}

static void sift_down(mc_rows_sorter *self, size_t at) {
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= self->heap_count) return;
        if (child + 1 < self->heap_count &&
            is_before(self, self->heap[child + 1], self->heap[child]))
            child++;
        if (!is_before(self, self->heap[child], self->heap[at])) return;
        uint32_t swapped = self->heap[at];
        self->heap[at] = self->heap[child];
        self->heap[child] = swapped;
        at = child;
    }
}

static mc_result begin_merge(mc_rows_sorter *self, mc_error *error) {
    size_t size = MERGE_SIZE / self->run_count, own = self->desc.record_size;
    if (size > READ_SIZE_MOST) size = READ_SIZE_MOST;
    self->read_size = size < own ? own : size - size % own;
    mc_free(self->records); // all is in the file
    self->records = NULL;
    self->capacity = 0;
    self->heap = mc_alloc(self->run_count, sizeof *self->heap);
    if (!self->heap) return mc_error_out_of_memory(error);
    for (size_t i = 0; i < self->run_count; i++) {
        self->runs[i].bytes = mc_alloc(self->read_size, 1);
        if (!self->runs[i].bytes) return mc_error_out_of_memory(error);
        mc_result result = fill(self, &self->runs[i], error);
        if (result != MC_OK) return result;
        self->heap[self->heap_count++] = (uint32_t)i;
    }
    for (size_t i = self->heap_count; i-- > 0;)
        sift_down(self, i);
    return MC_OK;
}

mc_result mc_rows_sorter_sort(mc_rows_sorter *self, mc_error *error) {
    self->next = 0;
    if (self->run_count == 0) return sort_records(self) ? MC_OK : mc_error_out_of_memory(error);
    mc_result result = self->count > 0 ? spill(self, error) : MC_OK;
    return result == MC_OK ? begin_merge(self, error) : result;
}

// The record that was handed out last goes.
static mc_result advance(mc_rows_sorter *self, mc_error *error) {
    run *first = &self->runs[self->heap[0]];
    first->at += self->desc.record_size;
    self->is_taken = false;
    if (first->at == first->size) {
        mc_result result = fill(self, first, error);
        if (result != MC_OK) return result;
        if (first->size == 0) self->heap[0] = self->heap[--self->heap_count];
    }
    sift_down(self, 0);
    return MC_OK;
}

mc_result mc_rows_sorter_next(mc_rows_sorter *self, const void **record, mc_error *error) {
    *record = NULL;
    if (self->run_count == 0) {
        if (self->next < self->count) *record = self->order[self->next++];
        return MC_OK;
    }
    mc_result result = self->is_taken ? advance(self, error) : MC_OK;
    if (result != MC_OK || self->heap_count == 0) return result;
    const run *first = &self->runs[self->heap[0]];
    self->is_taken = true;
    *record = first->bytes + first->at;
    return MC_OK;
}
