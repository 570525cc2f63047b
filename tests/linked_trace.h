// linked_trace.h - small traces with pointer maps for tests, from lists of leaves and of pairs.
#pragma once
#include "tests/trace_maker.h"

// The pair from -> to by full keys, one entry a step; where both are 0, the maps lack it.
typedef struct test_pair {
    const char *from, *to;
    uint64_t points_to[8], pointed_from[8];
} test_pair;

enum { WITH_POINTS_TO = 1, WITH_POINTED_FROM = 2, WITH_NULL_POINTED_FROM = 4 };

static inline void test_add_entry(mc_reference_map *map, const char *outer, const char *inner,
                                  uint64_t count) {
    mc_reference_entry entry = {.outer_offset = map->text.size,
                                .outer_size = (uint32_t)strlen(outer),
                                .inner_size = (uint32_t)strlen(inner),
                                .count = count};
    mc_text_append_string(&map->text, outer);
    entry.inner_offset = map->text.size;
    mc_text_append_string(&map->text, inner);
    REQUIRE(mc_reference_map_add(map, entry));
}

static inline void test_add_maps(mc_trace_builder *builder, const test_pair *pairs,
                                 uint32_t pair_count, uint32_t step, int maps) {
    mc_reference_map points_to = {0}, pointed_from = {0};
    points_to.time_ms = pointed_from.time_ms = (int64_t)step * 1000;
    for (uint32_t i = 0; i < pair_count; i++) {
        if (pairs[i].points_to[step] == 0 && pairs[i].pointed_from[step] == 0) continue;
        test_add_entry(&points_to, pairs[i].from, pairs[i].to, pairs[i].points_to[step]);
        if (maps & WITH_POINTED_FROM)
            test_add_entry(&pointed_from, pairs[i].to, pairs[i].from, pairs[i].pointed_from[step]);
    }
    if (maps & WITH_POINTS_TO)
        REQUIRE(mc_trace_builder_add_references(builder, &points_to, MC_POINTS_TO, NULL) == MC_OK);
    if (maps & (WITH_POINTED_FROM | WITH_NULL_POINTED_FROM))
        REQUIRE(mc_trace_builder_add_references(builder, &pointed_from, MC_POINTED_FROM, NULL) ==
                MC_OK);
    mc_reference_map_deinit(&points_to);
    mc_reference_map_deinit(&pointed_from);
}

// One step a second. Leaves without objects are in the trees as well.
static inline mc_trace *test_make_linked_trace(const test_leaf *leaves, uint32_t leaf_count,
                                               const test_pair *pairs, uint32_t pair_count,
                                               uint32_t step_count, int maps) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < step_count; step++) {
        mc_step_tree_reset(&tree);
        tree.time_ms = (int64_t)step * 1000;
        uint32_t root = test_add_node(&tree, MC_NONE, "Heap", 0), district = MC_NONE;
        for (uint32_t i = 0; i < leaf_count; i++) {
            uint64_t objects = leaves[i].objects[step];
            if (i == 0 || strcmp(leaves[i].district, leaves[i - 1].district) != 0)
                district = test_add_node(&tree, root, leaves[i].district, 0);
            test_add_node(&tree, district, leaves[i].key, objects);
            test_add_objects(&tree, district, objects);
            test_add_objects(&tree, root, objects);
        }
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
    }
    for (uint32_t step = 0; step < step_count; step++)
        test_add_maps(builder, pairs, pair_count, step, maps);
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    return trace;
}
