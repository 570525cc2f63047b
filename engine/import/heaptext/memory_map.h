// memory_map.h - which files a process had mapped where, as /proc/PID/maps says it.
//
// Spans point into the text. Threads: one object serves one thread at a time.
#pragma once
#include "engine/import/stacks/stack_sites.h"

typedef struct mc_mapping {
    uint64_t begin, end, offset; // of addresses; where in the file
    mc_span path;
} mc_mapping;

// Zero-initialise; deinit.
typedef struct mc_memory_map {
    mc_mapping *mappings; // sorted by address
    size_t count, capacity;
} mc_memory_map;

// Reads what stands behind "MAPPED_LIBRARIES:" or "--- Memory map:" in a text; lines that are no
// mapping of a file are skipped. False: out of memory.
bool mc_memory_map_read(mc_memory_map *map, const char *text, size_t size);
void mc_memory_map_deinit(mc_memory_map *map);

// Gives a frame its module, and the offsets in it of both addresses: `looked_up`, for symbols, and
// `shown`, which differs from run to run no more. Neither, if no file is mapped there.
void mc_memory_map_find(const mc_memory_map *map, uint64_t looked_up, uint64_t shown,
                        mc_site_frame *frame);
