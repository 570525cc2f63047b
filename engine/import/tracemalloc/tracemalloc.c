#include "engine/import/tracemalloc/tracemalloc.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/import/tracemalloc/pickle.h"
#include <string.h>

enum { SNAPSHOT, TRACES };
static const char *const classes[] = {"tracemalloc.Snapshot", "tracemalloc._Traces", NULL};

typedef struct stack {
    uint64_t items; // where its tuple begins
    uint32_t count; // frames
    uint64_t values[2];
} stack;

typedef struct frame_key {
    const char *file;
    uint32_t size, line;
} frame_key;

typedef struct parser {
    const mc_profile_input *input;
    mc_profile *profile;
    mc_error *error;
    const mc_pickle *pickle;
    stack *stacks; // distinct tuples
    size_t stack_count, stack_capacity;
    mc_slots stack_slots;
    frame_key *keys; // of the profile's frames
    size_t key_capacity;
    mc_slots frame_slots;
} parser;

static mc_result fail(const parser *self, const char *what) {
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                        "tracemalloc snapshot: %s", what);
}

static mc_result fail_memory(const parser *self) {
    return mc_error_out_of_memory(self->error);
}

// ---- traces

static stack *find_stack(parser *self, uint64_t items, uint32_t count) {
    uint32_t hash = (uint32_t)mc_hash_u64(items, count);
    for (uint32_t at = hash, found;
         self->stacks && (found = mc_slots_find(&self->stack_slots, hash, &at)) != MC_NONE;)
        if (self->stacks[found].items == items && self->stacks[found].count == count)
            return &self->stacks[found];
    if (!mc_reserve(&self->stacks, &self->stack_capacity, self->stack_count + 1,
                    sizeof *self->stacks) ||
        !mc_slots_add(&self->stack_slots, hash, (uint32_t)self->stack_count))
        return NULL;
    self->stacks[self->stack_count] = (stack){.items = items, .count = count};
    return &self->stacks[self->stack_count++];
}

// (domain, size, frames, number of frames); earlier versions lack the last, or the first as well.
static mc_result take_trace(parser *self, mc_pickle_value trace) {
    size_t count;
    const mc_pickle_value *items = mc_pickle_get_items(self->pickle, trace, &count);
    size_t first = count >= 3 ? 1 : 0;
    if (trace.kind != MC_PICKLE_TUPLE || count < 2 || count > 4 ||
        items[first].kind != MC_PICKLE_NUMBER || items[first + 1].kind != MC_PICKLE_TUPLE)
        return fail(self, "a trace is not (domain, size, frames, number of frames)");
    int64_t size = items[first].is.number;
    if (size < 0) return fail(self, "a block has a negative size");
    stack *s = find_stack(self, items[first + 1].is.part, items[first + 1].count);
    if (!s) return fail_memory(self);
    if ((uint64_t)size > MC_COUNT_MAX - s->values[1])
        return fail(self, "all blocks together are more than 2^63 - 1 bytes");
    s->values[0]++;
    s->values[1] += (uint64_t)size;
    return MC_OK;
}

static mc_result take_traces(parser *self, mc_pickle_value root) {
    size_t count;
    mc_pickle_value traces = mc_pickle_find(self->pickle, root, "traces");
    if (mc_pickle_get_class(self->pickle, root) != SNAPSHOT ||
        mc_pickle_get_class(self->pickle, traces) != TRACES)
        return fail(self, "it is no tracemalloc.Snapshot with traces");
    mc_pickle_value list = mc_pickle_find(self->pickle, traces, "_traces");
    const mc_pickle_value *items = mc_pickle_get_items(self->pickle, list, &count);
    if (list.kind != MC_PICKLE_LIST && list.kind != MC_PICKLE_TUPLE)
        return fail(self, "its traces are no list");
    for (size_t i = 0; i < count; i++) {
        mc_result result = take_trace(self, items[i]);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

// ---- frames

// The profile's frame of a file and line; MC_NONE: out of memory.
static uint32_t find_frame(parser *self, mc_pickle_value file, uint32_t line) {
    frame_key key = {file.is.text, file.count, line};
    uint32_t hash = (uint32_t)mc_hash_bytes(key.file, key.size, line);
    for (uint32_t at = hash, found;
         (found = mc_slots_find(&self->frame_slots, hash, &at)) != MC_NONE;) {
        const frame_key *known = &self->keys[found];
        if (known->line == line && known->size == key.size &&
            memcmp(known->file, key.file, key.size) == 0)
            return found;
    }
    mc_site_frame frame = {.file = {key.file, key.size}, .line = line};
    uint32_t number = mc_profile_add_frame(self->profile, frame);
    if (number == MC_NONE ||
        !mc_reserve(&self->keys, &self->key_capacity, (size_t)number + 1, sizeof key) ||
        !mc_slots_add(&self->frame_slots, hash, number))
        return MC_NONE;
    self->keys[number] = key;
    return number;
}

static mc_result push_frame(parser *self, mc_pickle_value value) {
    size_t count;
    const mc_pickle_value *items = mc_pickle_get_items(self->pickle, value, &count);
    if (value.kind != MC_PICKLE_TUPLE || count != 2 || items[0].kind != MC_PICKLE_TEXT ||
        items[1].kind != MC_PICKLE_NUMBER)
        return fail(self, "a frame is not (file, line)");
    int64_t line = items[1].is.number;
    uint32_t frame = find_frame(self, items[0], line > 0 && line < MC_NONE ? (uint32_t)line : 0);
    return frame != MC_NONE && mc_profile_push_frame(self->profile, frame) ? MC_OK
                                                                           : fail_memory(self);
}

static mc_result add_sample(parser *self, const stack *s) {
    mc_pickle_value frames = {.kind = MC_PICKLE_TUPLE, .count = s->count, .is.part = s->items};
    size_t count;
    const mc_pickle_value *items = mc_pickle_get_items(self->pickle, frames, &count);
    for (size_t i = 0; i < count; i++) {
        mc_result result = push_frame(self, items[i]);
        if (result != MC_OK) return result;
    }
    return mc_profile_add_sample(self->profile, s->values, NULL, 0) ? MC_OK : fail_memory(self);
}

static mc_result read_pickle(parser *self, mc_pickle_value root) {
    mc_result result = take_traces(self, root);
    if (result == MC_OK &&
        !mc_profile_add_step(self->profile, (mc_profile_step){.has_time = false}))
        result = fail_memory(self);
    for (size_t i = 0; i < self->stack_count && result == MC_OK; i++)
        result = add_sample(self, &self->stacks[i]);
    return result;
}

mc_result mc_tracemalloc_parse(const mc_profile_input *input, mc_profile *profile,
                               mc_error *error) {
    static const mc_path_metric metrics[] = {MC_SITES_OBJECTS, MC_SITES_BYTES};
    mc_error own = {.code = MC_OK};
    parser self = {.input = input, .profile = profile, .error = error ? error : &own};
    mc_pickle *pickle;
    mc_pickle_value root;
    memcpy(profile->metrics, metrics, sizeof metrics);
    profile->metrics[2].key = NULL;
    mc_result result =
        mc_pickle_read(input->data, input->size, classes, input->watch, &pickle, &root, self.error);
    if (result != MC_OK) return result;
    self.pickle = pickle;
    result = read_pickle(&self, root);
    mc_pickle_destroy(pickle);
    mc_free(self.stacks);
    mc_slots_deinit(&self.stack_slots);
    mc_free(self.keys);
    mc_slots_deinit(&self.frame_slots);
    return result;
}

bool mc_tracemalloc_detect(const unsigned char *data, size_t size) {
    static const char name[] = "\x8c\x0btracemalloc";
    enum { HEAD = 2, FRAME = 9, NAME = sizeof name - 1 };
    if (size < HEAD || data[0] != 0x80 || data[1] < 4 || data[1] > 5) return false;
    size_t at = size > HEAD && data[HEAD] == 0x95 ? HEAD + FRAME : HEAD;
    return size >= at + NAME && memcmp(data + at, name, NAME) == 0;
}
