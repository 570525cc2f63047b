#include "engine/base/text.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <stdarg.h>
#include <stdio.h>

void mc_text_append(mc_text *text, const char *bytes, size_t size) {
    if (text->failed) return;
    if (!mc_reserve(&text->data, &text->capacity, text->size + size + 1, 1)) {
        text->failed = true;
        return;
    }
    if (size > 0) memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void mc_text_append_string(mc_text *text, const char *string) {
    mc_text_append(text, string, strlen(string));
}

void mc_text_format(mc_text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    char small[256];
    int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < sizeof small) {
        mc_text_append(text, small, (size_t)length);
    } else if (length >= 0 && !text->failed) {
        if (mc_reserve(&text->data, &text->capacity, text->size + (size_t)length + 1, 1)) {
            vsnprintf(text->data + text->size, (size_t)length + 1, format, again);
            text->size += (size_t)length;
        } else {
            text->failed = true;
        }
    }
    va_end(again);
}

void mc_text_clear(mc_text *text) {
    text->size = 0;
    text->failed = false;
    if (text->data) text->data[0] = '\0';
}

void mc_text_deinit(mc_text *text) {
    mc_free(text->data);
    memset(text, 0, sizeof *text);
}

static bool equals(const mc_strings *strings, uint32_t index, const char *bytes, size_t size) {
    size_t other;
    const char *string = mc_strings_get(strings, index, &other);
    return other == size && memcmp(string, bytes, size) == 0;
}

uint32_t mc_strings_hash(const char *bytes, size_t size) {
    return (uint32_t)mc_hash_bytes(bytes, size, 0);
}

// Other strings are looked at only if their hashes are equal.
static uint32_t find(const mc_strings *strings, const char *bytes, size_t size, uint32_t hash) {
    for (uint32_t at = hash, found; (found = mc_slots_find(&strings->slots, hash, &at)) != MC_NONE;)
        if (equals(strings, found, bytes, size)) return found;
    return MC_NONE;
}

static bool reserve_slots(mc_strings *strings, size_t count) {
    bool is_empty = strings->slots.slot_count == 0;
    if (!mc_slots_reserve(&strings->slots, count)) return false;
    for (uint32_t index = 0; index < strings->count && is_empty; index++) {
        size_t size;
        const char *bytes = mc_strings_get(strings, index, &size);
        mc_slots_enter(&strings->slots, mc_strings_hash(bytes, size), index);
    }
    return true;
}

bool mc_strings_reserve(mc_strings *strings, size_t count, size_t size) {
    size_t total = strings->count + count;
    if (total >= UINT32_MAX / 4) return true; // which fails when there are as many
    if (!mc_reserve(&strings->bytes, &strings->bytes_capacity, strings->bytes_size + size + count,
                    1) ||
        !mc_reserve(&strings->offsets, &strings->offsets_capacity, total + 1,
                    sizeof *strings->offsets))
        return false;
    return reserve_slots(strings, total);
}

uint32_t mc_strings_append(mc_strings *strings, const char *bytes, size_t size) {
    if (strings->count >= UINT32_MAX / 4 ||
        !mc_reserve(&strings->bytes, &strings->bytes_capacity, strings->bytes_size + size + 1, 1) ||
        !mc_reserve(&strings->offsets, &strings->offsets_capacity, (size_t)strings->count + 2,
                    sizeof *strings->offsets))
        return MC_NONE;
    strings->offsets[strings->count] = strings->bytes_size;
    if (size > 0) memcpy(strings->bytes + strings->bytes_size, bytes, size);
    strings->bytes_size += size;
    strings->bytes[strings->bytes_size++] = '\0';
    strings->offsets[strings->count + 1] = strings->bytes_size;
    return strings->count++;
}

uint32_t mc_strings_intern_hashed(mc_strings *strings, const char *bytes, size_t size,
                                  uint32_t hash) {
    if (!reserve_slots(strings, strings->count)) return MC_NONE;
    uint32_t index = find(strings, bytes, size, hash);
    if (index != MC_NONE) return index;
    index = mc_strings_append(strings, bytes, size);
    if (index != MC_NONE) mc_slots_enter(&strings->slots, hash, index);
    return index;
}

uint32_t mc_strings_intern(mc_strings *strings, const char *bytes, size_t size) {
    return mc_strings_intern_hashed(strings, bytes, size, mc_strings_hash(bytes, size));
}

bool mc_strings_intern_all(mc_strings *strings, const mc_strings *from, uint32_t *map) {
    for (uint32_t i = 0; i < from->count; i++) {
        size_t size;
        const char *bytes = mc_strings_get(from, i, &size);
        uint32_t index = mc_strings_intern(strings, bytes, size);
        if (index == MC_NONE) return false;
        if (map) map[i] = index;
    }
    return true;
}

uint32_t mc_strings_find(const mc_strings *strings, const char *bytes, size_t size) {
    return find(strings, bytes, size, mc_strings_hash(bytes, size));
}

void mc_strings_forget_slots(mc_strings *strings) {
    mc_slots_deinit(&strings->slots);
}

void mc_strings_seal(mc_strings *strings) {
    mc_strings_forget_slots(strings);
    if (strings->count == 0) return;
    char *bytes = mc_realloc(strings->bytes, strings->bytes_size, 1);
    if (bytes) {
        strings->bytes = bytes;
        strings->bytes_capacity = strings->bytes_size;
    }
    size_t offset_count = (size_t)strings->count + 1;
    uint64_t *offsets = mc_realloc(strings->offsets, offset_count, sizeof *offsets);
    if (offsets) {
        strings->offsets = offsets;
        strings->offsets_capacity = offset_count;
    }
}

bool mc_strings_copy(mc_strings *to, const mc_strings *from) {
    if (from->count == 0) return true;
    size_t offset_count = (size_t)from->count + 1;
    to->bytes = mc_alloc(from->bytes_size, 1);
    to->offsets = mc_alloc(offset_count, sizeof *to->offsets);
    if (!to->bytes || !to->offsets) {
        mc_strings_deinit(to);
        return false;
    }
    memcpy(to->bytes, from->bytes, from->bytes_size);
    memcpy(to->offsets, from->offsets, offset_count * sizeof *to->offsets);
    to->bytes_size = to->bytes_capacity = from->bytes_size;
    to->offsets_capacity = offset_count;
    to->count = from->count;
    return true;
}

void mc_strings_deinit(mc_strings *strings) {
    mc_free(strings->bytes);
    mc_free(strings->offsets);
    mc_slots_deinit(&strings->slots);
    memset(strings, 0, sizeof *strings);
}

size_t mc_strings_memory_size(const mc_strings *strings) {
    return strings->bytes_capacity + strings->offsets_capacity * sizeof *strings->offsets +
           strings->slots.slot_count * sizeof *strings->slots.words;
}
