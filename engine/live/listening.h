// listening.h - the ports of this machine at which a process waits for connections.
//
// Read from /proc: of the process's user, and where both see the same network. Threads: any.
#pragma once
#include "engine/base/base.h"

#define MC_LISTENING_MOST 64

typedef struct mc_listening {
    uint16_t ports[MC_LISTENING_MOST]; // that 127.0.0.1 leads to
    bool are_local[MC_LISTENING_MOST]; // and nothing else does
    uint32_t count;
} mc_listening;

// Of more than MC_LISTENING_MOST ports the others are left out. None: they can't be read, too.
void mc_listening_read(uint32_t pid, mc_listening *found);
bool mc_listening_has(const mc_listening *listening, uint16_t port);
