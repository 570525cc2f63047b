// memory.h - the library's only allocator interface.
//
// Sizes are checked before they are multiplied. Every function may fail (NULL or false) and then
// leaves existing blocks intact. Blocks are freed with mc_free(). Threads: all functions, any
// thread, except mc_memory_fail_after(), which is for tests.
#pragma once
#include "engine/base/base.h"

void *mc_alloc(size_t count, size_t element_size);      // uninitialised; NULL if count is 0
void *mc_alloc_zero(size_t count, size_t element_size); // all bytes zero; NULL if count is 0
// The same for columns of up to gigabytes that are read in random order, as those of a graph are:
// from 2 MB on they request huge pages, as each read misses the translation of a small page more
// often than the cache, which makes walks over a graph faster by a quarter to a third. Columns that
// are read in order gain nothing by it, and where a virtual machine gives free memory back to its
// host, huge pages are fetched from there while small ones are still at hand.
void *mc_alloc_scattered(size_t count, size_t element_size);
void *mc_alloc_zero_scattered(size_t count, size_t element_size);
void *mc_realloc(void *memory, size_t count, size_t element_size);
void mc_free(void *memory);
char *mc_copy_string(const char *string); // for mc_free(); NULL: out of memory

// Makes room for `needed` elements in `*memory` (a pointer to the array's pointer), growing by
// half. Returns false if memory is out; the array and `*capacity` then are as before.
bool mc_reserve(void *memory, size_t *capacity, size_t needed, size_t element_size);

// For a program to call once: blocks of some size go back to the system as soon as they are freed,
// and grow without being copied. Otherwise a C library may keep them for later, which after a wide
// trace was read is a multiple of what the trace takes. Does nothing where it can't be set.
void mc_memory_return_large_blocks(void);

// Tests: the n-th allocation from now on fails, and all after it. UINT64_MAX: none.
void mc_memory_fail_after(uint64_t count);
