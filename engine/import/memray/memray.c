#include "engine/import/memray/memray.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/import/memray/memray_ranges.h"
#include "engine/import/memray/memray_sums.h"
#include "engine/import/stacks/event_batches.h"
#include "engine/import/stacks/film_steps.h"
#include "engine/import/stacks/live_blocks.h"
#include <inttypes.h>
#include <string.h>

#define RECORD_MOST ((size_t)16 << 20)
#define IS_FREE (UINT32_C(1) << 31) // beside the number of a node of stacks, which is smaller
#define IS_MAIN (UINT32_C(1) << 30)
#define AHEAD 64 // events whose places are fetched into the cache at once
#define SIZE_MOST (UINT64_C(1) << 62)

// So many bytes, allocated by a stack.
typedef struct block_kind {
    uint64_t size;
    mc_memray_stack stack;
} block_kind;

// A block that is allocated or freed. Many wait, so it is small.
typedef struct block_event {
    uint64_t address, size;
    uint32_t node, native; // of its stack; the former with IS_FREE and IS_MAIN
} block_event;

struct mc_memray {
    mc_memray_desc desc;
    mc_profile_options options;
    mc_memray_codec codec;
    mc_memray_stacks stacks;
    mc_memray_native native;
    mc_memray_sums sums; // of a recording that has them alone
    block_kind *kinds;
    size_t kind_count, kind_capacity;
    mc_slots kind_slots; // by size and stack
    mc_live_blocks blocks;
    mc_memray_ranges ranges;
    mc_film film;
    bool has_header, has_ended;
    // Another thread lets blocks come and go while this one reads on: kinds, blocks, ranges and the
    // film are its own until all that was handed over is done.
    mc_event_batches events;

    // What has come of a record whose end has not.
    unsigned char *rest;
    size_t rest_size, rest_capacity;
    uint64_t offset; // of that

    // steps
    mc_stack_sites *sites;
    uint32_t *groups; // of the kinds
};

static bool apply_batch(void *user, const void *events, size_t count);

mc_result mc_memray_create(const mc_memray_desc *desc, mc_memray **reader, mc_error *error) {
    mc_memray *self = *reader = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->desc = *desc;
    self->options = *desc->options;
    mc_film_init(&self->film,
                 self->options.moment_count ? self->options.moment_count : MC_PROFILE_MOMENTS);
    const mc_event_kind kind = {sizeof(block_event), apply_batch};
    mc_result result = mc_event_batches_init(&kind, self, &self->events, error);
    if (result == MC_OK) return MC_OK;
    mc_memray_destroy(self);
    *reader = NULL;
    return result;
}

void mc_memray_destroy(mc_memray *reader) {
    if (!reader) return;
    mc_event_batches_deinit(&reader->events);
    mc_memray_stacks_deinit(&reader->stacks);
    mc_memray_native_deinit(&reader->native);
    mc_memray_sums_deinit(&reader->sums);
    mc_memray_ranges_deinit(&reader->ranges);
    mc_live_blocks_deinit(&reader->blocks);
    mc_film_deinit(&reader->film);
    mc_slots_deinit(&reader->kind_slots);
    mc_free(reader->kinds);
    mc_free(reader->rest);
    mc_stack_sites_destroy(reader->sites);
    mc_free(reader->groups);
    mc_free(reader);
}

static mc_result fail(const char *expected, uint64_t offset, mc_error *error) {
    return mc_error_set(error, MC_ERROR_BAD_DATA, offset, "memray recording: expected %s",
                        expected);
}

// ---- blocks and ranges

static uint32_t hash_kind(uint64_t size, mc_memray_stack stack) {
    uint64_t place = (uint64_t)stack.native << 32 | stack.node << 1 | stack.is_main;
    return (uint32_t)mc_hash_u64(size, place);
}

static uint32_t find_kind(mc_memray *self, uint64_t size, mc_memray_stack stack, uint32_t hash) {
    uint32_t number = (uint32_t)self->kind_count;
    for (uint32_t at = hash, found;
         (found = mc_slots_find(&self->kind_slots, hash, &at)) != MC_NONE;) {
        const block_kind *kind = &self->kinds[found];
        if (kind->size == size && kind->stack.node == stack.node &&
            kind->stack.native == stack.native && kind->stack.is_main == stack.is_main)
            return found;
    }
    if (!mc_reserve(&self->kinds, &self->kind_capacity, self->kind_count + 1,
                    sizeof *self->kinds) ||
        !mc_slots_add(&self->kind_slots, hash, number) || mc_film_add_kind(&self->film) == MC_NONE)
        return MC_NONE;
    self->kinds[self->kind_count++] = (block_kind){size, stack};
    return number;
}

// MC_NONE: allocated before the recording began.
static void count_free(mc_memray *self, uint32_t kind) {
    if (kind != MC_NONE) mc_film_free(&self->film, kind, self->kinds[kind].size);
}

static bool allocate(mc_memray *self, uint64_t address, uint64_t size, uint32_t kind) {
    uint32_t before;
    if (!mc_live_blocks_put(&self->blocks, address, kind, &before)) return false;
    count_free(self, before); // whose end was missed
    mc_film_allocate(&self->film, kind, size);
    return true;
}

static mc_memray_stack get_stack(const block_event *event) {
    return (mc_memray_stack){.node = event->node & ~(IS_FREE | IS_MAIN),
                             .native = event->native,
                             .is_main = event->node & IS_MAIN};
}

// The kinds of the allocations among some events; what will be looked up is fetched. Which events
// are allocations is hard to predict, so they are listed without a branch.
static bool find_kinds(mc_memray *self, const block_event *events, size_t count, uint32_t *kinds) {
    uint32_t hashes[AHEAD];
    uint8_t places[AHEAD] = {0};
    size_t allocation_count = 0;
    for (size_t i = 0; i < count; i++) {
        places[allocation_count] = (uint8_t)i;
        allocation_count += !(events[i].node & IS_FREE);
        mc_live_blocks_prefetch(&self->blocks, events[i].address);
        hashes[i] = hash_kind(events[i].size, get_stack(&events[i]));
        mc_slots_prefetch(&self->kind_slots, hashes[i]);
    }
    for (size_t k = 0; k < allocation_count; k++) {
        size_t i = places[k];
        kinds[i] = find_kind(self, events[i].size, get_stack(&events[i]), hashes[i]);
        if (kinds[i] == MC_NONE) return false;
        mc_film_prefetch(&self->film, kinds[i]);
    }
    return true;
}

static bool apply_events(mc_memray *self, const block_event *events, size_t count) {
    uint32_t kinds[AHEAD] = {0};
    if (!find_kinds(self, events, count, kinds)) return false;
    for (size_t i = 0; i < count; i++) {
        if (events[i].node & IS_FREE)
            count_free(self, mc_live_blocks_take(&self->blocks, events[i].address));
        else if (!allocate(self, events[i].address, events[i].size, kinds[i]))
            return false;
    }
    return true;
}

static bool apply_batch(void *user, const void *events, size_t count) {
    const block_event *at = events;
    for (size_t left = count, size; left > 0; left -= size, at += size) {
        size = left < AHEAD ? left : AHEAD;
        if (!apply_events(user, at, size)) return false;
    }
    return true;
}

// Waits until all events have happened. False: out of memory.
static bool flush(mc_memray *self) {
    return mc_event_batches_flush(&self->events) && !self->film.has_failed;
}

static mc_result add_event(mc_memray *self, uint64_t address, uint64_t size, uint32_t node,
                           uint32_t native) {
    mc_event_batches *events = &self->events;
    if (events->next == events->end && !mc_event_batches_hand_over(events))
        return MC_ERROR_OUT_OF_MEMORY;
    block_event *event = (block_event *)(void *)events->next;
    event->address = address;
    event->size = size;
    event->node = node;
    event->native = native;
    events->next += sizeof *event;
    return MC_OK;
}

// What is left of a range counts as one of its size, which its stack has allocated.
static bool add_range(mc_memray *self, uint64_t begin, uint64_t end, mc_memray_stack stack) {
    uint32_t kind = find_kind(self, end - begin, stack, hash_kind(end - begin, stack));
    if (kind == MC_NONE || !mc_memray_ranges_add(&self->ranges, begin, end, kind)) return false;
    mc_film_allocate(&self->film, kind, end - begin);
    return true;
}

static bool remove_range(mc_memray *self, uint64_t begin, uint64_t end) {
    mc_memray_range range;
    while (mc_memray_ranges_take(&self->ranges, begin, end, &range)) {
        mc_memray_stack stack = self->kinds[range.kind].stack;
        mc_film_free(&self->film, range.kind, range.end - range.begin);
        if (range.begin < begin && !add_range(self, range.begin, begin, stack)) return false;
        if (range.end > end && !add_range(self, end, range.end, stack)) return false;
    }
    return true;
}

// ---- records

// The stack that a record is of.
static mc_result find_stack(mc_memray *self, const mc_memray_record *record, mc_memray_stack *stack,
                            const char **expected) {
    const mc_memray_stacks *stacks = &self->stacks;
    uint64_t generation = record->generation;
    *stack = (mc_memray_stack){.node = (uint32_t)record->count};
    if (record->kind == MC_MEMRAY_TOTAL) {
        stack->is_main = record->id == self->codec.main_thread;
        if (record->count != 0 && record->count >= stacks->node_count) {
            *expected = "a stack that was described before";
            return MC_ERROR_BAD_DATA;
        }
    } else {
        stack->node = mc_memray_stacks_get(stacks);
        stack->is_main = stacks->thread_count > 0 &&
                         stacks->threads[stacks->thread].id == self->codec.main_thread;
        generation = self->native.images_count;
    }
    if (record->native == 0) return MC_OK;
    return mc_memray_native_find(&self->native, record->native, generation, &stack->native,
                                 expected);
}

static mc_result apply_block(mc_memray *self, const mc_memray_record *record,
                             const char **expected) {
    uint64_t end = record->address + record->size;
    mc_memray_stack stack;
    mc_result result = find_stack(self, record, &stack, expected);
    if (result != MC_OK) return result;
    if (record->size > SIZE_MOST || end < record->address) {
        *expected = "a size that an address space has room for";
        return MC_ERROR_BAD_DATA;
    }
    if (record->kind == MC_MEMRAY_ALLOCATE)
        return add_event(self, record->address, record->size,
                         stack.node | (stack.is_main ? IS_MAIN : 0), stack.native);
    bool is_fine = flush(self);
    if (is_fine && record->size > 0) {
        is_fine = remove_range(self, record->address, end);
        if (is_fine && record->kind == MC_MEMRAY_MAP)
            is_fine = add_range(self, record->address, end, stack);
    }
    return is_fine ? MC_OK : MC_ERROR_OUT_OF_MEMORY;
}

static mc_result apply_total(mc_memray *self, const mc_memray_record *record,
                             const char **expected) {
    mc_memray_stack stack;
    mc_result result = find_stack(self, record, &stack, expected);
    if (result != MC_OK) return result;
    if (record->totals.bytes_at_peak > SIZE_MOST || record->totals.bytes_at_end > SIZE_MOST) {
        *expected = "bytes that an address space has room for";
        return MC_ERROR_BAD_DATA;
    }
    return mc_memray_sums_add(&self->sums, stack, &record->totals) ? MC_OK : MC_ERROR_OUT_OF_MEMORY;
}

static mc_result apply_memory(mc_memray *self, const mc_memray_record *record,
                              const char **expected) {
    if (record->time_ms > MC_TIME_MAX / 4) {
        *expected = "a time";
        return MC_ERROR_BAD_DATA;
    }
    if (self->codec.is_aggregated) {
        mc_memray_sums_add_moment(&self->sums, record);
        return MC_OK;
    }
    if (!flush(self)) return MC_ERROR_OUT_OF_MEMORY;
    if (record->size <= MC_COUNT_MAX) mc_film_set_resident(&self->film, record->size);
    mc_film_set_time(&self->film, (int64_t)record->time_ms);
    return MC_OK;
}

static mc_result apply(mc_memray *self, const mc_memray_record *record, const char **expected) {
    const mc_memray_codec *codec = &self->codec;
    switch (record->kind) {
    case MC_MEMRAY_CODE:
    case MC_MEMRAY_FRAME: return mc_memray_stacks_add_code(&self->stacks, record);
    case MC_MEMRAY_THREAD: return mc_memray_stacks_switch(&self->stacks, record->id);
    case MC_MEMRAY_PUSH:
        return mc_memray_stacks_push(&self->stacks, codec->python, record, expected);
    case MC_MEMRAY_POP:
        return mc_memray_stacks_pop(&self->stacks, (uint32_t)record->count, expected);
    case MC_MEMRAY_FREE: return add_event(self, record->address, 0, IS_FREE, 0);
    case MC_MEMRAY_ALLOCATE:
    case MC_MEMRAY_MAP:
    case MC_MEMRAY_UNMAP: return apply_block(self, record, expected);
    case MC_MEMRAY_MEMORY: return apply_memory(self, record, expected);
    case MC_MEMRAY_LISTED:
        return mc_memray_stacks_add_listed(&self->stacks, codec->version, codec->python, record,
                                           expected);
    case MC_MEMRAY_NODE: return mc_memray_stacks_add_node(&self->stacks, record, expected);
    case MC_MEMRAY_TOTAL: return apply_total(self, record, expected);
    case MC_MEMRAY_NATIVE:
    case MC_MEMRAY_IMAGES:
    case MC_MEMRAY_IMAGE:
    case MC_MEMRAY_SEGMENT: return mc_memray_native_add(&self->native, record, expected);
    case MC_MEMRAY_END: self->has_ended = true; return MC_OK;
    default: return MC_OK;
    }
}

static mc_result check_memory(const mc_memray *self, mc_error *error) {
    uint64_t taken =
        mc_memray_stacks_measure(&self->stacks) + mc_memray_native_measure(&self->native);
    if (taken <= self->desc.memory_most) return MC_OK;
    return mc_error_set(error, MC_ERROR_BAD_DATA, self->offset,
                        "memray recording: its stacks take more than %" PRIu64
                        " bytes, many times as much as the file",
                        self->desc.memory_most);
}

// The records in `data`, as far as they are whole. *at: behind them.
static mc_result take_records(mc_memray *self, const unsigned char *data, size_t size, size_t *at,
                              mc_error *error) {
    const char *expected = NULL, *wrong = NULL;
    mc_memray_take take = MC_MEMRAY_TAKEN;
    if (!self->has_header) {
        take = mc_memray_take_header(&self->codec, data, size, at, &expected);
        self->has_header = take == MC_MEMRAY_TAKEN;
        if (self->codec.start_ms < 0 || self->codec.start_ms > MC_TIME_MAX / 4)
            self->codec.start_ms = 0;
        if (self->codec.end_ms > MC_TIME_MAX / 4) self->codec.end_ms = 0;
    }
    mc_memray_record record;
    while (take == MC_MEMRAY_TAKEN && !self->has_ended && *at < size) {
        size_t begin = *at;
        take = mc_memray_take_record(&self->codec, data, size, at, &record, &expected);
        if (take != MC_MEMRAY_TAKEN) break;
        mc_result result = apply(self, &record, &wrong);
        if (result == MC_ERROR_OUT_OF_MEMORY) return mc_error_out_of_memory(error);
        if (result != MC_OK) return fail(wrong, self->offset + begin, error);
    }
    return take == MC_MEMRAY_BAD ? fail(expected, self->offset + *at, error) : MC_OK;
}

// What is left of the piece before goes before this one.
mc_result mc_memray_feed(mc_memray *reader, const unsigned char *data, size_t size,
                         mc_error *error) {
    size_t at = 0;
    if (reader->has_ended) return MC_OK;
    if (reader->rest_size > RECORD_MOST)
        return fail("a record of at most 16 MiB", reader->offset, error);
    if (!mc_reserve(&reader->rest, &reader->rest_capacity, reader->rest_size + size + 1, 1))
        return mc_error_out_of_memory(error);
    if (size > 0) memcpy(reader->rest + reader->rest_size, data, size);
    reader->rest_size += size;
    mc_result result = take_records(reader, reader->rest, reader->rest_size, &at, error);
    if (result != MC_OK) return result;
    reader->rest_size -= at;
    memmove(reader->rest, reader->rest + at, reader->rest_size);
    reader->offset += at;
    return check_memory(reader, error);
}

// ---- steps

static bool find_kind_groups(mc_memray *self, mc_memray_sites *sites) {
    self->groups = mc_alloc(self->kind_count + 1, sizeof *self->groups);
    if (!self->groups) return false;
    for (size_t i = 0; i < self->kind_count; i++) {
        self->groups[i] = mc_memray_sites_find(sites, self->kinds[i].stack);
        if (self->groups[i] == MC_NONE) return false;
    }
    return true;
}

static mc_result find_groups(mc_memray *self, mc_error *error) {
    mc_memray_sites_desc desc = {.stacks = &self->stacks,
                                 .native = &self->native,
                                 .sites = self->sites,
                                 .hidden_count = self->codec.skipped_frames,
                                 .symbols = self->options.symbols,
                                 .path = self->desc.path,
                                 .log = self->desc.log};
    mc_memray_sites *sites;
    mc_result result = mc_memray_sites_create(&desc, &sites, error);
    if (result != MC_OK) return result;
    bool fits = self->codec.is_aggregated ? mc_memray_sums_find_groups(&self->sums, sites)
                                          : find_kind_groups(self, sites);
    mc_memray_sites_destroy(sites);
    return fits ? MC_OK : mc_error_out_of_memory(error);
}

mc_result mc_memray_finish(mc_memray *reader, bool *is_cut, mc_error *error) {
    const mc_profile_options *options = &reader->options;
    *is_cut = !reader->has_ended;
    if (!reader->has_header) return fail("a whole header", reader->offset, error);
    if (!flush(reader)) return mc_error_out_of_memory(error);
    mc_result result = mc_film_finish(&reader->film, error);
    if (result == MC_OK && reader->codec.is_aggregated)
        result = mc_memray_sums_create_sites(options, &reader->sites, error);
    else if (result == MC_OK)
        result =
            mc_film_sites_create(options->depth, options->has_libraries, &reader->sites, error);
    return result == MC_OK ? find_groups(reader, error) : result;
}

mc_result mc_memray_next_step(mc_memray *reader, const char *end_missing, mc_step_tree *tree,
                              bool *is_there, mc_error *error) {
    const int64_t start_ms = reader->codec.start_ms, end_ms = reader->codec.end_ms;
    if (reader->codec.is_aggregated)
        return mc_memray_sums_next_step(&reader->sums, reader->sites, start_ms,
                                        end_ms > start_ms ? end_ms - start_ms : 0, end_missing,
                                        tree, is_there, error);
    const mc_film_steps steps = {.film = &reader->film,
                                 .sites = reader->sites,
                                 .groups = reader->groups,
                                 .kind_count = (uint32_t)reader->kind_count,
                                 .start_ms = start_ms,
                                 .format = "memray",
                                 .end_missing = end_missing};
    return mc_film_steps_next(&steps, tree, is_there, error);
}
