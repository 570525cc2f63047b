#include "engine/trace/step_tree.h"

#include "engine/base/memory.h"
#include <stdatomic.h>
#include <string.h>

#define NODE_LIMIT (1u << 30) // a cut of the layout counts children in 30 bits

uint64_t mc_step_series_begin(void) {
    static atomic_uint_fast64_t count;
    return atomic_fetch_add(&count, 1) + 1;
}

void mc_step_tree_reset_values(mc_step_tree *tree) {
    tree->time_ms = 0;
    tree->heap_limit = 0;
    tree->liveness = MC_LIVENESS_UNKNOWN;
    tree->missing = NULL;
    tree->note = NULL;
    tree->is_summed = false;
    tree->summed_count = 0;
    mc_metrics_clear(&tree->metrics);
}

void mc_step_tree_reset(mc_step_tree *tree) {
    mc_step_tree_reset_values(tree);
    tree->key_kind = MC_KEY_PATH_PART;
    tree->node_count = tree->name_count = tree->group_count = 0;
    tree->series = tree->shape = 0;
    mc_text_clear(&tree->text);
    mc_strings_deinit(&tree->roles);
}

void mc_step_tree_deinit(mc_step_tree *tree) {
    mc_free(tree->nodes);
    mc_free(tree->names);
    mc_free(tree->groups);
    mc_free(tree->has_own);
    for (size_t i = 0; i < tree->column_capacity; i++)
        mc_free(tree->columns[i].values);
    mc_free(tree->columns);
    mc_metrics_deinit(&tree->metrics);
    mc_text_deinit(&tree->text);
    mc_strings_deinit(&tree->roles);
    memset(tree, 0, sizeof *tree);
}

bool mc_step_tree_reserve(mc_step_tree *tree, size_t node_count, size_t text_size) {
    if (tree->node_capacity > 0) return true;
    return mc_reserve(&tree->nodes, &tree->node_capacity, node_count, sizeof *tree->nodes) &&
           mc_reserve(&tree->text.data, &tree->text.capacity, text_size, 1);
}

bool mc_step_tree_reserve_more(mc_step_tree *tree, size_t count) {
    size_t all = tree->node_count + count;
    if (count > NODE_LIMIT || all > NODE_LIMIT ||
        !mc_reserve(&tree->nodes, &tree->node_capacity, all, sizeof *tree->nodes) ||
        !mc_reserve(&tree->names, &tree->name_capacity, all, sizeof *tree->names) ||
        !mc_reserve(&tree->groups, &tree->group_capacity, all, sizeof *tree->groups) ||
        !mc_reserve(&tree->has_own, &tree->own_capacity, all, sizeof *tree->has_own))
        return false;
    for (uint32_t i = 0; i < tree->metrics.count; i++) {
        mc_step_column *column = &tree->columns[i];
        if (!mc_reserve(&column->values, &column->capacity, all, sizeof *column->values))
            return false;
    }
    return true;
}

uint32_t mc_step_tree_add_entry(mc_step_tree *tree, mc_step_entry entry) {
    if (tree->node_count >= NODE_LIMIT ||
        (tree->node_count == tree->node_capacity &&
         !mc_reserve(&tree->nodes, &tree->node_capacity, tree->node_count + 1, sizeof entry)))
        return MC_NONE;
    tree->nodes[tree->node_count] = entry;
    return (uint32_t)tree->node_count++;
}

uint32_t mc_step_tree_add(mc_step_tree *tree, mc_step_node node) {
    if (node.key_offset >= MC_NONE || node.name_offset >= MC_NONE) return MC_NONE;
    mc_step_name name = {(uint32_t)node.name_offset, node.name_size};
    mc_step_entry entry = {.objects = node.objects,
                           .bytes = node.bytes,
                           .source_offset = node.source_offset,
                           .parent = node.parent,
                           .role = node.role,
                           .key_offset = (uint32_t)node.key_offset,
                           .key_size = node.key_size};
    uint32_t index = mc_step_tree_add_entry(tree, entry);
    if (index == MC_NONE) return MC_NONE;
    bool has_name = name.offset != entry.key_offset || name.size != entry.key_size;
    if (!has_name || mc_step_tree_set_name(tree, index, name)) return index;
    tree->node_count--;
    return MC_NONE;
}

bool mc_step_tree_set_name(mc_step_tree *tree, uint32_t node, mc_step_name name) {
    if (!mc_reserve(&tree->names, &tree->name_capacity, (size_t)node + 1, sizeof name))
        return false;
    while (tree->name_count <= node)
        tree->names[tree->name_count++] = (mc_step_name){0, MC_NONE};
    tree->names[node] = name;
    return true;
}

// The columns of a step before are used again, with their memory.
uint32_t mc_step_tree_add_metric(mc_step_tree *tree, const mc_metric_info *info) {
    size_t known = tree->column_capacity;
    if (!mc_reserve(&tree->columns, &tree->column_capacity, (size_t)tree->metrics.count + 1,
                    sizeof *tree->columns))
        return MC_NONE;
    if (tree->column_capacity > known)
        memset(tree->columns + known, 0, (tree->column_capacity - known) * sizeof *tree->columns);
    mc_step_column *column = &tree->columns[tree->metrics.count];
    column->count = 0;
    column->source_offset = MC_ERROR_NO_OFFSET;
    return mc_metrics_add(&tree->metrics, info);
}

bool mc_step_tree_set_value(mc_step_tree *tree, uint32_t metric_index, uint32_t node,
                            uint64_t value) {
    mc_step_column *column = &tree->columns[metric_index];
    if (!mc_reserve(&column->values, &column->capacity, (size_t)node + 1, sizeof value))
        return false;
    while (column->count <= node)
        column->values[column->count++] = MC_COUNT_UNKNOWN;
    column->values[node] = value;
    return true;
}

void mc_step_tree_make_real(mc_step_tree *tree, uint32_t metric_index) {
    mc_metric_info *info = &tree->metrics.items[metric_index];
    mc_step_column *column = &tree->columns[metric_index];
    if (info->is_real) return;
    info->is_real = true;
    if (!(info->says & MC_METRIC_SAYS_ADDITIVE)) info->is_additive = false;
    for (size_t i = 0; i < column->count; i++)
        column->values[i] = mc_metric_make_real(column->values[i]);
}

mc_step_node mc_step_tree_get(const mc_step_tree *tree, size_t node) {
    const mc_step_entry *entry = &tree->nodes[node];
    mc_step_name name = mc_step_tree_get_name(tree, node);
    return (mc_step_node){
        .parent = entry->parent,
        .role = entry->role,
        .key_offset = entry->key_offset,
        .name_offset = name.offset,
        .key_size = entry->key_size,
        .name_size = name.size,
        .objects = entry->objects,
        .bytes = entry->bytes,
        .source_offset = entry->source_offset,
    };
}

size_t mc_step_tree_memory_size(const mc_step_tree *tree) {
    size_t size = tree->node_count * sizeof *tree->nodes + tree->text.size +
                  tree->name_count * sizeof *tree->names + tree->group_count * sizeof *tree->groups;
    for (uint32_t i = 0; i < tree->metrics.count; i++)
        size += tree->columns[i].count * sizeof *tree->columns[i].values;
    return size;
}

void mc_reference_map_reset(mc_reference_map *map) {
    map->time_ms = 0;
    map->is_by_node = false;
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
