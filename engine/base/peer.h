// peer.h - identifies the process at the other end of a Unix socket, as the kernel reports it.
//
// Where anyone may create names, a socket's name proves nothing. For a listening socket, the
// process is the one that called listen(). Threads: any.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define MC_PEER_NOBODY UINT32_MAX

// Whether the peer is a process of our own user, of root, or of `also` (a user's number;
// MC_PEER_NOBODY: of nobody else). Check it before anything is sent. `*pid` (may be NULL) is that
// process; 0: in another PID namespace, or not known.
bool mc_peer_is_trusted(int fd, uint32_t also, uint32_t *pid);
