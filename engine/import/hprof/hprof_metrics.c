#include "engine/import/hprof/hprof_metrics.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_wasted_bytes.h"

static uint32_t add_metric(mc_step_tree *tree, const char *key, const char *title, mc_unit unit,
                           bool is_additive) {
    mc_metric_info info = {.key = key,
                           .title = title,
                           .key_size = strlen(key),
                           .title_size = strlen(title),
                           .unit = unit,
                           .kind = MC_METRIC_STOCK,
                           .is_additive = is_additive,
                           .says = MC_METRIC_SAYS_ALL};
    return mc_step_tree_add_metric(tree, &info);
}

mc_result mc_hprof_add_retained(const mc_hprof_heap *heap, const uint32_t *tree_nodes,
                                mc_step_tree *tree, mc_error *error) {
    uint32_t count = mc_heap_groups_get_group_count(heap->groups);
    mc_group_sum *sums = mc_alloc(count, sizeof *sums);
    mc_metric_info info = mc_metric_info_of_key(mc_metric_retained, strlen(mc_metric_retained));
    uint32_t bytes = mc_step_tree_add_metric(tree, &info);
    uint32_t objects =
        add_metric(tree, "retained_objects", "retained objects", MC_UNIT_COUNT, false);
    bool is_done = sums && bytes != MC_NONE && objects != MC_NONE;
    mc_result result =
        is_done ? mc_hprof_heap_retain(heap, sums, error) : mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        if (tree_nodes[i] == MC_NONE) continue;
        if (!mc_step_tree_set_value(tree, bytes, tree_nodes[i], sums[i].size) ||
            !mc_step_tree_set_value(tree, objects, tree_nodes[i], sums[i].count))
            result = mc_error_out_of_memory(error);
    }
    mc_free(sums);
    return result;
}

// ---- waste

static const struct {
    const char *key, *title;
} waste_metrics[MC_HPROF_WASTED_BYTES_COUNT] = {
    [MC_HPROF_WASTED_BYTES_EMPTY_SLOTS] = {"empty_slots", "empty slots of arrays"},
    [MC_HPROF_WASTED_BYTES_EMPTY_COLLECTIONS] = {"empty_collections", "empty collections"},
    [MC_HPROF_WASTED_BYTES_DUPLICATES] = {"duplicates", "duplicate arrays"},
    [MC_HPROF_WASTED_BYTES_BOXED] = {"boxed", "boxed numbers"},
    [MC_HPROF_WASTED_BYTES_BUILDERS] = {"builders", "unused room of string builders"}};

// No byte is of two kinds, so that their sum is what is wasted.
static bool fill_waste(const mc_hprof_heap *heap, const mc_hprof_wasted_bytes *waste,
                       const uint32_t *tree_nodes, mc_step_tree *tree) {
    uint32_t parts[MC_HPROF_WASTED_BYTES_COUNT];
    uint32_t all = add_metric(tree, "waste", "wasted", MC_UNIT_BYTES, true);
    bool is_done = all != MC_NONE;
    for (uint32_t kind = 0; kind < MC_HPROF_WASTED_BYTES_COUNT && is_done; kind++) {
        parts[kind] = add_metric(tree, waste_metrics[kind].key, waste_metrics[kind].title,
                                 MC_UNIT_BYTES, true);
        is_done = parts[kind] != MC_NONE;
    }
    for (uint32_t leaf = 0; leaf < waste->leaf_count && is_done; leaf++) {
        uint32_t node = tree_nodes[mc_heap_groups_get_group(heap->groups, leaf)];
        uint64_t sum = 0;
        if (node == MC_NONE) continue;
        for (uint32_t kind = 0; kind < MC_HPROF_WASTED_BYTES_COUNT && is_done; kind++) {
            uint64_t size =
                mc_hprof_wasted_bytes_get(waste, leaf, (mc_hprof_wasted_bytes_kind)kind).size;
            is_done = mc_step_tree_set_value(tree, parts[kind], node, size);
            sum += size;
        }
        is_done = is_done && mc_step_tree_set_value(tree, all, node, sum);
    }
    return is_done;
}

mc_result mc_hprof_add_waste(mc_hprof_heap *heap, const uint32_t *tree_nodes, mc_step_tree *tree,
                             mc_error *error) {
    mc_hprof_wasted_bytes waste;
    mc_result result = mc_hprof_wasted_bytes_init(&waste, heap, error);
    if (result == MC_OK && !fill_waste(heap, &waste, tree_nodes, tree))
        result = mc_error_out_of_memory(error);
    mc_hprof_wasted_bytes_deinit(&waste);
    return result;
}
