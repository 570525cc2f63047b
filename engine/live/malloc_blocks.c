#include "engine/live/malloc_blocks.h"

#include "engine/base/memory.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define BLOCK_MOST 100000 // looked at in a step: more would take too long
#define FLAGS UINT64_C(7)
#define IS_MAPPED UINT64_C(2) // of these, the only one that such a block has

typedef struct finder {
    int fd;
    mc_process_pages *pages;
    mc_memory_range *found;
    size_t count, capacity;
    uint32_t looked; // at blocks
} finder;

// The size of the block that begins there; 0: none does.
static uint64_t read_block(finder *self, uint64_t address, uint64_t end) {
    const uint64_t page = self->pages->page_size;
    uint64_t head[2], resident; // what is in use before it, always 0; size and flags
    if (++self->looked > BLOCK_MOST || end - address < 2 * page ||
        !mc_process_pages_count(self->pages, address, address + page, &resident) || resident == 0 ||
        pread(self->fd, head, sizeof head, (off_t)address) != (ssize_t)sizeof head)
        return 0;
    const uint64_t size = head[1] & ~FLAGS;
    bool is_block = head[0] == 0 && (head[1] & FLAGS) == IS_MAPPED && size % page == 0 &&
                    size >= 2 * page && size <= end - address;
    return is_block ? size : 0;
}

// Blocks lie one behind the other from the beginning of a mapping on.
static bool find_in(finder *self, uint64_t begin, uint64_t end) {
    uint64_t at = begin;
    for (uint64_t size = 1; size > 0 && at < end; at += size)
        size = read_block(self, at, end);
    if (at == begin) return true;
    if (!mc_reserve(&self->found, &self->capacity, self->count + 1, sizeof *self->found))
        return false;
    self->found[self->count++] =
        (mc_memory_range){.begin = begin,
                          .end = at,
                          .owner = {MC_MEMORY_LARGE_BLOCKS, sizeof MC_MEMORY_LARGE_BLOCKS - 1}};
    return true;
}

// In what of a mapping has no owner yet: the kernel joins neighbours, whosever they are.
static bool find_in_mapping(finder *self, const mc_process_memory *memory,
                            const mc_mapping *mapping, size_t range) {
    uint64_t begin = mapping->begin;
    for (bool fits = true;; range++) {
        bool is_last = range >= memory->range_count || memory->ranges[range].begin >= mapping->end;
        uint64_t end = is_last ? mapping->end : memory->ranges[range].begin;
        if (begin < end) fits = find_in(self, begin, end);
        if (!fits || is_last || memory->ranges[range].end >= mapping->end) return fits;
        begin = memory->ranges[range].end;
    }
}

bool mc_malloc_blocks_add(uint32_t pid, mc_process_pages *pages, mc_process_memory *memory) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/mem", pid);
    finder self = {.pages = pages, .fd = open(path, O_RDONLY | O_CLOEXEC)};
    bool fits = true;
    size_t next = 0; // range
    for (size_t i = 0; i < memory->mapping_count && self.fd >= 0 && fits; i++) {
        const mc_mapping *mapping = &memory->mappings[i];
        while (next < memory->range_count && memory->ranges[next].end <= mapping->begin)
            next++;
        if (mapping->name.size == 0 && mapping->resident > 0 &&
            mapping->flags == (MC_MAPPING_READ | MC_MAPPING_WRITE))
            fits = find_in_mapping(&self, memory, mapping, next);
    }
    if (self.fd >= 0) close(self.fd);
    if (fits) fits = mc_process_memory_add_ranges(memory, self.found, self.count);
    mc_free(self.found);
    return fits;
}
