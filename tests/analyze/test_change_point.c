// Where a rate changes, against numbers from a script that knows only the definitions (naive sums
// over all places); and what is no change.
#include "engine/analyze/change_point.h"
#include "engine/base/memory.h"
#include "tests/test.h"

typedef struct expected {
    const char *name;
    int64_t values[44];
    uint32_t count;
    mc_change_point change;
} expected;

static const expected cases[] = {
    {"line",
     {1000, 1350, 1700, 2050, 2400, 2750, 3100, 3450, 3800, 4150, 4500, 4850, 5200, 5550, 5900,
      6250},
     16,
     {false, 0, 0, 0, 0.794786903842}},
    {"flat then leak",
     {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1350, 1700,
      2050, 2400, 2750, 3100, 3450, 3800, 4150, 4500, 4850, 5200},
     21,
     {true, 8, 8, 8, 1.000000000000}},
    {"noisy",
     {1000, 1001, 1001, 1003, 1003, 1004, 1007, 1007, 1008, 1010, 1050, 1085, 1137, 1178, 1222,
      1260, 1310, 1357},
     18,
     {true, 9, 8, 10, 0.999711797567}},
    {"warm-up, rest, leak",
     {0,     9000,  17000, 26500, 29500, 29700, 29700, 29700, 29700, 29700, 29700,
      29700, 29700, 29700, 29700, 29700, 29700, 29700, 29770, 29840, 29910, 29980,
      30050, 30120, 30190, 30260, 30330, 30400, 30470, 30540, 30610, 30680},
     32,
     {true, 17, 17, 17, 1.000000000000}},
    {"jump, then leak",
     {1000,   1000,   1000,   1000,   1000,   1000,   101000, 101000,
      101000, 101000, 101000, 101000, 101000, 101020, 101040, 101060,
      101080, 101100, 101120, 101140, 101160, 101180, 101200},
     23,
     {true, 12, 12, 12, 0.999412068781}},
    {"teeth",
     {1000, 1000, 1000, 1000, 1050, 1050, 1050, 1050, 1100, 1100, 1100,
      1100, 1150, 1150, 1150, 1150, 1200, 1200, 1200, 1200, 1250, 1250,
      1250, 1250, 1300, 1300, 1300, 1300, 1350, 1350, 1350, 1350, 1400},
     33,
     {false, 0, 0, 0, 0.831748711525}},
    {"rest, teeth",
     {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000,
      1000, 1000, 1000, 1000, 1050, 1050, 1050, 1100, 1100, 1100, 1150, 1150, 1150, 1200, 1200,
      1200, 1250, 1250, 1250, 1300, 1300, 1300, 1350, 1350, 1350, 1400, 1400, 1400, 1450},
     44,
     {true, 18, 10, 32, 0.636470746152}},
    {"slows",
     {1000, 1900, 2800, 3700, 4600, 5500, 6400, 7300,  8200,  9100,  9200,
      9300, 9400, 9500, 9600, 9700, 9800, 9900, 10000, 10100, 10200, 10300},
     22,
     {true, 9, 9, 9, 1.000000000000}},
    {"short", {1000, 1000, 1000, 1005, 1010, 1015}, 6, {false, 0, 0, 0, 0.000000000000}},
    {"doubles",
     {1000, 1010, 1020, 1030, 1040, 1050, 1060, 1070, 1080, 1090, 1100,
      1120, 1140, 1160, 1180, 1200, 1220, 1240, 1260, 1280, 1300},
     21,
     {false, 0, 0, 0, 0.000000000000}},
    {"chance",
     {1000, 1003, 1004, 1008, 1009, 1014, 1023, 1025, 1031, 1036, 1039,
      1044, 1052, 1061, 1068, 1077, 1080, 1082, 1085, 1093, 1097},
     21,
     {false, 0, 0, 0, 0.560891685280}},
    {"two leaks",
     {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1010, 1020, 1030, 1040, 1050,
      1060, 1070, 1080, 1090, 1290, 1490, 1690, 1890, 2090, 2290, 2490, 2690},
     25,
     {true, 16, 7, 16, 0.999995648469}},
};

static void test_known(void) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const expected *want = &cases[i];
        const mc_change_point *change = &want->change;
        mc_change_point found;
        REQUIRE(mc_change_point_find(want->values, want->count, &found, NULL) == MC_OK);
        CHECK_MSG(found.is_found == change->is_found && found.since == change->since, "%s: %d, %u",
                  want->name, found.is_found, found.since);
        CHECK_MSG(found.early == change->early && found.late == change->late, "%s: %u to %u",
                  want->name, found.early, found.late);
        CHECK_MSG(fabs(found.confidence - change->confidence) < 1e-9, "%s: %.12f", want->name,
                  found.confidence);
    }
}

// What goes down again does not stay: only the troughs count, however high the teeth are.
static void test_teeth(void) {
    int64_t values[60];
    for (int i = 0; i < 60; i++)
        values[i] = 1000 + (i < 30 ? 0 : (i - 30) / 5 * 50) + i % 5 * 400;
    mc_change_point found;
    REQUIRE(mc_change_point_find(values, 60, &found, NULL) == MC_OK);
    CHECK_MSG(found.is_found && found.since >= 25 && found.since <= 35, "%u", found.since);
    CHECK(found.early <= found.since && found.since <= found.late);
}

static void test_edges(void) {
    mc_change_point found;
    int64_t values[8] = {INT64_MAX};
    REQUIRE(mc_change_point_find(values, 1, &found, NULL) == MC_OK);
    CHECK(!found.is_found && found.confidence == 0);
    REQUIRE(mc_change_point_find(values, 0, &found, NULL) == MC_OK);
    CHECK(!found.is_found);
    for (int i = 0; i < 8; i++)
        values[i] = i < 4 ? 0 : INT64_MAX - 70 + i * 10;
    REQUIRE(mc_change_point_find(values, 8, &found, NULL) == MC_OK);
    CHECK(found.since < 8);
    // Many points, and as many times out of memory as it allocates.
    enum { MANY = 5000 };
    int64_t *many = mc_alloc(MANY, sizeof *many);
    REQUIRE(many);
    for (int i = 0; i < MANY; i++)
        many[i] = i < 3210 ? 7 : (i - 3210) * 1000;
    REQUIRE(mc_change_point_find(many, MANY, &found, NULL) == MC_OK);
    CHECK_MSG(found.is_found && found.since == 3210, "%u", found.since);
    uint32_t failures = 0;
    for (uint64_t n = 0; n < 100; n++) {
        mc_memory_fail_after(n);
        mc_result result = mc_change_point_find(many, MANY, &found, NULL);
        mc_memory_fail_after(UINT64_MAX);
        if (result == MC_OK) break;
        CHECK(result == MC_ERROR_OUT_OF_MEMORY);
        failures++;
    }
    CHECK_MSG(failures == 7, "%u", failures);
    mc_free(many);
}

int main(void) {
    test_known();
    test_teeth();
    test_edges();
    return test_finish();
}
