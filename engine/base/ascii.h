// ascii.h - what a byte is in ASCII, in any locale.
//
// Pure functions, any thread.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool mc_is_digit(int byte) {
    return byte >= '0' && byte <= '9';
}

static inline char mc_to_lower(char byte) {
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

// How many of the next eight bytes, all of which are there, are digits before one that is none, and
// what number they are: all at once.
static inline unsigned mc_read_digits(const void *at, uint64_t *number) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t word, tens;
    memcpy(&word, at, sizeof word);
    word ^= 0x3030303030303030u;
    const uint64_t others = ((word + 0x7676767676767676u) | word) & 0x8080808080808080u;
    const unsigned count = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
    *number = 0;
    if (count == 0) return 0;
    word <<= 8 * (8 - count);       // zeros before them
    tens = word * 10 + (word >> 8); // pairs, in every other byte
    *number = ((tens & 0x000000ff000000ffu) * 0x000f424000000064u +
               (tens >> 16 & 0x000000ff000000ffu) * 0x0000271000000001u) >>
              32;
    return count;
#else
    unsigned count = 0;
    *number = 0;
    for (const char *bytes = at; count < 8 && mc_is_digit(bytes[count]); count++)
        *number = *number * 10 + (uint64_t)(bytes[count] - '0');
    return count;
#endif
}
