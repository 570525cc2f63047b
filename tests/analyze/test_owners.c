// Distinct owners: a small trace with known numbers, and every leaf of a recorded heap against a
// plain scan of its pairs.
#include "engine/analyze/link_finder.h"
#include "engine/analyze/owners.h"
#include "engine/import/import.h"
#include "tests/linked_trace.h"
#include "tests/trace_values.h"

static const test_leaf leaves[] = {
    {"a", "cache", {2}}, {"a", "list", {4}}, {"a", "node", {100}},
    {"b", "weak", {50}}, {"b", "none", {9}}, {"b", "value", {200}},
};
static const test_pair pairs[] = {
    {"Heap#a#cache", "Heap#b#value", {120}, {2}}, {"Heap#a#list", "Heap#b#value", {6}, {4}},
    {"Heap#a#node", "Heap#b#value", {74}, {70}},  {"Heap#b#weak", "Heap#b#value", {50}, {50}},
    {"Heap#b#value", "Heap#b#value", {3}, {3}},   {"Heap#b#value", "Heap#a#list", {1}, {1}},
};
static const test_field fields[] = {
    {"Heap#a#cache", "Heap#b#value", "Cache.map", false, {120}},
    {"Heap#a#list", "Heap#b#value", "List.old", true, {2}},
    {"Heap#a#list", "Heap#b#value", "List.first", false, {4}},
    {"Heap#a#node", "Heap#b#value", "Node.value", false, {74}},
    {"Heap#b#weak", "Heap#b#value", "Reference.referent", true, {50}},
};
enum {
    LEAF_COUNT = sizeof leaves / sizeof *leaves,
    PAIR_COUNT = sizeof pairs / sizeof *pairs,
    FIELD_COUNT = sizeof fields / sizeof *fields
};

static mc_owners ask(mc_link_finder *finder, uint32_t step, uint32_t node) {
    mc_links links = {0};
    REQUIRE(mc_link_finder_find(finder, step, node, &links, NULL) == MC_OK);
    mc_owners owners = mc_owners_count(&links);
    mc_links_deinit(&links);
    return owners;
}

static mc_owners find(const mc_trace *trace, const char *full_key) {
    mc_link_finder *finder;
    REQUIRE(mc_link_finder_create(trace, &finder, NULL) == MC_OK);
    mc_owners owners = ask(finder, 0, test_find(trace, full_key));
    mc_link_finder_destroy(finder);
    return owners;
}

static void test_small(void) {
    const test_referrers held = {.fields = fields, .field_count = FIELD_COUNT};
    mc_trace *trace = test_make_held_trace(leaves, LEAF_COUNT, pairs, PAIR_COUNT, &held, 1,
                                           WITH_POINTS_TO | WITH_POINTED_FROM);
    // 120 + 74 of 200 references are more than nine of ten; weak ones own nothing.
    mc_owners owners = find(trace, "Heap#b#value");
    CHECK(owners.is_known && owners.count == 3 && owners.weak_only == 1);
    CHECK(owners.most_count == 2 && owners.strongest == test_find(trace, "Heap#a#cache"));
    CHECK(owners.strongest_objects == 120 && fabs(owners.strongest_share - 0.6) < 1e-12);
    owners = find(trace, "Heap#b#none");
    CHECK(owners.is_known && owners.count == 0 && owners.weak_only == 0 && owners.most_count == 0);
    CHECK(owners.strongest == MC_NONE);
    // Of a district: leaves outside it.
    owners = find(trace, "Heap#b");
    CHECK(owners.count == 3 && owners.weak_only == 0);
    mc_trace_destroy(trace);

    // Without fields, nobody knows that a reference is weak.
    trace = test_make_linked_trace(leaves, LEAF_COUNT, pairs, PAIR_COUNT, 1,
                                   WITH_POINTS_TO | WITH_POINTED_FROM);
    owners = find(trace, "Heap#b#value");
    CHECK(owners.count == 4 && owners.weak_only == 0 && owners.most_count == 3);
    mc_trace_destroy(trace);
}

static void test_unknown(void) {
    // Who is known, and not how many of its objects.
    mc_trace *trace =
        test_make_linked_trace(leaves, LEAF_COUNT, pairs, PAIR_COUNT, 1, WITH_POINTED_FROM);
    mc_owners owners = find(trace, "Heap#b#value");
    CHECK(owners.is_known && owners.count == 4 && owners.most_count == 0);
    CHECK(owners.strongest == MC_NONE && owners.strongest_objects == 0);
    mc_trace_destroy(trace);
    trace = test_make_linked_trace(leaves, LEAF_COUNT, pairs, 0, 1, 0);
    owners = find(trace, "Heap#b#value");
    CHECK(!owners.is_known && owners.count == 0);
    mc_trace_destroy(trace);
}

// ---- a recorded heap

// By the definition, from the step's pairs and fields as they are read.
static uint32_t scan(const mc_reference_rows *references, const mc_field_rows *held, uint32_t node,
                     uint32_t *weak_only) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < references->count; i++) {
        uint32_t from = references->items[i].from, known = 0, strong = 0;
        if (references->items[i].to != node || from == node) continue;
        for (uint32_t k = 0; k < held->count; k++) {
            bool is_of_pair = held->items[k].from == from && held->items[k].to == node;
            known += is_of_pair;
            strong += is_of_pair && !held->items[k].is_weak;
        }
        if (known > 0 && strong == 0)
            ++*weak_only;
        else
            count++;
    }
    return count;
}

static void test_recorded(void) {
    const char *path = MC_TEST_BINARY_DIR "/traces/javac-daemon";
    const mc_import_desc desc = {.paths = &path, .path_count = 1};
    mc_trace *trace;
    mc_link_finder *finder;
    REQUIRE(mc_import_trace(&desc, &trace, NULL, NULL) == MC_OK);
    REQUIRE(mc_link_finder_create(trace, &finder, NULL) == MC_OK);
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t step = mc_trace_get_step_count(trace) - 1, owned = 0;
    mc_reference_rows references = test_read_references(trace, step);
    mc_field_rows held = {0};
    REQUIRE(mc_trace_read_fields(trace, step, &held, NULL) == MC_OK);
    for (uint32_t node = 0; node < nodes->count; node++) {
        if (nodes->child_count[node] > 0) continue;
        uint32_t weak_only = 0, count = scan(&references, &held, node, &weak_only);
        mc_owners owners = ask(finder, step, node);
        CHECK(owners.count == count && owners.weak_only == weak_only);
        CHECK(owners.most_count <= count && (owners.strongest == MC_NONE) == (count == 0));
        owned += count > 1;
    }
    CHECK_MSG(owned > 10, "only %u leaves have several owners", owned);
    mc_field_rows_deinit(&held);
    mc_reference_rows_deinit(&references);
    mc_link_finder_destroy(finder);
    mc_trace_destroy(trace);
}

int main(void) {
    test_small();
    test_unknown();
    test_recorded();
    return test_finish();
}
