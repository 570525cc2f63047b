#include "engine/base/agent_proof.h"

#include <stdio.h>
#include <string.h>

void mc_agent_proof_make(const char *secret, unsigned port, int is_agent,
                         const unsigned char nonces[2 * MC_AGENT_NONCE_SIZE],
                         unsigned char proof[MC_SHA256_SIZE]) {
    unsigned char said[16 + 2 * MC_AGENT_NONCE_SIZE];
    size_t size =
        (size_t)snprintf((char *)said, 16, "%s %u ", is_agent ? "agent" : "memcity", port);
    memcpy(said + size, nonces, (size_t)2 * MC_AGENT_NONCE_SIZE);
    mc_hmac_sha256(secret, strlen(secret), said, size + (size_t)2 * MC_AGENT_NONCE_SIZE, proof);
}
