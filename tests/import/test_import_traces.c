// The recorded traces come to what an independent program computed from them
// (tests/data/expected/make.py), in both forms.
#include "engine/import/import.h"
#include "tests/trace_values.h"
#include <inttypes.h>

typedef struct wanted_step {
    int64_t time_ms;
    uint64_t objects, bytes;
    uint32_t nodes, leaves, pairs;
    uint64_t points_to, pointed_from;
} wanted_step;

static void write_warning(void *user, mc_log_level level, const char *message) {
    (void)user;
    if (level == MC_LOG_WARNING) fprintf(stderr, "warning: %s\n", message);
}

static mc_trace *import(const char *name, const char *sub_folder) {
    char path[1024];
    snprintf(path, sizeof path, "%s/traces/%s%s", MC_TEST_BINARY_DIR, name, sub_folder);
    const char *pointer = path;
    const mc_log log = {.write = write_warning};
    const mc_import_desc desc = {.paths = &pointer, .path_count = 1, .log = &log};
    mc_import_report report;
    mc_error error = {0};
    mc_trace *trace;
    CHECK_MSG(mc_import_trace(&desc, &trace, &report, &error) == MC_OK, "%s", error.message);
    REQUIRE(trace);
    CHECK(report.skipped_count == 0 && report.step_count == mc_trace_get_step_count(trace));
    return trace;
}

static void check_step(const mc_trace *trace, uint32_t index, const wanted_step *wanted,
                       bool has_references) {
    const mc_step_info *step = mc_trace_get_step(trace, index);
    CHECK(step->time_ms == wanted->time_ms);
    CHECK(step->objects == wanted->objects);
    CHECK(step->bytes == wanted->bytes);
    CHECK(step->node_count == wanted->nodes);
    CHECK(step->leaf_count == wanted->leaves);
    if (!has_references) return;
    CHECK(step->pair_count == wanted->pairs);
    mc_reference_rows references = test_read_references(trace, index);
    uint64_t points_to = 0, pointed_from = 0;
    for (uint32_t i = 0; i < references.count; i++) {
        points_to += references.items[i].points_to;
        pointed_from += references.items[i].pointed_from;
    }
    CHECK(references.count == wanted->pairs);
    mc_reference_rows_deinit(&references);
    CHECK(points_to == wanted->points_to && pointed_from == wanted->pointed_from);
}

// The leaves of every step, own shares included, sum up to the root.
static void check_sums(const mc_trace *trace, uint32_t step_index) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint64_t *values = malloc(nodes->count * sizeof *values), sum = 0;
    REQUIRE(values);
    test_column(trace, step_index, MC_METRIC_BYTES, values);
    for (uint32_t i = 0; i < nodes->count; i++)
        if (nodes->child_count[i] == 0) sum += values[i];
    CHECK(sum == mc_trace_get_step(trace, step_index)->bytes);
    free(values);
}

static void check_trace(const char *name, const char *sub_folder, bool has_references) {
    char path[1024];
    snprintf(path, sizeof path, "%s/expected/%s.tsv", MC_TEST_DATA, name);
    FILE *file = fopen(path, "r");
    REQUIRE(file);
    mc_trace *trace = import(name, sub_folder);
    uint32_t nodes, buildings, steps;
    REQUIRE(fscanf(file, "%" SCNu32 " %" SCNu32 " %" SCNu32, &nodes, &buildings, &steps) == 3);
    CHECK(mc_trace_get_input_node_count(trace) == nodes);
    CHECK(mc_trace_get_nodes(trace)->leaf_count == buildings);
    REQUIRE(mc_trace_get_step_count(trace) == steps);
    for (uint32_t i = 0; i < steps; i++) {
        wanted_step wanted;
        REQUIRE(fscanf(file,
                       "%" SCNd64 " %" SCNu64 " %" SCNu64 " %" SCNu32 " %" SCNu32 " %" SCNu32
                       " %" SCNu64 " %" SCNu64,
                       &wanted.time_ms, &wanted.objects, &wanted.bytes, &wanted.nodes,
                       &wanted.leaves, &wanted.pairs, &wanted.points_to,
                       &wanted.pointed_from) == 8);
        check_step(trace, i, &wanted, has_references);
        check_sums(trace, i);
    }
    CHECK(mc_trace_has_references(trace) == has_references);
    fclose(file);
    mc_trace_destroy(trace);
}

// What the trace is known for: see the words on it in tests/data/README.md.
static void check_known_growth(void) {
    mc_trace *trace = import("httpclient-3.0.1", "");
    static const char key[] = "Heap#org.apache.commons.httpclient#HostConfiguration";
    uint32_t node = mc_trace_find_node(trace, key, strlen(key));
    REQUIRE(node != MC_NONE);
    CHECK(mc_trace_get_step(trace, 25)->time_ms == 96016);
    CHECK(test_value(trace, 25, MC_METRIC_OBJECTS, node) == 80001);
    mc_trace_destroy(trace);
    trace = import("perfetto", "");
    static const char mixed[] = "perfetto#test#data";
    node = mc_trace_find_node(trace, mixed, strlen(mixed));
    REQUIRE(node != MC_NONE);
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t own_shares = 0;
    for (uint32_t i = 0; i < nodes->child_count[node]; i++)
        own_shares += (nodes->flags[nodes->first_child[node] + i] & MC_NODE_SELF) != 0;
    CHECK(own_shares == 1);
    mc_trace_destroy(trace);
}

int main(void) {
    check_trace("httpclient-3.0.1", "", true);
    check_trace("httpclient-3.0.1", "/anttracks-format", false);
    check_trace("javac-daemon", "", true);
    check_trace("javac-daemon", "/anttracks-format", false);
    check_trace("perfetto", "", false);
    check_trace("perfetto", "/anttracks-format", false);
    check_known_growth();
    return test_finish();
}
