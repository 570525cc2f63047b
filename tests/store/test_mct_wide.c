// Columns of a file that is wide enough for several threads to decode one: each value is read as it
// was written, by one reader and by several side by side, whatever is cached; so are the sums of
// such a trace that is grouped otherwise.
#include "engine/base/base.h"
#include "engine/store/mct/mct.h"
#include "engine/trace/regroup/regroup.h"
#include "tests/chain_trace.h"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { DISTRICTS = 300, LEAVES = 900, LEAF_COUNT = DISTRICTS * LEAVES, STEPS = 5, THREADS = 4 };
enum { FIRST_LEAF = 1 + DISTRICTS, NODES = FIRST_LEAF + LEAF_COUNT };

static mc_step_tree tree;
static mc_trace *trace, *grouped;
static uint32_t wrong_counts[THREADS];
static mc_error error;

// A few change from step to step; the last leaves come later.
static uint64_t get_objects(uint32_t leaf, uint32_t step) {
    if (leaf % LEAVES >= LEAVES - 100 && step < 2) return 0;
    return leaf % 11 == 0 ? (uint64_t)leaf * leaf % 70001 + step : leaf % 5 + 1;
}

static uint32_t add(uint32_t parent, uint32_t role, const char *key, uint64_t objects) {
    uint32_t size = (uint32_t)strlen(key);
    mc_step_node node = {.parent = parent,
                         .role = role,
                         .key_offset = tree.text.size,
                         .name_offset = tree.text.size,
                         .key_size = size,
                         .name_size = size,
                         .objects = objects,
                         .bytes = objects * 8};
    mc_text_append(&tree.text, key, size);
    uint32_t place = mc_step_tree_add(&tree, node);
    REQUIRE(place != MC_NONE);
    return place;
}

// Siblings come in another order than that of their keys, in which the trace has them.
static void make_step(uint32_t step) {
    char key[32];
    uint64_t sums[DISTRICTS] = {0}, total = 0;
    for (uint32_t leaf = 0; leaf < LEAF_COUNT; leaf++) {
        sums[leaf / LEAVES] += get_objects(leaf, step);
        total += get_objects(leaf, step);
    }
    mc_step_tree_reset(&tree);
    tree.time_ms = 100 * (int64_t)step;
    REQUIRE(mc_strings_intern(&tree.roles, "Package", 7) == 0);
    REQUIRE(mc_strings_intern(&tree.roles, "Type", 4) == 1);
    add(MC_NONE, MC_NONE, "Heap", total);
    for (uint32_t i = 0; i < DISTRICTS; i++) {
        uint32_t district = i * 7 % DISTRICTS;
        snprintf(key, sizeof key, "d%03u", district);
        uint32_t place = add(0, 0, key, sums[district]);
        for (uint32_t k = 0; k < LEAVES; k++) {
            uint32_t leaf = district * LEAVES + k * 7 % LEAVES;
            if (get_objects(leaf, step) == 0) continue;
            snprintf(key, sizeof key, "l%06u", leaf);
            add(place, 1, key, get_objects(leaf, step));
        }
    }
}

static void *read_all(void *user) {
    uint32_t *wrong_count = user;
    uint32_t thread = (uint32_t)(wrong_count - wrong_counts);
    uint64_t *values = malloc(NODES * sizeof *values);
    REQUIRE(values);
    for (uint32_t i = 0; i < 3 * STEPS; i++) {
        uint32_t step = i * (thread + 1) % STEPS;
        mc_metric metric = i % 2 == 0 ? MC_METRIC_OBJECTS : MC_METRIC_BYTES;
        uint64_t size = metric == MC_METRIC_BYTES ? 8 : 1, total = 0;
        mc_error its_error;
        REQUIRE(mc_trace_read_column(trace, step, metric, values, &its_error) == MC_OK);
        for (uint32_t leaf = 0; leaf < LEAF_COUNT; leaf++) {
            *wrong_count += values[FIRST_LEAF + leaf] != size * get_objects(leaf, step);
            total += values[FIRST_LEAF + leaf];
        }
        *wrong_count += values[0] != total;
    }
    free(values);
    return NULL;
}

static void *read_sums(void *user) {
    uint32_t *wrong_count = user;
    uint32_t thread = (uint32_t)(wrong_count - wrong_counts);
    for (uint32_t i = 0; i < 6 * STEPS; i++) {
        uint32_t step = i * (thread + 1) % STEPS;
        mc_metric metric = i % 2 == 0 ? MC_METRIC_OBJECTS : MC_METRIC_BYTES;
        uint64_t size = metric == MC_METRIC_BYTES ? 8 : 1, values[1 + DISTRICTS];
        uint64_t sums[DISTRICTS] = {0}, total = 0;
        mc_error its_error;
        REQUIRE(mc_trace_read_column(grouped, step, metric, values, &its_error) == MC_OK);
        for (uint32_t leaf = 0; leaf < LEAF_COUNT; leaf++)
            sums[leaf / LEAVES] += size * get_objects(leaf, step);
        for (uint32_t district = 0; district < DISTRICTS; district++) {
            *wrong_count += values[1 + district] != sums[district];
            total += sums[district];
        }
        *wrong_count += values[0] != total;
    }
    return NULL;
}

static void check_threads(void *(*run)(void *user)) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, run, &wrong_counts[i]) == 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(wrong_counts[i] == 0);
    }
}

int main(void) {
    char path[] = "/tmp/memcity-wide-XXXXXX", file[64];
    REQUIRE(mkdtemp(path));
    snprintf(file, sizeof file, "%s/wide.mct", path);
    mc_mct_writer_desc writing = {.path = file};
    mc_mct_writer *writer;
    REQUIRE(mc_mct_writer_create(&writing, &writer, &error) == MC_OK);
    for (uint32_t step = 0; step < STEPS; step++) {
        make_step(step);
        REQUIRE(mc_mct_writer_add_step(writer, &tree, "wide", &error) == MC_OK);
        REQUIRE(mc_mct_writer_commit(writer, &error) == MC_OK);
    }
    REQUIRE(mc_mct_writer_finish(writer, &error) == MC_OK);
    mc_mct_writer_destroy(writer);
    mc_step_tree_deinit(&tree);

    mc_mct_open_desc opening = {.path = file};
    REQUIRE(mc_mct_open(&opening, &trace, NULL, &error) == MC_OK);
    REQUIRE(mc_trace_get_nodes(trace)->count == NODES);
    read_all(&wrong_counts[0]);
    CHECK(wrong_counts[0] == 0);
    check_threads(read_all);
    mc_trace_destroy(trace);

    mc_regrouping grouping;
    REQUIRE(mc_mct_open(&opening, &trace, NULL, &error) == MC_OK); // with nothing in its cache
    REQUIRE(mc_regrouping_parse(trace, "package", &grouping, &error) == MC_OK);
    REQUIRE(mc_trace_regroup(trace, &grouping, NULL, &grouped, &error) == MC_OK);
    REQUIRE(mc_trace_get_nodes(grouped)->count == 1 + DISTRICTS);
    check_threads(read_sums);
    mc_trace_destroy(grouped);
    mc_trace_destroy(trace);
    unlink(file);
    CHECK(rmdir(path) == 0);
    return test_finish();
}
