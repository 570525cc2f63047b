// From which root a leaf is held: small heaps in which one way is what a reader of the program
// would say, and others are there as well.
#include "engine/analyze/root_way.h"
#include "engine/base/memory.h"
#include "tests/trace_maker.h"

enum { THING, ARRAY, LIST, OWNER, LIBRARY_OWNER, CLASS, LEAF_COUNT };
static const char *const keys[][2] = {
    {"app", "Thing"}, {"java.lang", "Object[]"}, {"java.util", "ArrayList"},
    {"app", "Owner"}, {"sun.misc", "Owner"},     {"java.lang", "Class"},
};

typedef struct test_field {
    uint32_t from, to;
    const char *name;
    bool is_weak;
    uint64_t counts[2]; // at the two steps
} test_field;

typedef struct test_root {
    uint32_t node;
    mc_root_kind kind;
    const char *name;
    uint64_t counts[2];
} test_root;

static mc_step_holders holders;

static uint32_t add_name(const char *name) {
    if (!name) return MC_NONE;
    uint32_t index = mc_strings_intern(&holders.names, name, strlen(name));
    REQUIRE(index != MC_NONE);
    return index;
}

static mc_trace *make(const uint64_t objects[LEAF_COUNT][2], const test_field *fields,
                      uint32_t field_count, const test_root *roots, uint32_t root_count) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < 2; step++) {
        uint32_t nodes[LEAF_COUNT];
        mc_step_tree_reset(&tree);
        mc_step_holders_reset(&holders);
        tree.time_ms = holders.time_ms = (int64_t)step * 1000;
        uint32_t root = test_add_node(&tree, MC_NONE, "Heap", 0);
        for (uint32_t i = 0; i < LEAF_COUNT; i++) {
            char district[32];
            snprintf(district, sizeof district, "%s", keys[i][0]);
            uint32_t at = MC_NONE;
            for (uint32_t k = 0; k < i; k++)
                if (strcmp(keys[k][0], district) == 0) at = tree.nodes[nodes[k]].parent;
            if (at == MC_NONE) at = test_add_node(&tree, root, district, 0);
            nodes[i] = test_add_node(&tree, at, keys[i][1], objects[i][step]);
            test_add_objects(&tree, at, objects[i][step]);
            test_add_objects(&tree, root, objects[i][step]);
        }
        for (uint32_t i = 0; i < field_count; i++) {
            mc_field_count field = {nodes[fields[i].from], nodes[fields[i].to],
                                    add_name(fields[i].name), fields[i].is_weak,
                                    fields[i].counts[step]};
            if (field.count > 0) REQUIRE(mc_step_holders_add_field(&holders, field));
        }
        for (uint32_t i = 0; i < root_count; i++) {
            mc_root_count one = {nodes[roots[i].node], roots[i].kind, add_name(roots[i].name),
                                 roots[i].counts[step]};
            if (one.count > 0) REQUIRE(mc_step_holders_add_root(&holders, one));
        }
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
        REQUIRE(mc_trace_builder_add_holders(builder, &holders, NULL) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    return trace;
}

static mc_root_way find(const mc_trace *trace) {
    mc_root_finder *finder = NULL;
    mc_root_way way;
    REQUIRE(mc_root_finder_create(trace, mc_step_range_whole(trace), &finder, NULL) == MC_OK);
    REQUIRE(finder);
    mc_root_finder_find(finder, test_find(trace, "Heap#app#Thing"), &way);
    mc_root_finder_destroy(finder);
    return way;
}

static void check(const mc_trace *trace, const mc_root_way *way, mc_root_kind kind,
                  const char *root, const char *const *fields, uint32_t count) {
    REQUIRE(way->is_found);
    const char *name =
        way->root_name != MC_NONE ? mc_trace_get_string(trace, way->root_name, NULL) : "";
    CHECK_MSG(way->root_kind == kind && strcmp(name, root) == 0, "%u: %s", way->root_kind, name);
    CHECK_MSG(way->count == count, "%u hops", way->count);
    for (uint32_t i = 0; i < count && i < way->count; i++) {
        const char *field = mc_trace_get_string(trace, way->hops[i].field, NULL);
        CHECK_MSG(strcmp(field, fields[i]) == 0, "hop %u: %s", i, field);
    }
}

static const uint64_t objects[LEAF_COUNT][2] = {{10, 110}, {300, 300}, {90, 90},
                                                {1, 1},    {1, 1},     {500, 500}};
// Things in the array of a list, which many others have as well.
static const test_field fields[] = {
    {ARRAY, THING, "Object[] elements", false, {8, 108}},
    {OWNER, THING, "Owner.last", false, {1, 1}},
    {LIBRARY_OWNER, THING, "Owner.seen", true, {10, 110}}, // weak: holds nothing
    {LIST, ARRAY, "ArrayList.elementData", false, {90, 90}},
    {LIBRARY_OWNER, ARRAY, "Owner.table", false, {200, 200}},
    {OWNER, LIST, "Owner.things", false, {1, 1}},
    {LIBRARY_OWNER, LIST, "Owner.list", false, {80, 80}},
    {CLASS, LIST, "static Owner.ALL", false, {1, 1}},
};
static const char *const way_to_owner[] = {"Owner.things", "ArrayList.elementData",
                                           "Object[] elements"};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

// The program's own, though most lists are the library's.
static void test_program(void) {
    static const test_root roots[] = {
        {LIST, MC_ROOT_STATIC, "static java.util.Locale.LIST", {1, 1}},
        {ARRAY, MC_ROOT_STATIC, "static sun.misc.Owner.TABLE", {1, 1}},
        {OWNER, MC_ROOT_STACK, "thread \"main\" in app.Owner.main(Owner.java:7)", {1, 1}},
        {LIBRARY_OWNER, MC_ROOT_STATIC, "static sun.misc.Owner.ALL", {1, 1}},
    };
    mc_trace *trace = make(objects, fields, FIELD_COUNT, roots, 4);
    mc_root_way way = find(trace);
    check(trace, &way, MC_ROOT_STACK, roots[2].name, way_to_owner, 3);
    CHECK(way.is_only_one && way.root_rivals == 0);
    // Of the things' holders, the one that grows as they do; of the lists', all others.
    CHECK(way.hops[2].rivals == 1 && way.hops[0].rivals == 2);
    CHECK(way.hops[0].node == test_find(trace, "Heap#app#Owner"));
    mc_trace_destroy(trace);
}

static void test_static(void) {
    static const test_root roots[] = {
        {LIST, MC_ROOT_STATIC, "static app.Shop.THINGS", {1, 1}},
        {LIST, MC_ROOT_STATIC, "static java.util.Locale.LIST", {1, 1}},
        {OWNER, MC_ROOT_STACK, "thread \"main\" in app.Owner.main(Owner.java:7)", {1, 1}},
    };
    mc_trace *trace = make(objects, fields, FIELD_COUNT, roots, 3);
    mc_root_way way = find(trace);
    // A field that stays is likelier than a variable of a method; two fields of the program hold
    // lists, so it is not the only one.
    check(trace, &way, MC_ROOT_STATIC, roots[0].name, way_to_owner + 1, 2);
    CHECK(!way.is_only_one && way.root_rivals == 3);
    mc_trace_destroy(trace);
}

// A root that comes with each thing is a symptom; threads are not told apart.
static void test_last_resort(void) {
    static const test_root growing[] = {
        {THING, MC_ROOT_STATIC, "static app.Thing.SELF", {10, 110}},
        {LIST, MC_ROOT_STATIC, "static app.Shop.THINGS", {1, 1}},
    };
    mc_trace *trace = make(objects, fields, FIELD_COUNT, growing, 2);
    mc_root_way way = find(trace);
    check(trace, &way, MC_ROOT_STATIC, growing[1].name, way_to_owner + 1, 2);
    mc_trace_destroy(trace);
    static const test_root threads[] = {
        {OWNER, MC_ROOT_THREAD, "thread \"a\"", {1, 1}},
        {OWNER, MC_ROOT_THREAD, "thread \"b\"", {1, 1}},
        {LIST, MC_ROOT_STATIC, "static java.util.Locale.LIST", {1, 1}},
    };
    trace = make(objects, fields, FIELD_COUNT, threads, 3);
    way = find(trace);
    check(trace, &way, MC_ROOT_THREAD, "", way_to_owner, 3);
    CHECK(way.root_count == 2);
    mc_trace_destroy(trace);
    // Only the library holds it; nothing does.
    trace = make(objects, fields, FIELD_COUNT, threads + 2, 1);
    way = find(trace);
    check(trace, &way, MC_ROOT_STATIC, threads[2].name, way_to_owner + 1, 2);
    CHECK(!way.is_only_one);
    mc_trace_destroy(trace);
    trace = make(objects, fields, FIELD_COUNT, NULL, 0);
    way = find(trace);
    CHECK(!way.is_found && way.count == 0);
    mc_trace_destroy(trace);
}

static void test_memory(void) {
    static const test_root roots[] = {{LIST, MC_ROOT_STATIC, "static app.Shop.THINGS", {1, 1}}};
    mc_trace *trace = make(objects, fields, FIELD_COUNT, roots, 1);
    uint64_t n = 0;
    for (; n < 1000; n++) {
        mc_root_finder *finder = NULL;
        mc_memory_fail_after(n);
        mc_result result = mc_root_finder_create(trace, mc_step_range_whole(trace), &finder, NULL);
        mc_memory_fail_after(UINT64_MAX);
        CHECK((result == MC_OK) == (finder != NULL));
        mc_root_finder_destroy(finder);
        if (result == MC_OK) break;
    }
    CHECK(n > 8 && n < 1000);
    mc_trace_destroy(trace);
}

int main(void) {
    test_program();
    test_static();
    test_last_resort();
    test_memory();
    mc_step_holders_deinit(&holders);
    return test_finish();
}
