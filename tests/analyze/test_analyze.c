// Max tree, growth, ranking and the child limit.
#include "engine/analyze/max_tree.h"
#include "engine/base/memory.h"
#include "tests/trace_maker.h"

static const test_leaf leaves[] = {
    {"a", "grows", {1, 5, 9, 10}},    {"a", "peaks", {2, 50, 3, 2}}, {"a", "new", {0, 0, 7, 4}},
    {"b", "shrinks", {20, 10, 5, 1}}, {"b", "gone", {6, 6, 0, 0}},   {"b", "steady", {3, 3, 3, 3}},
};

static mc_trace *trace;

static void test_max_tree(void) {
    mc_max_tree tree;
    REQUIRE(mc_max_tree_compute(&tree, trace, MC_METRIC_OBJECTS, mc_step_range_whole(trace), NULL,
                                NULL) == MC_OK);
    uint32_t peaks = test_find(trace, "Heap#a#peaks");
    CHECK(tree.max[peaks] == 50 && tree.first[peaks] == 2 && tree.last[peaks] == 2);
    // Inner nodes: the sum of the leaves' maxima, not the largest sum.
    CHECK(tree.max[test_find(trace, "Heap#a")] == 10 + 50 + 7);
    CHECK(tree.max[0] == 67 + 20 + 6 + 3);
    CHECK(tree.first[0] == 32 && tree.last[0] == 20);
    CHECK(tree.largest_growth == 9);
    CHECK(mc_max_tree_get_growth(&tree, test_find(trace, "Heap#b#gone")) == -6);

    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t order[6];
    REQUIRE(nodes->leaf_count == 6 && mc_max_tree_rank(&tree, nodes, order, NULL) == MC_OK);
    static const char *const ranked[] = {"Heap#a#grows",  "Heap#a#new",  "Heap#a#peaks",
                                         "Heap#b#steady", "Heap#b#gone", "Heap#b#shrinks"};
    for (int i = 0; i < 6; i++)
        CHECK_MSG(order[i] == test_find(trace, ranked[i]), "rank %d is %s", i, ranked[i]);
    mc_max_tree_deinit(&tree);
}

static void test_window(void) {
    mc_max_tree tree;
    REQUIRE(mc_max_tree_compute(&tree, trace, MC_METRIC_BYTES, (mc_step_range){1, 2}, NULL, NULL) ==
            MC_OK);
    uint32_t shrinks = test_find(trace, "Heap#b#shrinks");
    CHECK(tree.max[shrinks] == 80 && tree.first[shrinks] == 80 && tree.last[shrinks] == 40);
    CHECK(tree.largest_growth == 56);
    mc_max_tree_deinit(&tree);
}

static void test_release(void) {
    static const test_leaf kept[] = {{"d", "x", {10, 90, 100, 41}}};
    static const test_leaf released[] = {{"d", "x", {10, 90, 100, 39}}};
    static const test_leaf falling[] = {{"d", "x", {100, 30, 20, 10}}};
    // A saw-tooth that ends in a trough, and a program that freed little before it freed all.
    static const test_leaf teeth[] = {{"d", "x", {5, 60, 110, 35, 70, 105, 20, 90, 10}}};
    static const test_leaf late[] = {{"d", "x", {10, 90, 60, 100, 80, 140, 120, 10, 10}}};
    // What the start soon gave back, and with one step less behind it the end of a program.
    static const test_leaf start[] = {{"d", "x", {90, 100, 5, 5, 5, 5, 5, 5, 5}}};
    const struct {
        const test_leaf *leaves;
        uint32_t step_count, release;
    } cases[] = {{start, 9, MC_NONE},   {start, 8, 1},       {kept, 4, MC_NONE}, {released, 4, 2},
                 {falling, 4, MC_NONE}, {teeth, 9, MC_NONE}, {late, 9, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mc_trace *one = test_make_trace(cases[i].leaves, 1, cases[i].step_count);
        CHECK(mc_step_range_find_release(one, MC_METRIC_OBJECTS) == cases[i].release);
        CHECK(mc_step_range_find_release(one, MC_METRIC_BYTES) == cases[i].release);
        mc_trace_destroy(one);
    }
}

static void test_pruning(void) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_max_tree tree;
    REQUIRE(mc_max_tree_compute(&tree, trace, MC_METRIC_OBJECTS, mc_step_range_whole(trace), NULL,
                                NULL) == MC_OK);
    mc_pruning pruning;
    REQUIRE(mc_pruning_compute(&pruning, &tree, nodes, 0, NULL) == MC_OK);
    for (uint32_t node = 0; node < nodes->count; node++)
        CHECK(pruning.visible[node]);
    mc_pruning_deinit(&pruning);
    REQUIRE(mc_pruning_compute(&pruning, &tree, nodes, 2, NULL) == MC_OK);
    CHECK(pruning.visible[test_find(trace, "Heap#a#peaks")]);
    CHECK(pruning.visible[test_find(trace, "Heap#a#grows")]);
    CHECK(!pruning.visible[test_find(trace, "Heap#a#new")]);
    CHECK(!pruning.visible[test_find(trace, "Heap#b#steady")]);
    CHECK(pruning.hidden_leaf_count == 2);
    CHECK(fabs(pruning.hidden_share - 10.0 / 96.0) < 1e-12);
    mc_pruning_deinit(&pruning);
    // What stands below a hidden district is hidden, too.
    REQUIRE(mc_pruning_compute(&pruning, &tree, nodes, 1, NULL) == MC_OK);
    CHECK(!pruning.visible[test_find(trace, "Heap#b")]);
    CHECK(!pruning.visible[test_find(trace, "Heap#b#shrinks")]);
    CHECK(pruning.hidden_leaf_count == 5);
    mc_pruning_deinit(&pruning);
    mc_max_tree_deinit(&tree);
}

static bool refuse(void *user, uint64_t done, uint64_t total) {
    (void)user;
    return done == total;
}

static void test_failures(void) {
    mc_max_tree tree;
    mc_progress progress = {refuse, NULL};
    mc_error error = {0};
    CHECK(mc_max_tree_compute(&tree, trace, MC_METRIC_BYTES, mc_step_range_whole(trace), &progress,
                              &error) == MC_ERROR_CANCELLED);
    CHECK(!tree.max && error.code == MC_ERROR_CANCELLED);
    mc_memory_fail_after(0);
    CHECK(mc_max_tree_compute(&tree, trace, MC_METRIC_BYTES, mc_step_range_whole(trace), NULL,
                              &error) == MC_ERROR_OUT_OF_MEMORY);
    mc_memory_fail_after(UINT64_MAX);
}

int main(void) {
    trace = test_make_trace(leaves, sizeof leaves / sizeof *leaves, 4);
    test_max_tree();
    test_window();
    test_release();
    test_pruning();
    test_failures();
    mc_trace_destroy(trace);
    return test_finish();
}
