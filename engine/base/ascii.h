// ascii.h - what a byte is in ASCII, in any locale.
//
// Pure functions, any thread.
#pragma once
#include <stdbool.h>

static inline bool mc_is_digit(int byte) {
    return byte >= '0' && byte <= '9';
}

static inline char mc_to_lower(char byte) {
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}
