// How long a trace takes to be grouped otherwise, until its city can be laid out: its nodes, and
// the largest value of each; of 300,000 leaves at 30 steps in memory, or of an .mct file.
#include "app/bench/generate.h"
#include "bench/bench.h"
#include "engine/analyze/max_tree.h"
#include "engine/import/import.h"
#include "engine/trace/regroup/regroup.h"
#include <time.h>

// Of all threads: beside other programs it says more than what a clock on the wall does.
static double get_cpu_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void measure(bench_runs *bench, const mc_trace *base, const char *list) {
    mc_regrouping grouping;
    double nodes_ms = 0, maxima_ms = 0, cpu_ms = 0;
    uint32_t leaf_count = 0;
    if (mc_regrouping_parse(base, list, &grouping, NULL) != MC_OK) exit(1);
    bench->run_count = BENCH_WARM_UP_COUNT + BENCH_RUN_COUNT - 5;
    while (bench_goes_on(bench)) {
        mc_trace *trace;
        mc_max_tree tree;
        double start_cpu_ms = get_cpu_ms();
        uint64_t start_ns = mc_clock_now_ns();
        if (mc_trace_regroup(base, &grouping, NULL, &trace, NULL) != MC_OK) exit(1);
        uint64_t middle_ns = mc_clock_now_ns();
        if (mc_max_tree_compute(&tree, trace, MC_METRIC_BYTES, mc_step_range_whole(trace), NULL,
                                NULL) != MC_OK)
            exit(1);
        double first_ms = (double)(middle_ns - start_ns) / 1e6;
        double second_ms = (double)(mc_clock_now_ns() - middle_ns) / 1e6;
        if (nodes_ms == 0 || first_ms < nodes_ms) nodes_ms = first_ms;
        if (maxima_ms == 0 || second_ms < maxima_ms) maxima_ms = second_ms;
        double spent_ms = get_cpu_ms() - start_cpu_ms;
        if (cpu_ms == 0 || spent_ms < cpu_ms) cpu_ms = spent_ms;
        leaf_count = mc_trace_get_nodes(trace)->leaf_count;
        mc_max_tree_deinit(&tree);
        mc_trace_destroy(trace);
        bench->run_count++;
    }
    printf("%s\n    {\"name\": \"regroup\", \"by\": \"%s\", \"base_leaves\": %u, \"leaves\": %u, "
           "\"steps\": %u, \"runs\": 5, \"best_nodes_ms\": %.1f, \"best_maxima_ms\": %.1f, "
           "\"best_cpu_ms\": %.1f}",
           bench->result_count++ > 0 ? "," : "", list, mc_trace_get_nodes(base)->leaf_count,
           leaf_count, mc_trace_get_step_count(base), nodes_ms, maxima_ms, cpu_ms);
    fflush(stdout);
    bench->run_count = 0;
}

int main(int argc, char **argv) {
    bench_runs bench = bench_begin("regroup", argc > 1 ? argv[1] : "unknown");
    mc_generate_desc generate = {.leaf_count = 300000, .step_count = 30, .seed = 1};
    const char *const paths[] = {argc > 2 ? argv[2] : NULL};
    mc_import_desc import = {.paths = paths, .path_count = 1};
    mc_trace *trace;
    mc_result result = argc > 2 ? mc_import_trace(&import, &trace, NULL, NULL)
                                : mc_generate_trace(&generate, NULL, &trace, NULL);
    if (result != MC_OK) return 1;
    measure(&bench, trace, "type");
    measure(&bench, trace, "type,package");
    measure(&bench, trace, "package");
    mc_trace_destroy(trace);
    bench_end();
    return 0;
}
