// What the heap may become: of some steps it is known, of others not; in memory and in a file.
#include "engine/store/mct/mct.h"
#include "engine/trace/trace_step.h"
#include "tests/trace_maker.h"
#include <sqlite3.h>
#include <unistd.h>

static char folder[] = "/tmp/memcity-limits-XXXXXX";
static char file[64];
static const uint64_t limits[] = {0, 512, INT64_MAX, 0};
enum { STEP_COUNT = 4 };

static void fill(mc_step_tree *tree, uint32_t step) {
    mc_step_tree_reset(tree);
    tree->time_ms = step * 1000;
    tree->heap_limit = limits[step];
    test_add_node(tree, MC_NONE, "Heap", 5);
    test_add_node(tree, 0, "a", 5);
}

static void check(const mc_trace *trace) {
    REQUIRE(mc_trace_get_step_count(trace) == STEP_COUNT);
    mc_step_tree tree = {0};
    for (uint32_t step = 0; step < STEP_COUNT; step++) {
        CHECK(mc_trace_get_step(trace, step)->heap_limit == limits[step]);
        REQUIRE(mc_trace_fill_step_tree(trace, step, &tree, NULL) == MC_OK);
        CHECK(tree.heap_limit == limits[step]);
    }
    mc_step_tree_deinit(&tree);
}

static void test_memory(void) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < STEP_COUNT; step++) {
        fill(&tree, step);
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    check(trace);
    mc_trace_destroy(trace);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
}

// In two sittings.
static void write_steps(uint32_t first, uint32_t end) {
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = file, .append = first > 0, .sync = MC_MCT_SYNC_NEVER};
    mc_step_tree tree = {0};
    REQUIRE(mc_mct_writer_create(&desc, &writer, NULL) == MC_OK);
    for (uint32_t step = first; step < end; step++) {
        fill(&tree, step);
        REQUIRE(mc_mct_writer_add_step(writer, &tree, "test", NULL) == MC_OK);
    }
    REQUIRE(mc_mct_writer_finish(writer, NULL) == MC_OK);
    mc_mct_writer_destroy(writer);
    mc_step_tree_deinit(&tree);
}

static int count_tables(void) {
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
    REQUIRE(sqlite3_prepare_v2(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'step_limit'",
                               -1, &statement, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
    int count = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return count;
}

static void run_sql(const char *sql) {
    sqlite3 *db = NULL;
    REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
    REQUIRE(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(db);
}

static void test_file(void) {
    mc_trace *trace = NULL;
    mc_error error = {0};
    mc_mct_open_desc desc = {.path = file};
    write_steps(0, 1);
    CHECK(count_tables() == 0); // as files were before there were limits
    write_steps(1, STEP_COUNT);
    CHECK(count_tables() == 1);
    REQUIRE(mc_mct_open(&desc, &trace, NULL, &error) == MC_OK);
    check(trace);
    mc_trace_destroy(trace);
    run_sql("UPDATE step_limit SET heap_limit = heap_limit - 1 WHERE step = 2");
    CHECK(mc_mct_open(&desc, &trace, NULL, &error) == MC_ERROR_BAD_DATA && !trace);
    CHECK_MSG(strstr(error.message, "of table step_limit has a wrong checksum"), "%s",
              error.message);
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/a.mct", folder);
    test_memory();
    test_file();
    unlink(file);
    rmdir(folder);
    return test_finish();
}
