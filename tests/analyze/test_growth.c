// The one judgement of "keeps growing": series of which one can say what they do, and many random
// ones, of which few may be taken for what they are not.
#include "engine/analyze/growth.h"
#include "tests/test.h"
#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define NONE MC_GROWTH_NONE
#define STOPPED MC_GROWTH_STOPPED
#define GOES_ON MC_GROWTH_GOES_ON

typedef struct sample {
    const char *name;
    mc_growth_kind kind;
    uint32_t since, until;
    int64_t amount;
    uint32_t count;
    int64_t values[48];
} sample;

static const sample samples[] = {
    {"nothing", NONE, 0, 0, 0, 8, {5, 5, 5, 5, 5, 5, 5, 5}},
    {"too few points", NONE, 0, 0, 0, 4, {1, 2, 3, 4}},
    {"a line", GOES_ON, 0, 4, 40, 5, {10, 20, 30, 40, 50}},
    {"falling", NONE, 0, 0, 0, 6, {60, 50, 40, 30, 20, 10}},
    {"one more", STOPPED, 3, 4, 1, 10, {5, 5, 5, 5, 6, 6, 6, 6, 6, 6}},
    {"one jump at the end", NONE, 0, 0, 0, 10, {5, 5, 5, 5, 5, 5, 5, 5, 5, 90}},
    {"a jump in the middle", STOPPED, 4, 5, 85, 10, {5, 5, 5, 5, 5, 90, 90, 90, 90, 90}},
    {"seven rising, eight flat",
     STOPPED,
     0,
     6,
     600,
     15,
     {0, 100, 200, 300, 400, 500, 600, 600, 600, 600, 600, 600, 600, 600, 600}},
    {"a warm-up",
     STOPPED,
     0,
     5,
     990,
     12,
     {0, 500, 750, 875, 937, 950, 970, 980, 985, 987, 989, 990}},
    {"stairs", GOES_ON, 2, 12, 40, 14, {10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40, 50, 50}},
    {"stairs that end",
     STOPPED,
     2,
     6,
     20,
     14,
     {10, 10, 10, 20, 20, 20, 30, 30, 30, 30, 30, 30, 30, 30}},
    {"it begins late",
     GOES_ON,
     11,
     17,
     600,
     18,
     {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 107, 207, 307, 407, 507, 607}},
    {"teeth that end at the top",
     NONE,
     0,
     0,
     0,
     18,
     {1, 3, 5, 7, 9, 1, 3, 5, 7, 9, 1, 3, 5, 7, 9, 1, 3, 9}},
    {"teeth that end in a trough",
     NONE,
     0,
     0,
     0,
     16,
     {1, 3, 5, 7, 9, 1, 3, 5, 7, 9, 1, 3, 5, 7, 9, 1}},
    {"a peak, and not as high once more", NONE, 0, 0, 0, 9, {90, 0, 1, 20, 30, 40, 50, 60, 70}},
    {"teeth on a leak", GOES_ON, 0, 20, 40, 24, {0,  30, 60,  90,  10, 40, 70,  100,
                                                 20, 50, 80,  110, 25, 60, 90,  120,
                                                 35, 70, 100, 130, 40, 80, 110, 140}},
    {"a drop half way, then beyond all before", GOES_ON, 0, 24, 110, 26, {0,   10,  20,  30,  40,
                                                                          50,  60,  70,  80,  90,
                                                                          100, 110, 120, 60,  70,
                                                                          80,  90,  100, 110, 120,
                                                                          130, 140, 150, 160, 165,
                                                                          170}},
    {"a warm-up, then a leak", GOES_ON, 10, 19, 90, 20, {0,    600,  900,  1000, 1010, 1020, 1030,
                                                         1040, 1050, 1060, 1070, 1080, 1090, 1100,
                                                         1110, 1120, 1130, 1140, 1150, 1160}},
    {"the largest counts",
     GOES_ON,
     0,
     5,
     INT64_MAX,
     6,
     {0, INT64_MAX / 5, INT64_MAX / 5 * 2, INT64_MAX / 5 * 3, INT64_MAX / 5 * 4, INT64_MAX}},
    {"one more of the largest",
     STOPPED,
     1,
     2,
     1,
     6,
     {INT64_MAX - 1, INT64_MAX - 1, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}},
};

static void test_samples(void) {
    for (size_t i = 0; i < COUNT(samples); i++) {
        const sample *want = &samples[i];
        mc_growth got = mc_growth_judge(want->values, want->count);
        CHECK_MSG(got.kind == want->kind, "%s: kind %d", want->name, got.kind);
        CHECK_MSG(got.since == want->since && got.until == want->until, "%s: from %u to %u",
                  want->name, got.since, got.until);
        CHECK_MSG(got.amount == want->amount, "%s: amount %lld", want->name, (long long)got.amount);
    }
}

// Every length of them, and each cut off at every point: never out of bounds, never a growth that
// is not there.
static void test_parts(void) {
    for (size_t i = 0; i < COUNT(samples); i++)
        for (uint32_t first = 0; first < samples[i].count; first++)
            for (uint32_t count = 1; first + count <= samples[i].count; count++) {
                const int64_t *values = samples[i].values + first;
                mc_growth got = mc_growth_judge(values, count);
                CHECK(got.since <= got.until && got.until < count && got.amount >= 0);
                CHECK(got.kind == MC_GROWTH_NONE ||
                      (got.until > got.since && values[count - 1] > values[got.since]));
            }
}

// ---- random series

static uint64_t state;

static double next_uniform(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

static double next_normal(void) {
    double radius = sqrt(-2 * log(next_uniform()));
    return radius * cos(6.283185307179586 * next_uniform());
}

typedef double (*series)(uint32_t i, uint32_t count, double *memory);

static double noise(uint32_t i, uint32_t count, double *memory) {
    (void)i, (void)count, (void)memory;
    return 1000 + 100 * next_normal();
}
static double load(uint32_t i, uint32_t count, double *memory) { // one point knows the one before
    (void)count;
    *memory = i == 0 ? 0 : 0.5 * *memory + 80 * next_normal();
    return 1000 + *memory;
}
static double teeth(uint32_t i, uint32_t count, double *memory) {
    (void)count, (void)memory;
    return 1000 + 150 * (i % 6) + 20 * next_normal();
}
static double cache(uint32_t i, uint32_t count, double *memory) {
    (void)memory;
    return 1000 + 2000 * fmin(1, 2.0 * i / count) + 5 * next_normal();
}
static double warm_up(uint32_t i, uint32_t count, double *memory) {
    (void)memory;
    return 1000 + 2000 * (1 - exp(-4.0 * i / count)) + 5 * next_normal();
}
static double fast_warm_up(uint32_t i, uint32_t count, double *memory) { // over soon, then noise
    (void)memory;
    return 200 + 1000 * (1 - exp(-10.0 * i / count)) + 40 * next_normal();
}
static double filling(uint32_t i, uint32_t count, double *memory) { // far from full: tau 1 window
    (void)memory;
    return 1000 + 1000 * (1 - exp(-1.0 * i / count)) + 2 * next_normal();
}
static double root(uint32_t i, uint32_t count, double *memory) {
    (void)memory;
    return 1000 + 1000 * sqrt((double)i / count) + 5 * next_normal();
}
static double leak_after_warm_up(uint32_t i, uint32_t count, double *memory) {
    (void)memory;
    return 1000 + 500 * (1 - exp(-12.0 * i / count)) + 500.0 * i / count + 2 * next_normal();
}
static double leak(uint32_t i, uint32_t count, double *memory) {
    (void)memory;
    return 1000 + 1000.0 * i / count + 30 * next_normal();
}
static double leak_in_noise(uint32_t i, uint32_t count, double *memory) {
    (void)memory;
    return 1000 + 1000.0 * i / count + 200 * next_normal();
}

static double find_share(series next, uint32_t count) {
    enum { RUNS = 400 };
    uint32_t going_on = 0;
    state = count;
    for (int run = 0; run < RUNS; run++) {
        int64_t values[MC_GROWTH_MOST_POINTS];
        double memory = 0;
        for (uint32_t i = 0; i < count; i++)
            values[i] = (int64_t)fmax(0, next(i, count, &memory));
        going_on += mc_growth_judge(values, count).kind == MC_GROWTH_GOES_ON;
    }
    return (double)going_on / RUNS;
}

static void test_random(void) {
    static const struct {
        const char *name;
        series next;
        double least, most;
    } cases[] = {{"noise", noise, 0, 0.02},
                 {"load", load, 0, 0.05},
                 {"teeth", teeth, 0, 0.02},
                 {"cache", cache, 0, 0.02},
                 {"warm-up", warm_up, 0, 0.03},
                 {"fast warm-up", fast_warm_up, 0, 0.03},
                 {"filling", filling, 0, 0.1},
                 {"root", root, 0, 0.3},
                 {"leak after a warm-up", leak_after_warm_up, 0.75, 1},
                 {"leak", leak, 0.98, 1},
                 {"leak in noise", leak_in_noise, 0.48, 1}};
    static const uint32_t counts[] = {12, 20, 30, 48};
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t k = 0; k < COUNT(counts); k++) {
            double share = find_share(cases[i].next, counts[k]);
            CHECK_MSG(share >= cases[i].least && share <= cases[i].most, "%s, %u points: %g",
                      cases[i].name, counts[k], share);
        }
}

// By how much its rate became less, and when it will be half of that: of 1 - exp(-t / T), T
// windows, the rate falls to exp(-1 / T), and halves every T ln 2.
static void test_slower(void) {
    enum { POINTS = 24 };
    static const double windows[] = {0.8, 1, 2, 3};
    for (size_t i = 0; i < COUNT(windows); i++) {
        int64_t values[POINTS];
        for (uint32_t k = 0; k < POINTS; k++)
            values[k] = (int64_t)(1e6 * (1 - exp(-(double)k / (POINTS - 1) / windows[i])));
        mc_growth got = mc_growth_judge(values, POINTS);
        double share = 1 - exp(-1 / windows[i]), points = windows[i] * log(2) * POINTS;
        CHECK_MSG(got.kind == MC_GROWTH_STOPPED && got.until == POINTS - 1, "%g: kind %d",
                  windows[i], got.kind);
        CHECK_MSG(fabs(got.slower_share - share) < 0.06, "%g: %g", windows[i], got.slower_share);
        CHECK_MSG(fabs(got.halving_points - points) < 0.2 * points, "%g: %g", windows[i],
                  got.halving_points);
    }
}

int main(void) {
    test_slower();
    test_samples();
    test_parts();
    test_random();
    return test_finish();
}
