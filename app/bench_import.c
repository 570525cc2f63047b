// Reading JSON files with a warm page cache, and writing them.
#include "app/bench.h"
#include "engine/base/clock.h"
#include "engine/import/import.h"
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool go_on(void *user, uint64_t done, uint64_t total) {
    (void)user;
    (void)done;
    (void)total;
    return !mc_command_is_interrupted();
}

static const mc_progress progress = {.report = go_on};

static int write_files(const mc_bench_options *options, const char *directory, uint64_t *size) {
    mc_error error = {0};
    mc_command_catch_interrupts();
    mc_result result = mc_generate_files(&options->generate, directory, &progress, size, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

int mc_bench_generate(const mc_bench_options *options, mc_bench_report *report) {
    uint64_t size;
    if (options->path_count > 0 || !options->directory)
        return mc_command_wrong_usage("bench generate: say where to with --dir DIR");
    if (mkdir(options->directory, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "memcity: %s: %s\n", options->directory, strerror(errno));
        return MC_EXIT_FAILED;
    }
    mc_bench_report_begin(report, "AntTracks form");
    uint64_t begin_ns = mc_clock_now_ns();
    int code = write_files(options, options->directory, &size);
    if (code != MC_EXIT_OK) return code;
    mc_bench_series write = {0};
    mc_bench_series_add(&write, mc_bench_get_ms(begin_ns, mc_clock_now_ns()));
    mc_bench_report_parameter(report, "leaves", options->generate.leaf_count);
    mc_bench_report_parameter(report, "steps", options->generate.step_count);
    mc_bench_report_parameter(report, "seed", options->generate.seed);
    mc_bench_report_series(report, "write", &write);
    mc_bench_report_number(report, "output", (double)size * 1e-6, "mb");
    mc_bench_report_end(report, MC_OK);
    mc_bench_series_deinit(&write);
    return MC_EXIT_OK;
}

typedef struct import_runs {
    mc_bench_series wall, cpu;
    double input_bytes, open_bytes; // open: anonymous memory beyond what was there before
} import_runs;

static int run_import(const mc_bench_options *options, const mc_import_desc *desc,
                      import_runs *runs, mc_trace **trace) {
    double before_bytes = mc_bench_get_memory().anonymous_bytes;
    mc_bench_loop loop = mc_bench_make_loop(options, 1, 7);
    while (mc_bench_loop_next(&loop)) {
        mc_import_report report;
        mc_error error = {0};
        mc_trace_destroy(*trace);
        *trace = NULL;
        double begin_cpu_s = mc_bench_get_cpu_s();
        uint64_t begin_ns = mc_clock_now_ns();
        if (mc_import_trace(desc, trace, &report, &error) != MC_OK) return mc_command_fail(&error);
        uint64_t end_ns = mc_clock_now_ns();
        runs->input_bytes = (double)report.input_bytes;
        runs->open_bytes = mc_bench_get_memory().anonymous_bytes - before_bytes;
        if (!mc_bench_loop_counts(&loop)) continue;
        mc_bench_series_add(&runs->wall, mc_bench_get_ms(begin_ns, end_ns));
        mc_bench_series_add(&runs->cpu, (mc_bench_get_cpu_s() - begin_cpu_s) * 1e3);
    }
    return MC_EXIT_OK;
}

static int measure_import(const mc_bench_options *options, const char *const *paths,
                          uint32_t path_count, mc_bench_report *report) {
    mc_import_desc desc = {.paths = paths,
                           .path_count = path_count,
                           .skip_bad_steps = options->input.skip_bad_steps,
                           .progress = &progress};
    import_runs runs = {0};
    mc_trace *trace = NULL;
    malloc_trim(0);
    mc_bench_reset_peak();
    mc_bench_report_begin(report, "files to trace");
    int code = run_import(options, &desc, &runs, &trace);
    if (code == MC_EXIT_OK && runs.wall.count > 0) {
        mc_bench_report_trace(report, options, trace);
        mc_bench_report_series(report, "import", &runs.wall);
        mc_bench_report_series(report, "cpu", &runs.cpu);
        mc_bench_report_number(report, "input", runs.input_bytes * 1e-6, "mb");
        mc_bench_report_number(report, "speed",
                               runs.input_bytes * 1e-6 / mc_bench_series_get_median(&runs.wall),
                               "gb_per_s");
        mc_bench_report_number(report, "columns", (double)mc_trace_memory_size(trace) * 1e-6, "mb");
        mc_bench_report_number(report, "heap", runs.open_bytes * 1e-6, "mb");
        mc_bench_report_number(report, "peak", mc_bench_get_memory().peak_bytes * 1e-6, "mb");
        mc_bench_report_end(report, MC_OK);
    }
    mc_trace_destroy(trace);
    mc_bench_series_deinit(&runs.wall);
    mc_bench_series_deinit(&runs.cpu);
    return code;
}

static void remove_files(const char *directory, uint32_t step_count) {
    mc_text path = {0};
    for (uint32_t step = 0; step < step_count; step++) {
        mc_text_clear(&path);
        mc_generate_append_path(directory, step, &path);
        if (!path.failed) (void)unlink(path.data);
    }
    mc_text_deinit(&path);
    if (rmdir(directory) != 0)
        fprintf(stderr, "memcity: %s can't be removed: %s\n", directory, strerror(errno));
}

int mc_bench_import(const mc_bench_options *options, mc_bench_report *report) {
    mc_bench_report_print_machine(report, options->commit, NULL, NULL);
    if (options->path_count > 0) {
        mc_command_catch_interrupts();
        return measure_import(options, options->paths, options->path_count, report);
    }
    mc_text directory = {0};
    mc_text_format(&directory, "%s/memcity-bench-XXXXXX",
                   options->directory ? options->directory : "/tmp");
    if (directory.failed || !mkdtemp(directory.data)) {
        fprintf(stderr, "memcity: no folder can be made in %s: %s\n",
                options->directory ? options->directory : "/tmp", strerror(errno));
        mc_text_deinit(&directory);
        return MC_EXIT_FAILED;
    }
    uint64_t size;
    const char *path = directory.data;
    int code = write_files(options, path, &size);
    if (code == MC_EXIT_OK) code = measure_import(options, &path, 1, report);
    remove_files(path, options->generate.step_count);
    mc_text_deinit(&directory);
    return code;
}
