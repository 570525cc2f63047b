// Slopes and p values against numbers from a script that knows only the definitions (medians over
// all pairs; all permutations for fewer than 10 points), and a wide trace against single series.
#include "engine/analyze/trend.h"
#include "engine/base/memory.h"
#include "tests/trace_maker.h"

static const int64_t times[] = {0,     1500,  2000,  4000,  4100,  7000,  9000,  9500,  12000,
                                13000, 17000, 17500, 18000, 20000, 21000, 22000, 23000, 24000,
                                25000, 26000, 27000, 28000, 29000, 30000, 31000, 32000};

typedef struct expected {
    uint64_t values[26];
    uint32_t count;
    double slope_per_s, p_value;
    int direction;
} expected;

static const expected cases[] = {
    {{1, 2, 3, 4}, 4, 0.775, 0.08333333333333333, 0},
    {{1, 2, 3, 4, 5}, 5, 0.9639953542392568, 0.016666666666666666, 1},
    {{5, 4, 3, 2, 1.0}, 5, -0.9639953542392568, 0.016666666666666666, -1},
    {{3, 1, 4, 1, 5, 9, 2, 6}, 8, 0.39598997493734334, 0.22013888888888888, 0},
    {{2, 2, 2, 5, 5, 7, 7, 7}, 8, 0.6458333333333333, 0.0035714285714285713, 0},
    {{10, 10, 10, 10, 10, 11}, 6, 0.0, 0.3333333333333333, 0},
    {{0, 0, 9, 0, 0, 0, 0}, 7, 0.0, 0.8571428571428571, 0},
    {{1, 8, 2, 9, 3, 10, 4, 11, 5, 12, 6, 13}, 12, 0.3333333333333333, 0.016393316888809066, 1},
    {{2,     20002, 2,     20002, 2,     20002, 2,     20002, 2,     20002, 2,     20002, 2,
      20002, 2,     20002, 2,     20002, 2,     20002, 2,     20002, 2,     20002, 2,     20002},
     26,
     0.0,
     0.7583164735262904,
     0},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1.0}, 18, 0.0, 0.001608670856682249, 0},
    {{100, 90, 95, 80, 70, 75, 60, 61, 40, 30, 20, 10, 10, 10},
     14,
     -5.0,
     8.238009354569622e-06,
     -1},
};

static void test_known(void) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const expected *want = &cases[i];
        mc_trend trend = mc_trend_compute(times, want->values, want->count);
        CHECK_MSG(fabs(trend.slope_per_s - want->slope_per_s) < 1e-9, "case %zu: slope %g", i,
                  trend.slope_per_s);
        CHECK_MSG(fabs(trend.p_value - want->p_value) < 1e-9, "case %zu: p %g", i, trend.p_value);
        CHECK_MSG(trend.direction == want->direction, "case %zu: direction %d", i, trend.direction);
    }
}

static void test_edges(void) {
    static const uint64_t constant[] = {7, 7, 7, 7, 7, 7}, one[] = {3};
    mc_trend trend = mc_trend_compute(times, constant, 6);
    CHECK(trend.slope_per_s == 0 && trend.p_value == 1 && trend.direction == 0);
    trend = mc_trend_compute(times, one, 1);
    CHECK(trend.slope_per_s == 0 && trend.p_value == 1 && trend.direction == 0);
    // The largest counts: differences of one still count, and nothing overflows.
    uint64_t large[6];
    int64_t late[6];
    for (uint64_t i = 0; i < 6; i++) {
        large[i] = (uint64_t)INT64_MAX - i;
        late[i] = INT64_MAX - 6000 + (int64_t)i * 1000;
    }
    trend = mc_trend_compute(late, large, 6);
    CHECK(trend.direction == -1 && fabs(trend.slope_per_s + 1) < 1e-9);
    large[5] = 0;
    CHECK(mc_trend_compute(late, large, 6).direction == -1);
    // As far apart as times can be.
    for (int i = 0; i < 6; i++)
        late[i] = MC_TIME_MIN + MC_TIME_MAX / 5 * 2 * i;
    trend = mc_trend_compute(late, large, 6);
    CHECK(trend.direction == -1 && trend.slope_per_s < 0 && trend.slope_per_s > -1e-12);
    // More points than count: a line stays one, its first and last points included.
    enum { MANY = 1000 };
    static uint64_t values[MANY];
    static int64_t many[MANY];
    for (int i = 0; i < MANY; i++) {
        values[i] = (uint64_t)i * 3;
        many[i] = i * 1000;
    }
    trend = mc_trend_compute(many, values, MANY);
    CHECK(trend.direction == 1 && fabs(trend.slope_per_s - 3) < 1e-9);
}

// Medians of lists with many equal slopes, and in every length, against sorting.
static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void test_medians(void) {
    uint64_t state = 1, values[20];
    int64_t seconds[20];
    double slopes[190];
    for (int round = 0; round < 3000; round++) {
        uint32_t count = 2 + (uint32_t)round % 19, n = 0;
        for (uint32_t i = 0; i < count; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            values[i] = (state >> 40) % (round % 7 == 0 ? 3 : 1000);
            seconds[i] = (int64_t)i * 1000;
        }
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = i + 1; k < count; k++)
                slopes[n++] = ((double)values[k] - (double)values[i]) / (k - i);
        qsort(slopes, n, sizeof *slopes, compare_doubles);
        double median = n % 2 == 1 ? slopes[n / 2] : (slopes[n / 2 - 1] + slopes[n / 2]) / 2;
        CHECK(fabs(mc_trend_compute(seconds, values, count).slope_per_s - median) < 1e-9);
    }
}

static bool stop_at_half(void *user, uint64_t done, uint64_t total) {
    uint64_t *last = user;
    CHECK(done >= *last && done <= total);
    *last = done;
    return done < total / 2;
}

static void test_nodes(void) {
    static const test_leaf leaves[] = {{"a", "grows", {1, 5, 9, 10}},
                                       {"a", "peaks", {2, 50, 3, 2}},
                                       {"b", "shrinks", {20, 10, 5, 1}},
                                       {"b", "steady", {3, 3, 3, 3}}};
    mc_trace *trace = test_make_trace(leaves, 4, 4);
    int64_t step_times[4];
    for (uint32_t i = 0; i < 4; i++)
        step_times[i] = mc_trace_get_step(trace, i)->time_ms;
    uint32_t nodes[4];
    mc_trend trends[4];
    for (int i = 0; i < 4; i++) {
        char key[64];
        snprintf(key, sizeof key, "Heap#%s#%s", leaves[i].district, leaves[i].key);
        nodes[i] = test_find(trace, key);
    }
    for (uint32_t first = 0; first < 3; first++) {
        REQUIRE(mc_trend_compute_nodes(trace, MC_METRIC_OBJECTS, (mc_step_range){first, 3}, nodes,
                                       4, trends, NULL, NULL) == MC_OK);
        for (int i = 0; i < 4; i++) {
            mc_trend want =
                mc_trend_compute(step_times + first, leaves[i].objects + first, 4 - first);
            CHECK(trends[i].slope_per_s == want.slope_per_s && trends[i].p_value == want.p_value &&
                  trends[i].direction == want.direction);
        }
    }
    uint64_t last = 0;
    mc_progress progress = {stop_at_half, &last};
    mc_error error = {0};
    CHECK(mc_trend_compute_nodes(trace, MC_METRIC_BYTES, (mc_step_range){0, 3}, nodes, 4, trends,
                                 &progress, &error) == MC_ERROR_CANCELLED);
    for (uint64_t n = 0; n < 3; n++) {
        mc_memory_fail_after(n);
        CHECK(mc_trend_compute_nodes(trace, MC_METRIC_BYTES, (mc_step_range){0, 3}, nodes, 4,
                                     trends, NULL, &error) == MC_ERROR_OUT_OF_MEMORY);
        mc_memory_fail_after(UINT64_MAX);
    }
    mc_trace_destroy(trace);
}

static double next_normal(uint64_t *state) {
    double uniform[2];
    for (int i = 0; i < 2; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        uniform[i] = ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
    }
    return sqrt(-2 * log(uniform[0])) * cos(6.283185307179586 * uniform[1]);
}

// The interval has the true slope nearly as often as it claims, though the noise remembers; and it
// is not so wide that it says nothing.
static void test_intervals(void) {
    enum { RUNS = 400, POINTS = 24 };
    static const double shares[] = {0, 0.5};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        uint64_t state = 1;
        uint32_t right = 0;
        double width = 0;
        for (uint32_t run = 0; run < RUNS; run++) {
            int64_t seconds[POINTS];
            uint64_t values[POINTS];
            double memory = next_normal(&state);
            for (uint32_t k = 0; k < POINTS; k++) {
                memory = shares[i] * memory + sqrt(1 - shares[i] * shares[i]) * next_normal(&state);
                seconds[k] = (int64_t)k * 1000;
                values[k] = (uint64_t)(100000 + 500.0 * k + 1000 * memory);
            }
            mc_slope slope = mc_trend_estimate_slope(seconds, values, POINTS);
            CHECK(slope.per_s == mc_trend_compute_slope(seconds, values, POINTS));
            CHECK(slope.low <= slope.per_s && slope.per_s <= slope.high);
            right += slope.low <= 500 && slope.high >= 500;
            width += (slope.high - slope.low) / RUNS;
        }
        CHECK_MSG(right >= RUNS * 85 / 100, "%g: %u of %d", shares[i], right, RUNS);
        CHECK_MSG(width < 500, "%g: %g wide", shares[i], width);
    }
    int64_t seconds[] = {0, 1000, 2000, 3000, 4000, 5000};
    uint64_t line[] = {0, 10, 20, 30, 40, 50}, two[] = {3, 5};
    mc_slope slope = mc_trend_estimate_slope(seconds, line, 6);
    CHECK(slope.per_s == 10 && slope.low == 10 && slope.high == 10);
    slope = mc_trend_estimate_slope(seconds, two, 2);
    CHECK(slope.per_s == 2 && slope.low == -INFINITY && slope.high == INFINITY);
    slope = mc_trend_estimate_slope(seconds, two, 1);
    CHECK(slope.per_s == 0 && slope.low == 0 && slope.high == 0);
}

// massif keeps all of its latest snapshots and every other one of those before: what grows as fast
// all the time still does, and what has stopped still has.
static void test_uneven(void) {
    enum { FAR = 40, NEAR = 30, ALL = FAR + NEAR };
    int64_t at_ms[ALL];
    uint64_t leak[ALL], full[ALL];
    int64_t time = 900; // until the program began
    for (uint32_t i = 0; i < ALL; i++) {
        at_ms[i] = i == 0 ? 0 : (time += i < FAR ? 28 : i % 2 ? 1 : 13);
        leak[i] = (uint64_t)at_ms[i] * 1000;
        full[i] = leak[i < FAR / 2 ? i : FAR / 2];
    }
    mc_trend trend = mc_trend_compute_crowded(at_ms, leak, ALL);
    CHECK(trend.growth.kind == MC_GROWTH_GOES_ON && trend.growth.slower_share == 0);
    CHECK(trend.direction == 1 && fabs(trend.slope_per_s - 1e6) < 1);
    CHECK(mc_trend_compute_crowded(at_ms, full, ALL).growth.kind != MC_GROWTH_GOES_ON);
    // Times as far from each other as they may be.
    for (uint32_t i = 0; i < ALL; i++)
        at_ms[i] = i < ALL / 2 ? MC_TIME_MIN + (int64_t)i * (MC_TIME_MAX / ALL * 4 - 1)
                               : MC_TIME_MAX - ALL + i;
    CHECK(mc_trend_compute_crowded(at_ms, leak, ALL).direction == 1);
    // A pause between steps that are alike changes nothing.
    for (uint32_t i = 0; i < ALL; i++) {
        at_ms[i] = (int64_t)i * 1000 + (i < ALL / 2 ? 0 : 3600000);
        leak[i] = i * 1000;
    }
    CHECK(mc_trend_compute_crowded(at_ms, leak, ALL).growth.kind == MC_GROWTH_GOES_ON);
}

// Steps of which so few would count that nothing could be told all count.
static void test_crowded(void) {
    enum { ALL = 10 };
    int64_t at_ms[ALL];
    uint64_t leak[ALL];
    for (uint32_t i = 0; i < ALL; i++) {
        at_ms[i] = (INT64_C(1) << i) - 1;
        leak[i] = (uint64_t)at_ms[i] * 1000 + 100;
    }
    CHECK(mc_trend_compute_crowded(at_ms, leak, ALL).growth.kind == MC_GROWTH_GOES_ON);
}

int main(void) {
    test_uneven();
    test_crowded();
    test_intervals();
    test_known();
    test_edges();
    test_medians();
    test_nodes();
    return test_finish();
}
