// The trace builder: identity, presence, self nodes, order, references, failures that leave no
// trace.
#include "engine/base/memory.h"
#include "engine/trace/build/trace_builder.h"
#include "engine/trace/packed_column.h"
#include "tests/trace_values.h"

static mc_step_tree tree;

static void begin_step(int64_t time_ms, mc_key_kind kind) {
    mc_step_tree_reset(&tree);
    tree.time_ms = time_ms;
    tree.key_kind = kind;
    mc_strings_intern(&tree.roles, "Package", 7);
    mc_strings_intern(&tree.roles, "Type", 4);
}

// Appends a node with the key as its name; returns its index.
static uint32_t add(uint32_t parent, const char *key, uint32_t role, uint64_t objects,
                    uint64_t bytes) {
    mc_step_node node = {.parent = parent,
                         .role = role,
                         .key_offset = tree.text.size,
                         .name_offset = tree.text.size,
                         .key_size = (uint32_t)strlen(key),
                         .name_size = (uint32_t)strlen(key),
                         .objects = objects,
                         .bytes = bytes,
                         .source_offset = 1000 + tree.node_count};
    mc_text_append_string(&tree.text, key);
    return mc_step_tree_add(&tree, node);
}

static mc_trace_builder *new_builder(void) {
    mc_trace_builder *builder = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    return builder;
}

static uint32_t find(const mc_trace *trace, const char *key) {
    return mc_trace_find_node(trace, key, strlen(key));
}

static uint64_t objects_of(const mc_trace *trace, uint32_t step, const char *key) {
    uint32_t node = find(trace, key);
    return node == MC_NONE ? UINT64_MAX : test_value(trace, step, MC_METRIC_OBJECTS, node);
}

static void check_key_and_path(const mc_trace *trace, uint32_t node, const char *key,
                               const char *path) {
    mc_text text = {0};
    mc_trace_append_full_key(trace, node, &text);
    CHECK_MSG(strcmp(text.data, key) == 0, "%s", text.data);
    mc_text_clear(&text);
    mc_trace_append_path(trace, node, &text);
    CHECK_MSG(strcmp(text.data, path) == 0, "%s", text.data);
    mc_text_deinit(&text);
}

// Steps in any order, nodes that come and go, a leaf that becomes an inner node.
static void test_steps(void) {
    mc_trace_builder *builder = new_builder();
    mc_error error = {0};
    begin_step(200, MC_KEY_PATH_PART);
    uint32_t root = add(MC_NONE, "Heap", MC_NONE, 30, 300);
    uint32_t b = add(root, "b", 0, 20, 200);
    add(b, "x", 1, 15, 150);
    add(root, "a", 0, 10, 100);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "two.json", &error) == MC_OK);
    begin_step(100, MC_KEY_PATH_PART);
    root = add(MC_NONE, "Heap", MC_NONE, 12, 7);
    add(root, "b", 0, 4, 3);
    uint32_t c = add(root, "c", 0, 8, 4);
    add(c, "z", 1, 5, 2);
    add(c, "y", 1, 3, 2);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "one.json", &error) == MC_OK);
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);

    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    CHECK(mc_trace_get_step_count(trace) == 2);
    CHECK(mc_trace_get_step(trace, 0)->time_ms == 100);
    CHECK(mc_trace_get_step(trace, 0)->node_count == 5 &&
          mc_trace_get_step(trace, 0)->leaf_count == 3);
    CHECK(mc_trace_get_step(trace, 1)->node_count == 4 &&
          mc_trace_get_step(trace, 1)->leaf_count == 2);
    CHECK(mc_trace_get_step(trace, 1)->bytes == 300);
    // Heap, a, b, c, b's own share and x, y, z.
    CHECK(nodes->count == 8 && mc_trace_get_input_node_count(trace) == 7);
    CHECK(nodes->leaf_count == 5 && nodes->depth == 2);
    for (uint32_t node = 1; node < nodes->count; node++) {
        CHECK(nodes->parent[node] < node);
        CHECK(nodes->level[node] == nodes->level[nodes->parent[node]] + 1);
        uint32_t first = nodes->first_child[nodes->parent[node]];
        CHECK(node >= first && node < first + nodes->child_count[nodes->parent[node]]);
    }
    // By time, then by place in the document; a node's own share is last.
    const uint32_t *seen = nodes->child_by_appearance + nodes->first_child[0];
    CHECK(seen[0] == find(trace, "Heap#b") && seen[1] == find(trace, "Heap#c") &&
          seen[2] == find(trace, "Heap#a"));
    seen = nodes->child_by_appearance + nodes->first_child[find(trace, "Heap#b")];
    CHECK(seen[0] == find(trace, "Heap#b#x") && seen[1] == find(trace, "Heap#b#b"));
    CHECK(objects_of(trace, 0, "Heap#a") == 0 && objects_of(trace, 1, "Heap#a") == 10);
    CHECK(!test_is_present(trace, 0, find(trace, "Heap#a")));
    CHECK(test_is_present(trace, 1, find(trace, "Heap#a")));
    CHECK(objects_of(trace, 0, "Heap#c#y") == 3 && objects_of(trace, 1, "Heap#c#y") == 0);
    uint32_t self = find(trace, "Heap#b#b");
    REQUIRE(self != MC_NONE);
    CHECK(nodes->flags[self] == MC_NODE_SELF);
    CHECK(objects_of(trace, 0, "Heap#b#b") == 4 && objects_of(trace, 1, "Heap#b#b") == 5);
    CHECK(test_value(trace, 1, MC_METRIC_BYTES, self) == 50);
    CHECK(mc_trace_get_metric_count(trace) == 2);
    check_key_and_path(trace, find(trace, "Heap#c#z"), "Heap#c#z", "Heap → Package: c → Type: z");
    check_key_and_path(trace, 0, "Heap", "Heap");
    CHECK(mc_trace_get_classifier_count(trace) == 2);
    CHECK(strcmp(mc_trace_get_classifier(trace, 1, NULL), "Type") == 0);
    CHECK(find(trace, "Heap#nothing") == MC_NONE && find(trace, "Heap#") == MC_NONE);
    CHECK(find(trace, "") == MC_NONE);
    mc_trace_destroy(trace);
}

// Keys as the whole full key; a share that only bytes have; siblings in byte order although longer
// than a word.
static void test_full_keys(void) {
    mc_trace_builder *builder = new_builder();
    mc_error error = {0};
    static const char *const keys[] = {"R#aaaaaaaaaaaa",
                                       "R#aaaaaaaaaaaab",
                                       "R#aaaaaaaaaaaaa",
                                       "R#aaaaaaa",
                                       "R#aaaaaaab",
                                       "R#\xc3\xa9",
                                       "R#b",
                                       "R#aaaaaaaa",
                                       "R#"};
    begin_step(1, MC_KEY_FULL);
    uint32_t root = add(MC_NONE, "R", MC_NONE, 9, 20);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        add(root, keys[i], 1, 1, 2);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "s", &error) == MC_OK);
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    CHECK(nodes->count == 11);
    for (uint32_t node = 2; node < nodes->count; node++) {
        mc_text before = {0}, after = {0};
        mc_trace_append_full_key(trace, node - 1, &before);
        mc_trace_append_full_key(trace, node, &after);
        CHECK_MSG(strcmp(before.data, after.data) < 0, "%s, %s", before.data, after.data);
        mc_text_deinit(&before);
        mc_text_deinit(&after);
    }
    uint32_t self = find(trace, "R#R");
    REQUIRE(self != MC_NONE && nodes->flags[self] == MC_NODE_SELF);
    CHECK(test_value(trace, 0, MC_METRIC_OBJECTS, self) == 0);
    CHECK(test_value(trace, 0, MC_METRIC_BYTES, self) == 2);
    // Roles stand at nodes only: what occurs nearer to the root is the outer classifier.
    CHECK(strcmp(mc_trace_get_classifier(trace, 0, NULL), "Type") == 0);
    mc_trace_destroy(trace);
}

static void expect_error(mc_trace_builder *builder, const char *source, uint64_t offset,
                         const char *part) {
    mc_error error = {0};
    CHECK(mc_trace_builder_add_step(builder, &tree, source, &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, part) != NULL, "%s", error.message);
    CHECK(error.byte_offset == offset);
}

static void test_errors(void) {
    mc_trace_builder *builder = new_builder();
    mc_error error = {0};
    mc_trace *trace = NULL;
    CHECK(mc_trace_builder_finish(builder, &trace, &error) == MC_ERROR_BAD_DATA && !trace);
    begin_step(1, MC_KEY_PATH_PART);
    uint32_t root = add(MC_NONE, "Heap", MC_NONE, 2, 2);
    add(root, "new", 0, 1, 1);
    add(root, "new", 0, 1, 1);
    expect_error(builder, "bad", 1002, "two siblings have the key \"new\"");
    begin_step(1, MC_KEY_PATH_PART);
    root = add(MC_NONE, "Heap", MC_NONE, 2, 2);
    add(root, "a", 0, 2, 2);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "first.json", &error) == MC_OK);
    expect_error(builder, "second.json", MC_ERROR_NO_OFFSET, "first.json");
    begin_step(2, MC_KEY_PATH_PART);
    add(MC_NONE, "Other", MC_NONE, 2, 2);
    expect_error(builder, "x", 1000, "\"Heap\"");
    begin_step(2, MC_KEY_FULL);
    add(MC_NONE, "Heap", MC_NONE, 2, 2);
    expect_error(builder, "x", MC_ERROR_NO_OFFSET, "another form");
    static const int64_t beyond[] = {INT64_MIN, MC_TIME_MIN - 1, MC_TIME_MAX + 1, INT64_MAX};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        begin_step(beyond[i], MC_KEY_PATH_PART);
        add(MC_NONE, "Heap", MC_NONE, 2, 2);
        expect_error(builder, "x", MC_ERROR_NO_OFFSET, "expected a time from");
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    // The node of the step that was refused is not there.
    CHECK(mc_trace_get_nodes(trace)->count == 2);
    mc_trace_destroy(trace);

    builder = new_builder();
    begin_step(1, MC_KEY_FULL);
    root = add(MC_NONE, "R", MC_NONE, 2, 2);
    uint32_t a = add(root, "R#a", 0, 1, 1);
    add(a, "R#b", 1, 1, 1);
    add(root, "R#b", 0, 1, 1);
    expect_error(builder, "bad", 1003, "\"R#b\" occurs twice");
    mc_trace_builder_destroy(builder);
}

static mc_reference_map map;

static void add_pair(const char *outer, const char *inner, uint64_t count) {
    mc_reference_entry entry = {.outer_offset = map.text.size,
                                .outer_size = (uint32_t)strlen(outer),
                                .inner_size = (uint32_t)strlen(inner),
                                .count = count,
                                .source_offset = 2000 + map.entry_count};
    mc_text_append_string(&map.text, outer);
    entry.inner_offset = map.text.size;
    mc_text_append_string(&map.text, inner);
    REQUIRE(mc_reference_map_add(&map, entry));
}

static void begin_map(int64_t time_ms) {
    mc_reference_map_reset(&map);
    map.time_ms = time_ms;
}

static void expect_reference_error(mc_trace_builder *builder, uint64_t offset, const char *part) {
    mc_error error = {0};
    CHECK(mc_trace_builder_add_references(builder, &map, MC_POINTS_TO, &error) ==
          MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, part) != NULL, "%s", error.message);
    CHECK(error.byte_offset == offset);
}

static void test_references(void) {
    mc_trace_builder *builder = new_builder();
    mc_error error = {0};
    begin_step(5, MC_KEY_PATH_PART);
    uint32_t root = add(MC_NONE, "H", MC_NONE, 6, 6);
    uint32_t p = add(root, "p", 0, 4, 4);
    add(p, "q#r", 1, 4, 4);
    add(root, "a", 0, 2, 2);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "s", &error) == MC_OK);
    begin_step(6, MC_KEY_PATH_PART);
    root = add(MC_NONE, "H", MC_NONE, 6, 6);
    add(root, "p", 0, 6, 6);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "s", &error) == MC_OK);

    begin_map(7);
    expect_reference_error(builder, MC_ERROR_NO_OFFSET, "no step has the time 7");
    begin_map(5);
    add_pair("H#a", "H#p#q#r", 3);
    add_pair("H#a", "H#p#q", 3);
    expect_reference_error(builder, 2001, "\"H#p#q\" is not in its tree");
    begin_map(5);
    add_pair("H#a", "H#p", 3);
    expect_reference_error(builder, 2000, "an inner node");
    begin_map(6);
    add_pair("H#a", "H#p", 3);
    expect_reference_error(builder, 2000, "\"H#a\" is not in its tree");
    begin_map(5);
    add_pair("H#a", "H#a", 1);
    add_pair("H#a", "H#p#q#r", 3);
    add_pair("H#a", "H#a", 1);
    expect_reference_error(builder, 2002, "twice");
    begin_map(5);
    add_pair("H#a", "H#p#q#r", 3);
    add_pair("H#a", "H#a", 1);
    CHECK(mc_trace_builder_add_references(builder, &map, MC_POINTS_TO, &error) == MC_OK);
    expect_reference_error(builder, MC_ERROR_NO_OFFSET, "a second points-to map");
    begin_map(5);
    add_pair("H#p#q#r", "H#a", 2); // a -> q#r: objects of a
    add_pair("H#a", "H#p#q#r", 4); // q#r -> a, of which no points-to map speaks
    CHECK(mc_trace_builder_add_references(builder, &map, MC_POINTED_FROM, &error) == MC_OK);
    begin_map(6);
    add_pair("H#p", "H#p", 5);
    CHECK(mc_trace_builder_add_references(builder, &map, MC_POINTS_TO, &error) == MC_OK);
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);

    CHECK(mc_trace_has_references(trace));
    uint32_t a = find(trace, "H#a"), r = find(trace, "H#p#q#r"), self = find(trace, "H#p#p");
    mc_reference_rows pairs = test_read_references(trace, 0);
    REQUIRE(pairs.count == 3 && mc_trace_get_step(trace, 0)->pair_count == 3);
    for (uint32_t i = 0; i < 3; i++) {
        if (pairs.items[i].from == a && pairs.items[i].to == r)
            CHECK(pairs.items[i].points_to == 3 && pairs.items[i].pointed_from == 2);
        else if (pairs.items[i].from == a)
            CHECK(pairs.items[i].to == a && pairs.items[i].points_to == 1 &&
                  pairs.items[i].pointed_from == 0);
        else
            CHECK(pairs.items[i].from == r && pairs.items[i].to == a &&
                  pairs.items[i].pointed_from == 4);
    }
    mc_reference_rows_deinit(&pairs);
    // p is a leaf in the second step: its building is its own share.
    pairs = test_read_references(trace, 1);
    REQUIRE(pairs.count == 1);
    CHECK(pairs.items[0].from == self && pairs.items[0].to == self &&
          pairs.items[0].points_to == 5);
    mc_reference_rows_deinit(&pairs);
    mc_trace_destroy(trace);
}

static void test_packed_column(void) {
    enum { COUNT = 1000 };
    static uint64_t values[COUNT], read[COUNT + 10];
    for (uint32_t i = 0; i < COUNT; i++)
        values[i] = i < 256 ? 0 : i < 300 ? 255 : i < 600 ? 65535 + i : i * 77;
    values[999] = INT64_MAX;
    values[700] = UINT32_MAX;
    for (uint32_t count = 0; count <= COUNT; count += 37) {
        mc_packed_column column;
        REQUIRE(mc_packed_column_pack(&column, values, count));
        memset(read, 0xab, sizeof read);
        mc_packed_column_unpack(&column, read, COUNT + 10);
        for (uint32_t i = 0; i < COUNT + 10; i++) {
            CHECK(read[i] == (i < count ? values[i] : 0));
            CHECK(mc_packed_column_get(&column, i) == read[i]);
        }
        mc_packed_column_deinit(&column);
    }
}

// So many values that several threads unpack them; behind the last there is nothing.
static void test_wide_packed_column(void) {
    enum { COUNT = 600001, READ = COUNT + 300000 };
    uint64_t *values = malloc(COUNT * sizeof *values), *read = malloc(READ * sizeof *read);
    mc_packed_column column;
    REQUIRE(values && read);
    for (uint32_t i = 0; i < COUNT; i++)
        values[i] = (uint64_t)i * 2654435761u >> i / 256 % 40;
    REQUIRE(mc_packed_column_pack(&column, values, COUNT));
    memset(read, 0xab, READ * sizeof *read);
    mc_packed_column_unpack(&column, read, READ);
    for (uint32_t i = 0; i < READ; i++)
        REQUIRE(read[i] == (i < COUNT ? values[i] : 0));
    mc_packed_column_deinit(&column);
    free(values);
    free(read);
}

// Whatever allocation fails, the builder says so and goes on from where it was.
static mc_result build_all(mc_trace **trace) {
    mc_trace_builder *builder = NULL;
    mc_error error = {0};
    mc_result result = mc_trace_builder_create(NULL, &builder, &error);
    for (int step = 0; result == MC_OK && step < 3; step++) {
        tree.time_ms = step;
        result = mc_trace_builder_add_step(builder, &tree, "s", &error);
    }
    map.time_ms = 1;
    if (result == MC_OK)
        result = mc_trace_builder_add_references(builder, &map, MC_POINTS_TO, &error);
    if (result == MC_OK) result = mc_trace_builder_finish(builder, trace, &error);
    CHECK(result == MC_OK || error.code == result);
    mc_trace_builder_destroy(builder);
    return result;
}

static void test_out_of_memory(void) {
    begin_step(0, MC_KEY_PATH_PART);
    uint32_t root = add(MC_NONE, "H", MC_NONE, 300, 300);
    char key[16];
    for (int i = 0; i < 40; i++) {
        snprintf(key, sizeof key, "package%d", i);
        uint32_t package = add(root, key, 0, 7, 7);
        add(package, "t", 1, 3, 3);
        add(package, "u", 1, 3, 3);
    }
    begin_map(1);
    add_pair("H#package3#t", "H#package4#u", 2);
    for (uint64_t n = 0;; n++) {
        REQUIRE(n < 10000);
        mc_trace *trace = NULL;
        mc_memory_fail_after(n);
        mc_result result = build_all(&trace);
        mc_memory_fail_after(UINT64_MAX);
        CHECK((result == MC_OK) == (trace != NULL));
        mc_trace_destroy(trace);
        if (result == MC_OK) break;
        CHECK(result == MC_ERROR_OUT_OF_MEMORY);
    }
}

int main(void) {
    test_packed_column();
    test_wide_packed_column();
    test_steps();
    test_full_keys();
    test_errors();
    test_references();
    test_out_of_memory();
    mc_step_tree_deinit(&tree);
    mc_reference_map_deinit(&map);
    return test_finish();
}
