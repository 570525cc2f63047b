#include "engine/base/row_text.h"
#include "tests/test.h"
#include <inttypes.h>
#include <stdio.h>

static void expect(mc_row_form form, const char *bytes, size_t size, const char *expected) {
    mc_text text = {0};
    mc_row_append_text(&text, form, bytes, size);
    CHECK(!text.failed && text.size == strlen(expected) &&
          memcmp(text.data ? text.data : "", expected, text.size) == 0);
    mc_text_deinit(&text);
}

static void test_texts(void) {
    expect(MC_ROW_TSV, "java.lang.String[]", 18, "java.lang.String[]");
    expect(MC_ROW_TSV, "", 0, "");
    expect(MC_ROW_TSV, "\ta\nb\rc\\d\be\ff\0\"g", 15, "\\ta\\nb\\rc\\\\d\\be\\ff\\0\"g");
    expect(MC_ROW_TSV, "\\N", 2, "\\\\N");
    expect(MC_ROW_TSV, "\xe6\x97\xa5", 3, "\xe6\x97\xa5");
    expect(MC_ROW_CSV, "java.util.Map$Entry", 19, "java.util.Map$Entry");
    expect(MC_ROW_CSV, "", 0, "\"\"");
    expect(MC_ROW_CSV, "a,b", 3, "\"a,b\"");
    expect(MC_ROW_CSV, "\"a\"\"", 4, "\"\"\"a\"\"\"\"\"");
    expect(MC_ROW_CSV, "a\r\nb", 4, "\"a\r\nb\"");
    expect(MC_ROW_CSV, "\\.", 2, "\"\\.\"");
    expect(MC_ROW_CSV, "\\N", 2, "\"\\N\"");
    expect(MC_ROW_CSV, " a", 2, "\" a\"");
    expect(MC_ROW_CSV, "a\t", 2, "\"a\t\"");
    expect(MC_ROW_CSV, "=1+1", 4, "=1+1");
}

static void test_null(void) {
    char out[2];
    CHECK(strcmp(mc_row_get_null(MC_ROW_CSV), "") == 0);
    CHECK(strcmp(mc_row_get_null(MC_ROW_TSV), "\\N") == 0);
    CHECK(mc_row_put_null(out, MC_ROW_CSV) == out);
    CHECK(mc_row_put_null(out, MC_ROW_TSV) == out + 2 && memcmp(out, "\\N", 2) == 0);
}

static void expect_number(uint64_t number) {
    char out[MC_ROW_NUMBER_SIZE + 1], expected[32];
    *mc_row_put_number(out, number) = '\0';
    snprintf(expected, sizeof expected, "%" PRIu64, number);
    CHECK_MSG(strcmp(out, expected) == 0, "%s, not %s", out, expected);
}

static void test_numbers(void) {
    expect_number(0);
    for (uint64_t power = 1; power <= UINT64_MAX / 10; power *= 10) {
        expect_number(power - 1);
        expect_number(power);
        expect_number(power + power / 7);
    }
    expect_number(UINT64_C(10000000000000000000));
    expect_number(UINT64_MAX);
}

static void expect_real(double number, const char *expected) {
    char out[MC_ROW_NUMBER_SIZE + 1];
    *mc_row_put_real(out, number) = '\0';
    CHECK_MSG(strcmp(out, expected) == 0, "%s, not %s", out, expected);
}

static void test_reals(void) {
    expect_real(0.5, "0.5");
    expect_real(0.1, "0.1");
    expect_real(1.0 / 3, "0.3333333333333333");
    expect_real(0.1 + 0.2, "0.30000000000000004");
    expect_real(1e300, "1e+300");
}

int main(void) {
    test_texts();
    test_null();
    test_numbers();
    test_reals();
    return test_finish();
}
