#include "app/time_axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define YEAR (365 * DAY)

// Steps of an axis that clocks and calendars know; beyond them days by 1, 2 and 5.
static int64_t find_step(int64_t span_ms, uint32_t most) {
    static const int64_t steps[] = {100,        200,         500,         SECOND,      2 * SECOND,
                                    5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE,
                                    2 * MINUTE, 5 * MINUTE,  10 * MINUTE, 15 * MINUTE, 30 * MINUTE,
                                    HOUR,       2 * HOUR,    3 * HOUR,    6 * HOUR,    12 * HOUR};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (span_ms / steps[i] < most) return steps[i];
    for (int64_t step = DAY;; step *= 10)
        for (int64_t factor = 1; factor <= 5; factor += factor == 1 ? 1 : 3)
            if (span_ms / (factor * step) < most) return factor * step;
}

// The midnight before a date, as the machine's clock has it; 0 for times of a run.
static int64_t find_origin(int64_t first_ms) {
    time_t seconds = (time_t)(first_ms / 1000);
    struct tm tm;
    if (!mc_format_is_date(first_ms) || !localtime_r(&seconds, &tm)) return 0;
    return (int64_t)(seconds - tm.tm_hour * 3600 - tm.tm_min * 60 - tm.tm_sec) * 1000;
}

// As short as the step allows.
static void write_tick(char out[24], int64_t time_ms, int64_t step_ms, int64_t span_ms) {
    char text[MC_FORMAT_SIZE];
    time_t seconds = (time_t)(time_ms / 1000);
    struct tm tm;
    if (!mc_format_is_date(time_ms)) {
        snprintf(out, 24, "%.23s", mc_format_time(text, time_ms));
        // 0:10.0: tenths where they say something; 40 d 00:00: hours likewise.
        char *point = strchr(out, '.'), *hours = strstr(out, " d ");
        if (point && step_ms >= SECOND) *point = '\0';
        if (hours && step_ms >= DAY) hours[strlen(" d")] = '\0';
        return;
    }
    const char *form = step_ms >= DAY      ? (span_ms > YEAR ? "%Y-%m-%d" : "%m-%d")
                       : span_ms > DAY     ? "%m-%d %H:%M"
                       : step_ms >= MINUTE ? "%H:%M"
                                           : "%H:%M:%S";
    if (!localtime_r(&seconds, &tm) || strftime(out, 24, form, &tm) == 0) out[0] = '\0';
    size_t size = strlen(out);
    if (size > 0 && step_ms < SECOND)
        snprintf(out + size, 24 - size, ".%d", (int)(time_ms % SECOND / 100));
}

uint32_t mc_time_axis_make(int64_t first_ms, int64_t last_ms, uint32_t most,
                           mc_time_tick ticks[MC_TIME_TICK_MOST]) {
    if (most > MC_TIME_TICK_MOST) most = MC_TIME_TICK_MOST;
    int64_t span = last_ms - first_ms; // times of steps are far from what 64 bits hold
    if (span < 200 || most < 2) return 0;
    int64_t step = find_step(span, most);
    // The first round time that is not before the first step.
    int64_t rest = (first_ms - find_origin(first_ms)) % step;
    int64_t time = first_ms + (rest > 0 ? step - rest : -rest);
    uint32_t count = 0;
    for (; time <= last_ms && count < most; time += step) {
        ticks[count].place = (double)(time - first_ms) / (double)span;
        write_tick(ticks[count++].text, time, step, span);
        if (last_ms - time < step) break;
    }
    return count;
}

double mc_time_axis_place(int64_t first_ms, int64_t last_ms, int64_t time_ms, uint32_t index,
                          uint32_t count) {
    double span = (double)last_ms - (double)first_ms;
    if (span > 0) return fmin(fmax(((double)time_ms - (double)first_ms) / span, 0), 1);
    return count > 1 ? (double)index / (count - 1) : 0.5;
}
