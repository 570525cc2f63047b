// Class histograms as JVMs print them.
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/import/histogram/histogram.h"
#include "tests/test.h"
#include <inttypes.h>

static mc_error error;
static mc_step_tree tree;

static mc_histogram_reader *create(const char *criteria) {
    mc_grouping grouping;
    mc_histogram_reader *reader;
    REQUIRE(mc_grouping_parse(criteria, &grouping, &error) == MC_OK);
    REQUIRE(mc_histogram_reader_create(&grouping, &reader, &error) == MC_OK);
    return reader;
}

static mc_file_map load(const char *name) {
    char path[256];
    mc_file_map map;
    snprintf(path, sizeof path, MC_TEST_DATA "/histogram/%s", name);
    REQUIRE(mc_file_map_open(&map, path, &error) == MC_OK);
    return map;
}

// The counts of the node whose key is `type` in the group `package`.
static void check_leaf(const char *package, const char *type, uint64_t objects, uint64_t bytes) {
    for (size_t i = 1; i < tree.node_count; i++) {
        const char *key = tree.text.data + tree.nodes[i].key_offset;
        size_t size = tree.nodes[i].key_size;
        uint32_t parent = tree.nodes[i].parent;
        if (parent == 0 || size != strlen(type) || memcmp(key, type, size) != 0) continue;
        const char *above = tree.text.data + tree.nodes[parent].key_offset;
        if (memcmp(above, package, strlen(package)) != 0) continue;
        CHECK_MSG(tree.nodes[i].objects == objects && tree.nodes[i].bytes == bytes,
                  "%s: %" PRIu64 " %" PRIu64, type, tree.nodes[i].objects, tree.nodes[i].bytes);
        return;
    }
    CHECK_MSG(false, "%s.%s is not there", package, type);
}

static void read_one(mc_histogram_reader *reader, mc_histogram *histogram) {
    bool is_there;
    mc_result result = mc_histogram_reader_next(reader, false, &is_there, histogram, &tree, &error);
    CHECK_MSG(result == MC_OK && is_there, "%s", error.message);
}

static void check_end(mc_histogram_reader *reader) {
    bool is_there = true;
    mc_histogram histogram;
    CHECK(mc_histogram_reader_next(reader, false, &is_there, &histogram, &tree, &error) == MC_OK);
    CHECK(!is_there);
}

static void test_forms(void) {
    mc_histogram histogram;
    mc_histogram_reader *reader = create("package,type");
    mc_file_map map = load("jdk17.txt");
    CHECK(mc_histogram_detect(map.data, map.size));
    mc_histogram_reader_begin(reader, map.data, map.size);
    read_one(reader, &histogram);
    CHECK(!histogram.has_time && !histogram.is_partial && histogram.offset == 7);
    check_leaf("(primitive)", "byte[]", 116291, 2951960);
    check_leaf("java.lang", "String", 116206, 2788944);
    check_leaf("java.lang", "String[][]", 109, 3488);
    check_leaf("(default)", "Load$Node", 109000, 2616000);
    check_end(reader);
    mc_file_map_close(&map);

    map = load("jdk8.txt");
    mc_histogram_reader_begin(reader, map.data, map.size);
    read_one(reader, &histogram);
    CHECK(tree.nodes[0].objects == 204 && tree.nodes[0].bytes == 4880);
    check_leaf("app", "Node", 10, 240); // of two loaders
    check_leaf("app", "Node[]", 2, 48);
    check_leaf("app", "Test$two words$1", 1, 16);
    check_leaf("(default)", "Load$$Lambda$1/245565335", 1, 16);
    check_end(reader);
    mc_file_map_close(&map);

    map = load("openj9.txt");
    mc_histogram_reader_begin(reader, map.data, map.size);
    read_one(reader, &histogram);
    check_leaf("java.lang", "String", 44166, 1059984);
    check_leaf("(primitive)", "int[]", 10, 240);
    check_end(reader);
    mc_file_map_close(&map);
    mc_histogram_reader_destroy(reader);
}

static void test_many(void) {
    mc_histogram histogram;
    mc_histogram_reader *reader = create("package,type");
    mc_file_map map = load("many.txt");
    mc_histogram_reader_begin(reader, map.data, map.size);
    read_one(reader, &histogram);
    CHECK(histogram.has_time && histogram.time_ms == 1714564800000);
    CHECK(tree.nodes[0].objects == 197);
    read_one(reader, &histogram);
    CHECK(histogram.has_time && histogram.time_ms == 1714564810000);
    CHECK(tree.nodes[0].objects == 100);
    check_leaf("app", "Node", 10, 240);
    check_end(reader);
    mc_file_map_close(&map);
    mc_histogram_reader_destroy(reader);
}

static void test_modules(void) {
    mc_histogram histogram;
    mc_histogram_reader *reader = create("module,type");
    mc_file_map map = load("jdk17.txt");
    mc_histogram_reader_begin(reader, map.data, map.size);
    read_one(reader, &histogram);
    check_leaf("java.base", "java.lang.String", 116206, 2788944);
    check_leaf("(unnamed)", "Load$Node", 109000, 2616000);
    mc_file_map_close(&map);
    mc_histogram_reader_destroy(reader);
}

typedef struct histogram_totals {
    uint32_t good_count, bad_count; // histograms
    uint64_t object_count;
} histogram_totals;

// Reads the first `size` bytes, in a block of that size.
static histogram_totals read_cut(mc_histogram_reader *reader, const mc_file_map *map, size_t size,
                                 bool partial) {
    histogram_totals totals = {0};
    unsigned char *block = malloc(size ? size : 1);
    REQUIRE(block);
    memcpy(block, map->data, size);
    mc_histogram_detect(block, size);
    mc_histogram_reader_begin(reader, block, size);
    for (bool is_there = true; is_there;) {
        mc_histogram histogram;
        mc_result result =
            mc_histogram_reader_next(reader, partial, &is_there, &histogram, &tree, &error);
        REQUIRE(result == MC_OK || result == MC_ERROR_BAD_DATA);
        if (result != MC_OK) {
            CHECK(error.byte_offset <= size && error.message[0]);
            REQUIRE(++totals.bad_count < 4);
        } else if (is_there) {
            totals.good_count++;
            totals.object_count += tree.nodes[0].objects;
        }
    }
    free(block);
    return totals;
}

// A text cut off anywhere: an error at a place in it, or, if that is wanted, the rows that are
// whole.
static void test_cuts(const char *name) {
    mc_file_map map = load(name);
    mc_histogram_reader *reader = create("package,type");
    histogram_totals whole = read_cut(reader, &map, map.size, false);
    CHECK_MSG(whole.good_count > 0 && whole.bad_count == 0 && whole.object_count > 0, "%s", name);
    uint64_t object_count = 0;
    uint32_t growth_count = 0, bad_count = 0;
    for (size_t size = 0; size < map.size; size++) {
        histogram_totals strict = read_cut(reader, &map, size, false);
        histogram_totals partial = read_cut(reader, &map, size, true);
        bad_count += strict.bad_count > 0;
        CHECK_MSG(partial.bad_count == 0, "%s cut at %zu: %s", name, size, error.message);
        CHECK_MSG(strict.object_count <= partial.object_count, "%s cut at %zu", name, size);
        CHECK_MSG(partial.object_count >= object_count, "%s cut at %zu", name, size);
        growth_count += partial.object_count > object_count;
        object_count = partial.object_count;
    }
    CHECK_MSG(object_count == whole.object_count, "%s", name);
    CHECK_MSG(growth_count >= 2 && bad_count > map.size / 2, "%s: %u, %u", name, growth_count,
              bad_count);
    mc_histogram_reader_destroy(reader);
    mc_file_map_close(&map);
}

static void check_wrong(const char *text, uint64_t offset, const char *message) {
    mc_histogram_reader *reader = create("package,type");
    bool is_there;
    mc_histogram histogram;
    mc_histogram_reader_begin(reader, (const unsigned char *)text, strlen(text));
    mc_result result =
        mc_histogram_reader_next(reader, false, &is_there, &histogram, &tree, &error);
    CHECK_MSG(result == MC_ERROR_BAD_DATA && error.byte_offset == offset &&
                  strstr(error.message, message),
              "%s: %d, %" PRIu64 ": %s", text, (int)result, error.byte_offset, error.message);
    mc_histogram_reader_destroy(reader);
}

#define HEAD "num #instances #bytes class name\n---\n" // 37 bytes

static void test_wrong(void) {
    check_wrong(HEAD, 37, "the end of the text");
    check_wrong(HEAD "hello\n", 37, "expected a row");
    check_wrong(HEAD "1: x\n", 40, "a number of instances");
    check_wrong(HEAD "1: 5 -3 a\n", 42, "a number of bytes");
    check_wrong(HEAD "1: 5 3\n", 43, "a class name");
    check_wrong(HEAD "1: 99999999999999999999 3 a\n", 40, "a number of instances");
    check_wrong(HEAD "1: 9223372036854775800 3 a\n2: 9 9 b\n", 64, "more than 2^63");
    check_wrong(HEAD "1: 5 3 a\nTotal 6 3\n", 46, "rows are missing");
    check_wrong(HEAD "1: 5 3 a\n" HEAD "Total 0 0\n", 46, "the next histogram");
    check_wrong("   1: 5 3 a\nTotal 5 3\n", 0, "the head of a class histogram");
}

// A bad one does not cost the next.
static void test_going_on(void) {
    static const char text[] =
        HEAD "1: 5 x a\n2: 5 5 b\nTotal 1 1\n" HEAD "1: 7 8 a.A\nTotal 7 8\n";
    mc_histogram_reader *reader = create("package,type");
    bool is_there;
    mc_histogram histogram;
    mc_histogram_reader_begin(reader, (const unsigned char *)text, strlen(text));
    CHECK(mc_histogram_reader_next(reader, false, &is_there, &histogram, &tree, &error) ==
          MC_ERROR_BAD_DATA);
    read_one(reader, &histogram);
    check_leaf("a", "A", 7, 8);
    check_end(reader);
    mc_histogram_reader_destroy(reader);
}

static void test_memory(void) {
    mc_file_map map = load("many.txt");
    mc_grouping grouping;
    REQUIRE(mc_grouping_parse(NULL, &grouping, &error) == MC_OK);
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != MC_OK; n++) {
        mc_histogram_reader *reader;
        mc_step_tree own = {0};
        bool is_there = true;
        mc_histogram histogram;
        mc_memory_fail_after(n);
        result = mc_histogram_reader_create(&grouping, &reader, &error);
        if (result == MC_OK) mc_histogram_reader_begin(reader, map.data, map.size);
        while (result == MC_OK && is_there)
            result = mc_histogram_reader_next(reader, false, &is_there, &histogram, &own, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
        mc_step_tree_deinit(&own);
        mc_histogram_reader_destroy(reader);
    }
    mc_file_map_close(&map);
}

int main(void) {
    test_forms();
    test_many();
    test_modules();
    test_cuts("jdk17.txt");
    test_cuts("jdk8.txt");
    test_cuts("many.txt");
    test_cuts("openj9.txt");
    test_wrong();
    test_going_on();
    test_memory();
    mc_step_tree_deinit(&tree);
    return test_finish();
}
