// Collapsed stacks as profilers write them.
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/import/collapsed/collapsed.h"
#include "engine/import/stacks/frame_name.h"
#include "tests/test.h"
#include <inttypes.h>

static mc_error error;
static mc_step_tree tree;

// ---- names

static void check_name(const char *frame, const char *package, const char *class,
                       const char *method) {
    mc_frame_name name = mc_frame_name_parse(frame, strlen(frame));
    char found[256], wanted[256];
    snprintf(wanted, sizeof wanted, "%s|%s|%s", package, class, method);
    snprintf(found, sizeof found, "%.*s|%.*s|%.*s", (int)name.package.size,
             name.package.size ? name.package.at : "", (int)name.class.size,
             name.class.size ? name.class.at : "", (int)name.method.size, name.method.at);
    CHECK_MSG(strcmp(found, wanted) == 0, "%s: %s instead of %s", frame, found, wanted);
}

static void test_names(void) {
    check_name("com/acme/Shop.add_[j]", "com/acme", "Shop", "add");
    check_name("com.acme.Shop.add", "com.acme", "Shop", "add");
    check_name("com.acme.Shop.add(Shop.java:42)", "com.acme", "Shop", "add");
    check_name("com.acme.Shop.add(int)", "com.acme", "Shop", "add(int)");
    check_name("com/acme/Shop$Item.<init>", "com/acme", "Shop$Item", "<init>");
    check_name("net/http.[/acme/Shop$$LambdaHTTP", "net", "http", "[/acme/Shop$$LambdaHTTP");
    check_name("com/acme/Shop$$Lambda$14/0x00007f2c.run", "com/acme", "Shop$$Lambda$14/0x00007f2c",
               "run");
    check_name("Shop.add", "", "Shop", "add");
    check_name("add (acme/shop.py:7)", "acme", "shop.py", "add");
    check_name("<module> (app.py:3)", "", "app.py", "<module>");
    check_name("net/http.(*conn).serve", "net/http", "conn", "serve");
    check_name("runtime.mallocgc", "", "runtime", "mallocgc");
    check_name("acme::Shop<int, std::less<int> >::add(int, char const*)", "acme",
               "Shop<int, std::less<int> >", "add(int, char const*)");
    check_name("Shop::add(std::string)", "", "Shop", "add(std::string)");
    check_name("main", "", "", "main");
    check_name("[unknown]", "", "", "[unknown]");
    check_name("do_copy_[k]", "", "", "do_copy");
    check_name(".", "", "", ".");
    check_name("a..b", "", "", "a..b");
    check_name("::a", "", "", "::a");
}

static void check_levels(const char *package, const char *wanted) {
    mc_span rest = {package, strlen(package)}, level;
    char found[128] = "";
    while (mc_frame_name_take_level(&rest, &level)) {
        strncat(found, level.at, level.size);
        strcat(found, "|");
    }
    CHECK_MSG(strcmp(found, wanted) == 0, "%s: %s", package, found);
}

static void test_levels(void) {
    check_levels("com.acme.shop", "com|acme|shop|");
    check_levels("com/acme", "com|acme|");
    check_levels("std::map<a::b, c>::x", "std|map<a::b, c>|x|");
    check_levels("github.com/acme", "github.com|acme|");
    check_levels("/usr//lib", "usr|lib|");
}

static void test_threads(void) {
    mc_span name;
    CHECK(mc_frame_name_is_thread("[main tid=7]", 12, &name) && name.size == 4);
    CHECK(mc_frame_name_is_thread("thread (0x7): Main", 18, &name) && name.size == 4);
    CHECK(mc_frame_name_is_thread("java-12/15", 10, &name) && name.size == 10);
    CHECK(!mc_frame_name_is_thread("java", 4, &name));
    CHECK(!mc_frame_name_is_thread("[unknown]", 9, &name));
    CHECK(!mc_frame_name_is_thread("C1-23", 5, &name));
}

// ---- texts

static mc_result read_text(mc_stacks_form form, const char *text, size_t size) {
    mc_collapsed_reader *reader;
    // In a block of its own size, so that a byte beyond it is found.
    unsigned char *copy = malloc(size + 1);
    REQUIRE(copy && mc_collapsed_reader_create(form, 10, &reader, &error) == MC_OK);
    unsigned char *data = copy + 1;
    memcpy(data, text, size);
    mc_result result = mc_collapsed_reader_read(reader, data, size, &tree, &error);
    mc_collapsed_reader_destroy(reader);
    free(copy);
    return result;
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

static double get_time(const char *path) {
    uint32_t node = find_node(path);
    return node == MC_NONE ? -1 : mc_metric_unpack(mc_step_tree_get_value(&tree, 0, node));
}

static void test_methods(void) {
    static const char text[] = "[main tid=1];a/A.x;a/A.y 3\n[main tid=1];a/A.x 2\n\n"
                               "[w tid=2];a/A.x;a/A.y 5\r\n[w tid=2];b/B.z;strlen 1";
    REQUIRE(read_text(MC_STACKS_METHODS, text, sizeof text - 1) == MC_OK);
    CHECK(get_time("") == 110);
    CHECK(get_time("a#A") == 100);
    CHECK(get_time("a#A#x") == 20); // its own time alone
    CHECK(get_time("a#A#y") == 80);
    CHECK(get_time("a#A#y#main") == 30);
    CHECK(get_time("a#A#y#w") == 50);
    CHECK(get_time("(native)#strlen#w") == 10);
    CHECK(get_time("b") == -1); // never on top
    CHECK(mc_step_tree_get_value(&tree, 1, find_node("a#A#y")) == 8);
    CHECK(tree.nodes[0].objects == 0 && tree.nodes[0].bytes == 0);
    // A namespace and a class of one name are two.
    static const char names[] = "t;Foo::bar 1\nt;Foo::Baz::qux 2\n";
    REQUIRE(read_text(MC_STACKS_METHODS, names, sizeof names - 1) == MC_OK);
    CHECK(get_time("Foo#bar#(all threads)") == 10);
    CHECK(get_time("Foo (Package)#Baz#qux") == 20);
    // A thread that was never in a method is what there is.
    static const char bare[] = "[w tid=2];; 3\n[w tid=2] 1\n";
    REQUIRE(read_text(MC_STACKS_METHODS, bare, sizeof bare - 1) == MC_OK);
    CHECK(get_time("(native)#[w tid=2]#(all threads)") == 40);
}

static void test_sites(void) {
    static const char text[] = "main;a;make 100\nmain;b;make 50\nmain;b 7\n";
    REQUIRE(read_text(MC_STACKS_SITES, text, sizeof text - 1) == MC_OK);
    CHECK(tree.nodes[find_node("make")].bytes == 150);
    CHECK(tree.nodes[find_node("make#b#main")].bytes == 50);
    CHECK(tree.nodes[find_node("b")].bytes == 7);
    // Whether they were sampled is not said.
    CHECK(tree.nodes[0].bytes == 157 && tree.metrics.count == 1 &&
          strcmp(tree.metrics.items[0].key, "sampling") == 0 &&
          mc_step_tree_get_value(&tree, 0, 0) == MC_COUNT_UNKNOWN);
}

static void test_calls(void) {
    static const char text[] = "main;a;make 100\nmain;b;make 50\nmain;b 7\n";
    REQUIRE(read_text(MC_STACKS_CALLS, text, sizeof text - 1) == MC_OK);
    CHECK(get_time("main") == 1570);
    CHECK(get_time("main#b") == 570 && get_time("main#b#make") == 500);
}

static void check_bad(const char *text, uint64_t offset, const char *wanted) {
    mc_result result = read_text(MC_STACKS_METHODS, text, strlen(text));
    CHECK_MSG(result == MC_ERROR_BAD_DATA && error.byte_offset == offset &&
                  strstr(error.message, wanted),
              "%s: %" PRIu64 ": %s", text, error.byte_offset, error.message);
}

static void test_bad(void) {
    check_bad("a;b 1\na;b\n", 6, "a stack, and behind a space");
    check_bad("a;b 1\na;b x1\n", 10, "a whole number from 0 to 2^63 - 1, found \"x1\"");
    check_bad("a;b 9223372036854775808", 4, "a whole number");
    check_bad("a;b 9223372036854775807\na;b 1", 28, "more than 2^63 - 1");
    check_bad(";; 5", 0, "at least one frame");
    check_bad("a;b 1.5", 4, "a whole number");
    // What was counted before an error is not another text's.
    mc_collapsed_reader *reader;
    REQUIRE(mc_collapsed_reader_create(MC_STACKS_METHODS, 10, &reader, &error) == MC_OK);
    CHECK(mc_collapsed_reader_read(reader, (const unsigned char *)"a;b 1\nx", 7, &tree, &error) ==
          MC_ERROR_BAD_DATA);
    CHECK(mc_collapsed_reader_read(reader, (const unsigned char *)"a;c 2\n", 6, &tree, &error) ==
          MC_OK);
    CHECK(get_time("") == 20 && find_node("(native)#b") == MC_NONE);
    mc_collapsed_reader_destroy(reader);
}

static void test_detect(void) {
    static const char *const other[] = {
        "{\"time\": 10\n",  "[{\"time\": 10;\n", "hello 5\n", " num     #instances\n", "a;b\n", "",
        "{\n  \"a;b\": 5\n"};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        CHECK_MSG(!mc_collapsed_detect((const unsigned char *)other[i], strlen(other[i])), "%s",
                  other[i]);
    CHECK(mc_collapsed_detect((const unsigned char *)"a;b 5", 5));
    CHECK(mc_collapsed_detect((const unsigned char *)"a 1\nb 2\na;b 5\nnot who", 21));
}

// What profilers wrote, and all that it begins with.
static void test_files(void) {
    static const char *const names[] = {"async-profiler.collapsed", "perf.folded", "py-spy.txt",
                                        "go.folded"};
    static const double times[] = {570, 1240, 420, 110};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[256];
        mc_file_map map;
        snprintf(path, sizeof path, MC_TEST_DATA "/collapsed/%s", names[i]);
        REQUIRE(mc_file_map_open(&map, path, &error) == MC_OK);
        CHECK_MSG(mc_collapsed_detect(map.data, map.size), "%s", path);
        for (int form = 0; form < MC_STACKS_FORM_COUNT; form++)
            for (size_t size = 0; size <= map.size; size++) {
                mc_result result = read_text((mc_stacks_form)form, (const char *)map.data, size);
                CHECK(result == MC_OK || result == MC_ERROR_BAD_DATA);
            }
        CHECK(read_text(MC_STACKS_METHODS, (const char *)map.data, map.size) == MC_OK);
        CHECK_MSG(get_time("") == times[i], "%s: %g", names[i], get_time(""));
        mc_file_map_close(&map);
    }
}

static void test_memory(void) {
    static const char text[] = "[m tid=1];a/A.x;a/A.y 3\n[w tid=2];a::B::c 5\n";
    for (uint64_t n = 0;; n++) {
        mc_collapsed_reader *reader = NULL;
        mc_memory_fail_after(n);
        mc_result result = mc_collapsed_reader_create(MC_STACKS_METHODS, 10, &reader, &error);
        mc_step_tree own = {0};
        if (result == MC_OK)
            result = mc_collapsed_reader_read(reader, (const unsigned char *)text, sizeof text - 1,
                                              &own, &error);
        mc_memory_fail_after(UINT64_MAX);
        mc_step_tree_deinit(&own);
        mc_collapsed_reader_destroy(reader);
        if (result == MC_OK) break;
        CHECK(result == MC_ERROR_OUT_OF_MEMORY);
    }
}

int main(void) {
    test_names();
    test_levels();
    test_threads();
    test_methods();
    test_sites();
    test_calls();
    test_bad();
    test_detect();
    test_files();
    test_memory();
    mc_step_tree_deinit(&tree);
    return test_finish();
}
