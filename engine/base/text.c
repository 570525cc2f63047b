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

// The slot that holds the string, or the empty one where it belongs.
static uint32_t find_slot(const mc_strings *strings, const char *bytes, size_t size) {
    uint32_t mask = strings->slot_count - 1;
    uint32_t slot = (uint32_t)mc_hash_bytes(bytes, size, 0) & mask;
    while (strings->slots[slot] != MC_NONE && !equals(strings, strings->slots[slot], bytes, size))
        slot = (slot + 1) & mask;
    return slot;
}

static bool grow_slots(mc_strings *strings) {
    if (strings->slot_count > UINT32_MAX / 4) return false;
    uint32_t slot_count = strings->slot_count ? strings->slot_count * 2 : 64;
    uint32_t *slots = mc_alloc(slot_count, sizeof *slots);
    if (!slots) return false;
    memset(slots, 0xff, (size_t)slot_count * sizeof *slots);
    mc_free(strings->slots);
    strings->slots = slots;
    strings->slot_count = slot_count;
    for (uint32_t index = 0; index < strings->count; index++) {
        size_t size;
        const char *bytes = mc_strings_get(strings, index, &size);
        slots[find_slot(strings, bytes, size)] = index;
    }
    return true;
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

uint32_t mc_strings_intern(mc_strings *strings, const char *bytes, size_t size) {
    if (strings->count >= strings->slot_count / 2 && !grow_slots(strings)) return MC_NONE;
    uint32_t slot = find_slot(strings, bytes, size);
    if (strings->slots[slot] != MC_NONE) return strings->slots[slot];
    uint32_t index = mc_strings_append(strings, bytes, size);
    if (index != MC_NONE) strings->slots[slot] = index;
    return index;
}

uint32_t mc_strings_find(const mc_strings *strings, const char *bytes, size_t size) {
    return strings->slot_count ? strings->slots[find_slot(strings, bytes, size)] : MC_NONE;
}

const char *mc_strings_get(const mc_strings *strings, uint32_t index, size_t *size) {
    assert(index < strings->count);
    uint64_t begin = strings->offsets[index];
    if (size) *size = (size_t)(strings->offsets[index + 1] - begin - 1);
    return strings->bytes + begin;
}

void mc_strings_seal(mc_strings *strings) {
    mc_free(strings->slots);
    strings->slots = NULL;
    strings->slot_count = 0;
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
