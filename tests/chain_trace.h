// chain_trace.h - traces that are deep: one node a level, all with one key; and a progress that
// counts how often it is asked, and says no at some time.
#pragma once
#include "tests/trace_maker.h"

// `key` at every level; a node's count is that of the step + 1.
static inline mc_trace *chain_make(uint32_t depth, const char *key, uint32_t step_count) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < step_count; step++) {
        mc_step_tree_reset(&tree);
        tree.time_ms = step * 1000;
        for (uint32_t level = 0; level < depth; level++)
            test_add_node(&tree, level == 0 ? MC_NONE : level - 1, key, step + 1);
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "chain", NULL) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    return trace;
}

typedef struct test_asked {
    uint64_t count, most; // says no when asked more often
} test_asked;

static inline bool test_ask(void *user, uint64_t done, uint64_t total) {
    test_asked *asked = user;
    (void)done;
    (void)total;
    return ++asked->count <= asked->most;
}
