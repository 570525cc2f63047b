// random.h - the same numbers on each machine, for made input.
#pragma once
#include <stdint.h>

// The next one of a sequence that `state` begins (splitmix64).
static inline uint64_t test_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
