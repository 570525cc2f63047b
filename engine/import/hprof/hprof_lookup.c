#include "engine/import/hprof/hprof_lookup.h"

#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include <stdlib.h>

// No heap has more; what has is not to cost more.
#define FOUND_COUNT_MAX 4096 // instances of a wanted class
#define TEXT_SIZE_MAX 1024   // of characters in the dump
#define FIELD_COUNT_MAX 256  // of an object that is looked into, with inherited ones

// ---- looking

// Whether something that is looked for may be in a batch.
static bool may_have(const mc_hprof_lookup *self, size_t batch) {
    if (!self->spans || self->wanted_class != 0) return true;
    const mc_hprof_span *span = &self->spans[batch];
    size_t low = 0, high = self->pending_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (self->pending[middle] < span->first)
            low = middle + 1;
        else
            high = middle;
    }
    return low < self->pending_count && self->pending[low] <= span->last;
}

static mc_result search_batch(void *user, uint32_t worker, size_t task) {
    mc_hprof_lookup *self = user;
    const mc_hprof_batch *batch = &self->batches[task];
    struct mc_hprof_found *found = &self->found[worker];
    mc_hprof_walk walk = mc_hprof_walk_begin(self->file, batch);
    mc_hprof_item item;
    mc_hprof_kind kind;
    const bool may_be_here = may_have(self, task);
    while (may_be_here && mc_hprof_walk_next(&walk, &kind, &item)) {
        if (kind == MC_HPROF_ROOT || kind == MC_HPROF_CLASS) continue;
        bool is_of_class = kind == MC_HPROF_INSTANCE && item.class_id == self->wanted_class &&
                           self->wanted_class != 0;
        if (!is_of_class && mc_hprof_table_get(&self->wanted, item.id) == MC_HPROF_NO_VALUE)
            continue;
        if (!mc_reserve(&found->items, &found->capacity, found->count + 1, sizeof *found->items))
            return MC_ERROR_OUT_OF_MEMORY;
        found->items[found->count++] =
            (mc_hprof_slot){item.id, (uint64_t)(item.begin - self->file->data)};
    }
    mc_hprof_file_end_batch(self->file, batch, self->crew);
    return MC_OK;
}

bool mc_hprof_lookup_want(mc_hprof_lookup *self, uint64_t id) {
    uint64_t *value = id == 0 ? NULL : mc_hprof_table_put(&self->wanted, id);
    if (value && *value == MC_HPROF_NO_VALUE) *value = 0;
    return value || id == 0;
}

static bool take_found(mc_hprof_lookup *self, const struct mc_hprof_found *found) {
    for (size_t i = 0; i < found->count; i++) {
        const mc_hprof_slot *object = &found->items[i];
        if (mc_hprof_table_get(&self->wanted, object->key) != MC_HPROF_NO_VALUE) {
            uint64_t *offset = mc_hprof_table_put(&self->wanted, object->key);
            if (!offset) return false;
            if (*offset == 0 || object->value < *offset) *offset = object->value;
            continue;
        }
        if (self->all.count == FOUND_COUNT_MAX) continue;
        if (!mc_reserve(&self->all.items, &self->all.capacity, self->all.count + 1,
                        sizeof *self->all.items))
            return false;
        self->all.items[self->all.count++] = *object;
    }
    return true;
}

static int compare_ids(const void *a, const void *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

static bool list_pending(mc_hprof_lookup *self) {
    self->pending_count = 0;
    if (!mc_reserve(&self->pending, &self->pending_capacity, self->wanted.count + 1,
                    sizeof *self->pending))
        return false;
    for (size_t i = 0; i < self->wanted.slot_count; i++)
        if (self->wanted.slots[i].value == 0)
            self->pending[self->pending_count++] = self->wanted.slots[i].key;
    qsort(self->pending, self->pending_count, sizeof *self->pending, compare_ids);
    return true;
}

mc_result mc_hprof_lookup_run(mc_hprof_lookup *self) {
    if (!list_pending(self)) return mc_error_out_of_memory(self->error);
    mc_result result =
        mc_hprof_crew_run(self->crew, self->batch_count, search_batch, self, self->error);
    for (uint32_t i = 0; i < MC_HPROF_THREADS_MAX; i++) {
        if (result == MC_OK && !take_found(self, &self->found[i]))
            result = mc_error_out_of_memory(self->error);
        self->found[i].count = 0;
    }
    self->wanted_class = 0;
    return result;
}

void mc_hprof_lookup_deinit(mc_hprof_lookup *self) {
    mc_hprof_table_deinit(&self->wanted);
    for (uint32_t i = 0; i < MC_HPROF_THREADS_MAX; i++)
        mc_free(self->found[i].items);
    mc_free(self->all.items);
    mc_free(self->pending);
}

// ---- reading objects that were found

bool mc_hprof_lookup_get_item(const mc_hprof_lookup *self, uint64_t offset, mc_hprof_kind kind,
                              mc_hprof_item *item) {
    if (offset == 0 || offset == MC_HPROF_NO_VALUE) return false;
    mc_hprof_cursor cursor = {self->file->data + offset, self->file->data + self->file->size,
                              self->file->id_size};
    return mc_hprof_next(&cursor, item) == kind;
}

// The bytes of a field of an instance, by name and width; NULL: there is none.
static const unsigned char *get_field(const mc_hprof_lookup *self, const mc_hprof_item *item,
                                      const char *name, uint32_t width) {
    const uint32_t id_size = self->file->id_size;
    uint64_t at = 0;
    uint32_t index = mc_hprof_classes_find(self->classes, item->class_id), left = FIELD_COUNT_MAX;
    while (index != MC_NONE) {
        const mc_hprof_class *class = &self->classes->items[index];
        for (uint32_t i = 0; i < class->own_field_count; i++) {
            if (left-- == 0) return NULL;
            const unsigned char *field = class->own_fields + (size_t)i * (id_size + 1);
            uint32_t size = mc_hprof_measure_type(field[id_size], id_size);
            size_t name_size = 0;
            const char *own =
                mc_hprof_file_get_string(self->file, mc_hprof_read_id(field, id_size), &name_size);
            if (size == width && mc_hprof_is_text(own, name_size, name))
                return at + size <= item->data_size ? item->data + at : NULL;
            at += size;
        }
        index = class->ancestor;
    }
    return NULL;
}

uint64_t mc_hprof_lookup_get_reference(const mc_hprof_lookup *self, uint64_t offset,
                                       const char *field) {
    mc_hprof_item item;
    if (!mc_hprof_lookup_get_item(self, offset, MC_HPROF_INSTANCE, &item)) return 0;
    const unsigned char *at = get_field(self, &item, field, self->file->id_size);
    return at ? mc_hprof_read_id(at, self->file->id_size) : 0;
}

uint64_t mc_hprof_lookup_get_offset(const mc_hprof_lookup *self, uint64_t id) {
    return mc_hprof_table_get(&self->wanted, id);
}

static void append_character(mc_text *text, uint32_t character) {
    char bytes[4];
    mc_text_append(text, bytes, mc_utf8_encode(character, bytes));
}

// `width`: of a unit of UTF-16; 1: Latin-1.
static bool decode(const unsigned char *at, uint64_t size, uint32_t width, bool is_swapped,
                   mc_text *text) {
    uint32_t high = 0;
    for (uint64_t i = 0; i + width <= size; i += width) {
        uint32_t unit = width == 1   ? at[i]
                        : is_swapped ? (uint32_t)(at[i + 1] << 8 | at[i])
                                     : (uint32_t)(at[i] << 8 | at[i + 1]);
        bool is_high = unit >= 0xd800 && unit < 0xdc00, is_low = unit >= 0xdc00 && unit < 0xe000;
        if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) return false;
        if (is_low && high != 0)
            append_character(text, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
        else if (is_low || high != 0)
            return false; // half a pair
        else if (!is_high)
            append_character(text, unit);
        high = is_high ? unit : 0;
    }
    return high == 0 && text->size > 0 && !text->failed;
}

bool mc_hprof_lookup_get_string(const mc_hprof_lookup *self, uint64_t id, mc_text *text) {
    const uint8_t type_char = 5;
    mc_hprof_item string, array;
    uint64_t offset = mc_hprof_lookup_get_offset(self, id);
    bool is_wide = false;
    mc_text_clear(text);
    if (mc_hprof_lookup_get_item(self, offset, MC_HPROF_INSTANCE, &string)) {
        const unsigned char *coder = get_field(self, &string, "coder", 1);
        is_wide = coder && *coder == 1;
        offset =
            mc_hprof_lookup_get_offset(self, mc_hprof_lookup_get_reference(self, offset, "value"));
    }
    if (!mc_hprof_lookup_get_item(self, offset, MC_HPROF_PRIMITIVES, &array)) return false;
    uint32_t width = mc_hprof_measure_type(array.type, 0);
    if (width > 2 || array.data_size > TEXT_SIZE_MAX) return false;
    // Bytes that are characters of 16 bits are in the JVM's order, which is this one's, mostly.
    if (array.type == type_char) return decode(array.data, array.data_size, 2, false, text);
    return width == 1 && decode(array.data, array.data_size, is_wide ? 2 : 1, true, text);
}
