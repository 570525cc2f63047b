// frames.h - builds frames of the agent's protocol (docs/reference/agent-protocol.md) as bytes.
//
// A frame is begun, filled and ended. If memory runs out or the frame gets too long, the whole
// frame is discarded and counted. Threads: one object, one thread.
#pragma once
#include "engine/base/agent_protocol.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MC_FRAMES_UNSENT_MAX ((size_t)4 << 20) // beyond it, nothing is to be begun

// Zero-initialise; deinit.
typedef struct mc_frames {
    unsigned char *data;
    size_t size, capacity;
    size_t begin;  // of the frame in the making
    size_t string; // and of its string in the making
    bool has_failed, is_string_full;
    uint64_t failed_count; // frames that were taken back
} mc_frames;

void mc_frames_begin(mc_frames *frames, uint8_t type);
void mc_frames_add_u8(mc_frames *frames, uint8_t value);
void mc_frames_add_u16(mc_frames *frames, uint16_t value);
void mc_frames_add_u32(mc_frames *frames, uint32_t value);
void mc_frames_add_u64(mc_frames *frames, uint64_t value);
void mc_frames_add_i64(mc_frames *frames, int64_t value);
void mc_frames_add_f64(mc_frames *frames, double value);
// A string is always UTF-8, whatever the JVM has (modified_utf8.h), and at most 65535 bytes of it,
// cut between characters. NULL: empty.
void mc_frames_add_string(mc_frames *frames, const char *text);
// One of several parts.
void mc_frames_begin_string(mc_frames *frames);
void mc_frames_append_text(mc_frames *frames, const char *text);
void mc_frames_end_string(mc_frames *frames);
// False: the frame is not there.
bool mc_frames_end(mc_frames *frames);
// Of the frame in the making, the u32 that was written `offset` bytes behind its begin.
void mc_frames_set_u32(mc_frames *frames, size_t offset, uint32_t value);
static inline size_t mc_frames_get_offset(const mc_frames *frames) {
    return frames->size - frames->begin;
}

// Whether another batch should be written now, rather than later: the viewer may be slow.
static inline bool mc_frames_has_room(const mc_frames *frames) {
    return frames->size < MC_FRAMES_UNSENT_MAX;
}
void mc_frames_consume(mc_frames *frames, size_t size); // the first bytes are sent
void mc_frames_clear(mc_frames *frames);                // keeps the memory
void mc_frames_deinit(mc_frames *frames);
