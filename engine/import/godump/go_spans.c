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

static bool list_runs(mc_go_spans *self, uint32_t count) {
    const uint64_t *addresses = self->addresses;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && addresses[i] >> PAGE_BITS == addresses[i - 1] >> PAGE_BITS &&
            addresses[i] > addresses[i - 1]) {
            self->runs[self->run_count - 1].end = i + 1;
            continue;
        }
        if (!mc_reserve(&self->runs, &self->run_capacity, (size_t)self->run_count + 1,
                        sizeof *self->runs))
            return false;
        self->runs[self->run_count++] = (mc_go_run){addresses[i], i, i + 1};
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
    const mc_go_run *run = &self->runs[low - 1]; // the first run is not behind it
    low = run->begin;
    high = run->end;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (self->addresses[middle] <= address)
            low = middle;
        else
            high = middle;
    }
    return address - self->addresses[low] < self->sizes[low] ? low : MC_NONE;
}
