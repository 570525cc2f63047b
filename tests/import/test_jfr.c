// JFR recordings, as tests/jfr_maker.py writes them: each encoding, what is wrong with one, and one
// that is cut off anywhere.
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/import/jfr/jfr_steps.h"
#include "tests/test.h"
#include <inttypes.h>

static mc_error error;
static mc_step_tree tree; // the last one
static mc_step_paths paths;
static uint32_t step_count;
static bool is_cut;
static uint64_t unknown_count, lost_count; // of native allocations
static char note[200];
static const mc_profile_options options = {.depth = 8, .moment_count = 4};

static mc_result make_steps(const mc_jfr *jfr) {
    mc_jfr_steps *steps;
    mc_result result = mc_jfr_steps_create(jfr, &options, &steps, &error);
    if (result != MC_OK) return result;
    for (step_count = 0; step_count < jfr->moment_count && result == MC_OK; step_count++)
        result = mc_jfr_steps_fill(steps, step_count, &tree, &paths, &error);
    if (result == MC_OK) snprintf(note, sizeof note, "%s", tree.note ? tree.note : "");
    mc_jfr_steps_destroy(steps);
    return result;
}

// From a block of its exact size.
static mc_result read_bytes(const unsigned char *bytes, size_t size) {
    mc_jfr jfr = {.moments = NULL};
    unsigned char *block = malloc(size + 1);
    REQUIRE(block);
    if (size > 0) memcpy(block + 1, bytes, size);
    mc_result result = mc_jfr_read(&jfr, block + 1, size, &options, NULL, &error);
    if (result == MC_OK) result = make_steps(&jfr);
    is_cut = jfr.missing != NULL;
    unknown_count = jfr.mallocs ? jfr.mallocs->unknown_count : 0;
    lost_count = jfr.mallocs ? jfr.mallocs->lost_count : 0;
    mc_jfr_deinit(&jfr);
    free(block);
    return result;
}

static unsigned char *load(const char *name, size_t *size) {
    char path[500];
    mc_file_map map;
    snprintf(path, sizeof path, MC_TEST_DATA "/jfr/%s.jfr", name);
    REQUIRE(mc_file_map_open(&map, path, &error) == MC_OK);
    unsigned char *bytes = malloc(map.size);
    REQUIRE(bytes);
    memcpy(bytes, map.data, map.size);
    *size = map.size;
    mc_file_map_close(&map);
    return bytes;
}

static uint32_t find_node(const char *path) {
    uint32_t node = 0;
    while (*path) {
        size_t size = strcspn(path, "#");
        uint32_t found = MC_NONE;
        for (uint32_t i = 1; i < tree.node_count; i++)
            if (tree.nodes[i].parent == node && tree.nodes[i].key_size == size &&
                memcmp(tree.text.data + tree.nodes[i].key_offset, path, size) == 0)
                found = i;
        if (found == MC_NONE) return MC_NONE;
        node = found;
        path += size + (path[size] == '#');
    }
    return node;
}

static uint64_t get_value(const char *metric, const char *path) {
    uint32_t node = find_node(path);
    uint32_t index = mc_metrics_find(&tree.metrics, metric, strlen(metric));
    return node == MC_NONE || index == MC_NONE ? MC_COUNT_UNKNOWN
                                               : mc_step_tree_get_value(&tree, index, node);
}

static void check_path(uint32_t path, const char *field, const char *class, uint32_t parent) {
    const mc_retaining_path *p = &paths.paths[path];
    CHECK_MSG(p->parent == parent &&
                  strcmp(mc_strings_get(&paths.names, p->field, NULL), field) == 0 &&
                  strcmp(mc_strings_get(&paths.names, p->class, NULL), class) == 0,
              "%u: %s %s", path, mc_strings_get(&paths.names, p->field, NULL),
              mc_strings_get(&paths.names, p->class, NULL));
}

static void test_kinds(void) {
    static const char *const names[] = {"packed", "fixed"};
    for (int i = 0; i < 2; i++) {
        size_t size;
        unsigned char *bytes = load(names[i], &size);
        CHECK_MSG(read_bytes(bytes, size) == MC_OK, "%s: %s", names[i], error.message);
        CHECK(!is_cut && step_count == 4 && tree.time_ms == 1700000020000);
        // 1000 and 200 in each of two chunks; the second one's text is in UTF-16
        CHECK(get_value("allocated_so_far", "") == 2400);
        CHECK(get_value("allocated_so_far", "com.acme.Shop$$Lambda.пуск🚀#com.acme.Shop.main:9#"
                                            "byte[]#os-2") == 400);
        CHECK(get_value("old_objects", "") == 3); // of the last batch
        CHECK(get_value("old_objects", "com.acme.Shop.add:42#com.acme.Shop.main:7#"
                                       "com.acme.Session#main") == 2);
        CHECK(get_value("old_objects", "(unknown)#byte[]#(unnamed)") == 1);
        CHECK(get_value("rss", "") == MC_COUNT_UNKNOWN); // not in that step
        CHECK_MSG(strcmp(note, "3 old objects are sampled") == 0, "%s", note);
        REQUIRE(paths.path_count == 5);
        check_path(0, "static com.acme.Shop.SESSIONS", "java.util.HashMap", MC_NONE);
        check_path(1, "HashMap.table", "java.util.HashMap$Node[]", 0);
        check_path(2, "HashMap$Node[] elements", "com.acme.Session", 1);
        check_path(3, "thread \"main\"", "com.acme.Shop", MC_NONE);
        check_path(4, "Shop.cache", "byte[]", 3);
        uint64_t sampled = 0;
        for (size_t k = 0; k < paths.sum_count; k++)
            if (paths.sums[k].node == 0) sampled += paths.sums[k].objects;
        CHECK(sampled == 3);
        free(bytes);
    }
}

static void check_site(const char *site, uint64_t objects, uint64_t bytes, uint64_t alloc_objects,
                       uint64_t alloc_bytes) {
    CHECK_MSG(get_value("alloc_objects", site) == alloc_objects &&
                  get_value("alloc_bytes", site) == alloc_bytes,
              "%s: %" PRIu64 ", %" PRIu64, site, get_value("alloc_objects", site),
              get_value("alloc_bytes", site));
    uint32_t node = find_node(site);
    REQUIRE(node != MC_NONE);
    CHECK_MSG(tree.nodes[node].objects == objects && tree.nodes[node].bytes == bytes,
              "%s: %" PRIu64 ", %" PRIu64, site, tree.nodes[node].objects, tree.nodes[node].bytes);
}

// Sums as tests/jfr_maker.py has them by a calculation of its own (--sums).
static void test_native(void) {
    size_t size;
    unsigned char *bytes = load("native", &size);
    CHECK_MSG(read_bytes(bytes, size) == MC_OK, "%s", error.message);
    CHECK(!is_cut && step_count == 4);
    check_site("com.acme.Shop.add:42", 6, 24576, 6, 24576);
    check_site("com.acme.Shop.pack:50", 4, 144196, 44, 823848);
    check_site("Compile::Compile (libjvm.so)", 3, 4296, 41, 403096);
    check_site("rocksdb::Arena::AllocateNewBlock (librocksdbjni.so)", 4, 74220, 30, 588344);
    check_site("no_Java_frame ([async-profiler])", 4, 71200, 38, 521792);
    CHECK(find_node("rocksdb::Arena::AllocateNewBlock (librocksdbjni.so)#org.rocksdb.RocksDB.put#"
                    "com.acme.Shop.main:9#worker-0") != MC_NONE);
    CHECK(get_value("allocated_so_far", "") == MC_COUNT_UNKNOWN);
    CHECK(get_value("sampling", "") == MC_COUNT_UNKNOWN);
    CHECK(unknown_count == 3 && lost_count == 1);
    CHECK_MSG(strcmp(note, "3 frees of native blocks whose allocation is not recorded, 1 native "
                           "block whose free is not recorded") == 0,
              "%s", note);
    free(bytes);
}

// A malloc each 5000 bytes, beside what Java allocates.
static void test_sampled(void) {
    size_t size;
    unsigned char *bytes = load("sampled", &size);
    CHECK_MSG(read_bytes(bytes, size) == MC_OK, "%s", error.message);
    check_site("com.acme.Shop.pack:50", 3, 145000, 7, 425000);
    check_site("Compile::Compile (libjvm.so)", 1, 70000, 10, 505000);
    check_site("no_Java_frame ([async-profiler])", 0, 0, 8, 215000);
    CHECK(get_value("sampling", "") == 5000);
    CHECK(get_value("allocated_so_far", "") == 1200);
    CHECK(get_value("old_objects", "") == 3);
    CHECK(unknown_count == 30 && lost_count == 0);
    free(bytes);
}

static void test_open(void) {
    size_t size;
    unsigned char *bytes = load("open", &size);
    CHECK(read_bytes(bytes, size) == MC_OK && is_cut);
    CHECK(tree.time_ms == 1700000019000); // the last event of the chunk without a size
    CHECK(get_value("old_objects", "") == 3);
    free(bytes);
}

static void check_bad(unsigned char *bytes, size_t size, uint64_t offset, const char *wanted) {
    CHECK_MSG(read_bytes(bytes, size) == MC_ERROR_BAD_DATA && error.byte_offset == offset &&
                  strstr(error.message, wanted),
              "%" PRIu64 ": %s", error.byte_offset, error.message);
}

static void test_bad(void) {
    size_t size;
    unsigned char *bytes = load("packed", &size);
    check_bad(bytes, 0, 0, "expected a chunk");
    check_bad(bytes, 20, 20, "cut off in the first 68 bytes");
    bytes[7] = 7;
    check_bad(bytes, size, 0, "its format is version 2.7; versions 2.0 to 2.1 can be read");
    bytes[5] = 3;
    check_bad(bytes, size, 0, "its format is version 3.7; versions 2.0 to 2.1 can be read");
    free(bytes);
}

// Cut off at each length, and each byte changed in some way.
static void test_damage(const char *name) {
    static const unsigned char others[] = {0, 1, 2, 0x7f, 0x80, 0xff};
    size_t size, step = MC_TEST_SANITIZED ? 7 : 3, first = 0;
    unsigned char *bytes = load(name, &size);
    for (int i = 8; i < 16; i++)
        first = first << 8 | bytes[i]; // the first chunk's size
    for (size_t at = 0; at < size; at += step) {
        unsigned char kept = bytes[at];
        mc_result result = read_bytes(bytes, at);
        CHECK(result == MC_OK ? is_cut || at == first : result == MC_ERROR_BAD_DATA);
        bytes[at] = others[at / step % sizeof others];
        result = read_bytes(bytes, size);
        CHECK(result == MC_OK ||
              (result == MC_ERROR_BAD_DATA &&
               (error.byte_offset <= size || error.byte_offset == MC_ERROR_NO_OFFSET)));
        bytes[at] = kept;
    }
    free(bytes);
}

static void test_memory(const char *name) {
    size_t size;
    unsigned char *bytes = load(name, &size);
    for (uint64_t n = 0;; n++) {
        mc_step_tree_deinit(&tree);
        mc_step_paths_deinit(&paths);
        mc_memory_fail_after(n);
        mc_result result = read_bytes(bytes, size);
        mc_memory_fail_after(UINT64_MAX);
        if (result == MC_OK) break;
        CHECK(result == MC_ERROR_OUT_OF_MEMORY);
    }
    free(bytes);
}

int main(void) {
    test_kinds();
    test_native();
    test_sampled();
    test_open();
    test_bad();
    test_damage("packed");
    test_damage("fixed");
    test_damage("open");
    test_damage("native");
    test_damage("sampled");
    test_memory("packed");
    test_memory("sampled");
    mc_step_tree_deinit(&tree);
    mc_step_paths_deinit(&paths);
    return test_finish();
}
