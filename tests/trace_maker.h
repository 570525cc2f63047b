// trace_maker.h - small traces for tests, from a list of leaves: no importer needed.
#pragma once
#include "engine/trace/build/trace_builder.h"
#include "tests/test.h"

// A leaf by its district's and its own key, with one object count a step; bytes are 8 times that.
typedef struct test_leaf {
    const char *district, *key;
    uint64_t objects[32]; // a step each
} test_leaf;

static inline uint32_t test_add_node(mc_step_tree *tree, uint32_t parent, const char *key,
                                     uint64_t objects) {
    size_t offset = tree->text.size;
    mc_text_append_string(&tree->text, key);
    return mc_step_tree_add(tree, (mc_step_node){.parent = parent,
                                                 .role = MC_NONE,
                                                 .key_offset = offset,
                                                 .name_offset = offset,
                                                 .key_size = (uint32_t)strlen(key),
                                                 .name_size = (uint32_t)strlen(key),
                                                 .objects = objects,
                                                 .bytes = objects * 8});
}

// A leaf's objects, added to its district or to the root.
static inline void test_add_objects(mc_step_tree *tree, uint32_t node, uint64_t objects) {
    tree->nodes[node].objects += objects;
    tree->nodes[node].bytes += objects * 8;
}

// Leaves of one district stand next to each other in the list. A leaf with 0 objects is left out of
// that step's tree.
static inline mc_trace *test_make_trace(const test_leaf *leaves, uint32_t leaf_count,
                                        uint32_t step_count) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < step_count; step++) {
        mc_step_tree_reset(&tree);
        tree.time_ms = step;
        uint32_t root = test_add_node(&tree, MC_NONE, "Heap", 0), district = MC_NONE;
        for (uint32_t i = 0; i < leaf_count; i++) {
            uint64_t objects = leaves[i].objects[step];
            if (i == 0 || strcmp(leaves[i].district, leaves[i - 1].district) != 0)
                district = test_add_node(&tree, root, leaves[i].district, 0);
            if (objects > 0) test_add_node(&tree, district, leaves[i].key, objects);
            test_add_objects(&tree, district, objects);
            test_add_objects(&tree, root, objects);
        }
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    return trace;
}

static inline uint32_t test_find(const mc_trace *trace, const char *full_key) {
    uint32_t node = mc_trace_find_node(trace, full_key, strlen(full_key));
    REQUIRE(node != MC_NONE);
    return node;
}
