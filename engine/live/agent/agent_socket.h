// agent_socket.h - where an agent finds us: a Unix socket that nobody but its user can reach.
//
// It lies in a folder of its own (mode 0700) in XDG_RUNTIME_DIR or /tmp, or where it was wished.
// What a killed run left there goes with the next one. Threads: one object, one thread.
#pragma once
#include "engine/base/base.h"

#define MC_AGENT_SOCKET_SIZE 108 // of a path, as the system has it

typedef struct mc_agent_socket {
    char folder[MC_AGENT_SOCKET_SIZE]; // made by this; "": the path was wished
    char path[MC_AGENT_SOCKET_SIZE];   // of the socket; "": there is none
    int fd;                            // it listens
} mc_agent_socket;

// `path`: NULL: in a folder of its own, in which who calls may put files (MC_AGENT_RECORDING). To
// be closed in any case. MC_ERROR_IO: it can't be made, or there is something of that name.
mc_result mc_agent_socket_open(mc_agent_socket *socket, const char *path, mc_error *error);
void mc_agent_socket_close(mc_agent_socket *socket); // removes the folder, too

#define MC_AGENT_RECORDING "live.mct" // what may lie in the folder, with the journal of its writer

// Whoever has connected, of our own user or root; others are sent away. -1: nobody. The descriptor
// does not block and is the caller's; `*pid` is whose it is.
int mc_agent_socket_accept(const mc_agent_socket *socket, uint32_t *pid);
