// sibling_sort.h - sorts siblings by key in byte order; for the trace module's own files only.
//
// Keys of siblings are many and short, and often begin alike. They are compared by 7 bytes at a
// time, which stand beside the node.
#pragma once
#include "engine/base/text.h"

typedef struct mc_sibling {
    uint64_t prefix; // scratch
    uint32_t node;
    uint32_t key; // a string
} mc_sibling;
_Static_assert(sizeof(mc_sibling) == 16, "moved as a whole by sorting");

// Stable: of equal keys the first one stays first. `scratch` has room for as many. Reads the bytes
// of each key about once, and allocates nothing. Threads: any, as long as no string is added.
void mc_siblings_sort(const mc_strings *strings, mc_sibling *siblings, mc_sibling *scratch,
                      uint32_t count);
