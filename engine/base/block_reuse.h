// block_reuse.h - large blocks of memory that were freed and serve again.
//
// Memory that a process touches for the first time costs the system ten to thirty times what
// writing to it again costs, most of all in a virtual machine whose host takes back what is free.
// So a large block that is freed is kept, and the next request for about as much gets it; what is
// too small or too large is resized, which moves pages and copies nothing.
//
// Kept blocks and those in use together are never more than what was in use at once before, nor do
// kept ones exceed a limit. Threads: all functions, any thread.
#pragma once
#include "engine/base/base.h"

#define MC_BLOCK_REUSE_MIN ((size_t)128 << 10) // bytes; smaller blocks are the C library's alone

// Of all kept blocks together, bytes; what exceeds it is freed. 0, as at first: none is kept.
void mc_block_reuse_set_limit(size_t limit);

// The rest is for memory.c, of blocks of malloc() of at least MC_BLOCK_REUSE_MIN bytes; sizes in
// use are those of malloc_usable_size().
//
// A kept block with room for `size` bytes, whatever they are, for free(); NULL: none. It counts as
// in use once the caller says so.
void *mc_block_reuse_take(size_t size);
void mc_block_reuse_note_use(size_t size);
void mc_block_reuse_note_end(size_t size);
// The block of `size` bytes is in use no longer. True: it is kept; false: the caller frees it.
bool mc_block_reuse_keep(void *block, size_t size);
// Frees all that is kept, as memory is out. False: there was nothing.
bool mc_block_reuse_drop(void);
