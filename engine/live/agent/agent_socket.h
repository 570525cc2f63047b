// agent_socket.h - the endpoint that agents connect to: a Unix socket that only its user can reach,
// or a loopback port with a secret that only its user can read.
//
// The socket or the secret lies in the run's own folder (run_folder.h), or the socket at the
// requested path. Threads: one object, one thread, the main one.
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

// `path`: NULL: in the run's folder, where the caller may also put files (MC_RUN_…). Close it in
// any case. MC_ERROR_IO: it can't be created, or the name is taken.
mc_result mc_agent_socket_open(mc_agent_socket *socket, const char *path, mc_error *error);
// TCP; `port` 0: any. The secret is made, or what stands in MC_AGENT_SECRET_VARIABLE.
// MC_ERROR_UNSUPPORTED: that is none.
mc_result mc_agent_socket_open_tcp(mc_agent_socket *socket, uint16_t port, mc_error *error);
// The agent's options that lead it here: "socket=PATH;user=UID", "tcp=PORT;secret-file=PATH".
void mc_agent_socket_append_options(const mc_agent_socket *socket, mc_text *text);
// Closes the endpoint; the folder stays.
void mc_agent_socket_stop(mc_agent_socket *socket);
void mc_agent_socket_close(mc_agent_socket *socket); // removes the folder, too

// Accepts a connection from our own user or root, or from a client that knows the secret; others
// are rejected. -1: nobody. The descriptor does not block and is the caller's; `*pid` is the peer's
// process (0: not known, with TCP).
int mc_agent_socket_accept(mc_agent_socket *socket, uint32_t *pid);
