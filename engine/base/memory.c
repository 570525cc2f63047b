#include "engine/base/memory.h"

#include "engine/base/block_reuse.h"
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

// A sanitizer is to see what is freed.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#endif
#if defined(__GLIBC__) && !defined(IS_SANITIZED)
#define REUSES_BLOCKS 1
#else
#define REUSES_BLOCKS 0
#define malloc_usable_size(memory) ((void)(memory), (size_t)0)
#endif

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
static void prefer_huge_pages(void *memory, size_t size) {
#if defined(MADV_HUGEPAGE)
    if (!memory || size < HUGE_MIN) return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (uintptr_t)memory & (page - 1);
    (void)madvise((char *)memory - before, (before + size + page - 1) & ~(page - 1), MADV_HUGEPAGE);
#else
    (void)memory, (void)size;
#endif
}

static bool is_large(size_t size) {
    return REUSES_BLOCKS && size >= MC_BLOCK_REUSE_MIN;
}

static void note_use(void *memory) {
    if (memory) mc_block_reuse_note_use(malloc_usable_size(memory));
}

static void *allocate_fresh(size_t size, bool is_zero) {
    void *memory = is_zero ? calloc(1, size) : malloc(size);
    if (!memory && mc_block_reuse_drop()) memory = is_zero ? calloc(1, size) : malloc(size);
    if (is_large(size)) note_use(memory);
    return memory;
}

static void *allocate(size_t count, size_t element_size, bool is_zero) {
    size_t size;
    if (count == 0 || !multiply(count, element_size, &size) || !may_allocate()) return NULL;
    void *kept = is_large(size) ? mc_block_reuse_take(size) : NULL;
    if (!kept) return allocate_fresh(size, is_zero);
    note_use(kept);
    return is_zero ? memset(kept, 0, size) : kept;
}

// Never a kept block, which may lie in small pages.
static void *allocate_scattered(size_t count, size_t element_size, bool is_zero) {
    size_t size;
    if (count == 0 || !multiply(count, element_size, &size) || !may_allocate()) return NULL;
    void *memory = allocate_fresh(size, is_zero);
    prefer_huge_pages(memory, size);
    return memory;
}

void *mc_alloc(size_t count, size_t element_size) {
    return allocate(count, element_size, false);
}

void *mc_alloc_zero(size_t count, size_t element_size) {
    return allocate(count, element_size, true);
}

void *mc_alloc_scattered(size_t count, size_t element_size) {
    return allocate_scattered(count, element_size, false);
}

void *mc_alloc_zero_scattered(size_t count, size_t element_size) {
    return allocate_scattered(count, element_size, true);
}

void *mc_realloc(void *memory, size_t count, size_t element_size) {
    size_t size;
    if (!multiply(count, element_size, &size) || size == 0 || !may_allocate()) return NULL;
    size_t before = memory ? malloc_usable_size(memory) : 0;
    void *moved = realloc(memory, size);
    if (!moved && mc_block_reuse_drop()) moved = realloc(memory, size);
    if (!moved || !(is_large(before) || is_large(size))) return moved;
    if (is_large(before)) mc_block_reuse_note_end(before);
    if (is_large(size)) note_use(moved);
    return moved;
}

void mc_free(void *memory) {
    size_t size = memory ? malloc_usable_size(memory) : 0;
    if (is_large(size) && mc_block_reuse_keep(memory, size)) return;
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
