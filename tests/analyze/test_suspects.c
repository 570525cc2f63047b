// The verdict on whole heaps: what is a suspect, what is too little, many small groups, ever new
// ones.
#include "engine/analyze/suspects.h"
#include "engine/base/memory.h"
#include "tests/trace_maker.h"

enum { STEP_COUNT = 12 };

// Counts of a leaf: start + slope * step, none before `born`; from `until` on it stays.
typedef struct line {
    const char *district, *key;
    uint64_t start, slope;
    uint32_t born, until;
} line;

static mc_trace *make(const line *lines, uint32_t count) {
    test_leaf *leaves = mc_alloc_zero(count, sizeof *leaves);
    REQUIRE(leaves);
    for (uint32_t i = 0; i < count; i++) {
        leaves[i] = (test_leaf){.district = lines[i].district, .key = lines[i].key};
        for (uint32_t step = lines[i].born; step < STEP_COUNT; step++) {
            uint32_t at = lines[i].until > 0 && step > lines[i].until ? lines[i].until : step;
            leaves[i].objects[step] = lines[i].start + lines[i].slope * at;
        }
    }
    mc_trace *trace = test_make_trace(leaves, count, STEP_COUNT);
    mc_free(leaves);
    return trace;
}

static mc_suspects find(const mc_trace *trace, const char *district) {
    mc_suspects found = {0};
    REQUIRE(mc_suspects_find(trace, MC_METRIC_OBJECTS, mc_window_whole(trace),
                             district ? test_find(trace, district) : 0, NULL, &found,
                             NULL) == MC_OK);
    return found;
}

static void test_order(void) {
    static const line lines[] = {
        {"a", "full", 10000, 4000, 0, 4}, // most of all, but it stays
        {"a", "leak", 500, 100, 0, 0},      {"a", "larger leak", 0, 300, 0, 0},
        {"a", "steady", 90000, 0, 0, 0},    {"b", "little leak", 0, 5, 0, 0},
        {"b", "filled up", 3000, 10, 0, 5},
    };
    mc_trace *trace = make(lines, 6);
    mc_suspects found = find(trace, NULL);
    CHECK(found.verdict == MC_HEAP_GROWS && !found.is_short);
    // The heap as a whole does not keep growing by much, so a thousandth of it is the least.
    static const char *const keys[] = {"Heap#a#larger leak", "Heap#a#leak", "Heap#a#full"};
    static const int64_t amounts[] = {3300, 1100, 16000};
    CHECK_MSG(found.count == 3 && found.growing_count == 2, "%u, %u", found.count,
              found.growing_count);
    for (uint32_t i = 0; i < 3 && i < found.count; i++) {
        CHECK_MSG(found.items[i].node == test_find(trace, keys[i]), "%u is not %s", i, keys[i]);
        CHECK(found.items[i].trend.growth.amount == amounts[i] &&
              found.items[i].growth == amounts[i]);
    }
    CHECK(found.items[2].trend.growth.kind == MC_GROWTH_STOPPED &&
          found.items[2].trend.growth.until == 4);
    mc_suspects_deinit(&found);
    // A district by itself, and one leaf, however small.
    found = find(trace, "Heap#b");
    CHECK(found.verdict == MC_HEAP_STEADY && found.count == 0);
    mc_suspects_deinit(&found);
    found = find(trace, "Heap#b#little leak");
    CHECK(found.verdict == MC_HEAP_GROWS && found.count == 1);
    mc_suspects_deinit(&found);
    found = find(trace, "Heap#b#filled up");
    CHECK(found.verdict == MC_HEAP_STOPPED && found.count == 1);
    mc_suspects_deinit(&found);
    mc_trace_destroy(trace);
}

// Each of them is less than a thousandth of the heap, all of them together are half of it.
static void test_many_small(void) {
    enum { COUNT = 3000 };
    static line lines[COUNT];
    static char keys[COUNT][8];
    for (uint32_t i = 0; i < COUNT; i++) {
        snprintf(keys[i], sizeof keys[i], "k%04u", i);
        lines[i] = (line){"a", keys[i], 10, i % 2, 0, 0};
    }
    mc_trace *trace = make(lines, COUNT);
    mc_suspects found = find(trace, NULL);
    CHECK(found.verdict == MC_HEAP_GROWS && found.count == found.growing_count &&
          found.count > 200);
    for (uint32_t i = 0; i < found.count; i++)
        CHECK(found.items[i].growth == STEP_COUNT - 1);
    mc_suspects_deinit(&found);
    mc_trace_destroy(trace);
}

// A group a step, each there at once: no leaf keeps growing, their district does.
static void test_ever_new(void) {
    static line lines[STEP_COUNT + 1];
    static char keys[STEP_COUNT][8];
    for (uint32_t i = 0; i < STEP_COUNT; i++) {
        snprintf(keys[i], sizeof keys[i], "k%02u", i);
        lines[i] = (line){"loaders", keys[i], 200, 0, i, 0};
    }
    lines[STEP_COUNT] = (line){"other", "steady", 4000, 0, 0, 0};
    mc_trace *trace = make(lines, STEP_COUNT + 1);
    mc_suspects found = find(trace, NULL);
    CHECK(found.verdict == MC_HEAP_GROWS && found.growing_count == 1);
    CHECK(found.items[0].node == test_find(trace, "Heap#loaders") &&
          found.items[0].growth == 200 * (STEP_COUNT - 1));
    mc_suspects_deinit(&found);
    mc_trace_destroy(trace);
}

// A cache that is full and a group that comes and goes: their sum looks like growth, and nothing in
// it grows.
static void test_sum_by_chance(void) {
    test_leaf leaves[] = {{"a", "cache", {0}}, {"a", "fillers", {0}}, {"a", "steady", {0}}};
    static const uint64_t fillers[STEP_COUNT] = {20, 900, 30,  100, 60,   700,
                                                 40, 80,  800, 300, 1100, 1000};
    for (uint32_t i = 0; i < STEP_COUNT; i++) {
        leaves[0].objects[i] = 500 + 200 * (i < 8 ? i : 8);
        leaves[1].objects[i] = fillers[i];
        leaves[2].objects[i] = 3000;
    }
    mc_trace *trace = test_make_trace(leaves, 3, STEP_COUNT);
    mc_trend trend;
    uint32_t root = 0;
    REQUIRE(mc_trend_compute_nodes(trace, MC_METRIC_OBJECTS, mc_window_whole(trace), &root, 1,
                                   &trend, NULL, NULL) == MC_OK);
    CHECK(trend.growth.kind == MC_GROWTH_GOES_ON);
    mc_suspects found = find(trace, NULL);
    CHECK_MSG(found.verdict == MC_HEAP_STOPPED && found.growing_count == 0, "%d", found.verdict);
    mc_suspects_deinit(&found);
    mc_trace_destroy(trace);
}

static void test_failures(void) {
    static const line lines[] = {{"a", "leak", 500, 100, 0, 0}, {"a", "steady", 900, 0, 0, 0}};
    mc_trace *trace = make(lines, 2);
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != MC_OK; n++) {
        mc_suspects found = {0};
        mc_memory_fail_after(n);
        result =
            mc_suspects_find(trace, MC_METRIC_BYTES, mc_window_whole(trace), 0, NULL, &found, NULL);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK ? found.count == 1 : result == MC_ERROR_OUT_OF_MEMORY);
        CHECK(result == MC_OK || (!found.items && found.count == 0));
        mc_suspects_deinit(&found);
    }
    mc_trace_destroy(trace);
}

int main(void) {
    test_order();
    test_many_small();
    test_ever_new();
    test_sum_by_chance();
    test_failures();
    return test_finish();
}
