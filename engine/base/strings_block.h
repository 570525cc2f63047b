// strings_block.h - adds many strings to a table at once, whose bytes are then written in place.
//
// Use: reserve_sizes, write the sizes; append_sized, write the bytes. Threads: as for the table;
// the bytes of separate blocks may be written by separate threads, once all blocks were added.
#pragma once
#include "engine/base/text.h"

// Where the sizes of `count` more strings go, each without its NUL. NULL: out of memory.
uint64_t *mc_strings_reserve_sizes(mc_strings *strings, uint32_t count);
// Adds these strings, which have `size` bytes in all with a NUL behind each; they are at
// offsets[index of the first one], uninitialised. They can be got, but not found. False: out of
// memory, none was added.
bool mc_strings_append_sized(mc_strings *strings, uint32_t count, size_t size);
