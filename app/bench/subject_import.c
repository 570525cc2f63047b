// Reading JSON files with a warm page cache, turning them into an .mct file, opening that; and
// writing generated ones.
#include "app/bench/subjects.h"
#include "engine/base/clock.h"
#include "engine/store/mct/mct.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const mc_progress progress = {.report = mc_command_go_on};

static int write_files(const mc_bench_options *options, const char *directory, uint64_t *size) {
    mc_error error = {0};
    mc_command_catch_interrupts();
    mc_result result = mc_generate_files(&options->generate, directory, &progress, size, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

// ---- .mct files

static mc_result add_step(void *user, const mc_step_tree *tree, const char *source,
                          mc_error *error) {
    mc_result result = mc_mct_writer_add_step(user, tree, source, error);
    return result == MC_OK ? mc_mct_writer_commit(user, error) : result;
}

static mc_result add_references(void *user, const mc_reference_map *map,
                                mc_reference_direction direction, mc_error *error) {
    mc_result result = mc_mct_writer_add_references(user, map, direction, error);
    return result == MC_OK ? mc_mct_writer_commit(user, error) : result;
}

static mc_result add_referrers(void *user, const mc_step_referrers *referrers, mc_error *error) {
    mc_result result = mc_mct_writer_add_referrers(user, referrers, error);
    return result == MC_OK ? mc_mct_writer_commit(user, error) : result;
}

static mc_result add_paths(void *user, const mc_step_paths *paths, mc_error *error) {
    mc_result result = mc_mct_writer_add_paths(user, paths, error);
    return result == MC_OK ? mc_mct_writer_commit(user, error) : result;
}

static mc_result add_owners(void *user, const mc_step_owners *owners, mc_error *error) {
    mc_result result = mc_mct_writer_add_owners(user, owners, error);
    return result == MC_OK ? mc_mct_writer_commit(user, error) : result;
}

// From the files of `import`, or, if that is NULL, from the generator; as memcity import does it.
static mc_result write_mct(const mc_bench_options *options, const mc_import_desc *import,
                           const char *path, mc_import_report *report, mc_error *error) {
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = path};
    mc_result result = mc_mct_writer_create(&desc, &writer, error);
    mc_import_sink sink = {add_step, add_references, add_referrers, add_paths, add_owners, writer};
    if (result == MC_OK)
        result = import ? mc_import_steps(import, &sink, report, error)
                        : mc_generate_steps(&options->generate, &sink, &progress, error);
    if (result == MC_OK) result = mc_mct_writer_finish(writer, error);
    mc_mct_writer_destroy(writer);
    return result;
}

static double get_file_size(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (double)status.st_size : 0;
}

// ---- generate

static int generate_json(const mc_bench_options *options, double *size) {
    uint64_t written = 0;
    if (mkdir(options->directory, 0777) != 0 && errno != EEXIST) {
        mc_message_say("%s: %s", options->directory, strerror(errno));
        return MC_EXIT_FAILED;
    }
    int code = write_files(options, options->directory, &written);
    *size = (double)written;
    return code;
}

static int generate_mct(const mc_bench_options *options, double *size) {
    mc_error error = {0};
    mc_command_catch_interrupts();
    mc_result result = write_mct(options, NULL, options->mct, NULL, &error);
    *size = get_file_size(options->mct);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

int mc_bench_generate(const mc_bench_options *options, mc_bench_report *report) {
    double size = 0;
    if (options->path_count > 0 || !options->directory == !options->mct)
        return mc_command_wrong_usage("bench generate: say where to with --dir DIR or --mct FILE");
    mc_bench_report_begin(report, options->mct ? ".mct" : "AntTracks form");
    uint64_t begin_ns = mc_clock_now_ns();
    int code = options->mct ? generate_mct(options, &size) : generate_json(options, &size);
    if (code != MC_EXIT_OK) return code;
    mc_bench_series write = {0};
    mc_bench_series_add(&write, mc_bench_get_ms(begin_ns, mc_clock_now_ns()));
    mc_bench_report_parameter(report, "leaves", options->generate.leaf_count);
    mc_bench_report_parameter(report, "steps", options->generate.step_count);
    mc_bench_report_parameter(report, "seed", options->generate.seed);
    mc_bench_report_series(report, "write", &write);
    mc_bench_report_number(report, "output", size * 1e-6, "mb");
    mc_bench_report_end(report, MC_OK);
    return MC_EXIT_OK;
}

// ---- import

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

static int measure_import(const mc_bench_options *options, const mc_import_desc *desc,
                          mc_bench_report *report) {
    import_runs runs = {0};
    mc_trace *trace = NULL;
    malloc_trim(0);
    mc_bench_reset_peak();
    mc_bench_report_begin(report, "files to trace");
    int code = run_import(options, desc, &runs, &trace);
    if (code == MC_EXIT_OK && runs.wall.count > 0) {
        mc_bench_report_trace(report, options, trace);
        double import_ms = mc_bench_report_series(report, "import", &runs.wall);
        mc_bench_report_series(report, "cpu", &runs.cpu);
        mc_bench_report_number(report, "input", runs.input_bytes * 1e-6, "mb");
        mc_bench_report_number(report, "speed", runs.input_bytes * 1e-6 / import_ms, "gb_per_s");
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

static int measure_conversion(const mc_bench_options *options, const mc_import_desc *desc,
                              const char *path, mc_bench_report *report) {
    mc_bench_series times = {0};
    mc_error error = {0};
    mc_result result = MC_OK;
    mc_import_report input = {0};
    malloc_trim(0);
    mc_bench_reset_peak();
    mc_bench_report_begin(report, "files to .mct");
    mc_bench_loop loop = mc_bench_make_loop(options, 1, 5);
    while (result == MC_OK && mc_bench_loop_next(&loop)) {
        (void)unlink(path);
        uint64_t begin_ns = mc_clock_now_ns();
        result = write_mct(options, desc, path, &input, &error);
        mc_bench_loop_add(&loop, &times, begin_ns);
    }
    if (result == MC_OK && times.count > 0) {
        double input_mb = (double)input.input_bytes * 1e-6;
        mc_bench_report_parameter(report, "steps", input.step_count);
        double convert_ms = mc_bench_report_series(report, "convert", &times);
        mc_bench_report_number(report, "speed", input_mb / convert_ms, "gb_per_s");
        mc_bench_report_number(report, "output", get_file_size(path) * 1e-6, "mb");
        mc_bench_report_number(report, "peak", mc_bench_get_memory().peak_bytes * 1e-6, "mb");
    }
    mc_bench_report_end(report, result);
    mc_bench_series_deinit(&times);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

static int measure_opening(const mc_bench_options *options, const char *path,
                           mc_bench_report *report) {
    mc_bench_series times = {0};
    mc_error error = {0};
    mc_result result = MC_OK;
    mc_import_desc desc = {.paths = &path, .path_count = 1};
    mc_bench_report_begin(report, "open .mct");
    mc_bench_loop loop = mc_bench_make_loop(options, 1, 15);
    while (result == MC_OK && mc_bench_loop_next(&loop)) {
        mc_trace *trace = NULL;
        uint64_t begin_ns = mc_clock_now_ns();
        result = mc_import_trace(&desc, &trace, NULL, &error);
        mc_bench_loop_add(&loop, &times, begin_ns);
        mc_trace_destroy(trace);
    }
    mc_bench_report_series(report, "open", &times);
    mc_bench_report_end(report, result);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

static int measure_paths(const mc_bench_options *options, const char *const *paths,
                         uint32_t path_count, const char *mct_path, mc_bench_report *report) {
    mc_import_desc desc = {.paths = paths,
                           .path_count = path_count,
                           .skip_bad_steps = options->input.skip_bad_steps,
                           .progress = &progress};
    int code = measure_import(options, &desc, report);
    if (code == MC_EXIT_OK) code = measure_conversion(options, &desc, mct_path, report);
    if (code == MC_EXIT_OK) code = measure_opening(options, mct_path, report);
    (void)unlink(mct_path);
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
}

int mc_bench_import(const mc_bench_options *options, mc_bench_report *report) {
    const char *place = options->directory ? options->directory : "/tmp";
    mc_text directory = {0}, mct_path = {0};
    mc_bench_report_print_machine(report, options->commit, NULL, NULL);
    mc_command_catch_interrupts();
    mc_text_format(&directory, "%s/memcity-bench-XXXXXX", place);
    if (directory.failed || !mkdtemp(directory.data)) {
        mc_message_say("no folder can be made in %s: %s", place, strerror(errno));
        mc_text_deinit(&directory);
        return MC_EXIT_FAILED;
    }
    uint64_t size;
    const char *path = directory.data;
    bool is_generated = options->path_count == 0;
    mc_text_format(&mct_path, "%s.mct", path); // beside the folder, which is read as a trace
    int code = mct_path.failed ? MC_EXIT_FAILED : MC_EXIT_OK;
    if (code == MC_EXIT_OK && is_generated) code = write_files(options, path, &size);
    if (code == MC_EXIT_OK)
        code = measure_paths(options, is_generated ? &path : options->paths,
                             is_generated ? 1 : options->path_count, mct_path.data, report);
    if (is_generated) remove_files(path, options->generate.step_count);
    if (rmdir(path) != 0) mc_message_say("%s can't be removed: %s", path, strerror(errno));
    mc_text_deinit(&directory);
    mc_text_deinit(&mct_path);
    return code;
}
