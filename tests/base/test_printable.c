// What of a name is shown, and that messages are made so where they are set.
#include "engine/base/printable.h"
#include "engine/base/printable_text.h"
#include "engine/base/utf8.h"
#include "tests/test.h"

#define R "\xef\xbf\xbd" // U+FFFD

static void check_characters(void) {
    static const uint32_t bad[] = {0,      7,      0x1b,   0x1f,   0x7f,   0x80,        0x9b,
                                   0x9f,   0x61c,  0x200e, 0x200f, 0x2028, 0x2029,      0x202a,
                                   0x202e, 0x2066, 0x2069, 0xfffe, 0xffff, MC_UTF8_NONE};
    static const uint32_t fine[] = {' ',    '~',    0xa0,   0xe4,   0x61b,  0x61d,   0x200d,
                                    0x2010, 0x202f, 0x2065, 0x206a, 0xfffd, 0x1f600, 0x10ffff};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(!mc_is_printable(bad[i]), "U+%04X", bad[i]);
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        CHECK_MSG(mc_is_printable(fine[i]), "U+%04X", fine[i]);
    char bytes[4];
    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        size_t length;
        if (code >= 0xd800 && code <= 0xdfff) continue;
        size_t size = mc_utf8_encode(code, bytes);
        CHECK(mc_utf8_decode((unsigned char *)bytes, size, &length) == code && length == size);
    }
}

static void check_text(const char *bytes, size_t size, const char *expected) {
    mc_text text = {0};
    char copied[64];
    mc_printable_append(&text, bytes, size);
    const char *appended = text.data ? text.data : "";
    CHECK_MSG(strcmp(appended, expected) == 0, "%s is not %s", appended, expected);
    CHECK(mc_printable_copy(copied, sizeof copied, bytes, size) == strlen(expected));
    CHECK_MSG(strcmp(copied, expected) == 0, "%s is not %s", copied, expected);
    CHECK((mc_printable_measure(bytes, size) == size) == (strcmp(bytes, expected) == 0));
    mc_text_deinit(&text);
}
#define TEXT(bytes, expected) check_text(bytes, sizeof(bytes) - 1, expected)

static void check_texts(void) {
    TEXT("", "");
    TEXT("java.util.Größe 😀", "java.util.Größe 😀");
    TEXT("a\0b\x1b[2J\n", "a" R "b" R "[2J" R);
    TEXT("\xc2\x9b"
         "31m",
         R "31m");
    TEXT("cod\u202egnp.exe", "cod" R "gnp.exe");
    TEXT("\xff\xc3", R R);             // no UTF-8; cut off
    TEXT("\xed\xa0\x80", R R R);       // a surrogate
    TEXT("\xf0\x9f\x98", R R R);       // cut off
    TEXT("\xc0\xaf/", R R "/");        // overlong
    TEXT("\xf4\x90\x80\x80", R R R R); // beyond Unicode
}

// At every size: never beyond the buffer, nor within a character.
static void check_cuts(void) {
    static const char bytes[] = "aä\x01€😀b";
    static const char whole[] = "aä" R "€😀b";
    size_t before = 0;
    for (size_t room = 1; room <= sizeof whole + 2; room++) {
        char *out = malloc(room); // of its exact size, for the sanitizer
        REQUIRE(out);
        size_t used = mc_printable_copy(out, room, bytes, sizeof bytes - 1);
        CHECK(used < room && used == strlen(out) && used >= before);
        CHECK(memcmp(out, whole, used) == 0 && mc_printable_measure(out, used) == used);
        before = used;
        free(out);
    }
    CHECK(before == sizeof whole - 1);
}

static void check_excerpts(void) {
    mc_excerpt excerpt;
    char name[3 * MC_EXCERPT_SIZE];
    CHECK(strcmp(mc_excerpt_make(&excerpt, NULL, 0), "") == 0);
    CHECK(strcmp(mc_excerpt_make(&excerpt, "a\0b", 3), "a" R "b") == 0);
    memset(name, 'x', sizeof name);
    for (size_t size = 0; size < sizeof name; size++) {
        const char *text = mc_excerpt_make(&excerpt, name, size);
        size_t length = strlen(text);
        bool is_cut = length >= 3 && strcmp(text + length - 3, "…") == 0;
        CHECK(length < MC_EXCERPT_SIZE && (is_cut ? size > length - 3 : size == length));
    }
}

static void keep(void *user, mc_log_level level, const char *message) {
    (void)level;
    snprintf(user, 256, "%s", message);
}

static void check_messages(void) {
    mc_error error = {0};
    mc_error_set(&error, MC_ERROR_BAD_DATA, 12, "the key \"%s\" is odd", "\x1b[31m\xc2\x9d\xff");
    CHECK_MSG(strcmp(error.message, "the key \"" R "[31m" R R "\" is odd") == 0, "%s",
              error.message);
    mc_error_prepend(&error, "a\nb\xfe.json");
    CHECK_MSG(strcmp(error.message, "a" R "b" R ".json:12: the key \"" R "[31m" R R "\" is odd") ==
                  0,
              "%s", error.message);
    char kept[256];
    mc_log log = {keep, kept};
    mc_log_write(&log, MC_LOG_WARNING, "%s: left out", "x\u2066y\r");
    CHECK_MSG(strcmp(kept, "x" R "y" R ": left out") == 0, "%s", kept);
    // What is too long is cut behind a character, whatever it is made of.
    char name[2 * MC_ERROR_MESSAGE_SIZE] = {0};
    for (size_t i = 0; i + 2 < sizeof name; i += 2)
        memcpy(name + i, "ä", 2);
    for (size_t shift = 0; shift < 4; shift++) {
        mc_fail(&error, MC_ERROR_IO, "%.*s%s", (int)shift, "xyz", name);
        size_t size = strlen(error.message);
        CHECK(size < MC_ERROR_MESSAGE_SIZE && !strstr(error.message, R));
        mc_error_prepend(&error, name + shift % 2);
        CHECK(strlen(error.message) < MC_ERROR_MESSAGE_SIZE && !strstr(error.message, R R));
    }
    memset(name, 1, sizeof name - 1);
    mc_fail(&error, MC_ERROR_IO, "%s", name);
    CHECK(strlen(error.message) == (MC_ERROR_MESSAGE_SIZE - 1) / 3 * 3);
}

// In pieces of any size, as a whole.
static void check_lines(const char *bytes, size_t size, char quote, const char *expected) {
    for (size_t piece = 1; piece <= size; piece++) {
        mc_printable_lines lines = {.quote = quote};
        mc_text text = {0};
        for (size_t at = 0; at < size; at += piece)
            mc_printable_lines_append(&lines, &text, bytes + at,
                                      piece < size - at ? piece : size - at);
        mc_printable_lines_end(&lines, &text);
        CHECK_MSG(!text.failed && strcmp(text.data, expected) == 0, "in pieces of %zu: %s", piece,
                  text.data);
        mc_text_deinit(&text);
    }
}

static void test_lines(void) {
#define CHECK_LINES(bytes, quote, expected) check_lines(bytes, sizeof(bytes) - 1, quote, expected)
    CHECK_LINES("a\tb\r\n\"c\n\"\n", 0, "a\tb" R "\n\"c\n\"\n");
    CHECK_LINES("a,\"b\n\tc\"\"\nd\",\te\n", '"', "a,\"b" R R "c\"\"" R "d\",\te\n");
    CHECK_LINES("\xe2\x82\xac\xf0\x9f\x98\x80\x1b[1m\xc2\x9b", 0, "€😀" R "[1m" R);
    CHECK_LINES("\xe2\xc3\xa9\xf0\x9fx\xff\xe2\x82", 0, R "é" R R "x" R R R);
#undef CHECK_LINES
}

int main(void) {
    check_characters();
    check_texts();
    check_cuts();
    check_excerpts();
    check_messages();
    test_lines();
    return test_finish();
}
