// The JSON reader: both forms, pointer maps, and every way in which they can be wrong.
#include "engine/base/memory.h"
#include "engine/import/json/json_scan.h"
#include "tests/json_text.h"
#include <inttypes.h>
#include <sys/wait.h>
#include <unistd.h>

static mc_json_reader *reader;
static mc_step_tree tree;
static mc_reference_map map;
static mc_error error;

static json_text read_data(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/json/%s", MC_TEST_DATA, name);
    return json_text_read(path);
}

static void read_step_file(const char *name) {
    json_text text = read_data(name);
    memset(&error, 0, sizeof error);
    mc_result result = mc_json_reader_read_step(reader, text.data, text.size, 0, &tree, &error);
    CHECK_MSG(result == MC_OK, "%s:%" PRIu64 ": %s", name, error.byte_offset, error.message);
    free(text.data);
}

static bool has_text(uint64_t offset, uint32_t size, const char *wanted, size_t wanted_size) {
    return size == wanted_size && memcmp(tree.text.data + offset, wanted, wanted_size) == 0;
}

typedef struct wanted_node {
    uint32_t parent;
    const char *key, *name, *role; // role NULL: none
    uint64_t objects, bytes, retained_size, closure_size;
} wanted_node;

static uint64_t get_value(uint32_t node, const char *key) {
    uint32_t metric = mc_metrics_find(&tree.metrics, key, strlen(key));
    return metric == MC_NONE ? MC_COUNT_UNKNOWN : mc_step_tree_get_value(&tree, metric, node);
}

static void check_node(uint32_t index, wanted_node wanted) {
    REQUIRE(index < tree.node_count);
    mc_step_node node = mc_step_tree_get(&tree, index);
    CHECK(node.parent == wanted.parent);
    CHECK(has_text(node.key_offset, node.key_size, wanted.key, strlen(wanted.key)));
    CHECK(has_text(node.name_offset, node.name_size, wanted.name, strlen(wanted.name)));
    if (wanted.role) {
        REQUIRE(node.role < tree.roles.count);
        CHECK(strcmp(mc_strings_get(&tree.roles, node.role, NULL), wanted.role) == 0);
    } else {
        CHECK(node.role == MC_NONE);
    }
    CHECK(node.objects == wanted.objects);
    CHECK(node.bytes == wanted.bytes);
    CHECK(get_value(index, "retained") == wanted.retained_size);
    CHECK(get_value(index, "closure") == wanted.closure_size);
}

static void test_anttracks_form(void) {
    static const char *const names[] = {"anttracks.json", "anttracks-order.json"};
    const uint64_t none = MC_COUNT_UNKNOWN;
    for (size_t i = 0; i < 2; i++) {
        read_step_file(names[i]);
        CHECK(tree.time_ms == 1043);
        CHECK(tree.key_kind == MC_KEY_PATH_PART);
        CHECK(tree.roles.count == 2);
        CHECK(strcmp(mc_strings_get(&tree.roles, 0, NULL), "Package") == 0);
        REQUIRE(tree.node_count == 5);
        check_node(0, (wanted_node){MC_NONE, "Heap", "Heap", NULL, 7, 160, 160, none});
        check_node(1, (wanted_node){0, "java.lang", "java.lang", "Package", 4, 96, none, none});
        check_node(2, (wanted_node){1, "String", "String", "Type", 3, 72, 76, 80});
        check_node(3, (wanted_node){1, "Object", "Object", "Type", 1, 24, none, none});
        check_node(4, (wanted_node){0, "java.util", "java.util", "Package", 3, 64, none, none});
    }
}

static void test_default_form(void) {
    static const char *const names[] = {"default.json", "default-order.json"};
    const uint64_t none = MC_COUNT_UNKNOWN;
    for (size_t i = 0; i < 2; i++) {
        read_step_file(names[i]);
        CHECK(tree.time_ms == 1043);
        CHECK(tree.key_kind == MC_KEY_FULL);
        CHECK(tree.roles.count == 2);
        CHECK(strcmp(mc_strings_get(&tree.roles, 0, NULL), "Package") == 0);
        REQUIRE(tree.node_count == 5);
        check_node(0, (wanted_node){MC_NONE, "Heap", "Heap", NULL, 7, 160, none, none});
        check_node(1,
                   (wanted_node){0, "Heap#java.lang", "java.lang", "Package", 4, 96, none, none});
        check_node(2,
                   (wanted_node){1, "Heap#java.lang#String", "String", "Type", 3, 72, none, none});
        check_node(3,
                   (wanted_node){1, "Heap#java.lang#Object", "Object", "Type", 1, 24, none, none});
        check_node(4,
                   (wanted_node){0, "Heap#java.util", "java.util", "Package", 3, 64, none, none});
    }
    // The names share the keys' bytes.
    read_step_file("default.json");
    CHECK(tree.text.size == strlen("Heap"
                                   "Heap#java.lang"
                                   "Heap#java.lang#String"
                                   "Heap#java.lang#Object"
                                   "Heap#java.util"));
}

// Declared behind the tree, and one that no node has.
static void test_metrics(void) {
    read_step_file("metrics.json");
    const mc_metric_info *items = tree.metrics.items;
    REQUIRE(tree.metrics.count == 5 && tree.node_count == 4);
    CHECK(strcmp(items[0].key, "lines") == 0 && !items[0].is_real && items[0].says == 0);
    CHECK(strcmp(items[1].key, "coverage") == 0 && items[1].is_real && !items[1].is_additive);
    CHECK(strcmp(items[1].title, "line coverage") == 0 && items[1].unit == MC_UNIT_RATIO);
    CHECK(strcmp(items[2].key, "calls") == 0 && items[2].is_real && items[2].is_additive);
    CHECK(items[2].kind == MC_METRIC_FLOW && items[2].unit == MC_UNIT_NONE);
    CHECK(items[3].unit == MC_UNIT_BYTES && strcmp(items[4].key, "idle") == 0);
    CHECK(get_value(0, "lines") == 120 && get_value(1, "lines") == MC_COUNT_MAX);
    CHECK(get_value(0, "coverage") == mc_metric_pack(0.7));
    CHECK(get_value(1, "coverage") == mc_metric_pack(1)); // written without a point
    CHECK(get_value(2, "coverage") == MC_COUNT_UNKNOWN);
    CHECK(get_value(3, "calls") == mc_metric_pack(150) && get_value(3, "retained") == 8);
    CHECK(get_value(3, "idle") == MC_COUNT_UNKNOWN);
}

static void test_escapes(void) {
    read_step_file("escapes.json");
    REQUIRE(tree.node_count == 4);
    CHECK(tree.time_ms == -5);
    CHECK(tree.nodes[0].bytes == INT64_MAX);
    mc_step_node node[4];
    for (uint32_t i = 0; i < 4; i++)
        node[i] = mc_step_tree_get(&tree, i);
    CHECK(has_text(node[0].key_offset, node[0].key_size, "Heap", 4));
    static const char name[] = "quote \" backslash \\ slash / \b\f\n\r\t";
    CHECK(has_text(node[0].name_offset, node[0].name_size, name, sizeof name - 1));
    CHECK(has_text(node[1].key_offset, node[1].key_size, "nul \0 in it", 11));
    CHECK(has_text(node[1].name_offset, node[1].name_size, "ä€😀", strlen("ä€😀")));
    CHECK(has_text(node[2].key_offset, node[2].key_size, "ä€😀", strlen("ä€😀")));
    CHECK(node[2].name_size == 0);
    CHECK(has_text(node[3].key_offset, node[3].key_size, "\\", 1));
    CHECK(has_text(node[3].name_offset, node[3].name_size, "\\\\\"", 3));
    CHECK(node[1].role == node[2].role && node[1].role != node[3].role);
}

static void test_roles_order(void) {
    // Both begin at level 1; Directory ends higher, so it is the outer one.
    static const char text[] =
        "{\"time\":1,\"root\":{\"key\":\"r\",\"name\":\"r\",\"role\":\"\",\"bytes\":0,\"objects\":"
        "0,"
        "\"children\":[{\"key\":\"f\",\"name\":\"f\",\"role\":\"File\",\"bytes\":0,\"objects\":0},"
        "{\"key\":\"d\",\"name\":\"d\",\"role\":\"Directory\",\"bytes\":0,\"objects\":0,"
        "\"children\":[{\"key\":\"g\",\"name\":\"g\",\"role\":\"File\",\"bytes\":0,\"objects\":0}"
        "]}]}}";
    CHECK(json_read_step(reader, text, sizeof text - 1, &tree, &error) == MC_OK);
    REQUIRE(tree.roles.count == 2);
    CHECK(strcmp(mc_strings_get(&tree.roles, 0, NULL), "Directory") == 0);
    CHECK(tree.nodes[1].role == 1 && tree.nodes[2].role == 0 && tree.nodes[3].role == 1);
}

static void test_without_marks_of_a_form(void) {
    static const char text[] = "\xef\xbb\xbf {\"time\":1,\"root\":{\"key\":\"r\",\"bytes\":0,"
                               "\"objects\":0,\"children\":[]}} \n";
    CHECK(json_read_step(reader, text, sizeof text - 1, &tree, &error) == MC_OK);
    CHECK(tree.key_kind == MC_KEY_FULL && tree.node_count == 1);
    check_node(0, (wanted_node){MC_NONE, "r", "r", NULL, 0, 0, MC_COUNT_UNKNOWN, MC_COUNT_UNKNOWN});
}

static bool has_entry(size_t index, const char *outer, const char *inner, uint64_t count) {
    const mc_reference_entry *entry = &map.entries[index];
    return entry->outer_size == strlen(outer) && entry->inner_size == strlen(inner) &&
           memcmp(map.text.data + entry->outer_offset, outer, strlen(outer)) == 0 &&
           memcmp(map.text.data + entry->inner_offset, inner, strlen(inner)) == 0 &&
           entry->count == count;
}

static void test_pointer_maps(void) {
    json_text text = read_data("points-to.json");
    CHECK(mc_json_reader_read_references(reader, text.data, text.size, 0, &map, &error) == MC_OK);
    free(text.data);
    CHECK(map.time_ms == 1043);
    REQUIRE(map.entry_count == 3);
    CHECK(has_entry(0, "Heap#java.util", "Heap#java.lang#String", 2));
    CHECK(has_entry(1, "Heap#java.util", "Heap#java.lang#Object", 1));
    CHECK(has_entry(2, "Heap#java.lang#Object", "Heap#java.util", INT64_MAX));
    text = read_data("points-to-null.json");
    CHECK(mc_json_reader_read_references(reader, text.data, text.size, 0, &map, &error) == MC_OK);
    free(text.data);
    CHECK(map.time_ms == 1043 && map.entry_count == 0);
}

// What is wrong, and where: '@' stands before the byte that the error names.
typedef struct wrong_text {
    const char *text, *message;
} wrong_text;

#define NODE "\"key\":\"a\",\"objects\":1,\"bytes\":1"
#define COUNT "expected a whole number from 0 to 9223372036854775807, found "

static const wrong_text wrong_steps[] = {
    {"@", "expected a step (an object), found the end of the input"},
    {" \n @", "expected a step (an object), found the end of the input"},
    {"@hello", "expected a step (an object), found hello"},
    {"@[]", "expected a step (an object), found an array"},
    {"@\xff\xfe", "expected "},
    {"{\"time\":1,\"ro@\xffot\":1}", "expected UTF-8, found byte 0xff"},
    {"{\"time\":1,\"x\":\"\xc3\xa4@\xed\xa0\x80\"}", "expected UTF-8, found byte 0xed"},
    {"{\"time\":1,\"x\":\"a@\nb\"}", "expected an escape in place of a control character"},
    {"@{}", "expected a step with the field \"time\", which is missing"},
    {"@{\"time\":1}", "expected a step with the field \"root\", which is missing"},
    {"@{\"root\":{" NODE "}}", "expected a step with the field \"time\", which is missing"},
    {"@{\"time\":1,\"pointerMap\":{}}", "expected a step, found a pointer map"},
    {"{\"time\":@1.5,\"root\":{" NODE "}}", "time: expected a whole number from"},
    {"{\"time\":@\"1\",\"root\":{" NODE "}}", "time: expected a whole number from"},
    {"{\"time\":@4611686018427387904,\"root\":{" NODE "}}",
     "time: expected a time from -4611686018427387903 to 4611686018427387903 ms, found "
     "4611686018427387904"},
    {"{\"time\":@-9223372036854775808,\"root\":{" NODE "}}", "time: expected a time from"},
    {"{\"time\":@-9223372036854775809,\"root\":{" NODE "}}", "time: expected a whole number from"},
    {"{\"time\":1,\"time\":@1,\"root\":{" NODE "}}", "time: expected this field once"},
    {"{\"time\":1,\"root\":{" NODE "},\"root\":@{" NODE "}}", "root: expected this field once"},
    {"{\"time\":1,\"root\":@null}", "root: expected a node (an object), found null"},
    {"{\"time\":1,\"root\":@[]}", "root: expected a node (an object), found an array"},
    {"{\"time\":1,\"root\":@{}}", "root: expected the field \"key\" in this node"},
    {"{\"time\":1,\"root\":@{\"key\":\"a\",\"bytes\":1}}",
     "root: expected the field \"objects\" in this node"},
    {"{\"time\":1,\"root\":@{\"key\":\"a\",\"objects\":1}}",
     "root: expected the field \"bytes\" in this node"},
    {"{\"time\":1,\"root\":{\"key\":@1}}", "root.key: expected a string, found 1"},
    {"{\"time\":1,\"root\":{\"name\":@null}}", "root.name: expected a string, found null"},
    {"{\"time\":1,\"root\":{\"role\":@7}}", "root.role: expected a string, found 7"},
    {"{\"time\":1,\"root\":{\"objects\":@-1}}", "root.objects: " COUNT "-1"},
    {"{\"time\":1,\"root\":{\"objects\":@1.5}}", "root.objects: " COUNT "1.5"},
    {"{\"time\":1,\"root\":{\"objects\":@1e3}}", "root.objects: " COUNT "1e3"},
    {"{\"time\":1,\"root\":{\"objects\":@01}}", "root.objects: " COUNT "01"},
    {"{\"time\":1,\"root\":{\"objects\":@\"1\"}}", "root.objects: " COUNT "a string"},
    {"{\"time\":1,\"root\":{\"objects\":@null}}", "root.objects: " COUNT "null"},
    {"{\"time\":1,\"root\":{\"objects\":@12\"a\",\"bytes\":1}}", "root.objects: " COUNT "12"},
    {"{\"time\":1,\"root\":{\"bytes\":@9223372036854775808}}",
     "root.bytes: " COUNT "9223372036854775808"},
    {"{\"time\":1,\"root\":{\"bytes\":@99999999999999999999}}",
     "root.bytes: " COUNT "99999999999999999999"},
    {"{\"time\":1,\"root\":{\"retainedSize\":@-2}}", "root.retainedSize: expected a whole number"},
    {"{\"time\":1,\"root\":{\"transitiveClosureSize\":@{}}}",
     "root.transitiveClosureSize: expected a whole number from -1 to 9223372036854775807, found "
     "an object"},
    {"{\"time\":1,\"root\":{\"objects\":1,\"objects\":@1}}",
     "root.objects: expected this field once in an object, found it again"},
    {"{\"time\":1,\"root\":{\"fullKey\":[],\"fullKey\":@[]}}", "root.fullKey: expected this field"},
    {"{\"time\":1,\"root\":{\"children\":@{}}}", "root.children: expected an array of nodes"},
    {"{\"time\":1,\"root\":{\"children\":@null}}", "root.children: expected an array of nodes"},
    {"{\"time\":1,\"root\":{\"children\":[@1]}}", "root.children: expected a node (an object)"},
    {"{\"time\":1,\"root\":{\"children\":[{" NODE "},@]}}", "root.children: expected a node"},
    {"{\"time\":1,\"root\":{\"children\":[{" NODE "}@{" NODE "}]}}",
     "root.children: expected ',' or ']' behind a node, found an object"},
    {"{\"time\":1,\"root\":{\"children\":[{" NODE "},{" NODE ",\"children\":[{" NODE "},{" NODE
     "},{\"objects\":@-7}]}]}}",
     "root.children[1].children[2].objects: " COUNT "-7"},
    {"{\"time\":1,\"root\":{\"children\":[{" NODE "},@{\"key\":\"b\"}]}}",
     "root.children[1]: expected the field \"objects\" in this node, which lacks it"},
    {"{\"time\":1,\"root\":{" NODE ",@}}", "root: expected a field's name, found '}'"},
    {"{\"time\":1,\"root\":{@,}}", "root: expected a field's name or '}', found ','"},
    {"{\"time\":1,\"root\":{\"key\"@,}}", "root: expected ':' behind a field's name, found ','"},
    {"{\"time\":1,\"root\":{" NODE "@]}", "root: expected ',' or '}' behind a field, found ']'"},
    {"{\"time\":1,\"root\":{\"key\":\"a\"@\"b\"}}", "root: expected ',' or '}' behind a field"},
    {"{\"time\":1,\"root\":{\"key\":\"a@\\x\"}}", "root.key: expected an escape that JSON knows"},
    {"{\"time\":1,\"root\":{\"key\":\"@\\u12g4\"}}", "root.key: expected four hexadecimal digits"},
    {"{\"time\":1,\"root\":{\"key\":\"@\\u12\"}}", "root.key: expected four hexadecimal digits"},
    {"{\"time\":1,\"root\":{\"key\":\"@\\ud800\"}}", "root.key: expected a surrogate pair"},
    {"{\"time\":1,\"root\":{\"key\":\"@\\ud800\\u0041\"}}", "root.key: expected a surrogate pair"},
    {"{\"time\":1,\"root\":{\"key\":\"@\\udc00\\ud800\"}}", "root.key: expected a surrogate pair"},
    {"{\"time\":1,\"root\":{" NODE "}}@{}", "expected the end of the input, found an object"},
    {"{\"time\":1,\"root\":{" NODE "}}@,", "expected the end of the input, found ','"},
    {"{\"time\":1,\"root\":{" NODE "}}  @]", "expected the end of the input, found ']'"},
    {"{\"time\":1,\"root\":{" NODE "}@", "expected ',' or '}' behind a field, found the end of"},
    {"{\"time\":1,\"root\":{\"key\":\"abc@",
     "root.key: expected the end of a string, found the end"},
// metrics
#define NUMBER                                                                                   \
    "expected a number that is not negative: a whole one up to 9223372036854775807, or, with a " \
    "decimal point, one that a double can hold, found "
    {"{\"time\":1,\"root\":{\"metrics\":@[]}}",
     "root.metrics: expected an object with a number for"},
    {"{\"time\":1,\"root\":{\"metrics\":{\"a\":@-1}}}", "root.metrics.a: " NUMBER "-1"},
    {"{\"time\":1,\"root\":{\"metrics\":{\"a\":@-0.5}}}", "root.metrics.a: " NUMBER "-0.5"},
    {"{\"time\":1,\"root\":{\"metrics\":{\"a\":@1e999}}}", "root.metrics.a: " NUMBER "1e999"},
    {"{\"time\":1,\"root\":{\"metrics\":{\"a\":@1.}}}", "root.metrics.a: " NUMBER "1."},
    {"{\"time\":1,\"root\":{\"metrics\":{\"a\":@null}}}", "root.metrics.a: " NUMBER "null"},
    {"{\"time\":1,\"root\":{\"metrics\":{\"a\":@\"1\"}}}", "root.metrics.a: " NUMBER "a string"},
    {"{\"time\":1,\"root\":{\"metrics\":{\"a\":@9223372036854775808}}}",
     "root.metrics.a: expected a whole number from 0 to 9223372036854775807"},
    {"{\"time\":1,\"root\":{\"metrics\":{\"b\":1,\"a\":0.5,\"b\":@2}}}",
     "root.metrics.b: expected this field once in an object, found it again"},
    {"{\"time\":1,\"root\":{\"retainedSize\":1,\"metrics\":{\"retained\":@2}}}",
     "root.metrics.retained: expected this field once in an object"},
    {"{\"time\":1,\"root\":{\"metrics\":{@\"bytes\":2}}}",
     "root.metrics.bytes: expected another metric"},
    {"{\"time\":1,\"root\":{\"metrics\":{@\"\":2}}}",
     "root.metrics: expected a metric's name, found an empty one"},
    {"{\"time\":1,\"root\":{\"metrics\":{},\"metrics\":@{}}}",
     "root.metrics: expected this field once"},
    {"{\"metrics\":@{}}", "metrics: expected an array of metrics, found an object"},
    {"{\"metrics\":[@1]}", "metrics: expected a metric (an object with a \"name\"), found 1"},
    {"{\"metrics\":[@{\"unit\":\"bytes\"}]}",
     "metrics[]: expected a metric with the field \"name\""},
    {"{\"metrics\":[{\"name\":\"a\",\"unit\":@\"cows\"}]}",
     "metrics[].unit: expected \"none\", \"count\", \"bytes\", \"time\" or \"ratio\", found "
     "\"cows\""},
    {"{\"metrics\":[{\"name\":\"a\",\"kind\":@1}]}",
     "metrics[].kind: expected \"stock\" or \"flow\", found 1"},
    {"{\"metrics\":[{\"name\":\"a\",\"additive\":@1}]}",
     "metrics[].additive: expected true or false"},
    {"{\"metrics\":[{\"name\":\"a\"},@{\"name\":\"a\"}]}",
     "metrics[]: expected each metric once, found \"a\" again"},
    {"{\"metrics\":[@{\"name\":\"bytes\",\"unit\":\"count\"}]}",
     "metrics[]: expected what every trace has of \"bytes\""},
    {"{\"metrics\":[@{\"name\":\"retained\",\"additive\":true}]}",
     "metrics[]: expected what is known of \"retained\""},
    // what is skipped is checked, too
    {"{\"time\":1,\"x\":@nul,\"root\":{" NODE "}}", "expected a value, found nul"},
    {"{\"time\":1,\"x\":@-,\"root\":{" NODE "}}", "expected a value, found -"},
    {"{\"time\":1,\"x\":@.5,\"root\":{" NODE "}}", "expected a value, found .5"},
    {"{\"time\":1,\"x\":@1.,\"root\":{" NODE "}}", "expected a value, found 1."},
    {"{\"time\":1,\"x\":@1e,\"root\":{" NODE "}}", "expected a value, found 1e"},
    {"{\"time\":1,\"x\":[1,@],\"root\":{" NODE "}}", "expected a value, found ']'"},
    {"{\"time\":1,\"x\":[1 @2],\"root\":{" NODE "}}", "expected ',' or a closing bracket"},
    {"{\"time\":1,\"x\":[1@},\"root\":{" NODE "}}", "expected ',' or a closing bracket"},
    {"{\"time\":1,\"x\":{\"a\"@},\"root\":{" NODE "}}", "expected ':' behind a field's name"},
    {"{\"time\":1,\"x\":{@1:2},\"root\":{" NODE "}}", "expected a field's name, found 1"},
    {"{\"time\":1,\"x\":{\"a\":1,@},\"root\":{" NODE "}}", "expected a field's name, found '}'"},
    {"{\"time\":1,\"x\":[\"@\\q\"],\"root\":{" NODE "}}", "expected an escape that JSON knows"},
    {"{\"time\":1,\"root\":{\"fullKey\":[\"a\"@\"b\"]}}",
     "root.fullKey: expected ',' or a closing"},
    // classifiers
    {"{\"classifiers\":@{},\"time\":1,\"root\":{" NODE "}}", "classifiers: expected an array"},
    {"{\"classifiers\":[@1],\"time\":1,\"root\":{" NODE "}}", "classifiers: expected a classifier"},
    {"{\"classifiers\":[@{\"name\":\"a\"}]}", "classifiers[]: expected a classifier with the field "
                                              "\"id\", which is missing"},
    {"{\"classifiers\":[@{\"id\":1}]}", "classifiers[]: expected a classifier with the field "
                                        "\"name\", which is missing"},
    {"{\"classifiers\":[{\"id\":@\"1\"}]}", "classifiers[].id: expected a whole number"},
    {"{\"classifiers\":[{\"id\":1,\"id\":@1}]}", "classifiers[].id: expected this field once"},
    {"{\"classifiers\":[{\"id\":1,\"name\":\"a\"},@{\"id\":1,\"name\":\"b\"}]}",
     "classifiers[]: expected another id, found a second classifier with the id 1"},
    {"{\"classifiers\":[{\"id\":1,\"name\":\"a\"}],\"time\":1,\"root\":{\"classifierId\":@2}}",
     "root.classifierId: expected a classifierId that the list of classifiers has, or -1, found 2"},
    {"{\"time\":1,\"root\":@{" NODE ",\"classifierId\":0}}",
     "expected a classifierId that the list of classifiers has, or -1, found 0"},
    {"{\"time\":1,\"root\":{" NODE ",\"classifierId\":@4294967295}}",
     "root.classifierId: expected a classifierId that the list of classifiers has"},
};

static const wrong_text wrong_maps[] = {
    {"@", "expected a pointer map (an object), found the end of the input"},
    {"@[]", "expected a pointer map (an object), found an array"},
    {"@{}", "expected a pointer map with the field \"time\", which is missing"},
    {"@{\"time\":1}", "expected a pointer map with the field \"pointerMap\", which is missing"},
    {"@{\"time\":1,\"root\":{}}", "expected a pointer map, found a step"},
    {"{\"time\":1,\"pointerMap\":@nothing}", "pointerMap: expected a value, found nothing"},
    {"{\"time\":1,\"pointerMap\":@[]}", "pointerMap: expected an object or null, found an array"},
    {"{\"time\":1,\"pointerMap\":{\"a\":@1}}",
     "pointerMap[\"a\"]: expected an object of counts, found 1"},
    {"{\"time\":1,\"pointerMap\":{\"a\":{\"b#c\":@-1}}}",
     "pointerMap[\"a\"][\"b#c\"]: " COUNT "-1"},
    {"{\"time\":1,\"pointerMap\":{\"a\":{\"b\":1,\"c\":@0.5}}}",
     "pointerMap[\"a\"][\"c\"]: " COUNT "0.5"},
    {"{\"time\":1,\"pointerMap\":{\"a\":{\"b\":1@]}}}",
     "pointerMap[\"a\"]: expected ',' or '}' behind a field, found ']'"},
    {"{\"time\":1,\"pointerMap\":{},\"pointerMap\":@{}}", "pointerMap: expected this field once"},
    {"{\"time\":1,\"pointerMap\":{}}@x", "expected the end of the input, found x"},
};

static void check_wrong(const wrong_text *wrong, bool is_map) {
    char text[1024];
    const char *mark = strchr(wrong->text, '@');
    REQUIRE(mark && strlen(wrong->text) < sizeof text);
    size_t offset = (size_t)(mark - wrong->text);
    memcpy(text, wrong->text, offset);
    strcpy(text + offset, mark + 1);
    mc_result result = is_map ? json_read_references(reader, text, strlen(text), &map, &error)
                              : json_read_step(reader, text, strlen(text), &tree, &error);
    CHECK_MSG(result == MC_ERROR_BAD_DATA && error.code == result, "%s", wrong->text);
    CHECK_MSG(error.byte_offset == offset, "%s: offset %" PRIu64 ": %s", wrong->text,
              error.byte_offset, error.message);
    CHECK_MSG(strncmp(error.message, wrong->message, strlen(wrong->message)) == 0,
              "%s: got \"%s\", not \"%s\"", wrong->text, error.message, wrong->message);
}

static void test_wrong_texts(void) {
    for (size_t i = 0; i < sizeof wrong_steps / sizeof *wrong_steps; i++)
        check_wrong(&wrong_steps[i], false);
    for (size_t i = 0; i < sizeof wrong_maps / sizeof *wrong_maps; i++)
        check_wrong(&wrong_maps[i], true);
}

// The time of a document that is wrong elsewhere is known all the same, if it was read before.
static void test_time_of_wrong_step(void) {
    static const char text[] = "{\"time\":77,\"root\":{}}", no_time[] = "{\"root\":{},\"time\":77}";
    int64_t time_ms;
    CHECK(json_read_step(reader, text, sizeof text - 1, &tree, &error) == MC_ERROR_BAD_DATA);
    CHECK(mc_json_reader_get_time(reader, &time_ms) && time_ms == 77);
    CHECK(json_read_step(reader, no_time, sizeof no_time - 1, &tree, &error) == MC_ERROR_BAD_DATA);
    CHECK(!mc_json_reader_get_time(reader, &time_ms));
}

static bool is_valid(const char *name, const unsigned char *data, size_t size) {
    memset(&error, 0, sizeof error);
    mc_result result;
    if (strncmp(name, "points-to", 9) == 0) {
        result = json_read_references(reader, (const char *)data, size, &map, &error);
    } else if (!mc_json_is_array(data, size)) {
        result = json_read_step(reader, (const char *)data, size, &tree, &error);
    } else {
        json_text text = json_text_copy((const char *)data, size);
        mc_json_array array;
        mc_json_array_begin(&array, text.data, size);
        do {
            size_t begin, element_size;
            result = mc_json_array_next(&array, &begin, &element_size, &error);
            if (result == MC_OK && !array.is_done)
                result = mc_json_reader_read_step(reader, text.data + begin, element_size, begin,
                                                  &tree, &error);
        } while (result == MC_OK && !array.is_done);
        free(text.data);
    }
    CHECK(result == MC_OK || result == MC_ERROR_BAD_DATA);
    CHECK_MSG(result == MC_OK || error.byte_offset <= size, "%s: %s", name, error.message);
    return result == MC_OK;
}

static const char *const data_names[] = {
    "anttracks.json", "anttracks-order.json", "default.json", "default-order.json", "escapes.json",
    "points-to.json", "points-to-null.json",  "metrics.json", "array.json"};

static void test_every_cut(void) {
    for (size_t i = 0; i < sizeof data_names / sizeof *data_names; i++) {
        json_text text = read_data(data_names[i]);
        size_t end = text.size; // behind the last bracket
        while (end > 0 && text.data[end - 1] == '\n')
            end--;
        for (size_t size = 0; size <= text.size; size++)
            CHECK_MSG(is_valid(data_names[i], text.data, size) == (size >= end), "%s cut at %zu",
                      data_names[i], size);
        free(text.data);
    }
}

// Nothing but an answer is wanted, whatever a byte is replaced with.
static void test_every_byte_replaced(void) {
    static const char others[] = "\"\\{}[]:,0-n \n\x80\xff";
    for (size_t i = 0; i < sizeof data_names / sizeof *data_names; i++) {
        json_text text = read_data(data_names[i]);
        for (size_t at = 0; at < text.size; at++) {
            unsigned char kept = text.data[at];
            for (size_t k = 0; k < sizeof others; k++) {
                text.data[at] = (unsigned char)others[k];
                is_valid(data_names[i], text.data, text.size);
            }
            text.data[at] = kept;
        }
        free(text.data);
    }
}

static void test_failing_allocations(void) {
    for (size_t i = 0; i + 1 < sizeof data_names / sizeof *data_names; i++) {
        json_text text = read_data(data_names[i]);
        bool is_map = strncmp(data_names[i], "points-to", 9) == 0;
        mc_result result = MC_ERROR_OUT_OF_MEMORY;
        for (uint64_t n = 0; result != MC_OK && n < 1000; n++) {
            mc_memory_fail_after(n);
            mc_json_reader *own = mc_json_reader_create();
            mc_step_tree own_tree = {0};
            mc_reference_map own_map = {0};
            if (own) mc_json_reader_set_piece_size(own, 1);
            if (own)
                result = is_map ? mc_json_reader_read_references(own, text.data, text.size, 0,
                                                                 &own_map, &error)
                                : mc_json_reader_read_step(own, text.data, text.size, 0, &own_tree,
                                                           &error);
            CHECK(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
            mc_memory_fail_after(UINT64_MAX);
            mc_json_reader_destroy(own);
            mc_step_tree_deinit(&own_tree);
            mc_reference_map_deinit(&own_map);
        }
        CHECK(result == MC_OK);
        free(text.data);
    }
}

static void test_all(size_t piece_size) {
    reader = mc_json_reader_create();
    REQUIRE(reader);
    mc_json_reader_set_piece_size(reader, piece_size);
    test_anttracks_form();
    test_default_form();
    test_metrics();
    test_escapes();
    test_roles_order();
    test_without_marks_of_a_form();
    test_pointer_maps();
    test_wrong_texts();
    test_time_of_wrong_step();
    test_every_cut();
    test_every_byte_replaced();
    test_failing_allocations();
    mc_json_reader_destroy(reader);
    mc_step_tree_deinit(&tree);
    mc_reference_map_deinit(&map);
}

int main(void) {
#if defined(__x86_64__)
    // The library picks its code by the processor: run what it has for others, too.
    static const char *const codes[] = {"fallback", "westmere"};
    for (size_t i = 0; i < 2; i++) {
        pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            setenv("SIMDJSON_FORCE_IMPLEMENTATION", codes[i], 1);
            test_all(0);
            fflush(NULL);
            _exit(test_finish());
        }
        int status;
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK_MSG(WIFEXITED(status) && WEXITSTATUS(status) == 0, "with %s", codes[i]);
    }
#endif
    test_all(0);
    test_all(1); // cut wherever it may be
    test_all(64);
    return test_finish();
}
