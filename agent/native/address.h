// address.h - where the viewer is, as the agent's options say: "socket=PATH", or
// "tcp=PORT;secret-file=PATH".
//
// Other users may listen at either. At a socket the viewer has to be of the agent's own user, of
// root, or of the user whose number the options have ("user=UID"). With TCP, which is loopback's,
// it has to prove that it knows the secret before it is told anything, as has the agent
// (docs/agent-protocol.md). Threads: any; the agent's, for connecting.
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
// A descriptor that does not block, or -1: nobody is there, or not who it should be. Waits at most
// half a second for proofs.
int mc_address_connect(const mc_address *address);
