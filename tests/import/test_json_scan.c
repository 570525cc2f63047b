// Cutting raw JSON text: pieces and array elements, against a byte-by-byte reference.
#include "engine/base/utf8.h"
#include "engine/import/json/json_scan.h"
#include "tests/json_text.h"
#include <inttypes.h>

static uint32_t random_state = 1;

static uint32_t get_random(uint32_t below) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

// Text of brackets, quotes and backslashes in any order.
static json_text make_noise(size_t size) {
    static const char letters[] = "\"\"\\\\ab01 ,:[]{}";
    char bytes[4096];
    REQUIRE(size <= sizeof bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = get_random(4) == 0 ? letters[get_random(sizeof letters - 1)] : 'x';
    return json_text_copy(bytes, size);
}

static void test_cuts(void) {
    for (int round = 0; round < 20000; round++) {
        json_text text = make_noise(get_random(600));
        size_t wanted = 1 + get_random(400);
        mc_json_cut cut = mc_json_cut_piece(text.data, text.size, wanted);
        bool in_string = false, is_escaped = false, has_escapes = false;
        for (size_t i = 0; i < cut.size; i++) {
            has_escapes |= text.data[i] == '\\';
            if (is_escaped) {
                is_escaped = false;
            } else if (text.data[i] == '\\') {
                is_escaped = true;
            } else if (text.data[i] == '"') {
                in_string = !in_string;
            }
        }
        CHECK(cut.size == text.size || cut.size >= wanted);
        CHECK(!has_escapes || cut.has_escapes);
        CHECK(cut.is_unclosed == in_string);
        if (cut.size < text.size) {
            CHECK(!in_string && !is_escaped);
            char next = (char)text.data[cut.size];
            CHECK(strchr(" ,:[]{}", next) || text.data[cut.size - 1] == '"');
        }
        free(text.data);
    }
}

// The end of the array or object at text[begin], found one byte at a time.
static size_t find_end(json_text text, size_t begin) {
    bool in_string = false, is_escaped = false;
    size_t depth = 0;
    for (size_t i = begin; i < text.size; i++) {
        unsigned char c = text.data[i];
        // Outside of strings nothing can be escaped; what looks like it is wrong anyway.
        if (!in_string && (c == '{' || c == '[')) depth++;
        if (!in_string && (c == '}' || c == ']') && --depth == 0) return i + 1;
        if (is_escaped) {
            is_escaped = false;
        } else if (c == '\\') {
            is_escaped = true;
        } else if (c == '"') {
            in_string = !in_string;
        }
    }
    return text.size;
}

static void test_elements_of_noise(void) {
    for (int round = 0; round < 20000; round++) {
        json_text text = make_noise(2 + get_random(900));
        mc_error error = {0};
        mc_json_array array;
        size_t begin, size;
        text.data[0] = '[';
        text.data[1] = get_random(2) ? '[' : '{';
        mc_json_array_begin(&array, text.data, text.size);
        array.most = (mc_json_width)(round % 3);
        CHECK(mc_json_array_next(&array, &begin, &size, &error) == MC_OK);
        CHECK(begin == 1 && begin + size == find_end(text, 1));
        while (!array.is_done && mc_json_array_next(&array, &begin, &size, &error) == MC_OK)
            CHECK(array.is_done || (size > 0 && begin + size <= text.size));
        free(text.data);
    }
}

typedef struct array_case {
    const char *text;
    int count;         // of elements
    int offset;        // of the error, -1: none
    const char *sizes; // a digit an element
} array_case;

static const array_case arrays[] = {
    {"[]", 0, -1, ""},
    {" [ ] \n", 0, -1, ""},
    {"\xef\xbb\xbf[{}]", 1, -1, "2"},
    {"[{},{}]", 2, -1, "22"},
    {"[ {} , [1,2] , \"a]\" , 12 ]", 4, -1, "2542"},
    {"[{\"a\":\"}\"}]", 1, -1, "9"},
    {"[{}", 1, 3, "2"},
    {"[{},", 1, 4, "2"},
    {"[{},]", 1, 4, "2"},
    {"[,{}]", 0, 1, ""},
    {"[{}{}]", 1, 3, "2"},
    {"[{}]x", 1, 4, "2"},
    {"[{}]]", 1, 4, "2"},
    {"[", 0, 1, ""},
    {"[}", 0, 1, ""},
    {"[{\"a\":1", 1, -1, "6"}, // cut off: whoever reads the element finds out
    {"[\"abc", 1, -1, "4"},
};

static void test_arrays(void) {
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        const array_case *wanted = &arrays[i];
        json_text text = json_text_copy(wanted->text, strlen(wanted->text));
        mc_error error = {0};
        mc_json_array array;
        int count = 0, offset = -1;
        REQUIRE(mc_json_is_array(text.data, text.size));
        mc_json_array_begin(&array, text.data, text.size);
        for (;;) {
            size_t begin, size;
            mc_result result = mc_json_array_next(&array, &begin, &size, &error);
            if (result != MC_OK) offset = (int)error.byte_offset;
            if (array.is_done) break;
            CHECK_MSG(count < wanted->count && size == (size_t)(wanted->sizes[count] - '0'),
                      "%s: element %d has %zu bytes", wanted->text, count, size);
            count++;
        }
        CHECK_MSG(count == wanted->count, "%s: %d", wanted->text, count);
        CHECK_MSG(offset == wanted->offset, "%s: %d: %s", wanted->text, offset, error.message);
        free(text.data);
    }
    CHECK(!mc_json_is_array((const unsigned char *)"", 0));
    CHECK(!mc_json_is_array((const unsigned char *)" {", 2));
}

// The same elements, and the same errors, if the data comes in parts.
static void test_arrays_in_parts(void) {
    for (int round = 0; round < 3000; round++) {
        json_text text = make_noise(2 + get_random(900));
        text.data[0] = '[';
        if (get_random(2)) text.data[1] = '{';
        mc_json_array whole, parts;
        mc_error whole_error = {0}, parts_error = {0};
        mc_json_array_begin(&whole, text.data, text.size);
        size_t known = 1 + get_random(20), dropped = 0;
        if (known > text.size) known = text.size;
        json_text part = json_text_copy((const char *)text.data, known);
        mc_json_array_begin(&parts, part.data, part.size);
        parts.is_partial = true;
        whole.most = (mc_json_width)get_random(3);
        parts.most = (mc_json_width)get_random(3);
        while (!whole.is_done) {
            size_t begin, size, part_begin, part_size;
            mc_result wanted = mc_json_array_next(&whole, &begin, &size, &whole_error), result;
            while ((result = mc_json_array_next(&parts, &part_begin, &part_size, &parts_error)) ==
                       MC_OK &&
                   part_size == 0 && !parts.is_done) {
                REQUIRE(parts.is_partial);
                size_t needed = mc_json_array_get_needed(&parts);
                dropped += needed;
                known += get_random(100);
                if (known > text.size) known = text.size;
                free(part.data);
                part = json_text_copy((const char *)text.data + dropped, known - dropped);
                parts.is_partial = known < text.size || get_random(2);
                mc_json_array_move(&parts, part.data, part.size, needed);
            }
            CHECK(result == wanted && parts.is_done == whole.is_done && part_size == size);
            CHECK(part_size == 0 || part_begin + dropped == begin);
            CHECK(result == MC_OK || parts_error.byte_offset + dropped == whole_error.byte_offset);
            CHECK(parts.count == whole.count);
        }
        free(part.data);
        free(text.data);
    }
}

// Cut off at every length: unclear, until it is clear for good.
static void check_guess(const char *text, mc_json_guess expected) {
    bool is_clear = false;
    for (size_t size = 0; size <= strlen(text); size++) {
        json_text part = json_text_copy(text, size);
        mc_json_guess guess = mc_json_guess_steps(part.data, part.size);
        CHECK_MSG(guess == expected || (guess == MC_JSON_UNCLEAR && !is_clear), "%.*s: %d",
                  (int)size, text, guess);
        is_clear = guess != MC_JSON_UNCLEAR;
        free(part.data);
    }
    CHECK_MSG(is_clear || expected == MC_JSON_UNCLEAR, "%s", text);
}

static void test_guesses(void) {
    // A file whose content a crash has lost is none that somebody put there for another purpose.
    CHECK(mc_json_guess_steps((const unsigned char[8]){0}, 8) == MC_JSON_UNCLEAR);
    check_guess("{\"time\":1}", MC_JSON_STEPS);
    check_guess(" [ {\"a\": [\"}\", {\"root\":1}], \"b\":\"\\\"\",\"classifiers\" : 7}]",
                MC_JSON_STEPS);
    check_guess("{\"x\":-1.5e3 , \"y\":null,\"pointerMap\":{}}", MC_JSON_STEPS);
    check_guess("{\"times\":1,\"Root\":2,\"tim\":{\"time\":3}}", MC_JSON_NO_STEPS);
    check_guess("{}", MC_JSON_NO_STEPS);
    check_guess("[1, {\"time\":1}]", MC_JSON_NO_STEPS);
    check_guess("12", MC_JSON_NO_STEPS);
    check_guess("[true, 1]", MC_JSON_NO_STEPS);
    check_guess("{\"a\":[{}], \"b\":null,\"c\": -1.5e3}", MC_JSON_NO_STEPS);
    // What is no JSON may have been a step.
    static const char *const wrong[] = {"what was done",
                                        "{\"a\" 1,\"time\":1}",
                                        "{\"a\":1;\"time\":1}",
                                        "{\"a\":nul,\"time\":1}",
                                        "{\"a\":1x}",
                                        "{\"a\\u0001\":1}",
                                        "{\"a\x01\":1}",
                                        "{\"\xff\":1}",
                                        "{a:1}",
                                        "[x",
                                        "truth",
                                        "\"a\nb\"",
                                        "\xff\xfe{",
                                        "\x1f\x8b\x08"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_guess(wrong[i], MC_JSON_UNCLEAR);
    check_guess("[]", MC_JSON_UNCLEAR);
    check_guess("{\"ti\\u006de\":1}", MC_JSON_UNCLEAR);
    static const char marked[] = "\xef\xbb\xbf\t{\"root\":{}}";
    CHECK(mc_json_guess_steps((const unsigned char *)marked, sizeof marked - 1) == MC_JSON_STEPS);
}

static void test_utf8(void) {
    uint32_t valid = 0;
    for (uint32_t code = 0; code < 0x110000; code++) {
        if (code >= 0xd800 && code < 0xe000) continue;
        char bytes[4];
        size_t size = mc_utf8_encode(code, bytes);
        valid += mc_utf8_measure((const unsigned char *)bytes, size) == size;
        if (size > 1) CHECK(mc_utf8_measure((const unsigned char *)bytes, size - 1) == 0);
    }
    CHECK(valid == 0x110000 - 0x800);
    static const char *const wrong[] = {
        "\x80",         "\xc0\x80",         "\xc1\xbf",         "\xe0\x9f\xbf",
        "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
        "\xff",         "\xe2\x82\x61"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(mc_utf8_measure((const unsigned char *)wrong[i], strlen(wrong[i])) == 0);
}

int main(void) {
    test_cuts();
    test_elements_of_noise();
    test_arrays();
    test_arrays_in_parts();
    test_guesses();
    test_utf8();
    return test_finish();
}
