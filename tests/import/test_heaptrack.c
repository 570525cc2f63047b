// Recordings of heaptrack: what it wrote, and files by hand of each version.
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/heaptrack/heaptrack.h"
#include "tests/random.h"
#include "tests/test.h"
#include <inttypes.h>

static mc_error error;
static mc_step_tree tree;
static const mc_profile_options options = {.depth = 100, .moment_count = 5};

// In pieces that lie in blocks of their own size. The steps' number; the last one is in `tree`.
static mc_result read_all(const void *bytes, size_t size, size_t piece, uint32_t *step_count,
                          bool *is_cut) {
    mc_heaptrack *reader;
    const unsigned char *data = bytes;
    *step_count = 0;
    mc_result result = mc_heaptrack_create(&options, 1 << 30, &reader, &error);
    for (size_t at = 0; at < size && result == MC_OK; at += piece) {
        size_t count = size - at < piece ? size - at : piece;
        unsigned char *block = malloc(count);
        REQUIRE(block);
        memcpy(block, data + at, count);
        result = mc_heaptrack_feed(reader, block, count, &error);
        free(block);
    }
    if (result == MC_OK) result = mc_heaptrack_finish(reader, is_cut, &error);
    for (bool is_there = true; result == MC_OK && is_there; *step_count += is_there)
        result = mc_heaptrack_next_step(reader, NULL, &tree, &is_there, &error);
    mc_heaptrack_destroy(reader);
    return result;
}

static mc_result read_text(const char *text, uint32_t *step_count, bool *is_cut) {
    return read_all(text, strlen(text), 7, step_count, is_cut);
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

static void check_node(const char *path, uint64_t objects, uint64_t bytes, uint64_t allocated) {
    uint32_t node = find_node(path);
    CHECK_MSG(node != MC_NONE && tree.nodes[node].objects == objects &&
                  tree.nodes[node].bytes == bytes &&
                  mc_step_tree_get_value(&tree, 1, node) == allocated,
              "%s: %" PRIu64 " %" PRIu64, path, node == MC_NONE ? 0 : tree.nodes[node].objects,
              node == MC_NONE ? 0 : tree.nodes[node].bytes);
}

// add(), into which grow() was inlined, and load() without debug information.
static const char version3[] = "v 10400 3\nX ./shop\nI 1000 5e2922\n# a remark\n\n"
                               "s 9 /bin/shop\ns 3 add\ns 6 shop.c\ns 4 grow\ns 4 main\ns 4 load\n"
                               "i 1000 1 4 3 c 2 3 1e\ni 1010 1 5 3 28\ni 1020 1 6\ni 1030\n"
                               "t 2 0\nt 1 1\nt 3 1\nt 4 0\na 64 2\na 10 3\na 8 4\n"
                               "+ 0\n+ 0\nc 64\nR 3\n+ 1\n- 0\n+ 2\n- 2\nS x\nc 70\n";

static void test_version3(void) {
    uint32_t steps;
    bool is_cut;
    REQUIRE(read_text(version3, &steps, &is_cut) == MC_OK);
    CHECK(!is_cut && steps == 3); // 100 ms, the peak, 112 ms
    CHECK(tree.time_ms == 112);
    check_node("", 2, 116, 224);
    check_node("grow (shop.c:12)#add (shop.c:30)#main (shop.c:40)", 1, 100, 200);
    check_node("load (shop)#main (shop.c:40)", 1, 16, 16);
    check_node("0x1030", 0, 0, 8);
    CHECK(mc_step_tree_get_value(&tree, 2, find_node("0x1030")) == 1); // freed at once
    CHECK(mc_step_tree_get_value(&tree, 2, 0) == 1);
    CHECK(strcmp(tree.metrics.items[3].key, "most") == 0 &&
          strcmp(tree.metrics.items[4].key, "rss") == 0);
    CHECK(mc_step_tree_get_value(&tree, 4, 0) == 3 * 4096);
    CHECK(mc_step_tree_get_value(&tree, 4, 1) == MC_COUNT_UNKNOWN);
}

static void test_old(void) {
    static const char version0[] = "v 10000\nX ./shop\nI 1000 5\ns /bin/my shop\ns add\n"
                                   "i 1000 1 2\nt 1 0\n+ 64 1 7f00\n+ 64 1 7f80\n+ 8 1 7fa0\n"
                                   "- 7f00\n- dead\n+ 10 1 7f80\nc a\n";
    static const char version1[] =
        "v 10200\nX ./shop\ns add\ni 1000 0 1\nt 1 0\na 64 1\n+ 0\nc a\n";
    static const char attached[] = "v 10300 2\nX ./shop\ns add\ni 1000 0 1\nt 1 0\na 64 1\n+ 0\n"
                                   "A\n+ 0\n+ 0\nc a\n";
    uint32_t steps;
    bool is_cut;
    REQUIRE(read_text(version0, &steps, &is_cut) == MC_OK);
    check_node("add (my shop)", 2, 24, 224);
    REQUIRE(read_text(version1, &steps, &is_cut) == MC_OK);
    check_node("add", 1, 100, 100);
    REQUIRE(read_text(attached, &steps, &is_cut) == MC_OK);
    check_node("add", 2, 200, 200);
}

// More events than are handed over at once, of kinds that become known between them; at the end
// what is alive is what was counted here. In pieces that cut lines, and in one.
static void test_many(void) {
    enum { KINDS = 3000, EVENTS = 200000 };
    static uint64_t alive[KINDS], allocated[KINDS];
    mc_text text = {.data = NULL};
    uint64_t seed = 7, objects = 0, bytes = 0, total = 0;
    uint32_t kind_count = 0, steps;
    bool is_cut;
    mc_text_append_string(&text, "v 10400 3\nX ./shop\nI 1000 5\ns 3 add\ni 1000 0 1\n");
    for (uint32_t i = 0; i < KINDS; i++)
        alive[i] = allocated[i] = 0;
    for (uint32_t i = 0; i < EVENTS; i++) {
        if (kind_count < KINDS && i % 60 == 0) {
            mc_text_format(&text, "i %x 0 1\nt %x 0\na %x %x\n", 0x2000 + kind_count,
                           kind_count + 2, kind_count + 1, kind_count + 1);
            kind_count++;
        }
        uint32_t kind = (uint32_t)(test_random(&seed) % kind_count);
        bool is_free = alive[kind] > 0 && test_random(&seed) % 5 < 2;
        mc_text_format(&text, "%c %x\n", is_free ? '-' : '+', kind);
        alive[kind] += is_free ? UINT64_MAX : 1;
        allocated[kind] += !is_free;
        if (i % 1000 == 999) mc_text_format(&text, "c %x\n", i / 100);
    }
    for (uint32_t i = 0; i < KINDS; i++) {
        objects += alive[i];
        bytes += alive[i] * (i + 1);
        total += allocated[i] * (i + 1);
    }
    REQUIRE(!text.failed);
    for (size_t piece = 1000; piece <= text.size + 1000; piece += text.size) {
        REQUIRE(read_all(text.data, text.size, piece, &steps, &is_cut) == MC_OK);
        CHECK(!is_cut && steps >= 5 && tree.time_ms == EVENTS / 100 - 1);
        check_node("", objects, bytes, total);
    }
    // An older version further on, whose events are applied by who reads them.
    size_t whole = text.size;
    mc_text_format(&text, "v 10100\n+ 99999 0 1000\nc %x\n", EVENTS / 100);
    REQUIRE(read_all(text.data, text.size, 4096, &steps, &is_cut) == MC_OK);
    check_node("", objects + 1, bytes + 0x99999, total + 0x99999);
    text.size = whole;
    // A kind that was not named, far behind: the line, and what is wrong with it.
    size_t offset = text.size;
    mc_text_format(&text, "+ %x\n", KINDS);
    CHECK(read_all(text.data, text.size, 4096, &steps, &is_cut) == MC_ERROR_BAD_DATA);
    CHECK(error.byte_offset == offset);
    mc_text_deinit(&text);
}

static void check_bad(const char *text, uint64_t offset, const char *wanted) {
    uint32_t steps;
    bool is_cut;
    mc_result result = read_text(text, &steps, &is_cut);
    CHECK_MSG(result == MC_ERROR_BAD_DATA && error.byte_offset == offset &&
                  strstr(error.message, wanted),
              "%s: %" PRIu64 ": %s", text, error.byte_offset, error.message);
}

static void test_bad(void) {
    check_bad("", 0, "found nothing");
    check_bad("X shop\n", 0, "heaptrack's version, before anything else");
    check_bad("v 10600 4\n", 0, "file format 4, written by heaptrack 1.6.0; memcity reads 0 to 3");
    check_bad("v 10400 3\nX a\nX b\n", 14, "no second command");
    check_bad("v 10400 3\ns 5 abc\n", 10, "a text of the length that is given");
    check_bad("v 10400 3\ni 10 1\n", 10, "the number of a module's name");
    check_bad("v 10400 3\nt 1 0\n", 10, "the number of a place");
    check_bad("v 10400 3\na 10 1\n", 10, "the number of a caller");
    check_bad("v 10400 3\n+ 0\n", 10, "the number of a kind of allocation");
    check_bad("v 10400 3\n+ x\n", 10, "the number of a kind of allocation");
    check_bad("v 10400 3\nc 11111111111111111\n", 10, "a time");
    check_bad("v 10400 3\nQ 1\n", 10, "one of the letters");
    check_bad("v 10400 3\nc1 5\n", 10, "a letter, and a blank");
    check_bad("v 10400 3\nm 0 1\n", 10, "heaptrack --interpret FILE");
    check_bad("v 10400 3\na ffffffffffffffff 0\n+ 0\n", MC_ERROR_NO_OFFSET,
              "more than 2^63 - 1 bytes");
    // Tables that are many times as large as the file.
    mc_heaptrack *reader;
    REQUIRE(mc_heaptrack_create(&options, 100, &reader, &error) == MC_OK);
    static const unsigned char many[] = "v 10400 3\ni 1\ni 2\ni 3\ni 4\ni 5\n";
    CHECK(mc_heaptrack_feed(reader, many, sizeof many - 1, &error) == MC_ERROR_BAD_DATA);
    CHECK(strstr(error.message, "many times as much as the file") != NULL);
    mc_heaptrack_destroy(reader);
}

static void test_detect(void) {
    static const char *const other[] = {"",       "v",         "v \n",       "v 1\n",
                                        "very\n", "v 10400 3", "v 10400 x\n"};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        CHECK_MSG(!mc_heaptrack_detect((const unsigned char *)other[i], strlen(other[i])), "%zu",
                  i);
    CHECK(mc_heaptrack_detect((const unsigned char *)"v 10400 3\n", 10));
    CHECK(mc_heaptrack_detect((const unsigned char *)"v 10000\nX", 9));
}

// What heaptrack wrote: cut off, and changed, somewhere.
static void test_file(void) {
    static const unsigned char others[] = {0, ' ', '\n', 'f', '+', 0x80};
    mc_file_map map;
    mc_inflate_buffer buffer = {0};
    uint32_t steps;
    bool is_cut;
    REQUIRE(mc_file_map_open(&map, MC_TEST_DATA "/profiles/heaptrack-leak.zst", &error) == MC_OK);
    REQUIRE(mc_inflate(map.data, map.size, &buffer, NULL, &error) == MC_OK);
    mc_file_map_close(&map);
    REQUIRE(read_all(buffer.data, buffer.size, 1000, &steps, &is_cut) == MC_OK && !is_cut);
    CHECK(steps >= 3);
    for (size_t i = 1; i < 300; i++) {
        size_t at = i < 150 ? i : i * buffer.size / 300;
        unsigned char kept = buffer.data[at];
        mc_result result = read_all(buffer.data, at, 1 << 20, &steps, &is_cut);
        CHECK(result == MC_OK || result == MC_ERROR_BAD_DATA);
        CHECK(result != MC_OK || is_cut == (buffer.data[at - 1] != '\n'));
        buffer.data[at] = others[i % sizeof others];
        result = read_all(buffer.data, buffer.size, 1 << 20, &steps, &is_cut);
        CHECK(result == MC_OK || (result == MC_ERROR_BAD_DATA && error.byte_offset <= buffer.size));
        buffer.data[at] = kept;
    }
    mc_inflate_buffer_deinit(&buffer);
}

static void test_memory(void) {
    uint32_t steps;
    bool is_cut;
    for (uint64_t n = 0;; n++) {
        mc_step_tree_deinit(&tree);
        mc_memory_fail_after(n);
        mc_result result = read_text(version3, &steps, &is_cut);
        mc_memory_fail_after(UINT64_MAX);
        if (result == MC_OK) break;
        CHECK(result == MC_ERROR_OUT_OF_MEMORY);
    }
}

int main(void) {
    test_version3();
    test_old();
    test_many();
    test_bad();
    test_detect();
    test_file();
    test_memory();
    mc_step_tree_deinit(&tree);
    return test_finish();
}
