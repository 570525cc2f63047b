// heaptrack_tables.h - the tables of a heaptrack recording, as its lines fill them: texts, places,
// callers, kinds of allocations.
//
// Numbers count from 1, and 0 is none; those of kinds count from 0. Threads: one.
#pragma once
#include "engine/import/stacks/stack_sites.h"

typedef struct mc_heaptrack_place {
    uint64_t address;
    uint32_t module;                    // text
    uint32_t frames_begin, frame_count; // words in `frames`: function, file, line of each
} mc_heaptrack_place;

typedef struct mc_heaptrack_caller {
    uint32_t place, outer; // the latter a caller again
} mc_heaptrack_caller;

typedef struct mc_heaptrack_kind {
    uint64_t size;
    uint32_t caller; // the inner end of its stack
} mc_heaptrack_kind;

// Zero-initialise; deinit.
typedef struct mc_heaptrack_tables {
    uint32_t version; // of the file format
    mc_strings texts; // 0: text 1
    uint32_t *frames;
    size_t frame_count, frame_capacity;
    mc_heaptrack_place *places;
    size_t place_count, place_capacity;
    mc_heaptrack_caller *callers;
    size_t caller_count, caller_capacity;
    mc_heaptrack_kind *kinds;
    size_t kind_count, kind_capacity;
} mc_heaptrack_tables;

void mc_heaptrack_tables_deinit(mc_heaptrack_tables *tables);
uint64_t mc_heaptrack_tables_measure(const mc_heaptrack_tables *tables); // bytes

// A hexadecimal number, and the blank behind it. False: there is none of at most 64 bits.
bool mc_heaptrack_take_number(const char **at, const char *end, uint64_t *number);

// Each takes what stands behind a line's first letter and blank. `expected` says what should have
// stood there if the result is MC_ERROR_BAD_DATA.
mc_result mc_heaptrack_tables_add_text(mc_heaptrack_tables *tables, const char *at, const char *end,
                                       const char **expected);
mc_result mc_heaptrack_tables_add_place(mc_heaptrack_tables *tables, const char *at,
                                        const char *end, const char **expected);
mc_result mc_heaptrack_tables_add_caller(mc_heaptrack_tables *tables, const char *at,
                                         const char *end, const char **expected);
mc_result mc_heaptrack_tables_add_kind(mc_heaptrack_tables *tables, const char *at, const char *end,
                                       const char **expected);

// The frames of a kind's stack among those of `sites`, the innermost first, into `stack`, which has
// room for `most`. `place_frames` remembers those of places: for each one, and one more, where they
// begin in `known`. Returns how many; MC_NONE: out of memory.
typedef struct mc_heaptrack_frames {
    const mc_heaptrack_tables *tables;
    mc_stack_sites *sites;
    uint32_t *known; // frames of places, MC_NONE: not met yet; at frames_begin / 3 + place
} mc_heaptrack_frames;

bool mc_heaptrack_frames_init(mc_heaptrack_frames *frames, const mc_heaptrack_tables *tables,
                              mc_stack_sites *sites);
uint32_t mc_heaptrack_frames_find(mc_heaptrack_frames *frames, uint32_t kind, uint32_t *stack,
                                  uint32_t most);
void mc_heaptrack_frames_deinit(mc_heaptrack_frames *frames);
