#include "agent/native/frames.h"

#include "agent/native/modified_utf8.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include <stdlib.h>
#include <string.h>

#define STRING_SIZE 2u // of what says how long a string is

static void append(mc_frames *frames, const void *bytes, size_t size) {
    if (frames->has_failed || size == 0) return;
    if (frames->size + size - frames->begin > MC_AGENT_FRAME_MAX + 4) {
        frames->has_failed = true;
        return;
    }
    if (!mc_reserve(&frames->data, &frames->capacity, frames->size + size, 1)) {
        frames->has_failed = true;
        return;
    }
    memcpy(frames->data + frames->size, bytes, size);
    frames->size += size;
}

static void append_number(mc_frames *frames, uint64_t value, size_t size) {
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
    append(frames, bytes, size);
}

void mc_frames_begin(mc_frames *frames, uint8_t type) {
    frames->begin = frames->size;
    frames->has_failed = false;
    append_number(frames, 0, 4);
    append_number(frames, type, 1);
}

void mc_frames_add_u8(mc_frames *frames, uint8_t value) {
    append_number(frames, value, 1);
}

void mc_frames_add_u16(mc_frames *frames, uint16_t value) {
    append_number(frames, value, 2);
}

void mc_frames_add_u32(mc_frames *frames, uint32_t value) {
    append_number(frames, value, 4);
}

void mc_frames_add_u64(mc_frames *frames, uint64_t value) {
    append_number(frames, value, 8);
}

void mc_frames_add_i64(mc_frames *frames, int64_t value) {
    append_number(frames, (uint64_t)value, 8);
}

void mc_frames_add_f64(mc_frames *frames, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    append_number(frames, bits, 8);
}

void mc_frames_begin_string(mc_frames *frames) {
    frames->string = frames->size;
    frames->is_string_full = false;
    append_number(frames, 0, STRING_SIZE);
}

void mc_frames_append_text(mc_frames *frames, const char *text) {
    const unsigned char *bytes = (const unsigned char *)text;
    char converted[MC_MODIFIED_UTF8_MOST];
    size_t size = text ? strlen(text) : 0, length;
    for (size_t at = 0; at < size && !frames->is_string_full && !frames->has_failed; at += length) {
        const void *character = bytes + at;
        size_t made = length = mc_utf8_measure(bytes + at, size - at);
        if (length == 0) {
            length = mc_modified_utf8_convert(bytes + at, size - at, converted, &made);
            character = converted;
        }
        frames->is_string_full = frames->size + made - frames->string - STRING_SIZE > UINT16_MAX;
        if (!frames->is_string_full) append(frames, character, made);
    }
}

void mc_frames_end_string(mc_frames *frames) {
    if (frames->has_failed) return;
    size_t size = frames->size - frames->string - STRING_SIZE;
    frames->data[frames->string] = (unsigned char)size;
    frames->data[frames->string + 1] = (unsigned char)(size >> 8);
}

void mc_frames_add_string(mc_frames *frames, const char *text) {
    mc_frames_begin_string(frames);
    mc_frames_append_text(frames, text);
    mc_frames_end_string(frames);
}

void mc_frames_set_u32(mc_frames *frames, size_t offset, uint32_t value) {
    if (frames->has_failed) return;
    for (size_t i = 0; i < 4; i++)
        frames->data[frames->begin + offset + i] = (unsigned char)(value >> (8 * i));
}

bool mc_frames_end(mc_frames *frames) {
    if (frames->has_failed) {
        frames->size = frames->begin;
        frames->failed_count++;
        return false;
    }
    mc_frames_set_u32(frames, 0, (uint32_t)(frames->size - frames->begin - 4));
    return true;
}

void mc_frames_consume(mc_frames *frames, size_t size) {
    memmove(frames->data, frames->data + size, frames->size - size);
    frames->size -= size;
}

void mc_frames_clear(mc_frames *frames) {
    frames->size = 0;
    frames->begin = 0;
}

void mc_frames_deinit(mc_frames *frames) {
    free(frames->data);
    *frames = (mc_frames){0};
}
