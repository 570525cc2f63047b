// bench_report.h - what `memcity bench` prints: series of timings as median, 95th percentile and
// minimum, in a table or as JSON, one object a line.
//
// The first object (or the table's head) says where and what was measured; each case says how many
// cores other programs used meanwhile, since a busy machine measures nothing. Threads: one.
#pragma once
#include "app/print/print.h"

// Values in milliseconds. Zero-initialise, add, deinit.
typedef struct mc_bench_series {
    double *values;
    size_t count, capacity;
} mc_bench_series;

void mc_bench_series_add(mc_bench_series *series, double value_ms); // dropped if memory is out
void mc_bench_series_deinit(mc_bench_series *series);
double mc_bench_series_get_median(mc_bench_series *series); // sorts; 0 if it is empty

static inline double mc_bench_get_ms(uint64_t begin_ns, uint64_t end_ns) {
    return (double)(end_ns - begin_ns) * 1e-6;
}

// Repetition: some runs to warm up, which don't count, then `run_count`, or fewer (but three) once
// `budget_s` seconds have passed.
typedef struct mc_bench_loop {
    uint32_t warm_up_count, run_count;
    double budget_s;
    uint32_t begun_count; // runs, warm-up included
    uint64_t begin_ns;
} mc_bench_loop;

bool mc_bench_loop_next(mc_bench_loop *loop); // is another run due? No, once interrupted
bool mc_bench_loop_counts(const mc_bench_loop *loop);
// Adds the time from `begin_ns` on, if the run counts.
void mc_bench_loop_add(const mc_bench_loop *loop, mc_bench_series *series, uint64_t begin_ns);
uint32_t mc_bench_loop_get_run(const mc_bench_loop *loop); // 0 is the first that counts

typedef struct mc_bench_report {
    bool json;
    mc_text line;   // of JSON
    mc_print print; // to it
    const char *subject, *name;
    bool has_begun; // the table's head is out
    double begin_busy_s, begin_own_s;
    uint64_t begin_ns;
    bool failed; // memory is out
} mc_bench_report;

// What is measured where; `commit` and `device` (with its driver) may be NULL.
void mc_bench_report_print_machine(mc_bench_report *report, const char *commit, const char *device,
                                   const char *driver);

// A case: begin before its runs, then its results, then end. Names of results are words that JSON
// keys are made of ("frame" becomes "frame_ms"). `unit` is appended to the key as it is.
void mc_bench_report_begin(mc_bench_report *report, const char *name);
// Also frees the series; returns its median, 0 if it is empty.
double mc_bench_report_series(mc_bench_report *report, const char *name, mc_bench_series *series);
void mc_bench_report_number(mc_bench_report *report, const char *name, double value,
                            const char *unit);
// In JSON only: what the case was about.
void mc_bench_report_parameter(mc_bench_report *report, const char *name, double value);
void mc_bench_report_end(mc_bench_report *report, mc_result result);

void mc_bench_report_deinit(mc_bench_report *report);

double mc_bench_get_cpu_s(void); // that this process has used so far, all threads

// From /proc; 0 where there is none. The peak counts mapped files as far as they were in memory.
typedef struct mc_bench_memory {
    double resident_bytes, anonymous_bytes, peak_bytes;
} mc_bench_memory;

mc_bench_memory mc_bench_get_memory(void);
void mc_bench_reset_peak(void); // the peak starts anew from what is resident now
