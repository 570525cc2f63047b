#include "engine/base/memory.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_MIN ((size_t)2 << 20) // a huge page: less has none

static _Atomic uint64_t allocations_left = UINT64_MAX;

static bool may_allocate(void) {
    if (atomic_load_explicit(&allocations_left, memory_order_relaxed) == UINT64_MAX) return true;
    uint64_t left = atomic_load(&allocations_left);
    if (left == 0) return false;
    atomic_store(&allocations_left, left - 1);
    return true;
}

static bool multiply(size_t count, size_t element_size, size_t *size) {
    if (element_size != 0 && count > SIZE_MAX / element_size) return false;
    *size = count * element_size;
    return true;
}

// A hint: what comes of it is up to the system. All pages of the block are named, as one that is
// half of each kind could no longer grow without being copied.
static void *prefer_huge_pages(void *memory, size_t size) {
#if defined(MADV_HUGEPAGE)
    if (!memory || size < HUGE_MIN) return memory;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (uintptr_t)memory & (page - 1);
    (void)madvise((char *)memory - before, (before + size + page - 1) & ~(page - 1), MADV_HUGEPAGE);
#else
    (void)size;
#endif
    return memory;
}

void *mc_alloc(size_t count, size_t element_size) {
    size_t size;
    if (count == 0 || !multiply(count, element_size, &size) || !may_allocate()) return NULL;
    return malloc(size);
}

void *mc_alloc_zero(size_t count, size_t element_size) {
    size_t size;
    if (count == 0 || !multiply(count, element_size, &size) || !may_allocate()) return NULL;
    return calloc(count, element_size);
}

void *mc_realloc(void *memory, size_t count, size_t element_size) {
    size_t size;
    if (!multiply(count, element_size, &size) || size == 0 || !may_allocate()) return NULL;
    return realloc(memory, size);
}

void *mc_alloc_scattered(size_t count, size_t element_size) {
    return prefer_huge_pages(mc_alloc(count, element_size), count * element_size);
}

void *mc_alloc_zero_scattered(size_t count, size_t element_size) {
    return prefer_huge_pages(mc_alloc_zero(count, element_size), count * element_size);
}

void mc_free(void *memory) {
    free(memory);
}

char *mc_copy_string(const char *string) {
    size_t size = strlen(string) + 1;
    char *copy = mc_alloc(size, 1);
    if (copy) memcpy(copy, string, size);
    return copy;
}

bool mc_reserve(void *memory, size_t *capacity, size_t needed, size_t element_size) {
    if (needed <= *capacity) return true;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < needed) wanted = needed;
    if (wanted < 16) wanted = 16;
    void *array;
    memcpy(&array, memory, sizeof array);
    array = mc_realloc(array, wanted, element_size);
    if (!array) return false;
    memcpy(memory, &array, sizeof array);
    *capacity = wanted;
    return true;
}

void mc_memory_return_large_blocks(void) {
#if defined(__GLIBC__)
    const int large = 256 << 10;
    mallopt(M_MMAP_THRESHOLD, large); // by default it adapts to what is freed
#endif
}

void mc_memory_fail_after(uint64_t count) {
    atomic_store(&allocations_left, count);
}
