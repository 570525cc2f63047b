#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/import/godump/go_state.h"
#include "engine/import/stacks/stack_sites.h"
#include <inttypes.h>

#define LEVELS 2
#define SMALL_SIZE 1024u                // of an object up to which its pointers are counted
#define LARGE_SIZE (UINT64_C(32) << 10) // behind which there are no size classes
#define SITE_NONE MC_NONE
#define RECENT_TYPES 64u

// ---- shapes

// The header of Go's maps up to 1.23: number of entries, flags, logarithm of the number of
// buckets; pointers to buckets, old buckets, and what else there is. Buckets have room for eight,
// and are filled to 6.5.
static bool is_map(const mc_go_state *self, const mc_go_record *object) {
    const uint64_t word = self->pointer_size;
    const uint64_t wanted[3] = {8 + word, 8 + 2 * word, 8 + 4 * word};
    const mc_span contents = object->texts[0];
    if (word != 8 || contents.size != 48 || object->field_count != 3) return false;
    mc_span fields = object->fields;
    for (int i = 0; i < 3; i++) {
        uint64_t offset;
        if (!mc_go_fields_take(&fields, &offset) || offset != wanted[i]) return false;
    }
    const unsigned char *at = (const unsigned char *)contents.at;
    const uint64_t count = mc_go_read_word(self, at),
                   buckets = mc_go_read_word(self, at + wanted[0]);
    const unsigned char flags = at[8], log = at[9];
    if (flags > 15 || log > 48) return false;
    if (buckets == 0) return count == 0;
    return count <= (log == 0 ? 8 : UINT64_C(13) << (log - 1));
}

// Its buckets are an object of their own, or a part of one.
static bool note_map(const mc_go_state *self, const mc_go_record *object, mc_go_maps *maps) {
    const unsigned char *at = (const unsigned char *)object->texts[0].at;
    for (uint32_t word = 2; word < 4; word++) {
        const uint64_t address = mc_go_read_word(self, at + (size_t)word * 8);
        if (address == 0) continue;
        if (!mc_reserve(&maps->buckets, &maps->capacity, maps->count + 1, sizeof *maps->buckets))
            return false;
        maps->buckets[maps->count++] = address;
    }
    return true;
}

uint32_t mc_go_find_shape(const mc_go_state *self, const mc_go_record *object, mc_go_maps *maps) {
    uint64_t count = object->field_count;
    if (is_map(self, object)) return note_map(self, object, maps) ? MC_GO_SHAPE_MAP : MC_NONE;
    if (object->texts[0].size > SMALL_SIZE) count = count > 0;
    return count < MC_GO_SHAPE_MANY ? (uint32_t)count : MC_GO_SHAPE_MANY;
}

// What other objects say of an object.
static void set_shape(mc_go_state *self, uint64_t address, uint32_t shape) {
    const uint32_t object = mc_go_spans_find(&self->spans, address);
    if (object != MC_NONE && self->heap->object_ids[object] == address)
        self->heap->object_types[object] = shape;
}

// ---- sites

static uint32_t find_bucket(const mc_go_state *self, uint64_t id) {
    const uint32_t hash = (uint32_t)mc_hash_u64(id, 0);
    for (uint32_t at = hash, i; (i = mc_slots_find(&self->bucket_slots, hash, &at)) != MC_NONE;)
        if (self->buckets[i].id == id) return i;
    return MC_NONE;
}

// The innermost frame of the program's own code, or the innermost that is not the allocator's.
static bool choose_frame(mc_span frames, mc_site_frame *chosen) {
    mc_go_frame frame;
    bool has_any = false;
    while (mc_go_frames_take(&frames, &frame)) {
        const mc_frame_kind kind =
            mc_frame_kind_find(frame.function, frame.file, (mc_span){NULL, 0});
        if (kind != MC_FRAME_PROGRAM && (has_any || kind == MC_FRAME_ALLOCATOR)) continue;
        *chosen = (mc_site_frame){.function = frame.function,
                                  .file = frame.file,
                                  .line = frame.line < MC_NONE ? (uint32_t)frame.line : 0};
        if (kind == MC_FRAME_PROGRAM) return true;
        has_any = true;
    }
    return false;
}

mc_result mc_go_add_bucket(mc_go_state *self, const mc_go_record *record) {
    mc_site_frame frame = {.line = 0};
    if (self->bucket_count >= MC_NONE - 1 || find_bucket(self, record->numbers[0]) != MC_NONE)
        return MC_OK;
    const bool is_program = choose_frame(record->fields, &frame);
    mc_text_clear(&self->text);
    if (frame.function.size > 0 || frame.file.size > 0)
        mc_site_frame_append(&frame, false, &self->text);
    else
        mc_text_append_string(&self->text, "(the runtime)");
    const uint32_t site =
        self->text.failed ? MC_NONE
                          : mc_object_heap_add_text(self->heap, self->text.data, self->text.size);
    if (site == MC_NONE ||
        !mc_reserve(&self->buckets, &self->bucket_capacity, (size_t)self->bucket_count + 1,
                    sizeof *self->buckets) ||
        !mc_slots_add(&self->bucket_slots, (uint32_t)mc_hash_u64(record->numbers[0], 0),
                      self->bucket_count))
        return mc_error_out_of_memory(self->error);
    self->buckets[self->bucket_count++] = (mc_go_bucket){record->numbers[0], site, is_program};
    return MC_OK;
}

mc_result mc_go_add_sample(mc_go_state *self, const mc_go_record *record) {
    const uint32_t bucket = find_bucket(self, record->numbers[1]);
    if (bucket == MC_NONE) return MC_OK;
    if (!mc_reserve(&self->samples, &self->sample_capacity, self->sample_count + 1,
                    sizeof *self->samples))
        return mc_error_out_of_memory(self->error);
    self->samples[self->sample_count++] = (mc_go_sample){record->numbers[0], bucket};
    return MC_OK;
}

// ---- types

typedef struct type_key {
    uint64_t size; // of objects
    uint32_t shape, bucket, type;
} type_key;

typedef struct type_table {
    type_key *keys;
    size_t capacity;
    uint32_t count;
    uint32_t recent[RECENT_TYPES]; // by size and shape
    mc_slots slots;
} type_table;

static const char *get_shape_name(uint32_t shape) {
    return shape == MC_GO_SHAPE_MAP         ? "map"
           : shape == MC_GO_SHAPE_BUCKETS   ? "map buckets"
           : shape == MC_GO_SHAPE_GOROUTINE ? "goroutine"
                                            : NULL;
}

// "48 B with 3 pointers": no comma, as it stands in lists.
static void append_shape(mc_text *text, uint64_t size, uint32_t shape) {
    if (size > LARGE_SIZE)
        mc_text_append_string(text, "more than 32 KiB");
    else
        mc_text_format(text, "%" PRIu64 " B", size);
    if (shape == 0)
        mc_text_append_string(text, " without pointers");
    else if (size > SMALL_SIZE)
        mc_text_append_string(text, " with pointers");
    else
        mc_text_format(text, " with %" PRIu32 " pointer%s", shape, shape == 1 ? "" : "s");
}

// The same before "objects": "48-byte, 3-pointer", or "48-byte" if a site follows.
static void append_adjective(mc_text *text, uint64_t size, uint32_t shape, bool is_brief) {
    if (size > LARGE_SIZE)
        mc_text_append_string(text, "large");
    else
        mc_text_format(text, "%" PRIu64 "-byte", size);
    if (is_brief) return;
    if (shape == 0)
        mc_text_append_string(text, ", pointer-free");
    else if (size <= SMALL_SIZE)
        mc_text_format(text, ", %" PRIu32 "-pointer", shape);
}

static mc_result prepare(mc_go_state *self) {
    self->map_title = mc_object_heap_add_text(self->heap, "map", 3);
    self->buckets_title = mc_object_heap_add_text(self->heap, "map buckets", 11);
    return self->map_title != MC_NONE && self->buckets_title != MC_NONE
               ? MC_OK
               : mc_error_out_of_memory(self->error);
}

static uint32_t make_type(mc_go_state *self, const type_key *key) {
    mc_text shape = {0}, *title = &self->text;
    const mc_go_bucket *bucket = key->bucket == SITE_NONE ? NULL : &self->buckets[key->bucket];
    const char *name = get_shape_name(key->shape), *site = "(not sampled)";
    const bool is_list = name || (key->size > SMALL_SIZE && key->shape > 0);
    size_t site_size = strlen(site);
    uint32_t flags = is_list && key->shape != MC_GO_SHAPE_GOROUTINE ? MC_OBJECT_ARRAY : 0;
    if (!name && (!bucket || bucket->is_program)) flags |= MC_OBJECT_PROGRAM;
    if (bucket) site = mc_strings_get(&self->heap->texts, bucket->site, &site_size);
    mc_text_clear(title);
    if (name)
        mc_text_append_string(title, name);
    else
        append_adjective(title, key->size, key->shape, bucket != NULL);
    if (bucket && !name) {
        mc_text_append(title, " ", 1);
        mc_text_append(title, site, site_size);
    }
    if (name)
        mc_text_append_string(&shape, name);
    else
        append_shape(&shape, key->size, key->shape);
    uint32_t type = MC_NONE;
    if (!shape.failed && !title->failed) {
        const mc_heap_key keys[LEVELS] = {{site, site_size}, {shape.data, shape.size}};
        type = mc_object_heap_find_type(self->heap, keys, (mc_heap_key){title->data, title->size},
                                        flags);
    }
    mc_text_deinit(&shape);
    return type;
}

static bool is_same(const type_key *a, const type_key *b) {
    return a->size == b->size && a->shape == b->shape && a->bucket == b->bucket;
}

static uint32_t find_type(mc_go_state *self, type_table *table, type_key key) {
    if (key.size > LARGE_SIZE) key.size = LARGE_SIZE + 1;
    if (key.shape > MC_GO_SHAPE_MANY) key.size = 0;
    uint32_t *recent = &table->recent[(key.size / 8 + key.shape * 7) % RECENT_TYPES];
    if (table->keys && is_same(&table->keys[*recent], &key)) return table->keys[*recent].type;
    const uint64_t words[2] = {key.size, (uint64_t)key.shape << 32 | key.bucket};
    const uint32_t hash = (uint32_t)mc_hash_bytes(words, sizeof words, 0);
    for (uint32_t at = hash, i; (i = mc_slots_find(&table->slots, hash, &at)) != MC_NONE;) {
        assert(table->keys);
        if (is_same(&table->keys[i], &key)) return table->keys[*recent = i].type;
    }
    key.type = make_type(self, &key);
    if (key.type == MC_NONE ||
        !mc_reserve(&table->keys, &table->capacity, (size_t)table->count + 1,
                    sizeof *table->keys) ||
        !mc_slots_add(&table->slots, hash, table->count))
        return MC_NONE;
    *recent = table->count++;
    table->keys[*recent] = key;
    return key.type;
}

// By object, if there are samples.
static mc_result list_sites(const mc_go_state *self, uint32_t **sites) {
    const uint32_t count = self->heap->object_count;
    *sites = NULL;
    if (self->sample_count == 0) return MC_OK;
    *sites = mc_alloc((size_t)count + 1, sizeof **sites);
    if (!*sites) return mc_error_out_of_memory(self->error);
    memset(*sites, 0xff, ((size_t)count + 1) * sizeof **sites);
    for (size_t i = 0; i < self->sample_count; i++) {
        const uint32_t object = mc_go_spans_find(&self->spans, self->samples[i].address);
        if (object != MC_NONE) (*sites)[object] = self->samples[i].bucket;
    }
    return MC_OK;
}

mc_result mc_go_find_types(mc_go_state *self) {
    mc_object_heap *heap = self->heap;
    type_table table = {.keys = NULL};
    uint32_t *sites;
    for (size_t i = 0; i < self->maps.count; i++)
        set_shape(self, self->maps.buckets[i], MC_GO_SHAPE_BUCKETS);
    for (size_t i = 0; i < self->goroutine_count; i++)
        set_shape(self, self->goroutines[i].address, MC_GO_SHAPE_GOROUTINE);
    mc_result result = prepare(self);
    sites = NULL;
    if (result == MC_OK) result = list_sites(self, &sites);
    for (uint32_t i = 0; result == MC_OK && i < heap->object_count; i++) {
        const type_key key = {.size = heap->object_sizes[i],
                              .shape = heap->object_types[i],
                              .bucket = sites ? sites[i] : SITE_NONE};
        heap->object_types[i] = find_type(self, &table, key);
        if (heap->object_types[i] == MC_NONE) result = mc_error_out_of_memory(self->error);
    }
    mc_free(sites);
    mc_free(table.keys);
    mc_slots_deinit(&table.slots);
    return result;
}
