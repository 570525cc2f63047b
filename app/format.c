#include "app/format.h"

#include "engine/base/printable.h"
#include "engine/base/printable_text.h"
#include "engine/base/utf8.h"
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// September 2001: larger times are since 1970, smaller ones since the start of a run.
#define FIRST_DATE_MS INT64_C(1000000000000)

char *mc_format_count(char out[MC_FORMAT_SIZE], uint64_t count) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    char *to = out;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return out;
}

char *mc_format_counted(char out[MC_FORMAT_SIZE], uint64_t count, const char *noun) {
    char number[MC_FORMAT_SIZE];
    snprintf(out, MC_FORMAT_SIZE, "%.26s %.19s%s", mc_format_count(number, count), noun,
             count == 1 ? "" : "s");
    return out;
}

static uint64_t magnitude(int64_t value) {
    return value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;
}

static const char *sign_of(int64_t value) {
    return value > 0 ? "+" : value < 0 ? "−" : "±";
}

char *mc_format_growth(char out[MC_FORMAT_SIZE], int64_t growth) {
    char number[MC_FORMAT_SIZE];
    snprintf(out, MC_FORMAT_SIZE, "%s%.40s", sign_of(growth),
             mc_format_count(number, magnitude(growth)));
    return out;
}

// Three digits and a unit; below `base` the number itself.
static char *scaled(char out[MC_FORMAT_SIZE], uint64_t value, double base,
                    const char *const units[], const char *plain) {
    double number = (double)value;
    int unit = -1;
    // 999.5 would be printed as 1000.
    while (unit < 5 && number >= (unit < 0 ? base : 999.5)) {
        number /= base;
        unit++;
    }
    if (unit < 0) {
        snprintf(out, MC_FORMAT_SIZE, "%" PRIu64 "%s", value, plain);
    } else {
        int decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
        snprintf(out, MC_FORMAT_SIZE, "%.*f %s", decimals, number, units[unit]);
    }
    return out;
}

char *mc_format_si(char out[MC_FORMAT_SIZE], uint64_t count) {
    static const char *const units[] = {"k", "M", "G", "T", "P", "E"};
    return scaled(out, count, 1000.0, units, "");
}

static atomic_bool has_decimal_bytes;

void mc_format_use_decimal_bytes(bool is_decimal) {
    atomic_store(&has_decimal_bytes, is_decimal);
}

char *mc_format_bytes(char out[MC_FORMAT_SIZE], uint64_t bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    static const char *const decimal_units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    if (atomic_load(&has_decimal_bytes)) return scaled(out, bytes, 1000.0, decimal_units, " B");
    return scaled(out, bytes, 1024.0, units, " B");
}

char *mc_format_bytes_growth(char out[MC_FORMAT_SIZE], int64_t bytes) {
    char number[MC_FORMAT_SIZE];
    snprintf(out, MC_FORMAT_SIZE, "%s%.40s", sign_of(bytes),
             mc_format_bytes(number, magnitude(bytes)));
    return out;
}

#define ROUNDED_MAX 9e18 // that a whole number of 64 bits surely holds

static char *format_beyond(char out[MC_FORMAT_SIZE], double rate, const char *unit) {
    snprintf(out, MC_FORMAT_SIZE, "%s%.2e%s", sign_of(rate > 0 ? 1 : -1), fabs(rate), unit);
    return out;
}

char *mc_format_rate(char out[MC_FORMAT_SIZE], double rate) {
    return fabs(rate) < ROUNDED_MAX ? mc_format_growth(out, (int64_t)llround(rate))
                                    : format_beyond(out, rate, "");
}

char *mc_format_bytes_rate(char out[MC_FORMAT_SIZE], double bytes) {
    const double exbibyte = 1152921504606846976.0;
    return fabs(bytes) < ROUNDED_MAX ? mc_format_bytes_growth(out, (int64_t)llround(bytes))
                                     : format_beyond(out, bytes / exbibyte, " EiB");
}

char *mc_format_share(char out[MC_FORMAT_SIZE], double share) {
    double percent = share * 100.0;
    if (percent > 0 && percent < 0.05)
        snprintf(out, MC_FORMAT_SIZE, "< 0.1 %%");
    else if (percent >= 99.95 && percent < 100)
        snprintf(out, MC_FORMAT_SIZE, "> 99.9 %%");
    else
        snprintf(out, MC_FORMAT_SIZE, "%.1f %%", percent);
    return out;
}

// The fewest digits that give it back. Told from a whole number by its decimal point.
char *mc_format_real(char out[MC_FORMAT_SIZE], double value) {
    int digits = DBL_DIG;
    do
        snprintf(out, MC_FORMAT_SIZE, "%.*g", digits, value);
    while (strtod(out, NULL) != value && digits++ < DBL_DECIMAL_DIG);
    size_t size = strlen(out);
    if (!strpbrk(out, ".e")) snprintf(out + size, MC_FORMAT_SIZE - size, ".0");
    return out;
}

// In the machine's own time zone, as clocks show it.
static char *format_date(char out[MC_FORMAT_SIZE], int64_t time_ms) {
    time_t seconds = (time_t)(time_ms / 1000);
    struct tm tm;
    if (!localtime_r(&seconds, &tm) || strftime(out, MC_FORMAT_SIZE, "%Y-%m-%d %H:%M:%S", &tm) == 0)
        snprintf(out, MC_FORMAT_SIZE, "%" PRId64 " ms", time_ms);
    return out;
}

bool mc_format_is_date(int64_t time_ms) {
    return time_ms >= FIRST_DATE_MS;
}

char *mc_format_time(char out[MC_FORMAT_SIZE], int64_t time_ms) {
    return mc_format_is_date(time_ms) ? format_date(out, time_ms) : mc_format_elapsed(out, time_ms);
}

char *mc_format_elapsed(char out[MC_FORMAT_SIZE], int64_t time_ms) {
    const char *sign = time_ms < 0 ? "−" : "";
    uint64_t ms = magnitude(time_ms), seconds = ms / 1000, hours = seconds / 3600;
    if (hours == 0) {
        snprintf(out, MC_FORMAT_SIZE, "%s%" PRIu64 ":%02" PRIu64 ".%" PRIu64, sign, seconds / 60,
                 seconds % 60, ms % 1000 / 100);
    } else if (hours < 24) {
        snprintf(out, MC_FORMAT_SIZE, "%s%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, sign, hours,
                 seconds / 60 % 60, seconds % 60);
    } else {
        char days[MC_FORMAT_SIZE];
        snprintf(out, MC_FORMAT_SIZE, "%s%.30s d %02" PRIu64 ":%02" PRIu64, sign,
                 mc_format_count(days, hours / 24), hours % 24, seconds / 60 % 60);
    }
    return out;
}

void mc_format_append_line(mc_text *text, const char *bytes, size_t size) {
    mc_printable_append(text, bytes, size);
}

void mc_format_append_markup(mc_text *text, const char *bytes, size_t size) {
    mc_text line = {0};
    mc_printable_append(&line, bytes, size);
    text->failed |= line.failed;
    for (size_t i = 0; i < line.size; i++) {
        switch (line.data[i]) {
        case '<': mc_text_append_string(text, "&lt;"); break;
        case '>': mc_text_append_string(text, "&gt;"); break;
        case '&': mc_text_append_string(text, "&amp;"); break;
        case '"': mc_text_append_string(text, "&quot;"); break;
        default: mc_text_append(text, &line.data[i], 1);
        }
    }
    mc_text_deinit(&line);
}

// The character at bytes[0], of `length` bytes, that can't be shown.
static void append_tsv_escape(mc_text *text, const char *bytes, size_t length) {
    switch (bytes[0]) {
    case '\t': mc_text_append(text, "\\t", 2); return;
    case '\n': mc_text_append(text, "\\n", 2); return;
    case '\r': mc_text_append(text, "\\r", 2); return;
    default:
        for (size_t i = 0; i < length; i++)
            mc_text_format(text, "\\x%02x", (unsigned char)bytes[i]);
    }
}

// All of these are below U+10000.
static void append_json_escape(mc_text *text, uint32_t character) {
    if (character == MC_UTF8_NONE) character = 0xfffd; // JSON has no way to say it
    mc_text_format(text, "\\u%04x", character);
}

// What is printable, with a backslash before each one, and in JSON before each quote.
static void append_marked(mc_text *text, const char *bytes, size_t size, bool is_json) {
    size_t begin = 0;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != '\\' && (bytes[i] != '"' || !is_json)) continue;
        mc_text_append(text, bytes + begin, i - begin);
        mc_text_append(text, "\\", 1);
        begin = i;
    }
    mc_text_append(text, bytes + begin, size - begin);
}

static void append_escaped(mc_text *text, const char *bytes, size_t size, bool is_json) {
    for (size_t at = 0; at < size;) {
        size_t fine = mc_printable_measure(bytes + at, size - at), length;
        append_marked(text, bytes + at, fine, is_json);
        at += fine;
        if (at == size) break;
        uint32_t character = mc_utf8_decode((const unsigned char *)bytes + at, size - at, &length);
        if (is_json)
            append_json_escape(text, character);
        else
            append_tsv_escape(text, bytes + at, length);
        at += length;
    }
}

void mc_format_append_tsv(mc_text *text, const char *bytes, size_t size) {
    append_escaped(text, bytes, size, false);
}

// Most names: nothing of them is escaped, in either form.
static bool is_plain(const char *bytes, size_t size) {
    bool is = true;
    for (size_t i = 0; i < size; i++)
        is &= bytes[i] >= 0x20 && bytes[i] < 0x7f && bytes[i] != '"' && bytes[i] != '\\';
    return is;
}

void mc_format_append_json(mc_text *text, const char *bytes, size_t size) {
    mc_text_append(text, "\"", 1);
    if (is_plain(bytes, size))
        mc_text_append(text, bytes, size);
    else
        append_escaped(text, bytes, size, true);
    mc_text_append(text, "\"", 1);
}
