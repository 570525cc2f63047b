#include "engine/trace/full_keys.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"

void mc_full_keys_deinit(mc_full_keys *keys) {
    mc_strings_deinit(&keys->parts);
    mc_free(keys->keys);
    mc_slots_deinit(&keys->slots);
    memset(keys, 0, sizeof *keys);
}

static uint32_t hash_key(mc_full_key key) {
    return (uint32_t)mc_hash_u64((uint64_t)key.before << 32 | key.part, 2);
}

static uint32_t find(const mc_full_keys *keys, mc_full_key key, uint32_t hash) {
    for (uint32_t at = hash, number; (number = mc_slots_find(&keys->slots, hash, &at)) != MC_NONE;)
        if (keys->keys[number].before == key.before && keys->keys[number].part == key.part)
            return number;
    return MC_NONE;
}

static uint32_t find_or_add(mc_full_keys *keys, mc_full_key key) {
    uint32_t hash = hash_key(key), known = find(keys, key, hash);
    if (known != MC_NONE) return known;
    if (keys->count >= MC_NONE / 4 ||
        !mc_reserve(&keys->keys, &keys->capacity, (size_t)keys->count + 1, sizeof key) ||
        !mc_slots_add(&keys->slots, hash, keys->count))
        return MC_NONE;
    keys->keys[keys->count] = key;
    return keys->count++;
}

// The part at `*at`, up to the next '#'; `*at` is then behind it. False: there is none any more.
static bool take_part(const char **at, const char *end, const char **part, size_t *size) {
    if (!*at) return false;
    const char *sharp = end > *at ? memchr(*at, '#', (size_t)(end - *at)) : NULL;
    *part = *at;
    *size = (size_t)((sharp ? sharp : end) - *at);
    *at = sharp ? sharp + 1 : NULL;
    return true;
}

uint32_t mc_full_keys_add(mc_full_keys *keys, uint32_t before, const char *key, size_t size) {
    const char *at = key, *part;
    size_t part_size;
    while (take_part(&at, key + size, &part, &part_size)) {
        uint32_t string = mc_strings_intern(&keys->parts, part, part_size);
        before = string == MC_NONE ? MC_NONE : find_or_add(keys, (mc_full_key){before, string});
        if (before == MC_NONE) break;
    }
    return before;
}

uint32_t mc_full_keys_find(const mc_full_keys *keys, uint32_t before, const char *key,
                           size_t size) {
    const char *at = key, *part;
    size_t part_size;
    while (take_part(&at, key + size, &part, &part_size)) {
        uint32_t string = mc_strings_find(&keys->parts, part, part_size);
        mc_full_key wanted = {before, string};
        before = string == MC_NONE ? MC_NONE : find(keys, wanted, hash_key(wanted));
        if (before == MC_NONE) break;
    }
    return before;
}
