// A trace that is written in several sittings is the same as one that is written at once.
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/store/mct/mct.h"
#include "tests/odd_trace.h"
#include "tests/trace_equal.h"
#include <sqlite3.h>
#include <unistd.h>

static char path[] = "/tmp/memcity-append-XXXXXX";
static char file[64];
static mc_step_tree tree;
static mc_reference_map map;
static mc_step_referrers referrers;
static mc_step_paths paths;
static mc_step_owners owners;
static bool has_early_referrers;
static mc_error error;

static mc_mct_writer *open_writer(bool append) {
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = file, .append = append};
    if (!append) unlink(file);
    CHECK_MSG(mc_mct_writer_create(&desc, &writer, &error) == MC_OK, "%s", error.message);
    REQUIRE(writer);
    return writer;
}

// `before`: see mc_mct_open_desc.
static mc_trace *open_next(const mc_trace *before) {
    mc_mct_open_desc desc = {.path = file, .is_live = true, .before = before};
    mc_trace *trace = NULL;
    CHECK_MSG(mc_mct_open(&desc, &trace, NULL, &error) == MC_OK, "%s", error.message);
    REQUIRE(trace);
    return trace;
}

static mc_trace *open_trace(void) {
    return open_next(NULL);
}

// Of the step that both have got last.
static void add_referrers(odd_trace *odd, mc_mct_writer *writer, mc_trace_builder *builder) {
    odd_fill_referrers(odd, &tree, &referrers);
    CHECK_MSG(mc_mct_writer_add_referrers(writer, &referrers, &error) == MC_OK, "%s",
              error.message);
    CHECK(mc_trace_builder_add_referrers(builder, &referrers, NULL) == MC_OK);
}

static void add(odd_trace *odd, uint32_t step, mc_mct_writer *writer, mc_trace_builder *builder) {
    bool present[ODD_NODE_COUNT];
    odd_fill_tree(odd, step, &tree, present);
    CHECK_MSG(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_OK, "%s", error.message);
    CHECK(mc_trace_builder_add_step(builder, &tree, "odd", NULL) == MC_OK);
    if (has_early_referrers && odd_has_referrers(step)) add_referrers(odd, writer, builder);
    for (int i = 0; i < 2; i++) {
        mc_reference_direction direction = (mc_reference_direction)i;
        if (!odd_has_direction(step, i)) continue;
        odd_fill_map(odd, &tree, present, &map);
        CHECK(mc_mct_writer_add_references(writer, &map, direction, NULL) ==
              mc_trace_builder_add_references(builder, &map, direction, NULL));
    }
}

// The last step, whose time is behind all others: odd traces have theirs out of order.
static void add_late(odd_trace *odd, uint32_t step, mc_mct_writer *writer,
                     mc_trace_builder *builder) {
    bool present[ODD_NODE_COUNT];
    odd_fill_tree(odd, step, &tree, present);
    tree.time_ms = 100000000 + (int64_t)step;
    CHECK_MSG(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_OK, "%s", error.message);
    CHECK(mc_trace_builder_add_step(builder, &tree, "odd", NULL) == MC_OK);
    if (odd_has_referrers(step)) add_referrers(odd, writer, builder);
}

// Of some seeds the tables of fields and roots come with a later sitting.
static mc_trace *write_in_sittings(uint64_t seed, bool finishes) {
    const uint32_t first = 5, count = 40;
    odd_trace odd;
    has_early_referrers = seed % 3 > 0;
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    odd_init(&odd, seed, seed % 2 ? MC_KEY_FULL : MC_KEY_PATH_PART, first);
    mc_mct_writer *writer = open_writer(false);
    for (uint32_t step = 0; step < first; step++)
        add(&odd, step, writer, builder);
    for (uint32_t step = first; step < count; step++) {
        if (step == first || odd_random(&odd, 4) == 0) {
            CHECK(mc_mct_writer_commit(writer, &error) == MC_OK);
            if (odd_random(&odd, 2)) CHECK(mc_mct_writer_finish(writer, &error) == MC_OK);
            mc_mct_writer_destroy(writer);
            writer = open_writer(true);
        }
        add_late(&odd, step, writer, builder);
    }
    CHECK(mc_mct_writer_commit(writer, &error) == MC_OK);
    if (finishes) CHECK(mc_mct_writer_finish(writer, &error) == MC_OK);
    mc_mct_writer_destroy(writer);
    CHECK(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    return trace;
}

static void test_sittings(void) {
    for (uint64_t seed = 0; seed < 30; seed++) {
        mc_trace *expected = write_in_sittings(seed, true), *trace = open_trace();
        mc_mct_state state;
        CHECK(mc_trace_has_maximum(trace, MC_METRIC_BYTES));
        check_equal_traces(expected, trace);
        CHECK(mc_mct_peek(file, &state, &error) == MC_OK);
        CHECK(state.is_finished && state.step_count == mc_trace_get_step_count(trace));
        mc_trace_destroy(trace);
        mc_trace_destroy(expected);
    }
}

// What SQL answers is of all sittings, too.
static void test_growth(void) {
    mc_trace *expected = write_in_sittings(3, true);
    sqlite3 *db;
    sqlite3_stmt *statement;
    uint32_t last = mc_trace_get_step_count(expected) - 1;
    REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
    REQUIRE(sqlite3_prepare_v2(db, "SELECT objects_first, objects_last FROM node WHERE id = 0", -1,
                               &statement, NULL) == SQLITE_OK);
    CHECK(sqlite3_step(statement) == SQLITE_ROW);
    CHECK((uint64_t)sqlite3_column_int64(statement, 0) == mc_trace_get_step(expected, 0)->objects);
    CHECK((uint64_t)sqlite3_column_int64(statement, 1) ==
          mc_trace_get_step(expected, last)->objects);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    mc_trace_destroy(expected);
}

// Without an end, what can be read is all the same.
static void test_unfinished(void) {
    for (uint64_t seed = 0; seed < 6; seed++) {
        mc_trace *expected = write_in_sittings(seed, false), *trace = open_trace();
        mc_mct_state state;
        CHECK(mc_trace_get_step_count(trace) == mc_trace_get_step_count(expected));
        CHECK(mc_trace_get_nodes(trace)->count == mc_trace_get_nodes(expected)->count);
        CHECK(mc_mct_peek(file, &state, &error) == MC_OK && !state.is_finished);
        mc_trace_destroy(trace);
        mc_trace_destroy(expected);
    }
}

static void test_refusals(void) {
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    mc_trace_destroy(write_in_sittings(2, true));
    mc_mct_writer *writer = open_writer(true);
    odd_init(&odd, 2, MC_KEY_PATH_PART, 5);
    odd_fill_tree(&odd, 1, &tree, present);
    CHECK(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "not behind"), "%s", error.message);
    odd_fill_map(&odd, &tree, present, &map);
    CHECK(mc_mct_writer_add_references(writer, &map, MC_POINTS_TO, &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "was there before"), "%s", error.message);

    // Two at once: who comes second learns it with the first step, and nothing is mixed up.
    mc_mct_writer *second = open_writer(true);
    tree.time_ms = 200000000;
    CHECK(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_OK);
    CHECK(mc_mct_writer_commit(writer, &error) == MC_OK);
    CHECK(mc_mct_writer_add_step(second, &tree, "odd", &error) == MC_ERROR_IO);
    CHECK_MSG(strstr(error.message, "another program"), "%s", error.message);
    mc_mct_writer_destroy(second);
    mc_mct_writer_destroy(writer);
    mc_trace *trace = open_trace();
    CHECK(mc_trace_get_step_count(trace) == 41);
    mc_trace_destroy(trace);
    mc_mct_writer_desc nowhere = {.path = "/nowhere/at/all.mct", .append = true};
    CHECK(mc_mct_writer_create(&nowhere, &writer, &error) == MC_ERROR_IO && !writer);
}

// What a node becomes when steps were added, by keys.
static void test_map(void) {
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    mc_trace_destroy(write_in_sittings(6, false));
    mc_trace *before = open_trace();
    mc_mct_writer *writer = open_writer(true);
    odd_init(&odd, 6, MC_KEY_PATH_PART, 5);
    odd_fill_tree(&odd, 3, &tree, present);
    tree.time_ms = 400000000;
    for (int i = 0; i < 20; i++) {
        char key[16];
        int size = snprintf(key, sizeof key, "A new %d", i); // before most others
        uint32_t node = mc_step_tree_add(&tree, (mc_step_node){.parent = 0,
                                                               .role = MC_NONE,
                                                               .key_offset = tree.text.size,
                                                               .name_offset = tree.text.size,
                                                               .key_size = (uint32_t)size,
                                                               .name_size = (uint32_t)size});
        CHECK(node != MC_NONE);
        mc_text_append(&tree.text, key, (size_t)size);
    }
    CHECK_MSG(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_OK, "%s", error.message);
    CHECK(mc_mct_writer_commit(writer, &error) == MC_OK);
    mc_mct_writer_destroy(writer);
    mc_trace *after = open_trace();
    uint32_t *nodes = NULL, moved = 0;
    const mc_node_columns *x = mc_trace_get_nodes(before), *y = mc_trace_get_nodes(after);
    REQUIRE(mc_trace_map_nodes(before, after, &nodes, &error) == MC_OK);
    for (uint32_t i = 0; i < x->count; i++) {
        if (nodes[i] == MC_NONE) continue;
        moved += nodes[i] != i;
        CHECK(x->flags[i] == y->flags[nodes[i]]);
        if (i > 0) CHECK(nodes[x->parent[i]] == y->parent[nodes[i]]);
        check_equal_strings(before, after, x->key[i], y->key[nodes[i]]);
    }
    CHECK(moved > 0);
    mc_free(nodes);
    CHECK(mc_trace_map_nodes(after, before, &nodes, &error) == MC_ERROR_UNSUPPORTED && !nodes);
    mc_trace_destroy(before);
    mc_trace_destroy(after);
}

// The next step of `odd`, behind all others; `is_new`: with a node that none had.
static void append_step(odd_trace *odd, mc_mct_writer *writer, uint32_t step, bool is_new) {
    bool present[ODD_NODE_COUNT];
    odd_fill_tree(odd, step % 8, &tree, present);
    tree.time_ms = 500000000 + step;
    char key[16];
    int size = snprintf(key, sizeof key, "new %u", step);
    mc_step_node node = {.role = MC_NONE,
                         .key_offset = tree.text.size,
                         .name_offset = tree.text.size,
                         .key_size = (uint32_t)size,
                         .name_size = (uint32_t)size};
    if (is_new) CHECK(mc_step_tree_add(&tree, node) != MC_NONE);
    mc_text_append(&tree.text, key, (size_t)size);
    CHECK_MSG(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_OK, "%s", error.message);
    // Both name places among the nodes.
    odd_fill_paths(odd, &tree, &paths);
    odd_fill_owners(odd, &tree, &owners);
    CHECK_MSG(mc_mct_writer_add_paths(writer, &paths, &error) == MC_OK, "%s", error.message);
    CHECK_MSG(mc_mct_writer_add_owners(writer, &owners, &error) == MC_OK, "%s", error.message);
    CHECK(mc_mct_writer_commit(writer, &error) == MC_OK);
}

// A file that grows, opened again and again: it says what it says to who opens it anew, and holds
// nodes once, until others come.
static void test_next(void) {
    for (uint64_t seed = 0; seed < 8; seed += 2) {
        odd_trace odd;
        uint32_t shared = 0, moved = 0;
        mc_trace_destroy(write_in_sittings(seed, false));
        mc_mct_writer *writer = open_writer(true);
        odd_init(&odd, seed, MC_KEY_PATH_PART, 5);
        mc_trace *before = open_trace();
        for (uint32_t step = 0; step < 24; step++) {
            bool is_new = step % 6 == 5;
            append_step(&odd, writer, step, is_new);
            mc_trace *after = open_next(before), *anew = open_trace();
            check_equal_traces(after, anew);
            CHECK(mc_trace_get_step(after, mc_trace_get_step_count(after) - 1)->has_owners);
            CHECK(!mc_trace_shares_nodes(after, anew));
            bool is_shared = mc_trace_shares_nodes(before, after);
            CHECK(!is_new || !is_shared);
            CHECK(!is_shared || mc_trace_get_nodes(before)->key == mc_trace_get_nodes(after)->key);
            shared += is_shared;
            moved += !is_shared;
            mc_trace_destroy(before); // what it shared stays
            check_equal_nodes(after, anew);
            mc_trace_destroy(anew);
            before = after;
        }
        CHECK_MSG(shared >= 8 && moved >= 4, "%u shared, %u not", shared, moved);
        mc_mct_writer_destroy(writer);
        // Another recording in its place, which may have as many nodes.
        mc_trace_destroy(write_in_sittings(seed + 2, false));
        mc_trace *other = open_next(before);
        CHECK(!mc_trace_shares_nodes(before, other));
        mc_trace_destroy(other);
        mc_trace_destroy(before);
    }
}

static void test_next_memory(void) {
    odd_trace odd;
    mc_trace_destroy(write_in_sittings(4, false));
    mc_mct_writer *writer = open_writer(true);
    odd_init(&odd, 4, MC_KEY_PATH_PART, 5);
    for (uint32_t step = 0; step < 40; step++) // until all names of fields are known
        append_step(&odd, writer, step, false);
    mc_trace *before = open_trace(), *after = NULL;
    append_step(&odd, writer, 40, false);
    mc_mct_open_desc desc = {.path = file, .is_live = true, .before = before};
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != MC_OK; n++) {
        mc_memory_fail_after(n);
        result = mc_mct_open(&desc, &after, NULL, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK ? after != NULL : result == MC_ERROR_OUT_OF_MEMORY && !after);
    }
    CHECK(mc_trace_shares_nodes(before, after));
    mc_trace_destroy(before);
    mc_trace_destroy(after);
    mc_mct_writer_destroy(writer);
}

static mc_result append_once(mc_step_tree *step) {
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = file, .append = true};
    mc_result result = mc_mct_writer_create(&desc, &writer, &error);
    if (result == MC_OK) result = mc_mct_writer_add_step(writer, step, "odd", &error);
    if (result == MC_OK) result = mc_mct_writer_commit(writer, &error);
    mc_mct_writer_destroy(writer);
    return result;
}

static void test_memory(void) {
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    mc_trace_destroy(write_in_sittings(4, false));
    odd_init(&odd, 4, MC_KEY_PATH_PART, 5);
    odd_fill_tree(&odd, 1, &tree, present);
    tree.time_ms = 300000000;
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != MC_OK; n++) {
        mc_memory_fail_after(n);
        result = append_once(&tree);
        mc_memory_fail_after(UINT64_MAX);
        CHECK_MSG(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY, "%llu: %s",
                  (unsigned long long)n, error.message);
    }
    mc_trace *trace = open_trace();
    CHECK(mc_trace_get_step_count(trace) == 41);
    mc_trace_destroy(trace);
}

// Bytes that are wrong are refused, or don't matter; what opened before can still be opened.
static void test_damage(void) {
    mc_file_map content;
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    mc_trace_destroy(write_in_sittings(1, true));
    odd_init(&odd, 1, MC_KEY_FULL, 5);
    odd_fill_tree(&odd, 1, &tree, present);
    tree.time_ms = 300000000;
    REQUIRE(mc_file_map_open(&content, file, &error) == MC_OK);
    unsigned char *copy = malloc(content.size);
    REQUIRE(copy);
    memcpy(copy, content.data, content.size);
    size_t size = content.size;
    mc_file_map_close(&content);
    uint32_t refused = 0, taken = 0;
    for (size_t at = 0; at < size; at += 509) {
        FILE *stream = fopen(file, "wb");
        REQUIRE(stream);
        copy[at] ^= 0x55;
        CHECK(fwrite(copy, 1, size, stream) == size);
        copy[at] ^= 0x55;
        fclose(stream);
        mc_result result = append_once(&tree);
        CHECK(result == MC_OK || result == MC_ERROR_BAD_DATA || result == MC_ERROR_IO);
        refused += result != MC_OK;
        taken += result == MC_OK;
    }
    CHECK(refused > 0 && taken > 0);
    free(copy);
}

// Where rows of growth go, or where they come from, is something else: refused, and what was there
// stays.
static void test_other_tables(void) {
    static const char *const changes[] = {
        "DROP TABLE node; CREATE TABLE node(id, parent, name, classifier, is_leaf, bytes_first, "
        "bytes_last, bytes_max, objects_first, objects_last, objects_max)",
        "CREATE TABLE memcity_made_rows(c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10)"};
    mc_mct_writer_desc desc = {.path = file, .append = true};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        sqlite3 *db;
        mc_mct_writer *writer = NULL;
        mc_trace *trace = write_in_sittings(4, false);
        uint32_t step_count = mc_trace_get_step_count(trace);
        mc_trace_destroy(trace);
        CHECK(mc_mct_writer_create(&desc, &writer, &error) == MC_OK);
        CHECK(mc_mct_writer_finish(writer, &error) == MC_OK); // as it is, it goes on
        mc_mct_writer_destroy(writer);
        REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
        CHECK(sqlite3_exec(db, changes[i], NULL, NULL, NULL) == SQLITE_OK);
        sqlite3_close(db);
        CHECK(mc_mct_writer_create(&desc, &writer, &error) == MC_OK);
        CHECK(mc_mct_writer_finish(writer, &error) == MC_ERROR_BAD_DATA);
        CHECK_MSG(strstr(error.message, "its table of nodes"), "%s", error.message);
        mc_mct_writer_destroy(writer);
        trace = open_trace();
        CHECK(mc_trace_get_step_count(trace) == step_count);
        mc_trace_destroy(trace);
    }
}

int main(void) {
    REQUIRE(mkdtemp(path));
    snprintf(file, sizeof file, "%s/trace.mct", path);
    test_sittings();
    test_growth();
    test_unfinished();
    test_refusals();
    test_map();
    test_next();
    test_next_memory();
    test_memory();
    test_damage();
    test_other_tables();
    unlink(file);
    CHECK(rmdir(path) == 0);
    mc_step_tree_deinit(&tree);
    mc_reference_map_deinit(&map);
    return test_finish();
}
