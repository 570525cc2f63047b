// How often chance is taken for growth, and growth for chance: simulated heaps of many groups, with
// seeds, judged as users see it. With --table: the whole table, in minutes.
#include "engine/analyze/suspects.h"
#include "engine/base/memory.h"
#include "tests/trace_maker.h"
#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { RUNS = 40 };

// ---- random numbers

static uint64_t state;

static double next_uniform(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

static double next_normal(void) {
    double radius = sqrt(-2 * log(next_uniform()));
    return radius * cos(6.283185307179586 * next_uniform());
}

static double next_poisson(double mean) {
    if (mean > 200) return round(fmax(0, mean + sqrt(mean) * next_normal()));
    double left = exp(-mean), product = next_uniform();
    uint32_t count = 0;
    for (; product > left; count++)
        product *= next_uniform();
    return count;
}

// ---- series without growth

typedef struct noise {
    double base, sigma; // of the group
    uint32_t period, phase;
    double memory;
} noise;

typedef double (*series)(noise *n, uint32_t step);

static double white(noise *n, uint32_t step) {
    (void)step;
    return n->base + n->sigma * next_normal();
}

static double follow(noise *n, uint32_t step, double share) { // AR(1), stationary from the start
    double fresh = sqrt(1 - share * share) * next_normal();
    n->memory = step == 0 ? next_normal() : share * n->memory + fresh;
    return n->base + n->sigma * n->memory;
}
static double half_follows(noise *n, uint32_t step) {
    return follow(n, step, 0.5);
}
static double follows(noise *n, uint32_t step) {
    return follow(n, step, 0.9);
}

static double saw_tooth(noise *n, uint32_t step) {
    double tooth = (double)((step + n->phase) % n->period) / n->period;
    return n->base + n->sigma * (4 * tooth + 0.3 * next_normal());
}

static double lognormal(noise *n, uint32_t step) {
    (void)step;
    return n->base * exp(0.5 * next_normal());
}

static double counts(noise *n, uint32_t step) {
    (void)step;
    return next_poisson(n->base);
}

static const struct {
    const char *name;
    series next;
} stationary[] = {{"white", white},         {"AR(1) 0.5", half_follows}, {"AR(1) 0.9", follows},
                  {"saw-tooth", saw_tooth}, {"lognormal", lognormal},    {"counts", counts}};

static noise make_noise(series next, uint32_t step_count) {
    double base = exp(1.5 * next_normal());
    noise n = {.base = next == counts ? 1 + 20 * base : 10000 * base};
    n.sigma = n.base * (0.03 + 0.17 * next_uniform());
    uint32_t most = step_count / 3 > 4 ? step_count / 3 : 4;
    n.period = 3 + (uint32_t)(next_uniform() * (most - 2));
    n.phase = (uint32_t)(next_uniform() * n.period);
    return n;
}

// ---- heaps

typedef struct heap {
    uint32_t group_count, step_count;
    double *values; // [group][step]
} heap;

static heap make_heap(series next, uint32_t group_count, uint32_t step_count) {
    heap h = {group_count, step_count,
              mc_alloc((size_t)group_count * step_count, sizeof *h.values)};
    REQUIRE(h.values);
    for (uint32_t i = 0; i < group_count; i++) {
        noise n = make_noise(next, step_count);
        for (uint32_t step = 0; step < step_count; step++)
            h.values[i * step_count + step] = next(&n, step);
    }
    return h;
}

static mc_trace *make_trace(const heap *h) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < h->step_count; step++) {
        mc_step_tree_reset(&tree);
        tree.time_ms = (int64_t)step * 10000;
        uint32_t root = test_add_node(&tree, MC_NONE, "Heap", 0);
        for (uint32_t i = 0; i < h->group_count; i++) {
            double value = h->values[i * h->step_count + step];
            uint64_t objects = value > 0 ? (uint64_t)(value + 0.5) : 0;
            char key[16];
            snprintf(key, sizeof key, "g%04u", i);
            if (objects > 0) test_add_node(&tree, root, key, objects);
            test_add_objects(&tree, root, objects);
        }
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    return trace;
}

typedef struct finding {
    mc_heap_verdict verdict;
    bool is_named; // group 0 is among what grows
    uint32_t growing_count;
} finding;

static finding find(const heap *h) {
    mc_suspects found = {0};
    mc_trace *trace = make_trace(h);
    REQUIRE(mc_suspects_find(trace, MC_METRIC_OBJECTS, mc_step_range_whole(trace), 0, NULL, &found,
                             NULL) == MC_OK);
    uint32_t node = mc_trace_find_node(trace, "Heap#g0000", 10);
    finding result = {.verdict = found.verdict, .growing_count = found.growing_count};
    for (uint32_t i = 0; i < found.growing_count; i++)
        result.is_named |= found.items[i].node == node;
    mc_suspects_deinit(&found);
    mc_trace_destroy(trace);
    return result;
}

// Of RUNS heaps without growth: how many have a group accused.
static uint32_t count_accused(series next, uint32_t group_count, uint32_t step_count,
                              uint32_t *stopped) {
    uint32_t accused = 0;
    *stopped = 0;
    for (uint32_t run = 0; run < RUNS; run++) {
        state = run * 1000003 + step_count * 131 + group_count;
        heap h = make_heap(next, group_count, step_count);
        finding found = find(&h);
        accused += found.verdict == MC_HEAP_GROWS;
        *stopped += found.verdict == MC_HEAP_STOPPED;
        mc_free(h.values);
    }
    return accused;
}

// Of RUNS heaps in whose first group, of usual size, a leak begins `leak_steps` before the end: in
// how many it is named.
static uint32_t count_found(series next, uint32_t group_count, uint32_t step_count,
                            uint32_t leak_steps, double sigmas) {
    uint32_t found = 0;
    for (uint32_t run = 0; run < RUNS; run++) {
        state = run * 1000003 + step_count * 131 + group_count;
        heap h = make_heap(next, group_count, step_count);
        noise n = {.base = 20000, .sigma = 2000, .period = 5};
        for (uint32_t step = 0; step < step_count; step++) {
            uint32_t begin = step_count - leak_steps;
            double leaked = step < begin ? 0 : sigmas * n.sigma * (step - begin + 1) / leak_steps;
            h.values[step] = next(&n, step) + leaked;
        }
        found += find(&h).is_named;
        mc_free(h.values);
    }
    return found;
}

static void print_table(void) {
    static const uint32_t steps[] = {5, 6, 8, 12, 20, 30, 60, 120};
    static const uint32_t groups[] = {20, 200, 2000};
    printf("accused (stopped) of %d stationary traces, by steps\n%-22s", RUNS, "");
    for (size_t k = 0; k < COUNT(steps); k++)
        printf("%10u", steps[k]);
    for (size_t i = 0; i < COUNT(stationary); i++)
        for (size_t g = 0; g < COUNT(groups); g++) {
            printf("\n%-12s %5u    ", stationary[i].name, groups[g]);
            for (size_t k = 0; k < COUNT(steps); k++) {
                uint32_t stopped,
                    accused = count_accused(stationary[i].next, groups[g], steps[k], &stopped);
                printf("   %2u (%2u)", accused, stopped);
                fflush(stdout);
            }
        }
    printf("\n\nfound of %d leaks among 20 groups\n", RUNS);
    static const uint32_t leaks[][2] = {{12, 12}, {20, 12}, {30, 12}, {30, 30},
                                        {60, 12}, {60, 60}, {120, 30}};
    static const double sigmas[] = {4, 6, 8, 12, 20};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < COUNT(leaks); k++) {
            printf("%-10s %3u steps, over %3u:", stationary[i].name, leaks[k][0], leaks[k][1]);
            for (size_t s = 0; s < COUNT(sigmas); s++)
                printf("  %4.0f sigma %2u", sigmas[s],
                       count_found(stationary[i].next, 20, leaks[k][0], leaks[k][1], sigmas[s]));
            printf("\n");
            fflush(stdout);
        }
}

// ---- what must hold

// A few of the table's rows. Several groups remember, the others don't: in any order.
static void test_stationary(void) {
    static const struct {
        uint32_t group_count, step_count;
    } sizes[] = {{3, 12}, {20, 5}, {20, 12}, {20, 30}, {200, 20}};
    for (size_t i = 0; i < COUNT(stationary); i++)
        for (size_t k = 0; k < COUNT(sizes); k++) {
            uint32_t stopped, accused = count_accused(stationary[i].next, sizes[k].group_count,
                                                      sizes[k].step_count, &stopped);
            CHECK_MSG(accused <= 1, "%s, %u groups, %u steps: %u of %d accused", stationary[i].name,
                      sizes[k].group_count, sizes[k].step_count, accused, RUNS);
        }
}

static void test_mixed(void) {
    enum { GROUPS = 20, REMEMBERING = 7, STEPS = 20 };
    uint32_t accused = 0;
    for (uint32_t run = 0; run < RUNS; run++) {
        state = run * 7919 + 1;
        heap h = make_heap(white, GROUPS, STEPS);
        for (uint32_t i = 0; i < REMEMBERING; i++) {
            noise n = make_noise(follows, STEPS);
            for (uint32_t step = 0; step < STEPS; step++)
                h.values[i * STEPS + step] = follows(&n, step);
        }
        accused += find(&h).verdict == MC_HEAP_GROWS;
        mc_free(h.values);
    }
    CHECK_MSG(accused <= 1, "%u of %d accused", accused, RUNS);
}

// Without control of chance 33 of the first were found, and 37 of the last.
static void test_leaks(void) {
    static const struct {
        series next;
        uint32_t group_count, step_count, leak_steps;
        double sigmas;
        uint32_t least;
    } cases[] = {{white, 20, 30, 12, 6, 31},         {white, 20, 60, 12, 6, 33},
                 {white, 200, 30, 12, 8, 30},        {half_follows, 20, 30, 12, 8, 30},
                 {half_follows, 20, 60, 12, 12, 36}, {follows, 20, 30, 12, 12, 36},
                 {saw_tooth, 20, 30, 12, 30, 30},    {white, 1, 12, 12, 20, 36}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t found = count_found(cases[i].next, cases[i].group_count, cases[i].step_count,
                                     cases[i].leak_steps, cases[i].sigmas);
        CHECK_MSG(found >= cases[i].least, "leak %zu: %u of %d found", i, found, RUNS);
    }
}

// Of many that rise evenly, none is chance; so is one among many that never change.
static void test_lines(void) {
    for (uint32_t leak_count = 1; leak_count <= 100; leak_count *= 10) {
        heap h = {.group_count = 100, .step_count = 8};
        h.values = mc_alloc((size_t)h.group_count * h.step_count, sizeof *h.values);
        REQUIRE(h.values);
        for (uint32_t i = 0; i < h.group_count; i++)
            for (uint32_t step = 0; step < h.step_count; step++)
                h.values[i * h.step_count + step] = 1000 + (i < leak_count ? 103 * step : 7 * i);
        finding found = find(&h);
        CHECK_MSG(found.is_named && found.growing_count == leak_count, "%u of %u",
                  found.growing_count, leak_count);
        mc_free(h.values);
    }
}

// ---- the parts of it

static void test_limit(void) {
    double chances[] = {0.02, 0.001, 0.5, 0.012};
    // of 4: 0.0025, 0.005, 0.0075, 0.01 for the smallest, … the largest
    CHECK(mc_chance_find_limit(chances, 4, 4, 0.01) == 0.001);
    // that all of three are small enough together counts, though the second alone is not
    double three[] = {0.007, 0.006, 0.0001};
    CHECK(mc_chance_find_limit(three, 3, 4, 0.01) == 0.007);
    CHECK(mc_chance_find_limit(three, 3, 100, 0.01) == 0.0001);
    CHECK(mc_chance_find_limit(three, 3, 1000, 0.01) == 0);
    CHECK(mc_chance_find_limit(NULL, 0, 0, 0.01) == 0);
}

// What noise of one kind does in a thousandth of all cases is no likelier than that, if groups of
// its kind are learned from.
static void test_calibration(void) {
    enum { SERIES = 2000, STEPS = 20 };
    static mc_chance_evidence evidence[SERIES];
    for (size_t i = 0; i < 3; i++) {
        double shares[] = {0, 0.5, 0.9}, mean = 0;
        uint32_t count = 0;
        state = i + 1;
        for (uint32_t k = 0; k < SERIES; k++) {
            noise n = {.base = 10000, .sigma = 1000};
            int64_t values[STEPS];
            for (uint32_t step = 0; step < STEPS; step++)
                values[step] = (int64_t)stationary[i].next(&n, step);
            evidence[k] = mc_chance_weigh(values, STEPS);
        }
        mc_chance_shares learnt = mc_chance_learn(evidence, SERIES);
        for (uint32_t k = 0; k < SERIES; k++)
            count += mc_chance_compute(&evidence[k], &learnt) < 0.01;
        CHECK_MSG(count <= SERIES / 100, "%s: %u of %d", stationary[i].name, count, SERIES);
        static const double known[MC_CHANCE_SHARES] = {0,   0.1, 0.2, 0.3, 0.4,  0.5,
                                                       0.6, 0.7, 0.8, 0.9, 0.95, 0.99};
        uint32_t most = 0;
        for (uint32_t k = 0; k < MC_CHANCE_SHARES; k++)
            if (learnt.weight[k] > learnt.weight[most]) most = k;
        CHECK_MSG(fabs(known[most] - shares[i]) < 0.15, "%s: %g", stationary[i].name, known[most]);
        for (uint32_t k = 0; k < MC_CHANCE_SHARES; k++)
            mean += learnt.weight[k];
        CHECK(fabs(mean - 1) < 1e-9);
    }
}

static void test_extremes(void) {
    static const int64_t line[] = {0, INT64_MAX / 4, INT64_MAX / 2, INT64_MAX / 4 * 3, INT64_MAX};
    static const int64_t one[] = {0, 0, 0, 0, 1};
    mc_chance_evidence evidence[] = {
        mc_chance_weigh(line, 5), mc_chance_weigh(one, 5), {.signs = 0}};
    mc_chance_shares learnt = mc_chance_learn(evidence, 3);
    CHECK(mc_chance_compute(&evidence[0], &learnt) < 0.01);
    CHECK(mc_chance_compute(&evidence[1], &learnt) > 0.05);
    CHECK(mc_chance_compute(&evidence[2], &learnt) == 1);
    learnt = mc_chance_learn(NULL, 0);
    CHECK(mc_chance_compute(&evidence[0], &learnt) < 0.05);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--table") == 0) {
        print_table();
        return 0;
    }
    test_stationary();
    test_mixed();
    test_leaks();
    test_lines();
    test_limit();
    test_calibration();
    test_extremes();
    return test_finish();
}
