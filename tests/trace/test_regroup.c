// Traces grouped otherwise: names and places of odd leaves, what does not add up, fields and roots,
// what stands for what, hostile depths, and memory that runs out anywhere.
#include "engine/base/memory.h"
#include "engine/trace/build/trace_builder.h"
#include "engine/trace/regroup/regroup.h"
#include "tests/trace_maker.h"

static mc_step_tree tree;
static mc_error error;

static uint32_t add(uint32_t parent, const char *role, const char *key, uint64_t objects) {
    uint32_t node = test_add_node(&tree, parent, key, objects);
    tree.nodes[node].role = mc_strings_intern(&tree.roles, role, strlen(role));
    return node;
}

// Nested packages, one called as the package around it; a type without a package; two of one name.
enum { ROOT, JAVA, UTIL, UTIL_LIST, AGAIN, AWT, AWT_LIST, JAVA_LIST, NONE, NODE_COUNT };

static void fill(int64_t time_ms) {
    mc_step_tree_reset(&tree);
    tree.time_ms = time_ms;
    uint64_t t = (uint64_t)time_ms;
    test_add_node(&tree, MC_NONE, "Heap", 20 * t);
    add(ROOT, "Package", "java", 15 * t);
    add(JAVA, "Package", "util", 8 * t);
    add(UTIL, "Type", "List", 5 * t);
    uint32_t again = add(UTIL, "Package", "util", 3 * t);
    add(JAVA, "Package", "awt", 4 * t);
    add(AWT, "Type", "List", 4 * t);
    add(JAVA, "Type", "List", 3 * t);
    add(ROOT, "Type", "Loose", 5 * t);
    CHECK(again == AGAIN && tree.node_count == NODE_COUNT);
    mc_metric_info retained = mc_metric_info_of_key("retained", 8);
    uint32_t metric = mc_step_tree_add_metric(&tree, &retained);
    for (uint32_t node = 0; node < NODE_COUNT; node++)
        REQUIRE(mc_step_tree_set_value(&tree, metric, node, 100 * t + node));
}

static mc_trace *make_base(void) {
    mc_trace_builder *builder;
    mc_trace *trace;
    mc_step_referrers referrers = {0};
    mc_reference_map map = {.is_by_node = true};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (int64_t time_ms = 1; time_ms <= 3; time_ms++) {
        fill(time_ms);
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
        mc_step_referrers_reset(&referrers);
        referrers.time_ms = map.time_ms = time_ms;
        uint32_t name = mc_strings_intern(&referrers.names, "A.f", 3);
        mc_field_count fields[] = {{UTIL_LIST, NONE, name, false, 2},
                                   {AWT_LIST, NONE, name, false, 3},
                                   {JAVA_LIST, NONE, name, true, 4}};
        for (size_t i = 0; i < 3; i++)
            REQUIRE(mc_step_referrers_add_field(&referrers, fields[i]));
        mc_root_count roots[] = {{UTIL_LIST, MC_ROOT_STATIC, name, 1},
                                 {AWT_LIST, MC_ROOT_STATIC, name, 6}};
        for (size_t i = 0; i < 2; i++)
            REQUIRE(mc_step_referrers_add_root(&referrers, roots[i]));
        mc_reference_map_reset(&map);
        map.is_by_node = true;
        map.time_ms = time_ms;
        mc_reference_entry entries[] = {
            {.outer_offset = UTIL_LIST, .inner_offset = AWT_LIST, .count = 1},
            {.outer_offset = UTIL_LIST, .inner_offset = NONE, .count = 2},
            {.outer_offset = AWT_LIST, .inner_offset = NONE, .count = 4}};
        for (size_t i = 0; i < 3; i++)
            REQUIRE(mc_reference_map_add(&map, entries[i]));
        REQUIRE(mc_trace_builder_add_references(builder, &map, MC_POINTS_TO, NULL) == MC_OK);
        REQUIRE(mc_trace_builder_add_referrers(builder, &referrers, NULL) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_referrers_deinit(&referrers);
    mc_reference_map_deinit(&map);
    return trace;
}

static mc_trace *regroup(const mc_trace *base, const char *list) {
    mc_regrouping grouping;
    mc_trace *trace;
    REQUIRE(mc_regrouping_parse(base, list, &grouping, &error) == MC_OK);
    CHECK_MSG(mc_trace_regroup(base, &grouping, NULL, &trace, &error) == MC_OK, "%s",
              error.message);
    return trace;
}

static uint32_t find(const mc_trace *trace, const char *key) {
    uint32_t node = mc_trace_find_node(trace, key, strlen(key));
    CHECK_MSG(node != MC_NONE, "there is no %s", key);
    return node;
}

static uint64_t read(const mc_trace *trace, uint32_t step, mc_metric metric, const char *key) {
    uint64_t one = 0, all[64];
    uint32_t node = find(trace, key);
    REQUIRE(mc_trace_get_nodes(trace)->count <= 64);
    REQUIRE(mc_trace_read_value(trace, step, metric, node, &one, NULL) == MC_OK);
    REQUIRE(mc_trace_read_column(trace, step, metric, all, NULL) == MC_OK);
    CHECK(one == all[node]);
    return one;
}

// ---- where leaves are

static void check_types(const mc_trace *base) {
    mc_trace *trace = regroup(base, "type");
    CHECK(mc_trace_get_nodes(trace)->leaf_count == 5);
    CHECK(read(trace, 2, MC_METRIC_OBJECTS, "Heap#java.util.List") == 15);
    CHECK(read(trace, 2, MC_METRIC_OBJECTS, "Heap#java.awt.List") == 12);
    CHECK(read(trace, 2, MC_METRIC_OBJECTS, "Heap#java.List") == 9);
    CHECK(read(trace, 2, MC_METRIC_OBJECTS, "Heap#Loose") == 15);
    // a package without a type is in the heap, beside its types
    CHECK(read(trace, 2, MC_METRIC_OBJECTS, "Heap#Heap") == 9);
    CHECK(read(trace, 2, MC_METRIC_OBJECTS, "Heap") == 60);
    mc_step_size size;
    REQUIRE(mc_trace_read_size(trace, 0, &size, NULL) == MC_OK);
    CHECK(size.node_count == 6 && size.leaf_count == 5 && size.pair_count == 3);
    mc_trace_destroy(trace);
}

static void check_packages(const mc_trace *base) {
    mc_trace *trace = regroup(base, "package");
    CHECK(read(trace, 0, MC_METRIC_OBJECTS, "Heap#java") == 15);
    CHECK(read(trace, 0, MC_METRIC_OBJECTS, "Heap#java#awt") == 4);
    CHECK(read(trace, 0, MC_METRIC_OBJECTS, "Heap#java#util") == 8);
    // the name of the package's own share is taken by another package
    CHECK(read(trace, 0, MC_METRIC_OBJECTS, "Heap#java#util#util") == 3);
    CHECK(read(trace, 0, MC_METRIC_OBJECTS, "Heap#java#util#util (own)") == 5);
    CHECK(read(trace, 0, MC_METRIC_OBJECTS, "Heap#java#java") == 3);
    CHECK(read(trace, 0, MC_METRIC_OBJECTS, "Heap#Heap") == 5);
    // what does not add up is known of the same leaves
    mc_metric retained = mc_trace_find_metric(trace, "retained");
    CHECK(read(trace, 0, retained, "Heap") == 100 + ROOT);
    CHECK(read(trace, 0, retained, "Heap#java#util") == 100 + UTIL);
    CHECK(read(trace, 1, retained, "Heap#java#awt") == 200 + AWT_LIST);
    mc_trace_destroy(trace);
    trace = regroup(base, "type,package");
    CHECK(read(trace, 0, MC_METRIC_OBJECTS, "Heap#java.util.List#java#util") == 5);
    CHECK(read(trace, 0, retained, "Heap#java.util.List#java#util") == 100 + UTIL_LIST);
    mc_trace_destroy(trace);
}

// ---- sums

static mc_trace *make_flat(void) {
    mc_trace_builder *builder;
    mc_trace *trace;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    mc_step_tree_reset(&tree);
    test_add_node(&tree, MC_NONE, "Heap", MC_COUNT_MAX);
    static const char *const sites[] = {"s", "t", "t"}, *const threads[] = {"a", "a", "b"};
    static const uint64_t counts[] = {MC_COUNT_MAX - 3, 1, 2};
    uint32_t site[2] = {add(0, "Allocation Site", "s", MC_COUNT_MAX - 3),
                        add(0, "Allocation Site", "t", 3)};
    for (size_t i = 0; i < 3; i++)
        add(site[sites[i][0] == 't'], "Thread", threads[i], counts[i]);
    for (size_t i = 0; i < tree.node_count; i++)
        tree.nodes[i].bytes = tree.nodes[i].objects;
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    return trace;
}

static void check_sums(void) {
    mc_trace *base = make_flat();
    mc_trace *trace = regroup(base, "thread");
    CHECK(read(trace, 0, MC_METRIC_OBJECTS, "Heap#a") == MC_COUNT_MAX - 2);
    CHECK(read(trace, 0, MC_METRIC_BYTES, "Heap#b") == 2);
    mc_trace_destroy(trace);
    trace = regroup(base, "allocation-site");
    CHECK(read(trace, 0, MC_METRIC_OBJECTS, "Heap#t") == 3);
    mc_trace_regroup_own_base(trace, base);
    mc_trace_destroy(trace);
}

static void check_referrers(const mc_trace *base) {
    mc_trace *trace = regroup(base, "package");
    mc_field_rows fields = {0};
    mc_root_rows roots = {0};
    mc_reference_rows pairs = {0};
    REQUIRE(mc_trace_read_fields(trace, 1, &fields, NULL) == MC_OK);
    REQUIRE(fields.count == 3);
    for (uint32_t i = 0; i < 3; i++)
        CHECK(fields.items[i].to == find(trace, "Heap#Heap"));
    REQUIRE(mc_trace_read_roots(trace, 1, &roots, NULL) == MC_OK);
    CHECK(roots.count == 2 && roots.items[0].count + roots.items[1].count == 7);
    REQUIRE(mc_trace_read_references(trace, 1, &pairs, NULL) == MC_OK);
    CHECK(pairs.count == 3 &&
          pairs.items[0].points_to + pairs.items[1].points_to + pairs.items[2].points_to == 7);
    mc_reference_rows_deinit(&pairs);
    mc_field_rows_deinit(&fields);
    mc_root_rows_deinit(&roots);
    mc_trace_destroy(trace);
}

// ---- what stands for what

static uint32_t translate(const mc_trace *from, const char *key, const mc_trace *to) {
    uint32_t found;
    REQUIRE(mc_trace_regroup_translate(from, find(from, key), to, &found, NULL) == MC_OK);
    return found;
}

static void check_translation(const mc_trace *base) {
    mc_trace *types = regroup(base, "type"), *packages = regroup(base, "package");
    uint32_t *map;
    CHECK(translate(base, "Heap#java#util#List", types) == find(types, "Heap#java.util.List"));
    CHECK(translate(types, "Heap#java.util.List", base) == find(base, "Heap#java#util#List"));
    CHECK(translate(base, "Heap#java#util", packages) == find(packages, "Heap#java#util"));
    CHECK(translate(types, "Heap#java.awt.List", packages) == find(packages, "Heap#java#awt"));
    CHECK(translate(base, "Heap#java", types) == MC_NONE);
    CHECK(translate(base, "Heap", types) == 0);
    REQUIRE(mc_trace_regroup_map(types, packages, &map, NULL) == MC_OK);
    CHECK(map[find(types, "Heap#java.awt.List")] == find(packages, "Heap#java#awt"));
    CHECK(map[0] == 0);
    mc_free(map);
    REQUIRE(mc_trace_regroup_map_on(types, types, NULL, &map, NULL) == MC_OK);
    for (uint32_t i = 0; i < mc_trace_get_nodes(types)->count; i++)
        CHECK(map[i] == i);
    mc_free(map);
    mc_trace_destroy(types);
    mc_trace_destroy(packages);
}

// ---- a trace that goes on

// One step: nothing but the root, or the groups of `keys`, each below the one before.
static mc_trace *make_way(const char *const *keys, uint32_t count) {
    static const char *const roles[] = {"Package", "Type"};
    mc_trace_builder *builder;
    mc_trace *trace;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    mc_step_tree_reset(&tree);
    for (size_t i = 0; i < 2; i++)
        REQUIRE(mc_strings_intern(&tree.roles, roles[i], strlen(roles[i])) == i);
    uint32_t node = test_add_node(&tree, MC_NONE, "Heap", count > 0);
    for (uint32_t i = 0; i < count; i++)
        node = add(node, i == 0 ? "Package" : "Type", keys[i], 1);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", &error) == MC_OK);
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    return trace;
}

// Of ways, nodes of the shorter one have the same numbers in the longer one.
static uint32_t *map_on(const mc_trace *before, const mc_trace *after) {
    static const uint32_t base_map[] = {0, 1, 2, 3};
    uint32_t *map = NULL;
    REQUIRE(mc_trace_regroup_map_on(before, after, base_map, &map, &error) == MC_OK);
    return map;
}

// The whole is the whole, also if it was all there was; what was a leaf may have groups by now.
static void check_going_on(void) {
    static const char *const keys[] = {"java", "List", "Node"};
    mc_trace *bases[4], *traces[4];
    for (uint32_t i = 0; i < 4; i++) {
        bases[i] = make_way(keys, i);
        traces[i] = regroup(bases[i], "type,package");
    }
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t *map = map_on(traces[i], traces[3]);
        CHECK_MSG(map[0] == 0, "%u", map[0]);
        mc_free(map);
    }
    uint32_t *map = map_on(traces[2], traces[3]); // the type has a type in it, and is around that
    CHECK(map[1] != MC_NONE && mc_trace_get_nodes(traces[3])->level[map[1]] == 1);
    mc_free(map);
    map = map_on(traces[1], traces[3]); // what was by no type is by one
    CHECK(map[1] == MC_NONE);
    mc_free(map);
    for (uint32_t i = 0; i < 4; i++) {
        mc_trace_destroy(traces[i]);
        mc_trace_destroy(bases[i]);
    }
}

// ---- lists

static void check_lists(const mc_trace *base) {
    mc_regrouping grouping;
    mc_text text = {0};
    CHECK(mc_regrouping_parse(base, "TYPE,Package", &grouping, &error) == MC_OK);
    mc_regrouping_append(base, &grouping, &text);
    CHECK(strcmp(text.data, "type,package") == 0);
    CHECK(!mc_regrouping_is_own(base, &grouping));
    CHECK(mc_regrouping_parse(base, "package,type", &grouping, &error) == MC_OK);
    CHECK(mc_regrouping_is_own(base, &grouping));
    static const char *const wrong[] = {"", "typ", "type,", ",type", "type,type", "type package"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_MSG(mc_regrouping_parse(base, wrong[i], &grouping, &error) == MC_ERROR_BAD_DATA,
                  "\"%s\"", wrong[i]);
    mc_text_deinit(&text);
}

// ---- hostile trees

// Two classifiers in turns: grouped by the second first, each leaf would have its own long way.
static void check_depth(void) {
    mc_trace_builder *builder;
    mc_trace *base, *trace;
    mc_regrouping grouping;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    mc_step_tree_reset(&tree);
    uint32_t node = test_add_node(&tree, MC_NONE, "r", 20000);
    for (uint32_t i = 0; i < 20000; i++) {
        char key[16];
        (void)snprintf(key, sizeof key, "%u", i);
        if (i % 4 == 0) add(node, "A", "leaf", 1);
        node = add(node, i % 2 ? "A" : "B", key, 20000 - i);
    }
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", &error) == MC_OK);
    REQUIRE(mc_trace_builder_finish(builder, &base, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    REQUIRE(mc_regrouping_parse(base, "b,a", &grouping, NULL) == MC_OK);
    CHECK(mc_trace_regroup(base, &grouping, NULL, &trace, &error) == MC_ERROR_UNSUPPORTED);
    CHECK(!trace);
    // What is outermost has no way of its own.
    REQUIRE(mc_regrouping_parse(base, "b", &grouping, NULL) == MC_OK);
    CHECK(mc_trace_regroup(base, &grouping, NULL, &trace, &error) == MC_OK);
    mc_trace_destroy(trace);
    mc_trace_destroy(base);
}

static void check_memory(const mc_trace *base) {
    mc_regrouping grouping;
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    REQUIRE(mc_regrouping_parse(base, "type,package", &grouping, NULL) == MC_OK);
    for (uint64_t n = 0; result != MC_OK; n++) {
        mc_trace *trace = NULL;
        mc_reference_rows pairs = {0};
        uint64_t values[64];
        mc_memory_fail_after(n);
        result = mc_trace_regroup(base, &grouping, NULL, &trace, &error);
        if (result == MC_OK) result = mc_trace_read_column(trace, 0, 1, values, &error);
        if (result == MC_OK) result = mc_trace_read_references(trace, 0, &pairs, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
        mc_reference_rows_deinit(&pairs);
        mc_trace_destroy(trace);
    }
}

int main(void) {
    mc_trace *base = make_base();
    check_types(base);
    check_packages(base);
    check_sums();
    check_referrers(base);
    check_translation(base);
    check_lists(base);
    check_going_on();
    check_memory(base);
    check_depth();
    mc_trace_destroy(base);
    mc_step_tree_deinit(&tree);
    return test_finish();
}
