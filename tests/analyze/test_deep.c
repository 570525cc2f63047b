// Deep trees: what was quadratic in the depth, against its definition in small odd traces and at a
// depth at which nobody would wait for it; and that long work asks whether to go on.
#include "engine/analyze/gate.h"
#include "engine/analyze/gate_match.h"
#include "engine/analyze/search.h"
#include "engine/analyze/walk.h"
#include "engine/base/memory.h"
#include "engine/trace/full_keys.h"
#include "tests/chain_trace.h"
#include "tests/odd_trace.h"

enum { DEPTH = 50000 };

static mc_error error;

static mc_text get_full_key(const mc_trace *trace, uint32_t node) {
    mc_text key = {0};
    mc_trace_append_full_key(trace, node, &key);
    mc_text_append(&key, "", 0);
    REQUIRE(!key.failed);
    return key;
}

static mc_key_kind get_kind(uint64_t seed) {
    return seed % 2 ? MC_KEY_FULL : MC_KEY_PATH_PART;
}

// ---- finding by full key

static void check_find(const mc_trace *trace, const char *key, size_t size) {
    uint32_t expected = MC_NONE;
    for (uint32_t node = 0; node < mc_trace_get_nodes(trace)->count && expected == MC_NONE;
         node++) {
        mc_text own = get_full_key(trace, node);
        if (own.size == size && memcmp(own.data, key, size) == 0) expected = node;
        mc_text_deinit(&own);
    }
    uint32_t found = mc_trace_find_node(trace, key, size);
    CHECK_MSG(found == expected, "\"%s\": %u, not %u", key, found, expected);
}

static void test_full_keys(void) {
    for (uint64_t seed = 0; seed < 12; seed++) {
        mc_trace *trace = odd_make_trace(seed, get_kind(seed));
        for (uint32_t node = 0; node < mc_trace_get_nodes(trace)->count; node++) {
            mc_text key = get_full_key(trace, node);
            check_find(trace, key.data, key.size);
            check_find(trace, key.data, key.size / 2);
            mc_text_append_string(&key, "#");
            check_find(trace, key.data, key.size);
            mc_text_deinit(&key);
        }
        mc_trace_destroy(trace);
    }
    // Two nodes of one full key: the first; what leads nowhere is left again.
    static const test_leaf leaves[] = {{"a", "b#c", {1}}, {"a", "b#d", {1}},   {"a#b", "c", {1}},
                                       {"a#b", "e", {1}}, {"a#b#c", "x", {1}}, {"", "", {1}}};
    mc_trace *trace = test_make_trace(leaves, sizeof leaves / sizeof *leaves, 1);
    static const char *const keys[] = {"Heap#a#b#c", "Heap#a#b#d", "Heap#a#b#e", "Heap#a#b",
                                       "Heap#a",     "Heap##",     "Heap#",      "Heap#a#b#c#x",
                                       "Heap",       "",           "Heap#a#b#",  "Heap#a#b#f",
                                       "Heap###",    "Hea",        "#"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        check_find(trace, keys[i], strlen(keys[i]));
    mc_trace_destroy(trace);
}

// ---- the gate

static void check_rules(const mc_trace *trace, const char *const *patterns, uint32_t count) {
    mc_rule rules[8];
    bool matches[8] = {false};
    uint32_t node_count = mc_trace_get_nodes(trace)->count;
    uint8_t *rule_of = malloc(node_count);
    REQUIRE(rule_of);
    for (uint32_t i = 0; i < count; i++)
        REQUIRE(mc_rule_parse(patterns[i], &rules[i], &error) == MC_OK);
    REQUIRE(mc_gate_match_rules(trace, rules, count, rule_of, matches, NULL, &error) == MC_OK);
    for (uint32_t node = 0; node < node_count; node++) {
        uint32_t expected = 0;
        size_t size;
        const char *name = mc_trace_get_name(trace, node, &size);
        mc_text key = get_full_key(trace, node);
        for (; expected < count; expected++)
            if (rules[expected].is_path
                    ? mc_glob_matches(rules[expected].text, rules[expected].pattern_size, key.data,
                                      key.size)
                    : mc_glob_matches(rules[expected].text, rules[expected].pattern_size, name,
                                      size))
                break;
        if (expected == count) expected = MC_RULES_MAX;
        CHECK_MSG(rule_of[node] == expected, "%s: %u, not %u", key.data, rule_of[node], expected);
        mc_text_deinit(&key);
    }
    free(rule_of);
}

static size_t measure_stable(const char *key, size_t size) {
    size_t at = size;
    while (at > 0 && strchr("0123456789abcdefx", key[at - 1]) && key[at - 1] != '\0')
        at--;
    bool is_number = at > 0 && key[at - 1] == '/' && at < size && key[at] >= '0' && key[at] <= '9';
    return is_number ? at - 1 : size;
}

static void check_base(const mc_trace *trace, const mc_trace *base) {
    uint32_t count = mc_trace_get_nodes(trace)->count, base_count = mc_trace_get_nodes(base)->count;
    uint32_t *found = malloc(count * sizeof *found);
    REQUIRE(found);
    REQUIRE(mc_gate_find_in_base(trace, base, found, NULL, &error) == MC_OK);
    for (uint32_t node = 0; node < count; node++) {
        mc_text key = get_full_key(trace, node);
        uint32_t expected = MC_NONE;
        size_t size = measure_stable(key.data, key.size);
        for (uint32_t other = 0; other < base_count && expected == MC_NONE; other++) {
            mc_text twin = get_full_key(base, other);
            if (measure_stable(twin.data, twin.size) == size &&
                memcmp(key.data, twin.data, size) == 0)
                expected = other;
            mc_text_deinit(&twin);
        }
        CHECK_MSG(found[node] == expected, "%s: %u, not %u", key.data, found[node], expected);
        mc_text_deinit(&key);
    }
    free(found);
}

static void test_gate(void) {
    static const char *const patterns[] = {"k0#**#k2*: +0", "*\x01*: +0", "k0#*#*: +0",
                                           "**#*a#b**: +0", "n1?: +0",    "k0#k1**#**é*#**: +0",
                                           "**#**#k?: +0",  "?1: +0"};
    for (uint64_t seed = 0; seed < 16; seed++) {
        mc_trace *trace = odd_make_trace(seed, get_kind(seed));
        mc_trace *base = odd_make_trace(seed / 2 * 2, get_kind(seed / 2)); // of either kind
        check_rules(trace, patterns, sizeof patterns / sizeof *patterns);
        check_base(trace, base);
        mc_trace_destroy(base);
        mc_trace_destroy(trace);
    }
    // Hidden classes, by number; the same text from other keys.
    static const test_leaf now[] = {{"p", "L$1/0x00aa", {1}},
                                    {"p", "L$1/0x00ab", {1}},
                                    {"p", "L$2/x", {1}},
                                    {"p#q", "r", {1}},
                                    {"0/1", "0/1", {1}}};
    static const test_leaf before[] = {{"p", "L$1/0x00bb", {1}}, {"p", "L$1", {1}},
                                       {"p", "L$2/0", {1}},      {"p", "q#r", {1}},
                                       {"0", "0", {1}},          {"0/1", "0", {1}}};
    mc_trace *trace = test_make_trace(now, sizeof now / sizeof *now, 1);
    mc_trace *base = test_make_trace(before, sizeof before / sizeof *before, 1);
    check_base(trace, base);
    mc_trace_destroy(base);
    mc_trace_destroy(trace);
}

// ---- where whatever is quadratic takes hours

static void test_chain(void) {
    mc_trace *trace = chain_make(DEPTH, "k", 1), *other = chain_make(DEPTH - 1, "k", 1);
    mc_rule rules[2];
    bool matches[2] = {false};
    uint8_t *rule_of = malloc(DEPTH);
    uint32_t *found = malloc(DEPTH * sizeof *found);
    REQUIRE(rule_of && found);
    REQUIRE(mc_rule_parse("k#**#?: +0", &rules[0], &error) == MC_OK);
    REQUIRE(mc_rule_parse("**k: +0", &rules[1], &error) == MC_OK);
    CHECK(mc_gate_match_rules(trace, rules, 2, rule_of, matches, NULL, &error) == MC_OK);
    CHECK(matches[0] && matches[1]);
    CHECK(mc_gate_find_in_base(trace, other, found, NULL, &error) == MC_OK);
    for (uint32_t node = 0; node < DEPTH; node++) {
        CHECK(rule_of[node] == (node < 2 ? 1 : 0));
        CHECK(found[node] == (node < DEPTH - 1 ? node : MC_NONE));
    }
    for (uint32_t node = 1; node < DEPTH; node += DEPTH / 50) {
        mc_text key = get_full_key(trace, node);
        CHECK(mc_trace_find_node(trace, key.data, key.size) == node);
        key.data[key.size - 1] = 'x';
        CHECK(mc_trace_find_node(trace, key.data, key.size) == MC_NONE);
        mc_text_deinit(&key);
    }
    free(rule_of);
    free(found);
    mc_trace_destroy(other);
    mc_trace_destroy(trace);
}

// A leaf at every level, which the walk asks what it is called, and what it lies in.
static void test_walk(void) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    mc_reference_map map = {0};
    mc_text last = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < 2; step++) {
        mc_step_tree_reset(&tree);
        tree.time_ms = step;
        uint32_t parent = MC_NONE;
        for (uint32_t level = 0; level < DEPTH / 2; level++) {
            parent = test_add_node(&tree, parent, level == 7 ? "p.q" : "k", 1);
            test_add_node(&tree, parent, "a", 10 + 90 * step);
        }
        test_add_node(&tree, parent, "b", 10 + 95 * step);
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "comb", NULL) == MC_OK);
    }
    for (uint32_t level = 0; level < DEPTH / 2; level++)
        mc_text_append_string(&last, level == 0 ? "k" : level == 7 ? "#p.q" : "#k");
    mc_text_append_string(&map.text, "k#a");
    mc_text_append(&map.text, last.data, last.size);
    mc_text_append_string(&map.text, "#b");
    map.time_ms = 1;
    mc_reference_entry entry = {
        .outer_size = 3, .inner_offset = 3, .inner_size = (uint32_t)last.size + 2, .count = 105};
    REQUIRE(mc_reference_map_add(&map, entry));
    REQUIRE(mc_trace_builder_add_references(builder, &map, MC_POINTS_TO, &error) == MC_OK);
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_walk walk = {0};
    mc_walk_desc desc = {
        .metric = MC_METRIC_OBJECTS, .window = {0, 1}, .step = 1, .from_node = MC_NONE};
    REQUIRE(mc_walk_compute(trace, &desc, &walk, &error) == MC_OK);
    CHECK(walk.count == 2 && walk.stops[0].metric_growth == 95);
    CHECK(walk.unit.count >= DEPTH / 2 && walk.unit.growth == 90);
    desc.from_node = 1; // the root's first leaf or first level
    for (; desc.from_node < 4; desc.from_node++)
        CHECK(mc_walk_compute(trace, &desc, &walk, &error) == MC_OK && walk.count > 0);
    mc_walk_deinit(&walk);
    mc_trace_destroy(trace);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    mc_reference_map_deinit(&map);
    mc_text_deinit(&last);
}

// ---- asking

static void test_asking(void) {
    char key[1001];
    memset(key, 'a', 1000);
    key[1000] = '\0';
    mc_trace *trace = chain_make(300, key, 1);
    mc_search *search = NULL;
    mc_search_result result;
    test_asked asked = {.most = UINT64_MAX};
    mc_progress progress = {test_ask, &asked};
    REQUIRE(mc_search_create(trace, &search, NULL) == MC_OK);
    CHECK(mc_search_find(search, "b$", 2, MC_SEARCH_REGEX, &progress, &result, &error) == MC_OK);
    CHECK_MSG(asked.count >= 30, "asked %u times in 45 MB", (unsigned)asked.count);
    asked = (test_asked){.most = 3};
    CHECK(mc_search_find(search, "b$", 2, MC_SEARCH_REGEX, &progress, &result, &error) ==
          MC_ERROR_CANCELLED);
    mc_search_destroy(search);
    mc_trace_destroy(trace);
    // What the gate does before it compares values, too.
    trace = chain_make(10000, "k", 1);
    mc_rule rules[2];
    REQUIRE(mc_rule_parse("k#**: +0", &rules[0], &error) == MC_OK);
    REQUIRE(mc_rule_parse("k: +0", &rules[1], &error) == MC_OK);
    mc_gate_desc desc = {.trace = trace, .base = trace, .rules = rules, .rule_count = 2};
    mc_gate gate;
    for (uint64_t most = 0; most < 12; most++) {
        asked = (test_asked){.most = most};
        CHECK(mc_gate_judge(&desc, &gate, &progress, &error) == MC_ERROR_CANCELLED);
    }
    mc_trace_destroy(trace);
}

int main(void) {
    test_full_keys();
    test_gate();
    test_chain();
    test_walk();
    test_asking();
    return test_finish();
}
