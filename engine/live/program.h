// program.h - a program that runs and can be recorded, whatever runs it.
//
// Plain data.
#pragma once
#include "engine/base/base.h"

#define MC_PROGRAM_NAME_SIZE 96

typedef enum mc_program_runtime { MC_PROGRAM_JAVA, MC_PROGRAM_NODE } mc_program_runtime;

typedef struct mc_program {
    mc_program_runtime runtime;
    uint32_t pid;
    char name[MC_PROGRAM_NAME_SIZE]; // the main class, the archive or the script, printable
    uint32_t user;                   // that it acts as
    uint64_t start_ticks;            // tells it from a later one with the same number
    double uptime_s;
    uint64_t heap_bytes; // in use, garbage included; 0: not known
} mc_program;

void mc_program_sort(mc_program *programs, uint32_t count); // by their start
