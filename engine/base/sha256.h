// sha256.h - SHA-256 (FIPS 180-4), and HMAC-SHA256 (RFC 2104).
//
// Depends on the standard library only, because the agent, a program of its own, uses it as well.
// Pure, any thread; some 200 MB/s.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define MC_SHA256_SIZE 32

typedef struct mc_sha256 {
    uint32_t state[8];
    uint64_t size; // in bytes, of all that was added
    unsigned char block[64];
} mc_sha256;

void mc_sha256_begin(mc_sha256 *hash);
void mc_sha256_add(mc_sha256 *hash, const void *data, size_t size);
void mc_sha256_end(mc_sha256 *hash, unsigned char digest[MC_SHA256_SIZE]);

void mc_hmac_sha256(const void *key, size_t key_size, const void *data, size_t size,
                    unsigned char digest[MC_SHA256_SIZE]);

// In a time that does not depend on where they differ. 1: they are equal, otherwise 0.
int mc_sha256_is_equal(const unsigned char a[MC_SHA256_SIZE],
                       const unsigned char b[MC_SHA256_SIZE]);
