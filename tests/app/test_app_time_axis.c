// Round times below a chart, for runs of any length and for dates.
#include "app/time_axis.h"
#include "tests/test.h"
#include <stdlib.h>
#include <time.h>

#define SECOND INT64_C(1000)
#define HOUR (3600 * SECOND)
#define DAY (24 * HOUR)
#define DATE INT64_C(1700000000000) // 2023-11-14 22:13:20 UTC

// All texts in a row.
static void check(int64_t first_ms, int64_t last_ms, uint32_t most, const char *expected) {
    mc_time_tick ticks[MC_TIME_TICK_MOST];
    char texts[512] = "";
    uint32_t count = mc_time_axis_make(first_ms, last_ms, most, ticks);
    for (uint32_t i = 0; i < count; i++) {
        size_t size = strlen(texts);
        snprintf(texts + size, sizeof texts - size, "%s%s", i > 0 ? " | " : "", ticks[i].text);
        CHECK(ticks[i].place >= 0 && ticks[i].place <= 1);
        CHECK(i == 0 || ticks[i].place > ticks[i - 1].place);
    }
    CHECK_MSG(strcmp(texts, expected) == 0, "%s, not %s", texts, expected);
}

static void check_places(void) {
    mc_time_tick ticks[MC_TIME_TICK_MOST];
    CHECK(mc_time_axis_make(5 * SECOND, 25 * SECOND, 4, ticks) == 2);
    CHECK(ticks[0].place == 0.25 && ticks[1].place == 0.75);
    CHECK(mc_time_axis_place(10, 30, 15, 1, 3) == 0.25);
    CHECK(mc_time_axis_place(10, 10, 10, 1, 3) == 0.5 && mc_time_axis_place(7, 7, 7, 0, 1) == 0.5);
    CHECK(mc_time_axis_place(-INT64_MAX / 2, INT64_MAX / 2, 0, 1, 3) == 0.5);
}

int main(void) {
    setenv("TZ", "UTC", 1);
    tzset();
    check(4100, 102000, 5, "0:30 | 1:00 | 1:30");
    check(0, 1000, 6, "0:00.0 | 0:00.2 | 0:00.4 | 0:00.6 | 0:00.8 | 0:01.0");
    check(-3 * SECOND, 3 * SECOND, 4, "−0:02 | 0:00 | 0:02");
    check(0, 5 * HOUR, 4, "0:00 | 2:00:00 | 4:00:00");
    check(0, 40 * DAY, 3, "0:00 | 20 d | 40 d");
    check(0, 2 * DAY, 5, "0:00 | 12:00:00 | 1 d 00:00 | 1 d 12:00 | 2 d 00:00");
    check(DATE, DATE + 3 * SECOND, 4, "22:13:20 | 22:13:21 | 22:13:22 | 22:13:23");
    check(DATE, DATE + 500, 3, "22:13:20.0 | 22:13:20.2 | 22:13:20.4");
    check(DATE, DATE + HOUR, 4, "22:30 | 23:00");
    check(DATE, DATE + 2 * DAY, 5, "11-15 00:00 | 11-15 12:00 | 11-16 00:00 | 11-16 12:00");
    check(DATE, DATE + 6 * DAY, 4, "11-16 | 11-18 | 11-20");
    check(DATE, DATE + 900 * DAY, 3, "2025-03-28");
    check(0, 100, 5, "");
    check(0, 0, 5, "");
    check(0, HOUR, 0, "");
    check(0, HOUR, 1, "");
    // However far apart: at most as many as were asked for.
    mc_time_tick ticks[MC_TIME_TICK_MOST];
    int64_t most_ms = (INT64_C(1) << 62) - 1;
    for (uint32_t most = 0; most < 20; most++) {
        CHECK(mc_time_axis_make(-most_ms, most_ms, most, ticks) <= most);
        CHECK(mc_time_axis_make(0, most_ms, most, ticks) <= MC_TIME_TICK_MOST);
    }
    check_places();
    return test_finish();
}
