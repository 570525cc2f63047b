// name_cipher.h - encrypts names so that only the owner of the key can read them; with the same
// key, equal names give equal texts.
//
// Each part of a name between . / $ # [ ] becomes letters, digits, - and _ by AES-SIV (RFC 5297) of
// nettle. It is deterministic, so equal parts stay equal. It is authenticated, so restoring
// recognises which names were encrypted with this key. Not hidden: the lengths of parts, which of
// them are equal, and where the separators stand. Memory: each name once, with its result. Threads:
// one object, one thread.
#pragma once
#include "engine/base/text.h"

typedef struct mc_name_cipher mc_name_cipher;

typedef struct mc_name_cipher_report {
    uint64_t restored_count; // parts of different names
    uint64_t other_count;    // that were not hidden with this key, and stay as they are
} mc_name_cipher_report;

// The key file holds 64 hexadecimal digits. `restores`: names are given back, else hidden.
// MC_ERROR_IO, or MC_ERROR_BAD_DATA: what the file lacks.
mc_result mc_name_cipher_create(const char *key_path, bool restores, mc_name_cipher **cipher,
                                mc_error *error);
void mc_name_cipher_destroy(mc_name_cipher *cipher); // NULL is fine
bool mc_name_cipher_restores(const mc_name_cipher *cipher);

// Appends what a name becomes. False: out of memory.
bool mc_name_cipher_append(mc_name_cipher *self, const char *name, size_t size, mc_text *out);
mc_name_cipher_report mc_name_cipher_get_report(const mc_name_cipher *self);
