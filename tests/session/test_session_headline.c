// Which cause stands first while a recording goes on: two of nearly the same size do not take
// turns, one that leads clearly or for some steps comes at once or soon, and what is early is so
// called.
#include "app/session/headline.h"
#include "tests/test.h"
#include "tests/trace_maker.h"

enum { MOST_STEPS = 24, A, B };

static test_leaf leaves[] = {{"p", "A", {0}}, {"p", "B", {0}}};
static mc_headline headline;

// What stands first after so many steps, if causes have grown by that; 0: it has none.
static int choose(uint32_t steps, int64_t a, int64_t b, bool goes_on) {
    mc_trace *trace = test_make_trace(leaves, 2, steps);
    mc_cause items[2] = {{.node = test_find(trace, "Heap#p#A"), .growth = a},
                         {.node = test_find(trace, "Heap#p#B"), .growth = b}};
    uint32_t count = (a > 0 ? 1u : 0) + (b > 0 ? 1u : 0);
    if (b > a) {
        items[1] = items[0];
        items[0] = (mc_cause){.node = test_find(trace, "Heap#p#B"), .growth = b};
    }
    mc_causes causes = {.desc = {MC_METRIC_BYTES, {0, steps - 1}}, .items = items, .count = count};
    uint32_t first = mc_headline_choose(&headline, trace, &causes, 7, goes_on);
    REQUIRE(first < (count > 0 ? count : 1));
    int found = count == 0 ? 0 : items[first].node == test_find(trace, "Heap#p#A") ? A : B;
    mc_trace_destroy(trace);
    return found;
}

int main(void) {
    for (uint64_t i = 0; i < MOST_STEPS; i++)
        leaves[0].objects[i] = leaves[1].objects[i] = 1 + i;
    // Few steps: whatever it is, it is early.
    CHECK(choose(5, 100, 90, true) == A && headline.is_early);
    CHECK(choose(6, 100, 110, true) == A && choose(7, 120, 110, true) == A && headline.is_early);
    CHECK(choose(8, 120, 110, true) == A && !headline.is_early);
    // They take turns, and the headline does not.
    for (uint32_t step = 9; step < 15; step++) {
        CHECK_MSG(choose(step, 100, step % 2 ? 101 : 99, true) == A, "step %u", step);
        CHECK(!headline.is_early);
    }
    // Three steps in a row.
    CHECK(choose(15, 100, 101, true) == A && choose(16, 100, 102, true) == A);
    CHECK(choose(17, 100, 103, true) == B && !headline.is_early);
    // By a clear margin: at once, but it is early for as many steps.
    CHECK(choose(18, 160, 103, true) == A && headline.is_early);
    CHECK(choose(19, 160, 103, true) == A && choose(20, 160, 103, true) == A);
    CHECK(!headline.is_early);
    // What ceases to grow is kept for a moment; then nothing grows.
    CHECK(choose(21, 0, 0, true) == 0 && headline.is_kept && headline.is_early);
    CHECK(choose(22, 0, 0, true) == 0 && headline.is_kept);
    CHECK(choose(23, 0, 0, true) == 0 && !headline.is_kept && !headline.is_early);
    // Several steps may come at once; and what is finished is judged as it is.
    CHECK(choose(10, 100, 90, true) == A && choose(11, 100, 110, true) == A);
    CHECK(choose(13, 100, 110, true) == B);
    CHECK(choose(14, 120, 110, true) == B && choose(14, 120, 110, false) == A);
    CHECK(!headline.is_early);
    mc_headline_deinit(&headline);
    return test_finish();
}
