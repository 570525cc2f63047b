#include "engine/import/godump/go_spans.h"

#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>

#define PAGE_BITS 13 // Go's pages

static int compare_runs(const void *a, const void *b) {
    const mc_go_run *x = a, *y = b;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void add_to_run(mc_go_run *run, uint64_t size) {
    run->end++;
    run->is_uniform = run->is_uniform && size == run->size;
    if (size < run->size) run->size = size;
}

static bool list_runs(mc_go_spans *self, uint32_t count) {
    const uint64_t *addresses = self->addresses;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && addresses[i] >> PAGE_BITS == addresses[i - 1] >> PAGE_BITS &&
            addresses[i] > addresses[i - 1]) {
            add_to_run(&self->runs[self->run_count - 1], self->sizes[i]);
            continue;
        }
        if (!mc_reserve(&self->runs, &self->run_capacity, (size_t)self->run_count + 1,
                        sizeof *self->runs))
            return false;
        self->runs[self->run_count++] = (mc_go_run){addresses[i], i, i + 1, self->sizes[i], true};
    }
    if (self->run_count > 1) qsort(self->runs, self->run_count, sizeof *self->runs, compare_runs);
    return true;
}

// No object begins in another one, or ends behind the last address there is.
static mc_result check_runs(const mc_go_spans *self, mc_error *error) {
    uint64_t end = 0;
    for (uint32_t i = 0; i < self->run_count; i++)
        for (uint32_t k = self->runs[i].begin; k < self->runs[i].end; k++) {
            const uint64_t address = self->addresses[k], size = self->sizes[k];
            if (address < end || size > UINT64_MAX - address)
                return mc_fail(error, MC_ERROR_BAD_DATA,
                               "the object at 0x%" PRIx64
                               " begins within another one, or has no room",
                               address);
            end = address + (size > 0 ? size : 1);
        }
    return MC_OK;
}

static bool list_firsts(mc_go_spans *self) {
    const uint32_t count = self->run_count;
    self->base = self->runs[0].address;
    self->last = self->runs[count - 1].address;
    self->shift = PAGE_BITS;
    while ((self->last - self->base) >> self->shift > (uint64_t)count * 4)
        self->shift++;
    const uint64_t bucket_count = ((self->last - self->base) >> self->shift) + 1;
    self->firsts = mc_alloc((size_t)bucket_count + 1, sizeof *self->firsts);
    if (!self->firsts) return false;
    uint32_t run = 0;
    for (uint64_t i = 0; i <= bucket_count; i++) {
        while (run < count && (self->runs[run].address - self->base) >> self->shift < i)
            run++;
        self->firsts[i] = run;
    }
    return true;
}

mc_result mc_go_spans_build(mc_go_spans *self, const uint64_t *addresses, const uint64_t *sizes,
                            uint32_t count, mc_error *error) {
    self->addresses = addresses;
    self->sizes = sizes;
    if (count == 0) return MC_OK;
    if (!list_runs(self, count)) return mc_error_out_of_memory(error);
    mc_result result = check_runs(self, error);
    if (result != MC_OK) return result;
    return list_firsts(self) ? MC_OK : mc_error_out_of_memory(error);
}

void mc_go_spans_deinit(mc_go_spans *self) {
    mc_free(self->runs);
    mc_free(self->firsts);
    *self = (mc_go_spans){.addresses = NULL};
}

// Mostly objects stand close to one another, so that the place follows from the size.
static uint32_t find_in_run(const mc_go_spans *self, const mc_go_run *run, uint64_t address) {
    const uint64_t offset = address - run->address;
    const uint64_t place = run->size > 0 ? offset / run->size : offset;
    uint32_t low = run->begin, high = run->end;
    if (place < high - low - 1) high = low + (uint32_t)place + 1;
    if (self->addresses[high - 1] <= address) low = high - 1;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (self->addresses[middle] <= address)
            low = middle;
        else
            high = middle;
    }
    const uint64_t size = run->is_uniform ? run->size : self->sizes[low];
    return address - self->addresses[low] < size ? low : MC_NONE;
}

uint32_t mc_go_spans_find(const mc_go_spans *self, uint64_t address) {
    if (self->run_count == 0 || address < self->base) return MC_NONE;
    const uint64_t known = address < self->last ? address : self->last;
    const uint64_t bucket = (known - self->base) >> self->shift;
    uint32_t low = self->firsts[bucket], high = self->firsts[bucket + 1]; // first run behind it
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (self->runs[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return find_in_run(self, &self->runs[low - 1], address); // the first run is not behind it
}
