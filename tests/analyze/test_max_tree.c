// The largest values of so many nodes and steps that several threads look for them, beside those
// that follow from what the trace was made of.
#include "engine/analyze/max_tree.h"
#include "engine/base/memory.h"
#include "tests/trace_maker.h"

enum { LEAVES = 38000, STEPS = 32, FIRST = 1, LAST = STEPS - 2 };

static const mc_step_range window = {FIRST, LAST};
static test_leaf leaves[LEAVES];
static char keys[LEAVES][16];
static uint32_t node_of[LEAVES];
static mc_trace *trace;

static uint32_t mix(uint32_t value) {
    value = (value ^ 61) ^ (value >> 16);
    value *= 9;
    value = (value ^ value >> 4) * 0x27d4eb2d;
    return value ^ value >> 15;
}

static void make_leaves(void) {
    for (uint32_t i = 0; i < LEAVES; i++) {
        snprintf(keys[i], sizeof keys[i], "leaf%u", i);
        leaves[i].district = i < LEAVES / 2 ? "first" : "second";
        leaves[i].key = keys[i];
        for (uint32_t step = 0; step < STEPS; step++)
            leaves[i].objects[step] = 1 + mix(i * STEPS + step) % 9000;
    }
}

static void find_leaves(void) {
    uint32_t count = mc_trace_get_nodes(trace)->count, found = 0;
    for (uint32_t node = 0; node < count; node++) {
        unsigned leaf;
        if (sscanf(mc_trace_get_name(trace, node, NULL), "leaf%u", &leaf) != 1) continue;
        node_of[leaf] = node;
        found++;
    }
    REQUIRE(found == LEAVES);
}

static void check(const mc_max_tree *tree) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < LEAVES; i++) {
        const uint64_t *objects = leaves[i].objects;
        uint64_t most = 0;
        for (uint32_t step = FIRST; step <= LAST; step++)
            most = objects[step] > most ? objects[step] : most;
        uint32_t node = node_of[i];
        CHECK_MSG(tree->max[node] == most && tree->first[node] == objects[FIRST] &&
                      tree->last[node] == objects[LAST],
                  "leaf %u: %llu, not %llu", i, (unsigned long long)tree->max[node],
                  (unsigned long long)most);
        sum += most;
    }
    CHECK(tree->max[0] == sum);
}

static void test_values(void) {
    mc_max_tree tree;
    REQUIRE(mc_max_tree_compute(&tree, trace, MC_METRIC_OBJECTS, window, NULL, NULL) == MC_OK);
    check(&tree);
    mc_max_tree_deinit(&tree);
}

static bool note(void *user, uint64_t done, uint64_t total) {
    uint64_t *most = user;
    CHECK(done > 0 && done <= total && total == LAST - FIRST);
    *most = done;
    return false;
}

static void test_cancelled(void) {
    mc_max_tree tree;
    uint64_t done = 0;
    mc_progress progress = {note, &done};
    mc_error error = {0};
    CHECK(mc_max_tree_compute(&tree, trace, MC_METRIC_OBJECTS, window, &progress, &error) ==
          MC_ERROR_CANCELLED);
    CHECK(!tree.max && error.code == MC_ERROR_CANCELLED && done > 0);
}

// Where there is none for the columns of other threads, one does it all.
static void test_out_of_memory(void) {
    uint32_t done_count = 0;
    for (uint64_t allowed = 0; allowed < 4; allowed++) {
        mc_max_tree tree;
        mc_error error = {0};
        mc_memory_fail_after(allowed);
        mc_result result =
            mc_max_tree_compute(&tree, trace, MC_METRIC_OBJECTS, window, NULL, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK || (result == MC_ERROR_OUT_OF_MEMORY && !tree.max));
        if (result != MC_OK) continue;
        done_count++;
        check(&tree);
        mc_max_tree_deinit(&tree);
    }
    CHECK(done_count == 3);
}

int main(void) {
    make_leaves();
    trace = test_make_trace(leaves, LEAVES, STEPS);
    find_leaves();
    test_values();
    test_cancelled();
    test_out_of_memory();
    mc_trace_destroy(trace);
    return test_finish();
}
