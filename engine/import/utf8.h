// utf8.h - one character of UTF-8 at a time.
//
// Pure functions, any thread.
#pragma once
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
