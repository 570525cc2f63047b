// bench.h - what benchmarks share: repeated timing, median and 95th percentile, JSON on stdout.
//
// Use: bench_begin, then per measurement bench_start / bench_stop in a loop while bench_goes_on,
// then bench_report; bench_end. The first runs of each measurement warm up and don't count.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"

enum { BENCH_WARM_UP_COUNT = 3, BENCH_RUN_COUNT = 31 };

typedef struct bench_runs {
    double times_ms[BENCH_RUN_COUNT];
    int run_count; // warm-up included
    uint64_t started_ns;
    int result_count;
} bench_runs;

static inline void bench_print_machine(void) {
    char line[256], name[256] = "unknown";
    int core_count = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "processor", 9) == 0) core_count++;
        if (!colon || strncmp(line, "model name", 10) != 0) continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(colon + 2, "\"\\\n"), colon + 2);
    }
    if (file) fclose(file);
    printf("  \"machine\": {\"cpu\": \"%s\", \"cores\": %d},\n", name, core_count);
}

// `commit` names what was measured; the one argument of every benchmark.
static inline bench_runs bench_begin(const char *subject, const char *commit) {
    printf("{\n  \"benchmark\": \"%s\",\n  \"commit\": \"%s\",\n", subject, commit);
    bench_print_machine();
    printf("  \"compiler\": \"%s\",\n  \"results\": [", __VERSION__);
    return (bench_runs){0};
}

static inline int bench_goes_on(const bench_runs *bench) {
    return bench->run_count < BENCH_WARM_UP_COUNT + BENCH_RUN_COUNT;
}

static inline void bench_start(bench_runs *bench) {
    bench->started_ns = mc_clock_now_ns();
}

static inline void bench_stop(bench_runs *bench) {
    double time_ms = (double)(mc_clock_now_ns() - bench->started_ns) / 1e6;
    int run = bench->run_count++ - BENCH_WARM_UP_COUNT;
    if (run >= 0) bench->times_ms[run] = time_ms;
}

static inline int bench_compare_times(const void *a, const void *b) {
    const double *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

// `parameters` are further members of the JSON object.
static inline void bench_report(bench_runs *bench, const char *name, const char *parameters) {
    qsort(bench->times_ms, BENCH_RUN_COUNT, sizeof(double), bench_compare_times);
    printf("%s\n    {\"name\": \"%s\", %s, \"runs\": %d, \"median_ms\": %.4f, \"p95_ms\": %.4f}",
           bench->result_count++ > 0 ? "," : "", name, parameters, BENCH_RUN_COUNT,
           bench->times_ms[BENCH_RUN_COUNT / 2], bench->times_ms[BENCH_RUN_COUNT * 95 / 100]);
    fflush(stdout);
    bench->run_count = 0;
}

static inline void bench_end(void) {
    printf("\n  ]\n}\n");
}
