// Files of massif and DHAT: what valgrind wrote, and by hand.
#include "engine/import/dhat/dhat.h"
#include "engine/import/massif/massif.h"
#include "engine/import/stacks/line_reader.h"
#include "tests/import/profile_case.h"

// ---- frames

static bool is_text(mc_span text, const char *wanted) {
    return text.size == strlen(wanted) &&
           (text.size == 0 || memcmp(text.at, wanted, text.size) == 0);
}

static void check_frame(const char *label, const char *function, const char *file, uint32_t line,
                        const char *module, uint64_t address) {
    mc_site_frame f = mc_span_parse_valgrind((mc_span){label, strlen(label)});
    CHECK_MSG(is_text(f.function, function) && is_text(f.file, file) && f.line == line &&
                  is_text(f.module, module) && f.address == address,
              "%s: %.*s|%.*s|%" PRIu32 "|%.*s", label, (int)f.function.size, f.function.at,
              (int)f.file.size, f.file.at, f.line, (int)f.module.size, f.module.at);
}

static void test_frames(void) {
    check_frame("0x10A: add(int) (shop.c:12)", "add(int)", "shop.c", 12, "", 0x10a);
    check_frame("0x10A: add (in /lib/libshop.so)", "add", "", 0, "/lib/libshop.so", 0x10a);
    check_frame("0x10A: ??? (in /lib/libshop.so)", "", "", 0, "/lib/libshop.so", 0x10a);
    check_frame("0x10A: ???", "", "", 0, "", 0x10a);
    check_frame("add(int)", "add(int)", "", 0, "", 0);
    check_frame("operator()(int) (shop.c:9)", "operator()(int)", "shop.c", 9, "", 0);
    check_frame("[root]", "[root]", "", 0, "", 0);
    check_frame("0x", "0x", "", 0, "", 0);
    check_frame("add (c:x:7)", "add", "c:x", 7, "", 0);
}

// ---- massif

#define HEAD "desc: a\ncmd: b\ntime_unit: ms\n"
#define SNAPSHOT(time, heap, tree)                                            \
    "#-----------\nsnapshot=0\n#-----------\ntime=" time "\nmem_heap_B=" heap \
    "\nmem_heap_extra_B=4\nmem_stacks_B=0\nheap_tree=" tree "\n"

static void test_massif(void) {
    static const char text[] = HEAD SNAPSHOT("5", "900", "empty") SNAPSHOT(
        "10", "100",
        "detailed") "n2: 100 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n"
                    " n2: 90 0x1: add (shop.c:1)\n  n0: 60 0x2: main (shop.c:2)\n"
                    "  n0: 30 in 3 places, all below massif's threshold (1.00%)\n"
                    " n0: 10 in 1 place, below massif's threshold (1.00%)\n" SNAPSHOT(
                        "10", "7", "peak") "n0: 7 (heap allocation functions) malloc/new/new[], "
                                           "--alloc-fns, etc.\n";
    mc_profile p = {.frames = NULL};
    mc_import_desc desc = {.path_count = 0};
    mc_profile_input input = {
        .data = (const unsigned char *)text, .size = sizeof text - 1, .path = "x", .desc = &desc};
    REQUIRE(mc_massif_parse(&input, &p, &error) == MC_OK);
    REQUIRE(p.step_count == 2 && p.sample_count == 6 && p.frame_count == 2);
    CHECK(p.steps[0].time_ms == 10 && p.steps[1].time_ms == 11 && p.steps[1].note);
    CHECK(p.steps[0].totals[0] == 904 && p.steps[1].totals[0] == 104);
    CHECK(p.values[0] == 4 && p.values[1] == 60 && p.values[2] == 30 && p.values[3] == 10);
    CHECK(p.samples[1].frame_count == 2 && p.samples[2].frame_count == 1 && p.samples[2].name);
    CHECK(p.samples[3].frame_count == 0 && p.samples[3].name);
    CHECK(p.values[5] == 7 && p.samples[5].frame_count == 0 && !p.samples[5].name);
    mc_profile_deinit(&p);
}

typedef struct massif_maker {
    char text[8192];
    size_t size;
} massif_maker;

// A snapshot of one group, or without a tree.
static void put_snapshot(massif_maker *m, unsigned time, unsigned bytes, bool is_detailed) {
    m->size += (size_t)snprintf(m->text + m->size, sizeof m->text - m->size,
                                "#\nsnapshot=0\n#\ntime=%u\nmem_heap_B=%u\nmem_heap_extra_B=0\n"
                                "mem_stacks_B=0\nheap_tree=%s\n",
                                time, bytes, is_detailed ? "detailed" : "empty");
    if (is_detailed)
        m->size += (size_t)snprintf(m->text + m->size, sizeof m->text - m->size,
                                    "n1: %u all\n n0: %u 0x1: add (shop.c:1)\n", bytes, bytes);
}

// Ten snapshots 10 ms apart, every third with a tree.
static massif_maker begin_growth(void) {
    massif_maker m = {.size = 0};
    m.size = (size_t)snprintf(m.text, sizeof m.text, HEAD);
    put_snapshot(&m, 0, 0, false);
    for (unsigned i = 0; i < 10; i++)
        put_snapshot(&m, 900 + 10 * i, 1000 + 1000 * i, i % 3 == 0);
    return m;
}

static void parse_made(const massif_maker *m, mc_profile *p) {
    mc_import_desc desc = {.path_count = 0};
    mc_profile_input input = {
        .data = (const unsigned char *)m->text, .size = m->size, .path = "x", .desc = &desc};
    mc_profile_clear(p);
    REQUIRE(mc_massif_parse(&input, p, &error) == MC_OK);
}

// Where nothing was allocated for long, at last, there are steps of that time.
static void test_massif_gap(void) {
    mc_profile p = {.frames = NULL};
    massif_maker m = begin_growth();
    parse_made(&m, &p);
    CHECK(p.step_count == 4); // the start of the program is none

    put_snapshot(&m, 1290, 10100, true);
    parse_made(&m, &p);
    REQUIRE(p.step_count == 15 && p.sample_count == 15); // 30 ms apart, as those before
    CHECK(p.values[3] == 10000 && p.steps[3].time_ms == 990 && p.steps[3].totals[0] == 10000);
    for (size_t i = 4; i < 15; i++) {
        CHECK(p.values[i] == 10100 && p.steps[i].totals[0] == 10100);
        CHECK(p.steps[i].time_ms > p.steps[i - 1].time_ms);
    }
    CHECK(p.steps[4].time_ms == 1017 && p.steps[13].time_ms == 1262 && p.steps[14].time_ms == 1290);

    // What comes behind it without a tree is as what was before.
    m = begin_growth();
    put_snapshot(&m, 1290, 9900, false);
    parse_made(&m, &p);
    REQUIRE(p.step_count == 14);
    CHECK(p.values[13] == 10000 && p.steps[13].time_ms < 1290);

    // It goes on behind it, it changes at once, or it has rested so long before.
    m = begin_growth();
    put_snapshot(&m, 1290, 10100, false);
    put_snapshot(&m, 1300, 12000, true);
    parse_made(&m, &p);
    CHECK(p.step_count == 5);
    m = begin_growth();
    put_snapshot(&m, 1290, 12000, true);
    parse_made(&m, &p);
    CHECK(p.step_count == 5);
    m = begin_growth();
    put_snapshot(&m, 1190, 10100, false);
    put_snapshot(&m, 1200, 12000, true);
    put_snapshot(&m, 1500, 12100, true);
    parse_made(&m, &p);
    CHECK(p.step_count == 6);
    mc_profile_deinit(&p);
}

static void check_bad_massif(const char *text, const char *wanted) {
    check_bad_profile(mc_massif_parse, text, strlen(text), wanted);
}

static void test_bad_massif(void) {
    check_bad_massif("", "\"desc:\"");
    check_bad_massif("desc: a\ncmd: b\ntime_unit: x\n", "and i, ms or B");
    check_bad_massif(HEAD, "none of its snapshots says");
    check_bad_massif(HEAD SNAPSHOT("1", "1", "empty"), "none of its snapshots says");
    check_bad_massif(HEAD SNAPSHOT("x", "1", "empty"), "expected \"time=\" and a number");
    check_bad_massif(HEAD SNAPSHOT("1", "1", "full"), "empty, detailed or peak");
    check_bad_massif(HEAD SNAPSHOT("1", "9223372036854775807", "empty"), "below 2^60");
    check_bad_massif(HEAD SNAPSHOT("1", "1", "detailed"), "found the end of the file");
    check_bad_massif(HEAD SNAPSHOT("1", "1", "detailed") "n1: 5 a\n n0: 6 b\n",
                     "at most as many bytes");
    check_bad_massif(HEAD SNAPSHOT("1", "1", "detailed") "n1: 5 a\nn0: 5 b\n", "one blank deeper");
    check_bad_massif(HEAD SNAPSHOT("1", "1", "detailed") "x\n", "nCHILDREN: BYTES PLACE");
    check_bad_massif(HEAD "hello\n", "\"snapshot=\"");
}

// ---- DHAT

static void check_bad_dhat(const char *text, const char *wanted) {
    check_bad_profile(mc_dhat_parse, text, strlen(text), wanted);
}

static void test_dhat(void) {
    // Modes without lifetimes are one step of what was allocated, microseconds times.
    static const char copies[] =
        "{\"dhatFileVersion\":2,\"mode\":\"copy\",\"tu\":\"us\",\"te\":5000,"
        "\"pps\":[{\"tb\":10,\"tbk\":2,\"fs\":[1]}],"
        "\"ftbl\":[\"[root]\",\"0x1: a\\\"b (x.c:1)\"]}";
    mc_profile p = {.frames = NULL};
    mc_import_desc desc = {.path_count = 0};
    mc_profile_input input = {.data = (const unsigned char *)copies,
                              .size = sizeof copies - 1,
                              .path = "x",
                              .desc = &desc};
    REQUIRE(mc_dhat_parse(&input, &p, &error) == MC_OK);
    CHECK(p.step_count == 1 && p.steps[0].time_ms == 5 && !p.warning);
    CHECK(p.values[1] == 0 && p.values[3] == 10 && p.values[2] == 2);
    CHECK(is_text(p.frames[1].function, "a\"b"));
    mc_profile_deinit(&p);
    check_bad_dhat("{\"dhatFileVersion\":3}", "version 3; memcity reads version 2");
    check_bad_dhat("{\"dhatFileVersion\":2}", "lacks dhatFileVersion or ftbl");
    check_bad_dhat("{\"dhatFileVersion\":2,\"pps\":[{\"fs\":[7]}],\"ftbl\":[\"a\"]}",
                   "names the frame 7, and there are 1");
    check_bad_dhat("{\"dhatFileVersion\":2,\"pps\":[{\"tb\":-1}]}", "whole number");
    check_bad_dhat("{\"dhatFileVersion\":2,\"pps\":[1]}", "a place of the program");
    check_bad_dhat("{\"dhatFileVersion\":2,\"pps\":{}}", "a list");
    CHECK(mc_dhat_detect((const unsigned char *)copies, sizeof copies - 1));
    CHECK(!mc_dhat_detect((const unsigned char *)"{\"a\":1}", 7));
}

int main(void) {
    test_frames();
    test_massif();
    test_massif_gap();
    test_bad_massif();
    test_dhat();
    try_profile(mc_massif_parse, "massif-leak.out");
    try_profile(mc_massif_parse, "massif-stacks.out");
    try_profile(mc_massif_parse, "massif-pool.out");
    try_profile(mc_dhat_parse, "dhat-leak.out");
    return test_finish();
}
