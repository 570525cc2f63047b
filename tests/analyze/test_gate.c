// What the gate lets pass.
#include "engine/analyze/gate.h"
#include "engine/base/memory.h"
#include "engine/trace/versus/versus.h"
#include "tests/trace_maker.h"

enum { STEP_COUNT = 10 };

static mc_error error;

// A step a minute; counts of a leaf are start + step * slope.
typedef struct line {
    const char *district, *key;
    uint64_t start, slope;
} line;

static mc_trace *make(const line *lines, uint32_t count) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < STEP_COUNT; step++) {
        mc_step_tree_reset(&tree);
        tree.time_ms = step * 60000;
        uint32_t root = test_add_node(&tree, MC_NONE, "Heap", 0), district = MC_NONE;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t objects = lines[i].start + lines[i].slope * step;
            if (i == 0 || strcmp(lines[i].district, lines[i - 1].district) != 0)
                district = test_add_node(&tree, root, lines[i].district, 0);
            test_add_node(&tree, district, lines[i].key, objects);
            test_add_objects(&tree, district, objects);
            test_add_objects(&tree, root, objects);
        }
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    return trace;
}

static const line now[] = {{"a", "leak", 100, 60},
                           {"a", "steady", 5000, 0},
                           {"a", "Lambda$1/0x00aa", 10, 6},
                           {"b", "known", 100, 30},
                           {"b", "slow", 100000, 1}};
static const line before[] = {{"a", "leak", 100, 0},
                              {"a", "Lambda$1/0x00bb", 10, 6},
                              {"b", "known", 100, 29},
                              {"b", "slow", 100000, 0}};

static mc_gate judge_pair(const mc_trace *trace, const mc_trace *base, const mc_trace *pair,
                          const char *const *texts, uint32_t count) {
    static mc_rule rules[MC_RULES_MAX]; // findings refer to them
    for (uint32_t i = 0; i < count; i++)
        REQUIRE(mc_rule_parse(texts[i], &rules[i], &error) == MC_OK);
    mc_gate_desc desc = {.trace = trace,
                         .base = base,
                         .pair = pair,
                         .window = {0, STEP_COUNT - 1},
                         .base_window = {0, STEP_COUNT - 1},
                         .metric = MC_METRIC_OBJECTS,
                         .rules = rules,
                         .rule_count = count};
    mc_gate gate;
    CHECK_MSG(mc_gate_judge(&desc, &gate, NULL, &error) == MC_OK, "%s", error.message);
    return gate;
}

static mc_gate judge(const mc_trace *trace, const mc_trace *base, const char *const *texts,
                     uint32_t count) {
    return judge_pair(trace, base, NULL, texts, count);
}

static void check_finding(const mc_gate *gate, uint32_t index, uint32_t node, mc_verdict verdict) {
    REQUIRE(index < gate->count);
    CHECK_MSG(gate->findings[index].node == node && gate->findings[index].verdict == verdict,
              "finding %u is node %u, %d", index, gate->findings[index].node,
              gate->findings[index].verdict);
}

#define JUDGE(...)                                         \
    judge(trace, base, (const char *const[]){__VA_ARGS__}, \
          sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void test_alone(const mc_trace *trace) {
    const mc_trace *base = NULL;
    mc_gate gate = JUDGE("**: +0");
    CHECK(gate.judged_count == 5 && gate.failed_count == 4 && gate.count == 4);
    check_finding(&gate, 0, test_find(trace, "Heap#a#leak"), MC_VERDICT_FAILED);
    CHECK(fabs(gate.findings[0].trend.slope_per_s - 1) < 1e-9);
    CHECK(gate.findings[0].first == 100 && gate.findings[0].last == 640);
    CHECK(fabs(gate.findings[0].median - 370) < 1e-9);
    mc_gate_deinit(&gate);

    // 1 object a second is 3600 an hour.
    gate = JUDGE("leak: +3600/h", "known: +1799/h", "**: any");
    CHECK(gate.failed_count == 1 && gate.rule_failed[1] == 1 && gate.rule_judged[0] == 1);
    check_finding(&gate, 0, test_find(trace, "Heap#b#known"), MC_VERDICT_FAILED);
    mc_gate_deinit(&gate);

    // A district is judged where its parts are not.
    gate = JUDGE("Heap#*: +0");
    CHECK(gate.judged_count == 2 && gate.failed_count == 2);
    check_finding(&gate, 0, test_find(trace, "Heap#a"), MC_VERDICT_FAILED);
    mc_gate_deinit(&gate);

    // Shares are of the median: 0.01 % an hour of 100,000 are 10, and 60 come.
    gate = JUDGE("slow: +0.01%/h");
    CHECK(gate.failed_count == 1);
    mc_gate_deinit(&gate);
    gate = JUDGE("slow: +0.01%/h, +20");
    CHECK(gate.failed_count == 0 && gate.judged_count == 1);
    mc_gate_deinit(&gate);
    gate = JUDGE("slow: +8B/step");
    CHECK(gate.failed_count == 0);
    mc_gate_deinit(&gate);
    gate = JUDGE("slow: +7B/step");
    CHECK(gate.failed_count == 1);
    mc_gate_deinit(&gate);
}

// What grew before is known, also under another number; what grew slower before is not.
static void test_base(const mc_trace *trace, const mc_trace *base) {
    mc_gate gate = JUDGE("**: +0");
    CHECK(gate.failed_count == 2 && gate.count == 4);
    check_finding(&gate, 0, test_find(trace, "Heap#a#leak"), MC_VERDICT_FAILED);
    check_finding(&gate, 1, test_find(trace, "Heap#b#slow"), MC_VERDICT_FAILED);
    check_finding(&gate, 2, test_find(trace, "Heap#b#known"), MC_VERDICT_KNOWN);
    check_finding(&gate, 3, test_find(trace, "Heap#a#Lambda$1/0x00aa"), MC_VERDICT_KNOWN);
    CHECK(gate.findings[3].base_node == test_find(base, "Heap#a#Lambda$1/0x00bb"));
    CHECK(fabs(gate.findings[2].base_trend.slope_per_s - 29.0 / 60) < 1e-9);
    mc_gate_deinit(&gate);
}

static mc_trace *join(const mc_trace *base, const mc_trace *trace) {
    static const uint32_t all[] = {0, STEP_COUNT - 1}, last[] = {STEP_COUNT - 1, STEP_COUNT - 1};
    mc_versus_desc desc = {
        .sides = {base, trace}, .window = {all, last}, .alignment = {.kind = MC_ALIGN_STEP}};
    mc_trace *pair = NULL;
    REQUIRE(mc_trace_versus(&desc, NULL, &pair, &error) == MC_OK);
    return pair;
}

// A district has another name: what it grew by is known; what grows faster is not. What came into a
// district that was there grew elsewhere.
static void test_moved(void) {
    static const line old[] = {{"a", "leak", 100, 60},
                               {"a", "more", 70, 20},
                               {"a", "still", 7, 0},
                               {"b", "known", 100, 30},
                               {"c", "goes", 50, 50}};
    static const line new[] = {{"b", "goes", 50, 50},
                               {"b", "known", 100, 30},
                               {"z", "leak", 100, 60},
                               {"z", "more", 70, 30},
                               {"z", "still", 7, 0}};
    mc_trace *base = make(old, 5), *trace = make(new, 5), *pair = join(base, trace);
    const char *const all[] = {"**: +0"}, *const districts[] = {"Heap#*: +0"};
    mc_gate gate = judge_pair(trace, base, pair, all, 1);
    CHECK(gate.count == 4 && gate.failed_count == 1);
    check_finding(&gate, 0, test_find(trace, "Heap#z#more"), MC_VERDICT_FAILED);
    CHECK(gate.findings[0].is_moved);
    CHECK(gate.findings[0].base_node == test_find(base, "Heap#a#more"));
    CHECK(fabs(gate.findings[0].base_rate_per_s - 20.0 / 60) < 1e-9);
    check_finding(&gate, 1, test_find(trace, "Heap#z#leak"), MC_VERDICT_KNOWN);
    check_finding(&gate, 2, test_find(trace, "Heap#b#goes"), MC_VERDICT_KNOWN);
    check_finding(&gate, 3, test_find(trace, "Heap#b#known"), MC_VERDICT_KNOWN);
    CHECK(!gate.findings[3].is_moved);
    mc_gate_deinit(&gate);
    gate = judge_pair(trace, base, pair, districts, 1);
    CHECK(gate.count == 2 && gate.failed_count == 1);
    check_finding(&gate, 0, test_find(trace, "Heap#z"), MC_VERDICT_FAILED);
    check_finding(&gate, 1, test_find(trace, "Heap#b"), MC_VERDICT_KNOWN);
    CHECK(!gate.findings[1].is_moved && fabs(gate.findings[1].base_rate_per_s - 80.0 / 60) < 1e-9);
    mc_gate_deinit(&gate);
    gate = judge_pair(trace, base, NULL, all, 1);
    CHECK(gate.failed_count == 3);
    mc_gate_deinit(&gate);
    mc_trace_destroy(pair);
    mc_trace_destroy(base);
    mc_trace_destroy(trace);
}

static void test_memory(const mc_trace *trace, const mc_trace *base) {
    mc_rule rule;
    REQUIRE(mc_rule_parse("**: +0", &rule, &error) == MC_OK);
    mc_trace *pair = join(base, trace);
    mc_gate_desc desc = {.trace = trace,
                         .base = base,
                         .pair = pair,
                         .window = {0, STEP_COUNT - 1},
                         .base_window = {0, STEP_COUNT - 1},
                         .rules = &rule,
                         .rule_count = 1};
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != MC_OK; n++) {
        mc_gate gate;
        mc_memory_fail_after(n);
        result = mc_gate_judge(&desc, &gate, NULL, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
        mc_gate_deinit(&gate);
    }
    mc_trace_destroy(pair);
}

int main(void) {
    mc_trace *trace = make(now, 5), *base = make(before, 4);
    test_alone(trace);
    test_base(trace, base);
    test_moved();
    test_memory(trace, base);
    mc_trace_destroy(trace);
    mc_trace_destroy(base);
    return test_finish();
}
