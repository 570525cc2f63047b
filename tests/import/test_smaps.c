// Memory maps of processes: what is read of them, whose each piece is, and that all adds up to Rss.
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/import/smaps/memory_groups.h"
#include "tests/test.h"
#include <inttypes.h>

static mc_error error;
static mc_process_memory memory;
static mc_step_tree tree;
static mc_memory_groups *groups;
static mc_text all;

static void append_file(const char *name) {
    char path[256];
    mc_file_map map;
    snprintf(path, sizeof path, MC_TEST_DATA "/smaps/%s", name);
    REQUIRE(mc_file_map_open(&map, path, &error) == MC_OK);
    mc_text_append(&all, (const char *)map.data, map.size);
    mc_file_map_close(&map);
}

static mc_process_text begin(const char *data, size_t size) {
    return (mc_process_text){.at = data, .begin = data, .end = data + size};
}

static bool read_next(mc_process_text *text, const mc_resident_pages *pages) {
    bool is_there = false;
    mc_result result = mc_process_memory_read(&memory, text, false, &is_there, &error);
    CHECK_MSG(result == MC_OK, "%s", error.message);
    if (!is_there) return false;
    result = mc_memory_groups_fill_tree(groups, &memory, pages, &tree, &error);
    CHECK_MSG(result == MC_OK, "%s", error.message);
    return true;
}

static uint64_t sum_rss(void) {
    uint64_t sum = 0;
    for (size_t i = 0; i < memory.mapping_count; i++)
        sum += memory.mappings[i].resident;
    return sum;
}

static bool has_key(size_t node, const char *key) {
    return tree.nodes[node].key_size == strlen(key) &&
           memcmp(tree.text.data + tree.nodes[node].key_offset, key, strlen(key)) == 0;
}

static size_t find(const char *kind, const char *mapping) {
    for (size_t i = 1; i < tree.node_count; i++) {
        if (!mapping && tree.nodes[i].parent == 0 && has_key(i, kind)) return i;
        if (mapping && tree.nodes[i].parent != 0 && has_key(i, mapping) &&
            has_key(tree.nodes[i].parent, kind))
            return i;
    }
    return 0;
}

static void check_kilobytes(const char *kind, const char *mapping, uint64_t wanted) {
    size_t node = find(kind, mapping);
    uint64_t bytes = node > 0 ? tree.nodes[node].bytes : 0;
    CHECK_MSG(bytes == wanted * 1024, "%s, %s: %" PRIu64 " kB", kind, mapping ? mapping : "all",
              bytes / 1024);
}

static uint64_t get_metric(size_t node, const char *key) {
    mc_metric metric = mc_metrics_find(&tree.metrics, key, strlen(key));
    REQUIRE(metric != MC_NONE);
    return mc_step_tree_get_value(&tree, metric, node);
}

// What stands in a group is what its children have.
static void check_sums(void) {
    CHECK_MSG(tree.nodes[0].bytes == sum_rss(), "%" PRIu64 " of %" PRIu64, tree.nodes[0].bytes,
              sum_rss());
    uint64_t kinds = 0, mappings = 0;
    for (size_t i = 1; i < tree.node_count; i++)
        *(tree.nodes[i].parent == 0 ? &kinds : &mappings) += tree.nodes[i].bytes;
    CHECK(kinds == sum_rss() && mappings == sum_rss());
    CHECK(get_metric(0, MC_MEMORY_ESTIMATED) <= tree.nodes[0].bytes);
}

static void test_program(void) {
    mc_text_clear(&all);
    append_file("program.smaps");
    CHECK(mc_process_memory_detect((const unsigned char *)all.data, all.size));
    mc_process_text text = begin(all.data, all.size);
    REQUIRE(read_next(&text, NULL));
    CHECK(memory.has_time && memory.time_ms == INT64_C(1777636800000));
    check_sums();
    CHECK(tree.nodes[0].bytes == 984 * 1024);
    check_kilobytes("programs and libraries", "/usr/bin/shop", 16); // with its zeroed data
    check_kilobytes("malloc", "memory of arenas", 300 + 512);       // [heap], and that of a thread
    check_kilobytes("thread stacks", "main thread", 20);
    check_kilobytes("thread stacks", "stacks of threads", 16);
    check_kilobytes("unexplained", "anonymous to 7f0010400000", 100);
    check_kilobytes("unexplained", "anonymous, smaller than 1 MiB each", 4);
    check_kilobytes("shared memory", "/dev/zero (deleted)", 4);
    check_kilobytes("mapped files", "/var/lib/a b.db", 8);
    check_kilobytes("named by the program", "[anon:cache]", 4);
    CHECK(get_metric(0, MC_MEMORY_ESTIMATED) == 20 * 1024); // the stack, the zeroed data
    CHECK(get_metric(0, "swap") == 54 * 1024);
    CHECK(!read_next(&text, NULL));
}

// A heap that grows into what is reserved behind it keeps its group, as does Go's.
static void check_grown(const char *begin_and_end, const char *rest_end, const char *key) {
    for (int megabytes = 2; megabytes < 5; megabytes++) {
        char text[512];
        int size =
            snprintf(text, sizeof text,
                     "%s00000000-%s00%x00000 rw-p 00000000 00:00 0 \nSize: 4 kB\nRss: %d kB\n"
                     "%s00%x00000-%s ---p 00000000 00:00 0 \nSize: 4 kB\nRss: 0 kB\n",
                     begin_and_end, begin_and_end, (unsigned)megabytes, megabytes * 1024,
                     begin_and_end, (unsigned)megabytes, rest_end);
        mc_process_text part = begin(text, (size_t)size);
        REQUIRE(read_next(&part, NULL));
        check_kilobytes("unexplained", key, (uint64_t)megabytes * 1024);
    }
}

static void test_reserved(void) {
    check_grown("7e", "7e19000000", "anonymous to 7e19000000");
    check_grown("c0", "c004000000", "anonymous at c000000000, where Go has its heap");
    check_grown("c3", "c304000000", "anonymous at c000000000, where Go has its heap");
}

static void test_jdk17(void) {
    mc_text_clear(&all);
    append_file("jdk17.smaps");
    mc_process_text text = begin(all.data, all.size);
    REQUIRE(read_next(&text, NULL));
    check_sums();
    CHECK(find("Java heap", NULL) == 0);
    uint64_t unexplained = tree.nodes[find("unexplained", NULL)].bytes;

    append_file("jdk17.nmt.txt");
    text = begin(all.data, all.size);
    REQUIRE(read_next(&text, NULL));
    check_sums();
    CHECK(tree.nodes[0].bytes == UINT64_C(209408000));
    check_kilobytes("Java heap", "heap", 163340);
    check_kilobytes("class archive", NULL, 11784);
    CHECK(find("metaspace", "class space") > 0 && find("metaspace", "metaspace") > 0);
    CHECK(find("code cache", NULL) > 0 && find("garbage collector", NULL) > 0);
    CHECK(tree.nodes[find("unexplained", NULL)].bytes < unexplained / 50);
    CHECK(get_metric(find("Java heap", NULL), MC_MEMORY_ESTIMATED) == 0);
    CHECK(!read_next(&text, NULL));
}

static void test_jdk25(void) {
    mc_text_clear(&all);
    append_file("jdk25.smaps");
    mc_process_text text = begin(all.data, all.size);
    REQUIRE(read_next(&text, NULL));
    check_sums();
    CHECK(memory.has_arenas && memory.arena_bytes == 5496832);
    CHECK(memory.arena_free_bytes == 2394003 + 208);
    CHECK(find("thread stacks", "Attach-Listener") > 0);
    CHECK(find("thread stacks", "C2-CompilerThread*") > 0);
    // Six threads of one name are one group: 16384 bytes, then 4 of 8192 and one of 12288.
    check_kilobytes("thread stacks", "GC-Thread", 60);
    CHECK(find("Java heap", "heap") > 0 &&
          find("code cache", "compiled code, with memory of the GC") > 0);
    size_t used = find("malloc", "arena memory in use (at most)");
    size_t kept = find("malloc", "arena memory free but kept (at least)");
    CHECK(tree.nodes[used].bytes <= memory.arena_bytes - memory.arena_free_bytes);
    CHECK(kept == 0 || tree.nodes[kept].bytes > 0);
}

// ---- mappings of several owners

static const char two_owners[] = "10000-14000 rw-p 00000000 00:00 0 \nSize: 16 kB\nRss: 9 kB\n"
                                 "Native Memory Tracking:\n"
                                 "-  GC (reserved=8KB, committed=8KB)\n  (malloc=2MB #1)\n"
                                 "[0x11000 - 0x12000] reserved 4KB for GC from\n"
                                 "[0x12000 - 0x13000] reserved and committed 4KB for Code from\n"
                                 "[0x12800 - 0x13800] reserved 4KB for Class from\n";

static bool count_pages(void *user, uint64_t from, uint64_t to, uint64_t *bytes) {
    (void)to;
    const uint64_t *kilobytes = user;
    *bytes = (from == 0x12000 ? kilobytes[0] : from == 0x11000 ? 1 : 0) * 1024;
    return true;
}

static void test_cut(void) {
    uint64_t in_code = 8;
    const mc_resident_pages pages = {count_pages, &in_code};
    mc_process_text text = begin(two_owners, sizeof two_owners - 1);
    REQUIRE(read_next(&text, NULL));
    check_sums();
    CHECK(memory.categories[0].allocated == 2 << 20 && memory.categories[0].reserved == 8192);
    CHECK(memory.range_count == 3 && memory.ranges[2].begin == 0x13000);
    CHECK(get_metric(0, MC_MEMORY_ESTIMATED) == 9 * 1024); // by size
    check_kilobytes("code cache", NULL, 2);
    text = begin(two_owners, sizeof two_owners - 1);
    REQUIRE(read_next(&text, &pages));
    check_sums();
    CHECK(get_metric(0, MC_MEMORY_ESTIMATED) == 0); // by pages
    check_kilobytes("code cache", NULL, 8);
    check_kilobytes("garbage collector", NULL, 1);
    check_kilobytes("unexplained", NULL, 0);
    in_code = 3; // the pages have changed meanwhile
    text = begin(two_owners, sizeof two_owners - 1);
    REQUIRE(read_next(&text, &pages));
    check_sums();
    CHECK(get_metric(0, MC_MEMORY_ESTIMATED) == 9 * 1024);
}

// ---- classes and loaders

#define HEAP_OF(kilobytes, swapped)                                                          \
    "10000-14000 rw-p 00000000 00:00 0 \nSize: 16 kB\nRss: " kilobytes " kB\nSwap: " swapped \
    " kB\n20000-24000 rw-p 00000000 00:00 0 \nSize: 16 kB\nRss: 6 kB\n"                      \
    "Native Memory Tracking:\n"                                                              \
    "[0x10000 - 0x14000] reserved 16KB for Java Heap from\n"                                 \
    "[0x20000 - 0x24000] reserved 16KB for Metaspace from\n"
#define CLASSES                                                            \
    " num     #instances         #bytes  class name (module)\n-----\n"     \
    "   1:    2   4096  [B (java.base@17.0.15)\n"                          \
    "   2:    1   2048  [Ljdk.internal.vm.FillerElement; (java.base@25)\n" \
    "   3:    9   1024  com.shop.Order\n"                                  \
    "   4:    1   1024  com.shop.Order\n"
#define LOADERS                                                                                   \
    "Usage per loader:\n\n   1: CLD 0x00f1: <hidden class>, loaded by \"<bootstrap>\", 1 class\n" \
    "       Both:    3 chunks,   5120 bytes capacity, 5120 bytes (100%) committed,  512 bytes ( " \
    "75%) used,  1304 bytes ( 25%) free\n"                                                        \
    "  2: CLD 0x00f2: \"app\" instance of a.B$C, 12 classes (3 shared)\n"                         \
    "       Both: 2 chunks, 1.50 KB (100%) committed, 1.50 KB (54%) used,\n"                      \
    "  3: CLD 0x00f3: instance of com.shop.Plugins, 2 classes\n"                                  \
    "       Both: 2 chunks, 1 KB committed, 1 KB (54%) used\n"                                    \
    "  4: CLD 0x00f3: instance of com.shop.Plugins, 2 classes\n"                                  \
    "       Both: 2 chunks, 1 KB committed, 1 KB (54%) used\n\n"

static void read_text(const char *data) {
    mc_text_clear(&all);
    mc_text_append_string(&all, data);
    mc_process_text text = begin(all.data, all.size);
    REQUIRE(read_next(&text, NULL));
    check_sums();
}

static void check_bytes(const char *kind, const char *mapping, uint64_t wanted) {
    size_t node = find(kind, mapping);
    uint64_t bytes = node > 0 ? tree.nodes[node].bytes : 0;
    CHECK_MSG(bytes == wanted, "%s, %s: %" PRIu64, kind, mapping, bytes);
}

static void test_contents(void) {
    static const char heap[] = "Java heap", meta[] = "metaspace", order[] = "com.shop.Order",
                      rest[] = "free, or not collected yet";
    read_text(HEAP_OF("8", "0") CLASSES "Total 13 8192\n" LOADERS "Total Usage - 4 loaders\n");
    check_bytes(heap, "byte[]", 4096);
    check_bytes(heap, order, 2048); // of two loaders
    check_bytes(heap, rest, 2048);  // and what fills gaps is no object
    check_bytes(heap, NULL, 8192);
    check_bytes(meta, "hidden classes of the boot loader", 512);
    check_bytes(meta, "classes of \"app\" (a.B$C)", 1536);
    check_bytes(meta, "classes of com.shop.Plugins", 2048);
    check_bytes(meta, "free, or of no loader", 2048);
    CHECK(get_metric(0, MC_MEMORY_ESTIMATED) == 0);

    // A third of the heap was swapped out: which third, nobody says.
    read_text(HEAP_OF("4", "2") CLASSES "Total 13 8192\n");
    check_bytes(heap, NULL, 4096);
    check_bytes(heap, "byte[]", 2730);
    check_bytes(heap, order, 1366);
    check_bytes(heap, rest, 0);
    CHECK(get_metric(find(heap, NULL), MC_MEMORY_ESTIMATED) == 4096);
    CHECK(get_metric(find(heap, NULL), "swap") == 2048);
    check_bytes(meta, "metaspace", 6144); // nothing tells it apart

    read_text("10000-14000 rw-p 00000000 00:00 0 \nSize: 16 kB\nRss: 9 kB\n" CLASSES
              "Total 13 8192\n");
    CHECK(find(heap, NULL) == 0); // where the heap is, is not known
    static const char classes[] = "4711:\n" CLASSES, loaders[] = LOADERS;
    CHECK(mc_process_memory_detect_contents((const unsigned char *)classes, sizeof classes - 1));
    CHECK(mc_process_memory_detect_contents((const unsigned char *)loaders, sizeof loaders - 1));
}

// ---- bad texts

static mc_result read_all(const char *data, size_t size, uint32_t *steps) {
    char *copy = malloc(size + 1); // of its exact size, for sanitizers
    REQUIRE(copy);
    memcpy(copy, data, size);
    mc_process_text text = begin(copy, size);
    mc_result result = MC_OK, worst = MC_OK;
    bool is_there = true;
    for (*steps = 0; is_there || result != MC_OK; *steps += result == MC_OK && is_there) {
        const char *before = text.at;
        is_there = false;
        result = mc_process_memory_read(&memory, &text, false, &is_there, &error);
        if (result == MC_OK && is_there) {
            result = mc_memory_groups_fill_tree(groups, &memory, NULL, &tree, &error);
            if (result == MC_OK) check_sums();
        }
        CHECK(result == MC_OK || result == MC_ERROR_BAD_DATA);
        CHECK(result == MC_OK || error.byte_offset <= size);
        if (result != MC_OK) worst = result;
        if (text.at == before) break;
    }
    free(copy);
    return worst;
}

static void check_bad(const char *text, uint64_t offset, const char *words) {
    uint32_t steps;
    CHECK_MSG(read_all(text, strlen(text), &steps) == MC_ERROR_BAD_DATA, "%s", text);
    CHECK_MSG(error.byte_offset == offset, "%s: %" PRIu64, text, error.byte_offset);
    CHECK_MSG(strstr(error.message, words), "%s", error.message);
}

static void test_bad(void) {
    static const char head[] = "1000-2000 rw-p 00000000 00:00 0 \nSize: 4 kB\n";
    char text[512];
    uint32_t steps;
    check_bad(head, 0, "expected a line \"Rss: N kB\"");
    snprintf(text, sizeof text, "%sRss: 5 kB\n", head);
    check_bad(text, strlen(head), "at most as many");
    snprintf(text, sizeof text, "%sRss: 4", head);
    check_bad(text, strlen(head), "a number of kB");
    snprintf(text, sizeof text, "%sRss: 99999999999999999999 kB\n", head);
    check_bad(text, strlen(head), "a number of kB");
    check_bad("2000-1000 rw-p 00000000 00:00 0 \nSize: 4 kB\nRss: 0 kB\n", 0, "ends behind");
    snprintf(text, sizeof text, "%sRss: 0 kB\n0x1-0x2 4 rw\n", head);
    check_bad(text, strlen(head) + 10, "seven columns");
    snprintf(text, sizeof text, "%sRss: 0 kB\nNative Memory Tracking:\n[0x1 - 0x2] reserved 1\n",
             head);
    check_bad(text, strlen(head) + 34, "range's owner");
    static const struct {
        const char *table, *expected;
    } tables[] = {{"num #instances #bytes class name\n 1: 1 8 A\n", "last line, \"Total\""},
                  {"num #instances #bytes class name\n 1: 1 8 A\nTotal 1 9\n", "sum of all"},
                  {"num #instances #bytes class name\n 1: 1 8\n", "a class's name"},
                  {"num #instances #bytes class name\n 1: 1\n", "a class's number"},
                  {"Usage per loader:\n 1: CLD 0x1: \"app\", 1 class\n", "\"Total Usage\""},
                  {"Usage per loader:\n 1: 0x1: \"app\", 1 class\n", "CLD"},
                  {"Usage per loader:\n 1: CLD 0x1: \"app\"\n", "how many classes"},
                  {"Usage per loader:\n Both: 1 chunk, 8 bytes (1%) used\n", "a loader before"},
                  {"Usage per loader:\n 1: CLD 0x1: a, 1 class\n Both: 1 chunk\n", "are used"}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        snprintf(text, sizeof text, "%sRss: 4 kB\n%s", head, tables[i].table);
        mc_process_text at = begin(text, strlen(text));
        bool is_there;
        CHECK(mc_process_memory_read(&memory, &at, false, &is_there, &error) == MC_ERROR_BAD_DATA);
        CHECK_MSG(strstr(error.message, tables[i].expected) != NULL, "%s", error.message);
    }
    // What is behind a bad snapshot is read.
    snprintf(text, sizeof text, "%sRss: 5 kB\n%sRss: 4 kB\n", head, head);
    CHECK(read_all(text, strlen(text), &steps) == MC_ERROR_BAD_DATA && steps == 1);
    CHECK(!mc_process_memory_detect((const unsigned char *)"1000-2000", 9));
    CHECK(!mc_process_memory_detect((const unsigned char *)"", 0));
    CHECK(mc_process_memory_detect((const unsigned char *)head, strlen(head)));
}

// Cut off at every byte, and with every byte replaced.
static void test_damaged(void) {
    static const char bytes[] = {'\0', '-', '9', '\n', ' ', 'f', '\x1b', '\xff'};
    uint32_t steps;
    mc_text_clear(&all);
    append_file("program.smaps");
    mc_text_append_string(&all, "Native Memory Tracking:\n[0x7f0010000000 - 0x7f0010200000] "
                                "reserved 2048KB for GC from\n<malloc version=\"1\">\n<total "
                                "type=\"rest\" size=\"9\"/>\n<system type=\"current\" size=\"99\"/>"
                                "\n</malloc>\n" CLASSES "Total 13 8192\n" LOADERS "Total Usage\n");
    for (size_t size = 0; size < all.size; size++)
        (void)read_all(all.data, size, &steps);
    for (size_t i = 0; i < all.size; i++) {
        char kept = all.data[i];
        all.data[i] = bytes[i % sizeof bytes];
        (void)read_all(all.data, all.size, &steps);
        all.data[i] = kept;
    }
    CHECK(read_all(all.data, all.size, &steps) == MC_OK && steps == 1);
}

static void test_memory(void) {
    mc_text_clear(&all);
    append_file("program.smaps");
    mc_text_append_string(&all, CLASSES "Total 13 8192\n" LOADERS "Total Usage\n");
    for (uint64_t count = 0;; count++) {
        bool is_there;
        mc_memory_groups *made = NULL;
        mc_process_memory read = {0};
        mc_step_tree filled = {0};
        mc_process_text text = begin(all.data, all.size);
        mc_memory_fail_after(count);
        mc_result result = mc_memory_groups_create(&made, &error);
        if (result == MC_OK)
            result = mc_process_memory_read(&read, &text, false, &is_there, &error);
        if (result == MC_OK)
            result = mc_memory_groups_fill_tree(made, &read, NULL, &filled, &error);
        mc_memory_fail_after(UINT64_MAX);
        mc_memory_groups_destroy(made);
        mc_process_memory_deinit(&read);
        mc_step_tree_deinit(&filled);
        if (result == MC_OK) break;
        CHECK(result == MC_ERROR_OUT_OF_MEMORY);
    }
}

int main(void) {
    REQUIRE(mc_memory_groups_create(&groups, &error) == MC_OK);
    test_program();
    test_reserved();
    test_jdk17();
    test_jdk25();
    test_cut();
    test_contents();
    test_bad();
    test_damaged();
    test_memory();
    mc_memory_groups_destroy(groups);
    mc_process_memory_deinit(&memory);
    mc_step_tree_deinit(&tree);
    mc_text_deinit(&all);
    return test_finish();
}
