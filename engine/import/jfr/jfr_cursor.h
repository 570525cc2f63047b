// jfr_cursor.h - numbers and texts of a JFR recording, read one after another.
//
// Source: OpenJDK, jdk.jfr.internal.consumer (RecordingInput, ParserFactory's strings). Untrusted
// input: nothing beyond the end is read. Threads: separate cursors may be used in parallel.
#pragma once
#include "engine/base/base.h"
#include "engine/base/text.h"

#define MC_JFR_VARINT_BYTES 9

// What is read one after another. `at` NULL: it went beyond the end.
typedef struct mc_jfr_cursor {
    const unsigned char *at, *end;
    bool is_packed;
} mc_jfr_cursor;

static inline bool mc_jfr_cursor_fail(mc_jfr_cursor *c) {
    c->at = NULL;
    return false;
}

static inline bool mc_jfr_cursor_skip(mc_jfr_cursor *c, uint64_t size) {
    if (!c->at || size > (uint64_t)(c->end - c->at)) return mc_jfr_cursor_fail(c);
    c->at += size;
    return true;
}

static inline uint64_t mc_jfr_take_big_endian(mc_jfr_cursor *c, uint32_t width) {
    const unsigned char *at = c->at;
    uint64_t value = 0;
    if (!mc_jfr_cursor_skip(c, width)) return 0;
    for (uint32_t i = 0; i < width; i++)
        value = value << 8 | at[i];
    return value;
}

// `width`: of one that is not packed.
static inline uint64_t mc_jfr_take_number(mc_jfr_cursor *c, uint32_t width) {
    uint64_t value = 0;
    if (!c->is_packed) return mc_jfr_take_big_endian(c, width);
    for (uint32_t i = 0; i < MC_JFR_VARINT_BYTES && c->at; i++) {
        if (c->at == c->end) break;
        unsigned char byte = *c->at++;
        if (i == MC_JFR_VARINT_BYTES - 1) return value | (uint64_t)byte << 56;
        value |= (uint64_t)(byte & 127) << (7 * i);
        if (byte < 128) return value;
    }
    mc_jfr_cursor_fail(c);
    return 0;
}

static inline uint64_t mc_jfr_take_int(mc_jfr_cursor *c) {
    return mc_jfr_take_number(c, 4);
}

static inline uint64_t mc_jfr_take_long(mc_jfr_cursor *c) {
    return mc_jfr_take_number(c, 8);
}

#define MC_JFR_NOT_POOLED UINT64_MAX

// Appends a text to `out`, unless that is NULL. *pooled: the number of the constant that it is
// instead, or MC_JFR_NOT_POOLED. False: it goes beyond the end, or is none.
bool mc_jfr_take_string(mc_jfr_cursor *c, mc_text *out, uint64_t *pooled, bool *is_null);
