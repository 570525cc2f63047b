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

static inline uint64_t mc_hash_bytes(const void *data, size_t size, uint64_t seed) {
    const unsigned char *at = data;
    uint64_t hash = seed ^ (size * 0xa0761d6478bd642fu), word;
    for (; size >= 8; size -= 8, at += 8) {
        memcpy(&word, at, 8);
        hash = mc_hash_fold(hash ^ word, 0xe7037ed1a0b428dbu);
    }
    word = 0;
    if (size > 0) memcpy(&word, at, size);
    return mc_hash_fold(hash ^ word, 0x8ebc6af09c88c6e3u);
}
