// full_keys.h - tells full keys apart, and finds equal ones, without writing them.
//
// A full key is the keys from the root down, joined with '#'; written out for every node they take
// space quadratic in the depth of the tree, which an input chooses. Here each is a number: that of
// what stands before its last '#', and the part behind that. Keys that hold a '#' themselves are
// taken apart, so that two full keys have one number exactly if they are one text, wherever their
// nodes' keys begin. Memory and time: linear in the keys. Threads: one.
#pragma once
#include "engine/base/text.h"

typedef struct mc_full_key {
    uint32_t before; // another number; MC_NONE: nothing
    uint32_t part;
} mc_full_key;

// Zero-initialise, add, deinit.
typedef struct mc_full_keys {
    mc_strings parts;
    mc_full_key *keys; // number 0, 1, 2 …
    uint32_t count;
    size_t capacity;
    uint64_t *slots; // see slots.h
    uint32_t slot_count;
} mc_full_keys;

// The number of the full key that goes on behind `before` (MC_NONE: begins) with `key`. MC_NONE if
// memory is out.
uint32_t mc_full_keys_add(mc_full_keys *keys, uint32_t before, const char *key, size_t size);
// The same without adding it; MC_NONE if it is not there.
uint32_t mc_full_keys_find(const mc_full_keys *keys, uint32_t before, const char *key, size_t size);
void mc_full_keys_deinit(mc_full_keys *keys);
