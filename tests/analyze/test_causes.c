// What makes small heaps grow, of which the causes are known: which suspects are one cause, their
// order, since when, how fast; and why other groups are none.
#include "engine/analyze/cause_finder.h"
#include "engine/analyze/suspect_reason.h"
#include "engine/base/memory.h"
#include "tests/linked_trace.h"

#define BOTH (WITH_POINTS_TO | WITH_POINTED_FROM)
#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))
enum { STEP_COUNT = 8 }; // of traces with references

static mc_causes find(const mc_trace *trace, mc_metric metric) {
    mc_causes causes = {0};
    mc_causes_desc desc = {.metric = metric, .window = mc_step_range_whole(trace)};
    REQUIRE(mc_causes_find(trace, &desc, NULL, &causes, NULL) == MC_OK);
    return causes;
}

static bool explains(const mc_cause *cause, uint32_t node, double share) {
    for (uint32_t i = 0; i < cause->explained_count; i++)
        if (cause->explained[i].node == node) return fabs(cause->explained[i].share - share) < 0.01;
    return false;
}

// A map whose nodes hold keys and values, values with texts; and a list of reports in another
// place. All of them grow by the same number at each step, but for the texts.
#define UP(n) \
    { n, 2 * (n), 3 * (n), 4 * (n), 5 * (n), 6 * (n), 7 * (n), 8 * (n) }
#define STAYS(n) \
    { n, n, n, n, n, n, n, n }
#define LIBRARY "Heap#java.util#"
#define SHOP "Heap#shop#"

static const test_leaf map_leaves[] = {
    {"java.util", "Arrays$Text", UP(200)}, // of values 100 each step, of reports as many
    {"java.util", "Chain$Node", UP(110)},
    {"java.util", "Map", STAYS(1)},
    {"java.util", "Map$Node", UP(60)},
    {"shop", "Key", UP(50)},
    {"shop", "Report", UP(100)},
    {"shop", "Shop", STAYS(1)},
    {"shop", "Value", UP(50)},
};
static const test_pair map_pairs[] = {
    {SHOP "Value", LIBRARY "Arrays$Text", UP(80), UP(50)},
    {SHOP "Report", LIBRARY "Arrays$Text", UP(120), UP(100)},
    {LIBRARY "Map$Node", SHOP "Key", UP(50), UP(50)},
    {LIBRARY "Map$Node", SHOP "Value", UP(50), UP(50)},
    {LIBRARY "Map", LIBRARY "Map$Node", UP(60), STAYS(1)},
    {LIBRARY "Chain$Node", SHOP "Report", UP(100), UP(100)},
    {SHOP "Shop", LIBRARY "Map", STAYS(1), STAYS(1)},
};

static void test_together(void) {
    mc_trace *trace = test_make_linked_trace(map_leaves, COUNT(map_leaves), map_pairs,
                                             COUNT(map_pairs), STEP_COUNT, BOTH);
    mc_causes causes = find(trace, MC_METRIC_OBJECTS);
    uint32_t report = test_find(trace, SHOP "Report"), value = test_find(trace, SHOP "Value");
    uint32_t key = test_find(trace, SHOP "Key"), text = test_find(trace, LIBRARY "Arrays$Text");
    CHECK(causes.suspects.verdict == MC_HEAP_GROWS && causes.unit == MC_METRIC_BYTES);
    REQUIRE(causes.count == 2);
    // Reports hold the most: their chain, and the texts by the share that is theirs.
    const mc_cause *first = &causes.items[0], *second = &causes.items[1];
    CHECK(first->node == report && first->growth_objects == 700 && first->own_growth == 700 * 8);
    CHECK(explains(first, text, 0.6));
    // Keys and values hang on the same nodes, so they are one cause.
    CHECK(second->node == value || second->node == key);
    CHECK(explains(second, second->node == key ? value : key, 1));
    CHECK(explains(second, test_find(trace, LIBRARY "Map$Node"), 50.0 / 60));
    CHECK(mc_causes_get(&causes, key) == second && mc_causes_get(&causes, text) == first);
    CHECK(!mc_causes_get(&causes, test_find(trace, SHOP "Shop")));
    CHECK(mc_causes_find_below(&causes, trace, test_find(trace, "Heap#shop")) == first);
    CHECK(causes.left_out_count == 0 && first->retained_bytes == MC_COUNT_UNKNOWN);
    // 8 bytes an object, a step a second.
    CHECK_MSG(fabs(first->growth_per_s - (double)first->growth / 7) < 1, "%g", first->growth_per_s);
    CHECK(!first->change.is_found && first->since_step == 0);
    double left = mc_causes_get_seconds_left(&causes, causes.heap + 10 * 8 * 570);
    CHECK_MSG(fabs(left - 10) < 1e-6, "%g", left);
    CHECK(mc_causes_get_seconds_left(&causes, causes.heap) == 0);

    mc_suspect_reason standing;
    REQUIRE(mc_suspect_reason_find(trace, &causes, text, &standing, NULL) == MC_OK);
    CHECK(standing.kind == MC_SUSPECT_REASON_EXPLAINED && standing.cause == first);
    REQUIRE(mc_suspect_reason_find(trace, &causes, value, &standing, NULL) == MC_OK);
    CHECK(standing.cause == second);
    REQUIRE(mc_suspect_reason_find(trace, &causes, 0, &standing, NULL) == MC_OK);
    CHECK(standing.kind == MC_SUSPECT_REASON_CAUSE && standing.cause == first);
    mc_causes_deinit(&causes);
    mc_trace_destroy(trace);
}

// Two maps whose nodes hold one of the two each: two causes, though the nodes' class is one.
static void test_apart(void) {
    static const test_leaf leaves[] = {{"java.util", "Map", STAYS(2)},
                                       {"java.util", "Map$Node", UP(100)},
                                       {"shop", "Left", UP(50)},
                                       {"shop", "Right", UP(50)}};
    static const test_pair pairs[] = {
        {LIBRARY "Map$Node", SHOP "Left", UP(50), UP(50)},
        {LIBRARY "Map$Node", SHOP "Right", UP(50), UP(50)},
        {LIBRARY "Map", LIBRARY "Map$Node", UP(100), STAYS(2)},
    };
    mc_trace *trace =
        test_make_linked_trace(leaves, COUNT(leaves), pairs, COUNT(pairs), STEP_COUNT, BOTH);
    mc_causes causes = find(trace, MC_METRIC_OBJECTS);
    uint32_t left = test_find(trace, SHOP "Left"), right = test_find(trace, SHOP "Right");
    const mc_cause *one = mc_causes_get(&causes, left), *other = mc_causes_get(&causes, right);
    CHECK(one && other && one != other && one->node == left && other->node == right);
    CHECK(causes.count == 2);
    mc_causes_deinit(&causes);
    mc_trace_destroy(trace);
}

// ---- without references

enum { LONG = 24 };

typedef struct shape {
    const char *key;
    uint64_t (*at)(uint32_t step);
} shape;

static uint64_t leak(uint32_t step) {
    return step < 10 ? 500 : 500 + (step - 10) * 90;
}
static uint64_t full(uint32_t step) {
    return step < 7 ? 200 + step * 400 : 3000;
}
static uint64_t teeth(uint32_t step) {
    return 900 + step % 4 * 700;
}
static uint64_t shrinks(uint32_t step) {
    return 4000 - step * 100;
}
static uint64_t born(uint32_t step) {
    return step <= 10 ? 0 : 40;
}
static uint64_t little(uint32_t step) {
    return 10 + step / 2;
}
static uint64_t steady(uint32_t step) {
    (void)step;
    return 20000;
}

static mc_trace *make(const shape *shapes, uint32_t count) {
    test_leaf leaves[16] = {0};
    for (uint32_t i = 0; i < count; i++) {
        leaves[i].district = strncmp(shapes[i].key, "String", 6) == 0 ? "java.lang" : "shop";
        leaves[i].key = shapes[i].key;
        for (uint32_t step = 0; step < LONG; step++)
            leaves[i].objects[step] = shapes[i].at(step);
    }
    return test_make_trace(leaves, count, LONG);
}

static void test_since(void) {
    static const shape shapes[] = {
        {"String", leak}, {"Born", born},       {"Cache", full},    {"Little", little},
        {"Saw", teeth},   {"Shrinks", shrinks}, {"Steady", steady}, {"Things", leak},
    };
    mc_trace *trace = make(shapes, COUNT(shapes));
    mc_causes causes = find(trace, MC_METRIC_BYTES);
    // They grow alike, and nobody knows who holds whom: one unit, called by the program's own.
    REQUIRE(causes.count == 1 && causes.units.count > 0);
    CHECK(causes.items[0].node == test_find(trace, SHOP "Things"));
    CHECK(explains(&causes.items[0], test_find(trace, "Heap#java.lang#String"), 1));
    CHECK(causes.left_out_count == 0 && causes.items[0].unit_index == 0);
    CHECK(mc_causes_get_unit(&causes, &causes.items[0])->count == 13 * 90);
    const mc_cause *cause = &causes.items[0];
    CHECK(cause->change.is_found && cause->since_step == 10 && cause->walk.count == 0);
    CHECK(cause->since_early <= 10 && cause->since_late >= 10);
    CHECK(cause->growth == 2 * 13 * 90 * 8 && cause->own_growth == 13 * 90 * 8);
    CHECK(cause->growth_objects == 13 * 90);
    CHECK_MSG(fabs(cause->growth_per_s - 2 * 90 * 8 * 1000) < 1, "%g", cause->growth_per_s);
    CHECK(cause->begun_count == 1 && cause->begun[0] == test_find(trace, SHOP "Born"));
    static const struct {
        const char *key;
        mc_suspect_reason_kind kind;
    } others[] = {{"Cache", MC_SUSPECT_REASON_STOPPED},
                  {"Little", MC_SUSPECT_REASON_SMALL},
                  {"Saw", MC_SUSPECT_REASON_UP_AND_DOWN},
                  {"Shrinks", MC_SUSPECT_REASON_SHRINKS},
                  {"Steady", MC_SUSPECT_REASON_STEADY}};
    for (uint32_t i = 0; i < COUNT(others); i++) {
        char key[32];
        mc_suspect_reason standing;
        snprintf(key, sizeof key, SHOP "%s", others[i].key);
        REQUIRE(mc_suspect_reason_find(trace, &causes, test_find(trace, key), &standing, NULL) ==
                MC_OK);
        CHECK_MSG(standing.kind == others[i].kind, "%s: %d", key, standing.kind);
        CHECK(!standing.cause);
    }
    mc_causes_deinit(&causes);
    mc_trace_destroy(trace);
}

// Three leaks, each of several classes, which all bring strings; nobody knows who holds whom.
static void test_units(void) {
    // So many of each are there at each step.
    static const uint32_t sessions[] = {0,    400,  950,  1300, 1900, 2600,
                                        2850, 3400, 3700, 4200, 4900, 5400};
    static const uint32_t orders[] = {0,    100,  150,  600,  700,  750,
                                      1300, 1400, 1900, 1950, 2500, 2900};
    static const uint32_t logs[] = {0,    900,  1100, 1500, 2900, 3300,
                                    3350, 4400, 5000, 6300, 6400, 7000};
    static const struct {
        const char *district, *key;
        uint32_t of[4]; // per session, order and log; those of the start
    } groups[] = {
        {"java.lang", "String", {2, 5, 1, 50000}},
        {"java.util", "HashMap$Node", {1, 0, 0, 900}},
        {"java.util", "ArrayList", {0, 1, 0, 90}},
        {"shop", "Cart", {1, 0, 0, 0}},
        {"shop", "Item", {3, 0, 0, 0}},
        {"shop", "Log", {0, 0, 1, 0}},
        {"shop", "LogEntry", {0, 0, 2, 0}},
        {"shop", "Order", {0, 1, 0, 0}},
        {"shop", "OrderLine", {0, 4, 0, 0}},
        {"shop", "Session", {1, 0, 0, 0}},
        {"shop", "SessionData", {1, 0, 0, 0}},
    };
    test_leaf leaves[COUNT(groups)] = {0};
    for (uint32_t i = 0; i < COUNT(groups); i++) {
        leaves[i].district = groups[i].district;
        leaves[i].key = groups[i].key;
        for (uint32_t step = 0; step < COUNT(logs); step++)
            leaves[i].objects[step] = groups[i].of[0] * sessions[step] +
                                      groups[i].of[1] * orders[step] +
                                      groups[i].of[2] * logs[step] + groups[i].of[3];
    }
    mc_trace *trace = test_make_trace(leaves, COUNT(groups), COUNT(logs));
    mc_causes causes = find(trace, MC_METRIC_BYTES);
    static const char *const names[] = {SHOP "Session", SHOP "Order", SHOP "Log"};
    static const uint32_t each[] = {9, 11, 4}, counts[] = {5400, 2900, 7000};
    static const double of_strings[] = {2 * 5400, 5 * 2900, 7000};
    uint32_t string = test_find(trace, "Heap#java.lang#String");
    REQUIRE(causes.count == 3 && causes.left_out_count == 0);
    for (uint32_t i = 0; i < 3; i++) {
        const mc_cause *cause = &causes.items[i];
        const mc_growth_unit *unit = mc_causes_get_unit(&causes, cause);
        REQUIRE(unit && cause->node == test_find(trace, names[i]));
        CHECK(unit->count == counts[i] && unit->bytes == 8 * each[i] * counts[i]);
        CHECK(llabs(cause->growth - unit->bytes) < 8);
        CHECK(explains(cause, string, of_strings[i] / (2 * 5400 + 5 * 2900 + 7000)));
    }
    CHECK(explains(&causes.items[0], test_find(trace, LIBRARY "HashMap$Node"), 1));
    CHECK(explains(&causes.items[1], test_find(trace, LIBRARY "ArrayList"), 1));
    mc_causes_deinit(&causes);
    mc_trace_destroy(trace);
}

// ---- roots that came when it began

typedef struct long_root {
    const char *name; // NULL: the others of a kind
    mc_root_kind kind;
    uint32_t first, last; // steps
    uint64_t count;
} long_root;

static const long_root long_roots[] = {
    {"static shop.Shop.old", MC_ROOT_STATIC, 0, LONG, 1},
    {"static shop.Shop.late", MC_ROOT_STATIC, 11, LONG, 1},
    {"static java.lang.Late.lib", MC_ROOT_STATIC, 11, LONG, 7},
    {"static shop.Shop.later", MC_ROOT_STATIC, 13, LONG, 1},
    {"static shop.Shop.gone", MC_ROOT_STATIC, 11, LONG - 1, 1},
    {"static shop.Shop.back", MC_ROOT_STATIC, 0, 5, 1},
    {"static shop.Shop.back", MC_ROOT_STATIC, 11, LONG, 1},
    // A dump names some of a kind: whether this one is new, nobody knows.
    {"thread \"worker\" in shop.Shop.run(Shop.java:1)", MC_ROOT_STACK, 11, LONG, 3},
    {NULL, MC_ROOT_STACK, 0, LONG, 12},
    {"thread \"late\"", MC_ROOT_THREAD, 12, LONG, 2},
};

static void add_long_roots(mc_trace_builder *builder, uint32_t step, uint32_t node) {
    mc_step_referrers referrers = {.time_ms = step};
    for (uint32_t i = 0; i < COUNT(long_roots); i++) {
        const long_root *root = &long_roots[i];
        if (step < root->first || step >= root->last) continue;
        uint32_t name = MC_NONE;
        if (root->name) name = mc_strings_intern(&referrers.names, root->name, strlen(root->name));
        mc_root_count count = {node, root->kind, name, root->count};
        REQUIRE(mc_step_referrers_add_root(&referrers, count));
    }
    REQUIRE(mc_trace_builder_add_referrers(builder, &referrers, NULL) == MC_OK);
    mc_step_referrers_deinit(&referrers);
}

static mc_trace *make_with_roots(void) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < LONG; step++) {
        mc_step_tree_reset(&tree);
        tree.time_ms = step;
        uint32_t root = test_add_node(&tree, MC_NONE, "Heap", leak(step) + 20000);
        uint32_t district = test_add_node(&tree, root, "shop", leak(step) + 20000);
        uint32_t things = test_add_node(&tree, district, "Things", leak(step));
        test_add_node(&tree, district, "Steady", 20000);
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
        add_long_roots(builder, step, things);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    return trace;
}

static void test_new_roots(void) {
    mc_trace *trace = make_with_roots();
    mc_causes causes = find(trace, MC_METRIC_BYTES);
    REQUIRE(causes.count == 1 && causes.items[0].since_step == 10);
    const mc_cause *cause = &causes.items[0];
    // The program's own first, then the most objects.
    static const char *const wanted[] = {"static shop.Shop.late", "static java.lang.Late.lib",
                                         "thread \"late\""};
    REQUIRE(cause->root_count == COUNT(wanted) && cause->all_root_count == COUNT(wanted));
    for (uint32_t i = 0; i < COUNT(wanted); i++) {
        const char *name = mc_trace_get_string(trace, cause->roots[i].name, NULL);
        CHECK_MSG(strcmp(name, wanted[i]) == 0, "%s", name);
        CHECK(cause->roots[i].is_program == (i == 0));
    }
    mc_causes_deinit(&causes);
    mc_trace_destroy(trace);
}

static void test_nothing(void) {
    static const shape shapes[] = {{"Cache", full}, {"Saw", teeth}, {"Steady", steady}};
    mc_trace *trace = make(shapes, COUNT(shapes));
    mc_causes causes = find(trace, MC_METRIC_BYTES);
    CHECK(causes.count == 0 && causes.suspects.verdict == MC_HEAP_STOPPED);
    mc_causes_deinit(&causes);
    mc_causes_desc desc = {.metric = MC_METRIC_BYTES, .window = {3, 3}};
    REQUIRE(mc_causes_find(trace, &desc, NULL, &causes, NULL) == MC_OK);
    CHECK(causes.count == 0 && causes.suspects.verdict == MC_HEAP_SINGLE);
    mc_causes_deinit(&causes);
    mc_trace_destroy(trace);
}

static void test_memory(void) {
    mc_trace *trace = test_make_linked_trace(map_leaves, COUNT(map_leaves), map_pairs,
                                             COUNT(map_pairs), STEP_COUNT, BOTH);
    mc_causes_desc desc = {.metric = MC_METRIC_BYTES, .window = mc_step_range_whole(trace)};
    mc_causes causes = {0};
    uint64_t n = 0;
    for (; n < 5000; n++) {
        mc_memory_fail_after(n);
        mc_result result = mc_causes_find(trace, &desc, NULL, &causes, NULL);
        mc_memory_fail_after(UINT64_MAX);
        if (result == MC_OK) break;
        CHECK(result == MC_ERROR_OUT_OF_MEMORY && causes.count == 0 && !causes.items);
    }
    CHECK_MSG(n > 50 && n < 5000 && causes.count == 2, "%u", (unsigned)n);
    mc_causes_deinit(&causes);
    mc_trace_destroy(trace);
}

int main(void) {
    test_together();
    test_apart();
    test_since();
    test_units();
    test_new_roots();
    test_nothing();
    test_memory();
    return test_finish();
}
