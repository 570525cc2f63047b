// hash.h - a 64-bit hash of bytes and of integers, for tables in memory (never stored in files).
//
// Method: multiply-and-fold of 64-bit words (as in wyhash). It does not resist adversaries: a table
// filled from files must bound its number of probes, at worst linearly, or grow.
#pragma once
#include "engine/base/base.h"
#include <string.h>

static inline uint64_t mc_hash_fold(uint64_t a, uint64_t b) {
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t mc_hash_u64(uint64_t value, uint64_t seed) {
    return mc_hash_fold(value ^ 0x9e3779b97f4a7c15u, seed ^ 0xd6e8feb86659fd93u);
}

// Less than eight bytes as a word, which tells them apart from as many others.
static inline uint64_t mc_hash_read_rest(const unsigned char *at, size_t size) {
    uint32_t first, last;
    if (size == 0) return 0;
    if (size < 4) return at[0] | (uint32_t)at[size / 2] << 8 | (uint32_t)at[size - 1] << 16;
    memcpy(&first, at, 4);
    memcpy(&last, at + size - 4, 4);
    return first | (uint64_t)last << 32;
}

static inline uint64_t mc_hash_bytes(const void *data, size_t size, uint64_t seed) {
    const unsigned char *at = data;
    uint64_t hash = seed ^ (size * 0xa0761d6478bd642fu), word;
    for (; size >= 8; size -= 8, at += 8) {
        memcpy(&word, at, 8);
        hash = mc_hash_fold(hash ^ word, 0xe7037ed1a0b428dbu);
    }
    return mc_hash_fold(hash ^ mc_hash_read_rest(at, size), 0x8ebc6af09c88c6e3u);
}

// Two hashes by two seeds, in one pass.
static inline void mc_hash_bytes_twice(const void *data, size_t size, const uint64_t seeds[2],
                                       uint64_t hashes[2]) {
    const unsigned char *at = data;
    const uint64_t length = size * 0xa0761d6478bd642fu;
    uint64_t a = seeds[0] ^ length, b = seeds[1] ^ length, word;
    for (; size >= 8; size -= 8, at += 8) {
        memcpy(&word, at, 8);
        a = mc_hash_fold(a ^ word, 0xe7037ed1a0b428dbu);
        b = mc_hash_fold(b ^ word, 0x8ebc6af09c88c6e3u);
    }
    word = mc_hash_read_rest(at, size);
    hashes[0] = mc_hash_fold(a ^ word, 0x8ebc6af09c88c6e3u);
    hashes[1] = mc_hash_fold(b ^ word, 0xe7037ed1a0b428dbu);
}
