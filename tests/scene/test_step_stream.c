// Steps in any order come as the trace has them, whatever was read ahead; what was got stays valid
// as long as promised; a damaged step is an error when it is asked for, and only then.
#include "engine/base/memory.h"
#include "engine/city/city_layout.h"
#include "engine/scene/step_stream.h"
#include "engine/store/mct/mct.h"
#include "tests/city_maker.h"
#include <sqlite3.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 3, LEAVES = 3000 };

static uint64_t get_leaf_total(const mc_trace *trace, uint32_t step) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint64_t total = 0, value;
    for (uint32_t node = 0; node < nodes->count; node++) {
        if (nodes->child_count[node] > 0) continue;
        REQUIRE(mc_trace_read_value(trace, step, MC_METRIC_BYTES, node, &value, NULL) == MC_OK);
        total += value;
    }
    return total;
}

static mc_result create(const mc_trace *trace, const mc_city *city, mc_step_stream **stream) {
    mc_step_stream_desc desc = mc_step_stream_of_city(city);
    return mc_step_stream_create(trace, &desc, stream, NULL);
}

static void check_step(const made_city *made, mc_step_counts got, uint32_t step) {
    size_t size = made->city->building_count * sizeof *got.counts;
    CHECK_MSG(memcmp(got.counts, made->counts[step], size) == 0, "step %u", step);
    uint32_t last = made->city->building_count - 1;
    CHECK(got.values[made->city->building_node[last]] == got.counts[last]);
}

static void test_any_order(const made_city *made) {
    mc_step_stream *stream = NULL;
    REQUIRE(create(made->trace, made->city, &stream) == MC_OK);
    mc_step_counts before = {0}, now = {0};
    uint64_t totals[STEPS], state = 7;
    uint32_t step = 0, step_before = MC_NONE;
    for (uint32_t i = 0; i < STEPS; i++)
        totals[i] = get_leaf_total(made->trace, i);
    for (int round = 0; round < 2000; round++) {
        // Mostly forwards, at times backwards or anywhere, or the same again.
        uint64_t turn = test_random(&state) % 8;
        uint32_t next = turn < 4   ? (step + 1) % STEPS
                        : turn < 6 ? (step + STEPS - 1) % STEPS
                                   : (uint32_t)(test_random(&state) % STEPS);
        if (next != step || step_before == MC_NONE) {
            before = now;
            step_before = round > 0 ? step : MC_NONE;
        }
        REQUIRE(mc_step_stream_get(stream, next, &now, NULL) == MC_OK);
        step = next;
        if (round == 1) mc_step_stream_read_ahead(stream);
        check_step(made, now, step);
        CHECK(now.leaf_total == totals[step]);
        if (step_before != MC_NONE && before.counts) check_step(made, before, step_before);
    }
    mc_step_stream_destroy(stream);
}

// At once, while the first steps are being read.
static void test_destroy(const made_city *made) {
    for (int round = 0; round < 50; round++) {
        mc_step_stream *stream = NULL;
        mc_step_counts now;
        REQUIRE(create(made->trace, made->city, &stream) == MC_OK);
        if (round % 2) CHECK(mc_step_stream_get(stream, 0, &now, NULL) == MC_OK);
        mc_step_stream_destroy(stream);
    }
    mc_step_stream_destroy(NULL);
}

static void write_file(const char *path) {
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = path};
    mc_step_tree tree = {0};
    (void)unlink(path);
    REQUIRE(mc_mct_writer_create(&desc, &writer, NULL) == MC_OK);
    for (uint32_t step = 0; step < STEPS; step++) {
        made_fill(&tree, LEAVES, step);
        REQUIRE(mc_mct_writer_add_step(writer, &tree, "test", NULL) == MC_OK);
    }
    REQUIRE(mc_mct_writer_finish(writer, NULL) == MC_OK);
    mc_mct_writer_destroy(writer);
    mc_step_tree_deinit(&tree);
}

static void lose_step(const char *path, uint32_t step) {
    char sql[128];
    sqlite3 *db = NULL;
    snprintf(sql, sizeof sql, "DELETE FROM step_column WHERE id >> 23 = %u", step + 1);
    REQUIRE(sqlite3_open(path, &db) == SQLITE_OK);
    CHECK_MSG(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(db));
    CHECK(sqlite3_changes(db) > 0);
    sqlite3_close(db);
}

// A picture needs no step but its own: the next one is read when it is asked for, and can't be
// then.
static void test_alone(const made_city *made) {
    const char *path = MC_TEST_BINARY_DIR "/test_step_stream_alone.mct";
    mc_trace *trace = NULL;
    mc_city *city = NULL;
    mc_step_stream *stream = NULL;
    mc_step_counts now = {0};
    write_file(path);
    REQUIRE(mc_mct_open(&(mc_mct_open_desc){.path = path}, &trace, NULL, NULL) == MC_OK);
    REQUIRE(mc_city_create(trace, &made->city->desc, NULL, &city, NULL) == MC_OK);
    REQUIRE(create(trace, city, &stream) == MC_OK);
    REQUIRE(mc_step_stream_get(stream, 0, &now, NULL) == MC_OK);
    check_step(made, now, 0);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); // enough to read it ahead
    lose_step(path, 1);
    CHECK(mc_step_stream_get(stream, 1, &now, NULL) == MC_ERROR_BAD_DATA);
    mc_step_stream_destroy(stream);
    mc_city_destroy(city);
    mc_trace_destroy(trace);
    (void)unlink(path);
}

// The middle one can't be read, though it was read ahead of being asked for.
static void test_damaged_step(const made_city *made) {
    const char *path = MC_TEST_BINARY_DIR "/test_step_stream.mct";
    mc_trace *trace = NULL;
    mc_city *city = NULL;
    mc_step_stream *stream = NULL;
    write_file(path);
    REQUIRE(mc_mct_open(&(mc_mct_open_desc){.path = path}, &trace, NULL, NULL) == MC_OK);
    REQUIRE(mc_city_create(trace, &made->city->desc, NULL, &city, NULL) == MC_OK);
    lose_step(path, 1);
    REQUIRE(create(trace, city, &stream) == MC_OK);
    for (int round = 0; round < 20; round++) {
        mc_step_counts now = {0}, none = {0};
        if (round == 10) mc_step_stream_read_ahead(stream);
        mc_error error = {0};
        REQUIRE(mc_step_stream_get(stream, 0, &now, NULL) == MC_OK);
        check_step(made, now, 0);
        CHECK(mc_step_stream_get(stream, 1, &none, &error) == MC_ERROR_BAD_DATA);
        CHECK(error.code == MC_ERROR_BAD_DATA && strstr(error.message, "test_step_stream.mct"));
        CHECK(!none.counts);
        check_step(made, now, 0);
        REQUIRE(mc_step_stream_get(stream, 2, &now, NULL) == MC_OK);
        check_step(made, now, 2);
    }
    mc_step_stream_destroy(stream);
    mc_city_destroy(city);
    mc_trace_destroy(trace);
    (void)unlink(path);
}

int main(void) {
    made_city made;
    made_city_create(&made, LEAVES, MC_SCALING_LINEAR);
    test_any_order(&made);
    test_destroy(&made);
    test_alone(&made);
    test_damaged_step(&made);
    made_city_destroy(&made);
    return test_finish();
}
