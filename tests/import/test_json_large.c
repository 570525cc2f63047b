// The JSON reader on documents that are deep, or larger than the pieces in which they are read.
#include "tests/json_text.h"
#include <inttypes.h>

static mc_json_reader *reader;
static mc_step_tree tree;
static mc_error error;
static mc_text text;

static void add(const char *string) {
    mc_text_append_string(&text, string);
}

static mc_result read_text(void) {
    REQUIRE(!text.failed);
    return json_read_step(reader, text.data, text.size, &tree, &error);
}

static void write_chain(uint32_t levels, bool key_last) {
    mc_text_clear(&text);
    add("{\"time\":1,\"root\":");
    for (uint32_t i = 0; i < levels; i++) {
        if (!key_last) mc_text_format(&text, "{\"key\":\"k%u\",\"objects\":1,\"bytes\":%u", i, i);
        if (i + 1 < levels) add(key_last ? "{\"children\":[" : ",\"children\":[");
        if (i + 1 == levels && key_last) add("{");
    }
    for (uint32_t i = levels; i-- > 0;) {
        if (i + 1 < levels) add("]");
        if (key_last)
            mc_text_format(&text, "%s\"key\":\"k%u\",\"objects\":1,\"bytes\":%u",
                           i + 1 < levels ? "," : "", i, i);
        add("}");
    }
    add("}");
}

static void test_deep_trees(void) {
    for (int key_last = 0; key_last < 2; key_last++) {
        const uint32_t levels = 100000;
        write_chain(levels, key_last != 0);
        CHECK_MSG(read_text() == MC_OK, "%s", error.message);
        REQUIRE(tree.node_count == levels);
        for (uint32_t i = 0; i < levels; i++) {
            CHECK(tree.nodes[i].parent == (i == 0 ? MC_NONE : i - 1));
            CHECK(tree.nodes[i].bytes == i);
        }
        // cut off in the middle
        text.size /= 2;
        CHECK(read_text() == MC_ERROR_BAD_DATA);
    }
    write_chain(MC_JSON_DEPTH_MAX + 1, false);
    CHECK(read_text() == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "at most 1000000 levels"), "%s", error.message);
    CHECK_MSG(strlen(error.message) < 600, "the path is shortened");
    CHECK(strstr(error.message, "root.children[0]") == error.message);
}

static void test_deep_unknown_values(void) {
    mc_text_clear(&text);
    add("{\"unknown\":");
    for (int i = 0; i < 100000; i++)
        add(i % 2 ? "[" : "{\"a\":");
    add("1");
    for (int i = 100000; i-- > 0;)
        add(i % 2 ? "]" : "}");
    add(",\"time\":1,\"root\":{\"key\":\"a\",\"objects\":1,\"bytes\":1}}");
    CHECK_MSG(read_text() == MC_OK, "%s", error.message);
    mc_text_clear(&text);
    add("{\"unknown\":");
    for (int i = 0; i <= MC_JSON_DEPTH_MAX; i++)
        add("[");
    CHECK(read_text() == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "at most 1000000 levels"), "%s", error.message);
}

// ---- random trees, written in every way that JSON allows

static uint64_t random_state;

static uint32_t get_random(uint32_t below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % below;
}

static void add_space(void) {
    static const char *const spaces[] = {"", "", "", "", " ", "\n", "\t \r\n"};
    add(spaces[get_random(7)]);
}

// A string in JSON and, if `plain` is given, what it means.
static void add_random_string(mc_text *plain, uint32_t size_max) {
    static const char *const escaped[] = {"\\\"",    "\\\\",           "\\n",   "\\u0000", "\\/",
                                          "\\u00e4", "\\ud83d\\ude00", "}]{[,:"};
    static const char meanings[] = "\"\0\\\0\n\0\0\0/\0\xc3\xa4\0\xf0\x9f\x98\x80\0}]{[,:";
    static const uint8_t offsets[] = {0, 2, 4, 6, 8, 10, 13, 18},
                         sizes[] = {1, 1, 1, 1, 1, 2, 4, 6};
    add("\"");
    for (uint32_t size = get_random(size_max); size > 0; size--) {
        uint32_t kind = get_random(60);
        if (kind < 8) {
            add(escaped[kind]);
            if (plain) mc_text_append(plain, meanings + offsets[kind], sizes[kind]);
        } else {
            char letter = (char)('a' + kind % 26);
            mc_text_append(&text, &letter, 1);
            if (plain) mc_text_append(plain, &letter, 1);
        }
    }
    add("\"");
}

static void add_random_value(uint32_t depth) {
    static const char *const scalars[] = {"0", "-1.5e+3", "true", "false", "null", "12"};
    uint32_t kind = get_random(depth > 3 ? 2 : 4);
    if (kind == 0) {
        add(scalars[get_random(6)]);
    } else if (kind == 1) {
        add_random_string(NULL, 20);
    } else {
        add(kind == 2 ? "[" : "{");
        for (uint32_t i = 0, count = get_random(4); i < count; i++) {
            if (i > 0) add(",");
            add_space();
            if (kind == 3) {
                add_random_string(NULL, 10);
                add_space();
                add(":");
            }
            add_random_value(depth + 1);
            add_space();
        }
        add(kind == 2 ? "]" : "}");
    }
}

typedef struct random_node {
    uint32_t parent;
    uint64_t objects, bytes, retained;
    size_t key_offset, key_size;
} random_node;

static random_node nodes[20000];
static uint32_t node_count;
static mc_text keys;

static void add_random_node(uint32_t parent, uint32_t depth, uint32_t *budget);

static void add_random_children(uint32_t index, uint32_t depth, uint32_t *budget) {
    add("[");
    for (uint32_t i = 0, count = get_random(12); i<count && * budget> 0; i++) {
        if (i > 0) add(",");
        add_space();
        add_random_node(index, depth + 1, budget);
        add_space();
    }
    add("]");
}

static void add_random_node(uint32_t parent, uint32_t depth, uint32_t *budget) {
    uint32_t index = node_count++, order[6] = {0, 1, 2, 3, 4, 5};
    random_node *node = &nodes[index];
    *budget -= 1;
    node->parent = parent;
    node->objects = get_random(3) ? get_random(1000) : (uint64_t)INT64_MAX - get_random(9);
    node->bytes = (uint64_t)get_random(1u << 30) << get_random(33);
    node->retained = get_random(2) ? MC_COUNT_UNKNOWN : get_random(100);
    for (uint32_t i = 6; i > 1; i--) {
        uint32_t other = get_random(i), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
    add("{");
    for (uint32_t i = 0; i < 6; i++) {
        if (i > 0) add(",");
        add_space();
        switch (order[i]) {
        case 0:
            add("\"key\":");
            node->key_offset = keys.size;
            add_random_string(&keys, get_random(100) == 0 ? 5000 : 20);
            node->key_size = keys.size - node->key_offset;
            break;
        case 1: mc_text_format(&text, "\"objects\" :%" PRIu64, node->objects); break;
        case 2: mc_text_format(&text, "\"byte\\u0073\": %" PRIu64, node->bytes); break;
        case 3:
            if (node->retained == MC_COUNT_UNKNOWN) {
                add("\"retainedSize\":-1");
            } else {
                mc_text_format(&text, "\"retainedSize\":%" PRIu64, node->retained);
            }
            break;
        case 4:
            add("\"children\":");
            if (depth < 6) {
                add_random_children(index, depth, budget);
            } else {
                add("[]");
            }
            break;
        default: add("\"fullKey\" :"); add_random_value(0);
        }
        add_space();
    }
    add("}");
}

static void test_random_trees(void) {
    for (uint32_t seed = 0; seed < 60; seed++) {
        random_state = seed;
        mc_text_clear(&text);
        mc_text_clear(&keys);
        mc_text_append(&keys, "", 0);
        node_count = 0;
        uint32_t budget = seed < 40 ? 100 : 19000;
        add("{\"root\":");
        add_random_node(MC_NONE, 0, &budget);
        add(",\"classifiers\":[],\"time\":99}");
        mc_json_reader_set_piece_size(reader, seed % 2 ? get_random(3000) : 0);
        mc_result result = read_text();
        CHECK_MSG(result == MC_OK, "seed %u: %" PRIu64 ": %s", seed, error.byte_offset,
                  error.message);
        if (result != MC_OK) continue;
        REQUIRE(tree.node_count == node_count);
        uint32_t retained = mc_metrics_find(&tree.metrics, "retained", 8);
        for (uint32_t i = 0; i < node_count; i++) {
            mc_step_node node = mc_step_tree_get(&tree, i);
            CHECK(node.parent == nodes[i].parent);
            CHECK(node.objects == nodes[i].objects && node.bytes == nodes[i].bytes);
            CHECK((retained == MC_NONE
                       ? MC_COUNT_UNKNOWN
                       : mc_step_tree_get_value(&tree, retained, i)) == nodes[i].retained);
            CHECK(node.key_size == nodes[i].key_size);
            CHECK(memcmp(tree.text.data + node.key_offset, keys.data + nodes[i].key_offset,
                         node.key_size) == 0);
            CHECK(text.data[node.source_offset] == '{');
        }
    }
    mc_json_reader_set_piece_size(reader, 0);
}

// One string, one gap or one number that is longer than a piece.
static void test_long_tokens(void) {
    const size_t sizes[] = {262143, 262144, 262145, 1000000};
    for (size_t i = 0; i < 4; i++) {
        for (int escaped = 0; escaped < 2; escaped++) {
            mc_text_clear(&text);
            add("{\"time\":1,\"root\":{\"objects\":1,\"bytes\":2,\"key\":\"");
            for (size_t k = 0; k < sizes[i]; k++)
                add(escaped && k % 3 == 0 ? "\\\\" : "x");
            add("\",\"name\":\"n\"}}");
            CHECK_MSG(read_text() == MC_OK, "%s", error.message);
            REQUIRE(tree.node_count == 1);
            CHECK(tree.nodes[0].key_size == sizes[i] && mc_step_tree_get_name(&tree, 0).size == 1);
        }
        mc_text_clear(&text);
        add("{\"time\":1,\"root\":");
        for (size_t k = 0; k < sizes[i]; k++)
            add(" ");
        add("{\"objects\":1,\"bytes\":2,\"key\":\"a\"}}");
        CHECK_MSG(read_text() == MC_OK, "%s", error.message);
        mc_text_clear(&text);
        add("{\"time\":");
        for (size_t k = 0; k < sizes[i]; k++)
            add("1");
        CHECK(read_text() == MC_ERROR_BAD_DATA && error.byte_offset == 8);
    }
}

// What is wrong far behind the first piece is found at its place, and not before what precedes it.
static void test_late_errors(void) {
    for (size_t filler = 262000; filler < 262400; filler += 7) {
        mc_text_clear(&text);
        add("{\"time\":1,\"pad\":[\"");
        for (size_t k = 0; k < filler; k++)
            add("y");
        add("\"],\"root\":{\"key\":\"a\",\"bytes\":1,\"objects\":");
        uint64_t offset = text.size;
        add("-1,\"name\":\"\xff\"}}");
        CHECK(read_text() == MC_ERROR_BAD_DATA);
        CHECK_MSG(error.byte_offset == offset, "%s", error.message);
        text.data[offset] = '4';
        CHECK(read_text() == MC_ERROR_BAD_DATA);
        CHECK(error.byte_offset == offset + 11 &&
              strstr(error.message, "root.name: expected UTF-8"));
    }
}

int main(void) {
    reader = mc_json_reader_create();
    REQUIRE(reader);
    test_deep_trees();
    test_deep_unknown_values();
    test_random_trees();
    test_long_tokens();
    test_late_errors();
    mc_json_reader_destroy(reader);
    mc_step_tree_deinit(&tree);
    mc_text_deinit(&text);
    mc_text_deinit(&keys);
    return test_finish();
}
