#include "agent/native/frames.h"

#include <stdlib.h>
#include <string.h>

static void append(mc_frames *frames, const void *bytes, size_t size) {
    if (frames->has_failed || size == 0) return;
    if (frames->size + size - frames->begin > MC_FRAME_MAX + 4) {
        frames->has_failed = true;
        return;
    }
    if (frames->size + size > frames->capacity) {
        size_t capacity = (frames->size + size) * 3 / 2 + 4096;
        unsigned char *data = realloc(frames->data, capacity);
        if (!data) {
            frames->has_failed = true;
            return;
        }
        frames->data = data;
        frames->capacity = capacity;
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

void mc_frames_add_string(mc_frames *frames, const char *string) {
    size_t size = string ? strlen(string) : 0;
    if (size > UINT16_MAX) {
        size = UINT16_MAX;
        while (size > 0 && ((unsigned char)string[size] & 0xc0) == 0x80)
            size--;
    }
    append_number(frames, size, 2);
    append(frames, string, size);
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
