// Two traces as one: which groups are the same, what was moved, steps beside each other, memory
// running out.
#include "engine/base/memory.h"
#include "engine/trace/versus/versus.h"
#include "tests/trace_maker.h"

static mc_error error;

static const test_leaf before_leaves[] = {
    {"gui", "Window", {1, 2}},   {"gui", "Button", {3, 4}},  {"gui", "Menu", {5, 6}},
    {"gui", "Old", {7, 8}},      {"net", "Socket", {9, 10}}, {"net", "Gone", {11, 12}},
    {"one", "Handler", {1, 1}},  {"two", "Handler", {2, 2}}, {"util", "Single", {13, 14}},
    {"util", "Task1", {15, 16}}, {"util", "Task2", {0, 17}}};
static const test_leaf after_leaves[] = {
    {"main.gui", "Window", {1, 2, 3}}, {"main.gui", "Button", {3, 4, 5}},
    {"main.gui", "Menu", {5, 6, 7}},   {"main.gui", "New", {20, 21, 22}},
    {"my.one", "Handler", {1, 1, 1}},  {"my.two", "Handler", {2, 2, 2}},
    {"net", "Single", {13, 14, 15}},   {"net", "Socket", {9, 10, 11}},
    {"util", "Task3", {100, 101, 102}}};

static bool fold_tasks(void *user, const char *key, size_t size, mc_text *out) {
    (void)user;
    if (size < 5 || memcmp(key, "Task", 4) != 0) return false;
    mc_text_append_string(out, "Task");
    return true;
}

static uint64_t read_value(const mc_trace *trace, uint32_t step, const char *metric,
                           const char *key) {
    uint64_t value;
    REQUIRE(mc_trace_read_value(trace, step, mc_trace_find_metric(trace, metric),
                                test_find(trace, key), &value, &error) == MC_OK);
    return value;
}

static void check(const mc_trace *trace, uint32_t step, const char *key, uint64_t before,
                  uint64_t after) {
    uint64_t old = read_value(trace, step, "before.objects", key);
    uint64_t new = read_value(trace, step, "objects", key);
    CHECK_MSG(old == before && new == after, "%s: %d, %d", key, (int)old, (int)new);
    CHECK(read_value(trace, step, "bytes", key) == after * 8);
}

static void check_steps(const mc_trace *trace, uint32_t step, uint32_t before, uint32_t after) {
    CHECK_MSG(mc_versus_get_step(trace, MC_BEFORE, step) == before &&
                  mc_versus_get_step(trace, MC_AFTER, step) == after,
              "step %u: %u, %u", step, mc_versus_get_step(trace, MC_BEFORE, step),
              mc_versus_get_step(trace, MC_AFTER, step));
}

static bool is_moved(const mc_trace *trace, const mc_trace *before, const char *from,
                     const char *to, uint32_t leaves) {
    uint32_t count;
    const mc_versus_move *moves = mc_versus_get_moves(trace, &count);
    for (uint32_t i = 0; i < count; i++)
        if (moves[i].node == test_find(trace, to) &&
            moves[i].before_node == test_find(before, from))
            return moves[i].leaf_count == leaves;
    return false;
}

static void check_groups(const mc_trace *before, const mc_trace *after) {
    mc_versus_desc desc = {.sides = {before, after}, .fold = fold_tasks};
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_versus(&desc, NULL, &trace, &error) == MC_OK);
    CHECK(mc_trace_get_step_count(trace) == 3);
    // last beside last
    check_steps(trace, 2, 1, 2);
    check_steps(trace, 1, 0, 1);
    check_steps(trace, 0, 0, 0);
    check(trace, 2, "Heap#main.gui#Window", 2, 3);
    check(trace, 2, "Heap#main.gui#New", 0, 22);
    check(trace, 2, "Heap#main.gui#Old", 8, 0); // it was where the others were
    check(trace, 2, "Heap#main.gui", 20, 37);
    check(trace, 2, "Heap#net#Gone", 12, 0);
    check(trace, 2, "Heap#net#Single", 14, 15);
    check(trace, 2, "Heap#my.one#Handler", 1, 1);
    check(trace, 2, "Heap#my.two#Handler", 2, 2);
    check(trace, 2, "Heap#util#Task", 33, 102); // two of them
    check(trace, 0, "Heap#util#Task", 15, 100);
    check(trace, 2, "Heap", 92, 168);
    CHECK(is_moved(trace, before, "Heap#gui", "Heap#main.gui", 3));
    CHECK(is_moved(trace, before, "Heap#one", "Heap#my.one", 1));
    CHECK(is_moved(trace, before, "Heap#util#Single", "Heap#net#Single", 1));
    uint32_t gone = test_find(trace, "Heap#net#Gone"), new = test_find(trace, "Heap#main.gui#New");
    CHECK(mc_versus_get_node(trace, MC_AFTER, gone) == MC_NONE);
    CHECK(mc_versus_get_node(trace, MC_BEFORE, gone) == test_find(before, "Heap#net#Gone"));
    CHECK(mc_versus_get_node(trace, MC_BEFORE, new) == MC_NONE);
    bool is_there = true;
    CHECK(mc_trace_read_presence(trace, 0, gone, &is_there, &error) == MC_OK && is_there);
    mc_step_size size;
    CHECK(mc_trace_read_size(trace, 2, &size, &error) == MC_OK && size.leaf_count == 11);
    mc_trace_destroy(trace);
}

// The same, where `before` has what was moved.
static void check_before_places(const mc_trace *before, const mc_trace *after) {
    mc_versus_desc desc = {.sides = {before, after}, .fold = fold_tasks, .has_before_places = true};
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_versus(&desc, NULL, &trace, &error) == MC_OK);
    check(trace, 2, "Heap#gui#Window", 2, 3);
    check(trace, 2, "Heap#gui#New", 0, 22); // it is where the others were
    check(trace, 2, "Heap#gui#Old", 8, 0);
    check(trace, 2, "Heap#gui", 20, 37);
    check(trace, 2, "Heap#util#Single", 14, 15);
    check(trace, 2, "Heap#one#Handler", 1, 1);
    check(trace, 2, "Heap#util#Task", 33, 102);
    check(trace, 2, "Heap", 92, 168);
    CHECK(is_moved(trace, before, "Heap#gui", "Heap#gui", 3));
    CHECK(is_moved(trace, before, "Heap#one", "Heap#one", 1));
    CHECK(is_moved(trace, before, "Heap#util#Single", "Heap#util#Single", 1));
    mc_versus_move move;
    CHECK(mc_versus_find_move(trace, test_find(trace, "Heap#gui#Window"), &move));
    CHECK(move.node == test_find(trace, "Heap#gui") && mc_versus_has_before_places(trace));
    CHECK(!mc_versus_find_move(trace, test_find(trace, "Heap#util"), NULL));
    mc_trace_destroy(trace);
}

static void check_plain(const mc_trace *before, const mc_trace *after) {
    mc_versus_desc desc = {
        .sides = {before, after}, .no_moves = true, .alignment = {.kind = MC_ALIGN_STEP}};
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_versus(&desc, NULL, &trace, &error) == MC_OK);
    uint32_t count;
    mc_versus_get_moves(trace, &count);
    CHECK(count == 0);
    check_steps(trace, 1, 1, 1);
    check_steps(trace, 2, 1, 2);
    check(trace, 1, "Heap#gui#Window", 2, 0);
    check(trace, 1, "Heap#main.gui#Window", 0, 2);
    check(trace, 1, "Heap#util#Task2", 17, 0);
    mc_trace_destroy(trace);
}

// What is a leaf in one and a group in the other has its objects in a leaf of their own.
static void check_self(void) {
    static const test_leaf leaf[] = {{"a", "b", {5}}}, group[] = {{"b", "c", {7}}};
    mc_trace *before = test_make_trace(leaf, 1, 1), *after = test_make_trace(group, 1, 1);
    mc_step_tree tree = {0};
    mc_trace_builder *builder = NULL;
    mc_trace *flat = NULL, *trace = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    mc_step_tree_reset(&tree);
    uint32_t root = test_add_node(&tree, MC_NONE, "Heap", 9);
    test_add_node(&tree, root, "b", 9);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
    REQUIRE(mc_trace_builder_finish(builder, &flat, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    mc_versus_desc desc = {.sides = {flat, after}};
    REQUIRE(mc_trace_versus(&desc, NULL, &trace, &error) == MC_OK);
    check(trace, 0, "Heap#b", 9, 7);
    check(trace, 0, "Heap#b#c", 0, 7);
    check(trace, 0, "Heap#b#b", 9, 0);
    mc_trace_destroy(trace);
    mc_trace_destroy(flat);
    mc_trace_destroy(before);
    mc_trace_destroy(after);
}

// Where `before` has them, districts that were put together are apart, and nothing is merged.
static void check_parts(const mc_trace *before, const mc_trace *after) {
    mc_versus_desc desc = {.sides = {before, after}, .has_before_places = true};
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_versus(&desc, NULL, &trace, &error) == MC_OK);
    check(trace, 0, "Heap#a#Beta", 2, 2);
    check(trace, 0, "Heap#a#Node", 4, 11);
    check(trace, 0, "Heap#b#Delta", 5, 5);
    check(trace, 0, "Heap#b#Node", 7, 0); // it can't be told from that of the other one
    check(trace, 0, "Heap#d#Into", 9, 9);
    CHECK(is_moved(trace, before, "Heap#a", "Heap#a", 4));
    CHECK(is_moved(trace, before, "Heap#b#Delta", "Heap#b#Delta", 1));
    CHECK(is_moved(trace, before, "Heap#b#Eta", "Heap#b#Eta", 1));
    CHECK(is_moved(trace, before, "Heap#d#Into", "Heap#d#Into", 1));
    uint32_t count;
    const mc_versus_move *moves = mc_versus_get_moves(trace, &count);
    CHECK_MSG(count == 4, "%u moves", count);
    for (uint32_t i = 0; i < count; i++)
        CHECK(!moves[i].is_merged);
    CHECK(mc_trace_get_nodes(trace)->leaf_count == 11);
    mc_trace_destroy(trace);
}

// What left a district for another one is the same moves both ways, and leaves nothing behind.
static void check_splits(const mc_trace *before, const mc_trace *after) {
    for (int has_before_places = 0; has_before_places < 2; has_before_places++) {
        mc_versus_desc desc = {.sides = {before, after}, .has_before_places = has_before_places};
        mc_trace *trace = NULL;
        REQUIRE(mc_trace_versus(&desc, NULL, &trace, &error) == MC_OK);
        CHECK(is_moved(trace, before, "Heap#all", has_before_places ? "Heap#all" : "Heap#a",
                       has_before_places ? 6 : 4));
        CHECK(is_moved(trace, before, "Heap#all#Delta",
                       has_before_places ? "Heap#all#Delta" : "Heap#b#Delta", 1));
        CHECK(is_moved(trace, before, "Heap#c#Into",
                       has_before_places ? "Heap#c#Into" : "Heap#d#Into", 1));
        uint32_t count;
        (void)mc_versus_get_moves(trace, &count);
        CHECK_MSG(count == 4, "%u moves", count);
        CHECK(mc_trace_get_nodes(trace)->leaf_count == 11);
        mc_trace_destroy(trace);
    }
}

// Districts that were put together, into a new one or one that was there, leave nothing behind.
static void check_merges(void) {
    static const test_leaf old[] = {{"a", "Alpha", {1}}, {"a", "Beta", {2}},  {"a", "Gamma", {3}},
                                    {"a", "Node", {4}},  {"b", "Delta", {5}}, {"b", "Eta", {6}},
                                    {"b", "Node", {7}},  {"c", "Kept", {8}},  {"d", "Into", {9}},
                                    {"e", "Lonely", {1}}};
    static const test_leaf new[] = {
        {"all", "Alpha", {1}}, {"all", "Beta", {2}},  {"all", "Delta", {5}},
        {"all", "Eta", {6}},   {"all", "Gamma", {3}}, {"all", "Node", {11}},
        {"c", "Into", {9}},    {"c", "Kept", {8}},    {"f", "Other", {1}}};
    mc_trace *before = test_make_trace(old, 10, 1), *after = test_make_trace(new, 9, 1);
    mc_versus_desc desc = {.sides = {before, after}};
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_versus(&desc, NULL, &trace, &error) == MC_OK);
    CHECK(is_moved(trace, before, "Heap#a", "Heap#all", 6));
    CHECK(is_moved(trace, before, "Heap#b", "Heap#all", 3)); // with what both had
    CHECK(is_moved(trace, before, "Heap#d", "Heap#c", 1));
    uint32_t count, kept = test_find(trace, "Heap#c");
    const mc_versus_move *moves = mc_versus_get_moves(trace, &count);
    CHECK_MSG(count == 3, "%u moves", count);
    for (uint32_t i = 0; i < count; i++)
        CHECK(moves[i].is_merged == (moves[i].before_node != test_find(before, "Heap#a")));
    check(trace, 0, "Heap#all#Node", 11, 11);
    check(trace, 0, "Heap#all", 28, 28);
    check(trace, 0, "Heap#c", 17, 17);
    check(trace, 0, "Heap#e#Lonely", 1, 0);
    // What took something in is what it was, and was not moved.
    CHECK(mc_versus_get_node(trace, MC_BEFORE, kept) == test_find(before, "Heap#c"));
    CHECK(mc_trace_get_nodes(trace)->leaf_count == 10);
    mc_versus_move move;
    CHECK(!mc_versus_find_move(trace, kept, NULL));
    CHECK(!mc_versus_find_move(trace, test_find(trace, "Heap#c#Kept"), NULL));
    CHECK(mc_versus_find_move(trace, test_find(trace, "Heap#c#Into"), &move));
    CHECK(move.before_node == test_find(before, "Heap#d") && move.is_merged);
    CHECK(mc_versus_find_move(trace, test_find(trace, "Heap#all#Delta"), &move));
    CHECK(move.before_node == test_find(before, "Heap#b"));
    mc_trace_destroy(trace);
    check_parts(before, after);
    check_splits(after, before);
    mc_trace_destroy(before);
    mc_trace_destroy(after);
}

static void check_memory(const mc_trace *before, const mc_trace *after) {
    mc_versus_desc desc = {.sides = {before, after}, .fold = fold_tasks};
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != MC_OK; n++) {
        mc_trace *trace = NULL;
        uint64_t values[64];
        mc_memory_fail_after(n);
        result = mc_trace_versus(&desc, NULL, &trace, &error);
        if (result == MC_OK) result = mc_trace_read_column(trace, 0, 0, values, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
        mc_trace_destroy(trace);
    }
}

// Every step of either side is in one of the trace, times ascend, and the larger is the larger.
static void check_alignment(const mc_trace *before, const mc_trace *after, const char *text,
                            uint32_t step_count) {
    const mc_trace *sides[] = {before, after};
    mc_versus_desc desc = {.sides = {before, after}, .fold = fold_tasks};
    mc_trace *trace = NULL;
    REQUIRE(mc_versus_alignment_parse(text, &desc.alignment));
    REQUIRE(mc_trace_versus(&desc, NULL, &trace, &error) == MC_OK);
    uint32_t count = mc_trace_get_step_count(trace), nodes = mc_trace_get_nodes(trace)->count;
    CHECK_MSG(count == step_count, "%s: %u steps", text, count);
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        uint32_t next = 0;
        for (uint32_t step = 0; step < count; step++)
            next += mc_versus_get_step(trace, (mc_versus_side)side, step) == next;
        CHECK(next == mc_trace_get_step_count(sides[side]));
    }
    mc_metric bytes[] = {mc_versus_get_metric(trace, MC_METRIC_BYTES, MC_VERSUS_BEFORE),
                         mc_versus_get_metric(trace, MC_METRIC_BYTES, MC_VERSUS_AFTER)};
    mc_metric larger = mc_versus_get_metric(trace, bytes[MC_BEFORE], MC_VERSUS_LARGER);
    CHECK(larger == mc_trace_find_metric(trace, "larger.bytes") && bytes[1] == MC_METRIC_BYTES);
    uint64_t values[3][64], maxima[64], most[64] = {0};
    REQUIRE(nodes <= 64);
    for (uint32_t step = 0; step < count; step++) {
        CHECK(step == 0 || mc_trace_get_step(trace, step)->time_ms >=
                               mc_trace_get_step(trace, step - 1)->time_ms);
        for (uint32_t i = 0; i < 3; i++)
            REQUIRE(mc_trace_read_column(trace, step, i < 2 ? bytes[i] : larger, values[i],
                                         &error) == MC_OK);
        uint64_t sum = 0;
        for (uint32_t node = 0; node < nodes; node++) {
            if (mc_trace_get_nodes(trace)->child_count[node] > 0) continue;
            uint64_t a = values[0][node], b = values[1][node];
            CHECK(values[2][node] == (a > b ? a : b));
            sum += values[2][node];
            if (values[2][node] > most[node]) most[node] = values[2][node];
        }
        CHECK(values[2][0] == sum);
    }
    bool is_known = mc_trace_has_maximum(trace, larger);
    if (is_known) mc_trace_get_maximum(trace, larger, maxima);
    CHECK(!is_known || memcmp(maxima, most, nodes * sizeof *most) == 0);
    mc_trace_destroy(trace);
}

// Of two ranges no other steps count, whatever a side knows of all of them.
static void check_windows(const mc_trace *two, const mc_trace *three) {
    static const uint32_t last[] = {1, 2}, second[] = {1, 1};
    static const mc_alignment kinds[] = {MC_ALIGN_END, MC_ALIGN_STEP, MC_ALIGN_TIME};
    for (uint32_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        mc_versus_desc desc = {
            .sides = {two, three}, .window = {second, last}, .alignment = {.kind = kinds[i]}};
        mc_trace *trace = NULL;
        REQUIRE(mc_trace_versus(&desc, NULL, &trace, &error) == MC_OK);
        REQUIRE(mc_trace_get_step_count(trace) == 2);
        check_steps(trace, 0, 1, 1);
        check_steps(trace, 1, 1, 2);
        CHECK(!mc_trace_has_maximum(trace, mc_trace_find_metric(trace, "before.bytes")));
        CHECK(mc_trace_get_step(trace, 1)->time_ms == mc_trace_get_step(three, 2)->time_ms);
        mc_trace_destroy(trace);
    }
    mc_versus_desc desc = {.sides = {three, three},
                           .window = {last, second},
                           .alignment = {.kind = MC_ALIGN_PAIR, .pair = {2, 1}}};
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_versus(&desc, NULL, &trace, &error) == MC_OK);
    REQUIRE(mc_trace_get_step_count(trace) == 2);
    check_steps(trace, 0, 1, 1);
    check_steps(trace, 1, 2, 1);
    mc_trace_destroy(trace);
}

// What is left out of either side comes behind both, however they are aligned.
static void check_ends(const mc_trace *two, const mc_trace *three) {
    static const uint32_t first = 0, second = 1;
    static const mc_versus_alignment kinds[] = {
        {.kind = MC_ALIGN_END}, {.kind = MC_ALIGN_STEP}, {.kind = MC_ALIGN_TIME}};
    for (uint32_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        mc_versus_desc desc = {.sides = {three, two}, .end = {&first}, .alignment = kinds[i]};
        mc_trace *trace = NULL;
        REQUIRE(mc_trace_versus(&desc, NULL, &trace, &error) == MC_OK);
        REQUIRE(mc_trace_get_step_count(trace) == 4);
        CHECK(mc_versus_get_end(trace) == 1);
        check_steps(trace, 0, 0, 0);
        check_steps(trace, 1, 0, 1);
        check_steps(trace, 2, 1, 1);
        check_steps(trace, 3, 2, 1);
        for (uint32_t step = 1; step < 4; step++)
            CHECK(mc_trace_get_step(trace, step)->time_ms >
                  mc_trace_get_step(trace, step - 1)->time_ms);
        mc_trace_destroy(trace);
    }
    mc_versus_desc desc = {
        .sides = {two, three}, .end = {&first, &second}, .alignment = {.kind = MC_ALIGN_STEP}};
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_versus(&desc, NULL, &trace, &error) == MC_OK);
    REQUIRE(mc_trace_get_step_count(trace) == 3 && mc_versus_get_end(trace) == 1);
    check_steps(trace, 1, 0, 1);
    check_steps(trace, 2, 1, 2);
    mc_trace_destroy(trace);
}

static void check_alignments(const mc_trace *two, const mc_trace *three) {
    check_alignment(two, three, "step", 3);
    check_alignment(three, two, "step", 3);
    check_alignment(two, three, "end", 3);
    check_alignment(three, two, "end", 3);
    check_alignment(two, three, "time", 3);
    check_alignment(three, two, "time", 3);
    check_alignment(two, three, "0:2", 4); // its last beside the other one's first
    check_alignment(three, two, "0:1", 4);
    check_alignment(three, two, "2:0", 4);
    check_ends(two, three);
    mc_versus_alignment alignment;
    const char *const wrong[] = {"",     "1", "1:", ":1", "1:2:3", "-1:2", "a:b", "1:99999999999",
                                 "steps"};
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_MSG(!mc_versus_alignment_parse(wrong[i], &alignment), "\"%s\"", wrong[i]);
}

int main(void) {
    mc_trace *before =
        test_make_trace(before_leaves, sizeof before_leaves / sizeof *before_leaves, 2);
    mc_trace *after = test_make_trace(after_leaves, sizeof after_leaves / sizeof *after_leaves, 3);
    check_groups(before, after);
    check_before_places(before, after);
    check_plain(before, after);
    check_self();
    check_alignments(before, after);
    check_windows(before, after);
    check_merges();
    check_memory(before, after);
    mc_trace_destroy(before);
    mc_trace_destroy(after);
    return test_finish();
}
