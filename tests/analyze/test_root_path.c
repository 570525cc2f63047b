// From a leaf to the GC root that holds it, in small heaps of which one knows.
#include "engine/analyze/root_path.h"
#include "engine/base/memory.h"
#include "tests/linked_trace.h"

static const test_leaf leaves[] = {
    {"com.acme", "Item", {400, 800}},
    {"com.acme", "Shop", {1, 1}},
    {"com.acme", "Weak", {5, 5}},
    {"java.lang", "Class", {50, 50}},
    {"java.lang", "Object[]", {700, 700}},
    {"java.lang", "Thread", {9, 9}},
    {"java.lang", "ThreadLocal$ThreadLocalMap$Entry", {9, 9}},
    {"java.lang.ref", "SoftReference", {5, 5}},
    {"java.net", "URLClassLoader", {3, 6}},
    {"java.util", "ArrayList", {90, 90}},
    {"org.plugin", "Plugin", {3, 6}},
};
static const test_pair pairs[] = {
    {"Heap#java.lang#Object[]", "Heap#com.acme#Item", {400, 800}, {1, 1}},
    {"Heap#java.lang#Object[]", "Heap#org.plugin#Plugin", {3, 6}, {1, 1}},
    {"Heap#java.util#ArrayList", "Heap#java.lang#Object[]", {90, 90}, {90, 90}},
};
#define ITEMS "Heap#com.acme#Item"
#define ARRAY "Heap#java.lang#Object[]"
#define LIST "Heap#java.util#ArrayList"
#define CLASS "Heap#java.lang#Class"
#define LOADER "Heap#java.net#URLClassLoader"
#define PLUGIN "Heap#org.plugin#Plugin"
static const test_field common[] = {
    {ARRAY, ITEMS, "Object[] elements", false, {400, 800}},
    {LIST, ARRAY, "ArrayList.elementData", false, {90, 90}},
    {"Heap#com.acme#Shop", LIST, "Shop.items", false, {1, 1}},
    {CLASS, LOADER, "Plugin.<loader>", false, {3, 6}},
    {PLUGIN, CLASS, "Plugin.<class>", false, {3, 6}},
    {ARRAY, PLUGIN, "Object[] elements", false, {3, 6}},
    {"Heap#java.lang.ref#SoftReference", "Heap#com.acme#Weak", "Reference.referent", true, {5, 5}},
};

static mc_trace *make_trace(const test_field *fields, uint32_t field_count, const test_root *roots,
                            uint32_t root_count) {
    test_referrers held = {fields, roots, field_count, root_count};
    return test_make_held_trace(leaves, sizeof leaves / sizeof *leaves, pairs,
                                sizeof pairs / sizeof *pairs, &held, 2,
                                WITH_POINTS_TO | WITH_POINTED_FROM);
}

// The hops from the start up, and the root's name.
static mc_root_path find_since(const mc_trace *trace, uint32_t first_step, const char *leaf,
                               bool grows, const char *expected) {
    mc_root_path_finder *finder = NULL;
    mc_root_path_desc desc = {.leaf = test_find(trace, leaf), .grows = grows};
    mc_root_path trail;
    char text[512] = "";
    REQUIRE(mc_root_path_finder_create(trace, 1, first_step, &finder, NULL) == MC_OK);
    REQUIRE(mc_root_path_finder_find(finder, &desc, &trail, NULL) == MC_OK);
    mc_root_path_finder_destroy(finder);
    for (uint32_t i = 0; i < trail.count && trail.is_known; i++) {
        size_t size = strlen(text);
        snprintf(text + size, sizeof text - size, "%s, ",
                 mc_trace_get_string(trace, trail.hops[i].field, NULL));
    }
    size_t size = strlen(text);
    const char *root =
        trail.root_name == MC_NONE ? "?" : mc_trace_get_string(trace, trail.root_name, NULL);
    snprintf(text + size, sizeof text - size, "%s", trail.is_known ? root : "nothing");
    CHECK_MSG(strcmp(text, expected) == 0, "%s: %s", leaf, text);
    return trail;
}

static mc_root_path find(const mc_trace *trace, const char *leaf, bool grows,
                         const char *expected) {
    return find_since(trace, 0, leaf, grows, expected);
}

enum { COMMON_COUNT = sizeof common / sizeof *common };

// Static fields of the program are nearer than those of the library, whatever is shorter.
static void test_static(void) {
    static const test_root roots[] = {
        {ARRAY, MC_ROOT_STATIC, "static java.nio.Charset.cache", {1, 1}},
        {LIST, MC_ROOT_STATIC, "static com.acme.Other.list", {1, 1}},
        {"Heap#com.acme#Shop", MC_ROOT_STATIC, "static com.acme.Shop.instance", {1, 1}},
    };
    mc_trace *trace = make_trace(common, COMMON_COUNT, roots, 3);
    mc_root_path trail = find(
        trace, ITEMS, true, "Object[] elements, ArrayList.elementData, static com.acme.Other.list");
    CHECK(trail.root_kind == MC_ROOT_STATIC && trail.root_is_program && trail.root_count == 1);
    CHECK(trail.means == MC_ROOT_PATH_PLAIN && !trail.hops[0].is_program);
    // The shop's list may be the one as well.
    REQUIRE(trail.other_count == 1);
    CHECK(strcmp(mc_trace_get_string(trace, trail.others[0], NULL), "Shop.items") == 0);
    mc_trace_destroy(trace);
    trace = make_trace(common, COMMON_COUNT, roots, 1);
    find(trace, ITEMS, true, "Object[] elements, static java.nio.Charset.cache");
    mc_trace_destroy(trace);
}

// What grows is held by what grows, up to a referrer that is one.
static void test_growth(void) {
    static const test_field direct[] = {
        {"Heap#com.acme#Shop", ITEMS, "Shop.current", false, {1, 1}},
        {ARRAY, ITEMS, "Object[] elements", false, {400, 800}},
        {LIST, ARRAY, "ArrayList.elementData", false, {90, 90}},
    };
    static const test_root roots[] = {
        {"Heap#com.acme#Shop", MC_ROOT_STATIC, "static com.acme.Shop.instance", {1, 1}},
        {ITEMS, MC_ROOT_STATIC, "static com.acme.Item.NONE", {1, 1}},
        {LIST, MC_ROOT_STACK, "thread \"main\" in com.acme.Main.main(Main.java:3)", {1, 1}},
    };
    mc_trace *trace = make_trace(direct, 3, roots, 3);
    mc_root_path trail = find(trace, ITEMS, true,
                              "Object[] elements, ArrayList.elementData, thread \"main\" in "
                              "com.acme.Main.main(Main.java:3)");
    CHECK(trail.root_kind == MC_ROOT_STACK && trail.root_is_program);
    mc_trace_destroy(trace);
}

// Of one step: four lists hold all items. A queue that is nearer holds two arrays of some list, and
// a local variable one list; four logs have one each.
static void test_all_referrers(void) {
    static const test_leaf few[] = {
        {"com.acme", "Item", {800, 800}},      {"com.acme", "Log", {4, 4}},
        {"java.lang", "Object[]", {700, 700}}, {"java.lang", "Thread", {9, 9}},
        {"java.util", "ArrayDeque", {2, 2}},   {"java.util", "ArrayList", {90, 90}},
    };
    static const test_pair held_by[] = {
        {ARRAY, ITEMS, {800, 800}, {4, 4}},
        {LIST, ARRAY, {90, 90}, {90, 90}},
        {"Heap#java.util#ArrayDeque", ARRAY, {2, 2}, {2, 2}},
        {"Heap#com.acme#Log", LIST, {4, 4}, {4, 4}},
        {"Heap#java.lang#Thread", "Heap#com.acme#Log", {4, 4}, {4, 4}}};
    static const test_field fields[] = {
        {ARRAY, ITEMS, "Object[] elements", false, {800, 800}},
        {LIST, ARRAY, "ArrayList.elementData", false, {90, 90}},
        {"Heap#java.util#ArrayDeque", ARRAY, "ArrayDeque.elements", false, {2, 2}},
        {"Heap#com.acme#Log", LIST, "Log.spans", false, {4, 4}},
        {"Heap#java.lang#Thread", "Heap#com.acme#Log", "Thread.log", false, {4, 4}},
    };
    static const test_root roots[] = {
        {"Heap#java.util#ArrayDeque", MC_ROOT_STATIC, "static com.acme.Main.BOOKS", {1, 1}},
        {"Heap#java.lang#Thread", MC_ROOT_THREAD, "thread \"pool-1\"", {9, 9}},
        {LIST, MC_ROOT_STACK, "thread \"main\" in com.acme.Main.main(Main.java:3)", {1, 1}},
    };
    test_referrers held = {fields, roots, sizeof fields / sizeof *fields,
                           sizeof roots / sizeof *roots};
    mc_trace *trace = test_make_held_trace(few, sizeof few / sizeof *few, held_by,
                                           sizeof held_by / sizeof *held_by, &held, 2,
                                           WITH_POINTS_TO | WITH_POINTED_FROM);
    find_since(trace, 1, ITEMS, false,
               "Object[] elements, ArrayList.elementData, Log.spans, Thread.log, thread "
               "\"pool-1\"");
    mc_trace_destroy(trace);
}

static void test_means(void) {
    static const test_root roots[] = {
        {"Heap#java.lang#Thread", MC_ROOT_THREAD, "thread \"pool-1\"", {1, 1}},
        {CLASS, MC_ROOT_SYSTEM_CLASS, "class java.lang.String", {40, 40}},
        {"Heap#java.lang.ref#SoftReference", MC_ROOT_STATIC, "static com.acme.Weak.all", {5, 5}},
        {PLUGIN, MC_ROOT_STATIC, "static org.plugin.Plugin.instance", {3, 6}},
        {LIST, MC_ROOT_STATIC, "static com.acme.Host.hooks", {1, 1}},
    };
    static const test_field local[] = {
        {"Heap#java.lang#ThreadLocal$ThreadLocalMap$Entry",
         ITEMS,
         "ThreadLocal$ThreadLocalMap$Entry.value",
         false,
         {400, 800}},
        {"Heap#java.lang#Thread",
         "Heap#java.lang#ThreadLocal$ThreadLocalMap$Entry",
         "Thread.threadLocals",
         false,
         {9, 9}},
    };
    mc_trace *trace = make_trace(local, 2, roots, 1);
    mc_root_path trail = find(trace, ITEMS, false,
                              "ThreadLocal$ThreadLocalMap$Entry.value, Thread.threadLocals, thread "
                              "\"pool-1\"");
    CHECK(trail.means == MC_ROOT_PATH_THREAD_LOCAL && trail.root_kind == MC_ROOT_THREAD);
    mc_trace_destroy(trace);
    // A loader is not held by static fields of what it has loaded, but by who holds the objects.
    trace = make_trace(common, COMMON_COUNT, roots, 5);
    trail = find(trace, LOADER, true,
                 "Plugin.<loader>, Plugin.<class>, Object[] elements, ArrayList.elementData, "
                 "static com.acme.Host.hooks");
    CHECK(trail.means == MC_ROOT_PATH_LOADER);
    trail =
        find(trace, "Heap#com.acme#Weak", false, "Reference.referent, static com.acme.Weak.all");
    CHECK(trail.means == MC_ROOT_PATH_SOFT);
    find(trace, CLASS, false, "class java.lang.String");
    mc_trace_destroy(trace);
}

static void test_unknown(void) {
    mc_trace *trace = make_trace(common, COMMON_COUNT, NULL, 0);
    find(trace, ITEMS, true, "nothing");
    mc_trace_destroy(trace);
    trace =
        test_make_linked_trace(leaves, sizeof leaves / sizeof *leaves, pairs, 1, 2, WITH_POINTS_TO);
    find(trace, ITEMS, true, "nothing");
    mc_trace_destroy(trace);
}

static void test_out_of_memory(void) {
    static const test_root roots[] = {{LIST, MC_ROOT_STATIC, "static com.acme.A.a", {1, 1}}};
    mc_trace *trace = make_trace(common, COMMON_COUNT, roots, 1);
    for (uint64_t n = 0;; n++) {
        mc_root_path_finder *finder = NULL;
        mc_root_path_desc desc = {.leaf = test_find(trace, ITEMS), .grows = true};
        mc_root_path trail;
        mc_error error = {0};
        mc_memory_fail_after(n);
        mc_result result = mc_root_path_finder_create(trace, 1, 0, &finder, &error);
        if (result == MC_OK) result = mc_root_path_finder_find(finder, &desc, &trail, &error);
        mc_memory_fail_after(UINT64_MAX);
        mc_root_path_finder_destroy(finder);
        if (result == MC_OK) break;
        REQUIRE(result == MC_ERROR_OUT_OF_MEMORY && n < 1000);
    }
    mc_trace_destroy(trace);
}

int main(void) {
    test_static();
    test_growth();
    test_all_referrers();
    test_means();
    test_unknown();
    test_out_of_memory();
    return test_finish();
}
