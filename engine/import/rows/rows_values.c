#include "engine/import/rows/rows_values.h"

#include "engine/trace/step_tree.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- numbers

bool mc_rows_read_whole(const char *text, size_t size, uint64_t *number) {
    uint64_t value = 0;
    if (size == 0 || size > 20) return false;
    for (size_t i = 0; i < size; i++) {
        unsigned digit = (unsigned)(unsigned char)text[i] - '0';
        if (digit > 9 || value > MC_COUNT_MAX / 10) return false;
        value = value * 10 + digit;
    }
    *number = value;
    return value <= MC_COUNT_MAX;
}

#define REAL_SIZE 512 // characters that a number may take; a double has 17 digits that count

bool mc_rows_read_real(const char *text, size_t size, double *number) {
    char copy[REAL_SIZE], *end;
    if (size == 0 || size >= sizeof copy) return false;
    for (size_t i = 0; i < size; i++) {
        bool is_known = (text[i] >= '0' && text[i] <= '9') || (text[i] && strchr(".eE+-", text[i]));
        if (!is_known) return false; // no "inf", no hexadecimal, no spaces
    }
    memcpy(copy, text, size);
    copy[size] = '\0';
    *number = strtod(copy, &end);
    bool is_fine = end == copy + size && isfinite(*number) && *number >= 0;
    *number = fabs(*number); // there is one zero
    return is_fine;
}

// ---- times

typedef struct cursor {
    const char *at, *end;
} cursor;

static bool read_digits(cursor *text, int count, int64_t *number) {
    *number = 0;
    if (text->end - text->at < count) return false;
    for (int i = 0; i < count; i++, text->at++) {
        if (*text->at < '0' || *text->at > '9') return false;
        *number = *number * 10 + (*text->at - '0');
    }
    return true;
}

static bool skip(cursor *text, char character) {
    if (text->at == text->end || *text->at != character) return false;
    text->at++;
    return true;
}

// Days since 1970-01-01 in the Gregorian calendar; Howard Hinnant, "chrono-compatible low-level
// date algorithms".
static int64_t count_days(int64_t year, int64_t month, int64_t day) {
    year -= month <= 2;
    int64_t era = year / 400, year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
           719468;
}

static bool is_day(int64_t year, int64_t month, int64_t day) {
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (year < 1 || month < 1 || month > 12 || day < 1) return false;
    return day <= lengths[month - 1] + (month == 2 && is_leap);
}

static bool read_zone(cursor *text, int64_t *offset_ms) {
    int64_t hours, minutes = 0, seconds = 0;
    *offset_ms = 0;
    if (text->at == text->end || skip(text, 'Z')) return text->at == text->end;
    bool is_east = *text->at == '+';
    if (!skip(text, '+') && !skip(text, '-')) return false;
    if (!read_digits(text, 2, &hours)) return false;
    if (text->at < text->end) {
        skip(text, ':');
        if (!read_digits(text, 2, &minutes)) return false;
    }
    if (text->at < text->end && (!skip(text, ':') || !read_digits(text, 2, &seconds))) return false;
    *offset_ms = ((hours * 60 + minutes) * 60 + seconds) * (is_east ? 1000 : -1000);
    return text->at == text->end && hours < 24 && minutes < 60 && seconds < 60;
}

static bool read_date(cursor text, int64_t *time_ms) {
    int64_t year, month, day, hour = 0, minute = 0, second = 0, offset_ms, fraction_ms = 0;
    if (!read_digits(&text, 4, &year) || !skip(&text, '-') || !read_digits(&text, 2, &month) ||
        !skip(&text, '-') || !read_digits(&text, 2, &day) || !is_day(year, month, day))
        return false;
    if (text.at < text.end) {
        if (!skip(&text, ' ') && !skip(&text, 'T')) return false;
        if (!read_digits(&text, 2, &hour) || !skip(&text, ':') || !read_digits(&text, 2, &minute))
            return false;
        if (skip(&text, ':') && !read_digits(&text, 2, &second)) return false;
        if (skip(&text, '.')) {
            int64_t unit = 100;
            const char *begin = text.at;
            for (; text.at < text.end && *text.at >= '0' && *text.at <= '9'; text.at++, unit /= 10)
                fraction_ms += unit * (*text.at - '0');
            if (text.at == begin) return false;
        }
    }
    if (hour > 23 || minute > 59 || second > 59 || !read_zone(&text, &offset_ms)) return false;
    *time_ms = (((count_days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000 +
               fraction_ms - offset_ms;
    return true;
}

static bool scale_time(int64_t number, mc_rows_time_unit unit, int64_t *time_ms) {
    int64_t per_ms = unit == MC_ROWS_MICROSECONDS ? 1000 : 1000000;
    *time_ms = number;
    if (unit == MC_ROWS_SECONDS && (number > MC_TIME_MAX / 1000 || number < MC_TIME_MIN / 1000))
        return false;
    if (unit == MC_ROWS_SECONDS) *time_ms = number * 1000;
    if (unit == MC_ROWS_MICROSECONDS || unit == MC_ROWS_NANOSECONDS)
        *time_ms = number / per_ms - (number % per_ms < 0); // down, before 1970, too
    return *time_ms >= MC_TIME_MIN && *time_ms <= MC_TIME_MAX;
}

bool mc_rows_read_time(const char *text, size_t size, mc_rows_time_unit unit, int64_t *time_ms) {
    uint64_t number;
    bool is_negative = size > 0 && text[0] == '-';
    if (mc_rows_read_whole(text + is_negative, size - is_negative, &number))
        return scale_time(is_negative ? -(int64_t)number : (int64_t)number, unit, time_ms);
    return read_date((cursor){text, text + size}, time_ms);
}

// ---- names

const char *mc_rows_unescape(const char *text, size_t size, mc_text *out) {
    static const char letters[] = "tnrbfv0'\\", meanings[] = "\t\n\r\b\f\v\0'\\";
    const char *end = text + size;
    while (text < end) {
        const char *next = memchr(text, '\\', (size_t)(end - text));
        mc_text_append(out, text, (size_t)((next ? next : end) - text));
        if (!next) return NULL;
        const char *letter = next + 1 < end && next[1] ? strchr(letters, next[1]) : NULL;
        if (!letter)
            return "\\ is written \\\\; known are \\t \\n \\r \\b \\f \\v \\0 \\' \\\\, and \\N "
                   "alone";
        mc_text_append(out, meanings + (letter - letters), 1);
        text = next + 2;
    }
    return NULL;
}

void mc_rows_unquote(const char *text, size_t size, mc_text *out) {
    const char *end = text + size - 1; // the last quote
    for (text++; text < end;) {
        const char *next = memchr(text, '"', (size_t)(end - text));
        mc_text_append(out, text, (size_t)((next ? next + 1 : end) - text));
        text = next ? next + 2 : end;
    }
}
