// Who owns a step's heap: from an importer's numbers to the trace's, and back to a step's.
#include "engine/base/memory.h"
#include "tests/odd_trace.h"
#include "tests/trace_equal.h"
#include "tests/trace_maker.h"

static mc_step_tree tree;
static mc_step_owners owners;
static mc_error error;

enum { ROOT, DISTRICT, A, B, C };

static void fill_tree(int64_t time_ms) {
    mc_step_tree_reset(&tree);
    tree.time_ms = time_ms;
    test_add_node(&tree, MC_NONE, "Heap", 60);
    test_add_node(&tree, ROOT, "d", 60);
    test_add_node(&tree, DISTRICT, "a", 10);
    test_add_node(&tree, DISTRICT, "b", 20);
    test_add_node(&tree, DISTRICT, "c", 30);
}

static uint32_t add_name(const char *name) {
    uint32_t index = mc_strings_intern(&owners.names, name, strlen(name));
    REQUIRE(index != MC_NONE);
    return index;
}

static uint32_t add_owner(uint32_t parent, uint32_t root, const char *field, const char *class,
                          uint32_t place) {
    mc_owner owner = {parent, root, field ? add_name(field) : MC_NONE, add_name(class), place};
    REQUIRE(mc_step_owners_add(&owners, owner));
    return (uint32_t)owners.owner_count - 1;
}

static void add_sum(uint32_t owner, const char *example, uint64_t objects, uint64_t bytes) {
    mc_owner_sum sum = {.owner = owner,
                        .example = example ? add_name(example) : MC_NONE,
                        .objects = objects,
                        .retained_objects = 2 * objects,
                        .retained_bytes = bytes,
                        .program_objects = objects / 2};
    REQUIRE(mc_step_owners_add_sum(&owners, sum));
}

// static Shop.cache → Map → Node; threads; entries that the map and the threads share.
static void fill_owners(int64_t time_ms) {
    mc_step_owners_reset(&owners);
    owners.time_ms = time_ms;
    uint32_t threads = add_owner(MC_NONE, MC_ROOT_THREAD, "thread \"worker-#\"", "Thread", A);
    uint32_t map = add_owner(MC_NONE, MC_ROOT_STATIC, "static Shop.cache", "Map", B);
    uint32_t node = add_owner(map, 0, "Map.table", "Node", C);
    uint32_t entry = add_owner(MC_NONE, MC_OWNER_SHARED, NULL, "Entry", C);
    add_sum(entry, NULL, 7, 70);
    add_sum(node, NULL, 40, 400);
    add_sum(map, NULL, 1, 1000);
    add_sum(threads, "thread \"worker-3\"", 4, 90);
    uint32_t field = add_name("Node.value"), local = add_name("local variable");
    REQUIRE(mc_step_owners_add_way(&owners, (mc_owner_way){entry, threads, local, 2}));
    REQUIRE(mc_step_owners_add_way(&owners, (mc_owner_way){entry, node, field, 7}));
}

// The map's nodes are elsewhere now, which makes their place the group around both; the threads are
// gone, and another owner came. Numbers are others.
static void fill_other_owners(int64_t time_ms) {
    mc_step_owners_reset(&owners);
    owners.time_ms = time_ms;
    uint32_t map = add_owner(MC_NONE, MC_ROOT_STATIC, "static Shop.cache", "Map", B);
    uint32_t node = add_owner(map, 0, "Map.table", "Node", A);
    uint32_t item = add_owner(node, 0, "Node.value", "Item", MC_NONE);
    add_sum(map, NULL, 1, 5000);
    add_sum(node, NULL, 200, 4900);
    add_sum(item, NULL, 300, 4000);
}

static const char *get_text(const mc_trace *trace, uint32_t string) {
    return string == MC_NONE ? "-" : mc_trace_get_string(trace, string, NULL);
}

static uint32_t find_owner(const mc_trace *trace, const char *class) {
    uint32_t count;
    const mc_owner *all = mc_trace_get_owners(trace, &count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(get_text(trace, all[i].class), class) == 0) return i;
    return MC_NONE;
}

static const mc_owner_sum *find_sum(const mc_owner_rows *rows, uint32_t owner) {
    for (uint32_t i = 0; i < rows->count; i++)
        if (rows->items[i].owner == owner) return &rows->items[i];
    return NULL;
}

static void check_place(const mc_trace *trace, uint32_t place, const char *key) {
    REQUIRE(place != MC_NONE);
    CHECK(strcmp(get_text(trace, mc_trace_get_nodes(trace)->key[place]), key) == 0);
}

static void check_first_step(const mc_trace *trace, uint32_t step) {
    uint32_t count;
    const mc_owner *all = mc_trace_get_owners(trace, &count);
    mc_owner_rows rows = {0};
    mc_owner_way_rows ways = {0};
    REQUIRE(mc_trace_get_step(trace, step)->has_owners);
    REQUIRE(mc_trace_read_owners(trace, step, &rows, &error) == MC_OK && rows.count == 4);
    for (uint32_t i = 1; i < rows.count; i++)
        CHECK(rows.items[i - 1].owner < rows.items[i].owner);
    uint32_t map = find_owner(trace, "Map"), node = find_owner(trace, "Node");
    uint32_t threads = find_owner(trace, "Thread"), entry = find_owner(trace, "Entry");
    REQUIRE(map < count && node < count && threads < count && entry < count);
    CHECK(all[map].parent == MC_NONE && all[map].root == MC_ROOT_STATIC);
    CHECK(strcmp(get_text(trace, all[map].field), "static Shop.cache") == 0);
    CHECK(all[node].parent == map && all[node].root == 0);
    CHECK(all[entry].root == MC_OWNER_SHARED && all[entry].field == MC_NONE);
    check_place(trace, all[map].place, "b");
    check_place(trace, all[node].place, "d"); // that of both steps
    const mc_owner_sum *sum = find_sum(&rows, threads);
    REQUIRE(sum);
    CHECK(sum->objects == 4 && sum->retained_objects == 8 && sum->retained_bytes == 90);
    CHECK(sum->program_objects == 2);
    CHECK(strcmp(get_text(trace, sum->example), "thread \"worker-3\"") == 0);
    REQUIRE(mc_trace_read_owner_ways(trace, step, &ways, &error) == MC_OK && ways.count == 2);
    CHECK(ways.items[0].owner == entry && ways.items[0].from == node);
    CHECK(ways.items[0].references == 7 && ways.items[1].references == 2);
    CHECK(strcmp(get_text(trace, ways.items[1].field), "local variable") == 0);
    mc_owner_rows_deinit(&rows);
    mc_owner_way_rows_deinit(&ways);
}

static void check_second_step(const mc_trace *trace, uint32_t step) {
    mc_owner_rows rows = {0};
    mc_owner_way_rows ways = {0};
    uint32_t count;
    const mc_owner *all = mc_trace_get_owners(trace, &count);
    REQUIRE(mc_trace_read_owners(trace, step, &rows, &error) == MC_OK && rows.count == 3);
    const mc_owner_sum *sum = find_sum(&rows, find_owner(trace, "Map"));
    REQUIRE(sum);
    CHECK(sum->retained_bytes == 5000 && sum->example == MC_NONE);
    uint32_t item = find_owner(trace, "Item");
    REQUIRE(item < count);
    CHECK(all[item].place == MC_NONE && all[item].parent == find_owner(trace, "Node"));
    REQUIRE(mc_trace_read_owner_ways(trace, step, &ways, &error) == MC_OK && ways.count == 0);
    mc_owner_rows_deinit(&rows);
}

// Steps that come in another order than that of time.
static mc_trace *make_trace(void) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    fill_tree(2000);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "second", &error) == MC_OK);
    fill_other_owners(2000);
    CHECK_MSG(mc_trace_builder_add_owners(builder, &owners, &error) == MC_OK, "%s", error.message);
    fill_tree(1000);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "first", &error) == MC_OK);
    fill_owners(1000);
    CHECK_MSG(mc_trace_builder_add_owners(builder, &owners, &error) == MC_OK, "%s", error.message);
    fill_tree(3000);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "third", &error) == MC_OK);
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    return trace;
}

static void test_memory(void) {
    mc_trace *trace = make_trace();
    uint32_t count;
    mc_owner_rows rows = {0};
    CHECK(mc_trace_has_owners(trace));
    mc_trace_get_owners(trace, &count);
    CHECK(count == 5); // Map and Node are those of both steps
    check_first_step(trace, 0);
    check_second_step(trace, 1);
    CHECK(!mc_trace_get_step(trace, 2)->has_owners);
    REQUIRE(mc_trace_read_owners(trace, 2, &rows, &error) == MC_OK && rows.count == 0);
    mc_trace_destroy(trace);
}

// ---- what contradicts itself

typedef enum wrong {
    RIGHT,
    PARENT_BEHIND,
    PARENT_AND_ROOT,
    NO_ROOT,
    NO_STRING,
    NO_NODE,
    NO_OWNER,
    NO_PARENT_SUM,
    TWICE,
    WAY_TWICE,
    OTHER_TIME,
    WRONG_COUNT
} wrong;

static void spoil(wrong what) {
    fill_owners(1000);
    if (what == PARENT_BEHIND) owners.owners[0].parent = 1;
    if (what == PARENT_AND_ROOT) owners.owners[2].root = 1;
    if (what == NO_ROOT) owners.owners[3].root = MC_OWNER_SHARED + 1;
    if (what == NO_STRING) owners.sums[0].example = owners.names.count;
    if (what == NO_NODE) owners.owners[3].place = 99;
    if (what == NO_OWNER) owners.ways[0].from = 4;
    if (what == NO_PARENT_SUM) owners.sums[2].owner = 0, owners.sum_count = 3;
    if (what == TWICE) owners.sums[0].owner = 1;
    if (what == WAY_TWICE) owners.ways[0] = owners.ways[1];
    if (what == OTHER_TIME) owners.time_ms = 1;
}

static void test_errors(void) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    fill_tree(1000);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "step", &error) == MC_OK);
    for (int what = 1; what < WRONG_COUNT; what++) {
        spoil((wrong)what);
        CHECK_MSG(mc_trace_builder_add_owners(builder, &owners, &error) == MC_ERROR_BAD_DATA, "%d",
                  what);
    }
    spoil(RIGHT);
    CHECK_MSG(mc_trace_builder_add_owners(builder, &owners, &error) == MC_OK, "%s", error.message);
    CHECK(mc_trace_builder_add_owners(builder, &owners, &error) == MC_ERROR_BAD_DATA); // again
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_trace_destroy(trace);
}

// ---- back to steps

static mc_trace *make_odd_trace(uint64_t seed) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    odd_init(&odd, seed, seed % 2 ? MC_KEY_FULL : MC_KEY_PATH_PART, 8);
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < 8; step++) {
        odd_fill_tree(&odd, step, &tree, present);
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "odd", &error) == MC_OK);
        if (step % 3 == 1) continue;
        odd_fill_owners(&odd, &tree, &owners);
        CHECK_MSG(mc_trace_builder_add_owners(builder, &owners, &error) == MC_OK, "%s",
                  error.message);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    return trace;
}

static void test_steps(void) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        mc_trace *trace = make_odd_trace(seed), *again = NULL;
        mc_trace_builder *builder = NULL;
        REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
        for (uint32_t step = 0; step < mc_trace_get_step_count(trace); step++) {
            REQUIRE(mc_trace_fill_step_tree(trace, step, &tree, &error) == MC_OK);
            REQUIRE(mc_trace_builder_add_step(builder, &tree, "again", &error) == MC_OK);
            REQUIRE(mc_trace_fill_step_owners(trace, step, &owners, &error) == MC_OK);
            if (mc_trace_get_step(trace, step)->has_owners)
                CHECK_MSG(mc_trace_builder_add_owners(builder, &owners, &error) == MC_OK, "%s",
                          error.message);
        }
        REQUIRE(mc_trace_builder_finish(builder, &again, &error) == MC_OK);
        for (uint32_t step = 0; step < mc_trace_get_step_count(trace); step++)
            check_equal_owners(trace, again, step);
        mc_trace_builder_destroy(builder);
        mc_trace_destroy(again);
        mc_trace_destroy(trace);
    }
}

int main(void) {
    test_memory();
    test_errors();
    test_steps();
    mc_step_tree_deinit(&tree);
    mc_step_owners_deinit(&owners);
    return test_finish();
}
