#include "engine/import/godump/go_spans.h"

#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>

#define PAGE_BITS 13 // Go's pages
#define SLOT_BITS 9  // of which this are 16
#define BATCH 64u    // addresses that are looked up at once

_Static_assert(MC_GO_RUN_SLOTS == 1u << (PAGE_BITS - SLOT_BITS), "slots fill a page");

static uint32_t get_slot(uint64_t address) {
    return (uint32_t)(address >> SLOT_BITS) % MC_GO_RUN_SLOTS;
}

static int compare_runs(const void *a, const void *b) {
    const mc_go_run *x = a, *y = b;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

// Until all are there, slots have counts of their own.
static void add_to_run(mc_go_run *run, uint64_t address, uint64_t size) {
    run->end++;
    run->befores[get_slot(address)]++;
    run->is_uniform = run->is_uniform && size == run->size;
    if (size < run->size) run->size = size;
}

static bool list_runs(mc_go_spans *self, uint32_t count) {
    const uint64_t *addresses = self->addresses;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && addresses[i] >> PAGE_BITS == addresses[i - 1] >> PAGE_BITS &&
            addresses[i] > addresses[i - 1]) {
            add_to_run(&self->runs[self->run_count - 1], addresses[i], self->sizes[i]);
            continue;
        }
        if (!mc_reserve(&self->runs, &self->run_capacity, (size_t)self->run_count + 1,
                        sizeof *self->runs))
            return false;
        mc_go_run *run = &self->runs[self->run_count++];
        *run = (mc_go_run){addresses[i], i, i, self->sizes[i], true, {0}};
        add_to_run(run, addresses[i], self->sizes[i]);
    }
    return true;
}

static void end_slots(mc_go_run *run) {
    uint16_t before = 0;
    for (uint32_t i = 0; i < MC_GO_RUN_SLOTS; i++) {
        const uint16_t count = run->befores[i];
        run->befores[i] = before;
        before = (uint16_t)(before + count); // a page has no more than 8,192 addresses
    }
}

static void sort_runs(mc_go_spans *self) {
    bool is_sorted = true;
    for (uint32_t i = 0; i < self->run_count; i++) {
        end_slots(&self->runs[i]);
        is_sorted = is_sorted && (i == 0 || compare_runs(&self->runs[i - 1], &self->runs[i]) < 0);
    }
    if (!is_sorted) qsort(self->runs, self->run_count, sizeof *self->runs, compare_runs);
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
    sort_runs(self);
    mc_result result = check_runs(self, error);
    if (result != MC_OK) return result;
    return list_firsts(self) ? MC_OK : mc_error_out_of_memory(error);
}

void mc_go_spans_deinit(mc_go_spans *self) {
    mc_free(self->runs);
    mc_free(self->firsts);
    *self = (mc_go_spans){.addresses = NULL};
}

// Where in a run an address may be: about as far into its slot as into the slot's objects.
static uint32_t guess(const mc_go_run *run, uint64_t address) {
    if (address >> PAGE_BITS != run->address >> PAGE_BITS) return run->end - 1;
    const uint32_t slot = get_slot(address), count = run->end - run->begin;
    const uint32_t first = run->befores[slot];
    const uint32_t end = slot + 1 < MC_GO_RUN_SLOTS ? run->befores[slot + 1] : count;
    const uint32_t place = (uint32_t)(address % (1u << SLOT_BITS)) * (end - first) >> SLOT_BITS;
    return run->begin + (first + place < count ? first + place : count - 1);
}

// `at`: as guessed. Slots have few objects, so that this takes few steps.
static uint32_t find_in_run(const mc_go_spans *self, const mc_go_run *run, uint64_t address,
                            uint32_t at) {
    while (at > run->begin && self->addresses[at] > address)
        at--;
    while (at + 1 < run->end && self->addresses[at + 1] <= address)
        at++;
    const uint64_t size = run->is_uniform ? run->size : self->sizes[at];
    return address - self->addresses[at] < size ? at : MC_NONE;
}

static uint64_t get_bucket(const mc_go_spans *self, uint64_t address) {
    const uint64_t known = address < self->last ? address : self->last;
    return (known - self->base) >> self->shift;
}

// NULL: it is before all.
static const mc_go_run *find_run(const mc_go_spans *self, uint64_t address) {
    if (self->run_count == 0 || address < self->base) return NULL;
    assert(self->runs && self->firsts);
    const uint64_t bucket = get_bucket(self, address);
    uint32_t low = self->firsts[bucket], high = self->firsts[bucket + 1]; // first run behind it
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (self->runs[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return &self->runs[low - 1]; // the first run is not behind it
}

uint32_t mc_go_spans_find(const mc_go_spans *self, uint64_t address) {
    const mc_go_run *run = find_run(self, address);
    return run ? find_in_run(self, run, address, guess(run, address)) : MC_NONE;
}

// A bucket mostly has one run.
static void prefetch_run(const mc_go_spans *self, uint64_t address) {
    if (self->run_count == 0 || address < self->base) return;
    const uint32_t end = self->firsts[get_bucket(self, address) + 1];
    if (end > 0) __builtin_prefetch(&self->runs[end - 1]);
}

void mc_go_spans_find_all(const mc_go_spans *self, const uint64_t *addresses, uint32_t *objects,
                          uint32_t count) {
    const mc_go_run *runs[BATCH];
    for (uint32_t begin = 0; begin < count; begin += BATCH) {
        const uint32_t size = count - begin < BATCH ? count - begin : BATCH;
        for (uint32_t i = 0; i < size; i++)
            prefetch_run(self, addresses[begin + i]);
        for (uint32_t i = 0; i < size; i++) {
            runs[i] = find_run(self, addresses[begin + i]);
            if (!runs[i]) continue;
            objects[begin + i] = guess(runs[i], addresses[begin + i]);
            __builtin_prefetch(&self->addresses[objects[begin + i]]);
            if (!runs[i]->is_uniform) __builtin_prefetch(&self->sizes[objects[begin + i]]);
        }
        for (uint32_t i = 0; i < size; i++) {
            uint32_t *object = &objects[begin + i];
            *object = runs[i] ? find_in_run(self, runs[i], addresses[begin + i], *object) : MC_NONE;
        }
    }
}
