// rule.h - rules on how fast groups may grow: "PATTERN: LIMIT", as `memcity gate` takes them.
//
// A pattern without '#' is matched against a group's own name at any level, one with '#' against
// the full key: '*' stands for any characters except '#', '**' for any, '?' for one; all others,
// including '[', are literal. A limit is "+1%/h", "+100/step", "+5MB/min", "+1MB" (over the whole
// window) or "+0". Several limits are separated by commas; a group fails only if it exceeds all of
// them. "PATTERN: any" allows any growth. Threads: any.
#pragma once
#include "engine/trace/trace.h"

typedef enum mc_limit_period {
    MC_LIMIT_PER_WINDOW,
    MC_LIMIT_PER_STEP,
    MC_LIMIT_PER_TIME
} mc_limit_period;

typedef struct mc_limit {
    const char *text; // of the rule: "+1MB"
    size_t text_size;
    double amount; // objects, bytes, or a share of what there is (0.01: 1 %)
    bool is_share;
    mc_limit_period period;
    double seconds; // of the period, if it is a time
} mc_limit;

#define MC_RULE_LIMIT_MAX 4
#define MC_RULES_MAX 64 // that go together

typedef struct mc_rule {
    const char *text;    // the caller's, as the pattern
    size_t pattern_size; // the pattern is its beginning
    bool is_path;        // the pattern is one of full keys
    bool allows_any;
    bool has_unit; // false: its limits go with any metric
    mc_unit unit;  // of its limits: bytes, or a count
    mc_limit limits[MC_RULE_LIMIT_MAX];
    uint32_t limit_count;
} mc_rule;

// MC_ERROR_BAD_DATA says what was expected; its byte offset is that in the text.
mc_result mc_rule_parse(const char *text, mc_rule *rule, mc_error *error);

// O(pattern * text).
bool mc_glob_matches(const char *pattern, size_t pattern_size, const char *text, size_t size);

// The same piece by piece, for texts with a common prefix, such as the full keys of a node and its
// descendants. `places` is a bit set of the positions in the pattern that the text so far may have
// reached; it can be copied.
#define MC_GLOB_SIZE_MAX 1000 // of a pattern
#define MC_GLOB_WORDS_MAX (MC_GLOB_SIZE_MAX / 64 + 1)

static inline size_t mc_glob_count_words(size_t pattern_size) {
    return pattern_size / 64 + 1;
}

void mc_glob_begin(const char *pattern, size_t pattern_size, uint64_t *places);
void mc_glob_go_on(const char *pattern, size_t pattern_size, uint64_t *places, const char *text,
                   size_t size);

static inline bool mc_glob_has_matched(size_t pattern_size, const uint64_t *places) {
    return places[pattern_size / 64] >> (pattern_size % 64) & 1;
}

// The growth that the rule allows, in the metric's unit per second. Limits in percent refer to
// `value`.
double mc_rule_get_allowed_per_s(const mc_rule *rule, double value, double window_s,
                                 uint32_t step_count);

// The limit that allows most, so much; NULL: none does.
const mc_limit *mc_rule_get_limit(const mc_rule *rule, double value, double window_s,
                                  uint32_t step_count, double *allowed_per_s);
