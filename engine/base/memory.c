#include "engine/base/memory.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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

void *mc_alloc(size_t count, size_t element_size) {
    size_t size;
    if (count == 0 || !multiply(count, element_size, &size) || !may_allocate()) return NULL;
    return malloc(size);
}

void *mc_alloc_zero(size_t count, size_t element_size) {
    if (count == 0 || !may_allocate()) return NULL;
    return calloc(count, element_size);
}

void *mc_realloc(void *memory, size_t count, size_t element_size) {
    size_t size;
    if (count == 0 || !multiply(count, element_size, &size) || !may_allocate()) return NULL;
    return realloc(memory, size);
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
