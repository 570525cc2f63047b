// Links of leaves and districts: small traces with known numbers, and every leaf, district and step
// of the recorded heaps against a plain scan of the pairs.
#include "engine/analyze/group_links.h"
#include "engine/base/memory.h"
#include "engine/import/import.h"
#include "tests/linked_trace.h"
#include "tests/trace_values.h"

static const test_leaf leaves[] = {
    {"a", "list", {4}},    {"a", "node", {100}}, {"b", "person", {50}},
    {"b", "string", {60}}, {"b", "zero", {0}},   {"c", "chars", {60}},
};
static const test_pair pairs[] = {
    {"Heap#a#list", "Heap#a#node", {90}, {3}},      {"Heap#a#node", "Heap#a#node", {99}, {98}},
    {"Heap#a#node", "Heap#b#person", {50}, {60}},   {"Heap#a#list", "Heap#b#person", {5}, {1}},
    {"Heap#b#person", "Heap#b#string", {50}, {50}}, {"Heap#b#string", "Heap#c#chars", {70}, {60}},
    {"Heap#b#person", "Heap#c#chars", {7}, {8}},    {"Heap#b#zero", "Heap#c#chars", {1}, {2}},
};
enum { LEAF_COUNT = sizeof leaves / sizeof *leaves, PAIR_COUNT = sizeof pairs / sizeof *pairs };

static mc_link get(const mc_links *links, const mc_trace *trace, const char *partner,
                   mc_link_direction direction) {
    uint32_t node = test_find(trace, partner);
    for (uint32_t i = 0; i < links->count; i++)
        if (links->links[i].partner == node && links->links[i].direction == direction)
            return links->links[i];
    fprintf(stderr, "no link with %s\n", partner);
    test_failure_count++;
    return (mc_link){.partner = MC_NONE};
}

static bool is_link(mc_link link, uint64_t node_objects, uint64_t partner_objects, uint32_t flags) {
    return link.node_objects == node_objects && link.partner_objects == partner_objects &&
           link.flags == flags;
}

static mc_links find(mc_link_finder *finder, uint32_t step, uint32_t node) {
    mc_links links = {0};
    REQUIRE(mc_link_finder_find(finder, step, node, &links, NULL) == MC_OK);
    return links;
}

static void test_leaves(void) {
    mc_trace *trace = test_make_linked_trace(leaves, LEAF_COUNT, pairs, PAIR_COUNT, 1,
                                             WITH_POINTS_TO | WITH_POINTED_FROM);
    mc_link_finder *finder;
    REQUIRE(mc_link_finder_create(trace, &finder, NULL) == MC_OK);
    mc_links links = find(finder, 0, test_find(trace, "Heap#b#person"));
    CHECK(links.count == 4 && links.clamped_count == 0 && links.node_objects == 50);
    CHECK(links.has_map[MC_POINTS_TO] && links.has_map[MC_POINTED_FROM]);
    // Strongest first: 50 objects with 60, 50 with 50, 8, 5.
    CHECK(links.links[0].partner == test_find(trace, "Heap#a#node"));
    CHECK(is_link(links.links[0], 50, 60, 0) && links.links[0].direction == MC_LINK_INCOMING);
    CHECK(fabs(links.links[0].node_share - 1) < 1e-12);
    CHECK(fabs(links.links[0].partner_share - 0.6) < 1e-12);
    CHECK(links.links[1].partner == test_find(trace, "Heap#b#string"));
    CHECK(is_link(links.links[1], 50, 50, 0) && links.links[1].direction == MC_LINK_OUTGOING);
    CHECK(is_link(links.links[2], 8, 7, 0) && is_link(links.links[3], 5, 1, 0));
    CHECK(mc_links_get_strongest(&links, MC_LINK_OUTGOING) == &links.links[1]);
    mc_links_filter(&links, true, false, 1);
    CHECK(links.count == 1 && links.links[0].partner == test_find(trace, "Heap#a#node"));
    CHECK(!mc_links_get_strongest(&links, MC_LINK_OUTGOING));
    mc_links_deinit(&links);

    // A leaf that references itself is its own partner, in both directions.
    links = find(finder, 0, test_find(trace, "Heap#a#node"));
    CHECK(is_link(get(&links, trace, "Heap#a#node", MC_LINK_INCOMING), 99, 98, MC_LINK_SELF));
    CHECK(is_link(get(&links, trace, "Heap#a#node", MC_LINK_OUTGOING), 98, 99, MC_LINK_SELF));
    CHECK(mc_links_get_strongest(&links, MC_LINK_INCOMING)->partner ==
          test_find(trace, "Heap#a#list"));
    mc_links_deinit(&links);

    // More objects than there are: 70 of 60; 2 of a partner that has none at this step.
    links = find(finder, 0, test_find(trace, "Heap#c#chars"));
    CHECK(links.clamped_count == 2);
    CHECK(is_link(get(&links, trace, "Heap#b#string", MC_LINK_INCOMING), 60, 60,
                  MC_LINK_NODE_CLAMPED));
    mc_link zero = get(&links, trace, "Heap#b#zero", MC_LINK_INCOMING);
    CHECK(is_link(zero, 1, 0, MC_LINK_PARTNER_CLAMPED) && zero.partner_share == 0);
    mc_links_deinit(&links);
    mc_link_finder_destroy(finder);
    mc_trace_destroy(trace);
}

static void test_districts(void) {
    mc_trace *trace = test_make_linked_trace(leaves, LEAF_COUNT, pairs, PAIR_COUNT, 1,
                                             WITH_POINTS_TO | WITH_POINTED_FROM);
    mc_link_finder *finder;
    REQUIRE(mc_link_finder_create(trace, &finder, NULL) == MC_OK);
    mc_links links = find(finder, 0, test_find(trace, "Heap#b"));
    CHECK(links.count == 3 && links.node_objects == 110 && links.clamped_count == 1);
    CHECK(is_link(get(&links, trace, "Heap#a#node", MC_LINK_INCOMING), 50, 60, 0));
    CHECK(is_link(get(&links, trace, "Heap#a#list", MC_LINK_INCOMING), 5, 1, 0));
    // 60 strings, 8 persons and none of the zeros reference 60 + 7 + 1 of 60 chars.
    CHECK(is_link(get(&links, trace, "Heap#c#chars", MC_LINK_OUTGOING), 68, 60,
                  MC_LINK_NODE_CLAMPED | MC_LINK_PARTNER_CLAMPED | MC_LINK_PARTNER_AT_MOST));
    mc_links_deinit(&links);
    // Outside everything there is nothing.
    links = find(finder, 0, 0);
    CHECK(links.count == 0 && !links.links);
    mc_links_deinit(&links);
    mc_link_finder_destroy(finder);
    mc_trace_destroy(trace);
}

// Leaves of a district that are asked for together have its links; among each other they have those
// that are nobody else's business.
static void test_groups(void) {
    mc_trace *trace = test_make_linked_trace(leaves, LEAF_COUNT, pairs, PAIR_COUNT, 1,
                                             WITH_POINTS_TO | WITH_POINTED_FROM);
    uint32_t b = test_find(trace, "Heap#b"), person = test_find(trace, "Heap#b#person");
    uint32_t string = test_find(trace, "Heap#b#string"), zero = test_find(trace, "Heap#b#zero");
    uint32_t parts[] = {string, person, zero, person}, nested[] = {person, b};
    mc_link_finder *finder;
    mc_group_links group = {0};
    REQUIRE(mc_link_finder_create(trace, &finder, NULL) == MC_OK);
    mc_links district = find(finder, 0, b), links = {0};
    REQUIRE(mc_link_finder_find_of(finder, 0, parts, 4, &links, NULL) == MC_OK);
    CHECK(links.count == district.count && links.node_objects == district.node_objects);
    for (uint32_t i = 0; i < links.count && i < district.count; i++) {
        const mc_link *x = &links.links[i], *y = &district.links[i];
        CHECK(x->partner == y->partner && x->direction == y->direction && x->from == MC_NONE);
        CHECK(is_link(*x, y->node_objects, y->partner_objects, y->flags));
    }
    mc_links_deinit(&links);

    REQUIRE(mc_group_links_find(&group, finder, trace, 0, parts, 3, true, true, 2, NULL) == MC_OK);
    CHECK(group.among_count == 1 && group.links.count == 3 && group.total_count == 4);
    const mc_link *among = &group.links.links[0];
    CHECK(among->from == person && among->partner == string);
    CHECK(is_link(*among, 50, 50, 0) && fabs(among->node_share - 1) < 1e-12 &&
          fabs(among->partner_share - 50.0 / 60) < 1e-12);
    // The strongest two that they have with others; all three have chars.
    CHECK(group.links.links[1].node_objects == 68 && group.links.links[2].node_objects == 50);
    CHECK(group.end_count == 4);
    uint64_t objects = 0;
    for (uint32_t i = 0; i < group.end_count; i++)
        if (group.ends[i].row == 1) objects += group.ends[i].link.node_objects;
    CHECK(objects == 60 + 8 + 0);
    REQUIRE(mc_group_links_find(&group, finder, trace, 0, parts, 3, false, false, 2, NULL) ==
            MC_OK);
    CHECK(group.links.count == 0 && group.end_count == 0 && group.total_count == 3);

    // What lies in another one has no links of its own with others.
    REQUIRE(mc_group_links_find(&group, finder, trace, 0, nested, 2, true, true, UINT32_MAX,
                                NULL) == MC_OK);
    CHECK(group.links.count == district.count + group.among_count && group.among_count == 1);
    CHECK(group.links.links[0].from == person && group.links.links[0].partner == b);
    for (uint32_t i = 0; i < group.end_count; i++)
        CHECK(group.ends[i].node == b);
    mc_group_links_deinit(&group);
    mc_links_deinit(&district);
    mc_link_finder_destroy(finder);
    mc_trace_destroy(trace);
}

static void test_missing_maps(void) {
    for (int null = 0; null < 2; null++) {
        mc_trace *trace =
            test_make_linked_trace(leaves, LEAF_COUNT, pairs, PAIR_COUNT, 1,
                                   WITH_POINTS_TO | (null ? WITH_NULL_POINTED_FROM : 0));
        mc_link_finder *finder;
        REQUIRE(mc_link_finder_create(trace, &finder, NULL) == MC_OK);
        mc_links links = find(finder, 0, test_find(trace, "Heap#b#person"));
        CHECK(links.has_map[MC_POINTS_TO] && !links.has_map[MC_POINTED_FROM]);
        CHECK(links.count == 4);
        CHECK(is_link(get(&links, trace, "Heap#a#node", MC_LINK_INCOMING), 50, 0,
                      MC_LINK_PARTNER_UNKNOWN));
        CHECK(is_link(get(&links, trace, "Heap#b#string", MC_LINK_OUTGOING), 0, 50,
                      MC_LINK_NODE_UNKNOWN));
        mc_links_deinit(&links);
        mc_link_finder_destroy(finder);
        mc_trace_destroy(trace);
    }
    mc_trace *trace = test_make_linked_trace(leaves, LEAF_COUNT, pairs, 0, 1, 0);
    mc_link_finder *finder;
    REQUIRE(mc_link_finder_create(trace, &finder, NULL) == MC_OK);
    mc_links links = find(finder, 0, test_find(trace, "Heap#b#person"));
    CHECK(links.count == 0 && !links.has_map[0] && !links.has_map[1]);
    mc_links_deinit(&links);
    mc_link_finder_destroy(finder);
    mc_trace_destroy(trace);
}

static void test_failures(void) {
    mc_trace *trace = test_make_linked_trace(leaves, LEAF_COUNT, pairs, PAIR_COUNT, 1,
                                             WITH_POINTS_TO | WITH_POINTED_FROM);
    uint32_t node = test_find(trace, "Heap#b");
    for (uint64_t n = 0;; n++) {
        mc_link_finder *finder = NULL;
        mc_links links = {0};
        mc_error error = {0};
        mc_memory_fail_after(n);
        mc_result result = mc_link_finder_create(trace, &finder, &error);
        if (result == MC_OK) result = mc_link_finder_find(finder, 0, node, &links, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK ? links.count == 3 : result == MC_ERROR_OUT_OF_MEMORY);
        CHECK(result == MC_OK || (!links.links && links.count == 0));
        // What failed works again.
        if (finder) CHECK(mc_link_finder_find(finder, 0, node, &links, &error) == MC_OK);
        mc_links_deinit(&links);
        mc_link_finder_destroy(finder);
        if (result == MC_OK) break;
    }
    mc_trace_destroy(trace);
}

// ---- the recorded heaps

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

// All pairs of a step: [A * node_count + B] is one more than the pair A -> B, 0: there is none.
typedef struct pair_table {
    const mc_node_columns *nodes;
    mc_reference_rows pairs;
    uint64_t *objects;
    uint32_t *index;
} pair_table;

static void set_pairs(pair_table *t, uint32_t value) {
    for (uint32_t i = 0; i < t->pairs.count; i++) {
        uint32_t *entry =
            &t->index[(size_t)t->pairs.items[i].from * t->nodes->count + t->pairs.items[i].to];
        CHECK(value == 0 || *entry == 0);
        *entry = value * (i + 1);
    }
}

// What the leaves of `node` have to do with one partner, by the definitions; returns the number of
// pairs.
static uint32_t add_leaves(const pair_table *t, uint32_t node, uint32_t partner,
                           mc_link_direction direction, uint64_t sums[2]) {
    const mc_node_columns *nodes = t->nodes;
    if (nodes->child_count[node] > 0) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < nodes->child_count[node]; i++)
            count += add_leaves(t, nodes->first_child[node] + i, partner, direction, sums);
        return count;
    }
    bool is_out = direction == MC_LINK_OUTGOING;
    size_t from = is_out ? node : partner, to = is_out ? partner : node;
    uint32_t entry = t->index[from * nodes->count + to];
    if (entry == 0) return 0;
    uint64_t of_from = t->pairs.items[entry - 1].pointed_from,
             of_to = t->pairs.items[entry - 1].points_to;
    sums[0] += least(is_out ? of_from : of_to, t->objects[node]);
    sums[1] += least(is_out ? of_to : of_from, t->objects[partner]);
    return 1;
}

// Every link is what its pairs say; returns how many pairs they are.
static uint32_t check_node(const pair_table *t, uint32_t node, const mc_links *links) {
    uint32_t pair_count = 0;
    for (uint32_t i = 0; i < links->count; i++) {
        const mc_link *link = &links->links[i];
        uint64_t sums[2] = {0};
        pair_count += add_leaves(t, node, link->partner, link->direction, sums);
        CHECK(i == 0 || links->links[i - 1].node_objects >= link->node_objects);
        CHECK(link->node_objects == sums[0]);
        CHECK(link->partner_objects == least(sums[1], t->objects[link->partner]));
        CHECK(fabs(link->node_share * (double)t->objects[node] - (double)sums[0]) < 1e-6);
        CHECK(fabs(link->partner_share * (double)t->objects[link->partner] -
                   (double)link->partner_objects) < 1e-6);
    }
    return pair_count;
}

static bool is_inside(const mc_node_columns *nodes, uint32_t node, uint32_t district) {
    for (; node != MC_NONE; node = nodes->parent[node])
        if (node == district) return true;
    return false;
}

// The pairs that a node's links must be of: with what is outside, a leaf's also with itself.
static uint32_t count_pairs(const pair_table *t, uint32_t node) {
    uint32_t count = 0;
    bool is_leaf = t->nodes->child_count[node] == 0;
    for (uint32_t i = 0; i < t->pairs.count; i++) {
        bool from = is_inside(t->nodes, t->pairs.items[i].from, node);
        bool to = is_inside(t->nodes, t->pairs.items[i].to, node);
        if (is_leaf || from != to) count += from + to;
    }
    return count;
}

static void check_trace(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/traces/%s", MC_TEST_BINARY_DIR, name);
    const char *pointer = path;
    const mc_import_desc desc = {.paths = &pointer, .path_count = 1};
    mc_trace *trace;
    REQUIRE(mc_import_trace(&desc, &trace, NULL, NULL) == MC_OK);
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_link_finder *finder;
    REQUIRE(mc_link_finder_create(trace, &finder, NULL) == MC_OK);
    pair_table t = {.nodes = nodes,
                    .objects = malloc(nodes->count * sizeof *t.objects),
                    .index = calloc((size_t)nodes->count * nodes->count, sizeof *t.index)};
    REQUIRE(t.objects && t.index);
    uint32_t clamped = 0;
    for (uint32_t step = 0; step < mc_trace_get_step_count(trace); step++) {
        t.pairs = test_read_references(trace, step);
        test_column(trace, step, MC_METRIC_OBJECTS, t.objects);
        set_pairs(&t, 1);
        uint32_t link_count = 0;
        for (uint32_t node = 0; node < nodes->count; node++) {
            mc_links links = find(finder, step, node);
            uint32_t pair_count = check_node(&t, node, &links);
            if (nodes->child_count[node] == 0)
                link_count += links.count;
            else
                CHECK(pair_count == count_pairs(&t, node));
            clamped += links.clamped_count;
            mc_links_deinit(&links);
        }
        // Each pair is a link of both of its ends.
        CHECK(link_count == 2 * t.pairs.count);
        set_pairs(&t, 0);
        mc_reference_rows_deinit(&t.pairs);
    }
    CHECK_MSG(clamped == 0, "%u links of %s are clamped", clamped, name);
    free(t.objects);
    free(t.index);
    mc_link_finder_destroy(finder);
    mc_trace_destroy(trace);
}

// ---- by which fields

static void check_field(const mc_trace *trace, const mc_links *links, const mc_link *link,
                        uint32_t index, const char *name, uint64_t count) {
    REQUIRE(index < link->field_count);
    const mc_link_field *field = &links->fields[link->first_field + index];
    const char *text = mc_trace_get_string(trace, field->name, NULL);
    CHECK_MSG(strcmp(text, name) == 0 && field->count == count, "%s", text);
}

static void test_fields(void) {
    static const test_field fields[] = {
        {"Heap#a#list", "Heap#a#node", "List.first", false, {40}},
        {"Heap#a#list", "Heap#a#node", "List.weak", true, {60}},
        {"Heap#a#node", "Heap#b#person", "Node.item", false, {60}},
        {"Heap#a#list", "Heap#b#person", "Node.item", false, {1}},
        {"Heap#a#list", "Heap#b#person", "List.more", false, {30}},
        {"Heap#a#node", "Heap#a#node", "Node.next", false, {98}},
    };
    const test_referrers held = {.fields = fields, .field_count = 6};
    mc_trace *trace =
        test_make_held_trace(leaves, LEAF_COUNT, pairs, PAIR_COUNT, &held, 1, WITH_POINTS_TO);
    mc_link_finder *finder = NULL;
    REQUIRE(mc_link_finder_create(trace, &finder, NULL) == MC_OK);
    mc_links links = find(finder, 0, test_find(trace, "Heap#a#node"));
    mc_link link = get(&links, trace, "Heap#a#list", MC_LINK_INCOMING);
    CHECK(links.has_fields && link.field_count == 2);
    check_field(trace, &links, &link, 0, "List.weak", 60);
    check_field(trace, &links, &link, 1, "List.first", 40);
    const mc_link_field *field = mc_links_get_field(&links, &link);
    CHECK(field && !field->is_weak && field->count == 40); // what keeps it is told first
    link = get(&links, trace, "Heap#a#node", MC_LINK_OUTGOING);
    check_field(trace, &links, &link, 0, "Node.next", 98);
    link = get(&links, trace, "Heap#b#person", MC_LINK_OUTGOING);
    CHECK(link.field_count == 1);
    mc_links_filter(&links, true, false, 1);
    check_field(trace, &links, &links.links[0], links.links[0].field_count - 1,
                links.links[0].field_count == 1 ? "Node.next" : "List.first",
                links.links[0].field_count == 1 ? 98 : 40);
    mc_links_deinit(&links);
    // A district's are the sums over its leaves.
    links = find(finder, 0, test_find(trace, "Heap#a"));
    link = get(&links, trace, "Heap#b#person", MC_LINK_OUTGOING);
    CHECK(link.field_count == 2);
    check_field(trace, &links, &link, 0, "Node.item", 61);
    check_field(trace, &links, &link, 1, "List.more", 30);
    mc_links_deinit(&links);
    links = find(finder, 0, test_find(trace, "Heap#b#person"));
    link = get(&links, trace, "Heap#b#string", MC_LINK_OUTGOING);
    CHECK(link.field_count == 0 && !mc_links_get_field(&links, &link));
    mc_links_deinit(&links);
    mc_link_finder_destroy(finder);
    mc_trace_destroy(trace);
}

int main(void) {
    test_fields();
    test_leaves();
    test_districts();
    test_groups();
    test_missing_maps();
    test_failures();
    check_trace("httpclient-3.0.1");
    check_trace("javac-daemon");
    return test_finish();
}
