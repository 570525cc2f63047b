// nodejs.h - a running program of Node, and snapshots of its heap.
//
// Node opens its inspector, at 127.0.0.1, on SIGUSR1; it is asked there (nodejs_inspector.h).
// Threads: the main thread.
#pragma once
#include "engine/live/nodejs_inspector.h"
#include "engine/live/program.h"

typedef struct mc_nodejs {
    uint32_t pid;
    uint64_t start_ticks; // tells it from a later process with the same number
    char name[64];        // for messages
    uint64_t timeout_ms;  // of a snapshot
    bool (*should_stop)(void);
    mc_nodejs_inspector inspector; // port 0: not known yet
    bool is_opened;                // by us
} mc_nodejs;

// Whether the program that a process runs is called node, or nodejs.
bool mc_nodejs_is(uint32_t pid);
// What it runs: the script's name, printable, or "node". False: its arguments can't be read.
bool mc_nodejs_read_program(uint32_t pid, char name[MC_PROGRAM_NAME_SIZE]);

// MC_ERROR_UNSUPPORTED: it has ended, belongs to somebody else, or is in another network. Nothing
// is asked yet.
mc_result mc_nodejs_init(mc_nodejs *node, uint32_t pid, mc_error *error);
// Closes the inspector if we have opened it.
void mc_nodejs_deinit(mc_nodejs *node);

// Lists this user's running programs of Node as mc_program_find_all() does. O(processes).
uint32_t mc_nodejs_list(mc_program *programs, uint32_t capacity);

bool mc_nodejs_is_alive(const mc_nodejs *node);

// Puts a snapshot into the file, from its beginning on; opens the inspector where it has none.
// MC_ERROR_IO, MC_ERROR_BAD_DATA: why it went wrong; MC_ERROR_UNSUPPORTED: the inspector can't be
// opened; MC_ERROR_CANCELLED: should_stop() said so.
mc_result mc_nodejs_write_snapshot(mc_nodejs *node, int file, mc_error *error);
