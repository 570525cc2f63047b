// bench_rows - how fast rows become an .mct file, and an .mct file rows: `bench_rows FOLDER [GROUPS
// [STEPS]]`, one JSON object a direction.
//
// Rows are made first (tab-separated, GROUPS at each step, 300,000 and 60 unless said) and lie in
// the folder, as does the trace; both go in the end. Rates are of wall time and of the processor
// time of all threads: on a machine with other work only the latter says much.
#include "engine/base/clock.h"
#include "engine/import/import.h"
#include "engine/store/mct/mct.h"
#include "engine/store/rows/row_writer.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static double get_cpu_time_s(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void print(const char *what, uint64_t rows, uint64_t wall_ns, double cpu_s) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double wall_s = (double)wall_ns / 1e9;
    printf("{\"bench\":\"%s\",\"rows\":%" PRIu64
           ",\"wall_s\":%.3f,\"cpu_s\":%.3f,\"rows_per_wall_s\":%.0f,\"rows_per_cpu_s\":%.0f,"
           "\"peak_mb\":%.0f}\n",
           what, rows, wall_s, cpu_s, (double)rows / wall_s, (double)rows / cpu_s,
           (double)usage.ru_maxrss / 1024);
}

static bool make_rows(const char *path, uint32_t group_count, uint32_t step_count) {
    FILE *file = fopen(path, "wbe");
    uint64_t state = 42;
    if (!file) return false;
    fputs("time\tpackage\ttype\tobjects\tbytes\n", file);
    for (uint32_t step = 0; step < step_count; step++)
        for (uint32_t group = 0; group < group_count; group++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            uint32_t objects = (uint32_t)(state >> 33) % 5000;
            fprintf(file, "%u\torg.example.service%u.model\tImmutableEntry%u\t%u\t%u\n",
                    step * 60000, group / 500, group, objects, objects * 24);
        }
    return fclose(file) == 0;
}

static mc_result add_step(void *user, const mc_step_tree *tree, const char *source,
                          mc_error *error) {
    return mc_mct_writer_add_step(user, tree, source, error);
}

static mc_result add_references(void *user, const mc_reference_map *map,
                                mc_reference_direction direction, mc_error *error) {
    return mc_mct_writer_add_references(user, map, direction, error);
}

static mc_result read_rows(const char *from, const char *to, mc_error *error) {
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc writer_desc = {.path = to, .sync = MC_MCT_SYNC_NEVER};
    mc_import_desc desc = {.paths = &from, .path_count = 1, .rows = {.is_stated = true}};
    mc_result result = mc_mct_writer_create(&writer_desc, &writer, error);
    mc_import_sink sink = {.add_step = add_step, .add_references = add_references, .user = writer};
    if (result == MC_OK) result = mc_import_steps(&desc, &sink, NULL, error);
    if (result == MC_OK) result = mc_mct_writer_finish(writer, error);
    mc_mct_writer_destroy(writer);
    return result;
}

static mc_result write_nowhere(void *user, const char *bytes, size_t size, mc_error *error) {
    (void)bytes;
    (void)error;
    *(uint64_t *)user += size;
    return MC_OK;
}

static mc_result write_rows(const char *from, uint64_t *row_count, mc_error *error) {
    mc_trace *trace = NULL;
    mc_row_layout layout = {0};
    mc_row_report report = {0};
    uint64_t size = 0;
    mc_mct_open_desc open = {.path = from};
    mc_result result = mc_mct_open(&open, &trace, NULL, error);
    if (result == MC_OK) result = mc_row_layout_create(&layout, trace, error);
    mc_row_desc desc = {.layout = &layout, .output = {write_nowhere, &size}};
    if (result == MC_OK) result = mc_rows_write(&desc, &report, error);
    *row_count = report.row_count;
    mc_row_layout_deinit(&layout);
    mc_trace_destroy(trace);
    return result;
}

int main(int argc, char **argv) {
    uint32_t group_count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 300000;
    uint32_t step_count = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 60;
    char rows[4096], trace[4096];
    mc_error error = {0};
    if (argc < 2 || group_count == 0 || step_count == 0) {
        fprintf(stderr, "usage: bench_rows FOLDER [GROUPS [STEPS]]\n");
        return 2;
    }
    snprintf(rows, sizeof rows, "%s/bench_rows.tsv", argv[1]);
    snprintf(trace, sizeof trace, "%s/bench_rows.mct", argv[1]);
    unlink(trace);
    uint64_t row_count = (uint64_t)group_count * step_count, written = 0;
    mc_result result = make_rows(rows, group_count, step_count) ? MC_OK : MC_ERROR_IO;
    double cpu_s = get_cpu_time_s();
    uint64_t begin_ns = mc_clock_now_ns();
    if (result == MC_OK) result = read_rows(rows, trace, &error);
    if (result == MC_OK)
        print("rows to mct", row_count, mc_clock_now_ns() - begin_ns, get_cpu_time_s() - cpu_s);
    cpu_s = get_cpu_time_s();
    begin_ns = mc_clock_now_ns();
    if (result == MC_OK) result = write_rows(trace, &written, &error);
    if (result == MC_OK)
        print("mct to rows", written, mc_clock_now_ns() - begin_ns, get_cpu_time_s() - cpu_s);
    if (result != MC_OK) fprintf(stderr, "%s\n", error.message);
    unlink(rows);
    unlink(trace);
    return result == MC_OK && written == row_count ? 0 : 1;
}
