// Rows that SQLite copies out of pages: the table is byte for byte what it makes of values,
// whatever widths numbers and names have; where a table is declared in another way nothing changes.
#include "engine/store/mct/mct_node_image.h"
#include "engine/store/mct/mct_schema.h"
#include "tests/test.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS = 90000, SHARES = 1000 };

static mc_mct_file file;
static mc_mct_node_image image;
static mc_error error;
static char name[MC_MCT_NODE_NAME_MAX];

static void run(const char *sql) {
    char *message = NULL;
    CHECK_MSG(sqlite3_exec(file.db, sql, NULL, NULL, &message) == SQLITE_OK, "%s",
              message ? message : sql);
    sqlite3_free(message);
}

static int64_t ask(const char *sql) {
    sqlite3_stmt *statement;
    REQUIRE(sqlite3_prepare_v2(file.db, sql, -1, &statement, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
    int64_t number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

static void open_database(void) {
    REQUIRE(sqlite3_open(":memory:", &file.db) == SQLITE_OK);
    for (const char *const *sql = mc_mct_schema; *sql; sql++)
        if (strncmp(*sql, "CREATE TABLE node(", 18) == 0) run(*sql);
}

// The database; its header, which counts changes, is left out.
static unsigned char *close_database(sqlite3_int64 *size) {
    unsigned char *bytes = sqlite3_serialize(file.db, "main", size, 0);
    REQUIRE(bytes && *size > 4096);
    memset(bytes, 0, 100);
    sqlite3_close(file.db);
    file.db = NULL;
    return bytes;
}

// Around each power of two, with either sign.
static int64_t get_number(uint32_t index, uint32_t column) {
    uint32_t power = (index + 7 * column) % 63;
    int64_t number = (int64_t)((uint64_t)1 << power) - 2 + index / 63 % 4;
    return (index + column) % 5 == 0 ? -number : number;
}

static mc_mct_node_row make_row(uint32_t index) {
    mc_mct_node_row row = {.id = (int64_t)index - SHARES};
    if (index == ROWS - 1) row.id = INT64_MAX;
    row.parent = index % 7 == 0 ? MC_NONE : index * 13;
    row.role = index % 3 == 0 ? MC_NONE : index % 3 - 1;
    row.name = name + index % 26;
    row.name_size = index % 40;
    if (index % 9973 == 1) row.name_size = MC_MCT_NODE_NAME_MAX - 26 - index % 100;
    row.is_leaf = index % 2;
    for (uint32_t i = 0; i < MC_MCT_NODE_NUMBERS; i++)
        row.numbers[i] = get_number(index, i);
    return row;
}

static unsigned char *make_of_values(uint32_t count, sqlite3_int64 *size) {
    sqlite3_stmt *statement;
    open_database();
    run("BEGIN");
    REQUIRE(sqlite3_prepare_v2(file.db, "INSERT INTO node VALUES(?,?,?,?,?,?,?,?,?,?,?)", -1,
                               &statement, NULL) == SQLITE_OK);
    for (uint32_t i = ROWS - count; i < ROWS; i++) {
        mc_mct_node_row row = make_row(i);
        sqlite3_bind_int64(statement, 1, row.id);
        if (row.parent != MC_NONE) sqlite3_bind_int64(statement, 2, row.parent);
        sqlite3_bind_text64(statement, 3, row.name, row.name_size, SQLITE_STATIC, SQLITE_UTF8);
        if (row.role != MC_NONE) sqlite3_bind_int64(statement, 4, row.role);
        sqlite3_bind_int64(statement, 5, row.is_leaf);
        for (int k = 0; k < MC_MCT_NODE_NUMBERS; k++)
            sqlite3_bind_int64(statement, 6 + k, row.numbers[k]);
        REQUIRE(sqlite3_step(statement) == SQLITE_DONE);
        sqlite3_reset(statement);
        sqlite3_clear_bindings(statement);
    }
    sqlite3_finalize(statement);
    run("COMMIT");
    return close_database(size);
}

static void take(bool is_expected) {
    bool is_taken = !is_expected;
    CHECK_MSG(mc_mct_node_image_take(&image, &file, &is_taken, &error) == MC_OK, "%s",
              error.message);
    CHECK(is_taken == is_expected);
}

static unsigned char *make_of_pages(uint32_t count, uint32_t *take_count, sqlite3_int64 *size) {
    open_database();
    REQUIRE(mc_mct_node_image_init(&image));
    REQUIRE(mc_mct_node_image_attach(&file));
    run("BEGIN");
    *take_count = 1;
    for (uint32_t i = ROWS - count; i < ROWS; i++) {
        mc_mct_node_row row = make_row(i);
        if (mc_mct_node_image_add(&image, &row)) continue;
        take(true);
        ++*take_count;
        CHECK(mc_mct_node_image_add(&image, &row));
    }
    take(true);
    take(true); // of no rows
    run("COMMIT");
    CHECK(ask("SELECT count(*) FROM node") == count);
    CHECK(ask("SELECT integrity_check = 'ok' FROM pragma_integrity_check"));
    return close_database(size);
}

static void check_rows(uint32_t count, bool are_many) {
    sqlite3_int64 size, other_size;
    uint32_t take_count;
    unsigned char *bytes = make_of_values(count, &size);
    unsigned char *others = make_of_pages(count, &take_count, &other_size);
    CHECK((take_count > 1) == are_many);
    CHECK(size == other_size && memcmp(bytes, others, (size_t)size) == 0);
    sqlite3_free(bytes);
    sqlite3_free(others);
}

int main(void) {
    for (size_t i = 0; i < sizeof name; i++)
        name[i] = i % 31 == 30 ? '\0' : (char)('a' + i % 26);
    file.path = "memory";
    check_rows(ROWS, true);
    check_rows(1, false);
    check_rows(3000, false); // several pages, for which the root is one of its own

    REQUIRE(sqlite3_open(":memory:", &file.db) == SQLITE_OK);
    REQUIRE(mc_mct_node_image_init(&image));
    REQUIRE(mc_mct_node_image_attach(&file));
    run("CREATE TABLE node(id INTEGER PRIMARY KEY, name TEXT)");
    mc_mct_node_row row = make_row(ROWS - 1);
    CHECK(mc_mct_node_image_add(&image, &row));
    take(false);
    CHECK(ask("SELECT count(*) FROM node") == 0);
    sqlite3_close(file.db);
    mc_mct_node_image_deinit(&image);
    return test_finish();
}
