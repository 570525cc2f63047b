// Times as people and programs write them.
#include "engine/base/memory.h"
#include "engine/import/format/step_times.h"
#include "tests/test.h"
#include <inttypes.h>
#include <unistd.h>

#define NOON INT64_C(1714564800000) // 2024-05-01 12:00:00 UTC

static mc_error error;

static void check_found(const char *text, int64_t expected) {
    int64_t time_ms = -1;
    bool found = mc_step_times_find(text, strlen(text), &time_ms);
    CHECK_MSG(found && time_ms == expected, "%s: %" PRId64, text, time_ms);
}

static void test_find(void) {
    check_found("histo-20240501-120000.txt", NOON);
    check_found("histo_20240501120000_4711.txt", NOON);
    check_found("h.2024-05-01T12:00:00.txt", NOON);
    check_found("2024-05-01 12:00", NOON);
    check_found("2024-05-01 12:00:00,125 INFO dump", NOON + 125);
    check_found("2024-05-01T12:00:00.123456Z", NOON + 123);
    check_found("2024-05-01T14:00:00+02:00", NOON);
    check_found("2024-05-01T05:00:00-0700", NOON);
    check_found("2024-05-01_12-00-00", NOON);
    check_found("histo.1714564800.txt", NOON);
    check_found("histo.1714564800250.txt", NOON + 250);
    check_found("2023-01-01 00:00:00 and 2024-05-01 12:00:01", NOON + 1000); // the last
    static const char *const none[] = {"",
                                       "25792:",
                                       "h.1.txt",
                                       "12:00:00",
                                       "2024-05-01",
                                       "2024-13-01 12:00:00",
                                       "2024-02-30 12:00:00",
                                       "2024-05-01 25:00:00",
                                       "java.base@17.0.15",
                                       "0123456789",
                                       "12345678901234567890"};
    int64_t time_ms;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK_MSG(!mc_step_times_find(none[i], strlen(none[i]), &time_ms), "%s", none[i]);
    // Nothing behind the end is read.
    const char *text = "2024-05-01 12:00:00";
    for (size_t size = 0; size < strlen(text); size++) {
        char *block = malloc(size + 1);
        REQUIRE(block);
        memcpy(block + 1, text, size);
        mc_step_times_find(block + 1, size, &time_ms);
        free(block);
    }
}

static void check_list(const char *list, size_t count, const int64_t *expected) {
    mc_step_times times;
    mc_result result = mc_step_times_read(&times, list, &error);
    CHECK_MSG(result == MC_OK && times.count == count, "%s: %s", list, error.message);
    for (size_t i = 0; i < count && result == MC_OK && i < times.count; i++)
        CHECK_MSG(times.values[i] == expected[i], "%s: %" PRId64, list, times.values[i]);
    mc_step_times_deinit(&times);
}

static void test_lists(void) {
    check_list("0,10,250ms", 3, (int64_t[]){0, 10, 250});
    check_list("1s,1m,1h,1d", 4, (int64_t[]){1000, 60000, 3600000, 86400000});
    check_list("1h30m, 1.5h", 2, (int64_t[]){5400000, 5400000});
    check_list("2024-05-01 12:00:00,2024-05-01T12:00:01Z", 2, (int64_t[]){NOON, NOON + 1000});
    char path[] = "/tmp/memcity-times-XXXXXX";
    static const char content[] = "# when\n0\n10s # later\n\n20s\n";
    int fd = mkstemp(path);
    REQUIRE(fd >= 0 && write(fd, content, sizeof content - 1) == sizeof content - 1);
    close(fd);
    check_list(path, 3, (int64_t[]){0, 10000, 20000});
    unlink(path);
    static const char *const wrong[] = {
        "", "x", "1,x", "10q", "-1", "1s2", "99999999999999999999d"};
    mc_step_times times;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK_MSG(mc_step_times_read(&times, wrong[i], &error) == MC_ERROR_BAD_DATA, "%s",
                  wrong[i]);
        mc_step_times_deinit(&times);
    }
    CHECK(mc_step_times_parse(&times, "1, 2, q", 7, &error) == MC_ERROR_BAD_DATA);
    CHECK(error.byte_offset == 6);
    mc_step_times_deinit(&times);
}

static void test_clock(void) {
    int64_t values[] = {5, 6}, time_ms, data = 77;
    mc_step_times list = {.values = values, .count = 2};
    mc_step_clock clock = {.list = &list};
    mc_time_origin origin;
    CHECK(mc_step_clock_get(&clock, "a", 0, &data, &time_ms, &origin, &error) == MC_OK);
    CHECK(time_ms == 5 && origin == MC_TIME_FROM_LIST);
    CHECK(mc_step_clock_finish(&clock, &error) == MC_ERROR_BAD_DATA);
    CHECK(mc_step_clock_get(&clock, "b", 0, NULL, &time_ms, NULL, &error) == MC_OK);
    CHECK(time_ms == 6 && mc_step_clock_finish(&clock, &error) == MC_OK);
    CHECK(mc_step_clock_get(&clock, "c", 0, NULL, &time_ms, NULL, &error) == MC_ERROR_BAD_DATA);

    clock = (mc_step_clock){.list = NULL};
    CHECK(mc_step_clock_get(&clock, "x/20240501-120000", 0, &data, &time_ms, &origin, &error) ==
          MC_OK);
    CHECK(time_ms == 77 && origin == MC_TIME_FROM_DATA);
    mc_step_clock_get(&clock, "x/20240501-120000", 0, NULL, &time_ms, &origin, &error);
    CHECK(time_ms == NOON && origin == MC_TIME_FROM_NAME);
    mc_step_clock_get(&clock, "x/20240501-120000", 1, NULL, &time_ms, &origin, &error);
    CHECK(time_ms == NOON + 1000 && origin == MC_TIME_FROM_STEP_BEFORE);
    mc_step_clock_get(&clock, MC_TEST_DATA "/README.md", 0, NULL, &time_ms, &origin, &error);
    CHECK(time_ms > INT64_C(1600000000000) && origin == MC_TIME_FROM_CHANGE);
}

int main(void) {
    setenv("TZ", "UTC", 1);
    test_find();
    test_lists();
    test_clock();
    return test_finish();
}
