#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/import/godump/go_state.h"
#include <string.h>

#define STRETCH_SIZE ((uint64_t)1 << 20) // of data that a thread reads at a time
#define STRETCHES_LEAST 16u              // of small data, so that it is read in the same way
#define CHAIN_MOST 16u                   // objects one behind another by which a first one is known
#define CHAIN_LEAST 4u
#define CHAIN_SIZE ((uint64_t)64 << 10) // bytes, at most
#define HEAD_SIZE 12u                   // bytes of a kind of record and a number, at most
#define TRIES_MOST 64u                  // chains that are looked at, so that it is no long search

// Objects one behind another. Where a stretch begins is guessed; it counts if the one before it
// ends there, as then one thread would have read the same.
typedef struct stretch {
    const unsigned char *nominal, *nominal_end; // it begins at or behind the first, and ends so
    const unsigned char *begin, *end;           // as read; begin NULL: not found
    uint64_t *ids, *sizes;
    uint32_t *shapes;
    uint32_t object_count;
    uint32_t at; // of all objects: its first one
    uint64_t edge_count;
    mc_go_maps maps;
    bool is_out_of_memory;
    size_t id_capacity, size_capacity, shape_capacity;
    size_t capacity; // the least of them
} stretch;

typedef struct round {
    const mc_go_state *state;
    stretch *stretches;
} round;

static bool is_likely(const mc_go_state *state, const mc_go_record *record) {
    const uint64_t address = record->numbers[0];
    return record->tag == MC_GO_OBJECT && address % state->pointer_size == 0 &&
           address >= state->arena_begin && address < state->arena_end;
}

static mc_go_cursor look_at(const mc_go_state *state, const unsigned char *at, uint64_t size) {
    const uint64_t left = (uint64_t)(state->cursor.end - at);
    return (mc_go_cursor){state->cursor.begin, at, at + (left < size ? left : size)};
}

// By its first number alone, whether it is cut off or not.
static bool may_be_first(const mc_go_state *state, const unsigned char *at) {
    mc_go_cursor cursor = look_at(state, at, HEAD_SIZE);
    mc_go_record record = {.tag = MC_GO_END};
    const char *wanted;
    (void)mc_go_record_read(&cursor, &record, &wanted);
    return is_likely(state, &record);
}

static bool is_first(const mc_go_state *state, const unsigned char *at) {
    mc_go_cursor cursor = look_at(state, at, CHAIN_SIZE);
    mc_go_record record;
    const char *wanted;
    uint32_t count = 0;
    while (count < CHAIN_MOST && mc_go_record_read(&cursor, &record, &wanted) == MC_GO_READ &&
           is_likely(state, &record))
        count++;
    return count >= CHAIN_LEAST;
}

// NULL: it is not found.
static const unsigned char *guess(const mc_go_state *state, const stretch *self) {
    const unsigned char *at = self->nominal;
    for (uint32_t tried = 0; tried < TRIES_MOST; at++) {
        at = memchr(at, MC_GO_OBJECT, (size_t)(self->nominal_end - at));
        if (!at) return NULL;
        if (!may_be_first(state, at)) continue;
        if (is_first(state, at)) return at;
        tried++;
    }
    return NULL;
}

static bool reserve(stretch *self, size_t count) {
    if (!mc_reserve(&self->ids, &self->id_capacity, count, sizeof *self->ids) ||
        !mc_reserve(&self->sizes, &self->size_capacity, count, sizeof *self->sizes) ||
        !mc_reserve(&self->shapes, &self->shape_capacity, count, sizeof *self->shapes))
        return false;
    self->capacity = self->id_capacity;
    if (self->size_capacity < self->capacity) self->capacity = self->size_capacity;
    if (self->shape_capacity < self->capacity) self->capacity = self->shape_capacity;
    return true;
}

static bool add_object(const mc_go_state *state, stretch *self, const mc_go_record *record) {
    const uint32_t at = self->object_count;
    const size_t count = (size_t)at + 1;
    if (count > self->capacity && !reserve(self, count)) return false;
    self->ids[at] = record->numbers[0];
    self->sizes[at] = record->texts[0].size;
    self->shapes[at] = mc_go_find_shape(state, record, &self->maps);
    if (self->shapes[at] == MC_NONE) return false;
    self->object_count++;
    self->edge_count += record->field_count;
    return true;
}

// Ends before what is no object, or too much of one.
static void read_stretch(void *user, uint32_t index, uint32_t thread) {
    const round *of = user;
    const mc_go_state *state = of->state;
    stretch *self = &of->stretches[index];
    mc_go_record record;
    const char *wanted;
    (void)thread;
    self->begin = index == 0 ? self->nominal : guess(state, self);
    self->end = self->begin;
    self->object_count = 0;
    self->edge_count = 0;
    self->maps.count = 0;
    if (!self->begin) return;
    mc_go_cursor cursor = {state->cursor.begin, self->begin, state->cursor.end};
    while (self->end < self->nominal_end &&
           mc_go_record_read(&cursor, &record, &wanted) == MC_GO_READ &&
           record.tag == MC_GO_OBJECT && record.field_count < MC_GO_OBJECTS_MOST) {
        self->is_out_of_memory = !add_object(state, self, &record);
        if (self->is_out_of_memory) return;
        self->end = cursor.at;
    }
}

static bool add_maps(mc_go_maps *maps, const mc_go_maps *added) {
    if (added->count == 0) return true;
    if (!mc_reserve(&maps->buckets, &maps->capacity, maps->count + added->count,
                    sizeof *maps->buckets))
        return false;
    memcpy(maps->buckets + maps->count, added->buckets, added->count * sizeof *added->buckets);
    maps->count += added->count;
    return true;
}

static bool reserve_objects(mc_go_state *state, size_t count) {
    mc_object_heap *heap = state->heap;
    return mc_reserve(&heap->object_ids, &state->id_capacity, count, sizeof *heap->object_ids) &&
           mc_reserve(&heap->object_sizes, &state->size_capacity, count,
                      sizeof *heap->object_sizes) &&
           mc_reserve(&heap->object_types, &state->type_capacity, count,
                      sizeof *heap->object_types);
}

// As many as there will be if the rest of the file is like what was read, as columns that move as
// they grow cost as much as reading. What is too much is never touched.
static bool make_room(mc_go_state *state, size_t count) {
    const uint64_t read = (uint64_t)(state->cursor.at - state->cursor.begin);
    const double likely = (double)count * 1.02 * (double)state->size / (double)read;
    if (count <= state->id_capacity && count <= state->size_capacity &&
        count <= state->type_capacity)
        return true;
    if (likely < MC_GO_OBJECTS_MOST && likely > (double)count &&
        reserve_objects(state, (size_t)likely))
        return true;
    return reserve_objects(state, count);
}

static void copy_stretch(void *user, uint32_t index, uint32_t thread) {
    const round *of = user;
    const mc_object_heap *heap = of->state->heap;
    const stretch *from = &of->stretches[index];
    const size_t count = from->object_count;
    (void)thread;
    if (count == 0) return;
    memcpy(heap->object_ids + from->at, from->ids, count * sizeof *from->ids);
    memcpy(heap->object_sizes + from->at, from->sizes, count * sizeof *from->sizes);
    memcpy(heap->object_types + from->at, from->shapes, count * sizeof *from->shapes);
}

// Those that count, one behind another; *added: how many.
static mc_result add_stretches(mc_go_state *state, round *of, uint32_t count, uint32_t thread_count,
                               uint32_t *added) {
    mc_object_heap *heap = state->heap;
    for (*added = 0; *added < count; ++*added) {
        stretch *next = &of->stretches[*added];
        if (next->begin != state->cursor.at) break; // the first one's is there
        if (next->is_out_of_memory || !add_maps(&state->maps, &next->maps) ||
            (next->object_count > 0 && !mc_go_begin_part(state, next->begin)))
            return mc_error_out_of_memory(state->error);
        next->at = heap->object_count;
        heap->object_count += next->object_count;
        state->edge_count += next->edge_count;
        state->cursor.at = next->end;
    }
    if (!make_room(state, heap->object_count)) return mc_error_out_of_memory(state->error);
    mc_parallel_run(*added, thread_count, copy_stretch, of);
    return MC_OK;
}

// From the cursor on; *added: how many stretches count.
static mc_result read_round(mc_go_state *state, stretch *stretches, uint32_t count, uint64_t size,
                            uint32_t thread_count, uint32_t *added) {
    const unsigned char *at = state->cursor.at, *end = state->cursor.end;
    round of = {state, stretches};
    uint32_t used = 0;
    for (; used < count && at < end; used++) {
        stretches[used].nominal = at;
        at = (uint64_t)(end - at) > size ? at + size : end;
        stretches[used].nominal_end = at;
    }
    mc_parallel_run(used, thread_count, read_stretch, &of);
    mc_result result = add_stretches(state, &of, used, thread_count, added);
    return result == MC_OK ? mc_go_report(state, 0) : result;
}

static void deinit(stretch *self) {
    mc_free(self->ids);
    mc_free(self->sizes);
    mc_free(self->shapes);
    mc_free(self->maps.buckets);
}

mc_result mc_go_read_ahead(mc_go_state *state, bool *is_worth_it) {
    const uint32_t threads = state->desc->thread_count > 0 ? state->desc->thread_count : 1;
    const uint32_t count = threads * 4;
    const uint64_t part = state->size / STRETCHES_LEAST + 1;
    const uint64_t size = part < STRETCH_SIZE ? part : STRETCH_SIZE;
    stretch *stretches = mc_alloc_zero(count, sizeof *stretches);
    if (!stretches) return mc_error_out_of_memory(state->error);
    uint32_t added;
    mc_result result;
    do {
        // Where there is no room for as many, one is read after another.
        if (MC_GO_OBJECTS_MOST - state->heap->object_count < (uint64_t)count * size) {
            *is_worth_it = false;
            result = MC_OK;
            break;
        }
        result = read_round(state, stretches, count, size, threads, &added);
        *is_worth_it = added > 1;
    } while (result == MC_OK && added > 0 && stretches[added - 1].object_count > 0 &&
             stretches[added - 1].end >= stretches[added - 1].nominal_end);
    for (uint32_t i = 0; i < count; i++)
        deinit(&stretches[i]);
    mc_free(stretches);
    return result;
}
