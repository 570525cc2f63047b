// far_pack.h - this program with all libraries that it is linked with, as one archive that runs on
// any Linux of the same architecture, whatever C library that has.
//
// The archive is a .tar.gz, kept in the user's cache as long as program and libraries are the same.
// It holds bin/memcity, a script that starts lib/memcity.bin by the dynamic linker beside it, and
// what the program loads into others. Threads: the main thread.
#pragma once
#include "engine/base/text.h"

#define MC_FAR_HASH_SIZE 65 // SHA-256 in hexadecimal digits

typedef struct mc_far_pack {
    char hash[MC_FAR_HASH_SIZE];
    char *path; // of the archive
    uint64_t size;
} mc_far_pack;

// Finds the archive or makes it. To be deinitialised in any case.
mc_result mc_far_pack_find(mc_far_pack *pack, mc_error *error);
void mc_far_pack_deinit(mc_far_pack *pack);

// The SHA-256 of bytes, as digits.
void mc_far_hash(const void *bytes, size_t size, char hash[MC_FAR_HASH_SIZE]);
