// What the agent sends as a string is UTF-8, whatever the JVM has and wherever it was cut.
#include "agent/native/frames.h"
#include "agent/native/modified_utf8.h"
#include "engine/base/utf8.h"
#include "tests/test.h"

static mc_frames frames;

// The string of a frame that has nothing else.
static const char *get_string(size_t *size) {
    enum { BEFORE = 4 + 1 + 2 };
    CHECK(mc_frames_end(&frames) && frames.size >= BEFORE);
    *size = frames.data[5] | (size_t)frames.data[6] << 8;
    CHECK(frames.size == BEFORE + *size);
    return (const char *)frames.data + BEFORE;
}

static const char *add(const char *text, size_t *size) {
    mc_frames_clear(&frames);
    mc_frames_begin(&frames, MC_AGENT_NOTE);
    mc_frames_add_string(&frames, text);
    return get_string(size);
}

static void check(const char *text, const char *wanted) {
    size_t size;
    const char *string = add(text, &size);
    CHECK_MSG(size == strlen(wanted) && memcmp(string, wanted, size) == 0, "%.*s, not %s",
              (int)size, string, wanted);
}

static void test_characters(void) {
    check("", "");
    check(NULL, "");
    check("gr\xc3\xbc\xc3\x9f dich \xf0\x9f\x98\x80", "gr\xc3\xbc\xc3\x9f dich \xf0\x9f\x98\x80");
    check("\xed\xa0\xb5\xed\xb2\x9c", "\xf0\x9d\x92\x9c"); // as a JVM has U+1D49C
    check("a\xc0\x80z", "a?z");                            // NUL
    check("\xed\xa0\xb5", "?");                            // halves
    check("\xed\xb2\x9c\xed\xa0\xb5", "??");
    check("\xed\xa0\xb5\xed\xa0\xb5\xed\xb2\x9c", "?\xf0\x9d\x92\x9c");
    check("caf\xe9 \xff", "caf\\xe9 \\xff"); // Latin-1
    check("\xe0\x80\x80\xf4\x90\x80\x80", "\\xe0\\x80\\x80\\xf4\\x90\\x80\\x80");
    check("\xc3", "\\xc3");
    check("\xed\xa0", "\\xed\\xa0");
}

static void test_parts(void) {
    size_t size;
    mc_frames_clear(&frames);
    mc_frames_begin(&frames, MC_AGENT_NOTE);
    mc_frames_begin_string(&frames);
    mc_frames_append_text(&frames, "\xc3\xa4");
    mc_frames_append_text(&frames, " ");
    mc_frames_append_text(&frames, "\xe9");
    mc_frames_end_string(&frames);
    const char *string = get_string(&size);
    CHECK(size == 7 && memcmp(string, "\xc3\xa4 \\xe9", size) == 0);
}

// A string longer than its number can say.
static void test_long(void) {
    static char text[70001];
    size_t size;
    memset(text, 'a', sizeof text - 1);
    add(text, &size);
    CHECK(size == UINT16_MAX);
    for (size_t at = 65530; at < 65537; at++) {
        memset(text, 'a', sizeof text - 1);
        memcpy(text + at, "\xf0\x9f\x98\x80", 4);
        const char *string = add(text, &size);
        CHECK(size == (at + 4 > UINT16_MAX && at < UINT16_MAX ? at : UINT16_MAX));
        CHECK(mc_utf8_is_valid(string, size));
    }
}

// Where a buffer ends, and what of "aä…" is in it.
static void test_cut(void) {
    static const char text[] = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z";
    static const size_t whole[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11};
    char out[16];
    for (size_t size = 1; size <= 12; size++) {
        mc_modified_utf8_print(out, size, "%s", text);
        CHECK_MSG(strlen(out) == whole[size - 1] && memcmp(out, text, strlen(out)) == 0,
                  "%zu bytes of %zu", strlen(out), size);
    }
    mc_modified_utf8_print(out, 7, "abc\xed\xa0\xb5\xed\xb2\x9c"); // between the halves
    CHECK(strcmp(out, "abc") == 0);
    mc_modified_utf8_print(out, sizeof out, "abc\xe9"); // not cut, so it stays
    CHECK(strcmp(out, "abc\xe9") == 0);
}

int main(void) {
    test_characters();
    test_parts();
    test_long();
    test_cut();
    mc_frames_deinit(&frames);
    return test_finish();
}
