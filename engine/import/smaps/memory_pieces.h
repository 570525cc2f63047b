// memory_pieces.h - a process's mappings, cut where their owners change, and what of each piece is
// resident.
//
// The pieces of a mapping add up to its Rss exactly. Where a mapping has several owners, only who
// can look at single pages knows what of each is resident; else it is an estimate by size. Pure
// but for `count`. Threads: one object serves one thread at a time.
#pragma once
#include "engine/import/smaps/process_memory.h"

typedef struct mc_memory_piece {
    uint32_t mapping;
    uint32_t range; // MC_NONE: of no owner
    uint64_t begin, end;
    uint64_t resident, proportional, swapped, dirty; // bytes
    bool is_estimated;
} mc_memory_piece;

typedef struct mc_memory_pieces {
    mc_memory_piece *items; // by address
    size_t count, capacity;
} mc_memory_pieces;

void mc_memory_pieces_deinit(mc_memory_pieces *pieces);

// How many bytes from begin to end are resident, by the pages themselves. False: not known.
typedef struct mc_resident_pages {
    bool (*count)(void *user, uint64_t begin, uint64_t end, uint64_t *bytes);
    void *user;
} mc_resident_pages;

// `pages`: NULL: single pages are not known. False: out of memory.
bool mc_memory_pieces_cut(mc_memory_pieces *pieces, const mc_process_memory *memory,
                          const mc_resident_pages *pages);
