#include "engine/import/rows/rows_nodes.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/slots.h"
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
    mc_free(self->slots);
    mc_free(self->raw_slots);
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
    if (self->slot_count > 0) {
        uint32_t mask = self->slot_count - 1;
        for (uint32_t at = hash & mask; self->slots[at] != 0; at = (at + 1) & mask) {
            if (self->slots[at] >> 32 != hash) continue;
            uint32_t found = (uint32_t)self->slots[at] - 1;
            const mc_rows_node *other = &self->items[found];
            if (other->parent == parent && other->place == place && other->key == key &&
                other->name == name)
                return found;
        }
    }
    if (self->count >= MC_NONE / 2 ||
        !mc_reserve(&self->items, &self->capacity, self->count + 1, sizeof node))
        return MC_NONE;
    if (2 * self->count >= self->slot_count &&
        !mc_slots_grow(&self->slots, &self->slot_count, 2 * self->count + 8))
        return MC_NONE;
    uint32_t index = (uint32_t)self->count++;
    self->items[index] = node;
    mc_slots_enter(self->slots, self->slot_count, (uint64_t)hash << 32 | (index + 1));
    return index;
}

// ---- by the bytes of a row

static uint32_t hash_raw(const char *raw, size_t size) {
    return (uint32_t)(mc_hash_bytes(raw, size, 2) >> 32);
}

uint32_t mc_rows_nodes_find_raw(const mc_rows_nodes *self, const char *raw, size_t size) {
    if (self->raw_slot_count == 0) return MC_NONE;
    uint32_t mask = self->raw_slot_count - 1, hash = hash_raw(raw, size);
    for (uint32_t at = hash & mask; self->raw_slots[at] != 0; at = (at + 1) & mask) {
        uint32_t found = (uint32_t)self->raw_slots[at] - 1;
        const mc_rows_node *node = &self->items[found];
        if (self->raw_slots[at] >> 32 == hash && node->raw_size == size &&
            memcmp(self->raw.data + node->raw_offset, raw, size) == 0)
            return found;
    }
    return MC_NONE;
}

bool mc_rows_nodes_set_raw(mc_rows_nodes *self, uint32_t node, const char *raw, size_t size,
                           uint32_t lines) {
    mc_rows_node *known = &self->items[node];
    if (known->raw_size != MC_NONE || size >= MC_NONE) return true; // written in another way, too
    if (2 * self->raw_count >= self->raw_slot_count &&
        !mc_slots_grow(&self->raw_slots, &self->raw_slot_count, 2 * self->raw_count + 8))
        return false;
    known->raw_offset = self->raw.size;
    mc_text_append(&self->raw, raw, size);
    if (self->raw.failed) return false;
    known->raw_size = (uint32_t)size;
    known->raw_lines = lines;
    self->raw_count++;
    mc_slots_enter(self->raw_slots, self->raw_slot_count,
                   (uint64_t)hash_raw(raw, size) << 32 | (node + 1));
    return true;
}
