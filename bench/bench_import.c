// bench_import - how fast traces are opened: `bench_import [--runs N] PATH...`, one JSON object.
//
// The first run is the warm-up: it fills the page cache, and the peak memory is measured behind it,
// so use one process a trace. It counts the pages of mapped files.
#include "engine/base/clock.h"
#include "engine/import/import.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define RUN_COUNT_MAX 1000

static int compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

static void write_line(void *user, mc_log_level level, const char *message) {
    (void)user;
    (void)level;
    fprintf(stderr, "%s\n", message);
}

static double get_cpu_time_s(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int main(int argc, char **argv) {
    int first = 1, run_count = 5;
    if (argc > 2 && strcmp(argv[1], "--runs") == 0) {
        run_count = atoi(argv[2]);
        first = 3;
    }
    if (argc <= first || run_count < 1 || run_count > RUN_COUNT_MAX) {
        fprintf(stderr, "usage: bench_import [--runs 1…%d] PATH...\n", RUN_COUNT_MAX);
        return 2;
    }
    mc_log log = {.write = write_line};
    mc_import_desc desc = {.paths = (const char *const *)argv + first,
                           .path_count = (uint32_t)(argc - first)};
    mc_import_report report = {0};
    double times_s[RUN_COUNT_MAX], cpu_times_s[RUN_COUNT_MAX];
    struct rusage usage = {0};
    size_t trace_size = 0;
    uint32_t node_count = 0;
    for (int run = -1; run < run_count; run++) {
        mc_trace *trace;
        mc_error error = {0};
        desc.log = run < 0 ? &log : NULL;
        double begin_cpu_s = get_cpu_time_s();
        uint64_t begin_ns = mc_clock_now_ns();
        if (mc_import_trace(&desc, &trace, &report, &error) != MC_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        if (run >= 0) {
            times_s[run] = (double)(mc_clock_now_ns() - begin_ns) * 1e-9;
            cpu_times_s[run] = get_cpu_time_s() - begin_cpu_s;
        } else {
            getrusage(RUSAGE_SELF, &usage);
        }
        trace_size = mc_trace_memory_size(trace);
        node_count = mc_trace_get_nodes(trace)->count;
        mc_trace_destroy(trace);
    }
    qsort(times_s, (size_t)run_count, sizeof *times_s, compare);
    qsort(cpu_times_s, (size_t)run_count, sizeof *cpu_times_s, compare);
    double median_s = times_s[run_count / 2];
    double p95_s = times_s[(run_count - 1) * 95 / 100];
    printf("{\"bench\":\"import\",\"path\":\"%s\",\"runs\":%d,\"steps\":%u,\"nodes\":%u,"
           "\"input_bytes\":%llu,\"trace_bytes\":%zu,\"median_ms\":%.2f,\"p95_ms\":%.2f,"
           "\"cpu_median_ms\":%.2f,\"gb_per_s\":%.3f,\"peak_rss_bytes\":%llu}\n",
           argv[first], run_count, report.step_count, node_count,
           (unsigned long long)report.input_bytes, trace_size, median_s * 1e3, p95_s * 1e3,
           cpu_times_s[run_count / 2] * 1e3, (double)report.input_bytes / median_s * 1e-9,
           (unsigned long long)usage.ru_maxrss * 1024);
    return 0;
}
