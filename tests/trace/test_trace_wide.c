// A trace that is wide enough for the builder to work in several threads: order, values, and that a
// step that is refused leaves nothing behind.
#include "engine/base/memory.h"
#include "engine/trace/build/trace_builder.h"
#include "tests/chain_trace.h"

enum { DISTRICTS = 40, LEAVES = 600, STEPS = 4, NODES = 1 + DISTRICTS + DISTRICTS * LEAVES };

static const int64_t times[STEPS] = {300, 100, 400, 200}; // as they are added
static mc_step_tree tree;
static uint32_t first_place[STEPS][NODES]; // of a leaf in a step's document, by its number

static uint32_t mix(uint32_t value) {
    value = (value ^ 61) ^ (value >> 16);
    value *= 9;
    value = (value ^ value >> 4) * 0x27d4eb2d;
    return value ^ value >> 15;
}

static bool is_there(uint32_t leaf, int step) {
    return mix(leaf * 7 + (uint32_t)step) % 4 != 0;
}

static uint64_t get_objects(uint32_t leaf, int step) {
    return mix(leaf * 31 + (uint32_t)step) % 70000;
}

// A key that tells the leaf; the first 20 bytes of many are the same, some end early.
static size_t make_key(uint32_t leaf, char *key) {
    const char *const beginnings[] = {"com.example.concrete.Type", "com.example.concrete.Typ", "c",
                                      "\xc3\xa4"};
    return (size_t)sprintf(key, "%s%u", beginnings[mix(leaf) % 4], leaf);
}

static uint32_t add(uint32_t parent, uint32_t role, const char *key, size_t size,
                    uint64_t objects) {
    mc_step_node node = {.parent = parent,
                         .role = role,
                         .key_offset = tree.text.size,
                         .name_offset = tree.text.size,
                         .key_size = (uint32_t)size,
                         .name_size = (uint32_t)size,
                         .objects = objects,
                         .bytes = objects * 8};
    mc_text_append(&tree.text, key, size);
    uint32_t index = mc_step_tree_add(&tree, node);
    REQUIRE(index != MC_NONE);
    return index;
}

// Leaves stand in another order in every step.
static void make_step(int step) {
    char key[64];
    mc_step_tree_reset(&tree);
    tree.time_ms = times[step];
    REQUIRE(mc_strings_intern(&tree.roles, "Package", 7) == 0);
    REQUIRE(mc_strings_intern(&tree.roles, "Type", 4) == 1);
    add(MC_NONE, MC_NONE, "Heap", 4, 0);
    for (uint32_t d = 0; d < DISTRICTS; d++) {
        uint32_t district = add(0, 0, key, (size_t)sprintf(key, "package%u", d), 0);
        for (uint32_t k = 0; k < LEAVES; k++) {
            uint32_t leaf = d * LEAVES + (k * 7 + (uint32_t)step * 101) % LEAVES;
            if (!is_there(leaf, step)) continue;
            uint32_t place = add(district, 1, key, make_key(leaf, key), get_objects(leaf, step));
            first_place[step][leaf] = place;
            tree.nodes[district].objects += tree.nodes[place].objects;
            tree.nodes[district].bytes += tree.nodes[place].bytes;
        }
        tree.nodes[0].objects += tree.nodes[district].objects;
        tree.nodes[0].bytes += tree.nodes[district].bytes;
    }
}

// Nodes that nothing else has, then two siblings with one key.
static void add_bad_step(mc_trace_builder *builder) {
    char key[64];
    mc_error error = {0};
    mc_step_tree_reset(&tree);
    tree.time_ms = 5000;
    add(MC_NONE, MC_NONE, "Heap", 4, 0);
    for (uint32_t i = 0; i < 3000; i++)
        add(0, MC_NONE, key, (size_t)sprintf(key, "elsewhere%u", i), 1);
    add(0, MC_NONE, "elsewhere7", 10, 1);
    CHECK(mc_trace_builder_add_step(builder, &tree, "bad", &error) == MC_ERROR_BAD_DATA);
    CHECK(strstr(error.message, "elsewhere7"));
}

static uint32_t get_leaf(const mc_trace *trace, uint32_t node) {
    size_t size;
    const char *key = mc_trace_get_string(trace, mc_trace_get_nodes(trace)->key[node], &size);
    return (uint32_t)atoi(key + strcspn(key, "0123456789"));
}

static void check_order(const mc_trace *trace) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t next = 1;
    for (uint32_t node = 0; node < nodes->count; node++) {
        uint32_t begin = nodes->first_child[node], count = nodes->child_count[node];
        CHECK(count == 0 || begin == next);
        next += count;
        if (node > 0) CHECK(nodes->level[node] == nodes->level[nodes->parent[node]] + 1);
        for (uint32_t i = begin; i < begin + count; i++) {
            CHECK(nodes->parent[i] == node);
            if (i == begin) continue;
            const char *before = mc_trace_get_string(trace, nodes->key[i - 1], NULL);
            CHECK(strcmp(before, mc_trace_get_string(trace, nodes->key[i], NULL)) < 0);
        }
    }
    CHECK(next == nodes->count && nodes->depth == 2);
}

// When a leaf first is there, by time, and where.
static void get_appearance(uint32_t leaf, int64_t *time_ms, uint32_t *place) {
    *time_ms = INT64_MAX;
    for (int step = 0; step < STEPS; step++) {
        if (!is_there(leaf, step) || times[step] > *time_ms) continue;
        *time_ms = times[step];
        *place = first_place[step][leaf];
    }
}

static void check_appearance(const mc_trace *trace) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    for (uint32_t district = 1; district <= DISTRICTS; district++) {
        int64_t time_before = INT64_MIN, time_ms;
        uint32_t place_before = 0, place = 0;
        for (uint32_t k = 0; k < nodes->child_count[district]; k++) {
            uint32_t node = nodes->child_by_appearance[nodes->first_child[district] + k];
            CHECK(nodes->parent[node] == district);
            get_appearance(get_leaf(trace, node), &time_ms, &place);
            CHECK(time_ms > time_before || (time_ms == time_before && place > place_before));
            time_before = time_ms;
            place_before = place;
        }
    }
}

static void check_values(const mc_trace *trace) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint64_t *values = malloc(nodes->count * sizeof *values);
    REQUIRE(values);
    REQUIRE(mc_trace_get_step_count(trace) == STEPS);
    for (int step = 0; step < STEPS; step++) {
        uint32_t index = (uint32_t)(times[step] / 100 - 1);
        CHECK(mc_trace_get_step(trace, index)->time_ms == times[step]);
        REQUIRE(mc_trace_read_column(trace, index, MC_METRIC_BYTES, values, NULL) == MC_OK);
        for (uint32_t node = 0; node < nodes->count; node++) {
            if (nodes->level[node] < 2) continue;
            bool is_present;
            uint32_t leaf = get_leaf(trace, node);
            bool is_expected = is_there(leaf, step);
            CHECK(values[node] == (is_expected ? get_objects(leaf, step) * 8 : 0));
            CHECK(mc_trace_read_presence(trace, index, node, &is_present, NULL) == MC_OK &&
                  is_present == is_expected);
        }
    }
    free(values);
}

static mc_trace_builder *fill_builder(void) {
    mc_trace_builder *builder = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (int step = 0; step < STEPS; step++) {
        make_step(step);
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "wide", NULL) == MC_OK);
        if (step == 1) add_bad_step(builder);
    }
    return builder;
}

static void test_wide(void) {
    mc_trace *trace = NULL;
    mc_trace_builder *builder = fill_builder();
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    // A leaf is missing in all four steps once in 256.
    uint32_t count = mc_trace_get_nodes(trace)->count;
    CHECK(count > 23000 && count <= NODES);
    check_order(trace);
    check_appearance(trace);
    check_values(trace);
    mc_trace_destroy(trace);
}

// Whatever allocation fails, in whatever thread.
static void test_out_of_memory(void) {
    for (uint64_t allowed = 0;; allowed += 1 + allowed) {
        mc_trace *trace = NULL;
        mc_error error = {0};
        mc_trace_builder *builder = fill_builder();
        mc_memory_fail_after(allowed);
        mc_result result = mc_trace_builder_finish(builder, &trace, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK || (result == MC_ERROR_OUT_OF_MEMORY && !trace));
        if (trace) check_values(trace);
        mc_trace_destroy(trace);
        mc_trace_builder_destroy(builder);
        if (result == MC_OK) return;
    }
}

// ---- many roles, many steps, many that are refused: each of these was quadratic

enum { ROLES = 50000, GOOD_STEPS = 30, BAD_STEPS_EACH = 500, SMALL_STEPS = 50000 };

static void add_named(const char *role, const char *key) {
    uint32_t index = mc_strings_intern(&tree.roles, role, strlen(role));
    add(0, index, key, strlen(key), 1);
}

static void begin_small_step(int64_t time_ms) {
    mc_step_tree_reset(&tree);
    tree.key_kind = MC_KEY_FULL;
    tree.time_ms = time_ms;
    add(MC_NONE, MC_NONE, "H", 1, 1);
}

static void add_numbered(const char *prefix, uint32_t number) {
    char key[32], role[64];
    snprintf(key, sizeof key, "%s%u", prefix, number);
    snprintf(role, sizeof role, "role of %s", key);
    add_named(role, key);
}

// Adds nodes and roles, and then a key that was there.
static void add_bad_small_step(mc_trace_builder *builder, uint32_t number) {
    mc_error error = {0};
    begin_small_step((int64_t)number + 1000000);
    for (uint32_t i = 0; i <= number % 5; i++)
        add_numbered("bad", number * 10 + i);
    add_numbered("k", 7);
    add_numbered("bad", number * 10);
    CHECK(mc_trace_builder_add_step(builder, &tree, "bad", &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "occurs twice"), "%s", error.message);
}

static void check_classifier(const mc_trace *trace, uint32_t classifier, const char *prefix,
                             uint32_t number) {
    size_t size;
    char expected[64];
    const char *name = mc_trace_get_classifier(trace, classifier, &size);
    snprintf(expected, sizeof expected, "role of %s%u", prefix, number);
    CHECK_MSG(strlen(expected) == size && strcmp(name, expected) == 0, "%s", name);
}

static void test_many_roles(void) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_error error = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, &error) == MC_OK);
    begin_small_step(-1);
    for (uint32_t i = 0; i < ROLES; i++)
        add_numbered("k", i);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "wide", &error) == MC_OK);
    for (uint32_t i = 0; i < GOOD_STEPS; i++) {
        for (uint32_t k = 0; k < BAD_STEPS_EACH; k++)
            add_bad_small_step(builder, i * BAD_STEPS_EACH + k);
        begin_small_step(i);
        add_numbered("bad", i * BAD_STEPS_EACH * 10); // this one stays
        CHECK(mc_trace_builder_add_step(builder, &tree, "small", &error) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    REQUIRE(mc_trace_get_classifier_count(trace) == ROLES + GOOD_STEPS);
    for (uint32_t i = 0; i < ROLES; i++) // in the order in which they came: all are on one level
        check_classifier(trace, i, "k", i);
    for (uint32_t i = 0; i < GOOD_STEPS; i++)
        check_classifier(trace, ROLES + i, "bad", i * BAD_STEPS_EACH * 10);
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    CHECK(nodes->count == 1 + ROLES + GOOD_STEPS);
    uint32_t bad = mc_trace_find_node(trace, "bad15000", 8);
    CHECK(bad != MC_NONE && nodes->role[bad] == ROLES + 3);
    CHECK(mc_trace_find_node(trace, "bad10", 5) == MC_NONE);
    mc_trace_destroy(trace);
}

static void test_many_steps(void) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_error error = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, &error) == MC_OK);
    for (uint32_t i = 0; i < SMALL_STEPS; i++) {
        int64_t time_ms = mix(i) % SMALL_STEPS * (int64_t)SMALL_STEPS + i;
        begin_small_step(time_ms);
        add_numbered("k", i % 3);
        CHECK(mc_trace_builder_add_step(builder, &tree, "small", &error) == MC_OK);
        if (i % 100 != 0) continue;
        tree.time_ms =
            i % 200 == 0 ? time_ms : mix(i / 2) % SMALL_STEPS * (int64_t)SMALL_STEPS + i / 2;
        CHECK(mc_trace_builder_add_step(builder, &tree, "twin", &error) == MC_ERROR_BAD_DATA);
        CHECK_MSG(strstr(error.message, "is also the time of a step in"), "%s", error.message);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    REQUIRE(mc_trace_get_step_count(trace) == SMALL_STEPS);
    for (uint32_t i = 1; i < SMALL_STEPS; i++)
        CHECK(mc_trace_get_step(trace, i - 1)->time_ms < mc_trace_get_step(trace, i)->time_ms);
    mc_trace_destroy(trace);
}

// A builder that is told to stop, in a step or at the end: as if it had not been called, or able to
// be destroyed.
static void test_cancelled(void) {
    mc_trace *trace = NULL;
    mc_error error = {0};
    test_asked asked = {.most = 0};
    mc_progress progress = {test_ask, &asked};
    mc_trace_builder *builder = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, &error) == MC_OK);
    mc_trace_builder_set_progress(builder, &progress);
    begin_small_step(0);
    for (uint32_t i = 0; i < 150000; i++)
        add_numbered("k", i);
    for (uint64_t most = 0; most < 2; most++) {
        asked = (test_asked){.most = most};
        CHECK(mc_trace_builder_add_step(builder, &tree, "wide", &error) == MC_ERROR_CANCELLED);
    }
    asked = (test_asked){.most = UINT64_MAX};
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "wide", &error) == MC_OK);
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    CHECK(asked.count >= 2);
    CHECK(trace && mc_trace_get_nodes(trace)->count == 150001);
    mc_trace_destroy(trace);
    mc_trace_builder_destroy(builder);
    // At the end, whenever that is asked.
    mc_result result = MC_ERROR_CANCELLED;
    for (uint64_t most = 0; result == MC_ERROR_CANCELLED; most++) {
        builder = fill_builder();
        asked = (test_asked){.most = most};
        mc_trace_builder_set_progress(builder, &progress);
        result = mc_trace_builder_finish(builder, &trace, &error);
        CHECK((result == MC_OK) == (trace != NULL));
        if (trace) check_values(trace);
        mc_trace_destroy(trace);
        mc_trace_builder_destroy(builder);
    }
    CHECK(result == MC_OK);
}

int main(void) {
    test_wide();
    test_many_roles();
    test_many_steps();
    test_cancelled();
    test_out_of_memory();
    mc_step_tree_deinit(&tree);
    return test_finish();
}
