// v8_ints.h - reads long arrays of integers out of a text, in several threads.
//
// A V8 heap snapshot is mostly such arrays. The text is cut in blocks whose commas are counted
// first, so that each block knows the number of its first integer. Untrusted input. Threads: as
// many as requested; `store` is called in any of them.
#pragma once
#include "engine/base/base.h"

typedef struct mc_v8_ints {
    const char *begin, *end; // what stands between the brackets
    uint64_t count;          // of integers
    const char *mapping;     // of a file, where it begins: what was read may go; NULL: none
    uint64_t *commas;        // before each block
} mc_v8_ints;

// Takes `count` integers, the first of which has this number. Negative ones are 0.
typedef void (*mc_v8_store)(void *user, uint64_t first, const uint64_t *values, size_t count);

// Finds the bracket that ends the array which begins at `begin`, behind its own, and counts its
// integers; blanks alone are none. `end`: of the text. ints->end is NULL if there is no bracket.
// False: out of memory. Zero-initialise before, deinit in any case.
bool mc_v8_ints_find(mc_v8_ints *ints, const char *begin, const char *end, uint32_t thread_count);
void mc_v8_ints_deinit(mc_v8_ints *ints);
// *wrong: where something is no integer, or too large. MC_ERROR_BAD_DATA then, without a message.
mc_result mc_v8_ints_read(const mc_v8_ints *ints, uint32_t thread_count, mc_v8_store store,
                          void *user, const char **wrong);
