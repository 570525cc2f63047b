#include "engine/base/text.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/slots.h"
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

// The slot that holds the string, or the empty one where it belongs. Other strings are looked at
// only if their hashes are equal.
static uint32_t find_slot(const mc_strings *strings, const char *bytes, size_t size,
                          uint32_t hash) {
    uint32_t mask = strings->slot_count - 1;
    for (uint32_t at = hash & mask;; at = (at + 1) & mask) {
        uint64_t slot = strings->slots[at];
        if (slot == 0) return at;
        if (slot >> 32 == hash && equals(strings, (uint32_t)slot - 1, bytes, size)) return at;
    }
}

// To more than twice `count`.
static bool grow_slots(mc_strings *strings, size_t count) {
    if (count > UINT32_MAX / 4) return false;
    bool is_empty = !strings->slots;
    if (!mc_slots_grow(&strings->slots, &strings->slot_count, count)) return false;
    for (uint32_t index = 0; index < strings->count && is_empty; index++) {
        size_t size;
        const char *bytes = mc_strings_get(strings, index, &size);
        uint64_t hash = mc_strings_hash(bytes, size);
        mc_slots_enter(strings->slots, strings->slot_count, hash << 32 | (index + 1));
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
    // Two of three slots are for strings.
    return total * 3 < (size_t)strings->slot_count * 2 || grow_slots(strings, total / 4 * 3);
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
    // At most two of three slots are taken.
    if ((uint64_t)strings->count * 3 >= (uint64_t)strings->slot_count * 2 &&
        !grow_slots(strings, strings->count))
        return MC_NONE;
    uint32_t slot = find_slot(strings, bytes, size, hash);
    if (strings->slots[slot] != 0) return (uint32_t)strings->slots[slot] - 1;
    uint32_t index = mc_strings_append(strings, bytes, size);
    if (index != MC_NONE) strings->slots[slot] = (uint64_t)hash << 32 | (index + 1);
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
    if (!strings->slot_count) return MC_NONE;
    uint64_t slot = strings->slots[find_slot(strings, bytes, size, mc_strings_hash(bytes, size))];
    return slot ? (uint32_t)slot - 1 : MC_NONE;
}

void mc_strings_forget_slots(mc_strings *strings) {
    mc_free(strings->slots);
    strings->slots = NULL;
    strings->slot_count = 0;
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
    mc_free(strings->slots);
    memset(strings, 0, sizeof *strings);
}

size_t mc_strings_memory_size(const mc_strings *strings) {
    return strings->bytes_capacity + strings->offsets_capacity * sizeof *strings->offsets +
           strings->slot_count * sizeof *strings->slots;
}
