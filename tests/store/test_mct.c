#include "engine/store/mct/mct.h"

#include "engine/base/memory.h"
#include "engine/store/mct/mct_file.h"
#include "tests/chain_trace.h"
#include "tests/odd_trace.h"
#include "tests/trace_equal.h"
#include <pthread.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "/tmp/memcity-mct-XXXXXX";
static char file[64];
static mc_step_tree tree;
static mc_reference_map map;
static mc_step_referrers referrers;
static mc_step_paths paths;
static mc_step_owners owners;
static mc_error error;

static mc_mct_writer *create_writer(void) {
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = file};
    unlink(file);
    CHECK_MSG(mc_mct_writer_create(&desc, &writer, &error) == MC_OK, "%s", error.message);
    REQUIRE(writer);
    return writer;
}

// Of all metrics, or of none.
static bool has_maxima(const mc_trace *trace) {
    uint32_t count = mc_trace_get_metric_count(trace), known = 0;
    for (mc_metric metric = 0; metric < count; metric++)
        known += mc_trace_has_maximum(trace, metric);
    CHECK(known == 0 || known == count);
    return known > 0;
}

static mc_trace *open_trace(void) {
    mc_mct_open_desc desc = {.path = file};
    mc_trace *trace = NULL;
    CHECK_MSG(mc_mct_open(&desc, &trace, NULL, &error) == MC_OK, "%s", error.message);
    REQUIRE(trace);
    return trace;
}

// Feeds the same steps to a writer and a builder.
static mc_trace *write_odd_trace(uint64_t seed, mc_key_kind kind, uint32_t step_count,
                                 bool finishes) {
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    mc_mct_writer *writer = create_writer();
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    odd_init(&odd, seed, kind, step_count);
    for (uint32_t step = 0; step < step_count; step++) {
        odd_fill_tree(&odd, step, &tree, present);
        tree.liveness = (mc_liveness)(step % MC_LIVENESS_COUNT);
        CHECK_MSG(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_OK, "%s",
                  error.message);
        CHECK(mc_trace_builder_add_step(builder, &tree, "odd", NULL) == MC_OK);
        if (odd_has_referrers(step)) {
            odd_fill_referrers(&odd, &tree, &referrers);
            CHECK_MSG(mc_mct_writer_add_referrers(writer, &referrers, &error) == MC_OK, "%s",
                      error.message);
            CHECK(mc_trace_builder_add_referrers(builder, &referrers, NULL) == MC_OK);
            odd_fill_paths(&odd, &tree, &paths);
            CHECK_MSG(mc_mct_writer_add_paths(writer, &paths, &error) == MC_OK, "%s",
                      error.message);
            CHECK(mc_trace_builder_add_paths(builder, &paths, NULL) == MC_OK);
            odd_fill_owners(&odd, &tree, &owners);
            CHECK_MSG(mc_mct_writer_add_owners(writer, &owners, &error) == MC_OK, "%s",
                      error.message);
            CHECK(mc_trace_builder_add_owners(builder, &owners, NULL) == MC_OK);
        }
        for (int i = 0; i < 2; i++) {
            mc_reference_direction direction = (mc_reference_direction)i;
            if (!odd_has_direction(step, i)) continue;
            odd_fill_map(&odd, &tree, present, &map);
            CHECK(mc_mct_writer_add_references(writer, &map, direction, NULL) ==
                  mc_trace_builder_add_references(builder, &map, direction, NULL));
        }
        if (step % 3 == 0) CHECK(mc_mct_writer_commit(writer, &error) == MC_OK);
    }
    CHECK(mc_mct_writer_commit(writer, &error) == MC_OK);
    if (finishes) CHECK(mc_mct_writer_finish(writer, &error) == MC_OK);
    mc_mct_writer_destroy(writer);
    CHECK(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    return trace;
}

static void test_odd_traces(void) {
    for (uint64_t seed = 0; seed < 40; seed++) {
        mc_key_kind kind = seed % 2 ? MC_KEY_FULL : MC_KEY_PATH_PART;
        uint32_t step_count = seed < 10 ? 1 + (uint32_t)seed : seed < 36 ? 12 : 40;
        mc_trace *expected = write_odd_trace(seed, kind, step_count, true);
        mc_trace *trace = open_trace();
        CHECK(has_maxima(trace));
        check_equal_traces(expected, trace);
        mc_trace_destroy(trace);
        mc_trace_destroy(expected);
    }
}

// A file that is still being written, with steps behind the maxima; it also has no order of
// appearance, so steps come in the order of time here.
static void test_unfinished(void) {
    mc_mct_writer *writer = create_writer();
    mc_mct_open_desc desc = {.path = file};
    mc_mct_open_report report;
    mc_trace *trace = NULL;
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    CHECK(mc_mct_open(&desc, &trace, NULL, &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "no step was written"), "%s", error.message);
    odd_init(&odd, 5, MC_KEY_FULL, 40);
    for (uint32_t step = 0; step < 40; step++) {
        odd_fill_tree(&odd, step, &tree, present);
        tree.time_ms = step;
        CHECK(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_OK);
        if (step == 19) {
            // Not committed: invisible.
            CHECK(mc_mct_open(&desc, &trace, &report, &error) == MC_OK);
            CHECK(mc_trace_get_step_count(trace) == 19 && !report.is_finished);
            mc_trace_destroy(trace);
        }
        CHECK(mc_mct_writer_commit(writer, &error) == MC_OK);
        if (step % 10 != 6) continue;
        // A reader that stays sees what it saw, also after more has come.
        trace = open_trace();
        CHECK(mc_trace_get_step_count(trace) == step + 1);
        CHECK(
            has_maxima(trace)); // written at step 5, where a metric becomes real, and at each 16th
        mc_max_tree tree_by_maxima;
        mc_step_range whole = mc_step_range_whole(trace);
        CHECK(mc_max_tree_compute(&tree_by_maxima, trace, MC_METRIC_BYTES, whole, NULL, NULL) ==
              MC_OK);
        uint32_t count = mc_trace_get_nodes(trace)->count;
        uint64_t *values = malloc(count * sizeof *values), *max = calloc(count, sizeof *max);
        REQUIRE(values && max);
        for (uint32_t i = 0; i <= step; i++) {
            test_column(trace, i, MC_METRIC_BYTES, values);
            for (uint32_t node = 0; node < count; node++)
                if (values[node] > max[node]) max[node] = values[node];
        }
        const mc_node_columns *nodes = mc_trace_get_nodes(trace);
        for (uint32_t node = 0; node < count; node++)
            CHECK(nodes->child_count[node] > 0 || max[node] == tree_by_maxima.max[node]);
        mc_max_tree_deinit(&tree_by_maxima);
        free(values);
        free(max);
        mc_trace_destroy(trace);
    }
    mc_mct_writer_destroy(writer);
    trace = open_trace();
    CHECK(mc_trace_get_step_count(trace) == 40);
    mc_trace_destroy(trace);
}

// What is wrong with a step leaves file and writer as they were.
static void test_bad_steps(void) {
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    mc_mct_writer *writer = create_writer();
    CHECK(mc_mct_writer_finish(writer, &error) == MC_ERROR_BAD_DATA);
    odd_init(&odd, 1, MC_KEY_FULL, 8);
    for (uint32_t step = 0; step < 8; step++) {
        odd_fill_tree(&odd, step, &tree, present);
        CHECK(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_OK);
        CHECK(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_ERROR_BAD_DATA);
        odd_fill_map(&odd, &tree, present, &map);
        map.time_ms += 1;
        CHECK(mc_mct_writer_add_references(writer, &map, MC_POINTS_TO, &error) ==
              MC_ERROR_BAD_DATA);
        map.time_ms -= 1;
        CHECK(mc_mct_writer_add_references(writer, &map, MC_POINTS_TO, &error) == MC_OK);
        CHECK(mc_mct_writer_add_references(writer, &map, MC_POINTS_TO, &error) ==
              MC_ERROR_BAD_DATA);
    }
    CHECK(mc_mct_writer_finish(writer, &error) == MC_OK);
    mc_mct_writer_destroy(writer);
    mc_trace *trace = open_trace();
    CHECK(mc_trace_get_step_count(trace) == 8);
    mc_trace_destroy(trace);
}

// ---- plain SQL

static int64_t ask(const char *sql) {
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
    CHECK_MSG(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, "%s",
              sqlite3_errmsg(db));
    int64_t number =
        sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return number;
}

static void run_sql(const char *sql) {
    sqlite3 *db = NULL;
    REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
    CHECK_MSG(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void test_growth_view(void) {
    mc_trace *expected = write_odd_trace(7, MC_KEY_FULL, 12, true);
    const mc_node_columns *nodes = mc_trace_get_nodes(expected);
    for (int metric = 0; metric < 2; metric++) {
        mc_max_tree max;
        char sql[512];
        const char *name = metric == MC_METRIC_BYTES ? "bytes" : "objects";
        uint64_t sums[3] = {0};
        int64_t largest = INT64_MIN;
        REQUIRE(mc_max_tree_compute(&max, expected, (mc_metric)metric,
                                    mc_step_range_whole(expected), NULL, NULL) == MC_OK);
        for (uint32_t node = 0; node < nodes->count; node++) {
            if (nodes->child_count[node] > 0) continue;
            sums[0] += max.first[node] % 1000003;
            sums[1] += max.last[node] % 1000003;
            sums[2] += max.max[node] % 1000003;
            int64_t growth = mc_max_tree_get_growth(&max, node);
            if (growth > largest) largest = growth;
        }
        static const char *const columns[] = {"first", "last", "max"};
        for (int i = 0; i < 3; i++) {
            snprintf(sql, sizeof sql, "SELECT sum(%s_%s %% 1000003) FROM growth", name, columns[i]);
            CHECK(ask(sql) == (int64_t)sums[i]);
        }
        snprintf(sql, sizeof sql, "SELECT max(%s_growth) FROM growth", name);
        CHECK(ask(sql) == largest);
        mc_max_tree_deinit(&max);
    }
    CHECK(ask("SELECT count(*) FROM growth") == nodes->leaf_count);
    CHECK(ask("SELECT last_time_ms - first_time_ms FROM growth LIMIT 1") == 11000);
    CHECK(ask("SELECT min(path LIKE 'n% > %' OR path = 'n%') FROM growth") == 1);
    CHECK(ask("SELECT max(path IS NULL) FROM growth") == 0);
    mc_trace_destroy(expected);
}

// ---- damage

static unsigned char *load_file(size_t *size) {
    struct stat status;
    FILE *stream = fopen(file, "rb");
    REQUIRE(stream && fstat(fileno(stream), &status) == 0);
    *size = (size_t)status.st_size;
    unsigned char *bytes = malloc(*size);
    REQUIRE(bytes && fread(bytes, 1, *size, stream) == *size);
    fclose(stream);
    return bytes;
}

// Fields and roots may be missing, but with a word.
static void check_no_wrong_referrers(const mc_trace *trace, uint32_t step, const mc_trace *expected,
                                     uint32_t other) {
    mc_field_rows fields = {0}, true_fields = {0};
    mc_root_rows roots = {0}, true_roots = {0};
    REQUIRE(mc_trace_read_fields(expected, other, &true_fields, NULL) == MC_OK);
    REQUIRE(mc_trace_read_roots(expected, other, &true_roots, NULL) == MC_OK);
    bool has_referrers = mc_trace_get_step(trace, step)->has_referrers;
    if (mc_trace_read_fields(trace, step, &fields, &error) == MC_OK && has_referrers) {
        CHECK(fields.count == true_fields.count);
        for (uint32_t i = 0; i < fields.count && fields.count == true_fields.count; i++)
            CHECK(fields.items[i].from == true_fields.items[i].from &&
                  fields.items[i].to == true_fields.items[i].to &&
                  fields.items[i].count == true_fields.items[i].count);
    }
    if (mc_trace_read_roots(trace, step, &roots, &error) == MC_OK && has_referrers) {
        CHECK(roots.count == true_roots.count);
        for (uint32_t i = 0; i < roots.count && roots.count == true_roots.count; i++)
            CHECK(roots.items[i].node == true_roots.items[i].node &&
                  roots.items[i].kind == true_roots.items[i].kind &&
                  roots.items[i].count == true_roots.items[i].count);
    }
    mc_field_rows_deinit(&fields);
    mc_field_rows_deinit(&true_fields);
    mc_root_rows_deinit(&roots);
    mc_root_rows_deinit(&true_roots);
}

// Everything that can be read is the same as in `expected`. Steps may be missing, but with a word.
// False if nothing can be read.
static bool check_no_wrong_number(const unsigned char *bytes, size_t size, bool skips,
                                  const mc_trace *expected) {
    mc_mct_open_desc desc = {.memory = bytes, .memory_size = size, .skip_bad_steps = skips};
    mc_mct_open_report report = {0};
    mc_trace *trace = NULL;
    error = (mc_error){0};
    mc_result result = mc_mct_open(&desc, &trace, &report, &error);
    if (result != MC_OK) {
        CHECK_MSG(!trace && result == error.code && error.message[0], "%s", error.message);
        CHECK_MSG(result == MC_ERROR_BAD_DATA || result == MC_ERROR_IO, "%s", error.message);
        return false;
    }
    uint32_t count = mc_trace_get_nodes(trace)->count;
    uint32_t step_count = mc_trace_get_step_count(trace);
    static uint64_t left[4096], right[4096];
    REQUIRE(count == mc_trace_get_nodes(expected)->count && count <= 4096);
    CHECK(step_count == mc_trace_get_step_count(expected) || report.skipped_count > 0);
    for (uint32_t step = 0; report.skipped_count == 0 && step < step_count; step++)
        CHECK(mc_trace_get_step(trace, step)->has_referrers ==
              mc_trace_get_step(expected, step)->has_referrers);
    check_equal_nodes(expected, trace);
    for (uint32_t step = 0, other = 0; step < step_count; step++, other++) {
        while (mc_trace_get_step(expected, other)->time_ms !=
               mc_trace_get_step(trace, step)->time_ms)
            REQUIRE(++other < mc_trace_get_step_count(expected));
        CHECK(mc_trace_get_step(expected, other)->bytes == mc_trace_get_step(trace, step)->bytes);
        for (mc_metric metric = 0; metric < mc_trace_get_metric_count(trace); metric++) {
            result = mc_trace_read_column(trace, step, metric, left, &error);
            CHECK(!skips || result == MC_OK);
            if (result != MC_OK) continue;
            test_column(expected, other, metric, right);
            CHECK(memcmp(left, right, count * sizeof *left) == 0);
        }
        mc_reference_rows references = {0}, truth = test_read_references(expected, other);
        if (mc_trace_read_references(trace, step, &references, &error) == MC_OK &&
            references.count > 0) {
            CHECK(references.count == truth.count);
            for (uint32_t i = 0; i < truth.count && references.count == truth.count; i++)
                CHECK(references.items[i].from == truth.items[i].from &&
                      references.items[i].to == truth.items[i].to &&
                      references.items[i].points_to == truth.items[i].points_to);
        }
        mc_reference_rows_deinit(&references);
        mc_reference_rows_deinit(&truth);
        check_no_wrong_referrers(trace, step, expected, other);
        bool is_present;
        for (uint32_t node = 0; node < count; node += 7)
            if (mc_trace_read_presence(trace, step, node, &is_present, &error) == MC_OK)
                CHECK(is_present == test_is_present(expected, other, node));
    }
    if (mc_trace_has_maximum(trace, MC_METRIC_BYTES)) {
        mc_max_tree truth;
        mc_trace_get_maximum(trace, MC_METRIC_BYTES, left);
        REQUIRE(mc_max_tree_compute(&truth, expected, MC_METRIC_BYTES,
                                    mc_step_range_whole(expected), NULL, NULL) == MC_OK);
        for (uint32_t node = 0; node < count; node++)
            CHECK(mc_trace_get_nodes(trace)->child_count[node] > 0 ||
                  left[node] == truth.max[node]);
        mc_max_tree_deinit(&truth);
    }
    mc_trace_destroy(trace);
    return true;
}

static void test_cut_and_flipped(void) {
    mc_trace *expected = write_odd_trace(3, MC_KEY_FULL, 5, true);
    // odd, and no multiple of 3: so that every bit is flipped somewhere
    size_t size, stride = MC_TEST_SANITIZED ? 13 : 11;
    run_sql("PRAGMA page_size = 512; VACUUM"); // a small file: what is empty need not be damaged
    unsigned char *bytes = load_file(&size);
    CHECK_MSG(size < 60000, "%zu bytes", size);
    CHECK(check_no_wrong_number(bytes, size, false, expected));
    CHECK(check_no_wrong_number(bytes, size, true, expected));
    uint32_t flipped_opened[2] = {0};
    for (size_t cut = 0; cut < size; cut += stride) {
        unsigned char *part = malloc(cut + 1); // of the exact size, but for one byte
        REQUIRE(part);
        memcpy(part, bytes, cut);
        check_no_wrong_number(part, cut, false, expected);
        free(part);
    }
    for (size_t i = 0; i < size; i += stride) {
        unsigned char kept = bytes[i];
        bytes[i] = (unsigned char)(kept ^ (i % 3 == 0 ? 0xffu : 1u << i % 8));
        bool skips = i / stride % 2 == 0;
        flipped_opened[skips] += check_no_wrong_number(bytes, size, skips, expected);
        bytes[i] = kept;
    }
    // Much of a file is no part of any answer, or of a step that may be left out.
    CHECK(flipped_opened[0] > 0 && flipped_opened[1] > 0);
    free(bytes);
    mc_trace_destroy(expected);
}

static void test_damaged_rows(void) {
    mc_trace *expected = write_odd_trace(3, MC_KEY_PATH_PART, 8, true);
    mc_mct_open_desc desc = {.path = file};
    mc_mct_open_report report;
    mc_trace *trace = NULL;
    uint64_t value;
    // Step 3's bytes; the other steps refer to step 1.
    run_sql(
        "UPDATE step_column SET data = zeroblob(length(data)) WHERE id = (3 * 64 + 1) * 131072");
    trace = open_trace();
    uint32_t bad = MC_NONE;
    for (uint32_t step = 0; step < 8; step++) {
        mc_result result = mc_trace_read_value(trace, step, MC_METRIC_BYTES, 5, &value, &error);
        CHECK(mc_trace_read_value(trace, step, MC_METRIC_OBJECTS, 5, &value, NULL) == MC_OK);
        if (result == MC_OK) continue;
        CHECK(result == MC_ERROR_BAD_DATA && bad == MC_NONE);
        CHECK(strstr(error.message, file) && strstr(error.message, "damaged"));
        bad = step;
    }
    CHECK(bad != MC_NONE);
    mc_trace_destroy(trace);
    desc.skip_bad_steps = true;
    REQUIRE(mc_mct_open(&desc, &trace, &report, &error) == MC_OK);
    CHECK(mc_trace_get_step_count(trace) == 7 && report.skipped_count == 1);
    CHECK(!has_maxima(trace));
    for (uint32_t step = 0; step < 7; step++)
        check_equal_steps(expected, trace, step < bad ? step : step + 1, step);
    mc_trace_destroy(trace);
    // A step that is not there at all.
    run_sql("DELETE FROM step WHERE id = 2");
    desc.skip_bad_steps = false;
    CHECK(mc_mct_open(&desc, &trace, &report, &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "7 of 8 steps"), "%s", error.message);
    desc.skip_bad_steps = true;
    REQUIRE(mc_mct_open(&desc, &trace, &report, &error) == MC_OK);
    CHECK(mc_trace_get_step_count(trace) == 6 && report.skipped_count == 2);
    mc_trace_destroy(trace);
    mc_trace_destroy(expected);
}

static void check_refused(const char *sql, const char *message) {
    mc_trace_destroy(write_odd_trace(3, MC_KEY_PATH_PART, 2, true));
    mc_mct_open_desc desc = {.path = file};
    mc_trace *trace = NULL;
    run_sql(sql);
    CHECK(mc_mct_open(&desc, &trace, NULL, &error) == MC_ERROR_BAD_DATA && !trace);
    CHECK_MSG(strstr(error.message, message), "%s", error.message);
}

// A file of another program, whose rows are whole: two classifiers of one name.
static void test_equal_classifiers(void) {
    mc_mct_file db;
    mc_mct_open_desc desc = {.path = file};
    mc_trace *trace = NULL;
    mc_trace_destroy(write_odd_trace(3, MC_KEY_FULL, 4, true));
    CHECK(mc_mct_file_open_append(&db, file, false, &error) == MC_OK);
    // Those that differ behind a NUL alone are two.
    mc_mct_field row[] = {{.number = 1}, {.data = "Package\0", .size = 8}};
    CHECK(mc_mct_file_put(&db, MC_MCT_CLASSIFIER, row, &error) == MC_OK);
    CHECK_MSG(mc_mct_open(&desc, &trace, NULL, &error) == MC_OK, "%s", error.message);
    CHECK(trace && mc_trace_get_classifier_count(trace) == 3);
    mc_trace_destroy(trace);
    row[1].size = 7;
    CHECK(mc_mct_file_put(&db, MC_MCT_CLASSIFIER, row, &error) == MC_OK);
    mc_mct_file_close(&db);
    CHECK(mc_mct_open(&desc, &trace, NULL, &error) == MC_ERROR_BAD_DATA && !trace);
    CHECK_MSG(strstr(error.message, "classifiers 0 and 1 have one name, \"Package\""), "%s",
              error.message);
    desc.skip_bad_steps = true;
    CHECK(mc_mct_open(&desc, &trace, NULL, &error) == MC_ERROR_BAD_DATA && !trace);
}

// One range of times, for who writes and for what was written by somebody else.
static void test_times(void) {
    static const int64_t times[] = {MC_TIME_MIN, -1, 0, MC_TIME_MAX};
    static const int64_t beyond[] = {INT64_MIN, MC_TIME_MIN - 1, MC_TIME_MAX + 1, INT64_MAX};
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    mc_mct_writer *writer = create_writer();
    odd_init(&odd, 2, MC_KEY_FULL, 4);
    odd_fill_tree(&odd, 0, &tree, present);
    for (int i = 0; i < 4; i++) {
        tree.time_ms = beyond[i];
        CHECK(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_ERROR_BAD_DATA);
        CHECK_MSG(strstr(error.message, "expected a time from"), "%s", error.message);
        tree.time_ms = times[i];
        CHECK(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_OK);
    }
    CHECK(mc_mct_writer_finish(writer, &error) == MC_OK);
    mc_mct_writer_destroy(writer);
    mc_trace *trace = open_trace();
    for (uint32_t i = 0; i < 4; i++)
        CHECK(mc_trace_get_step(trace, i)->time_ms == times[i]);
    CHECK(mc_step_range_get_duration_ms(trace, mc_step_range_whole(trace)) ==
          MC_TIME_MAX - MC_TIME_MIN);
    mc_trace_destroy(trace);
    mc_mct_file db;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    mc_mct_open_desc desc = {.path = file};
    CHECK(mc_mct_file_open_append(&db, file, false, &error) == MC_OK);
    CHECK(mc_mct_file_get(&db, MC_MCT_STEP, 2, row, &error) == MC_OK);
    mc_mct_file_release(&db, MC_MCT_STEP);
    row[MC_MCT_STEP_TIME].number = INT64_MIN;
    CHECK(mc_mct_file_put(&db, MC_MCT_STEP, row, &error) == MC_OK);
    mc_mct_file_close(&db);
    CHECK(mc_mct_open(&desc, &trace, NULL, &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "step 2 has impossible numbers"), "%s", error.message);
}

static void test_foreign_files(void) {
    mc_mct_open_desc desc = {.path = file};
    mc_trace *trace = NULL;
    check_refused("PRAGMA application_id = 1", "no .mct file");
    check_refused("PRAGMA user_version = 99", "version 99");
    check_refused("DROP TABLE step_column", "step_column");
    check_refused("ALTER TABLE step RENAME COLUMN columns TO other", "step");
    check_refused("ALTER TABLE nodes RENAME TO n; CREATE VIEW nodes AS SELECT * FROM n", "nodes");
    check_refused("UPDATE trace SET node_count = node_count + 1", "trace");
    check_refused("UPDATE strings SET bytes = 'text'", "strings");
    check_refused("DELETE FROM nodes", "nodes");
    // Without keys each look-up of a row would read all of them.
    check_refused("CREATE TABLE s AS SELECT * FROM step; DROP TABLE step; "
                  "ALTER TABLE s RENAME TO step",
                  "primary key of the table \"step\"");
    check_refused("DROP TABLE step_column; CREATE TABLE step_column(base INTEGER, id INTEGER, "
                  "data BLOB, checksum INTEGER, PRIMARY KEY(base, id)) WITHOUT ROWID",
                  "primary key of the table \"step_column\"");
    check_refused("DROP TABLE maximum; CREATE TABLE maximum(kind INTEGER, step_count INTEGER, "
                  "node_count INTEGER, data BLOB, checksum INTEGER PRIMARY KEY)",
                  "primary key of the table \"maximum\"");
    FILE *stream = fopen(file, "wb");
    REQUIRE(stream);
    fputs(
        "{\"time\":1}, which is no database, long enough for a header of one hundred bytes, or so "
        "it seems",
        stream);
    fclose(stream);
    CHECK(mc_mct_open(&desc, &trace, NULL, &error) == MC_ERROR_BAD_DATA);
    CHECK(strstr(error.message, "not an .mct file"));
    unlink(file);
    CHECK(mc_mct_open(&desc, &trace, NULL, &error) == MC_ERROR_IO && !trace);
    CHECK(!mc_mct_detect("SQLite format 3", 15) && mc_mct_detect("SQLite format 3", 16));
}

// ---- memory and threads

static void test_failing_allocations(void) {
    mc_trace *expected = write_odd_trace(3, MC_KEY_FULL, 3, true);
    bool is_done = false;
    for (uint64_t n = 0; !is_done; n++) {
        mc_mct_open_desc desc = {.path = file, .skip_bad_steps = n % 2 == 0};
        mc_reference_rows references = {0};
        mc_field_rows fields = {0};
        mc_root_rows roots = {0};
        mc_trace *trace = NULL;
        uint64_t value;
        bool is_present;
        mc_memory_fail_after(n);
        mc_result result = mc_mct_open(&desc, &trace, NULL, &error);
        if (result == MC_OK)
            result = mc_trace_read_value(trace, 1, MC_METRIC_BYTES, 9, &value, &error);
        if (result == MC_OK) result = mc_trace_read_presence(trace, 1, 9, &is_present, &error);
        if (result == MC_OK) result = mc_trace_read_references(trace, 2, &references, &error);
        if (result == MC_OK) result = mc_trace_read_fields(trace, 2, &fields, &error);
        if (result == MC_OK) result = mc_trace_read_roots(trace, 2, &roots, &error);
        if (result == MC_OK) result = mc_trace_fill_step_tree(trace, 1, &tree, &error);
        if (result == MC_OK) result = mc_trace_fill_step_referrers(trace, 2, &referrers, &error);
        mc_memory_fail_after(UINT64_MAX);
        is_done = result == MC_OK;
        CHECK_MSG(is_done || result == MC_ERROR_OUT_OF_MEMORY, "%s", error.message);
        mc_reference_rows_deinit(&references);
        mc_field_rows_deinit(&fields);
        mc_root_rows_deinit(&roots);
        mc_trace_destroy(trace);
    }
    mc_trace_destroy(expected);
}

static void test_failing_allocations_of_writer(void) {
    static mc_step_tree trees[3];
    static mc_reference_map maps[3];
    static mc_step_referrers all_referrers[3];
    odd_trace odd;
    bool present[ODD_NODE_COUNT], is_done = false;
    odd_init(&odd, 4, MC_KEY_FULL, 3);
    for (uint32_t step = 0; step < 3; step++) {
        odd_fill_tree(&odd, step, &trees[step], present);
        odd_fill_map(&odd, &trees[step], present, &maps[step]);
        odd_fill_referrers(&odd, &trees[step], &all_referrers[step]);
    }
    for (uint64_t n = 0; !is_done; n++) {
        mc_mct_writer_desc desc = {.path = file};
        mc_mct_writer *writer = NULL;
        uint32_t committed = 0;
        unlink(file);
        mc_memory_fail_after(n);
        mc_result result = mc_mct_writer_create(&desc, &writer, &error);
        for (uint32_t step = 0; step < 3 && result == MC_OK; step++) {
            result = mc_mct_writer_add_step(writer, &trees[step], "odd", &error);
            if (result == MC_OK)
                result = mc_mct_writer_add_referrers(writer, &all_referrers[step], &error);
            for (int i = 0; i < 2 && result == MC_OK; i++)
                result = mc_mct_writer_add_references(writer, &maps[step],
                                                      (mc_reference_direction)i, &error);
            if (result == MC_OK) result = mc_mct_writer_commit(writer, &error);
            committed += result == MC_OK;
        }
        if (result == MC_OK) result = mc_mct_writer_finish(writer, &error);
        mc_memory_fail_after(UINT64_MAX);
        is_done = result == MC_OK;
        CHECK_MSG(is_done || result == MC_ERROR_OUT_OF_MEMORY, "%s", error.message);
        mc_mct_writer_destroy(writer);
        if (committed == 0) continue;
        mc_trace *trace = open_trace();
        CHECK(mc_trace_get_step_count(trace) == committed);
        mc_trace_destroy(trace);
    }
}

static mc_trace *shared;

static void *read_from_thread(void *user) {
    uint64_t *sum = user;
    uint32_t step_count = mc_trace_get_step_count(shared);
    uint32_t count = mc_trace_get_nodes(shared)->count;
    uint64_t *values = malloc(count * sizeof *values);
    REQUIRE(values);
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t step = i * 7 % step_count;
        test_column(shared, step, (mc_metric)(i % 2), values);
        for (uint32_t node = 0; node < count; node++)
            *sum += values[node] % 1000;
        *sum += test_value(shared, (step + 3) % step_count, MC_METRIC_BYTES, i % count) % 1000;
        *sum += test_is_present(shared, step, i % count);
        *sum += test_reference_count(shared, step);
    }
    free(values);
    return NULL;
}

// A writer that is told to stop: what was committed is there.
static void test_cancelled_writer(void) {
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    mc_result result = MC_ERROR_CANCELLED;
    odd_init(&odd, 6, MC_KEY_FULL, 3);
    odd_fill_tree(&odd, 0, &tree, present);
    uint64_t most = 0;
    for (; result == MC_ERROR_CANCELLED; most++) {
        test_asked asked = {.most = most};
        mc_progress progress = {test_ask, &asked};
        mc_mct_writer_desc desc = {.path = file, .progress = &progress};
        mc_mct_writer *writer = NULL;
        unlink(file);
        REQUIRE(mc_mct_writer_create(&desc, &writer, &error) == MC_OK);
        result = mc_mct_writer_add_step(writer, &tree, "odd", &error);
        if (result == MC_OK) result = mc_mct_writer_commit(writer, &error);
        bool is_committed = result == MC_OK;
        tree.time_ms++;
        if (result == MC_OK) result = mc_mct_writer_add_step(writer, &tree, "odd", &error);
        tree.time_ms--;
        if (result == MC_OK) result = mc_mct_writer_finish(writer, &error);
        CHECK_MSG(result == MC_OK || result == MC_ERROR_CANCELLED, "%s", error.message);
        mc_mct_writer_destroy(writer);
        if (!is_committed) continue;
        mc_trace *trace = open_trace();
        CHECK(mc_trace_get_step_count(trace) == (result == MC_OK ? 2 : 1));
        mc_trace_destroy(trace);
    }
    CHECK(result == MC_OK && most > 4);
}

static void test_threads(void) {
    mc_trace *expected = write_odd_trace(11, MC_KEY_FULL, 30, true);
    pthread_t threads[4];
    uint64_t sums[4] = {0}, truth = 0;
    shared = expected;
    read_from_thread(&truth);
    shared = open_trace();
    for (int i = 0; i < 4; i++)
        REQUIRE(pthread_create(&threads[i], NULL, read_from_thread, &sums[i]) == 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        CHECK(sums[i] == truth);
    }
    mc_trace_destroy(shared);
    mc_trace_destroy(expected);
}

int main(void) {
    REQUIRE(mkdtemp(path));
    snprintf(file, sizeof file, "%s/trace.mct", path);
    test_odd_traces();
    test_unfinished();
    test_bad_steps();
    test_growth_view();
    test_damaged_rows();
    test_equal_classifiers();
    test_times();
    test_foreign_files();
    test_failing_allocations();
    test_failing_allocations_of_writer();
    test_cancelled_writer();
    test_threads();
    test_cut_and_flipped();
    unlink(file);
    CHECK(rmdir(path) == 0); // no journal is left behind
    mc_step_tree_deinit(&tree);
    mc_reference_map_deinit(&map);
    return test_finish();
}
