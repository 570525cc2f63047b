// agent_tcp.h - accepts agents over TCP. Listens on loopback only. Since every user of the machine
// can connect there, a client must prove that it knows a secret, and so must we
// (docs/reference/agent-protocol.md): neither side sends anything else before, and the secret
// itself is never sent.
//
// Threads: one object, one thread.
#pragma once
#include "engine/base/agent_proof.h"
#include "engine/base/base.h"

#define MC_AGENT_TCP_CALLERS 8 // that have proven nothing yet; the oldest has to go

typedef struct mc_agent_caller {
    int fd; // -1: none
    bool is_answered;
    uint32_t got;                                  // bytes of what it has to say next
    unsigned char received[MC_SHA256_SIZE];        // its nonce, then its proof
    unsigned char nonces[2 * MC_AGENT_NONCE_SIZE]; // its and ours
} mc_agent_caller;

typedef struct mc_agent_tcp {
    int fd;       // readable when somebody comes or says something
    int listener; // -1: closed
    uint16_t port;
    char secret[MC_AGENT_SECRET_MOST + 1];
    mc_agent_caller callers[MC_AGENT_TCP_CALLERS];
    uint32_t next; // which of them goes if there is no room
} mc_agent_tcp;

// `port`: 0: any free one. Close it in any case. MC_ERROR_IO: the port is not available.
mc_result mc_agent_tcp_open(mc_agent_tcp *tcp, uint16_t port, const char *secret, mc_error *error);
void mc_agent_tcp_close(mc_agent_tcp *tcp);

// Returns an authenticated client; the descriptor is the caller's and does not block. -1: nobody.
int mc_agent_tcp_accept(mc_agent_tcp *tcp);
