// nearest.h - suggests the word that the user probably meant. Threads: any.
#pragma once
#include "engine/base/base.h"

// Of `count` words the one that is nearest to `word`: with two letters typed wrong, left out, added
// or exchanged at most (one in words of less than five), or the only one that begins with it.
// NULL: none is near, or the word is longer than any that is meant. O(count * letters^2).
const char *mc_find_nearest(const char *word, size_t size, const char *const *words,
                            uint32_t count);
