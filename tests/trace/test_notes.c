// What was noted of steps: in memory, in a file, from a list, and of traces that are made of
// others.
#include "engine/base/memory.h"
#include "engine/import/format/step_notes.h"
#include "engine/store/mct/mct.h"
#include "engine/trace/trace_step.h"
#include "tests/trace_maker.h"
#include <sqlite3.h>
#include <unistd.h>

static char folder[] = "/tmp/memcity-notes-XXXXXX";
static char file[64];
static const char *const notes[] = {NULL, "deploy", "load <b>test</b> begins \xe2\x80\x93 50 %",
                                    NULL};
enum { STEP_COUNT = 4 };

static void fill(mc_step_tree *tree, uint32_t step) {
    mc_step_tree_reset(tree);
    tree->time_ms = step * 1000;
    tree->note = notes[step];
    test_add_node(tree, MC_NONE, "Heap", 5);
    test_add_node(tree, 0, "a", 5);
}

static bool is_same(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void check(const mc_trace *trace, const char *const *expected) {
    mc_step_tree tree = {0};
    REQUIRE(mc_trace_get_step_count(trace) == STEP_COUNT);
    for (uint32_t step = 0; step < STEP_COUNT; step++) {
        const char *note = mc_trace_get_note(trace, step);
        CHECK_MSG(is_same(note, expected[step]), "step %u: %s", step, note ? note : "none");
        REQUIRE(mc_trace_fill_step_tree(trace, step, &tree, NULL) == MC_OK);
        CHECK(is_same(tree.note, expected[step]));
    }
    mc_step_tree_deinit(&tree);
}

// Steps come in another order than that of time.
static mc_trace *build(void) {
    static const uint32_t order[] = {2, 0, 3, 1};
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t i = 0; i < STEP_COUNT; i++) {
        fill(&tree, order[i]);
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    return trace;
}

static void write_steps(uint32_t first, uint32_t end, const mc_note_list *list) {
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = file, .append = first > 0, .sync = MC_MCT_SYNC_NEVER};
    mc_step_tree tree = {0};
    mc_error error = {0};
    REQUIRE(mc_mct_writer_create(&desc, &writer, NULL) == MC_OK);
    for (uint32_t step = first; step < end; step++) {
        fill(&tree, step);
        REQUIRE(mc_mct_writer_add_step(writer, &tree, "test", NULL) == MC_OK);
    }
    if (list)
        CHECK_MSG(mc_mct_writer_take_notes(writer, list, &error) == MC_OK, "%s", error.message);
    REQUIRE(mc_mct_writer_finish(writer, NULL) == MC_OK);
    mc_mct_writer_destroy(writer);
    mc_step_tree_deinit(&tree);
}

static void run_sql(const char *sql) {
    sqlite3 *db = NULL;
    REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
    REQUIRE(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(db);
}

static mc_trace *open_file(void) {
    mc_trace *trace = NULL;
    mc_error error = {0};
    mc_mct_open_desc desc = {.path = file};
    REQUIRE(mc_mct_open(&desc, &trace, NULL, &error) == MC_OK);
    return trace;
}

static void test_file(void) {
    mc_error error = {0};
    mc_trace *trace = NULL;
    mc_mct_open_desc desc = {.path = file};
    write_steps(0, 1, NULL);
    run_sql("CREATE TABLE step_note(x)"); // there is none yet: nothing was noted
    run_sql("DROP TABLE step_note");
    write_steps(1, STEP_COUNT, NULL);
    trace = open_file();
    check(trace, notes);
    mc_trace_destroy(trace);
    // Who reads it without knowing the table finds the rest.
    run_sql("CREATE TABLE kept AS SELECT * FROM step_note; DROP TABLE step_note");
    trace = open_file();
    CHECK(!mc_trace_get_note(trace, 1));
    mc_trace_destroy(trace);
    run_sql("DROP TABLE kept");
    // A recording that went on keeps them; a damaged one is found.
    unlink(file);
    write_steps(0, STEP_COUNT, NULL);
    run_sql("UPDATE step_note SET note = 'x' WHERE step = 3");
    CHECK(mc_mct_open(&desc, &trace, NULL, &error) == MC_ERROR_BAD_DATA && !trace);
    CHECK_MSG(strstr(error.message, "of table step_note has a wrong checksum"), "%s",
              error.message);
    unlink(file);
}

static mc_result parse(mc_note_list *list, const char *text, mc_error *error) {
    return mc_note_list_parse(list, "n.tsv", text, strlen(text), error);
}

static void test_list(void) {
    static const char *const expected[] = {"a; b", "deploy", "at 1.5 s", "last"};
    mc_note_list list = {.items = NULL};
    mc_error error = {0};
    REQUIRE(parse(&list, "# when\twhat\n0\ta\r\n\n-\n", &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "n.tsv: line 4, column 1: expected"), "%s", error.message);
    REQUIRE(parse(&list, "0\ta\n1.5s\tat 1.5 s\n3\tlast\n0ms\tb", &error) == MC_OK);
    mc_trace *trace = build();
    REQUIRE(mc_trace_take_notes(trace, &list, &error) == MC_OK);
    check(trace, expected);
    mc_trace_destroy(trace);
    write_steps(0, STEP_COUNT, &list);
    trace = open_file();
    check(trace, expected);
    // What can't be placed changes nothing.
    static const char *const wrong[] = {"0\tx\n4\ty", "0\tx\n3001ms\ty"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        REQUIRE(parse(&list, wrong[i], &error) == MC_OK);
        CHECK(mc_trace_take_notes(trace, &list, &error) == MC_ERROR_BAD_DATA);
        CHECK_MSG(strstr(error.message, "n.tsv: line 2, column 1: "), "%s", error.message);
        check(trace, expected);
    }
    mc_trace_destroy(trace);
    mc_note_list_deinit(&list);
}

static void test_bad_lists(void) {
    static const struct {
        const char *text, *says;
    } bad[] = {{"deploy", "line 1, column 1"},     {"1 deploy", "line 1, column 1"},
               {"\tdeploy", "line 1, column 1"},   {"-1\tdeploy", "line 1, column 1"},
               {"99999999999\tx", NULL}, // ms, by its length
               {"1x\tdeploy", "line 1, column 1"}, {"0\tfine\n1\tab\033[2J", "line 2, column 5"},
               {"1\t\xff", "line 1, column 3"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mc_note_list list = {.items = NULL};
        mc_error error = {0};
        mc_result result = parse(&list, bad[i].text, &error);
        CHECK_MSG((result == MC_ERROR_BAD_DATA) == (bad[i].says != NULL) &&
                      (!bad[i].says || strstr(error.message, bad[i].says)),
                  "%s: %s", bad[i].text, error.message);
        CHECK(!strchr(error.message, '\033'));
        mc_note_list_deinit(&list);
    }
    char *longest = mc_alloc(MC_NOTE_SIZE + 3, 1);
    mc_note_list list = {.items = NULL};
    REQUIRE(longest);
    memset(longest, 'x', MC_NOTE_SIZE + 2);
    memcpy(longest, "1\t", 2);
    CHECK(mc_note_list_parse(&list, "n", longest, MC_NOTE_SIZE + 1, NULL) == MC_OK);
    CHECK(mc_note_list_parse(&list, "n", longest, MC_NOTE_SIZE + 2, NULL) == MC_ERROR_BAD_DATA);
    mc_note_list_deinit(&list);
    mc_free(longest);
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/a.mct", folder);
    mc_trace *trace = build();
    check(trace, notes);
    CHECK(mc_trace_set_note(trace, 1, "", 0) && !mc_trace_get_note(trace, 1));
    CHECK(mc_trace_set_note(trace, 1, "a\033b", 3));
    CHECK(!strchr(mc_trace_get_note(trace, 1), '\033'));
    mc_trace_destroy(trace);
    test_file();
    test_list();
    test_bad_lists();
    unlink(file);
    rmdir(folder);
    return test_finish();
}
