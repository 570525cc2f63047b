// Values of metrics, each in its unit: the one place that knows how.
#include "app/format.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MS_PER_S 1000.0
#define ROUNDED_MAX 9.2e18 // doubles below are whole numbers of 64 bits, too

static const char *const unknown = "–";

static char *put(char out[MC_FORMAT_SIZE], const char *text) {
    snprintf(out, MC_FORMAT_SIZE, "%s", text);
    return out;
}

static char *format_duration(char out[MC_FORMAT_SIZE], double ms) {
    if (ms < MS_PER_S)
        snprintf(out, MC_FORMAT_SIZE, "%.4g ms", ms);
    else if (ms < 100 * MS_PER_S)
        snprintf(out, MC_FORMAT_SIZE, "%.3g s", ms / MS_PER_S);
    else
        return mc_format_elapsed(out, ms < ROUNDED_MAX ? (int64_t)ms : INT64_MAX);
    return out;
}

// Not negative.
static char *format_number(char out[MC_FORMAT_SIZE], const mc_metric_info *info, double number) {
    switch (info->unit) {
    case MC_UNIT_RATIO: return mc_format_share(out, number);
    case MC_UNIT_TIME: return format_duration(out, number);
    case MC_UNIT_BYTES:
        if (number < ROUNDED_MAX) return mc_format_bytes(out, (uint64_t)(number + 0.5));
        break;
    default: break;
    }
    snprintf(out, MC_FORMAT_SIZE, "%.6g", number);
    return out;
}

char *mc_format_value(char out[MC_FORMAT_SIZE], const mc_metric_info *info, uint64_t word) {
    if (word == MC_COUNT_UNKNOWN) return put(out, unknown);
    if (info->is_real) return format_number(out, info, mc_metric_unpack(word));
    switch (info->unit) {
    case MC_UNIT_BYTES: return mc_format_bytes(out, word);
    case MC_UNIT_TIME:
    case MC_UNIT_RATIO: return format_number(out, info, (double)word);
    default: return mc_format_count(out, word);
    }
}

char *mc_format_brief(char out[MC_FORMAT_SIZE], const mc_metric_info *info, uint64_t word) {
    bool is_plain = info->unit == MC_UNIT_COUNT || info->unit == MC_UNIT_NONE;
    bool is_short = is_plain && !info->is_real && word != MC_COUNT_UNKNOWN;
    return is_short ? mc_format_si(out, word) : mc_format_value(out, info, word);
}

static char *add_sign(char out[MC_FORMAT_SIZE], double growth, const char *magnitude) {
    snprintf(out, MC_FORMAT_SIZE, "%s%.40s", growth > 0 ? "+" : growth < 0 ? "−" : "±", magnitude);
    return out;
}

char *mc_format_value_growth(char out[MC_FORMAT_SIZE], const mc_metric_info *info, int64_t growth) {
    char text[MC_FORMAT_SIZE];
    bool is_plain = info->unit == MC_UNIT_COUNT || info->unit == MC_UNIT_NONE;
    if (!info->is_real && info->unit == MC_UNIT_BYTES) return mc_format_bytes_growth(out, growth);
    if (!info->is_real && is_plain) return mc_format_growth(out, growth);
    double number = mc_metric_scale_back(info, (double)growth);
    return add_sign(out, number, format_number(text, info, fabs(number)));
}

// ---- columns of numbers

char *mc_format_figure(char out[MC_FORMAT_SIZE], const mc_metric_info *info, uint64_t word) {
    if (word == MC_COUNT_UNKNOWN) return put(out, unknown);
    if (!info->is_real) return mc_format_count(out, word);
    snprintf(out, MC_FORMAT_SIZE, "%.9g", mc_metric_unpack(word));
    return out;
}

char *mc_format_figure_growth(char out[MC_FORMAT_SIZE], const mc_metric_info *info, uint64_t first,
                              uint64_t last) {
    char text[MC_FORMAT_SIZE];
    if (first == MC_COUNT_UNKNOWN || last == MC_COUNT_UNKNOWN) return put(out, unknown);
    if (!info->is_real) return mc_format_growth(out, (int64_t)(last - first));
    double growth = mc_metric_unpack(last) - mc_metric_unpack(first);
    snprintf(text, sizeof text, "%.9g", fabs(growth));
    return add_sign(out, growth, text);
}

char *mc_format_exact(char out[MC_FORMAT_SIZE], const mc_metric_info *info, uint64_t word) {
    if (word == MC_COUNT_UNKNOWN) return put(out, "null");
    if (info->is_real) return mc_format_real(out, mc_metric_unpack(word));
    snprintf(out, MC_FORMAT_SIZE, "%" PRIu64, word);
    return out;
}

char *mc_format_exact_growth(char out[MC_FORMAT_SIZE], const mc_metric_info *info, uint64_t first,
                             uint64_t last) {
    if (first == MC_COUNT_UNKNOWN || last == MC_COUNT_UNKNOWN) return put(out, "null");
    if (info->is_real) return mc_format_real(out, mc_metric_unpack(last) - mc_metric_unpack(first));
    snprintf(out, MC_FORMAT_SIZE, "%" PRId64, (int64_t)(last - first));
    return out;
}

// ---- in sentences

// Bytes need no word; of objects there may be one.
static void append_title(mc_text *text, const mc_metric_info *info, bool is_one) {
    bool is_plain = info->unit == MC_UNIT_COUNT || info->unit == MC_UNIT_NONE;
    if (strcmp(info->key, "bytes") == 0) return;
    if (strcmp(info->key, "objects") == 0) {
        mc_text_append_string(text, is_one ? " object" : " objects");
        return;
    }
    mc_text_append_string(text, is_plain ? " " : " (");
    mc_format_append_line(text, info->title, info->title_size);
    if (!is_plain) mc_text_append_string(text, ")");
}

void mc_format_append_value(mc_text *text, const mc_metric_info *info, uint64_t word) {
    char value[MC_FORMAT_SIZE];
    mc_text_append_string(text, mc_format_value(value, info, word));
    append_title(text, info, word == 1);
}

void mc_format_append_growth(mc_text *text, const mc_metric_info *info, int64_t growth) {
    char value[MC_FORMAT_SIZE];
    mc_text_append_string(text, mc_format_value_growth(value, info, growth));
    append_title(text, info, growth == 1 || growth == -1);
}

void mc_format_append_amount(mc_text *text, const mc_metric_info *info, int64_t growth) {
    char value[MC_FORMAT_SIZE];
    const char *signed_value = mc_format_value_growth(value, info, growth);
    mc_text_append_string(text, signed_value + (*signed_value == '+'));
    append_title(text, info, growth == 1 || growth == -1);
}

void mc_format_append_rate(mc_text *text, const mc_metric_info *info, double number) {
    char value[MC_FORMAT_SIZE], signed_value[MC_FORMAT_SIZE];
    bool is_plain = info->unit == MC_UNIT_COUNT || info->unit == MC_UNIT_NONE;
    if (info->unit == MC_UNIT_BYTES)
        mc_text_append_string(text, mc_format_bytes_rate(value, number));
    else if (is_plain && number > 0 && number < 0.5)
        mc_text_format(text, "+%.2g", number);
    else if (is_plain && !info->is_real)
        mc_text_append_string(text, mc_format_rate(value, number));
    else
        mc_text_append_string(
            text, add_sign(signed_value, number, format_number(value, info, fabs(number))));
}
