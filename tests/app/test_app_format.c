// Numbers and times as people read them; strings as programs do.
//
// With an argument: prints what metrics say, which a page has to say, too
// (tests/page_in_browser.py).
#include "app/format.h"
#include "tests/test.h"
#include <inttypes.h>

#define IS(call, expected)                                                      \
    do {                                                                        \
        char text[MC_FORMAT_SIZE];                                              \
        char *out = text;                                                       \
        CHECK_MSG(strcmp(call, expected) == 0, "%s is not %s", text, expected); \
    } while (0)

// C1 controls, overrides of direction, what XML can't hold, what is no UTF-8.
static void check_odd_text(void) {
    static const char odd[] = "ä\xc2\x9b\u202e\xef\xbf\xbe<\xff\xed\xa0\x80";
    mc_text text = {0};
    mc_format_append_line(&text, odd, sizeof odd - 1);
    CHECK_MSG(strcmp(text.data, "ä���<����") == 0, "%s", text.data);
    mc_text_clear(&text);
    mc_format_append_markup(&text, odd, sizeof odd - 1);
    CHECK_MSG(strcmp(text.data, "ä���&lt;����") == 0, "%s", text.data);
    mc_text_clear(&text);
    mc_format_append_tsv(&text, odd, sizeof odd - 1);
    CHECK_MSG(strcmp(text.data, "ä\\xc2\\x9b\\xe2\\x80\\xae\\xef\\xbf\\xbe<\\xff\\xed\\xa0\\x80") ==
                  0,
              "%s", text.data);
    mc_text_clear(&text);
    mc_format_append_json(&text, odd, sizeof odd - 1);
    CHECK_MSG(strcmp(text.data, "\"ä\\u009b\\u202e\\ufffe<\\ufffd\\ufffd\\ufffd\\ufffd\"") == 0,
              "%s", text.data);
    mc_text_clear(&text);
    mc_format_append_json(&text, NULL, 0);
    CHECK(strcmp(text.data, "\"\"") == 0);
    mc_text_deinit(&text);
}

// A row: what is known of a metric, a count, its text and the one with its title, and as a growth.
static void print_values(void) {
    static const mc_metric_info metrics[] = {
        {.key = "objects", .title = "objects", .unit = MC_UNIT_COUNT},
        {.key = "bytes", .title = "bytes", .unit = MC_UNIT_BYTES},
        {.key = "samples", .title = "samples", .unit = MC_UNIT_NONE},
        {.key = "busy", .title = "busy time", .unit = MC_UNIT_TIME},
        {.key = "load", .title = "load", .unit = MC_UNIT_RATIO, .is_real = true, .scale = 40},
        {.key = "spent", .title = "time", .unit = MC_UNIT_TIME, .is_real = true, .scale = 20},
        {.key = "size", .title = "size", .unit = MC_UNIT_BYTES, .is_real = true, .scale = 3},
        {.key = "rate", .title = "rate", .unit = MC_UNIT_COUNT, .is_real = true},
        {.key = "part", .title = "part", .unit = MC_UNIT_NONE, .is_real = true, .scale = 30}};
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++)
        for (uint64_t count = 0; count < UINT64_C(1) << 44; count += 1 + count / 20) {
            mc_metric_info info = metrics[m];
            uint64_t word = mc_metric_get_word(&info, count);
            char value[MC_FORMAT_SIZE], growth[MC_FORMAT_SIZE];
            mc_text text = {0};
            info.title_size = strlen(info.title);
            mc_format_append_value(&text, &info, word);
            printf("%s\t%s\t%s\t%d\t%d\t%" PRIu64 "\t%s\t%s\t%s\n", info.key, info.title,
                   mc_unit_names[info.unit], info.is_real, info.scale, count,
                   mc_format_value(value, &info, word), text.data,
                   mc_format_value_growth(growth, &info, -(int64_t)count));
            mc_text_deinit(&text);
        }
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        print_values();
        return 0;
    }
    IS(mc_format_count(out, 0), "0");
    IS(mc_format_count(out, 999), "999");
    IS(mc_format_count(out, 160003), "160,003");
    IS(mc_format_count(out, INT64_MAX), "9,223,372,036,854,775,807");
    IS(mc_format_counted(out, 0, "object"), "0 objects");
    IS(mc_format_counted(out, 1, "object"), "1 object");
    IS(mc_format_counted(out, UINT64_MAX, "object"), "18,446,744,073,709,551,615 objects");
    IS(mc_format_growth(out, 159998), "+159,998");
    IS(mc_format_growth(out, -3), "−3");
    IS(mc_format_growth(out, 0), "±0");
    IS(mc_format_rate(out, 0.4), "±0");
    IS(mc_format_rate(out, -1234.5), "−1,235");
    IS(mc_format_rate(out, 8.9e18), "+8,900,000,000,000,000,000");
    IS(mc_format_rate(out, 3.3204e25), "+3.32e+25");
    IS(mc_format_rate(out, -9.3e18), "−9.30e+18");
    IS(mc_format_bytes_rate(out, -2048), "−2.00 KiB");
    IS(mc_format_bytes_rate(out, 3.3204e25), "+2.88e+07 EiB");
    IS(mc_format_growth(out, INT64_MIN), "−9,223,372,036,854,775,808");
    IS(mc_format_si(out, 999), "999");
    IS(mc_format_si(out, 160003), "160 k");
    IS(mc_format_si(out, 1874162), "1.87 M");
    IS(mc_format_si(out, 999999), "1.00 M");
    IS(mc_format_bytes(out, 1023), "1023 B");
    IS(mc_format_bytes(out, 3840072), "3.66 MiB");
    IS(mc_format_bytes(out, 1048575), "1.00 MiB");
    mc_format_use_decimal_bytes(true);
    IS(mc_format_bytes(out, 999), "999 B");
    IS(mc_format_bytes(out, 3840072), "3.84 MB");
    IS(mc_format_bytes_growth(out, -2048), "−2.05 kB");
    mc_format_use_decimal_bytes(false);
    IS(mc_format_bytes(out, UINT64_MAX), "16.0 EiB");
    IS(mc_format_bytes_growth(out, -2048), "−2.00 KiB");
    IS(mc_format_share(out, 0.274), "27.4 %");
    IS(mc_format_share(out, 0.0001), "< 0.1 %");
    IS(mc_format_share(out, 0), "0.0 %");
    IS(mc_format_share(out, 0.9999), "> 99.9 %");
    IS(mc_format_share(out, 0.9994), "99.9 %");
    IS(mc_format_share(out, 1), "100.0 %");
    IS(mc_format_time(out, 96016), "1:36.0");
    IS(mc_format_time(out, 7507000), "2:05:07");
    IS(mc_format_time(out, 281050088000), "3,252 d 21:28");
    IS(mc_format_time(out, -1500), "−0:01.5");
    setenv("TZ", "UTC", 1);
    IS(mc_format_time(out, 1714564800123), "2024-05-01 12:00:00");

    mc_text text = {0};
    mc_format_append_tsv(&text, "a\tb\\c\nd\x1b", 8);
    CHECK(strcmp(text.data, "a\\tb\\\\c\\nd\\x1b") == 0);
    mc_text_clear(&text);
    mc_format_append_json(&text, "\"\\\n\0é", 6);
    CHECK_MSG(strcmp(text.data, "\"\\\"\\\\\\u000a\\u0000é\"") == 0, "%s", text.data);
    mc_text_clear(&text);
    mc_format_append_line(&text, "a\x1b[2Jb", 6);
    CHECK_MSG(strcmp(text.data, "a�[2Jb") == 0, "%s", text.data);
    mc_text_deinit(&text);
    check_odd_text();
    return test_finish();
}
