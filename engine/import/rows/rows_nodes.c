#include "engine/import/rows/rows_nodes.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <string.h>

static const mc_rows_node blank = {.parent = MC_NONE,
                                   .place = MC_NONE,
                                   .next = MC_NONE,
                                   .raw_size = MC_NONE,
                                   .entry = MC_NONE,
                                   .row = MC_NONE,
                                   .step = MC_NONE};

bool mc_rows_nodes_init(mc_rows_nodes *self) {
    *self = (mc_rows_nodes){0};
    if (!mc_reserve(&self->items, &self->capacity, 1, sizeof *self->items)) return false;
    self->items[self->count++] = blank;
    return true;
}

void mc_rows_nodes_deinit(mc_rows_nodes *self) {
    mc_free(self->items);
    mc_slots_deinit(&self->slots);
    mc_slots_deinit(&self->raw_slots);
    mc_strings_deinit(&self->strings);
    mc_text_deinit(&self->raw);
    *self = (mc_rows_nodes){0};
}

// ---- by path

static uint32_t hash_node(const mc_rows_node *node) {
    uint64_t hash = mc_hash_u64((uint64_t)node->parent << 32 | node->place, 1);
    return (uint32_t)(mc_hash_u64((uint64_t)node->key << 32 | node->name, hash) >> 32);
}

uint32_t mc_rows_nodes_add(mc_rows_nodes *self, uint32_t parent, uint32_t place, uint32_t key,
                           uint32_t name) {
    mc_rows_node node = blank;
    node.parent = parent;
    node.place = place;
    node.key = key;
    node.name = name;
    uint32_t hash = hash_node(&node);
    for (uint32_t at = hash, found; (found = mc_slots_find(&self->slots, hash, &at)) != MC_NONE;) {
        const mc_rows_node *other = &self->items[found];
        if (other->parent == parent && other->place == place && other->key == key &&
            other->name == name)
            return found;
    }
    uint32_t index = (uint32_t)self->count;
    if (!mc_reserve(&self->items, &self->capacity, self->count + 1, sizeof node) ||
        !mc_slots_add(&self->slots, hash, index))
        return MC_NONE;
    self->items[self->count++] = node;
    return index;
}

// ---- by the bytes of a row

static uint32_t hash_raw(const char *raw, size_t size) {
    return (uint32_t)(mc_hash_bytes(raw, size, 2) >> 32);
}

uint32_t mc_rows_nodes_find_raw(const mc_rows_nodes *self, const char *raw, size_t size) {
    uint32_t hash = hash_raw(raw, size);
    for (uint32_t at = hash, found;
         (found = mc_slots_find(&self->raw_slots, hash, &at)) != MC_NONE;) {
        const mc_rows_node *node = &self->items[found];
        if (node->raw_size == size && memcmp(self->raw.data + node->raw_offset, raw, size) == 0)
            return found;
    }
    return MC_NONE;
}

bool mc_rows_nodes_set_raw(mc_rows_nodes *self, uint32_t node, const char *raw, size_t size,
                           uint32_t lines) {
    mc_rows_node *known = &self->items[node];
    if (known->raw_size != MC_NONE || size >= MC_NONE) return true; // written in another way, too
    known->raw_offset = self->raw.size;
    mc_text_append(&self->raw, raw, size);
    if (self->raw.failed || !mc_slots_add(&self->raw_slots, hash_raw(raw, size), node))
        return false;
    known->raw_size = (uint32_t)size;
    known->raw_lines = lines;
    return true;
}
