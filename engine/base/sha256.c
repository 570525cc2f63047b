#include "engine/base/sha256.h"

#include "engine/base/bits.h"
#include <string.h>

static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t word, unsigned bits) {
    return word >> bits | word << (32 - bits);
}

static void spread(const unsigned char block[64], uint32_t words[64]) {
    for (int i = 0; i < 16; i++)
        words[i] = mc_read_u32(block + i * 4);
    for (int i = 16; i < 64; i++) {
        uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + words[i - 7] +
                   (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
}

static void add_block(uint32_t state[8], const unsigned char block[64]) {
    uint32_t words[64], s[8];
    spread(block, words);
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t first = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
                         ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + words[i];
        uint32_t second = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
                          ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

void mc_sha256_begin(mc_sha256 *hash) {
    memcpy(hash->state, initial, sizeof initial);
    hash->size = 0;
}

void mc_sha256_add(mc_sha256 *hash, const void *data, size_t size) {
    const unsigned char *at = data;
    while (size > 0) {
        size_t used = hash->size % 64, part = 64 - used < size ? 64 - used : size;
        memcpy(hash->block + used, at, part);
        hash->size += part;
        at += part;
        size -= part;
        if (used + part == 64) add_block(hash->state, hash->block);
    }
}

void mc_sha256_end(mc_sha256 *hash, unsigned char digest[MC_SHA256_SIZE]) {
    static const unsigned char padding[64] = {0x80};
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(hash->size * 8 >> (56 - 8 * i));
    mc_sha256_add(hash, padding, 64 - (hash->size + 8) % 64);
    mc_sha256_add(hash, length, sizeof length);
    for (int i = 0; i < MC_SHA256_SIZE; i++)
        digest[i] = (unsigned char)(hash->state[i / 4] >> (24 - i % 4 * 8));
}

void mc_hmac_sha256(const void *key, size_t key_size, const void *data, size_t size,
                    unsigned char digest[MC_SHA256_SIZE]) {
    unsigned char inner[64] = {0}, outer[64];
    mc_sha256 hash;
    if (key_size > sizeof inner) {
        mc_sha256_begin(&hash);
        mc_sha256_add(&hash, key, key_size);
        mc_sha256_end(&hash, inner);
    } else if (key_size > 0) {
        memcpy(inner, key, key_size);
    }
    for (size_t i = 0; i < sizeof inner; i++) {
        outer[i] = inner[i] ^ 0x5c;
        inner[i] ^= 0x36;
    }
    mc_sha256_begin(&hash);
    mc_sha256_add(&hash, inner, sizeof inner);
    mc_sha256_add(&hash, data, size);
    mc_sha256_end(&hash, digest);
    mc_sha256_begin(&hash);
    mc_sha256_add(&hash, outer, sizeof outer);
    mc_sha256_add(&hash, digest, MC_SHA256_SIZE);
    mc_sha256_end(&hash, digest);
}

int mc_sha256_is_equal(const unsigned char a[MC_SHA256_SIZE],
                       const unsigned char b[MC_SHA256_SIZE]) {
    unsigned different = 0;
    for (int i = 0; i < MC_SHA256_SIZE; i++)
        different |= (unsigned)(a[i] ^ b[i]);
    return different == 0;
}
