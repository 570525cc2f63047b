#include "engine/import/format/step_times.h"

#include "engine/base/ascii.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/trace/step_tree.h"
#include <string.h>
#include <sys/stat.h>
#include <time.h>

// What is left of a text.
typedef struct cursor {
    const char *at, *end;
} cursor;

static size_t count_digits(const cursor *c) {
    size_t count = 0;
    while (c->at + count < c->end && mc_is_digit(c->at[count]))
        count++;
    return count;
}

static bool take(cursor *c, const char *any_of) {
    if (c->at == c->end || *c->at == '\0' || !strchr(any_of, *c->at)) return false;
    c->at++;
    return true;
}

// A number of exactly `count` digits; more may follow.
static bool take_digits(cursor *c, size_t count, int *number) {
    if (count_digits(c) < count) return false;
    *number = 0;
    for (size_t i = 0; i < count; i++)
        *number = *number * 10 + (*c->at++ - '0');
    return true;
}

// ---- dates

// "2024-05-01" or "20240501"
static bool take_date(cursor *c, struct tm *tm) {
    if (!take_digits(c, 4, &tm->tm_year)) return false;
    bool has_signs = take(c, "-./");
    if (!take_digits(c, 2, &tm->tm_mon) || (has_signs && !take(c, "-./")) ||
        !take_digits(c, 2, &tm->tm_mday))
        return false;
    tm->tm_year -= 1900;
    tm->tm_mon -= 1;
    return tm->tm_year >= 70 && tm->tm_year < 200 && tm->tm_mon >= 0 && tm->tm_mon < 12 &&
           tm->tm_mday >= 1 && tm->tm_mday <= 31;
}

// "12:00:00", "12:00", "12-00-00", "120000", with a fraction of a second behind.
static bool take_time(cursor *c, struct tm *tm, int *ms, bool *has_colons) {
    static const char signs[] = ":-.h";
    if (!take_digits(c, 2, &tm->tm_hour)) return false;
    *has_colons = c->at < c->end && *c->at == ':';
    bool has_signs = take(c, signs), has_seconds = true;
    if (!take_digits(c, 2, &tm->tm_min)) return false;
    if (has_signs) {
        cursor rest = *c;
        has_seconds = take(&rest, signs) && take_digits(&rest, 2, &tm->tm_sec);
        if (has_seconds) *c = rest;
    } else if (!take_digits(c, 2, &tm->tm_sec)) {
        return false;
    }
    cursor rest = *c;
    bool is_comma = rest.at < rest.end && *rest.at == ','; // may also part two times of a list
    if (has_seconds && take(&rest, ".,") && count_digits(&rest) > 0 &&
        (!is_comma || count_digits(&rest) == 3)) {
        int weight = 100;
        for (; rest.at < rest.end && mc_is_digit(*rest.at); rest.at++, weight /= 10)
            *ms += weight * (*rest.at - '0');
        *c = rest;
    }
    return tm->tm_hour < 24 && tm->tm_min < 60 && tm->tm_sec <= 60;
}

// "Z", "+02:00", "-0700": seconds east of Greenwich.
static bool take_zone(cursor *c, long *offset_s) {
    cursor rest = *c;
    int hours, minutes;
    *offset_s = 0;
    if (take(c, "Zz")) return true;
    bool is_west = rest.at < rest.end && *rest.at == '-';
    if (!take(&rest, "+-") || !take_digits(&rest, 2, &hours)) return false;
    take(&rest, ":");
    if (!take_digits(&rest, 2, &minutes) || hours > 23 || minutes > 59) return false;
    *offset_s = (is_west ? -1 : 1) * (hours * 3600L + minutes * 60L);
    *c = rest;
    return true;
}

static bool take_moment(cursor *c, int64_t *time_ms) {
    cursor rest = *c;
    struct tm tm = {.tm_isdst = -1};
    int ms = 0;
    bool has_colons = false;
    long offset_s;
    if (!take_date(&rest, &tm)) return false;
    if (!take(&rest, "T_-")) // or nothing: "20240501120000"
        while (take(&rest, " "))
            continue;
    if (!take_time(&rest, &tm, &ms, &has_colons)) return false;
    cursor zone = rest;
    bool has_zone = has_colons && take_zone(&zone, &offset_s);
    if (has_zone) rest = zone;
    // A day that its month doesn't have becomes another.
    int day = tm.tm_mday;
    time_t seconds = has_zone ? timegm(&tm) - offset_s : mktime(&tm);
    if (seconds == (time_t)-1 || tm.tm_mday != day) return false;
    *time_ms = (int64_t)seconds * 1000 + ms;
    *c = rest;
    return true;
}

bool mc_step_times_find(const char *text, size_t size, int64_t *time_ms) {
    cursor c = {text, text + size};
    bool found = false;
    while (c.at < c.end) {
        if (!mc_is_digit(*c.at)) {
            c.at++;
            continue;
        }
        if (take_moment(&c, time_ms)) {
            found = true;
            continue;
        }
        size_t count = count_digits(&c);
        int64_t number = 0;
        for (size_t i = 0; i < count && count <= 13; i++)
            number = number * 10 + (c.at[i] - '0');
        c.at += count;
        // From September 2001 on, until these have a digit more.
        if ((count != 10 && count != 13) || *(c.at - count) == '0') continue;
        *time_ms = count == 10 ? number * 1000 : number;
        found = true;
    }
    return found;
}

// ---- lists

static const struct {
    const char *name;
    int64_t ms;
} units[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}, {"d", 86400000}};

static bool take_unit(cursor *c, int64_t *ms) {
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t size = strlen(units[i].name);
        if ((size_t)(c->end - c->at) < size || memcmp(c->at, units[i].name, size) != 0) continue;
        c->at += size;
        *ms = units[i].ms;
        return true;
    }
    return false;
}

// "1500", "90s", "1h30m", "1.5h"
static bool take_duration(cursor *c, int64_t plain_unit_ms, int64_t *time_ms) {
    bool is_first = true;
    double sum = 0;
    while (count_digits(c) > 0) {
        double number = 0, weight = 1;
        for (; c->at < c->end && mc_is_digit(*c->at); c->at++)
            number = number * 10 + (*c->at - '0');
        cursor rest = *c;
        if (take(&rest, ".") && count_digits(&rest) > 0) {
            for (; rest.at < rest.end && mc_is_digit(*rest.at); rest.at++)
                number += (*rest.at - '0') * (weight /= 10);
            *c = rest;
        }
        int64_t unit = plain_unit_ms;
        bool has_unit = take_unit(c, &unit);
        if (!is_first && !has_unit) return false;
        sum += number * (double)unit;
        is_first = false;
        if (!has_unit) break;
    }
    if (is_first || sum > 9e15) return false; // beyond that not every ms is a double
    *time_ms = (int64_t)(sum + 0.5);
    return true;
}

bool mc_duration_parse(const char *text, int64_t unit_ms, int64_t *duration_ms) {
    cursor c = {text, text + strlen(text)};
    return take_duration(&c, unit_ms, duration_ms) && c.at == c.end;
}

bool mc_step_time_parse(const char *text, size_t size, int64_t *time_ms) {
    cursor c = {text, text + size};
    return (take_moment(&c, time_ms) || take_duration(&c, 1, time_ms)) && c.at == c.end;
}

static bool is_between(char byte) {
    return byte == ',' || byte == ';' || byte == '\n' || byte == '\r' || byte == ' ' ||
           byte == '\t';
}

// Of the word at `at`, for a message.
static int measure_word(const char *at, const char *end) {
    int size = 0;
    while (size < 60 && at + size < end && (unsigned char)at[size] > ' ' && at[size] != ',')
        size++;
    return size;
}

mc_result mc_step_times_parse(mc_step_times *times, const char *text, size_t size,
                              mc_error *error) {
    cursor c = {text, text + size};
    for (;;) {
        while (c.at < c.end && (is_between(*c.at) || *c.at == '#')) {
            bool is_remark = *c.at++ == '#';
            while (is_remark && c.at < c.end && *c.at != '\n')
                c.at++;
        }
        if (c.at == c.end) return MC_OK;
        int64_t time_ms;
        const char *begin = c.at;
        bool is_fine = take_moment(&c, &time_ms) || take_duration(&c, 1, &time_ms);
        if (!is_fine || (c.at < c.end && !is_between(*c.at) && *c.at != '#'))
            return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(begin - text),
                                "expected a time as 1500 (ms), 90s, 1h30m or 2024-05-01T12:00:00, "
                                "found \"%.*s\"",
                                measure_word(begin, c.end), begin);
        if (!mc_reserve(&times->values, &times->capacity, times->count + 1, sizeof *times->values))
            return mc_error_out_of_memory(error);
        times->values[times->count++] = time_ms;
    }
}

mc_result mc_step_times_read(mc_step_times *times, const char *list_or_file, mc_error *error) {
    struct stat status;
    *times = (mc_step_times){0};
    mc_file_map map;
    mc_result result;
    if (stat(list_or_file, &status) != 0) {
        result = mc_step_times_parse(times, list_or_file, strlen(list_or_file), error);
    } else {
        result = mc_file_map_open(&map, list_or_file, error);
        if (result != MC_OK) return result;
        result = mc_step_times_parse(times, (const char *)map.data, map.size, error);
        if (result == MC_ERROR_BAD_DATA) mc_error_prepend(error, list_or_file);
        result = mc_file_map_finish(&map, list_or_file, result, error);
        mc_file_map_close(&map);
    }
    if (result == MC_OK && times->count == 0)
        result = mc_fail(error, MC_ERROR_BAD_DATA,
                         "\"%.200s\": expected a list of times, found none", list_or_file);
    return result;
}

void mc_step_times_deinit(mc_step_times *times) {
    mc_free(times->values);
    *times = (mc_step_times){0};
}

// ---- steps

static mc_time_origin get_file_time(const char *path, int64_t *time_ms) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat status;
    if (mc_step_times_find(name, strlen(name), time_ms)) return MC_TIME_FROM_NAME;
    *time_ms = 0;
    if (stat(path, &status) != 0) return MC_TIME_FROM_CHANGE;
    const int64_t most_s = MC_TIME_MAX / 1000 - 1; // some file systems store any number
    int64_t s = (int64_t)status.st_mtim.tv_sec;
    s = s < -most_s ? -most_s : s > most_s ? most_s : s;
    *time_ms = s * 1000 + (int64_t)status.st_mtim.tv_nsec / 1000000;
    return MC_TIME_FROM_CHANGE;
}

mc_result mc_step_clock_get(mc_step_clock *clock, const char *path, uint32_t index,
                            const int64_t *data_time_ms, int64_t *time_ms, mc_time_origin *origin,
                            mc_error *error) {
    mc_time_origin from = MC_TIME_FROM_LIST;
    if (clock->list) {
        if (clock->used == clock->list->count)
            return mc_fail(error, MC_ERROR_BAD_DATA,
                           "--times has %zu times, and there are more steps", clock->used);
        *time_ms = clock->list->values[clock->used++];
    } else if (data_time_ms) {
        from = MC_TIME_FROM_DATA;
        *time_ms = *data_time_ms;
    } else if (index > 0) {
        from = MC_TIME_FROM_STEP_BEFORE;
        *time_ms = clock->last_ms + 1000;
    } else {
        from = get_file_time(path, time_ms);
    }
    clock->last_ms = *time_ms;
    if (origin) *origin = from;
    return MC_OK;
}

mc_result mc_step_clock_finish(const mc_step_clock *clock, mc_error *error) {
    if (!clock->list || clock->used == clock->list->count) return MC_OK;
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "--times has %zu times, but there are %zu steps that need one",
                   clock->list->count, clock->used);
}
