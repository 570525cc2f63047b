// Rules of the gate: what they match, what they allow.
#include "engine/analyze/rule.h"
#include "tests/test.h"

static mc_error error;

static void check_match(const char *pattern, const char *text, bool expected) {
    CHECK_MSG(mc_glob_matches(pattern, strlen(pattern), text, strlen(text)) == expected, "%s %s",
              pattern, text);
}

static void test_patterns(void) {
    check_match("String", "String", true);
    check_match("String", "Strings", false);
    check_match("String[]", "String[]", true); // brackets are brackets
    check_match("*", "anything", true);
    check_match("*", "Heap#a", false);
    check_match("**", "Heap#a#b", true);
    check_match("**", "", true);
    check_match("Heap#*", "Heap#java.util", true);
    check_match("Heap#*", "Heap#java.util#List", false);
    check_match("Heap#**", "Heap#java.util#List", true);
    check_match("Heap#java.*#*Node", "Heap#java.util#HashMap$Node", true);
    check_match("Heap#java.*#*Node", "Heap#jdk.util#HashMap$Node", false);
    check_match("**Pool**", "Heap#a#HostConnectionPool$X", true);
    check_match("a?c", "abc", true);
    check_match("a?c", "a#c", false);
    check_match("a***b", "a#x#b", true);
    check_match("", "", true);
    check_match("", "a", false);
    // Does not take time that grows with a power of the stars.
    char pattern[601], text[3001];
    for (int i = 0; i < 300; i++)
        memcpy(pattern + 2 * i, "*a", 2);
    memset(text, 'a', 3000);
    text[2999] = 'b';
    CHECK(!mc_glob_matches(pattern, 600, text, 3000));
}

static void check_allowed(const char *text, double value, double window_s, uint32_t steps,
                          double expected) {
    mc_rule rule;
    mc_result result = mc_rule_parse(text, &rule, &error);
    CHECK_MSG(result == MC_OK, "%s: %s", text, error.message);
    if (result != MC_OK) return;
    double allowed = mc_rule_get_allowed_per_s(&rule, value, window_s, steps);
    CHECK_MSG(allowed == expected || fabs(allowed - expected) < 1e-9 * expected, "%s: %g", text,
              allowed);
}

static void test_limits(void) {
    check_allowed("a: +1%/h", 3600, 100, 11, 0.01);
    check_allowed("a: 1%/h", 3600, 100, 11, 0.01);
    check_allowed("a: +100/step", 0, 100, 11, 10);
    check_allowed("a: +6MB/min", 0, 100, 11, 1e5);
    check_allowed("a: +60KiB/m", 0, 100, 11, 1024);
    check_allowed("a: +1kB", 0, 100, 11, 10);
    check_allowed("a: +5%", 1000, 100, 11, 0.5);
    check_allowed("a: +0", 1000, 100, 11, 0);
    check_allowed("a: +2/d", 0, 100, 11, 2.0 / 86400);
    check_allowed("a: +.5B/s", 0, 100, 11, 0.5);
    check_allowed("a:+1%/h , +1MB", 3600, 100, 11, 1e4); // the larger one
    check_allowed("a: any", 1, 100, 11, INFINITY);
    check_allowed("a: +1/step", 1, 0, 1, 0);
}

static void test_metrics(void) {
    mc_rule rule;
    CHECK(mc_rule_parse("a: +1%/h, +0", &rule, &error) == MC_OK && !rule.has_unit);
    CHECK(mc_rule_parse("a: +1%/h, +5", &rule, &error) == MC_OK && rule.has_unit &&
          rule.unit == MC_UNIT_COUNT);
    CHECK(mc_rule_parse("Heap#a : +1B", &rule, &error) == MC_OK && rule.has_unit &&
          rule.unit == MC_UNIT_BYTES);
    CHECK(rule.is_path && rule.pattern_size == 6);
    CHECK(mc_rule_parse("a:b: +1", &rule, &error) == MC_OK && rule.pattern_size == 3);
}

static void test_wrong(void) {
    static const char *const wrong[] = {
        "",          "a",        ": +1",    "a:",        "a: ",         "a: +",
        "a: -1",     "a: +1x",   "a: +1%/", "a: +1/y",   "a: +1,",      "a: +1 +2",
        "a: +1, 5B", "a: +0x10", "a: inf",  "a: any, 1", "a: 1,1,1,1,1"};
    mc_rule rule;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_MSG(mc_rule_parse(wrong[i], &rule, &error) == MC_ERROR_BAD_DATA && error.message[0],
                  "%s", wrong[i]);
}

int main(void) {
    test_patterns();
    test_limits();
    test_metrics();
    test_wrong();
    return test_finish();
}
