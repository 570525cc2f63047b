// Names of classes as JVMs write them, and the groups that come of them.
#include "engine/base/memory.h"
#include "engine/import/jvm/grouping.h"
#include "tests/test.h"

static mc_error error;

static void check_name(const char *given, const char *expected, size_t package, bool primitive) {
    mc_text text = {0};
    size_t package_size;
    bool is_primitive;
    mc_class_name_append(&text, given, strlen(given), &package_size, &is_primitive);
    CHECK_MSG(strcmp(text.data, expected) == 0, "%s: %s", given, text.data);
    CHECK_MSG(package_size == package, "%s: %zu", given, package_size);
    CHECK(is_primitive == primitive);
    mc_text_deinit(&text);
}

static void test_names(void) {
    check_name("java.lang.String", "java.lang.String", 9, false);
    check_name("java/lang/String", "java.lang.String", 9, false);
    check_name("[Ljava.lang.String;", "java.lang.String[]", 9, false);
    check_name("[[Ljava/util/HashMap$Node;", "java.util.HashMap$Node[][]", 9, false);
    check_name("[B", "byte[]", 0, true);
    check_name("[[[J", "long[][][]", 0, true);
    check_name("B", "B", 0, false);
    check_name("Load$Node", "Load$Node", 0, false);
    check_name("[LLoad;", "Load[]", 0, false);
    check_name("a.B$$Lambda$1/0x00007f7218000a08", "a.B$$Lambda$1/0x00007f7218000a08", 1, false);
    check_name("a/B$$Lambda$1+0x00007f7218000a08", "a.B$$Lambda$1/0x00007f7218000a08", 1, false);
    check_name("a.B$$Lambda$1/245565335", "a.B$$Lambda$1/245565335", 1, false);
    check_name("[La/B$$Lambda+0x1f;", "a.B$$Lambda/0x1f[]", 1, false);
    check_name("a/1b/C", "a.1b.C", 4, false); // an obfuscator's
    check_name("a.Test$two words$1", "a.Test$two words$1", 1, false);
    check_name(".", ".", 0, false);
    check_name("[", "[]", 0, false);
    check_name("a\xff.B", "a\xef\xbf\xbd.B", 4, false);
}

static void test_criteria(void) {
    mc_grouping grouping;
    REQUIRE(mc_grouping_parse(NULL, &grouping, &error) == MC_OK);
    CHECK(grouping.count == 2 && grouping.criteria[0] == MC_GROUP_PACKAGE &&
          grouping.criteria[1] == MC_GROUP_TYPE);
    REQUIRE(mc_grouping_parse("module,loader,type", &grouping, &error) == MC_OK);
    CHECK(grouping.count == 3 && mc_grouping_has(&grouping, MC_GROUP_LOADER));
    CHECK(!mc_grouping_has(&grouping, MC_GROUP_PACKAGE));
    static const char *const wrong[] = {"", "type,", ",type", "type,type", "Types", "type package"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_MSG(mc_grouping_parse(wrong[i], &grouping, &error) == MC_ERROR_BAD_DATA, "%s",
                  wrong[i]);
}

static void check_key(const char *criteria, mc_class_place place, const char *expected) {
    mc_grouping grouping;
    mc_heap_groups *groups;
    mc_text text = {0};
    REQUIRE(mc_grouping_parse(criteria, &grouping, &error) == MC_OK);
    REQUIRE(mc_class_groups_create(&grouping, &groups, &error) == MC_OK);
    if (place.name) place.name_size = strlen(place.name);
    if (place.loader) place.loader_size = strlen(place.loader);
    if (place.module) place.module_size = strlen(place.module);
    uint32_t leaf = mc_class_groups_find(groups, &grouping, &place);
    REQUIRE(leaf == 0 && mc_heap_groups_get_count(groups) == 1);
    CHECK(mc_class_groups_find(groups, &grouping, &place) == leaf);
    mc_heap_groups_append_key(groups, mc_heap_groups_get_group(groups, leaf), &text);
    CHECK_MSG(strcmp(text.data, expected) == 0, "%s", text.data);
    mc_text_deinit(&text);
    mc_heap_groups_destroy(groups);
}

static void test_keys(void) {
    mc_class_place string = {.name = "[Ljava/lang/String;", .module = "java.base@17.0.15"};
    mc_class_place plain = {.name = "Load", .loader = "app"};
    check_key("package,type", string, "Heap#java.lang#String[]");
    check_key("type", string, "Heap#java.lang.String[]");
    check_key("type,package", string, "Heap#java.lang.String[]#java.lang");
    check_key("module,package", string, "Heap#java.base#java.lang");
    check_key("loader,module,package,type", plain, "Heap#app#(unknown)#(default)#Load");
    check_key("package,type", (mc_class_place){.name = "[[I"}, "Heap#(primitive)#int[][]");
    check_key("package,type", (mc_class_place){.name = NULL}, "Heap#(unknown)#(unknown)");
}

// The structure's key among those of the class, wherever it is asked for.
static void check_within(const char *criteria, const char *others, const char *expected) {
    mc_grouping grouping, rest;
    mc_heap_groups *groups, *base;
    mc_text text = {0};
    mc_class_place place = {.name = "java/util/Date", .name_size = 14};
    REQUIRE(mc_grouping_parse(criteria, &grouping, &error) == MC_OK);
    rest = mc_grouping_without(&grouping, MC_GROUP_STRUCTURE);
    CHECK(!mc_grouping_has(&rest, MC_GROUP_STRUCTURE) && rest.count + 1 == grouping.count);
    REQUIRE(mc_class_groups_create(&rest, &base, &error) == MC_OK);
    REQUIRE(mc_class_groups_create(&grouping, &groups, &error) == MC_OK);
    uint32_t leaf = mc_class_groups_find(base, &rest, &place);
    uint32_t within = mc_heap_groups_find_within(groups, base, leaf,
                                                 mc_grouping_find(&grouping, MC_GROUP_STRUCTURE),
                                                 (mc_heap_key){"HashMap in A.b", 14});
    CHECK(within == 0 && mc_heap_groups_get_count(groups) == 1);
    mc_heap_groups_append_key(base, mc_heap_groups_get_group(base, leaf), &text);
    CHECK_MSG(strcmp(text.data, others) == 0, "%s", text.data);
    mc_text_clear(&text);
    mc_heap_groups_append_key(groups, mc_heap_groups_get_group(groups, within), &text);
    CHECK_MSG(strcmp(text.data, expected) == 0, "%s", text.data);
    mc_text_deinit(&text);
    mc_heap_groups_destroy(groups);
    mc_heap_groups_destroy(base);
}

static void test_structures(void) {
    check_within("datastructure", "Heap", "Heap#HashMap in A.b");
    check_within("datastructure,type", "Heap#java.util.Date", "Heap#HashMap in A.b#java.util.Date");
    check_within("package,datastructure,type", "Heap#java.util#Date",
                 "Heap#java.util#HashMap in A.b#Date");
    check_within("package,type,datastructure", "Heap#java.util#Date",
                 "Heap#java.util#Date#HashMap in A.b");
    check_key("datastructure,type", (mc_class_place){.name = "A"}, "Heap#(unknown)#A");
}

static mc_result fill(mc_heap_groups **groups, mc_step_tree *tree) {
    static const char *const names[] = {"a.A", "b.B", "a.C", "a/A"};
    mc_grouping grouping;
    uint64_t objects[3] = {0}, bytes[3] = {0};
    mc_result result = mc_grouping_parse("package,type", &grouping, &error);
    if (result == MC_OK) result = mc_class_groups_create(&grouping, groups, &error);
    for (uint64_t i = 0; i < 4 && result == MC_OK; i++) {
        mc_class_place place = {.name = names[i], .name_size = strlen(names[i])};
        uint32_t leaf = mc_class_groups_find(*groups, &grouping, &place);
        if (leaf == MC_NONE) return MC_ERROR_OUT_OF_MEMORY;
        if (i != 1) objects[leaf] += i + 1, bytes[leaf] += 8 * (i + 1);
    }
    if (result == MC_OK)
        result = mc_heap_groups_fill_tree(*groups, objects, bytes, NULL, tree, NULL, &error);
    return result;
}

// a: A 1 + 4, C 3; b has nothing and is not there.
static void test_tree(void) {
    for (uint64_t n = 0;; n++) {
        mc_heap_groups *groups = NULL;
        mc_step_tree tree = {0};
        mc_memory_fail_after(n);
        mc_result result = fill(&groups, &tree);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
        if (result == MC_OK) {
            CHECK(tree.node_count == 4 && tree.roles.count == 2);
            CHECK(tree.nodes[0].objects == 8 && tree.nodes[0].bytes == 64);
            CHECK(tree.nodes[1].objects == 8 && tree.nodes[2].objects == 5);
            CHECK(tree.nodes[3].parent == 1 && tree.nodes[3].role == 1);
        }
        mc_step_tree_deinit(&tree);
        mc_heap_groups_destroy(groups);
        if (result == MC_OK) break;
    }
}

static void test_too_much(void) {
    mc_grouping grouping;
    mc_heap_groups *groups;
    mc_step_tree tree = {0};
    uint64_t counts[2] = {MC_COUNT_MAX, 1};
    REQUIRE(mc_grouping_parse("type", &grouping, &error) == MC_OK);
    REQUIRE(mc_class_groups_create(&grouping, &groups, &error) == MC_OK);
    mc_class_groups_find(groups, &grouping, &(mc_class_place){.name = "A", .name_size = 1});
    mc_class_groups_find(groups, &grouping, &(mc_class_place){.name = "B", .name_size = 1});
    CHECK(mc_heap_groups_fill_tree(groups, counts, counts, NULL, &tree, NULL, &error) ==
          MC_ERROR_BAD_DATA);
    mc_step_tree_deinit(&tree);
    mc_heap_groups_destroy(groups);
}

int main(void) {
    test_names();
    test_criteria();
    test_keys();
    test_structures();
    test_tree();
    test_too_much();
    return test_finish();
}
