// bits.h - small arithmetic on words.
//
// Pure functions, any thread.
#pragma once
#include <stdint.h>

static inline uint64_t mc_add_saturating(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

// The whole part of a value, as far as 64 bits reach; 0 of what is no number.
static inline int64_t mc_truncate_saturating(double value) {
    if (!(value > -0x1p63)) return value <= -0x1p63 ? INT64_MIN : 0;
    return value < 0x1p63 ? (int64_t)value : INT64_MAX;
}

// Big-endian.
static inline uint32_t mc_read_u32(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// For processors that may lack an instruction for it: the compiler's built-in is a call there,
// which costs more than the code around it.
static inline uint32_t mc_count_bits(uint64_t word) {
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(word * 0x0101010101010101u >> 56);
}
