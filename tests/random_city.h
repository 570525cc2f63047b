// random_city.h - cities from weighted trees, by way of a trace of one step, for tests and
// benchmarks.
#pragma once
#include "engine/city/city_layout.h"
#include "engine/trace/build/trace_builder.h"
#include "tests/weighted_tree.h"

static inline void append_number(mc_step_tree *step, uint32_t parent, uint32_t number,
                                 uint64_t value) {
    mc_step_node node = {.parent = parent, .role = MC_NONE, .objects = value, .bytes = value};
    node.key_offset = node.name_offset = step->text.size;
    // Digits of one length, so that siblings stay in their order.
    mc_text_format(&step->text, "%08u", number);
    node.key_size = node.name_size = 8;
    REQUIRE(mc_step_tree_add(step, node) != MC_NONE);
}

// Weights must be integers.
static inline mc_trace *make_trace(const weighted_tree *tree) {
    uint64_t *sums = allocate(tree->count, sizeof *sums);
    for (uint32_t i = tree->count; i-- > 0;) {
        if (tree->child_count[i] == 0) sums[i] = (uint64_t)tree->weight[i];
        if (i > 0) sums[tree->parent[i]] += sums[i];
    }
    mc_step_tree step = {0};
    for (uint32_t i = 0; i < tree->count; i++)
        append_number(&step, tree->parent[i], i, sums[i]);
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_error error = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, &error) == MC_OK);
    mc_result result = mc_trace_builder_add_step(builder, &step, "step", &error);
    if (result == MC_OK) result = mc_trace_builder_finish(builder, &trace, &error);
    if (result != MC_OK) fprintf(stderr, "%s\n", error.message);
    REQUIRE(result == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&step);
    free(sums);
    return trace;
}

static inline mc_city *make_city(const weighted_tree *tree, const mc_treemap_desc *treemap) {
    mc_trace *trace = make_trace(tree);
    mc_city_desc desc = mc_city_desc_default(trace);
    desc.treemap = *treemap;
    mc_city *city = NULL;
    mc_error error = {0};
    REQUIRE(mc_city_create(trace, &desc, NULL, &city, &error) == MC_OK);
    mc_trace_destroy(trace);
    return city;
}

// A root with `count` buildings of random weights, or of 1.
static inline weighted_tree make_flat_tree(uint32_t count, bool are_equal) {
    weighted_tree tree = tree_create(count + 1);
    tree.count = count + 1;
    tree.child_count[0] = count;
    for (uint32_t i = 1; i <= count; i++)
        tree.weight[i] = are_equal ? 1 : 1 + (random_u32() >> random_u32() % 30);
    tree_link(&tree);
    return tree;
}

// A chain of districts, each with a building beside the next one.
static inline weighted_tree make_chain_tree(uint32_t depth) {
    weighted_tree tree = tree_create(2 * depth + 1);
    tree.count = 2 * depth + 1;
    for (uint32_t i = 0; i < tree.count; i++) {
        tree.child_count[i] = i % 2 == 0 && i < 2 * depth ? 2 : 0;
        tree.weight[i] = 1 + i % 3;
    }
    tree_link(&tree);
    return tree;
}

static inline float random_between(float low, float high) {
    return low + (high - low) * (float)(random_u32() >> 8) / (float)(1 << 24);
}
