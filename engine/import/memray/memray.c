#include "engine/import/memray/memray.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/import/memray/memray_ranges.h"
#include "engine/import/memray/memray_stacks.h"
#include "engine/import/stacks/film_steps.h"
#include "engine/import/stacks/live_blocks.h"
#include <inttypes.h>
#include <string.h>

#define RECORD_MOST ((size_t)16 << 20)
#define STACK_MOST 512 // frames of a stack that are looked at
#define SIZE_MOST (UINT64_C(1) << 62)

// So many bytes, allocated by a stack.
typedef struct block_kind {
    uint64_t size;
    uint32_t node;
} block_kind;

struct mc_memray {
    mc_profile_options options;
    uint64_t memory_most;
    mc_memray_codec codec;
    mc_memray_stacks stacks;
    block_kind *kinds;
    size_t kind_count, kind_capacity;
    mc_slots kind_slots; // by size and node
    mc_live_blocks blocks;
    mc_memray_ranges ranges;
    mc_film film;
    bool has_header, has_ended;

    // What has come of a record whose end has not.
    unsigned char *rest;
    size_t rest_size, rest_capacity;
    uint64_t offset; // of that

    // steps
    mc_stack_sites *sites;
    uint32_t *groups; // of the kinds
};

mc_result mc_memray_create(const mc_profile_options *options, uint64_t memory_most,
                           mc_memray **reader, mc_error *error) {
    mc_memray *self = *reader = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->options = *options;
    self->memory_most = memory_most;
    mc_live_blocks_init(&self->blocks);
    mc_film_init(&self->film, options->moment_count ? options->moment_count : MC_PROFILE_MOMENTS);
    return MC_OK;
}

void mc_memray_destroy(mc_memray *reader) {
    if (!reader) return;
    mc_memray_stacks_deinit(&reader->stacks);
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

static uint32_t find_kind(mc_memray *self, uint64_t size, uint32_t node) {
    uint32_t hash = (uint32_t)mc_hash_u64(size, node), number = (uint32_t)self->kind_count;
    for (uint32_t at = hash, found;
         (found = mc_slots_find(&self->kind_slots, hash, &at)) != MC_NONE;)
        if (self->kinds[found].size == size && self->kinds[found].node == node) return found;
    if (!mc_reserve(&self->kinds, &self->kind_capacity, self->kind_count + 1,
                    sizeof *self->kinds) ||
        !mc_slots_add(&self->kind_slots, hash, number) || mc_film_add_kind(&self->film) == MC_NONE)
        return MC_NONE;
    self->kinds[self->kind_count++] = (block_kind){size, node};
    return number;
}

static void free_block(mc_memray *self, uint64_t address) {
    uint32_t block = mc_live_blocks_find(&self->blocks, address);
    if (block == MC_NONE) return; // allocated before the recording began
    uint32_t kind = mc_live_blocks_remove(&self->blocks, block);
    mc_film_free(&self->film, kind, self->kinds[kind].size);
}

static bool allocate(mc_memray *self, const mc_memray_record *record) {
    free_block(self, record->address); // where its end was missed
    uint32_t kind = find_kind(self, record->size, mc_memray_stacks_get(&self->stacks));
    if (kind == MC_NONE || !mc_live_blocks_add(&self->blocks, record->address, kind)) return false;
    mc_film_allocate(&self->film, kind, record->size);
    return true;
}

// What is left of a range counts as one of its size, which its stack has allocated.
static bool add_range(mc_memray *self, uint64_t begin, uint64_t end, uint32_t node) {
    uint32_t kind = find_kind(self, end - begin, node);
    if (kind == MC_NONE || !mc_memray_ranges_add(&self->ranges, begin, end, kind)) return false;
    mc_film_allocate(&self->film, kind, end - begin);
    return true;
}

static bool remove_range(mc_memray *self, uint64_t begin, uint64_t end) {
    mc_memray_range range;
    while (mc_memray_ranges_take(&self->ranges, begin, end, &range)) {
        uint32_t node = self->kinds[range.kind].node;
        mc_film_free(&self->film, range.kind, range.end - range.begin);
        if (range.begin < begin && !add_range(self, range.begin, begin, node)) return false;
        if (range.end > end && !add_range(self, end, range.end, node)) return false;
    }
    return true;
}

// ---- records

static mc_result apply(mc_memray *self, const mc_memray_record *record, const char **expected) {
    uint64_t end = record->address + record->size, hidden = 0;
    bool is_fine = true;
    switch (record->kind) {
    case MC_MEMRAY_CODE:
    case MC_MEMRAY_FRAME: return mc_memray_stacks_add_code(&self->stacks, record);
    case MC_MEMRAY_THREAD: return mc_memray_stacks_switch(&self->stacks, record->id);
    case MC_MEMRAY_PUSH:
        if (self->stacks.thread_count > 0 &&
            self->stacks.threads[self->stacks.thread].id == self->codec.main_thread)
            hidden = self->codec.skipped_frames;
        return mc_memray_stacks_push(&self->stacks, self->codec.python, record, hidden, expected);
    case MC_MEMRAY_POP: return mc_memray_stacks_pop(&self->stacks, record->count, expected);
    case MC_MEMRAY_FREE: free_block(self, record->address); break;
    case MC_MEMRAY_ALLOCATE:
    case MC_MEMRAY_MAP:
    case MC_MEMRAY_UNMAP:
        if (record->size > SIZE_MOST || end < record->address) {
            *expected = "a size that an address space has room for";
            return MC_ERROR_BAD_DATA;
        }
        if (record->kind == MC_MEMRAY_ALLOCATE) {
            is_fine = allocate(self, record);
        } else if (record->size > 0) {
            is_fine = remove_range(self, record->address, end);
            if (is_fine && record->kind == MC_MEMRAY_MAP)
                is_fine =
                    add_range(self, record->address, end, mc_memray_stacks_get(&self->stacks));
        }
        break;
    case MC_MEMRAY_MEMORY:
        if (record->time_ms > MC_TIME_MAX / 4) {
            *expected = "a time";
            return MC_ERROR_BAD_DATA;
        }
        if (record->size <= MC_COUNT_MAX) mc_film_set_resident(&self->film, record->size);
        mc_film_set_time(&self->film, (int64_t)record->time_ms);
        break;
    case MC_MEMRAY_END: self->has_ended = true; break;
    default: break;
    }
    return is_fine ? MC_OK : MC_ERROR_OUT_OF_MEMORY;
}

static mc_result check_memory(const mc_memray *self, mc_error *error) {
    if (mc_memray_stacks_measure(&self->stacks) <= self->memory_most) return MC_OK;
    return mc_error_set(error, MC_ERROR_BAD_DATA, self->offset,
                        "memray recording: its stacks take more than %" PRIu64
                        " bytes, many times as much as the file",
                        self->memory_most);
}

// The records in `data`, as far as they are whole. *at: behind them.
static mc_result take_records(mc_memray *self, const unsigned char *data, size_t size, size_t *at,
                              mc_error *error) {
    const char *expected = NULL;
    mc_memray_take take = MC_MEMRAY_TAKEN;
    if (!self->has_header) {
        take = mc_memray_take_header(&self->codec, data, size, at, &expected);
        self->has_header = take == MC_MEMRAY_TAKEN;
        if (self->codec.start_ms < 0 || self->codec.start_ms > MC_TIME_MAX / 4)
            self->codec.start_ms = 0;
    }
    while (take == MC_MEMRAY_TAKEN && !self->has_ended && *at < size) {
        mc_memray_record record;
        size_t begin = *at;
        take = mc_memray_take_record(&self->codec, data, size, at, &record, &expected);
        if (take != MC_MEMRAY_TAKEN) break;
        mc_result result = apply(self, &record, &expected);
        if (result == MC_ERROR_OUT_OF_MEMORY) return mc_error_out_of_memory(error);
        if (result != MC_OK) return fail(expected, self->offset + begin, error);
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
    if (reader->film.has_failed) return mc_error_out_of_memory(error);
    return check_memory(reader, error);
}

// ---- steps

static mc_span get_text(const mc_memray *self, uint32_t text) {
    mc_span span;
    span.at = mc_strings_get(&self->stacks.texts, text, &span.size);
    return span;
}

static bool find_site_frames(mc_memray *self, uint32_t *found) {
    for (size_t i = 0; i < self->stacks.frame_count; i++) {
        const mc_memray_frame *frame = &self->stacks.frames[i];
        mc_site_frame site = {.function = get_text(self, frame->function),
                              .file = get_text(self, frame->file),
                              .line = frame->line};
        found[i] = mc_stack_sites_add_frame(self->sites, &site);
        if (found[i] == MC_NONE) return false;
    }
    return true;
}

static bool find_kind_groups(mc_memray *self, const uint32_t *frames) {
    for (size_t i = 0; i < self->kind_count; i++) {
        uint32_t stack[STACK_MOST], count = 0;
        for (uint32_t node = self->kinds[i].node; node != 0 && count < STACK_MOST;
             node = self->stacks.nodes[node].parent)
            stack[count++] = frames[self->stacks.nodes[node].frame];
        self->groups[i] = mc_stack_sites_find(self->sites, stack, count, NULL, 0);
        if (self->groups[i] == MC_NONE) return false;
    }
    return true;
}

static mc_result find_groups(mc_memray *self, mc_error *error) {
    mc_result result =
        mc_film_sites_create(self->options.depth, self->options.has_libraries, &self->sites, error);
    if (result != MC_OK) return result;
    uint32_t *frames = mc_alloc(self->stacks.frame_count + 1, sizeof *frames);
    self->groups = mc_alloc(self->kind_count + 1, sizeof *self->groups);
    bool fits =
        frames && self->groups && find_site_frames(self, frames) && find_kind_groups(self, frames);
    mc_free(frames);
    return fits ? MC_OK : mc_error_out_of_memory(error);
}

mc_result mc_memray_finish(mc_memray *reader, bool *is_cut, mc_error *error) {
    *is_cut = !reader->has_ended;
    if (!reader->has_header) return fail("a whole header", reader->offset, error);
    mc_result result = mc_film_finish(&reader->film, error);
    return result == MC_OK ? find_groups(reader, error) : result;
}

mc_result mc_memray_next_step(mc_memray *reader, const char *end_missing, mc_step_tree *tree,
                              bool *is_there, mc_error *error) {
    const mc_film_steps steps = {.film = &reader->film,
                                 .sites = reader->sites,
                                 .groups = reader->groups,
                                 .kind_count = (uint32_t)reader->kind_count,
                                 .start_ms = reader->codec.start_ms,
                                 .format = "memray",
                                 .end_missing = end_missing};
    return mc_film_steps_next(&steps, tree, is_there, error);
}
