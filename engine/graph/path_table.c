#include "engine/graph/path_table.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"

#define FOLD_DISTANCE 4 // nodes

void mc_path_table_deinit(mc_path_table *table) {
    mc_free(table->nodes);
    mc_slots_deinit(&table->slots);
    *table = (mc_path_table){.count = 0};
}

// The node that such a way is folded back to; MC_NONE: none.
static uint32_t find_fold(const mc_path_table *table, uint32_t parent, uint32_t kind,
                          uint32_t slot) {
    const mc_path_node *nodes = table->nodes;
    for (uint32_t at = parent, i = 0; at != MC_NONE && at != 0 && i < FOLD_DISTANCE; i++) {
        bool is_same_slot =
            nodes[at].slot == slot && nodes[nodes[at].parent].kind == nodes[parent].kind;
        if (nodes[at].kind == kind && is_same_slot) return at;
        if (table->kinds[nodes[at].kind].is_landmark) break;
        at = nodes[at].parent;
    }
    return MC_NONE;
}

uint32_t mc_path_table_put(mc_path_table *table, uint32_t parent, uint32_t kind, uint32_t slot) {
    uint32_t fold = find_fold(table, parent, kind, slot);
    if (fold != MC_NONE) {
        table->nodes[fold].is_folded = true;
        return fold;
    }
    uint64_t key[2] = {(uint64_t)parent << 32 | kind, slot};
    uint32_t hash = (uint32_t)mc_hash_bytes(key, sizeof key, 0);
    for (uint32_t at = hash, found; (found = mc_slots_find(&table->slots, hash, &at)) != MC_NONE;) {
        const mc_path_node *node = &table->nodes[found];
        if (node->parent == parent && node->kind == kind && node->slot == slot) return found;
    }
    if (table->count == table->most) {
        table->nodes[parent].is_cut = true;
        return parent;
    }
    if (!mc_reserve(&table->nodes, &table->capacity, (size_t)table->count + 1,
                    sizeof *table->nodes) ||
        !mc_slots_add(&table->slots, hash, table->count))
        return MC_NONE;
    table->nodes[table->count] = (mc_path_node){.parent = parent, .kind = kind, .slot = slot};
    return table->count++;
}
