// malloc_blocks.h - finds the large blocks of glibc's malloc in another process: those that are
// mappings of their own.
//
// Such mappings have no names, and the kernel joins neighbours; but each block begins with its size
// and a mark, which are read from /proc/PID/mem. Whether that may be read is the system's to say
// (ptrace(2), "access mode checking"). Only resident pages are read. Threads: any.
#pragma once
#include "engine/import/smaps/process_memory.h"
#include "engine/live/process_maps.h"

// Adds ranges of the owner MC_MEMORY_LARGE_BLOCKS to what is known of the process's memory; none if
// it can't be read. False: out of memory.
bool mc_malloc_blocks_add(uint32_t pid, mc_process_pages *pages, mc_process_memory *memory);
