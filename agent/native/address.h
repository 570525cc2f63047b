// address.h - the viewer's address in the agent's options: "socket=PATH", or
// "tcp=PORT;secret-file=PATH".
//
// Other users may listen at either. At a socket the viewer must run as the agent's own user, as
// root, or as the user given in the options ("user=UID"). Over TCP, on loopback only, viewer and
// agent each prove that they know the secret before any data is sent
// (docs/reference/agent-protocol.md). Threads: any; the agent's, for connecting.
#pragma once
#include "engine/base/agent_protocol.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mc_address {
    char socket[108]; // "": TCP
    uint32_t user;    // who else may listen there; MC_PEER_NOBODY
    uint16_t port;
    char secret[MC_AGENT_SECRET_MOST + 1];
} mc_address;

// The secret is what the file holds, read once, or without one what stands in
// MEMCITY_AGENT_SECRET. False: there is no such place.
bool mc_address_read(mc_address *address, const char *options);
// Returns a non-blocking descriptor, or -1: nobody listens, or the peer is not authorised. Waits at
// most half a second for proofs.
int mc_address_connect(const mc_address *address);
