// programs.h - lists the programs of this user that run and can be recorded, whatever runs them.
//
// No process is started and no program is asked. Threads: any.
#pragma once
#include "engine/live/program.h"

// Fills in at most `capacity`, by their start, the newest last; returns how many. O(processes and
// files there), some 0.2 ms for each program that is found.
uint32_t mc_program_find_all(mc_program *programs, uint32_t capacity);
