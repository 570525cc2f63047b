// utf8.h - one character of UTF-8 at a time.
//
// Pure functions, any thread.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The size of the character at text[0], 0 if there is none (cut off, overlong, a surrogate, beyond
// U+10FFFF or no UTF-8 at all). `size` is at least 1.
static inline size_t mc_utf8_measure(const unsigned char *text, size_t size) {
    unsigned char first = text[0], low = 0x80, high = 0xbf; // bounds of the second byte
    size_t length;
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first <= 0xdf) {
        length = 2;
    } else if (first >= 0xe0 && first <= 0xef) {
        length = 3;
        if (first == 0xe0) low = 0xa0;
        if (first == 0xed) high = 0x9f;
    } else if (first >= 0xf0 && first <= 0xf4) {
        length = 4;
        if (first == 0xf0) low = 0x90;
        if (first == 0xf4) high = 0x8f;
    } else {
        return 0;
    }
    if (size < length || text[1] < low || text[1] > high) return 0;
    for (size_t i = 2; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    return length;
}

#define MC_UTF8_NONE UINT32_MAX // no character

// The character at text[0], and how many bytes it takes; a byte that begins none is MC_UTF8_NONE
// and one byte long. `size` is at least 1.
static inline uint32_t mc_utf8_decode(const unsigned char *text, size_t size, size_t *length) {
    size_t measured = mc_utf8_measure(text, size);
    *length = measured > 0 ? measured : 1;
    switch (measured) {
    case 0: return MC_UTF8_NONE;
    case 1: return text[0];
    case 2: return (uint32_t)(text[0] & 0x1f) << 6 | (text[1] & 0x3f);
    case 3:
        return (uint32_t)(text[0] & 0x0f) << 12 | (uint32_t)(text[1] & 0x3f) << 6 |
               (text[2] & 0x3f);
    default:
        return (uint32_t)(text[0] & 0x07) << 18 | (uint32_t)(text[1] & 0x3f) << 12 |
               (uint32_t)(text[2] & 0x3f) << 6 | (text[3] & 0x3f);
    }
}

static inline bool mc_utf8_is_valid(const char *text, size_t size) {
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t at = 0, length; at < size; at += length) {
        length = bytes[at] < 0x80 ? 1 : mc_utf8_measure(bytes + at, size - at);
        if (length == 0) return false;
    }
    return true;
}

// The most bytes of text[0..size), at most `most`, that don't end within a character.
static inline size_t mc_utf8_cut(const char *text, size_t size, size_t most) {
    if (size <= most) return size;
    size_t cut = most;
    while (cut > 0 && most - cut < 4 && ((unsigned char)text[cut] & 0xc0) == 0x80)
        cut--;
    return ((unsigned char)text[cut] & 0xc0) == 0x80 ? most : cut; // no UTF-8: anywhere
}

// Writes at most four bytes and returns how many. `code` is a character, no surrogate.
static inline size_t mc_utf8_encode(uint32_t code, char *out) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3f));
    out[2] = (char)(0x80 | (code >> 6 & 0x3f));
    out[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}
