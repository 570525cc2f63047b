// Retaining paths as streets: from place to place, and from the roots that begin them.
#include "engine/analyze/streets.h"
#include "engine/base/memory.h"
#include "tests/trace_maker.h"

enum { HEAP, LANG, CLASS, THREAD, UTIL, MAP, NODE, ACME, ITEM };

static mc_step_paths paths;

static uint32_t add_path(uint32_t parent, const char *field, const char *class, uint32_t place) {
    uint32_t name = field ? mc_strings_intern(&paths.names, field, strlen(field)) : MC_NONE;
    mc_retaining_path path = {parent, name, mc_strings_intern(&paths.names, class, strlen(class)),
                              place};
    REQUIRE(mc_step_paths_add(&paths, path));
    return (uint32_t)paths.path_count - 1;
}

static void add_sum(uint32_t path, uint64_t objects, uint64_t bytes) {
    mc_path_sum sum = {.node = ITEM, .path = path, .objects = objects, .bytes = bytes};
    REQUIRE(mc_step_paths_add_sum(&paths, sum));
}

// A class that is a root holds another one, whose static field holds a map of items; a second
// static field holds one more, and a thread two, by something whose place is not known.
static void fill_paths(void) {
    uint32_t main = add_path(MC_NONE, NULL, "class a.Main", CLASS);
    uint32_t shop = add_path(main, "static Main.app", "class a.Shop", CLASS);
    uint32_t map = add_path(shop, "static Shop.map", "Map", MAP);
    uint32_t node = add_path(map, "Map.table", "Node", NODE);
    uint32_t item = add_path(node, "Node.value", "a.Item", ITEM);
    uint32_t other = add_path(main, "static Main.last", "a.Item", ITEM);
    uint32_t thread = add_path(MC_NONE, NULL, "Thread", THREAD);
    uint32_t locals = add_path(thread, "Thread.locals", "Locals", MC_NONE);
    uint32_t value = add_path(locals, "Locals.value", "a.Item", ITEM);
    add_sum(MC_NONE, 0, 0);
    add_sum(main, 0, 0);
    add_sum(shop, 0, 0);
    add_sum(map, 0, 0);
    add_sum(node, 0, 0);
    add_sum(item, 50, 5000);
    add_sum(other, 1, 10);
    add_sum(thread, 0, 0);
    add_sum(locals, 0, 0);
    add_sum(value, 2, 100);
}

static void add_root(mc_step_referrers *referrers, uint32_t node, mc_root_kind kind,
                     const char *name, uint64_t count) {
    mc_root_count root = {node, kind, mc_strings_intern(&referrers->names, name, strlen(name)),
                          count};
    REQUIRE(mc_step_referrers_add_root(referrers, root));
}

static mc_trace *make_trace(bool names_last) {
    mc_step_tree tree = {0};
    mc_step_referrers referrers = {0};
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree_reset(&tree);
    test_add_node(&tree, MC_NONE, "Heap", 100);
    test_add_node(&tree, HEAP, "java.lang", 20);
    test_add_node(&tree, LANG, "Class", 10);
    test_add_node(&tree, LANG, "Thread", 10);
    test_add_node(&tree, HEAP, "java.util", 27);
    test_add_node(&tree, UTIL, "Map", 1);
    test_add_node(&tree, UTIL, "Node", 26);
    test_add_node(&tree, HEAP, "a", 53);
    test_add_node(&tree, ACME, "Item", 53);
    mc_step_paths_reset(&paths);
    fill_paths();
    add_root(&referrers, CLASS, MC_ROOT_SYSTEM_CLASS, "class a.Main", 1);
    add_root(&referrers, CLASS, MC_ROOT_STATIC, "static a.Main.app", 1);
    add_root(&referrers, MAP, MC_ROOT_STATIC, "static a.Shop.map", 1);
    if (names_last) add_root(&referrers, ITEM, MC_ROOT_STATIC, "static a.Main.last", 1);
    add_root(&referrers, THREAD, MC_ROOT_THREAD, "thread \"main\"", 1);
    add_root(&referrers, THREAD, MC_ROOT_THREAD, "thread \"pool\"", 2);
    add_root(&referrers, THREAD, MC_ROOT_STACK, "thread \"main\" in a.Main.main", 5);
    add_root(&referrers, THREAD, MC_ROOT_JNI_GLOBAL, "JNI global", 1);
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
    REQUIRE(mc_trace_builder_add_referrers(builder, &referrers, NULL) == MC_OK);
    REQUIRE(mc_trace_builder_add_paths(builder, &paths, NULL) == MC_OK);
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    mc_step_referrers_deinit(&referrers);
    return trace;
}

// "Class > Map 5000, …", the strongest first; what begins at a root begins with its name.
static void check(const mc_trace *trace, bool has_roots, const char *expected) {
    mc_retaining_tree tree = {0};
    mc_root_groups roots = {.count = 0};
    mc_street *streets;
    uint32_t count, item = test_find(trace, "Heap#a#Item");
    mc_text text = {0};
    REQUIRE(mc_retaining_tree_find(trace, item, 0, MC_NONE, &tree, NULL) == MC_OK);
    if (has_roots) REQUIRE(mc_root_groups_find(trace, 0, &roots, NULL) == MC_OK);
    REQUIRE(mc_streets_find(trace, &tree, &roots, &streets, &count, NULL) == MC_OK);
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    for (uint32_t i = 0; i < count; i++) {
        const mc_street *street = &streets[i];
        CHECK((street->from == MC_NONE) == (street->root != MC_NONE));
        uint32_t from =
            street->root != MC_NONE ? roots.items[street->root].name : nodes->key[street->from];
        mc_text_format(&text, "%s%s > %s %llu", i > 0 ? ", " : "",
                       mc_trace_get_string(trace, from, NULL),
                       mc_trace_get_string(trace, nodes->key[street->to], NULL),
                       (unsigned long long)street->bytes);
    }
    CHECK_MSG(strcmp(text.data, expected) == 0, "%s", text.data);
    mc_text_deinit(&text);
    mc_free(streets);
    mc_root_groups_deinit(&roots);
    mc_retaining_tree_deinit(&tree);
}

int main(void) {
    mc_trace *trace = make_trace(true);
    check(trace, false,
          "Class > Map 5000, Map > Node 5000, Node > Item 5000, Thread > Item 100, "
          "Class > Item 10");
    // All that the class holds, it holds by static fields. A stack is no root where others are.
    check(trace, true,
          "Map > Node 5000, Node > Item 5000, static a.Shop.map > Map 5000, Thread > Item 100, "
          "JNI global > Thread 100, static a.Main.last > Item 10");
    mc_trace_destroy(trace);
    // A field that is no root by its name is as any other.
    trace = make_trace(false);
    check(trace, true,
          "Map > Node 5000, Node > Item 5000, static a.Shop.map > Map 5000, Thread > Item 100, "
          "JNI global > Thread 100, Class > Item 10, class a.Main > Class 10");
    mc_trace_destroy(trace);
    mc_step_paths_deinit(&paths);
    return test_finish();
}
