#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/trace/build/builder_state.h"
#include "engine/trace/build/trace_builder.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// One step of a hash that can be continued: a node's full key begins with its parent's.
static uint64_t continue_hash(uint64_t hash, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return hash;
}

#define HASH_START 0xcbf29ce484222325u

static uint32_t slot_of(const mc_trace_builder *builder, uint64_t hash) {
    return (uint32_t)mc_hash_u64(hash, 0) & (builder->full_key_slot_count - 1);
}

void mc_builder_forget_full_keys(mc_trace_builder *builder) {
    mc_free(builder->full_key_hash);
    mc_free(builder->full_key_next);
    mc_free(builder->full_key_first);
    builder->full_key_hash = NULL;
    builder->full_key_next = builder->full_key_first = NULL;
    builder->full_key_slot_count = builder->full_key_count = 0;
}

static void enter_full_key(mc_trace_builder *builder, uint32_t node) {
    uint32_t slot = slot_of(builder, builder->full_key_hash[node]);
    builder->full_key_next[node] = builder->full_key_first[slot];
    builder->full_key_first[slot] = node;
}

static bool reserve_full_keys(mc_trace_builder *builder) {
    uint32_t count = (uint32_t)builder->node_count, slot_count = 64;
    uint64_t *hashes = mc_realloc(builder->full_key_hash, count, sizeof *hashes);
    if (hashes) builder->full_key_hash = hashes;
    uint32_t *next = mc_realloc(builder->full_key_next, count, sizeof *next);
    if (next) builder->full_key_next = next;
    if (!hashes || !next) return false;
    if (count <= builder->full_key_slot_count) return true;
    while (slot_count < count)
        slot_count *= 2;
    uint32_t *first = mc_alloc(slot_count, sizeof *first);
    if (!first) return false;
    mc_free(builder->full_key_first);
    builder->full_key_first = first;
    builder->full_key_slot_count = slot_count;
    memset(first, 0xff, slot_count * sizeof *first);
    for (uint32_t node = 0; node < builder->full_key_count; node++)
        enter_full_key(builder, node);
    return true;
}

// Nodes that came since the last call are added.
static mc_result index_full_keys(mc_trace_builder *builder, mc_error *error) {
    if (builder->full_key_count == builder->node_count) return MC_OK;
    if (!reserve_full_keys(builder)) return mc_error_out_of_memory(error);
    for (uint32_t node = builder->full_key_count; node < builder->node_count; node++) {
        const mc_seen_node *seen = &builder->nodes[node];
        uint64_t hash = HASH_START;
        if (builder->key_kind == MC_KEY_PATH_PART && seen->parent != MC_NONE)
            hash = continue_hash(builder->full_key_hash[seen->parent], "#", 1);
        size_t size;
        const char *key = mc_strings_get(&builder->strings, seen->key, &size);
        builder->full_key_hash[node] = continue_hash(hash, key, size);
        enter_full_key(builder, node);
    }
    builder->full_key_count = (uint32_t)builder->node_count;
    return MC_OK;
}

// Compared from the leaf up.
static bool has_full_key(const mc_trace_builder *builder, uint32_t node, const char *full_key,
                         size_t size) {
    for (;;) {
        const mc_seen_node *seen = &builder->nodes[node];
        size_t key_size;
        const char *key = mc_strings_get(&builder->strings, seen->key, &key_size);
        if (key_size > size || memcmp(full_key + size - key_size, key, key_size) != 0) return false;
        size -= key_size;
        if (builder->key_kind == MC_KEY_FULL || seen->parent == MC_NONE) return size == 0;
        if (size == 0 || full_key[size - 1] != '#') return false;
        size--;
        node = seen->parent;
    }
}

// The leaf of the step's tree that bears this full key.
static mc_result find_leaf(const mc_trace_builder *builder, const mc_seen_step *step,
                           const char *full_key, size_t size, uint64_t offset, uint32_t *leaf,
                           mc_error *error) {
    uint64_t hash = continue_hash(HASH_START, full_key, size);
    mc_excerpt shown;
    uint32_t found = MC_NONE, inner = MC_NONE;
    for (uint32_t node = builder->full_key_first[slot_of(builder, hash)]; node != MC_NONE;
         node = builder->full_key_next[node]) {
        if (builder->full_key_hash[node] != hash || node >= step->seen_count ||
            !mc_bits_get(step->present, node) || !has_full_key(builder, node, full_key, size))
            continue;
        if (mc_bits_get(step->inner, node)) {
            inner = node;
            continue;
        }
        if (found != MC_NONE)
            return mc_error_set(error, MC_ERROR_BAD_DATA, offset,
                                "\"%s\" is the full key of two leaves of the step of time %" PRId64,
                                mc_excerpt_make(&shown, full_key, size), step->info.time_ms);
        found = node;
    }
    *leaf = found;
    if (found != MC_NONE) return MC_OK;
    return mc_error_set(error, MC_ERROR_BAD_DATA, offset,
                        "expected the full key of a leaf of the step of time %" PRId64
                        ", but \"%s\" is %s",
                        step->info.time_ms, mc_excerpt_make(&shown, full_key, size),
                        inner != MC_NONE ? "an inner node" : "not in its tree");
}

mc_result mc_builder_get_leaf(const mc_trace_builder *builder, const mc_seen_step *step,
                              uint64_t entry, uint32_t *leaf, mc_error *error) {
    bool is_node = builder->latest_step != MC_NONE &&
                   step == &builder->steps[builder->latest_step] &&
                   entry < builder->step_node_count;
    *leaf = is_node ? builder->step_nodes[entry] : MC_NONE;
    if (is_node && !mc_bits_get(step->inner, *leaf)) return MC_OK;
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "expected a leaf of the step of time %" PRId64 ", found its node %" PRIu64,
                   step->info.time_ms, entry);
}

static mc_result resolve_ends(const mc_trace_builder *builder, const mc_seen_step *step,
                              const mc_reference_map *map, const mc_reference_entry *given,
                              uint32_t *outer, uint32_t *inner, mc_error *error) {
    if (map->is_by_node) {
        mc_result result = mc_builder_get_leaf(builder, step, given->outer_offset, outer, error);
        return result == MC_OK
                   ? mc_builder_get_leaf(builder, step, given->inner_offset, inner, error)
                   : result;
    }
    mc_result result = find_leaf(builder, step, map->text.data + given->outer_offset,
                                 given->outer_size, given->source_offset, outer, error);
    return result == MC_OK ? find_leaf(builder, step, map->text.data + given->inner_offset,
                                       given->inner_size, given->source_offset, inner, error)
                           : result;
}

typedef struct entry {
    uint32_t from, to;
    uint64_t count, source_offset;
} entry;

static int compare_entries(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return 0;
}

static mc_result resolve_entries(const mc_trace_builder *builder, const mc_seen_step *step,
                                 const mc_reference_map *map, mc_reference_direction direction,
                                 entry *entries, mc_error *error) {
    for (size_t i = 0; i < map->entry_count; i++) {
        const mc_reference_entry *given = &map->entries[i];
        uint32_t outer, inner;
        mc_result result = resolve_ends(builder, step, map, given, &outer, &inner, error);
        if (result != MC_OK) return result;
        entries[i] = (entry){.from = direction == MC_POINTS_TO ? outer : inner,
                             .to = direction == MC_POINTS_TO ? inner : outer,
                             .count = given->count,
                             .source_offset = given->source_offset};
    }
    qsort(entries, map->entry_count, sizeof *entries, compare_entries);
    for (size_t i = 1; i < map->entry_count; i++)
        if (compare_entries(&entries[i - 1], &entries[i]) == 0)
            return mc_error_set(error, MC_ERROR_BAD_DATA, entries[i].source_offset,
                                "this pair of leaves is in the pointer map twice");
    return MC_OK;
}

// Both lists are sorted; the result replaces the step's pairs.
static mc_result merge_entries(mc_seen_step *step, const entry *entries, size_t entry_count,
                               mc_reference_direction direction, mc_error *error) {
    mc_side_rows *known = &step->side[MC_SIDE_REFERENCES];
    const mc_reference *old = known->rows;
    size_t most = known->count + entry_count;
    if (most == 0) return MC_OK;
    if (most > MC_NONE / 2)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "too many references in one step");
    mc_reference *pairs = mc_alloc(most, sizeof *pairs);
    if (!pairs) return mc_error_out_of_memory(error);
    uint32_t count = 0, i = 0;
    size_t k = 0;
    while (i < known->count || k < entry_count) {
        int order = i == known->count ? 1 : k == entry_count ? -1 : 0;
        if (order == 0) {
            entry first = {.from = old[i].from, .to = old[i].to};
            order = compare_entries(&first, &entries[k]);
        }
        mc_reference pair =
            order <= 0 ? old[i++] : (mc_reference){.from = entries[k].from, .to = entries[k].to};
        if (order >= 0) {
            if (direction == MC_POINTS_TO) pair.points_to = entries[k].count;
            if (direction == MC_POINTED_FROM) pair.pointed_from = entries[k].count;
            k++;
        }
        pairs[count++] = pair;
    }
    mc_reference *fitting = mc_realloc(pairs, count, sizeof *pairs);
    mc_side_rows_deinit(known);
    *known = (mc_side_rows){fitting ? fitting : pairs, count};
    return MC_OK;
}

mc_result mc_trace_builder_add_references(mc_trace_builder *builder, const mc_reference_map *map,
                                          mc_reference_direction direction, mc_error *error) {
    uint32_t index;
    if (!mc_builder_find_step(builder, map->time_ms, &index)) return mc_error_out_of_memory(error);
    mc_seen_step *step = index == MC_NONE ? NULL : &builder->steps[index];
    if (!step)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "no step has the time %" PRId64 " of this pointer map", map->time_ms);
    if (step->info.directions & 1u << direction)
        return mc_fail(error, MC_ERROR_BAD_DATA, "a second %s map for the time %" PRId64,
                       direction == MC_POINTS_TO ? "points-to" : "pointed-from", map->time_ms);
    mc_result result = map->is_by_node ? MC_OK : index_full_keys(builder, error);
    if (result != MC_OK) return result;
    entry *entries = NULL;
    if (map->entry_count > 0) {
        entries = mc_alloc(map->entry_count, sizeof *entries);
        if (!entries) return mc_error_out_of_memory(error);
        result = resolve_entries(builder, step, map, direction, entries, error);
    }
    if (result == MC_OK) result = merge_entries(step, entries, map->entry_count, direction, error);
    mc_free(entries);
    if (result != MC_OK) return result;
    step->info.directions |= 1u << direction;
    builder->has_references = true;
    return MC_OK;
}
