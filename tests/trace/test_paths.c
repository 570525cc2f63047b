// How a step's groups are held: from an importer's numbers to the trace's, in memory and in a file,
// and as a tree; and what a step lacks.
#include "engine/analyze/retaining_tree.h"
#include "engine/base/memory.h"
#include "engine/store/mct/mct.h"
#include "engine/store/mct/mct_file.h"
#include "tests/trace_equal.h"
#include "tests/trace_maker.h"
#include <sqlite3.h>
#include <unistd.h>

static char folder[] = "/tmp/memcity-paths-XXXXXX";
static char file[64];
static mc_step_tree tree;
static mc_step_paths paths;
static mc_error error;

// A step of three leaves in a district; in the second step "b" has a child, and in it a node is
// numbered that the first one lacks.
enum { ROOT, DISTRICT, A, B, C };

static void fill_tree(int64_t time_ms, bool is_split) {
    mc_step_tree_reset(&tree);
    tree.time_ms = time_ms;
    test_add_node(&tree, MC_NONE, "Heap", 60);
    test_add_node(&tree, ROOT, "d", 60);
    test_add_node(&tree, DISTRICT, "a", 10);
    test_add_node(&tree, DISTRICT, "b", 20);
    test_add_node(&tree, DISTRICT, "c", 30);
    if (is_split) test_add_node(&tree, B, "child", 20);
}

static uint32_t add_name(const char *name) {
    uint32_t index = mc_strings_intern(&paths.names, name, strlen(name));
    REQUIRE(index != MC_NONE);
    return index;
}

static uint32_t add_path(uint32_t parent, const char *field, const char *class, uint32_t place) {
    mc_retaining_path path = {parent, field ? add_name(field) : MC_NONE, add_name(class), place};
    REQUIRE(mc_step_paths_add(&paths, path));
    return (uint32_t)paths.path_count - 1;
}

static void add_sum(uint32_t node, uint32_t path, uint64_t objects, uint64_t bytes) {
    mc_path_sum sum = {.node = node, .path = path, .objects = objects, .bytes = bytes};
    REQUIRE(mc_step_paths_add_sum(&paths, sum));
}

// root > Shop > Shop.cache -> Map > Map.table -> Node, by which "c" is held, and a thread that
// holds some; of "c" two objects are on ways that are not told.
static void fill_paths(int64_t time_ms) {
    mc_step_paths_reset(&paths);
    paths.time_ms = time_ms;
    uint32_t shop = add_path(MC_NONE, NULL, "class Shop", A);
    uint32_t map = add_path(shop, "static Shop.cache", "Map", B);
    uint32_t node = add_path(map, "Map.table", "Node", C);
    add_sum(C, MC_NONE, 0, 0);
    add_sum(C, shop, 0, 0);
    add_sum(C, map, 1, 100);
    add_sum(C, node, 4, 1000);
    paths.sums[paths.sum_count - 1].is_folded = true;
    paths.sums[paths.sum_count - 1].rest_objects = 2;
    paths.sums[paths.sum_count - 1].rest_bytes = 7;
    add_sum(DISTRICT, MC_NONE, 0, 0);
    add_sum(DISTRICT, shop, 9, 0);
}

// One path more, whose way is the first one's but for its place; another one is gone.
static void fill_other_paths(int64_t time_ms) {
    mc_step_paths_reset(&paths);
    paths.time_ms = time_ms;
    uint32_t thread = add_path(MC_NONE, NULL, "Thread", MC_NONE);
    uint32_t local = add_path(thread, "Thread.local", "Node", C);
    uint32_t shop = add_path(MC_NONE, NULL, "class Shop", DISTRICT);
    uint32_t map = add_path(shop, "static Shop.cache", "Map", B);
    uint32_t node = add_path(map, "Map.table", "Node", C);
    uint32_t below = add_path(node, "Node.next", "Node", C);
    add_sum(C, MC_NONE, 0, 0);
    add_sum(C, thread, 0, 0);
    add_sum(C, local, 3, 5000);
    add_sum(C, shop, 0, 0);
    add_sum(C, map, 1, 100);
    add_sum(C, node, 4, 1000);
    add_sum(C, below, 1, 10);
}

// ---- what comes out

static void check_row(const mc_trace *trace, const mc_retaining_tree *held, uint32_t row,
                      const char *class, uint64_t objects, uint64_t bytes, bool is_new) {
    uint32_t count;
    const mc_retaining_row *r = &held->rows[row];
    const mc_retaining_path *all = mc_trace_get_paths(trace, &count);
    const char *found = r->is_rest           ? "(rest)"
                        : r->path == MC_NONE ? "(root)"
                                             : mc_trace_get_string(trace, all[r->path].class, NULL);
    CHECK_MSG(strcmp(found, class) == 0 && r->whole_objects == objects && r->whole_bytes == bytes &&
                  r->is_new == is_new,
              "row %u: %s, %llu objects, %llu bytes, %s", row, found,
              (unsigned long long)r->whole_objects, (unsigned long long)r->whole_bytes,
              r->is_new ? "new" : "not new");
}

static void check_trace(const mc_trace *trace) {
    mc_retaining_tree held = {0};
    uint32_t c = test_find(trace, "Heap#d#c"), count;
    CHECK(mc_trace_has_paths(trace) && mc_trace_get_step(trace, 0)->has_paths);
    REQUIRE(mc_retaining_tree_find(trace, c, 0, MC_NONE, &held, &error) == MC_OK &&
            held.count == 5);
    check_row(trace, &held, 0, "(root)", 7, 1107, false);
    check_row(trace, &held, 1, "class Shop", 7, 1107, false);
    check_row(trace, &held, 2, "Map", 7, 1107, false);
    check_row(trace, &held, 3, "Node", 6, 1007, false);
    check_row(trace, &held, 4, "(rest)", 2, 7, false);
    CHECK(held.rows[3].is_folded && !held.rows[2].is_folded && held.rows[4].depth == 4);
    const mc_retaining_path *all = mc_trace_get_paths(trace, &count);
    CHECK(all[held.rows[2].path].place == test_find(trace, "Heap#d#b"));
    REQUIRE(mc_retaining_tree_find(trace, c, 2, 0, &held, &error) == MC_OK && held.count == 7);
    CHECK(held.has_first);
    check_row(trace, &held, 0, "(root)", 9, 6110, false);
    check_row(trace, &held, 1, "Thread", 3, 5000, true);
    check_row(trace, &held, 2, "class Shop", 6, 1110, false);
    check_row(trace, &held, 3, "Node", 3, 5000, true);
    check_row(trace, &held, 4, "Map", 6, 1110, false);
    check_row(trace, &held, 5, "Node", 5, 1010, false);
    check_row(trace, &held, 6, "Node", 1, 10, false); // it may have been among the rest
    CHECK(held.rows[4].first_bytes == 1107 && held.rows[5].first_objects == 6);
    // Of a group that nothing is told of there is the root.
    REQUIRE(mc_retaining_tree_find(trace, test_find(trace, "Heap#d#a"), 0, MC_NONE, &held,
                                   &error) == MC_OK);
    CHECK(held.count == 1 && held.rows[0].whole_objects == 0);
    // A step that has none.
    REQUIRE(mc_retaining_tree_find(trace, c, 1, 0, &held, &error) == MC_OK && held.count == 0);
    mc_retaining_tree_deinit(&held);
    CHECK(!mc_trace_get_step(trace, 0)->is_incomplete);
    REQUIRE(mc_trace_get_step(trace, 2)->is_incomplete);
    CHECK(strcmp(mc_trace_get_string(trace, mc_trace_get_step(trace, 2)->missing, NULL),
                 "cut off at byte 7") == 0);
}

static mc_trace *make_trace(void) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (int64_t time = 1; time <= 3; time++) {
        fill_tree(time, time == 2);
        if (time == 3) tree.missing = "cut off at byte 7";
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "t", &error) == MC_OK);
        if (time == 1) fill_paths(time);
        if (time == 3) fill_other_paths(time);
        if (time != 2)
            CHECK_MSG(mc_trace_builder_add_paths(builder, &paths, &error) == MC_OK, "%s",
                      error.message);
    }
    CHECK_MSG(mc_trace_builder_finish(builder, &trace, &error) == MC_OK, "%s", error.message);
    mc_trace_builder_destroy(builder);
    REQUIRE(trace);
    return trace;
}

static void expect_error(mc_trace_builder *builder, const char *part) {
    error = (mc_error){0};
    CHECK(mc_trace_builder_add_paths(builder, &paths, &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, part) != NULL, "%s", error.message);
}

static void test_errors(void) {
    mc_trace_builder *builder = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    fill_tree(1, false);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "t", &error) == MC_OK);
    fill_paths(2);
    expect_error(builder, "has the time 2");
    fill_paths(1);
    paths.paths[1].parent = 1;
    expect_error(builder, "before the one that it goes on from");
    fill_paths(1);
    paths.paths[1].class = paths.names.count;
    expect_error(builder, "a path without a name");
    fill_paths(1);
    paths.paths[1].place = 5;
    expect_error(builder, "a node that is none");
    fill_paths(1);
    paths.sums[1].path = 3;
    expect_error(builder, "objects on no path");
    fill_paths(1);
    add_sum(C, 0, 1, 1);
    expect_error(builder, "one path is there twice");
    fill_paths(1);
    CHECK(mc_trace_builder_add_paths(builder, &paths, &error) == MC_OK);
    expect_error(builder, "there already");
    mc_trace_builder_destroy(builder);
}

static void test_way_back(void) {
    mc_trace *trace = make_trace(), *again = NULL;
    mc_trace_builder *builder = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < 3; step++) {
        REQUIRE(mc_trace_fill_step_tree(trace, step, &tree, &error) == MC_OK);
        REQUIRE(mc_trace_fill_step_paths(trace, step, &paths, &error) == MC_OK);
        CHECK(paths.time_ms == tree.time_ms && (paths.sum_count > 0) == (step != 1));
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "t", &error) == MC_OK);
        if (step != 1) CHECK(mc_trace_builder_add_paths(builder, &paths, &error) == MC_OK);
    }
    CHECK(mc_trace_builder_finish(builder, &again, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    REQUIRE(again);
    check_equal_traces(trace, again);
    check_trace(again);
    mc_trace_destroy(trace);
    mc_trace_destroy(again);
}

// ---- files

static mc_mct_writer *create_writer(bool append) {
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = file, .append = append};
    if (!append) unlink(file);
    CHECK_MSG(mc_mct_writer_create(&desc, &writer, &error) == MC_OK, "%s", error.message);
    REQUIRE(writer);
    return writer;
}

static void add_step(mc_mct_writer *writer, int64_t time) {
    fill_tree(time, time == 2);
    if (time == 3) tree.missing = "cut off at byte 7";
    CHECK_MSG(mc_mct_writer_add_step(writer, &tree, "t", &error) == MC_OK, "%s", error.message);
    if (time == 2) return;
    if (time == 1)
        fill_paths(time);
    else
        fill_other_paths(time);
    CHECK_MSG(mc_mct_writer_add_paths(writer, &paths, &error) == MC_OK, "%s", error.message);
}

static void finish_file(mc_mct_writer *writer) {
    CHECK_MSG(mc_mct_writer_finish(writer, &error) == MC_OK, "%s", error.message);
    mc_mct_writer_destroy(writer);
}

// In one go, or by two writers.
static void write_file(bool is_in_turns) {
    mc_mct_writer *writer = create_writer(false);
    add_step(writer, 1);
    for (int64_t time = 2; time <= 3; time++) {
        if (is_in_turns) {
            finish_file(writer);
            writer = create_writer(true);
        }
        add_step(writer, time);
    }
    finish_file(writer);
}

static mc_result open_file(bool skips, mc_trace **trace, uint32_t *skipped_count) {
    mc_mct_open_desc desc = {.path = file, .skip_bad_steps = skips};
    mc_mct_open_report report;
    mc_result result = mc_mct_open(&desc, trace, &report, &error);
    *skipped_count = report.skipped_count;
    return result;
}

static mc_trace *open_fine(void) {
    mc_trace *trace = NULL;
    uint32_t skipped_count;
    CHECK_MSG(open_file(false, &trace, &skipped_count) == MC_OK, "%s", error.message);
    REQUIRE(trace && skipped_count == 0);
    return trace;
}

static void run_sql(const char *sql) {
    sqlite3 *db;
    char *message = NULL;
    REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
    CHECK_MSG(sqlite3_exec(db, sql, NULL, NULL, &message) == SQLITE_OK, "%s: %s", sql, message);
    sqlite3_close(db);
}

static void expect_sql(const char *sql, const char *expected) {
    sqlite3 *db;
    sqlite3_stmt *statement;
    char row[512] = "";
    REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
    CHECK_MSG(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, "%s",
              sqlite3_errmsg(db));
    if (sqlite3_step(statement) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const char *text = (const char *)sqlite3_column_text(statement, i);
            size_t size = strlen(row);
            snprintf(row + size, sizeof row - size, "%s%s", i > 0 ? "|" : "", text ? text : "-");
        }
    CHECK_MSG(strcmp(row, expected) == 0, "%s: %s, not %s", sql, row, expected);
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

static void test_file(void) {
    mc_trace *expected = make_trace();
    for (int turns = 0; turns < 2; turns++) {
        write_file(turns);
        mc_trace *trace = open_fine();
        check_trace(trace);
        check_equal_traces(expected, trace);
        mc_trace_destroy(trace);
        expect_sql("SELECT path, way, growth, objects_first, objects_last, bytes_first, bytes_last "
                   "FROM retaining_path WHERE field = 'Map.table'",
                   "Heap > d > c|class Shop > static Shop.cache > Map > Map.table > Node|-1007|6|0|"
                   "1007|0");
        expect_sql("SELECT count(*), sum(bytes_last) FROM retaining_path WHERE class = 'Thread'",
                   "1|5000");
        expect_sql("SELECT step, reason FROM step_incomplete", "3|cut off at byte 7");
    }
    // Paths that steps have in common are there once.
    mc_mct_writer *writer = create_writer(false);
    add_step(writer, 1);
    expect_sql("SELECT 1", "1");
    fill_tree(2, false);
    CHECK(mc_mct_writer_add_step(writer, &tree, "t", &error) == MC_OK);
    fill_paths(2);
    CHECK(mc_mct_writer_add_paths(writer, &paths, &error) == MC_OK);
    finish_file(writer);
    expect_sql("SELECT sum(count), count(*) FROM paths", "3|1");
    mc_trace_destroy(expected);
    // A trace without them has no tables of them.
    writer = create_writer(false);
    add_step(writer, 2);
    finish_file(writer);
    expect_sql("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%path%' OR name LIKE '%incom%'",
               "0");
}

static void test_damage(void) {
    static const char *const damages[] = {"DROP TABLE paths",
                                          "DROP TABLE step_paths",
                                          "UPDATE paths SET classes = parents",
                                          "UPDATE step_paths SET nodes = paths WHERE step = 1",
                                          "DELETE FROM paths WHERE first = 0",
                                          "UPDATE step_incomplete SET reason = 'x'"};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        mc_trace *trace = NULL;
        mc_retaining_tree held = {0};
        uint32_t skipped_count;
        write_file(false);
        run_sql(damages[i]);
        mc_result result = open_file(false, &trace, &skipped_count);
        if (result == MC_OK) result = mc_retaining_tree_find(trace, 0, 0, MC_NONE, &held, &error);
        CHECK_MSG(result == MC_ERROR_BAD_DATA && strstr(error.message, file), "%s: %s", damages[i],
                  error.message);
        mc_trace_destroy(trace);
        mc_retaining_tree_deinit(&held);
    }
    // What is damaged is left out on demand, and nothing else.
    mc_trace *trace = NULL;
    uint32_t skipped_count;
    write_file(false);
    run_sql("UPDATE step_paths SET nodes = paths WHERE step = 1");
    CHECK(open_file(true, &trace, &skipped_count) == MC_OK && skipped_count == 1);
    REQUIRE(trace && mc_trace_get_step_count(trace) == 3);
    CHECK(!mc_trace_get_step(trace, 0)->has_paths && mc_trace_get_step(trace, 2)->has_paths);
    mc_trace_destroy(trace);
}

// Rows that are whole, of another program: numbers that can't be.
static void expect_bad(mc_mct_table table, int64_t key, int field, const char *bytes, size_t size) {
    mc_mct_file db;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    mc_retaining_tree held = {0};
    mc_trace *trace = NULL;
    uint32_t skipped_count;
    int first = table == MC_MCT_PATHS ? 2 : 3, end = table == MC_MCT_PATHS ? 6 : 10;
    write_file(false);
    CHECK(mc_mct_file_open_append(&db, file, MC_MCT_SYNC_NEVER, &error) == MC_OK);
    CHECK(mc_mct_file_get(&db, table, key, row, &error) == MC_OK);
    void *copies[MC_MCT_FIELD_COUNT_MAX] = {0};
    for (int i = first; i < end; i++) {
        copies[i] = malloc(row[i].size + 1);
        REQUIRE(copies[i]);
        memcpy(copies[i], row[i].data, row[i].size);
        row[i].data = copies[i];
    }
    mc_mct_file_release(&db, table);
    if (bytes)
        row[field] = (mc_mct_field){.data = bytes, .size = size};
    else
        row[field].number = (int64_t)size;
    CHECK(mc_mct_file_put(&db, table, row, &error) == MC_OK);
    mc_mct_file_close(&db);
    error = (mc_error){0};
    mc_result result = open_file(false, &trace, &skipped_count);
    if (result == MC_OK) result = mc_retaining_tree_find(trace, 0, 0, MC_NONE, &held, &error);
    CHECK_MSG(result == MC_ERROR_BAD_DATA && strstr(error.message, "retaining paths"),
              "table %d, field %d: %s", table, field, error.message);
    mc_retaining_tree_deinit(&held);
    mc_trace_destroy(trace);
    for (int i = 0; i < MC_MCT_FIELD_COUNT_MAX; i++)
        free(copies[i]);
}

static void test_foreign_rows(void) {
    expect_bad(MC_MCT_PATHS, 0, MC_MCT_PATHS_COUNT, NULL, 4);
    expect_bad(MC_MCT_PATHS, 0, MC_MCT_PATHS_COUNT, NULL, 0);
    expect_bad(MC_MCT_PATHS, 0, MC_MCT_PATHS_COUNT, NULL, (size_t)1 << 40);
    expect_bad(MC_MCT_PATHS, 0, MC_MCT_PATHS_PARENTS, "\0\0\x04\0", 4); // one that is its own
    expect_bad(MC_MCT_PATHS, 0, MC_MCT_PATHS_CLASSES, "\0\x80\x80\x01\0\0", 6);
    expect_bad(MC_MCT_PATHS, 0, MC_MCT_PATHS_PLACES, "\0\x80\x80\x01\0\0", 6);
    expect_bad(MC_MCT_SUMS, 1, MC_MCT_SUMS_COUNT, NULL, 7);
    expect_bad(MC_MCT_SUMS, 1, MC_MCT_SUMS_PATH_COUNT, NULL, 99);
    expect_bad(MC_MCT_SUMS, 1, MC_MCT_SUMS_PATH_COUNT, NULL, SIZE_MAX);
    expect_bad(MC_MCT_SUMS, 1, MC_MCT_SUMS_PATH_COUNT, NULL, 1);
    expect_bad(MC_MCT_SUMS, 1, MC_MCT_SUMS_NODES, "\0\x80\x80\x01\0\0\0\0\0", 9);
    expect_bad(MC_MCT_SUMS, 1, MC_MCT_SUMS_FOLDED, "\0\x04\0\0\0\0\0", 7);
    expect_bad(MC_MCT_SUMS, 1, MC_MCT_SUMS_BYTES, "\0\x01\0\0\0\0\0", 7); // -1
}

static mc_result build_all(mc_trace **trace) {
    mc_trace_builder *builder = NULL;
    mc_retaining_tree held = {0};
    mc_result result = mc_trace_builder_create(NULL, &builder, &error);
    if (result == MC_OK) result = mc_trace_builder_add_step(builder, &tree, "t", &error);
    if (result == MC_OK) result = mc_trace_builder_add_paths(builder, &paths, &error);
    if (result == MC_OK) result = mc_trace_builder_finish(builder, trace, &error);
    mc_trace_builder_destroy(builder);
    if (result == MC_OK) result = mc_retaining_tree_find(*trace, 0, 0, 0, &held, &error);
    mc_retaining_tree_deinit(&held);
    return result;
}

static void test_out_of_memory(void) {
    fill_tree(1, false);
    tree.missing = "a part";
    fill_paths(1);
    for (uint64_t n = 0;; n++) {
        mc_trace *trace = NULL;
        mc_memory_fail_after(n);
        mc_result result = build_all(&trace);
        mc_memory_fail_after(UINT64_MAX);
        mc_trace_destroy(trace);
        if (result == MC_OK) break;
        REQUIRE(result == MC_ERROR_OUT_OF_MEMORY && n < 10000);
    }
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/trace.mct", folder);
    mc_trace *trace = make_trace();
    check_trace(trace);
    mc_trace_destroy(trace);
    test_errors();
    test_way_back();
    test_file();
    test_damage();
    test_foreign_rows();
    test_out_of_memory();
    unlink(file);
    rmdir(folder);
    mc_step_tree_deinit(&tree);
    mc_step_paths_deinit(&paths);
    return test_finish();
}
