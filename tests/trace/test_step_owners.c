// Who owns a step's heap: from an importer's numbers to the trace's, in memory and in a file, and
// back to a step's.
#include "engine/base/memory.h"
#include "engine/import/pseudonyms/pseudonym_sink.h"
#include "engine/store/mct/mct.h"
#include "engine/store/mct/mct_file.h"
#include "tests/odd_trace.h"
#include "tests/trace_equal.h"
#include "tests/trace_maker.h"
#include <sqlite3.h>
#include <unistd.h>

static char folder[] = "/tmp/memcity-owners-XXXXXX";
static char file[64];

static mc_step_tree tree;
static mc_step_owners owners;
static mc_error error;

enum { ROOT, DISTRICT, A, B, C };

static void fill_tree(int64_t time_ms) {
    mc_step_tree_reset(&tree);
    tree.time_ms = time_ms;
    test_add_node(&tree, MC_NONE, "Heap", 60);
    test_add_node(&tree, ROOT, "d", 60);
    test_add_node(&tree, DISTRICT, "a", 10);
    test_add_node(&tree, DISTRICT, "b", 20);
    test_add_node(&tree, DISTRICT, "c", 30);
}

static uint32_t add_name(const char *name) {
    uint32_t index = mc_strings_intern(&owners.names, name, strlen(name));
    REQUIRE(index != MC_NONE);
    return index;
}

static uint32_t add_owner(uint32_t parent, uint32_t root, const char *field, const char *class,
                          uint32_t place) {
    mc_owner owner = {parent, root, field ? add_name(field) : MC_NONE, add_name(class), place};
    REQUIRE(mc_step_owners_add(&owners, owner));
    return (uint32_t)owners.owner_count - 1;
}

static void add_sum(uint32_t owner, const char *example, uint64_t objects, uint64_t bytes) {
    mc_owner_sum sum = {.owner = owner,
                        .example = example ? add_name(example) : MC_NONE,
                        .objects = objects,
                        .retained_objects = 2 * objects,
                        .retained_bytes = bytes,
                        .program_objects = objects / 2};
    REQUIRE(mc_step_owners_add_sum(&owners, sum));
}

// static Shop.cache → Map → Node; threads; entries that the map and the threads share.
static void fill_owners(int64_t time_ms) {
    mc_step_owners_reset(&owners);
    owners.time_ms = time_ms;
    uint32_t threads = add_owner(MC_NONE, MC_ROOT_THREAD, "thread \"worker-#\"", "Thread", A);
    uint32_t map = add_owner(MC_NONE, MC_ROOT_STATIC, "static Shop.cache", "Map", B);
    uint32_t node = add_owner(map, 0, "Map.table", "Node", C);
    uint32_t entry = add_owner(MC_NONE, MC_OWNER_SHARED, NULL, "Entry", C);
    add_sum(entry, NULL, 7, 70);
    add_sum(node, NULL, 40, 400);
    add_sum(map, NULL, 1, 1000);
    add_sum(threads, "thread \"worker-3\"", 4, 90);
    uint32_t field = add_name("Node.value"), local = add_name("local variable");
    REQUIRE(mc_step_owners_add_way(&owners, (mc_owner_way){entry, threads, local, 2}));
    REQUIRE(mc_step_owners_add_way(&owners, (mc_owner_way){entry, node, field, 7}));
}

// The map's nodes are elsewhere now, which makes their place the group around both; the threads are
// gone, and another owner came. Numbers are others.
static void fill_other_owners(int64_t time_ms) {
    mc_step_owners_reset(&owners);
    owners.time_ms = time_ms;
    uint32_t map = add_owner(MC_NONE, MC_ROOT_STATIC, "static Shop.cache", "Map", B);
    uint32_t node = add_owner(map, 0, "Map.table", "Node", A);
    uint32_t item = add_owner(node, 0, "Node.value", "Item", MC_NONE);
    add_sum(map, NULL, 1, 5000);
    add_sum(node, NULL, 200, 4900);
    add_sum(item, NULL, 300, 4000);
}

static const char *get_text(const mc_trace *trace, uint32_t string) {
    return string == MC_NONE ? "-" : mc_trace_get_string(trace, string, NULL);
}

static uint32_t find_owner(const mc_trace *trace, const char *class) {
    uint32_t count;
    const mc_owner *all = mc_trace_get_owners(trace, &count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(get_text(trace, all[i].class), class) == 0) return i;
    return MC_NONE;
}

static const mc_owner_sum *find_sum(const mc_owner_rows *rows, uint32_t owner) {
    for (uint32_t i = 0; i < rows->count; i++)
        if (rows->items[i].owner == owner) return &rows->items[i];
    return NULL;
}

static void check_place(const mc_trace *trace, uint32_t place, const char *key) {
    REQUIRE(place != MC_NONE);
    CHECK(strcmp(get_text(trace, mc_trace_get_nodes(trace)->key[place]), key) == 0);
}

static void check_first_step(const mc_trace *trace, uint32_t step) {
    uint32_t count;
    const mc_owner *all = mc_trace_get_owners(trace, &count);
    mc_owner_rows rows = {0};
    mc_owner_way_rows ways = {0};
    REQUIRE(mc_trace_get_step(trace, step)->has_owners);
    REQUIRE(mc_trace_read_owners(trace, step, &rows, &error) == MC_OK && rows.count == 4);
    for (uint32_t i = 1; i < rows.count; i++)
        CHECK(rows.items[i - 1].owner < rows.items[i].owner);
    uint32_t map = find_owner(trace, "Map"), node = find_owner(trace, "Node");
    uint32_t threads = find_owner(trace, "Thread"), entry = find_owner(trace, "Entry");
    REQUIRE(map < count && node < count && threads < count && entry < count);
    CHECK(all[map].parent == MC_NONE && all[map].root == MC_ROOT_STATIC);
    CHECK(strcmp(get_text(trace, all[map].field), "static Shop.cache") == 0);
    CHECK(all[node].parent == map && all[node].root == 0);
    CHECK(all[entry].root == MC_OWNER_SHARED && all[entry].field == MC_NONE);
    check_place(trace, all[map].place, "b");
    check_place(trace, all[node].place, "d"); // that of both steps
    const mc_owner_sum *sum = find_sum(&rows, threads);
    REQUIRE(sum);
    CHECK(sum->objects == 4 && sum->retained_objects == 8 && sum->retained_bytes == 90);
    CHECK(sum->program_objects == 2);
    CHECK(strcmp(get_text(trace, sum->example), "thread \"worker-3\"") == 0);
    REQUIRE(mc_trace_read_owner_ways(trace, step, &ways, &error) == MC_OK && ways.count == 2);
    CHECK(ways.items[0].owner == entry && ways.items[0].from == node);
    CHECK(ways.items[0].references == 7 && ways.items[1].references == 2);
    CHECK(strcmp(get_text(trace, ways.items[1].field), "local variable") == 0);
    mc_owner_rows_deinit(&rows);
    mc_owner_way_rows_deinit(&ways);
}

static void check_second_step(const mc_trace *trace, uint32_t step) {
    mc_owner_rows rows = {0};
    mc_owner_way_rows ways = {0};
    uint32_t count;
    const mc_owner *all = mc_trace_get_owners(trace, &count);
    REQUIRE(mc_trace_read_owners(trace, step, &rows, &error) == MC_OK && rows.count == 3);
    const mc_owner_sum *sum = find_sum(&rows, find_owner(trace, "Map"));
    REQUIRE(sum);
    CHECK(sum->retained_bytes == 5000 && sum->example == MC_NONE);
    uint32_t item = find_owner(trace, "Item");
    REQUIRE(item < count);
    CHECK(all[item].place == MC_NONE && all[item].parent == find_owner(trace, "Node"));
    REQUIRE(mc_trace_read_owner_ways(trace, step, &ways, &error) == MC_OK && ways.count == 0);
    mc_owner_rows_deinit(&rows);
}

// Steps that come in another order than that of time.
static mc_trace *make_trace(void) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    fill_tree(2000);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "second", &error) == MC_OK);
    fill_other_owners(2000);
    CHECK_MSG(mc_trace_builder_add_owners(builder, &owners, &error) == MC_OK, "%s", error.message);
    fill_tree(1000);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "first", &error) == MC_OK);
    fill_owners(1000);
    CHECK_MSG(mc_trace_builder_add_owners(builder, &owners, &error) == MC_OK, "%s", error.message);
    fill_tree(3000);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "third", &error) == MC_OK);
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    return trace;
}

static void test_memory(void) {
    mc_trace *trace = make_trace();
    uint32_t count;
    mc_owner_rows rows = {0};
    CHECK(mc_trace_has_owners(trace));
    mc_trace_get_owners(trace, &count);
    CHECK(count == 5); // Map and Node are those of both steps
    check_first_step(trace, 0);
    check_second_step(trace, 1);
    CHECK(!mc_trace_get_step(trace, 2)->has_owners);
    REQUIRE(mc_trace_read_owners(trace, 2, &rows, &error) == MC_OK && rows.count == 0);
    mc_trace_destroy(trace);
}

// ---- what contradicts itself

typedef enum wrong {
    RIGHT,
    PARENT_BEHIND,
    PARENT_AND_ROOT,
    NO_ROOT,
    NO_STRING,
    NO_NODE,
    NO_OWNER,
    NO_PARENT_SUM,
    TWICE,
    WAY_TWICE,
    OTHER_TIME,
    WRONG_COUNT
} wrong;

static void spoil(wrong what) {
    fill_owners(1000);
    if (what == PARENT_BEHIND) owners.owners[0].parent = 1;
    if (what == PARENT_AND_ROOT) owners.owners[2].root = 1;
    if (what == NO_ROOT) owners.owners[3].root = MC_OWNER_SHARED + 1;
    if (what == NO_STRING) owners.sums[0].example = owners.names.count;
    if (what == NO_NODE) owners.owners[3].place = 99;
    if (what == NO_OWNER) owners.ways[0].from = 4;
    if (what == NO_PARENT_SUM) owners.sums[2].owner = 0, owners.sum_count = 3;
    if (what == TWICE) owners.sums[0].owner = 1;
    if (what == WAY_TWICE) owners.ways[0] = owners.ways[1];
    if (what == OTHER_TIME) owners.time_ms = 1;
}

static void test_errors(void) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    fill_tree(1000);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "step", &error) == MC_OK);
    for (int what = 1; what < WRONG_COUNT; what++) {
        spoil((wrong)what);
        CHECK_MSG(mc_trace_builder_add_owners(builder, &owners, &error) == MC_ERROR_BAD_DATA, "%d",
                  what);
    }
    spoil(RIGHT);
    CHECK_MSG(mc_trace_builder_add_owners(builder, &owners, &error) == MC_OK, "%s", error.message);
    CHECK(mc_trace_builder_add_owners(builder, &owners, &error) == MC_ERROR_BAD_DATA); // again
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_trace_destroy(trace);
}

// ---- back to steps

static mc_trace *make_odd_trace(uint64_t seed) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    odd_init(&odd, seed, seed % 2 ? MC_KEY_FULL : MC_KEY_PATH_PART, 8);
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < 8; step++) {
        odd_fill_tree(&odd, step, &tree, present);
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "odd", &error) == MC_OK);
        if (step % 3 == 1) continue;
        odd_fill_owners(&odd, &tree, &owners);
        CHECK_MSG(mc_trace_builder_add_owners(builder, &owners, &error) == MC_OK, "%s",
                  error.message);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    return trace;
}

static void test_steps(void) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        mc_trace *trace = make_odd_trace(seed), *again = NULL;
        mc_trace_builder *builder = NULL;
        REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
        for (uint32_t step = 0; step < mc_trace_get_step_count(trace); step++) {
            REQUIRE(mc_trace_fill_step_tree(trace, step, &tree, &error) == MC_OK);
            REQUIRE(mc_trace_builder_add_step(builder, &tree, "again", &error) == MC_OK);
            REQUIRE(mc_trace_fill_step_owners(trace, step, &owners, &error) == MC_OK);
            if (mc_trace_get_step(trace, step)->has_owners)
                CHECK_MSG(mc_trace_builder_add_owners(builder, &owners, &error) == MC_OK, "%s",
                          error.message);
        }
        REQUIRE(mc_trace_builder_finish(builder, &again, &error) == MC_OK);
        for (uint32_t step = 0; step < mc_trace_get_step_count(trace); step++)
            check_equal_owners(trace, again, step);
        mc_trace_builder_destroy(builder);
        mc_trace_destroy(again);
        mc_trace_destroy(trace);
    }
}

// ---- hidden names

static mc_result ignore_step(void *user, const mc_step_tree *passed, const char *source,
                             mc_error *into) {
    (void)user, (void)passed, (void)source, (void)into;
    return MC_OK;
}

// Keeps what came in place of the names, a line each.
static mc_result keep_names(void *user, const mc_step_owners *passed, mc_error *into) {
    mc_text *text = user;
    (void)into;
    mc_text_clear(text);
    for (uint32_t i = 0; i < passed->names.count; i++) {
        mc_text_append_string(text, mc_strings_get(&passed->names, i, NULL));
        mc_text_append_string(text, "\n");
    }
    return MC_OK;
}

static void pass_names(const char *key, bool restores, mc_text *text) {
    mc_name_cipher *cipher = NULL;
    mc_pseudonym_sink *hidden = NULL;
    mc_import_sink to = {.add_step = ignore_step, .add_owners = keep_names, .user = text};
    REQUIRE(mc_name_cipher_create(key, restores, &cipher, &error) == MC_OK);
    REQUIRE(mc_pseudonym_sink_create(cipher, &to, &hidden, &error) == MC_OK);
    mc_import_sink sink = mc_pseudonym_sink_get(hidden);
    REQUIRE(sink.add_owners && !sink.add_paths);
    REQUIRE(sink.add_owners(sink.user, &owners, &error) == MC_OK);
    mc_pseudonym_sink_destroy(hidden);
    mc_name_cipher_destroy(cipher);
}

static const char *get_line(const mc_text *text, uint32_t number, size_t *size) {
    const char *line = mc_text_get(text);
    while (number-- > 0)
        line = strchr(line, '\n') + 1;
    *size = (size_t)(strchr(line, '\n') - line);
    return line;
}

static void test_hidden(void) {
    char key[80];
    mc_text text = {0};
    snprintf(key, sizeof key, "%s/key", folder);
    FILE *stream = fopen(key, "w");
    REQUIRE(stream && fprintf(stream, "%064d\n", 7) > 0 && fclose(stream) == 0);
    mc_step_owners_reset(&owners);
    static const char *const names[] = {"com.acme.Shop", "static com.acme.Shop.cache",
                                        "thread \"worker-3\"", "worker-3", "JNI global"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_name(names[i]);
    pass_names(key, false, &text);
    CHECK(!strstr(mc_text_get(&text), "Shop") && !strstr(mc_text_get(&text), "worker"));
    // Words stay, and a class is called alike wherever it is named.
    size_t class_size, field_size, thread_size, name_size;
    const char *class = get_line(&text, 0, &class_size), *field = get_line(&text, 1, &field_size);
    const char *thread = get_line(&text, 2, &thread_size), *name = get_line(&text, 3, &name_size);
    CHECK(field_size > class_size + 8 && memcmp(field, "static ", 7) == 0);
    CHECK(memcmp(field + 7, class, class_size) == 0 && field[7 + class_size] == '.');
    CHECK(thread_size == name_size + 9 && memcmp(thread, "thread \"", 8) == 0);
    CHECK(memcmp(thread + 8, name, name_size) == 0 && thread[thread_size - 1] == '"');
    CHECK(strstr(mc_text_get(&text), "\nJNI global\n"));
    // And back.
    mc_step_owners_reset(&owners);
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size;
        const char *line = get_line(&text, i, &size);
        REQUIRE(mc_strings_intern(&owners.names, line, size) == i);
    }
    pass_names(key, true, &text);
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size;
        const char *line = get_line(&text, i, &size);
        CHECK(size == strlen(names[i]) && memcmp(line, names[i], size) == 0);
    }
    mc_text_deinit(&text);
    unlink(key);
}

// ---- files

static void add_step(mc_mct_writer *writer, int64_t time) {
    fill_tree(time);
    CHECK_MSG(mc_mct_writer_add_step(writer, &tree, "t", &error) == MC_OK, "%s", error.message);
    if (time == 3000) return;
    if (time == 1000)
        fill_owners(time);
    else
        fill_other_owners(time);
    CHECK_MSG(mc_mct_writer_add_owners(writer, &owners, &error) == MC_OK, "%s", error.message);
}

// A writer a step, the same for all, or one that goes from the last step to the first.
typedef enum how { IN_TURNS, IN_ONE_GO, FROM_THE_END } how;

static void write_file(how turns) {
    mc_mct_writer *writer = NULL;
    unlink(file);
    for (int64_t i = 1; i <= 3; i++) {
        mc_mct_writer_desc desc = {
            .path = file, .sync = MC_MCT_SYNC_NEVER, .append = turns == IN_TURNS && i > 1};
        if (!writer) REQUIRE(mc_mct_writer_create(&desc, &writer, &error) == MC_OK);
        add_step(writer, 1000 * (turns == FROM_THE_END ? 4 - i : i));
        if (turns != IN_TURNS && i < 3) continue;
        CHECK_MSG(mc_mct_writer_finish(writer, &error) == MC_OK, "%s", error.message);
        mc_mct_writer_destroy(writer);
        writer = NULL;
    }
}

static mc_result open_file(bool skips, mc_trace **trace, uint32_t *skipped_count) {
    mc_mct_open_desc desc = {.path = file, .skip_bad_steps = skips};
    mc_mct_open_report report;
    error = (mc_error){0};
    mc_result result = mc_mct_open(&desc, trace, &report, &error);
    *skipped_count = report.skipped_count;
    return result;
}

// Everything of the steps' owners.
static mc_result read_file(void) {
    mc_trace *trace = NULL;
    uint32_t skipped_count;
    mc_result result = open_file(false, &trace, &skipped_count);
    for (uint32_t step = 0; step < 3 && result == MC_OK; step++)
        result = mc_trace_fill_step_owners(trace, step, &owners, &error);
    mc_trace_destroy(trace);
    return result;
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
    for (int turns = IN_TURNS; turns <= FROM_THE_END; turns++) {
        mc_trace *trace = NULL;
        uint32_t skipped_count;
        write_file((how)turns);
        CHECK_MSG(open_file(false, &trace, &skipped_count) == MC_OK, "%s", error.message);
        REQUIRE(trace && skipped_count == 0 && mc_trace_has_owners(trace));
        check_first_step(trace, 0);
        check_second_step(trace, 1);
        check_equal_traces(expected, trace);
        mc_trace_destroy(trace);
    }
    mc_trace_destroy(expected);
}

static void write_two(void) {
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = file, .sync = MC_MCT_SYNC_NEVER};
    unlink(file);
    REQUIRE(mc_mct_writer_create(&desc, &writer, &error) == MC_OK);
    add_step(writer, 1000);
    add_step(writer, 2000);
    REQUIRE(mc_mct_writer_finish(writer, &error) == MC_OK);
    mc_mct_writer_destroy(writer);
}

static void test_sql(void) {
    write_two();
    expect_sql("SELECT path, kind, growth, objects_first, objects_last, retained_objects_first, "
               "retained_objects_last, bytes_first, bytes_last FROM owner WHERE class = 'Node'",
               "static Shop.cache → Map → Map.table → Node|-|4500|40|200|80|400|400|4900");
    expect_sql("SELECT path, kind, growth FROM owner ORDER BY growth DESC LIMIT 1",
               "static Shop.cache → Map → Map.table → Node|-|4500");
    expect_sql("SELECT path, kind, bytes_first, bytes_last FROM owner WHERE class = 'Thread'",
               "thread \"worker-#\" → Thread|thread|90|0");
    expect_sql("SELECT path, kind, growth FROM owner WHERE kind = 'shared'", "Entry|shared|-70");
    expect_sql("SELECT count(*) FROM owner", "5");
    // A trace without owners has no tables of them.
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = file, .sync = MC_MCT_SYNC_NEVER};
    unlink(file);
    REQUIRE(mc_mct_writer_create(&desc, &writer, &error) == MC_OK);
    add_step(writer, 3000);
    REQUIRE(mc_mct_writer_finish(writer, &error) == MC_OK);
    mc_mct_writer_destroy(writer);
    expect_sql("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%owner%'", "0");
}

static void test_damage(void) {
    static const char *const damages[] = {"DROP TABLE owners",
                                          "DROP TABLE step_owners",
                                          "DROP TABLE step_owner_ways",
                                          "UPDATE owners SET classes = parents",
                                          "UPDATE step_owners SET owners = objects WHERE step = 1",
                                          "DELETE FROM owners WHERE first = 0",
                                          "UPDATE step_owner_ways SET counts = owners"};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        write_file(IN_ONE_GO);
        run_sql(damages[i]);
        CHECK_MSG(read_file() == MC_ERROR_BAD_DATA && strstr(error.message, file), "%s: %s",
                  damages[i], error.message);
    }
    // What is damaged is left out on demand, and nothing else.
    mc_trace *trace = NULL;
    uint32_t skipped_count;
    write_file(IN_ONE_GO);
    run_sql("UPDATE step_owners SET owners = objects WHERE step = 1");
    CHECK(open_file(true, &trace, &skipped_count) == MC_OK && skipped_count == 1);
    REQUIRE(trace && mc_trace_get_step_count(trace) == 3);
    CHECK(!mc_trace_get_step(trace, 0)->has_owners && mc_trace_get_step(trace, 1)->has_owners);
    mc_trace_destroy(trace);
    write_file(IN_ONE_GO);
    run_sql("UPDATE owners SET classes = parents");
    CHECK(open_file(true, &trace, &skipped_count) == MC_OK && skipped_count > 0);
    REQUIRE(trace && mc_trace_get_step_count(trace) == 3);
    CHECK(!mc_trace_get_step(trace, 0)->has_owners);
    mc_trace_destroy(trace);
}

// Rows that are whole, of another program: numbers that can't be.
static void expect_bad(mc_mct_table table, int64_t key, int field, const char *bytes, size_t size) {
    mc_mct_file db;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    int first = table == MC_MCT_OWNERS ? 2 : 3, end = table == MC_MCT_OWNER_SUMS ? 9 : 7;
    write_file(IN_ONE_GO);
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
    CHECK_MSG(read_file() == MC_ERROR_BAD_DATA && strstr(error.message, "owner"),
              "table %d, field %d: %s", table, field, error.message);
    for (int i = 0; i < MC_MCT_FIELD_COUNT_MAX; i++)
        free(copies[i]);
}

static void test_foreign_rows(void) {
    // The file's five owners are rewritten with the second step, whose places are others.
    expect_sql("SELECT 1", "1");
    write_file(IN_ONE_GO);
    expect_sql("SELECT count(*), sum(count) FROM owners", "1|5");
    expect_bad(MC_MCT_OWNERS, 0, MC_MCT_OWNERS_COUNT, NULL, 6);
    expect_bad(MC_MCT_OWNERS, 0, MC_MCT_OWNERS_COUNT, NULL, 0);
    expect_bad(MC_MCT_OWNERS, 0, MC_MCT_OWNERS_COUNT, NULL, (size_t)1 << 40);
    // Differences, doubled, to the row before, of what is stored plus 1: an owner that is its own.
    expect_bad(MC_MCT_OWNERS, 0, MC_MCT_OWNERS_PARENTS, "\0\0\0\x06\0\0", 6);
    expect_bad(MC_MCT_OWNERS, 0, MC_MCT_OWNERS_PARENTS, "\0\x02\0\0\0\0", 6);
    expect_bad(MC_MCT_OWNERS, 0, MC_MCT_OWNERS_ROOTS, "\0\x0a\0\x08\0\0", 6); // with a parent
    expect_bad(MC_MCT_OWNERS, 0, MC_MCT_OWNERS_CLASSES, "\0\x80\x80\x01\0\0\0\0", 8);
    expect_bad(MC_MCT_OWNERS, 0, MC_MCT_OWNERS_PLACES, "\0\x80\x80\x01\0\0\0\0", 8);
    expect_bad(MC_MCT_OWNER_SUMS, 1, MC_MCT_OWNER_SUMS_COUNT, NULL, 7);
    expect_bad(MC_MCT_OWNER_SUMS, 1, MC_MCT_OWNER_SUMS_OWNER_COUNT, NULL, 99);
    expect_bad(MC_MCT_OWNER_SUMS, 1, MC_MCT_OWNER_SUMS_OWNER_COUNT, NULL, SIZE_MAX);
    expect_bad(MC_MCT_OWNER_SUMS, 1, MC_MCT_OWNER_SUMS_OWNER_COUNT, NULL, 1);
    // The second of the four is the map, whose nodes are the third.
    expect_bad(MC_MCT_OWNER_SUMS, 1, MC_MCT_OWNER_SUMS_OWNERS, "\0\0\x04\x02\x02", 5);
    expect_bad(MC_MCT_OWNER_SUMS, 1, MC_MCT_OWNER_SUMS_OWNERS, "\0\0\0\x02\x02", 5);       // twice
    expect_bad(MC_MCT_OWNER_SUMS, 1, MC_MCT_OWNER_SUMS_RETAINED_BYTES, "\0\x01\0\0\0", 5); // -1
    expect_bad(MC_MCT_OWNER_WAYS, 1, MC_MCT_OWNER_WAYS_OWNER_COUNT, NULL, 99);
    expect_bad(MC_MCT_OWNER_WAYS, 1, MC_MCT_OWNER_WAYS_FIELDS, "\0\x80\x80\x01\0", 5);
}

static mc_result build_all(mc_trace **trace) {
    mc_trace_builder *builder = NULL;
    mc_step_owners again = {0};
    mc_result result = mc_trace_builder_create(NULL, &builder, &error);
    if (result == MC_OK) result = mc_trace_builder_add_step(builder, &tree, "t", &error);
    if (result == MC_OK) result = mc_trace_builder_add_owners(builder, &owners, &error);
    if (result == MC_OK) result = mc_trace_builder_finish(builder, trace, &error);
    mc_trace_builder_destroy(builder);
    if (result == MC_OK) result = mc_trace_fill_step_owners(*trace, 0, &again, &error);
    mc_step_owners_deinit(&again);
    return result;
}

static mc_result write_all(void) {
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = file, .sync = MC_MCT_SYNC_NEVER};
    mc_trace *trace = NULL;
    uint32_t skipped_count;
    unlink(file);
    mc_result result = mc_mct_writer_create(&desc, &writer, &error);
    if (result == MC_OK) result = mc_mct_writer_add_step(writer, &tree, "t", &error);
    if (result == MC_OK) result = mc_mct_writer_add_owners(writer, &owners, &error);
    if (result == MC_OK) result = mc_mct_writer_finish(writer, &error);
    mc_mct_writer_destroy(writer);
    if (result == MC_OK) result = open_file(false, &trace, &skipped_count);
    mc_trace_destroy(trace);
    return result;
}

static void test_out_of_memory(void) {
    fill_tree(1000);
    fill_owners(1000);
    for (int kind = 0; kind < 2; kind++)
        for (uint64_t n = 0;; n++) {
            mc_trace *trace = NULL;
            mc_memory_fail_after(n);
            mc_result result = kind == 0 ? build_all(&trace) : write_all();
            mc_memory_fail_after(UINT64_MAX);
            mc_trace_destroy(trace);
            if (result == MC_OK) break;
            REQUIRE(result == MC_ERROR_OUT_OF_MEMORY && n < 10000);
        }
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/trace.mct", folder);
    test_memory();
    test_errors();
    test_steps();
    test_hidden();
    test_file();
    test_sql();
    test_damage();
    test_foreign_rows();
    test_out_of_memory();
    unlink(file);
    rmdir(folder);
    mc_step_tree_deinit(&tree);
    mc_step_owners_deinit(&owners);
    return test_finish();
}
