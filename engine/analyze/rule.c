#include "engine/analyze/rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- patterns

static bool has(const uint64_t *places, size_t at) {
    return places[at / 64] >> (at % 64) & 1;
}

// A star may stand for nothing.
static void add(uint64_t *places, const char *pattern, size_t size, size_t at) {
    while (!has(places, at)) {
        places[at / 64] |= (uint64_t)1 << (at % 64);
        if (at == size || pattern[at] != '*') return;
        at++;
        if (at < size && pattern[at] == '*') at++;
    }
}

// Whether the character may be one of those that a star, or two, or anything else stands for.
static void step_from(size_t at, uint64_t *to, const char *pattern, size_t size, char character) {
    if (at == size) return;
    if (pattern[at] == '*') {
        bool is_double = at + 1 < size && pattern[at + 1] == '*';
        if (is_double || character != '#') add(to, pattern, size, at);
    } else if (pattern[at] == '?' ? character != '#' : pattern[at] == character) {
        add(to, pattern, size, at + 1);
    }
}

void mc_glob_begin(const char *pattern, size_t pattern_size, uint64_t *places) {
    assert(pattern_size <= MC_GLOB_SIZE_MAX);
    memset(places, 0, mc_glob_count_words(pattern_size) * sizeof *places);
    add(places, pattern, pattern_size, 0);
}

void mc_glob_go_on(const char *pattern, size_t pattern_size, uint64_t *places, const char *text,
                   size_t size) {
    uint64_t next[MC_GLOB_WORDS_MAX];
    size_t words = mc_glob_count_words(pattern_size);
    for (size_t i = 0; i < size; i++) {
        uint64_t any = 0;
        memset(next, 0, words * sizeof *next);
        for (size_t word = 0; word < words; word++)
            for (uint64_t bits = places[word]; bits; bits &= bits - 1)
                step_from(word * 64 + (size_t)__builtin_ctzll(bits), next, pattern, pattern_size,
                          text[i]);
        for (size_t word = 0; word < words; word++)
            any |= places[word] = next[word];
        if (!any) return; // nothing that follows can match
    }
}

bool mc_glob_matches(const char *pattern, size_t pattern_size, const char *text, size_t size) {
    uint64_t places[MC_GLOB_WORDS_MAX];
    if (pattern_size > MC_GLOB_SIZE_MAX) return false;
    mc_glob_begin(pattern, pattern_size, places);
    mc_glob_go_on(pattern, pattern_size, places, text, size);
    return mc_glob_has_matched(pattern_size, places);
}

// ---- limits

static bool take(const char **at, const char *word) {
    size_t size = strlen(word);
    if (strncmp(*at, word, size) != 0) return false;
    *at += size;
    return true;
}

static void skip_spaces(const char **at) {
    while (**at == ' ' || **at == '\t')
        ++*at;
}

static mc_result expected(const mc_rule *rule, const char *at, const char *what, mc_error *error) {
    return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(at - rule->text),
                        "\"%.200s\": expected %s, found \"%.40s\"", rule->text, what, at);
}

static const struct {
    const char *name;
    double factor;
} sizes[] = {{"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}, {"kB", 1e3},
             {"KB", 1e3},   {"MB", 1e6},      {"GB", 1e9},         {"B", 1}};

static const struct {
    const char *name;
    double seconds;
} times[] = {{"min", 60}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};

static mc_result note_unit(mc_rule *rule, const char *at, mc_unit unit, mc_error *error) {
    if (rule->has_unit && rule->unit != unit)
        return expected(rule, at, "limits that all count bytes (5MB), or all objects (100)", error);
    rule->has_unit = true;
    rule->unit = unit;
    return MC_OK;
}

static mc_result take_unit(mc_rule *rule, const char **at, mc_limit *limit, mc_error *error) {
    const char *begin = *at;
    if (take(at, "%")) {
        limit->is_share = true;
        limit->amount /= 100;
        return MC_OK;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (!take(at, sizes[i].name)) continue;
        limit->amount *= sizes[i].factor;
        return note_unit(rule, begin, MC_UNIT_BYTES, error);
    }
    return limit->amount > 0 ? note_unit(rule, begin, MC_UNIT_COUNT, error) : MC_OK;
}

static mc_result take_period(const mc_rule *rule, const char **at, mc_limit *limit,
                             mc_error *error) {
    limit->period = MC_LIMIT_PER_WINDOW;
    if (!take(at, "/")) return MC_OK;
    limit->period = MC_LIMIT_PER_STEP;
    if (take(at, "step")) return MC_OK;
    limit->period = MC_LIMIT_PER_TIME;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        if (!take(at, times[i].name)) continue;
        limit->seconds = times[i].seconds;
        return MC_OK;
    }
    return expected(rule, *at, "s, min, h, d or step", error);
}

static mc_result take_limit(mc_rule *rule, const char **at, mc_error *error) {
    static const char what[] = "a limit, as +1%/h, +100/step, +5MB/min, +1MB or +0";
    if (rule->limit_count == MC_RULE_LIMIT_MAX) return expected(rule, *at, "no more limits", error);
    mc_limit *limit = &rule->limits[rule->limit_count++];
    const char *begin = *at;
    take(at, "+");
    char *end;
    // No sign, "inf" or hexadecimal number.
    bool is_number = (**at >= '0' && **at <= '9') || **at == '.';
    limit->amount = is_number ? strtod(*at, &end) : 0;
    if (!is_number || end == *at || (*at)[1] == 'x' || !isfinite(limit->amount))
        return expected(rule, begin, what, error);
    *at = end;
    mc_result result = take_unit(rule, at, limit, error);
    if (result == MC_OK) result = take_period(rule, at, limit, error);
    limit->text = begin;
    limit->text_size = (size_t)(*at - begin);
    while (limit->text_size > 0 && begin[limit->text_size - 1] == ' ')
        limit->text_size--;
    return result;
}

mc_result mc_rule_parse(const char *text, mc_rule *rule, mc_error *error) {
    *rule = (mc_rule){.text = text};
    const char *colon = strrchr(text, ':');
    const char *end = colon ? colon : text;
    while (end > text && end[-1] == ' ')
        end--;
    if (end == text)
        return mc_error_set(error, MC_ERROR_BAD_DATA, 0,
                            "\"%.200s\": expected PATTERN: LIMIT, as in \"**: +1%%/h\"", text);
    rule->pattern_size = (size_t)(end - text);
    if (rule->pattern_size > MC_GLOB_SIZE_MAX)
        return mc_error_set(error, MC_ERROR_BAD_DATA, 0, "a pattern has at most %d characters",
                            MC_GLOB_SIZE_MAX);
    rule->is_path = memchr(text, '#', rule->pattern_size) != NULL;
    const char *at = colon + 1;
    skip_spaces(&at);
    if (take(&at, "any")) {
        rule->allows_any = true;
    } else {
        for (;;) {
            mc_result result = take_limit(rule, &at, error);
            if (result != MC_OK) return result;
            skip_spaces(&at);
            if (!take(&at, ",")) break;
            skip_spaces(&at);
        }
    }
    skip_spaces(&at);
    return *at == '\0' ? MC_OK : expected(rule, at, "a comma or the end", error);
}

const mc_limit *mc_rule_get_limit(const mc_rule *rule, double value, double window_s,
                                  uint32_t step_count, double *allowed_per_s) {
    const mc_limit *found = NULL;
    *allowed_per_s = 0;
    for (uint32_t i = 0; i < rule->limit_count; i++) {
        const mc_limit *limit = &rule->limits[i];
        double seconds = limit->seconds;
        if (limit->period == MC_LIMIT_PER_WINDOW) seconds = window_s;
        if (limit->period == MC_LIMIT_PER_STEP)
            seconds = step_count > 1 ? window_s / (step_count - 1) : 0;
        double amount = limit->is_share ? limit->amount * value : limit->amount;
        if (seconds <= 0 || amount / seconds <= *allowed_per_s) continue;
        *allowed_per_s = amount / seconds;
        found = limit;
    }
    return found;
}

double mc_rule_get_allowed_per_s(const mc_rule *rule, double value, double window_s,
                                 uint32_t step_count) {
    double allowed;
    if (rule->allows_any) return INFINITY;
    mc_rule_get_limit(rule, value, window_s, step_count, &allowed);
    return allowed;
}
