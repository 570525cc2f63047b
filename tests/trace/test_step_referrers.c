// By what a step's objects are held: fields and roots, from an importer's numbers to the trace's,
// in memory and in a file.
#include "engine/base/memory.h"
#include "engine/store/mct/mct.h"
#include "engine/store/mct/mct_file.h"
#include "tests/trace_equal.h"
#include "tests/trace_maker.h"
#include <sqlite3.h>
#include <unistd.h>

static char folder[] = "/tmp/memcity-referrers-XXXXXX";
static char file[64];
static mc_step_tree tree;
static mc_step_referrers referrers;
static mc_error error;

// A step of three leaves in a district; in the second step "b" has a child.
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

static void begin_referrers(int64_t time_ms) {
    mc_step_referrers_reset(&referrers);
    referrers.time_ms = time_ms;
}

static uint32_t add_name(const char *name) {
    uint32_t index = mc_strings_intern(&referrers.names, name, strlen(name));
    REQUIRE(index != MC_NONE);
    return index;
}

static void add_field(uint32_t from, uint32_t to, const char *name, bool is_weak, uint64_t count) {
    mc_field_count field = {from, to, add_name(name), is_weak, count};
    REQUIRE(mc_step_referrers_add_field(&referrers, field));
}

static void add_root(uint32_t node, mc_root_kind kind, const char *name, uint64_t count) {
    mc_root_count root = {node, kind, name ? add_name(name) : MC_NONE, count};
    REQUIRE(mc_step_referrers_add_root(&referrers, root));
}

static void fill_referrers(int64_t time_ms) {
    begin_referrers(time_ms);
    add_field(C, A, "C.z", false, 4);
    add_field(A, B, "A.some", false, 5);
    add_field(A, B, "A.most", false, 7);
    add_field(A, B, "A.equal", true, 5);
    add_field(A, B, "A.equal", false, 5);
    add_root(B, MC_ROOT_STACK, NULL, 99);
    add_root(B, MC_ROOT_STACK, "thread \"t\" in a.B.c(B.java:1)", 1);
    add_root(B, MC_ROOT_STACK, "thread \"u\"", 2);
    add_root(A, MC_ROOT_STATIC, "a.A.MAP", 3);
}

// ---- the builder

static mc_trace_builder *create_builder(void) {
    mc_trace_builder *builder = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    return builder;
}

static mc_trace *finish(mc_trace_builder *builder) {
    mc_trace *trace = NULL;
    CHECK_MSG(mc_trace_builder_finish(builder, &trace, &error) == MC_OK, "%s", error.message);
    mc_trace_builder_destroy(builder);
    REQUIRE(trace);
    return trace;
}

static void check_name(const mc_trace *trace, uint32_t name, const char *expected) {
    size_t size = 0;
    const char *text = name == MC_NONE ? "(others)" : mc_trace_get_string(trace, name, &size);
    CHECK_MSG(strcmp(text, expected) == 0, "%s, not %s", text, expected);
}

// Both steps have the same; in the first one b's are those of its own share.
static void check_trace(const mc_trace *trace) {
    static const char *const fields[] = {"A.most", "A.equal", "A.equal", "A.some", "C.z"};
    static const char *const roots[] = {"a.A.MAP", "thread \"u\"",
                                        "thread \"t\" in a.B.c(B.java:1)", "(others)"};
    uint32_t a = test_find(trace, "Heap#d#a"), b = test_find(trace, "Heap#d#b");
    uint32_t self = test_find(trace, "Heap#d#b#b");
    REQUIRE(self != MC_NONE && mc_trace_get_nodes(trace)->child_count[b] == 2);
    CHECK(mc_trace_has_fields(trace) && mc_trace_has_roots(trace));
    CHECK(mc_trace_get_step(trace, 0)->has_referrers &&
          !mc_trace_get_step(trace, 1)->has_referrers);
    mc_field_rows f = {0};
    mc_root_rows r = {0};
    REQUIRE(mc_trace_read_fields(trace, 0, &f, &error) == MC_OK && f.count == 5);
    REQUIRE(mc_trace_read_roots(trace, 0, &r, &error) == MC_OK && r.count == 4);
    for (uint32_t i = 0; i < 5; i++)
        check_name(trace, f.items[i].name, fields[i]);
    for (uint32_t i = 0; i < 4; i++)
        check_name(trace, r.items[i].name, roots[i]);
    CHECK(f.items[0].from == a && f.items[0].to == self && f.items[0].count == 7);
    CHECK(!f.items[1].is_weak && f.items[2].is_weak);
    CHECK(f.items[4].to == a && f.items[4].count == 4);
    CHECK(r.items[0].node == a && r.items[0].kind == MC_ROOT_STATIC && r.items[0].count == 3);
    CHECK(r.items[1].node == self && r.items[1].kind == MC_ROOT_STACK && r.items[3].count == 99);
    REQUIRE(mc_trace_read_fields(trace, 1, &f, &error) == MC_OK && f.count == 0);
    REQUIRE(mc_trace_read_roots(trace, 1, &r, &error) == MC_OK && r.count == 0);
    CHECK(!f.items && !r.items);
}

static mc_trace *make_trace(void) {
    mc_trace_builder *builder = create_builder();
    fill_tree(1, false);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "t", &error) == MC_OK);
    fill_referrers(1);
    CHECK_MSG(mc_trace_builder_add_referrers(builder, &referrers, &error) == MC_OK, "%s",
              error.message);
    fill_tree(2, true);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "t", &error) == MC_OK);
    return finish(builder);
}

static void test_builder(void) {
    mc_trace *trace = make_trace();
    check_trace(trace);
    mc_trace_destroy(trace);
    mc_trace_builder *builder = create_builder();
    fill_tree(1, false);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "t", &error) == MC_OK);
    trace = finish(builder);
    CHECK(!mc_trace_has_fields(trace) && !mc_trace_has_roots(trace));
    mc_trace_destroy(trace);
}

static void expect_error(mc_trace_builder *builder, const char *part) {
    error = (mc_error){0};
    CHECK(mc_trace_builder_add_referrers(builder, &referrers, &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, part) != NULL, "%s", error.message);
}

static void test_errors(void) {
    mc_trace_builder *builder = create_builder();
    fill_tree(1, false);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "t", &error) == MC_OK);
    fill_referrers(2);
    expect_error(builder, "no step that was just added has the time 2");
    begin_referrers(1);
    add_field(A, DISTRICT, "A.d", false, 1);
    expect_error(builder, "expected a leaf of the step of time 1, found its node 1");
    begin_referrers(1);
    add_root(5, MC_ROOT_THREAD, "t", 1);
    expect_error(builder, "found its node 5");
    begin_referrers(1);
    add_field(A, B, "A.b", false, 1);
    add_field(B, A, "A.b", false, 1);
    add_field(A, B, "A.b", false, 2);
    expect_error(builder, "one field is there twice");
    begin_referrers(1);
    add_root(A, MC_ROOT_THREAD, NULL, 1);
    add_root(A, MC_ROOT_THREAD, NULL, 2);
    expect_error(builder, "one root is there twice");
    begin_referrers(1);
    add_root(A, MC_ROOT_COUNT, "t", 2);
    expect_error(builder, "a root of no kind");
    add_root(A, MC_ROOT_STACK, "t", 2);
    referrers.roots[0] = (mc_root_count){A, MC_ROOT_STACK, 7, 1};
    expect_error(builder, "a root without a name");
    begin_referrers(1);
    add_field(A, B, "A.b", false, 1);
    referrers.fields[0].name = MC_NONE;
    expect_error(builder, "a field without a name");
    fill_referrers(1);
    CHECK(mc_trace_builder_add_referrers(builder, &referrers, &error) == MC_OK);
    expect_error(builder, "there already");
    fill_tree(2, true);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "t", &error) == MC_OK);
    begin_referrers(1); // no more the last one
    add_field(A, C, "A.c", false, 1);
    expect_error(builder, "there already");
    mc_trace *trace = finish(builder);
    check_trace(trace);
    mc_trace_destroy(trace);
}

// ---- the way out of a trace, and into another one

static void test_way_back(void) {
    mc_trace *trace = make_trace();
    mc_trace_builder *builder = create_builder();
    for (uint32_t step = 0; step < 2; step++) {
        REQUIRE(mc_trace_fill_step_tree(trace, step, &tree, &error) == MC_OK);
        REQUIRE(mc_trace_fill_step_referrers(trace, step, &referrers, &error) == MC_OK);
        CHECK(referrers.time_ms == tree.time_ms && (referrers.field_count > 0) == (step == 0));
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "t", &error) == MC_OK);
        if (step == 0) CHECK(mc_trace_builder_add_referrers(builder, &referrers, &error) == MC_OK);
    }
    mc_trace *again = finish(builder);
    check_equal_traces(trace, again);
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

static void add_step(mc_mct_writer *writer, int64_t time_ms, bool is_split, bool has_referrers) {
    fill_tree(time_ms, is_split);
    CHECK_MSG(mc_mct_writer_add_step(writer, &tree, "t", &error) == MC_OK, "%s", error.message);
    fill_referrers(time_ms);
    if (has_referrers)
        CHECK_MSG(mc_mct_writer_add_referrers(writer, &referrers, &error) == MC_OK, "%s",
                  error.message);
}

static void finish_file(mc_mct_writer *writer) {
    CHECK_MSG(mc_mct_writer_finish(writer, &error) == MC_OK, "%s", error.message);
    mc_mct_writer_destroy(writer);
}

static void write_file(void) {
    mc_mct_writer *writer = create_writer(false);
    add_step(writer, 1, false, true);
    add_step(writer, 2, true, false);
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

// The first row as texts with '|' between them.
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
    write_file();
    mc_trace *trace = open_fine(), *expected = make_trace();
    check_trace(trace);
    check_equal_traces(expected, trace);
    mc_trace_destroy(trace);
    mc_trace_destroy(expected);
    // A trace without them has no tables of them: what it was before there were any.
    mc_mct_writer *writer = create_writer(false);
    add_step(writer, 1, false, false);
    finish_file(writer);
    expect_sql("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%field%' OR name LIKE '%root%'",
               "0");
    trace = open_fine();
    CHECK(!mc_trace_has_fields(trace));
    mc_trace_destroy(trace);
    // Going on behind its steps makes them.
    writer = create_writer(true);
    add_step(writer, 2, false, true);
    fill_referrers(1);
    CHECK(mc_mct_writer_add_referrers(writer, &referrers, &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "was there before"), "%s", error.message);
    add_step(writer, 3, false, true);
    finish_file(writer);
    trace = open_fine();
    CHECK(!mc_trace_get_step(trace, 0)->has_referrers &&
          mc_trace_get_step(trace, 1)->has_referrers);
    mc_trace_destroy(trace);
}

// Which in the second step are those of leaves of another number.
static void test_views(void) {
    mc_mct_writer *writer = create_writer(false);
    add_step(writer, 1, false, true);
    add_step(writer, 2, false, false);
    fill_tree(3, false);
    CHECK(mc_mct_writer_add_step(writer, &tree, "t", &error) == MC_OK);
    fill_referrers(3);
    referrers.fields[0].count = 44;
    referrers.field_count = 4;
    add_field(A, C, "A.new", false, 6);
    referrers.root_count = 1;
    CHECK(mc_mct_writer_add_referrers(writer, &referrers, &error) == MC_OK);
    finish_file(writer);
    expect_sql("SELECT from_path, to_path, field, weak, growth, first, last, first_time_ms, "
               "last_time_ms FROM reference_field WHERE field = 'C.z'",
               "Heap > d > c|Heap > d > a|C.z|0|40|4|44|1|3");
    expect_sql("SELECT to_path, first, last FROM reference_field WHERE field = 'A.new'",
               "Heap > d > c|0|6");
    expect_sql("SELECT first, last FROM reference_field WHERE field = 'A.equal' AND NOT weak",
               "5|0");
    expect_sql("SELECT count(*), sum(weak) FROM reference_field", "6|1");
    expect_sql("SELECT path, kind, name, growth, first, last FROM root WHERE name IS NULL",
               "Heap > d > b|thread stack|-|0|99|99");
    expect_sql("SELECT path, kind, name, growth FROM root WHERE kind = 'static field'",
               "Heap > d > a|static field|a.A.MAP|-3");
    write_file(); // the last step's are not known, and b's are those of its own share
    expect_sql("SELECT to_path, first, last, growth FROM reference_field WHERE field = 'A.most'",
               "Heap > d > b > b|7|-|-");
}

// Who has lost one of both rows is no trace without fields.
static void test_damage(void) {
    static const char *const damages[] = {
        "DELETE FROM step_roots", "UPDATE step_fields SET step = 2", "DROP TABLE step_fields",
        "DROP TABLE step_roots; CREATE VIEW step_roots AS SELECT 1",
        "ALTER TABLE step_roots RENAME COLUMN kinds TO other"};
    mc_trace *trace = NULL;
    uint32_t skipped_count;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        write_file();
        run_sql(damages[i]);
        mc_result result = open_file(false, &trace, &skipped_count);
        mc_root_rows roots = {0};
        if (result == MC_OK) result = mc_trace_read_roots(trace, 0, &roots, &error);
        CHECK_MSG(result == MC_ERROR_BAD_DATA && strstr(error.message, file), "%s: %s", damages[i],
                  error.message);
        mc_trace_destroy(trace);
        trace = NULL;
    }
    // What is damaged is left out on demand, and nothing else.
    write_file();
    run_sql("UPDATE step_fields SET names = counts");
    trace = open_fine();
    mc_field_rows fields = {0};
    CHECK(mc_trace_read_fields(trace, 0, &fields, &error) == MC_ERROR_BAD_DATA && !fields.items);
    CHECK_MSG(strstr(error.message, "row 1 of table step_fields has a wrong checksum"), "%s",
              error.message);
    mc_trace_destroy(trace);
    CHECK(open_file(true, &trace, &skipped_count) == MC_OK && skipped_count == 1);
    REQUIRE(trace && mc_trace_get_step_count(trace) == 2);
    CHECK(!mc_trace_get_step(trace, 0)->has_referrers);
    mc_trace_destroy(trace);
}

// Rows that are whole, of another program: numbers that can't be.
static void expect_row(mc_mct_table table, int field, const char *bytes, size_t size,
                       mc_result expected) {
    mc_mct_file db;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    mc_trace *trace = NULL;
    mc_field_rows fields = {0};
    mc_root_rows roots = {0};
    write_file();
    CHECK(mc_mct_file_open_append(&db, file, MC_MCT_SYNC_NEVER, &error) == MC_OK);
    CHECK(mc_mct_file_get(&db, table, 1, row, &error) == MC_OK);
    void *copies[MC_MCT_FIELD_COUNT_MAX] = {0};
    for (int i = 2; i < (table == MC_MCT_FIELDS ? 7 : 6); i++) {
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
    trace = open_fine();
    mc_result result = table == MC_MCT_FIELDS ? mc_trace_read_fields(trace, 0, &fields, &error)
                                              : mc_trace_read_roots(trace, 0, &roots, &error);
    CHECK_MSG(result == expected, "field %d: %s", field, error.message);
    if (result != MC_OK) CHECK(strstr(error.message, "of step 1 are not as they should be"));
    if (result == MC_OK && table == MC_MCT_ROOTS) CHECK(roots.items[1].kind == MC_ROOT_UNKNOWN);
    mc_field_rows_deinit(&fields);
    mc_root_rows_deinit(&roots);
    mc_trace_destroy(trace);
    for (int i = 0; i < MC_MCT_FIELD_COUNT_MAX; i++)
        free(copies[i]);
}

static void test_foreign_rows(void) {
    const mc_result bad = MC_ERROR_BAD_DATA;
    expect_row(MC_MCT_FIELDS, MC_MCT_FIELDS_COUNT, NULL, 6, bad);
    expect_row(MC_MCT_FIELDS, MC_MCT_FIELDS_COUNT, NULL, SIZE_MAX, bad);
    expect_row(MC_MCT_FIELDS, MC_MCT_FIELDS_COUNT, NULL, (size_t)1 << 40, bad);
    expect_row(MC_MCT_FIELDS, MC_MCT_FIELDS_FROM, "\0\x04\0\0\0\x0a", 6, bad); // node 7
    expect_row(MC_MCT_FIELDS, MC_MCT_FIELDS_NAMES, "\0\x80\x80\x01\0\0\0\0", 8, bad);
    expect_row(MC_MCT_FIELDS, MC_MCT_FIELDS_WEAK, "\0\x04\0\0\0\0", 6, bad);
    expect_row(MC_MCT_FIELDS, MC_MCT_FIELDS_COUNTS, "\0\x01\0\0\0\0", 6, bad); // -1
    expect_row(MC_MCT_FIELDS, MC_MCT_FIELDS_TO, "\0\x06\x01\0\0\0", 6, bad);   // not sorted
    expect_row(MC_MCT_ROOTS, MC_MCT_ROOTS_NAMES, "\0\0\0\0\x80\x80\x01", 7, bad);
    expect_row(MC_MCT_ROOTS, MC_MCT_ROOTS_KINDS, "\0\0\x82\x08\0\0", 6, bad); // 513
    // kinds of a later program: 100
    expect_row(MC_MCT_ROOTS, MC_MCT_ROOTS_KINDS, "\0\0\xc8\x01\0\0", 6, MC_OK);
}

static mc_result build_all(mc_trace **trace) {
    mc_trace_builder *builder = NULL;
    mc_result result = mc_trace_builder_create(NULL, &builder, &error);
    if (result == MC_OK) result = mc_trace_builder_add_step(builder, &tree, "t", &error);
    if (result == MC_OK) result = mc_trace_builder_add_referrers(builder, &referrers, &error);
    if (result == MC_OK) result = mc_trace_builder_finish(builder, trace, &error);
    mc_trace_builder_destroy(builder);
    return result;
}

static void test_out_of_memory(void) {
    fill_tree(1, false);
    fill_referrers(1);
    for (uint64_t n = 0;; n++) {
        mc_trace *trace = NULL;
        mc_memory_fail_after(n);
        mc_result result = build_all(&trace);
        mc_memory_fail_after(UINT64_MAX);
        CHECK((result == MC_OK) == (trace != NULL));
        mc_trace_destroy(trace);
        if (result == MC_OK) break;
        REQUIRE(result == MC_ERROR_OUT_OF_MEMORY && n < 10000);
    }
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/trace.mct", folder);
    test_builder();
    test_errors();
    test_way_back();
    test_file();
    test_views();
    test_damage();
    test_foreign_rows();
    test_out_of_memory();
    unlink(file);
    rmdir(folder);
    mc_step_tree_deinit(&tree);
    mc_step_referrers_deinit(&referrers);
    return test_finish();
}
