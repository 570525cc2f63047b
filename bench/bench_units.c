// How long it takes to find units, 48 steps, from 10,000 to 300,000 leaves.
#include "app/bench/generate.h"
#include "bench/bench.h"
#include "engine/analyze/units.h"

static void measure(bench_runs *bench, uint32_t leaf_count) {
    mc_generate_desc desc = {
        .leaf_count = leaf_count, .step_count = MC_TREND_MOST_POINTS, .seed = 1};
    mc_trace *trace;
    if (mc_generate_trace(&desc, NULL, &trace, NULL) != MC_OK) exit(1);
    mc_units units = {0};
    // It takes seconds: fewer runs say enough.
    bench->run_count = BENCH_WARM_UP_COUNT + BENCH_RUN_COUNT - 3;
    double best_ms = 0;
    while (bench_goes_on(bench)) {
        uint64_t start_ns = mc_clock_now_ns();
        mc_units_deinit(&units);
        if (mc_units_find(trace, mc_step_range_whole(trace), NULL, &units, NULL) != MC_OK) exit(1);
        double time_ms = (double)(mc_clock_now_ns() - start_ns) / 1e6;
        if (best_ms == 0 || time_ms < best_ms) best_ms = time_ms;
        bench->run_count++;
    }
    printf("%s\n    {\"name\": \"units\", \"leaves\": %u, \"steps\": %u, \"moving\": %u, \"runs\": "
           "3, \"best_ms\": %.1f}",
           bench->result_count++ > 0 ? "," : "", leaf_count, desc.step_count, units.all_mover_count,
           best_ms);
    fflush(stdout);
    bench->run_count = 0;
    mc_units_deinit(&units);
    mc_trace_destroy(trace);
}

int main(int argc, char **argv) {
    static const uint32_t SIZES[] = {10000, 100000, 300000};
    bench_runs bench = bench_begin("units", argc > 1 ? argv[1] : "unknown");
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
        measure(&bench, SIZES[i]);
    bench_end();
    return 0;
}
