#include "engine/heap/pairs.h"

#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

static bool is_free(const mc_heap_pair *pair) {
    return pair->points_to == 0 && pair->pointed_from == 0;
}

static mc_heap_pair *find(mc_heap_pair *slots, size_t slot_count, uint64_t key, uint64_t seed) {
    for (size_t i = (size_t)mc_hash_u64(key, seed);; i++) {
        mc_heap_pair *pair = &slots[i & (slot_count - 1)];
        if (is_free(pair) || pair->key == key) return pair;
    }
}

static bool grow_pairs(mc_heap_pairs *pairs) {
    size_t count = pairs->slot_count > 0 ? 2 * pairs->slot_count : 1024;
    mc_heap_pair *slots = mc_alloc_zero_scattered(count, sizeof *slots);
    if (!slots) return false;
    if (pairs->slot_count == 0) pairs->seed = mc_clock_now_ns() ^ (uint64_t)(uintptr_t)slots;
    for (size_t i = 0; i < pairs->slot_count; i++) {
        const mc_heap_pair *pair = &pairs->slots[i];
        if (!is_free(pair)) *find(slots, count, pair->key, pairs->seed) = *pair;
    }
    mc_free(pairs->slots);
    pairs->slots = slots;
    pairs->slot_count = count;
    return true;
}

mc_heap_pair *mc_heap_pairs_put(mc_heap_pairs *pairs, uint32_t from, uint32_t to) {
    if (pairs->slot_count < 2 * (pairs->count + 1) && !grow_pairs(pairs)) return NULL;
    uint64_t key = (uint64_t)from << 32 | to;
    mc_heap_pair *pair = find(pairs->slots, pairs->slot_count, key, pairs->seed);
    if (is_free(pair)) {
        pair->key = key;
        pairs->count++;
    }
    return pair;
}

const mc_heap_pair *mc_heap_pairs_find(const mc_heap_pairs *pairs, uint32_t from, uint32_t to) {
    if (pairs->slot_count == 0) return NULL;
    const mc_heap_pair *pair =
        find(pairs->slots, pairs->slot_count, (uint64_t)from << 32 | to, pairs->seed);
    return is_free(pair) ? NULL : pair;
}

void mc_heap_pairs_deinit(mc_heap_pairs *pairs) {
    mc_free(pairs->slots);
    memset(pairs, 0, sizeof *pairs);
}

bool mc_heap_pairs_add(mc_heap_pairs *pairs, const mc_heap_pairs *other) {
    for (size_t i = 0; i < other->slot_count; i++) {
        const mc_heap_pair *from = &other->slots[i];
        if (is_free(from)) continue;
        mc_heap_pair *to =
            mc_heap_pairs_put(pairs, (uint32_t)(from->key >> 32), (uint32_t)from->key);
        if (!to) return false;
        to->points_to += from->points_to;
        to->pointed_from += from->pointed_from;
    }
    return true;
}

static int compare_pairs(const void *a, const void *b) {
    const mc_heap_pair *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

void mc_heap_pairs_sort(mc_heap_pairs *pairs) {
    size_t count = 0;
    for (size_t i = 0; i < pairs->slot_count; i++)
        if (!is_free(&pairs->slots[i])) pairs->slots[count++] = pairs->slots[i];
    if (count > 1) qsort(pairs->slots, count, sizeof *pairs->slots, compare_pairs);
}

// ---- seen

bool mc_heap_seen_init(mc_heap_seen *seen) {
    memset(seen, 0, sizeof *seen);
    seen->seed = mc_clock_now_ns() ^ (uint64_t)(uintptr_t)seen;
    while (seen->part_count < MC_HEAP_SEEN_PARTS &&
           pthread_mutex_init(&seen->parts[seen->part_count].mutex, NULL) == 0)
        seen->part_count++;
    return seen->part_count == MC_HEAP_SEEN_PARTS;
}

void mc_heap_seen_deinit(mc_heap_seen *seen) {
    for (uint32_t i = 0; i < seen->part_count; i++) {
        mc_free(seen->parts[i].slots);
        pthread_mutex_destroy(&seen->parts[i].mutex);
    }
    memset(seen, 0, sizeof *seen);
}

static uint64_t *find_seen(uint64_t *slots, size_t slot_count, uint64_t key, uint64_t hash) {
    for (size_t i = (size_t)hash;; i++) {
        uint64_t *slot = &slots[i & (slot_count - 1)];
        if (*slot == UINT64_MAX || *slot == key) return slot;
    }
}

static bool grow_part(mc_heap_seen_part *part, uint64_t seed) {
    size_t count = part->slot_count > 0 ? 2 * part->slot_count : 256;
    uint64_t *slots = mc_alloc_scattered(count, sizeof *slots);
    if (!slots) return false;
    memset(slots, 0xff, count * sizeof *slots);
    for (size_t i = 0; i < part->slot_count; i++) {
        uint64_t key = part->slots[i];
        if (key != UINT64_MAX) *find_seen(slots, count, key, mc_hash_u64(key, seed)) = key;
    }
    mc_free(part->slots);
    part->slots = slots;
    part->slot_count = count;
    return true;
}

bool mc_heap_seen_add(mc_heap_seen *seen, uint32_t object, uint32_t leaf, bool *is_new) {
    uint64_t key = (uint64_t)object << 32 | leaf, hash = mc_hash_u64(key, seen->seed);
    mc_heap_seen_part *part = &seen->parts[hash >> 58];
    pthread_mutex_lock(&part->mutex);
    // three quarters full at most
    bool has_room = 4 * (part->count + 1) <= 3 * part->slot_count || grow_part(part, seen->seed);
    if (has_room) {
        uint64_t *slot = find_seen(part->slots, part->slot_count, key, hash);
        *is_new = *slot != key;
        part->count += *is_new;
        *slot = key;
    }
    pthread_mutex_unlock(&part->mutex);
    return has_room;
}
