// Leaves that are written alike are read by comparing bytes: what comes out has to be what reading
// token by token finds, and so does what is wrong, for every text.
#include "engine/import/json/json_pattern.h"
#include "engine/import/json/json_reader.h"
#include "tests/test.h"
#include <stdlib.h>
#include <string.h>

static mc_json_reader *fast, *slow;
static mc_step_tree fast_tree, slow_tree;

static bool is_same_node(size_t i) {
    mc_step_node a = mc_step_tree_get(&fast_tree, i), b = mc_step_tree_get(&slow_tree, i);
    const char *text = fast_tree.text.data, *other = slow_tree.text.data;
    for (uint32_t metric = 0; metric < fast_tree.metrics.count; metric++)
        if (mc_step_tree_get_value(&fast_tree, metric, i) !=
            mc_step_tree_get_value(&slow_tree, metric, i))
            return false;
    return a.parent == b.parent && a.role == b.role && a.objects == b.objects &&
           a.bytes == b.bytes && a.source_offset == b.source_offset && a.key_size == b.key_size &&
           a.name_size == b.name_size &&
           memcmp(text + a.key_offset, other + b.key_offset, a.key_size) == 0 &&
           memcmp(text + a.name_offset, other + b.name_offset, a.name_size) == 0;
}

static bool are_same_trees(void) {
    if (fast_tree.node_count != slow_tree.node_count || fast_tree.time_ms != slow_tree.time_ms ||
        fast_tree.metrics.count != slow_tree.metrics.count ||
        fast_tree.roles.count != slow_tree.roles.count)
        return false;
    for (uint32_t i = 0; i < fast_tree.metrics.count; i++)
        if (fast_tree.metrics.items[i].is_real != slow_tree.metrics.items[i].is_real) return false;
    for (size_t i = 0; i < fast_tree.node_count; i++)
        if (!is_same_node(i)) return false;
    return true;
}

// Of exactly this many bytes, so that reading behind them is noticed. Returns whether it was fine.
static bool compare(const char *text, size_t size) {
    unsigned char *data = malloc(size > 0 ? size : 1);
    REQUIRE(data);
    memcpy(data, text, size);
    mc_error fast_error = {0}, slow_error = {0};
    mc_result a = mc_json_reader_read_step(fast, data, size, 1000, &fast_tree, &fast_error);
    mc_result b = mc_json_reader_read_step(slow, data, size, 1000, &slow_tree, &slow_error);
    bool is_same = a == b && (a == MC_OK ? are_same_trees()
                                         : fast_error.byte_offset == slow_error.byte_offset &&
                                               strcmp(fast_error.message, slow_error.message) == 0);
    CHECK_MSG(is_same, "%s (%d) or %s (%d): %.*s", fast_error.message, (int)a, slow_error.message,
              (int)b, (int)size, text);
    free(data);
    return a == MC_OK;
}

// ---- a pattern

static void test_pattern(void) {
    static const char first[] = "{\"key\":\"ab\",\"p\":[\"ab\"],\"bytes\":3,\"size\":-1}",
                      second[] = "{\"key\":\"Long one\",\"p\":[\"Long one\"],\"bytes\":1234567890,"
                                 "\"size\":77}                                ",
                      third[] = "{\"key\":\"ab\",\"p\":[\"ac\"],\"bytes\":3,\"size\":-1}"
                                "                                ";
    mc_json_pattern pattern = {.hole_count = 0};
    mc_json_match match;
    mc_json_pattern_note(&pattern, MC_JSON_HOLE_KEY, 0, (size_t)(strstr(first, "\"ab") - first));
    mc_json_pattern_note(&pattern, MC_JSON_HOLE_BYTES, 0, (size_t)(strchr(first, '3') - first));
    mc_json_pattern_note(&pattern, MC_JSON_HOLE_SIZE, 5, (size_t)(strchr(first, '-') - first));
    mc_json_pattern_learn(&pattern, (const unsigned char *)first, 0, sizeof first - 1, "ab", 2);
    CHECK(pattern.hole_count == 4);
    const unsigned char *text = (const unsigned char *)second;
    const unsigned char *end = mc_json_pattern_match(&pattern, text, text + strlen(second), &match);
    REQUIRE(end && end == (const unsigned char *)strchr(second, '}') + 1);
    CHECK(match.key_size == 8 && memcmp(match.key, "Long one", 8) == 0 && !match.name);
    CHECK(match.bytes == 1234567890 && match.value_count == 1);
    CHECK(match.values[0] == 77 && match.metrics[0] == 5);
    text = (const unsigned char *)third;
    CHECK(!mc_json_pattern_match(&pattern, text, text + strlen(third), &match));
    mc_json_pattern_deinit(&pattern);
}

// ---- texts: heads, a sibling as a format of number and key, ends

typedef struct style {
    const char *head, *node, *tail;
} style;

#define ANTTRACKS_HEAD                                                                       \
    "{\"classifiers\":[{\"name\":\"P\",\"id\":0},{\"name\":\"T\",\"id\":1}],\"time\":7,"     \
    "\"root\":{\"key\":\"Heap\",\"bytes\":90,\"objects\":40,\"children\":[{\"key\":\"a.b\"," \
    "\"classifierId\":0,\"bytes\":80,\"objects\":33,\"children\":["
#define ANTTRACKS_TAIL \
    "]},{\"key\":\"c\",\"bytes\":3,\"objects\":1},{\"key\":\"d\",\"bytes\":4,\"objects\":1}]}}"

static const style styles[] = {
    {ANTTRACKS_HEAD,
     "{\"key\":\"%s\",\"fullKey\":[\"Heap\",\"a.b\",\"%s\"],\"fullKeyAsString\":\"Heap#a.b#%s\","
     "\"classifierId\":1,\"bytes\":%d,\"objects\":%d,\"transitiveClosureSize\":-1,"
     "\"retainedSize\":%d}",
     ANTTRACKS_TAIL},
    {ANTTRACKS_HEAD,
     "{ \"objects\" : 3,\n\t\"key\": \"%s\",\"x\":[\"%s\",\"%s\"], \"bytes\":%d,\r\n"
     "\"metrics\":{\"retained\":%d,\"m\":%d},\"children\":[ ]}",
     ANTTRACKS_TAIL},
    {"{\"time\":8,\"metrics\":[{\"name\":\"m\"}],\"root\":{\"key\":\"Heap\",\"name\":\"Heap\","
     "\"role\":\"\",\"objects\":9,\"bytes\":9,\"children\":[",
     "{\"key\":\"Heap#%s\",\"name\":\"%s\",\"role\":\"Type\",\"u\":\"%s\",\"objects\":%d,"
     "\"bytes\":%d,\"metrics\":{\"m\":%d}}",
     "]}}"},
    {"{\"time\":9,\"root\":{\"key\":\"Heap\",\"objects\":9,\"bytes\":9,\"children\":[",
     "{\"key\":\"%s\",\"bytes\":1,\"name\":\"x%s%s\",\"objects\":%d,\"u\":[%d,%d]}", "]}}"},
};
enum { STYLE_COUNT = sizeof styles / sizeof *styles };

static const char *const keys[] = {"Abcdef", "Bc", "String[]", "a.b.Heap$Type", "x", "Zzz"};
static const int numbers[] = {7, 12, 123456, 99999999, 123456789, 2147483647};
enum { NODE_COUNT = sizeof keys / sizeof *keys };

static size_t write_text(const style *written, char *text, size_t text_size) {
    size_t size = (size_t)snprintf(text, text_size, "%s", written->head);
    for (int i = 0; i < NODE_COUNT; i++) {
        if (i > 0) size += (size_t)snprintf(text + size, text_size - size, i % 2 ? "," : " ,\n ");
        size += (size_t)snprintf(text + size, text_size - size, written->node, keys[i], keys[i],
                                 keys[i], numbers[i], numbers[NODE_COUNT - 1 - i],
                                 numbers[(i + 2) % NODE_COUNT]);
    }
    size += (size_t)snprintf(text + size, text_size - size, "%s", written->tail);
    REQUIRE(size < text_size);
    return size;
}

static void test_every_change(const style *written) {
    static const char others[] = "\"\\0917-+.eE,:{}[]xb \n\x01\x7f\xc3\xff";
    char text[4096], changed[4096];
    size_t size = write_text(written, text, sizeof text);
    CHECK(compare(text, size));
    for (size_t at = 0; at < size; at++) {
        compare(text, at); // cut off
        for (size_t i = 0; i < sizeof others; i++) {
            memcpy(changed, text, size);
            changed[at] = others[i]; // the last one is NUL
            compare(changed, size);
            memcpy(changed + at + 1, text + at, size - at); // in front of what is there
            compare(changed, size + 1);
        }
        memcpy(changed, text, at);
        memcpy(changed + at, text + at + 1, size - at - 1); // left out
        compare(changed, size - 1);
    }
}

// What stands in the place of a sibling's number, key, or comma.
static void test_replacements(void) {
    static const char *const values[] = {"0",
                                         "00",
                                         "01",
                                         "-0",
                                         "-1",
                                         "-2",
                                         "-12",
                                         "1.5",
                                         "1e3",
                                         "12345678",
                                         "1234567812345678",
                                         "123456789012345678",
                                         "1234567890123456789",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "99999999999999999999",
                                         "\"7\"",
                                         "null",
                                         "{}"};
    char text[4096];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        int size = snprintf(text, sizeof text,
                            "%s{\"key\":\"e\",\"objects\":1,\"bytes\":5,\"retainedSize\":-1},"
                            "{\"key\":\"f\",\"objects\":1,\"bytes\":%s,\"retainedSize\":-1},"
                            "{\"key\":\"g\",\"objects\":1,\"bytes\":7,\"retainedSize\":%s},"
                            "{\"key\":\"h\",\"objects\":1,\"bytes\":7,\"retainedSize\":%s}%s",
                            ANTTRACKS_HEAD, i < 16 ? "44" : values[i], values[i], values[i],
                            ANTTRACKS_TAIL);
        compare(text, (size_t)size);
        size = snprintf(text, sizeof text,
                        "%s{\"key\":\"e\",\"objects\":1,\"bytes\":5,\"metrics\":{\"m\":1}},"
                        "{\"key\":\"f\",\"objects\":1,\"bytes\":5,\"metrics\":{\"m\":%s}},"
                        "{\"key\":\"g\",\"objects\":1,\"bytes\":%s,\"metrics\":{\"m\":3}},"
                        "{\"key\":\"h\",\"objects\":1,\"bytes\":5,\"metrics\":{\"m\":4}}%s",
                        ANTTRACKS_HEAD, values[i], i < 4 ? values[i] : "6", ANTTRACKS_TAIL);
        compare(text, (size_t)size);
    }
}

// A metric that a node says twice, in two ways, and only where the numbers are known.
static void test_said_twice(void) {
    char text[4096];
    int size = snprintf(text, sizeof text,
                        "%s{\"key\":\"e\",\"objects\":1,\"bytes\":5,\"retainedSize\":3},"
                        "{\"key\":\"f\",\"objects\":1,\"bytes\":5,\"retainedSize\":-1,"
                        "\"metrics\":{\"retained\":2}},"
                        "{\"key\":\"g\",\"objects\":1,\"bytes\":5,\"retainedSize\":4,"
                        "\"metrics\":{\"retained\":2}}%s",
                        ANTTRACKS_HEAD, ANTTRACKS_TAIL);
    CHECK(!compare(text, (size_t)size));
}

// Over several pieces of tokens; some keys are not plain, some siblings have children.
static void test_long_text(void) {
    mc_text text = {0};
    mc_text_append_string(&text, ANTTRACKS_HEAD);
    for (int i = 0; i < 60000; i++) {
        bool has_escape = i % 1000 == 17, has_children = i % 700 == 3, is_odd = i % 37 == 5;
        mc_text_format(&text,
                       "%s{\"key\":\"%s%d\",%s\"classifierId\":1,\"bytes\":%d,\"objects\":1%s}",
                       i ? "," : "", has_escape ? "\\u00e4" : "k", i, is_odd ? " " : "", i * 37,
                       has_children ? ",\"children\":[{\"key\":\"l\",\"bytes\":1,\"objects\":1},"
                                      "{\"key\":\"m\",\"bytes\":1,\"objects\":1}]"
                                    : "");
    }
    mc_text_append_string(&text, ANTTRACKS_TAIL);
    REQUIRE(!text.failed);
    for (size_t piece_size = 0; piece_size < 30000; piece_size = 3 * piece_size + 1) {
        mc_json_reader_set_piece_size(fast, piece_size);
        CHECK(compare(text.data, text.size));
    }
    mc_json_reader_set_piece_size(fast, 0);
    CHECK(mc_json_reader_get_read_size(fast) == text.size);
    text.data[text.size / 2] = '\x02';
    CHECK(!compare(text.data, text.size));
    mc_text_deinit(&text);
}

int main(void) {
    fast = mc_json_reader_create();
    slow = mc_json_reader_create();
    REQUIRE(fast && slow);
    mc_json_reader_forbid_patterns(slow, true);
    test_pattern();
    for (int i = 0; i < STYLE_COUNT; i++)
        test_every_change(&styles[i]);
    test_replacements();
    test_said_twice();
    test_long_text();
    mc_json_reader_destroy(fast);
    mc_json_reader_destroy(slow);
    mc_step_tree_deinit(&fast_tree);
    mc_step_tree_deinit(&slow_tree);
    return test_finish();
}
