// pairs.h - tables for counting references between leaves: pairs of leaves, and the leaves
// already seen to reference an object.
//
// Threads: pairs, one per worker. Seen sets, all workers at a time, except init and deinit.
#pragma once
#include "engine/base/hash.h"
#include <pthread.h>

typedef struct mc_heap_pair {
    uint64_t key; // from << 32 | to
    uint64_t points_to, pointed_from;
} mc_heap_pair;

typedef struct mc_heap_pairs {
    mc_heap_pair *slots; // free where both counts are 0
    size_t slot_count, count;
    uint64_t seed; // so that nobody can prepare pairs that collide
} mc_heap_pairs;

// Finds or adds the pair's entry; NULL if memory is out. The caller increments a count at once,
// which marks the slot as used.
mc_heap_pair *mc_heap_pairs_put(mc_heap_pairs *pairs, uint32_t from, uint32_t to);
// NULL: it is not there.
const mc_heap_pair *mc_heap_pairs_find(const mc_heap_pairs *pairs, uint32_t from, uint32_t to);
void mc_heap_pairs_deinit(mc_heap_pairs *pairs);
// Adds the counts of `other`. False if memory is out.
bool mc_heap_pairs_add(mc_heap_pairs *pairs, const mc_heap_pairs *other);
// Moves the pairs, sorted, to the front of the slots; nothing can be put any more.
void mc_heap_pairs_sort(mc_heap_pairs *pairs);

// A set of (object, leaf) pairs, in parts with a lock each.
#define MC_HEAP_SEEN_PARTS 64
typedef struct mc_heap_seen_part {
    pthread_mutex_t mutex;
    uint64_t *slots; // object << 32 | leaf; UINT64_MAX is free
    size_t slot_count, count;
} mc_heap_seen_part;

typedef struct mc_heap_seen {
    mc_heap_seen_part parts[MC_HEAP_SEEN_PARTS];
    uint32_t part_count; // that have a mutex
    uint64_t seed;
} mc_heap_seen;

bool mc_heap_seen_init(mc_heap_seen *seen);
void mc_heap_seen_deinit(mc_heap_seen *seen);
// Records that an object of `leaf` references `object`. *is_new: for the first time. False if
// memory is out.
bool mc_heap_seen_add(mc_heap_seen *seen, uint32_t object, uint32_t leaf, bool *is_new);
