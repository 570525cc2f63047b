// agent_socket.h - where an agent finds us: a Unix socket that nobody but its user can reach, or a
// port of loopback and a secret that nobody but its user can read.
//
// The socket or the secret lies in the run's own folder (run_folder.h), or the socket where it was
// wanted. Threads: one object, one thread, the main one.
#pragma once
#include "engine/base/text.h"
#include "engine/live/agent/agent_tcp.h"
#include "engine/live/run_folder.h"

#define MC_AGENT_SOCKET_SIZE 108 // of a path, as the system has it

typedef struct mc_agent_socket {
    mc_run_folder folder;            // none: the path was wanted
    char path[MC_AGENT_SOCKET_SIZE]; // of the socket, or of the secret; "": there is none
    int fd;                          // readable if somebody comes
    bool uses_tcp;
    mc_agent_tcp tcp;
} mc_agent_socket;

// What agents read a secret from where no file is shared, and so do we.
#define MC_AGENT_SECRET_VARIABLE "MEMCITY_AGENT_SECRET"

// `path`: NULL: in the run's folder, in which who calls may put files (MC_RUN_…). To be closed in
// any case. MC_ERROR_IO: it can't be made, or there is something of that name.
mc_result mc_agent_socket_open(mc_agent_socket *socket, const char *path, mc_error *error);
// TCP; `port` 0: any. The secret is made, or what stands in MC_AGENT_SECRET_VARIABLE.
// MC_ERROR_UNSUPPORTED: that is none.
mc_result mc_agent_socket_open_tcp(mc_agent_socket *socket, uint16_t port, mc_error *error);
// The agent's options that lead it here: "socket=PATH;user=UID", "tcp=PORT;secret-file=PATH".
void mc_agent_socket_append_options(const mc_agent_socket *socket, mc_text *text);
// Nobody is found here any more; the folder stays.
void mc_agent_socket_stop(mc_agent_socket *socket);
void mc_agent_socket_close(mc_agent_socket *socket); // removes the folder, too

// Whoever has connected, of our own user or root, or knows the secret; others are sent away. -1:
// nobody. The descriptor does not block and is the caller's; `*pid` is whose it is (0: not known,
// with TCP).
int mc_agent_socket_accept(mc_agent_socket *socket, uint32_t *pid);
