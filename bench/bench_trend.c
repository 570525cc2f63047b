// How long the trends of all leaves take, 48 steps, from 10,000 to 300,000 leaves.
#include "app/bench/generate.h"
#include "bench/bench.h"
#include "engine/analyze/trend.h"

static void measure(bench_runs *bench, uint32_t leaf_count) {
    mc_generate_desc desc = {
        .leaf_count = leaf_count, .step_count = MC_TREND_MOST_POINTS, .seed = 1};
    mc_trace *trace;
    if (mc_generate_trace(&desc, NULL, &trace, NULL) != MC_OK) exit(1);
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t *leaves = malloc(nodes->count * sizeof *leaves), count = 0, growing = 0;
    mc_trend *trends = malloc(nodes->count * sizeof *trends);
    if (!leaves || !trends) exit(1);
    for (uint32_t node = 0; node < nodes->count; node++)
        if (nodes->child_count[node] == 0) leaves[count++] = node;
    // It takes seconds: fewer runs say enough.
    bench->run_count = BENCH_WARM_UP_COUNT + BENCH_RUN_COUNT - 3;
    double best_ms = 0;
    while (bench_goes_on(bench)) {
        uint64_t start_ns = mc_clock_now_ns();
        if (mc_trend_compute_nodes(trace, MC_METRIC_BYTES, mc_step_range_whole(trace), leaves,
                                   count, trends, NULL, NULL) != MC_OK)
            exit(1);
        double time_ms = (double)(mc_clock_now_ns() - start_ns) / 1e6;
        if (best_ms == 0 || time_ms < best_ms) best_ms = time_ms;
        bench->run_count++;
    }
    for (uint32_t i = 0; i < count; i++)
        growing += trends[i].direction > 0;
    printf(
        "%s\n    {\"name\": \"trend\", \"leaves\": %u, \"steps\": %u, \"growing\": %u, \"runs\": "
        "3, \"best_ms\": %.1f}",
        bench->result_count++ > 0 ? "," : "", count, desc.step_count, growing, best_ms);
    fflush(stdout);
    bench->run_count = 0;
    free(leaves);
    free(trends);
    mc_trace_destroy(trace);
}

int main(int argc, char **argv) {
    static const uint32_t SIZES[] = {10000, 100000, 300000};
    bench_runs bench = bench_begin("trend", argc > 1 ? argv[1] : "unknown");
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
        measure(&bench, SIZES[i]);
    bench_end();
    return 0;
}
