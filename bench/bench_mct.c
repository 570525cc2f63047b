// bench_mct - how fast .mct files are written, opened and read:
// `bench_mct [LEAVES STEPS [FILE]]`, one JSON object. FILE is made if it is not there, and kept.
//
// Reading runs in a process of its own, so that its peak memory is that of a program that shows the
// trace. Before each opening the file is dropped from the page cache, as far as the kernel allows.
#include "app/bench/generate.h"
#include "bench/bench.h"
#include "engine/city/city_layout.h"
#include "engine/store/mct/mct.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OPEN_COUNT = 7, SEEK_COUNT = 41 };

static void fail(const mc_error *error) {
    fprintf(stderr, "bench_mct: %s\n", error->message);
    exit(1);
}

static double get_time_ms(void) {
    return (double)mc_clock_now_ns() / 1e6;
}

static int compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void report(const char *name, double *times_ms, int count) {
    qsort(times_ms, (size_t)count, sizeof *times_ms, compare);
    printf(",\n  \"%s\": {\"median_ms\": %.3f, \"p95_ms\": %.3f}", name, times_ms[count / 2],
           times_ms[(count - 1) * 95 / 100]);
}

static double get_peak_mib(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static void drop_from_cache(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    fsync(file);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    close(file);
}

static void write_file(const char *path, uint32_t leaf_count, uint32_t step_count) {
    mc_generate_desc desc = {.leaf_count = leaf_count, .step_count = step_count, .seed = 1};
    mc_mct_writer_desc writer_desc = {.path = path};
    mc_generator *generator = NULL;
    mc_mct_writer *writer = NULL;
    mc_step_tree tree = {0};
    mc_error error = {0};
    if (mc_generator_create(&desc, &generator, &error) != MC_OK ||
        mc_mct_writer_create(&writer_desc, &writer, &error) != MC_OK)
        fail(&error);
    double *times_ms = malloc(step_count * sizeof *times_ms);
    if (!times_ms) exit(1);
    for (uint32_t step = 0; step < step_count; step++) {
        mc_generator_set_step(generator, step);
        if (mc_generator_fill_tree(generator, &tree, &error) != MC_OK) fail(&error);
        double begin_ms = get_time_ms();
        if (mc_mct_writer_add_step(writer, &tree, "generated", &error) != MC_OK ||
            mc_mct_writer_commit(writer, &error) != MC_OK)
            fail(&error);
        times_ms[step] = get_time_ms() - begin_ms;
    }
    double begin_ms = get_time_ms();
    if (mc_mct_writer_finish(writer, &error) != MC_OK) fail(&error);
    printf(",\n  \"finish_ms\": %.1f", get_time_ms() - begin_ms);
    report("write_step", times_ms, (int)step_count);
    printf(",\n  \"writer_peak_mib\": %.0f", get_peak_mib());
    free(times_ms);
    mc_mct_writer_destroy(writer);
    mc_generator_destroy(generator);
    mc_step_tree_deinit(&tree);
}

static mc_trace *open_file(const char *path) {
    mc_mct_open_desc desc = {.path = path};
    mc_trace *trace;
    mc_error error = {0};
    if (mc_mct_open(&desc, &trace, NULL, &error) != MC_OK) fail(&error);
    return trace;
}

static mc_city *lay_out(const mc_trace *trace) {
    mc_city_desc desc = mc_city_desc_default(trace);
    mc_city *city;
    mc_error error = {0};
    if (mc_city_create(trace, &desc, NULL, &city, &error) != MC_OK) fail(&error);
    return city;
}

static void bench_open(const char *path) {
    double open_ms[OPEN_COUNT], layout_ms[OPEN_COUNT], step_ms[OPEN_COUNT], all_ms[OPEN_COUNT];
    for (int run = 0; run < OPEN_COUNT; run++) {
        mc_error error = {0};
        drop_from_cache(path);
        double begin_ms = get_time_ms();
        mc_trace *trace = open_file(path);
        double opened_ms = get_time_ms();
        mc_city *city = lay_out(trace);
        double laid_out_ms = get_time_ms();
        uint64_t *values = malloc(mc_trace_get_nodes(trace)->count * sizeof *values);
        if (!values || mc_trace_read_column(trace, mc_trace_get_step_count(trace) / 2,
                                            MC_METRIC_BYTES, values, &error) != MC_OK)
            fail(&error);
        double end_ms = get_time_ms();
        open_ms[run] = opened_ms - begin_ms;
        layout_ms[run] = laid_out_ms - opened_ms;
        step_ms[run] = end_ms - laid_out_ms;
        all_ms[run] = end_ms - begin_ms;
        free(values);
        mc_city_destroy(city);
        mc_trace_destroy(trace);
    }
    report("open_cold", open_ms, OPEN_COUNT);
    report("layout_cold", layout_ms, OPEN_COUNT);
    report("first_step_cold", step_ms, OPEN_COUNT);
    report("first_picture_data_cold", all_ms, OPEN_COUNT);
}

static void bench_seek(const mc_trace *trace, uint64_t *values) {
    double random_ms[SEEK_COUNT], again_ms[SEEK_COUNT], series_ms[SEEK_COUNT];
    uint32_t step_count = mc_trace_get_step_count(trace);
    uint32_t node_count = mc_trace_get_nodes(trace)->count;
    mc_error error = {0};
    for (uint32_t i = 0; i < SEEK_COUNT; i++) {
        uint32_t step = i * 7919u % step_count, node = i * 104729u % node_count;
        double begin_ms = get_time_ms();
        if (mc_trace_read_column(trace, step, MC_METRIC_BYTES, values, &error) != MC_OK)
            fail(&error);
        double read_ms = get_time_ms();
        if (mc_trace_read_column(trace, step, MC_METRIC_BYTES, values, &error) != MC_OK)
            fail(&error);
        double read_again_ms = get_time_ms();
        for (uint32_t k = 0; k < step_count; k++)
            if (mc_trace_read_value(trace, k, MC_METRIC_BYTES, node, values, &error) != MC_OK)
                fail(&error);
        random_ms[i] = read_ms - begin_ms;
        again_ms[i] = read_again_ms - read_ms;
        series_ms[i] = get_time_ms() - read_again_ms;
    }
    report("seek_random", random_ms, SEEK_COUNT);
    report("read_cached", again_ms, SEEK_COUNT);
    report("series_of_a_node", series_ms, SEEK_COUNT);
}

static void bench_play(const mc_trace *trace, uint64_t *values) {
    uint32_t step_count = mc_trace_get_step_count(trace);
    double *times_ms = malloc(step_count * sizeof *times_ms);
    mc_error error = {0};
    if (!times_ms) exit(1);
    for (uint32_t step = 0; step < step_count; step++) {
        double begin_ms = get_time_ms();
        if (mc_trace_read_column(trace, step, MC_METRIC_BYTES, values, &error) != MC_OK)
            fail(&error);
        times_ms[step] = get_time_ms() - begin_ms;
    }
    report("play_step", times_ms, (int)step_count);
    free(times_ms);
    if (step_count < 3) return;
    mc_max_tree tree;
    double begin_ms = get_time_ms();
    mc_step_range window = {0, step_count - 2};
    if (mc_max_tree_compute(&tree, trace, MC_METRIC_BYTES, window, NULL, &error) != MC_OK)
        fail(&error);
    printf(",\n  \"scan_ms\": %.1f", get_time_ms() - begin_ms);
    mc_max_tree_deinit(&tree);
}

static void read_file(const char *path) {
    bench_open(path);
    mc_trace *trace = open_file(path);
    mc_city *city = lay_out(trace);
    uint64_t *values = malloc(mc_trace_get_nodes(trace)->count * sizeof *values);
    if (!values) exit(1);
    bench_seek(trace, values);
    bench_play(trace, values);
    printf(",\n  \"trace_mib\": %.1f,\n  \"reader_peak_mib\": %.0f",
           (double)mc_trace_memory_size(trace) / 1048576, get_peak_mib());
    free(values);
    mc_city_destroy(city);
    mc_trace_destroy(trace);
}

// In a process of its own, for the sake of its peak memory.
static void run_apart(void (*run)(const char *path, uint32_t leaf_count, uint32_t step_count),
                      const char *path, uint32_t leaf_count, uint32_t step_count) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        run(path, leaf_count, step_count);
        fflush(stdout);
        _exit(0);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) exit(1);
}

static void run_reader(const char *path, uint32_t leaf_count, uint32_t step_count) {
    (void)leaf_count;
    (void)step_count;
    read_file(path);
}

int main(int argc, char **argv) {
    uint32_t leaf_count = argc > 2 ? (uint32_t)atoi(argv[1]) : 300000;
    uint32_t step_count = argc > 2 ? (uint32_t)atoi(argv[2]) : 300;
    const char *path = argc > 3 ? argv[3] : "bench.mct";
    if (leaf_count == 0 || step_count == 0) {
        fprintf(stderr, "usage: bench_mct [LEAVES STEPS [FILE]]\n");
        return 2;
    }
    printf("{\n  \"benchmark\": \"mct\",\n");
    bench_print_machine();
    printf("  \"leaves\": %u,\n  \"steps\": %u", leaf_count, step_count);
    if (access(path, F_OK) != 0) run_apart(write_file, path, leaf_count, step_count);
    struct stat status;
    if (stat(path, &status) != 0) return 1;
    double value_count = 2.0 * leaf_count * step_count;
    printf(",\n  \"file_mib\": %.1f,\n  \"bytes_a_value\": %.3f", (double)status.st_size / 1048576,
           (double)status.st_size / value_count);
    run_apart(run_reader, path, leaf_count, step_count);
    printf("\n}\n");
    if (argc <= 3) unlink(path);
    return 0;
}
