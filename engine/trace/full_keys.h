// full_keys.h - numbers full keys and finds equal ones, without writing them out.
//
// A full key is the keys from the root down, joined with '#'. Written out for every node, full keys
// take space quadratic in the depth of the tree, which the input chooses. Here a full key is a
// number that stands for a pair: the number of the text before its last '#', and the part behind
// it. Keys that contain '#' themselves are split, so two full keys have the same number exactly if
// their texts are equal, wherever the nodes' own keys begin. Memory and time: linear in the keys.
// Threads: one.
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
    mc_slots slots;
} mc_full_keys;

// Adds the full key that extends `before` (MC_NONE: nothing) by `key`, and returns its number.
// MC_NONE if memory is out.
uint32_t mc_full_keys_add(mc_full_keys *keys, uint32_t before, const char *key, size_t size);
// The same without adding it; MC_NONE if it does not exist.
uint32_t mc_full_keys_find(const mc_full_keys *keys, uint32_t before, const char *key, size_t size);
void mc_full_keys_deinit(mc_full_keys *keys);
