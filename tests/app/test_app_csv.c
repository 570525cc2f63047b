// Tables as RFC 4180 has them; names of files that are made from a trace's name.
#include "app/csv.h"
#include "app/user_files.h"
#include "tests/test.h"
#include <unistd.h>

static void check_fields(void) {
    mc_text out = {0};
    mc_csv_append_string(&out, "plain");
    mc_csv_append_string(&out, "a,b");
    mc_csv_append_string(&out, "say \"so\"");
    mc_csv_append_string(&out, "two\nlines");
    mc_csv_end_row(&out);
    mc_csv_append_string(&out, "");
    mc_csv_append_number(&out, UINT64_MAX);
    mc_csv_append_signed(&out, INT64_MIN);
    mc_csv_append_real(&out, 0.125);
    mc_csv_end_row(&out);
    CHECK_MSG(strcmp(out.data, "plain,\"a,b\",\"say \"\"so\"\"\",\"two\nlines\"\r\n"
                               "\"\",18446744073709551615,-9223372036854775808,0.125\r\n") == 0,
              "%s", out.data);
    mc_text_deinit(&out);
}

static void check_formulas(void) {
    mc_text out = {0};
    mc_csv_append_string(&out, "=1+1");
    mc_csv_append_string(&out, "+1");
    mc_csv_append_string(&out, "-cmd|'/c calc'!A1");
    mc_csv_append_string(&out, "@SUM(A1,A2)");
    mc_csv_append_string(&out, "\t=1");
    mc_csv_append_string(&out, "\r=1");
    mc_csv_append_string(&out, "a=1");
    mc_csv_append_signed(&out, -1);
    mc_csv_append_real(&out, -0.5);
    mc_csv_end_row(&out);
    CHECK_MSG(strcmp(out.data, "'=1+1,'+1,'-cmd|'/c calc'!A1,\"'@SUM(A1,A2)\",'\t=1,\"'\r=1\",a=1,"
                               "-1,-0.5\r\n") == 0,
              "%s", out.data);
    mc_text_deinit(&out);
}

static void check_name(const char *name, const char *expected) {
    mc_text out = {0};
    mc_user_append_file_name(&out, name);
    CHECK_MSG(strcmp(out.data ? out.data : "", expected) == 0, "%s is not %s", out.data, expected);
    mc_text_deinit(&out);
}

static void check_names(void) {
    check_name("httpclient-3.0.1", "httpclient-3.0.1");
    check_name("../etc/passwd", "_._etc_passwd");
    check_name("a b\n\\c", "a_b__c");
    check_name("Größe", "Größe");
    // Too long, and not cut within a character.
    char name[400];
    for (size_t i = 0; i + 2 < sizeof name; i += 2) {
        memcpy(name + i, "ß", 3);
    }
    mc_text out = {0};
    mc_user_append_file_name(&out, name);
    CHECK(out.size <= 120 && out.size % 2 == 0 && out.size > 100);
    mc_text_deinit(&out);
}

static void check_free_path(void) {
    char folder[] = "/tmp/memcity-test-XXXXXX";
    REQUIRE(mkdtemp(folder));
    mc_text first = {0}, second = {0};
    mc_user_append_free_path(&first, folder, "t", "csv");
    FILE *file = fopen(first.data, "w");
    REQUIRE(file);
    fclose(file);
    mc_user_append_free_path(&second, folder, "t", "csv");
    CHECK(strstr(first.data, "/t.csv") && strstr(second.data, "/t-2.csv"));
    unlink(first.data);
    rmdir(folder);
    mc_text_deinit(&first);
    mc_text_deinit(&second);
}

int main(void) {
    check_fields();
    check_formulas();
    check_names();
    check_free_path();
    return test_finish();
}
