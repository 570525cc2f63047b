// trace_values.h - what a trace says, for tests that can't go on if it can't be read.
#pragma once
#include "engine/trace/trace.h"
#include "tests/test.h"

static inline uint64_t test_value(const mc_trace *trace, uint32_t step, mc_metric metric,
                                  uint32_t node) {
    uint64_t value;
    REQUIRE(mc_trace_read_value(trace, step, metric, node, &value, NULL) == MC_OK);
    return value;
}

static inline bool test_is_present(const mc_trace *trace, uint32_t step, uint32_t node) {
    bool is_present;
    REQUIRE(mc_trace_read_presence(trace, step, node, &is_present, NULL) == MC_OK);
    return is_present;
}

static inline void test_column(const mc_trace *trace, uint32_t step, mc_metric metric,
                               uint64_t *values) {
    REQUIRE(mc_trace_read_column(trace, step, metric, values, NULL) == MC_OK);
}

// The caller deinits them.
static inline mc_reference_rows test_read_references(const mc_trace *trace, uint32_t step) {
    mc_reference_rows references = {0};
    REQUIRE(mc_trace_read_references(trace, step, &references, NULL) == MC_OK);
    return references;
}

static inline uint32_t test_reference_count(const mc_trace *trace, uint32_t step) {
    mc_reference_rows references = test_read_references(trace, step);
    uint32_t count = references.count;
    mc_reference_rows_deinit(&references);
    return count;
}

// `points_to` of the first reference.
static inline uint64_t test_first_points_to(const mc_trace *trace, uint32_t step) {
    mc_reference_rows references = test_read_references(trace, step);
    REQUIRE(references.count > 0);
    uint64_t count = references.items[0].points_to;
    mc_reference_rows_deinit(&references);
    return count;
}
