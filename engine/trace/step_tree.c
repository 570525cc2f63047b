#include "engine/trace/step_tree.h"

#include "engine/base/memory.h"
#include <string.h>

#define NODE_LIMIT (1u << 30) // a cut of the layout counts children in 30 bits

void mc_step_tree_reset(mc_step_tree *tree) {
    tree->time_ms = 0;
    tree->key_kind = MC_KEY_PATH_PART;
    tree->node_count = 0;
    mc_text_clear(&tree->text);
    mc_strings_deinit(&tree->roles);
}

void mc_step_tree_deinit(mc_step_tree *tree) {
    mc_free(tree->nodes);
    mc_text_deinit(&tree->text);
    mc_strings_deinit(&tree->roles);
    memset(tree, 0, sizeof *tree);
}

uint32_t mc_step_tree_add(mc_step_tree *tree, mc_step_node node) {
    if (tree->node_count >= NODE_LIMIT ||
        !mc_reserve(&tree->nodes, &tree->node_capacity, tree->node_count + 1, sizeof node))
        return MC_NONE;
    tree->nodes[tree->node_count] = node;
    return (uint32_t)tree->node_count++;
}

void mc_reference_map_reset(mc_reference_map *map) {
    map->time_ms = 0;
    map->entry_count = 0;
    mc_text_clear(&map->text);
}

void mc_reference_map_deinit(mc_reference_map *map) {
    mc_free(map->entries);
    mc_text_deinit(&map->text);
    memset(map, 0, sizeof *map);
}

bool mc_reference_map_add(mc_reference_map *map, mc_reference_entry entry) {
    if (!mc_reserve(&map->entries, &map->entry_capacity, map->entry_count + 1, sizeof entry))
        return false;
    map->entries[map->entry_count++] = entry;
    return true;
}
