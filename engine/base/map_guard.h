// map_guard.h - protects mappings of files that may be truncated while they are read; for file.c
// only.
//
// Reading a page of a mapping beyond the end of the file raises SIGBUS in the reading thread. The
// guard replaces the rest of the mapping by zeros, records that, and lets the thread go on: no
// jump, no lock, nothing to unwind. Readers treat the zeros like any other bytes, and check at the
// end. Threads: all functions, any thread.
#pragma once
#include "engine/base/base.h"

// Takes over SIGBUS. Once is enough; faults elsewhere go to whoever had it before.
void mc_map_guard_install(void);

// Notes the mapping of `size` bytes at `begin`, which must be given up before it is unmapped.
// Returns its number; MC_NONE: too many are noted.
uint32_t mc_map_guard_enter(const void *begin, size_t size);
// Whether a part of it was not there when it was read.
bool mc_map_guard_was_hit(uint32_t number);
void mc_map_guard_leave(uint32_t number);
