// agent_proof.h - what memcity and an agent prove to each other over TCP: that they know the secret
// (docs/reference/agent-protocol.md).
//
// Part of the agent, too. Threads: any.
#pragma once
#include "engine/base/agent_protocol.h"
#include "engine/base/sha256.h"

// `is_agent`: whose proof it is. `nonces`: the agent's, then memcity's.
void mc_agent_proof_make(const char *secret, unsigned port, int is_agent,
                         const unsigned char nonces[2 * MC_AGENT_NONCE_SIZE],
                         unsigned char proof[MC_SHA256_SIZE]);
