// process_memory.h - what a text says of a process's memory: its mappings as /proc/PID/smaps has
// them and, behind them, who owns which addresses, as a JVM says.
//
// Sources: proc(5) for smaps; `jcmd PID VM.native_memory detail` (NMT), `System.map` and
// `System.native_heap_info` (malloc_info(3)) of HotSpot, and the two of memory_contents.h. They may
// stand in one text in any order, as long as the mappings come first; whatever else stands there is
// ignored. A mapping at a lower
// address than the one before begins another snapshot. Untrusted input: errors are
// MC_ERROR_BAD_DATA with the byte offset and what was expected. Memory: a few numbers per line.
// O(bytes). Threads: one object serves one thread at a time.
#pragma once
#include "engine/import/smaps/memory_contents.h"
#include "engine/import/stacks/frame_kind.h"

enum { MC_MAPPING_READ = 1, MC_MAPPING_WRITE = 2, MC_MAPPING_EXECUTE = 4, MC_MAPPING_SHARED = 8 };

typedef struct mc_mapping {
    uint64_t begin, end;
    uint64_t resident, proportional, swapped, dirty; // bytes: Rss, Pss, Swap, Private_Dirty
    mc_span name;                                    // of size 0: anonymous
    uint32_t flags;
    bool is_known;          // its Rss was there
    uint64_t source_offset; // in the text
} mc_mapping;

// Addresses of one owner.
typedef struct mc_memory_range {
    uint64_t begin, end;
    mc_span owner; // "Java Heap" of NMT, "JAVAHEAP" or "STACK-4711-main" of System.map
    bool is_by_map;
} mc_memory_range;

// Of a category of NMT, in bytes that the JVM asked for, resident or not.
typedef struct mc_memory_category {
    mc_span name;
    uint64_t reserved, committed, allocated; // the last: by malloc
} mc_memory_category;

#define MC_MEMORY_CATEGORY_MOST 64

typedef struct mc_process_memory {
    mc_mapping *mappings; // by address
    size_t mapping_count, mapping_capacity;
    mc_memory_range *ranges; // by address, none overlaps another
    size_t range_count, range_capacity;
    mc_memory_category categories[MC_MEMORY_CATEGORY_MOST];
    uint32_t category_count;
    // Of malloc's arenas, what they took from the system and what of it is free, in bytes.
    bool has_arenas;
    uint64_t arena_bytes, arena_free_bytes;
    mc_memory_contents classes, loaders; // of the Java heap and of metaspace; empty: not known
    bool has_time;                       // a line of its own before the mappings has a date
    int64_t time_ms;
} mc_process_memory;

void mc_process_memory_deinit(mc_process_memory *memory);

typedef struct mc_process_text {
    const char *at, *begin, *end; // `at`: what is read next
    bool has_time;                // of the next snapshot
    int64_t time_ms;
} mc_process_text;

// Reads the next snapshot; spans point into the text. Behind the last one *is_there is false. With
// `partial`, a mapping that is cut off at the end is left out. After MC_ERROR_BAD_DATA the next
// call goes on with the next snapshot.
mc_result mc_process_memory_read(mc_process_memory *memory, mc_process_text *text, bool partial,
                                 bool *is_there, mc_error *error);

// Adds ranges whose owners are known from elsewhere, which must outlive the memory. Where something
// was known before, that stays. False: out of memory.
bool mc_process_memory_add_ranges(mc_process_memory *memory, const mc_memory_range *ranges,
                                  size_t count);
#define MC_MEMORY_LARGE_BLOCKS "large blocks of malloc" // an owner

// Whether a text begins with mappings as smaps has them.
bool mc_process_memory_detect(const unsigned char *data, size_t size);
// Whether it begins with what a JVM says of its memory, and so completes such a text.
bool mc_process_memory_detect_owners(const unsigned char *data, size_t size);
// Whether it begins with tables of classes or loaders, which are files of their own kind, too.
bool mc_process_memory_detect_contents(const unsigned char *data, size_t size);
