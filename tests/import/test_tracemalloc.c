// Snapshots of tracemalloc: what Python wrote, and pickles by hand.
#include "engine/import/tracemalloc/pickle.h"
#include "engine/import/tracemalloc/tracemalloc.h"
#include "tests/import/profile_case.h"

static const char *const classes[] = {"a.B", NULL};

static bool is_text(mc_pickle_value value, const char *wanted) {
    return value.kind == MC_PICKLE_TEXT && value.count == strlen(wanted) &&
           memcmp(value.is.text, wanted, value.count) == 0;
}

#define READ(text, pickle, root)                                                             \
    mc_pickle_read((const unsigned char *)(text), sizeof(text) - 1, classes, NULL, (pickle), \
                   (root), &error)

static void check_number(const char *bytes, size_t size, int64_t wanted) {
    mc_pickle *pickle;
    mc_pickle_value root;
    mc_result result =
        mc_pickle_read((const unsigned char *)bytes, size, classes, NULL, &pickle, &root, &error);
    CHECK_MSG(result == MC_OK && root.kind == MC_PICKLE_NUMBER && root.is.number == wanted,
              "%" PRId64 " instead of %" PRId64, root.is.number, wanted);
    mc_pickle_destroy(pickle);
}

static void test_values(void) {
    mc_pickle *pickle;
    mc_pickle_value root;
    size_t count;
    check_number("\x80\x04K\x07.", 5, 7);
    check_number("M\x01\x02.", 4, 0x201);
    check_number("J\xff\xff\xff\xff.", 6, -1);
    check_number("\x8a\x00.", 3, 0);
    check_number("\x8a\x01\xff.", 4, -1);
    check_number("\x8a\x02\xff\x00.", 5, 255);
    check_number("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f.", 11, INT64_MAX);
    REQUIRE(READ("(X\x02\0\0\0hi\x94K\x01h\0\x86N)t.", &pickle, &root) == MC_OK);
    const mc_pickle_value *items = mc_pickle_get_items(pickle, root, &count);
    CHECK(count == 4 && is_text(items[0], "hi") && items[2].kind == MC_PICKLE_NONE);
    items = mc_pickle_get_items(pickle, items[1], &count);
    CHECK(count == 2 && items[0].is.number == 1 && is_text(items[1], "hi"));
    mc_pickle_destroy(pickle);
    REQUIRE(READ("](K\x01K\x02"
                 "eK\x03"
                 "a.",
                 &pickle, &root) == MC_OK);
    items = mc_pickle_get_items(pickle, root, &count);
    CHECK(root.kind == MC_PICKLE_LIST && count == 3 && items[2].is.number == 3);
    mc_pickle_destroy(pickle);
    REQUIRE(READ("\x8c\x01"
                 "a\x8c\x01"
                 "B\x93)\x81}(\x8c\x01xK\x05\x8c\x01yK\x06ub.",
                 &pickle, &root) == MC_OK);
    CHECK(mc_pickle_get_class(pickle, root) == 0);
    CHECK(mc_pickle_find(pickle, root, "y").is.number == 6);
    CHECK(mc_pickle_find(pickle, root, "z").kind == MC_PICKLE_NONE);
    mc_pickle_destroy(pickle);
    // A list that holds itself.
    REQUIRE(READ("]\x94h\0a.", &pickle, &root) == MC_OK);
    mc_pickle_destroy(pickle);
}

static void check_bad(const char *bytes, size_t size, const char *wanted) {
    mc_pickle *pickle = NULL;
    mc_pickle_value root;
    mc_result result =
        mc_pickle_read((const unsigned char *)bytes, size, classes, NULL, &pickle, &root, &error);
    CHECK_MSG(result == MC_ERROR_BAD_DATA && strstr(error.message, wanted) &&
                  error.byte_offset <= size && !pickle,
              "%s: %s", wanted, error.message);
}

static void test_bad(void) {
    check_bad("", 0, "found the end of the file");
    check_bad("K", 1, "a number");
    check_bad("K\x01K\x01.", 5, "one value at the end");
    check_bad("(K\x01.", 4, "one value at the end");
    check_bad("t", 1, "a mark before a tuple");
    check_bad("(\x85", 2, "values for a tuple");
    check_bad("K\x01(a", 4, "a list below what is appended");
    check_bad("](K\x01u", 5, "a dict below keys and values");
    check_bad("}(K\x01u", 5, "a dict below keys and values");
    check_bad("h\0", 2, "a value that was remembered");
    check_bad("\x94", 1, "a value to remember");
    check_bad("X\x05\0\0\0hi", 7, "a text");
    check_bad("\x8d\xff\xff\xff\xff\xff\xff\xff\xff", 9, "a text");
    check_bad("\x8a\x09", 2, "at most eight bytes");
    check_bad("\x93", 1, "the names of a module and a class");
    check_bad("K\x01)\x81", 4, "a class and a tuple");
    check_bad("K\x01N"
              "b",
              4, "an object and its state");
    // What could run something.
    check_bad("\x8c\x02os\x8c\x06system\x93", 13, "only known classes, found \"os.system\"");
    static const unsigned char opcodes[] = {'R', 'i', 'o', 'c', 0x82, 0x83, 0x84, 0x92, 0x97, 'P',
                                            'Q', 'F', 'I', 'S', 'V',  'p',  'q',  'r',  '0',  '2'};
    for (size_t i = 0; i < sizeof opcodes; i++) {
        char bytes[] = {'N', ')', (char)opcodes[i]};
        check_bad(bytes, sizeof bytes, "which is not executed");
    }
}

static void check_bad_snapshot(const char *bytes, size_t size, const char *wanted) {
    check_bad_profile(mc_tracemalloc_parse, bytes, size, wanted);
}

#define SNAPSHOT(traces)                                                                     \
    "\x80\x05\x8c\x0btracemalloc\x8c\x08Snapshot\x93)\x81}\x8c\x06traces\x8c\x0btracemalloc" \
    "\x8c\x07_Traces\x93)\x81}\x8c\x07_traces" traces "sbsb."

static void test_snapshots(void) {
    static const char old[] = SNAPSHOT("](K\x08\x8c\x01"
                                       "aK\x01\x86\x85\x86"
                                       "e");
    mc_profile p = {.frames = NULL};
    mc_import_desc desc = {.path_count = 0};
    mc_profile_input input = {
        .data = (const unsigned char *)old, .size = sizeof old - 1, .path = "x", .desc = &desc};
    REQUIRE(mc_tracemalloc_parse(&input, &p, &error) == MC_OK);
    CHECK(p.sample_count == 1 && p.values[0] == 1 && p.values[1] == 8 && p.frames[0].line == 1);
    mc_profile_deinit(&p);
    CHECK(mc_tracemalloc_detect((const unsigned char *)old, sizeof old - 1));
    check_bad_snapshot("N.", 2, "no tracemalloc.Snapshot");
#define CHECK_BAD(traces, wanted) \
    check_bad_snapshot(SNAPSHOT(traces), sizeof SNAPSHOT(traces) - 1, wanted)
    CHECK_BAD("N", "its traces are no list");
    CHECK_BAD("](Ne", "a trace is not");
    CHECK_BAD("](K\x08K\x08\x86"
              "e",
              "a trace is not");
    CHECK_BAD("](J\xff\xff\xff\xff)\x86"
              "e",
              "a negative size");
    CHECK_BAD("](K\x08K\x08\x85\x86"
              "e",
              "a frame is not");
    CHECK_BAD("](\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f)\x86\x94h\0e", "more than 2^63 - 1");
}

int main(void) {
    test_values();
    test_bad();
    test_snapshots();
    try_profile(mc_tracemalloc_parse, "python-1.tracemalloc");
    return test_finish();
}
