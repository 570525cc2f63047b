#include "app/bench/bench_report.h"

#include "app/command.h"
#include "app/version.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

// ---- series

void mc_bench_series_add(mc_bench_series *series, double value_ms) {
    if (mc_reserve(&series->values, &series->capacity, series->count + 1, sizeof *series->values))
        series->values[series->count++] = value_ms;
}

void mc_bench_series_deinit(mc_bench_series *series) {
    mc_free(series->values);
    *series = (mc_bench_series){0};
}

static int compare_values(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The value below which this share of the sorted series lies; of an even number of values the
// median is the mean of the two in the middle.
static double get_quantile(const mc_bench_series *series, double share) {
    double at = share * (double)(series->count - 1);
    size_t low = (size_t)floor(at), high = (size_t)ceil(at);
    return series->values[low] + (series->values[high] - series->values[low]) * (at - (double)low);
}

double mc_bench_series_get_median(mc_bench_series *series) {
    if (series->count == 0) return 0;
    qsort(series->values, series->count, sizeof *series->values, compare_values);
    return get_quantile(series, 0.5);
}

bool mc_bench_loop_next(mc_bench_loop *loop) {
    if (mc_command_is_interrupted()) return false;
    if (loop->begun_count == loop->warm_up_count) loop->begin_ns = mc_clock_now_ns();
    uint32_t counted =
        loop->begun_count > loop->warm_up_count ? loop->begun_count - loop->warm_up_count : 0;
    if (counted >= loop->run_count) return false;
    double elapsed_s = mc_bench_get_ms(loop->begin_ns, mc_clock_now_ns()) * 1e-3;
    if (counted >= 3 && elapsed_s > loop->budget_s) return false;
    loop->begun_count++;
    return true;
}

bool mc_bench_loop_counts(const mc_bench_loop *loop) {
    return loop->begun_count > loop->warm_up_count;
}

void mc_bench_loop_add(const mc_bench_loop *loop, mc_bench_series *series, uint64_t begin_ns) {
    if (mc_bench_loop_counts(loop))
        mc_bench_series_add(series, mc_bench_get_ms(begin_ns, mc_clock_now_ns()));
}

uint32_t mc_bench_loop_get_run(const mc_bench_loop *loop) {
    return mc_bench_loop_counts(loop) ? loop->begun_count - loop->warm_up_count - 1 : 0;
}

// ---- the machine

double mc_bench_get_cpu_s(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

// CPU time that all programs together have used.
static double get_busy_s(void) {
    unsigned long long user = 0, nice = 0, system = 0, idle, wait, hard = 0, soft = 0;
    FILE *file = fopen("/proc/stat", "r");
    if (!file) return 0;
    int count = fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle,
                       &wait, &hard, &soft);
    fclose(file);
    if (count != 7) return 0;
    return (double)(user + nice + system + hard + soft) / (double)sysconf(_SC_CLK_TCK);
}

// The number behind `name` in /proc/self/status, which is in KiB.
static double get_status_bytes(const char *text, const char *name) {
    const char *at = strstr(text, name);
    return at ? strtod(at + strlen(name), NULL) * 1024 : 0;
}

mc_bench_memory mc_bench_get_memory(void) {
    char text[4096];
    FILE *file = fopen("/proc/self/status", "r");
    if (!file) return (mc_bench_memory){0};
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    return (mc_bench_memory){.resident_bytes = get_status_bytes(text, "VmRSS:"),
                             .anonymous_bytes = get_status_bytes(text, "RssAnon:"),
                             .peak_bytes = get_status_bytes(text, "VmHWM:")};
}

void mc_bench_reset_peak(void) {
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (!file) return;
    fputs("5", file);
    fclose(file);
}

static void read_cpu_name(char *name, size_t size) {
    char line[256];
    snprintf(name, size, "unknown CPU");
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (!colon || strncmp(line, "model name", 10) != 0) continue;
        snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file) fclose(file);
}

// ---- output

static void begin_line(mc_bench_report *report) {
    mc_text_clear(&report->line);
    report->print = mc_print_to(&report->line, true, false);
    mc_print_begin_object(&report->print, NULL);
}

static void print_line(mc_bench_report *report) {
    mc_print_end_object(&report->print);
    mc_print_end(&report->print);
    if (report->line.failed)
        report->failed = true;
    else
        fputs(report->line.data, stdout);
    fflush(stdout);
}

void mc_bench_report_print_machine(mc_bench_report *report, const char *commit, const char *device,
                                   const char *driver) {
    char cpu[256];
    struct utsname kernel;
    read_cpu_name(cpu, sizeof cpu);
    uname(&kernel);
    long core_count = sysconf(_SC_NPROCESSORS_ONLN);
    double memory_bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (!report->json) {
        printf("memcity %s", mc_version);
        if (commit) printf(" (%s)", commit);
        printf(", %s, %ld cores", cpu, core_count);
        if (device) printf(", %s, %s", device, driver);
        printf("\n");
        return;
    }
    begin_line(report);
    MC_PRINT(
        &report->print, {"bench", mc_cell_text("machine")}, {"of", mc_cell_text(report->subject)},
        {"version", mc_cell_text(mc_version)}, {"commit", mc_cell_if(commit, mc_cell_text(commit))},
        {"compiler", mc_cell_text(__VERSION__)}, {"cpu", mc_cell_text(cpu)},
        {"cores", mc_cell_number(core_count)}, {"memory_bytes", mc_cell_decimal(memory_bytes, 0)},
        {"kernel", mc_cell_text(kernel.release)},
        {"device", mc_cell_if(device, mc_cell_text(device))},
        {"driver", mc_cell_if(device, mc_cell_text(driver))});
    print_line(report);
}

void mc_bench_report_begin(mc_bench_report *report, const char *name) {
    report->name = name;
    begin_line(report);
    MC_PRINT(&report->print, {"bench", mc_cell_text(report->subject)},
             {"case", mc_cell_text(name)});
    report->begin_busy_s = get_busy_s();
    report->begin_own_s = mc_bench_get_cpu_s();
    report->begin_ns = mc_clock_now_ns();
}

// A case is named in its first row.
static const char *take_name(mc_bench_report *report) {
    const char *name = report->name;
    report->name = "";
    return name;
}

static void write_series(mc_bench_report *report, const char *name, const mc_bench_series *series,
                         double median) {
    double p95 = get_quantile(series, 0.95), least = series->values[0];
    if (report->json) {
        char key[64];
        snprintf(key, sizeof key, "%s_ms", name);
        mc_print_put(&report->print, key,
                     MC_OBJECT({"median", mc_cell_decimal(median, 4)},
                               {"p95", mc_cell_decimal(p95, 4)}, {"min", mc_cell_decimal(least, 4)},
                               {"runs", mc_cell_count(series->count)}));
        return;
    }
    if (!report->has_begun)
        printf("%-28s %-14s %11s %11s %11s %5s\n", report->subject, "ms", "median", "p95", "min",
               "runs");
    report->has_begun = true;
    printf("%-28s %-14s %11.3f %11.3f %11.3f %5zu\n", take_name(report), name, median, p95, least,
           series->count);
}

double mc_bench_report_series(mc_bench_report *report, const char *name, mc_bench_series *series) {
    double median = mc_bench_series_get_median(series);
    if (series->count > 0) write_series(report, name, series, median);
    mc_bench_series_deinit(series);
    return median;
}

void mc_bench_report_number(mc_bench_report *report, const char *name, double value,
                            const char *unit) {
    char key[64];
    snprintf(key, sizeof key, "%s_%s", name, unit);
    if (report->json)
        mc_print_put(&report->print, key, mc_cell_real(value, 6));
    else
        printf("%-28s %-14s %11.3f %s\n", take_name(report), name, value, unit);
}

void mc_bench_report_parameter(mc_bench_report *report, const char *name, double value) {
    mc_print_put(&report->print, name, mc_cell_real(value, 15));
}

void mc_bench_report_end(mc_bench_report *report, mc_result result) {
    if (result != MC_OK || mc_command_is_interrupted()) return;
    double elapsed_s = mc_bench_get_ms(report->begin_ns, mc_clock_now_ns()) * 1e-3;
    double busy_s = get_busy_s() - report->begin_busy_s;
    double own_s = mc_bench_get_cpu_s() - report->begin_own_s;
    double others = elapsed_s > 0 && busy_s > own_s ? (busy_s - own_s) / elapsed_s : 0;
    // The kernel counts in hundredths of a second: short cases can't be judged.
    if (!report->json) {
        if (elapsed_s > 0.2 && others > 0.2)
            printf("%-28s other programs used %.1f cores meanwhile\n", "", others);
        fflush(stdout);
        return;
    }
    if (elapsed_s > 0.2) mc_print_put(&report->print, "others_cores", mc_cell_decimal(others, 2));
    print_line(report);
}

void mc_bench_report_deinit(mc_bench_report *report) {
    mc_text_deinit(&report->line);
}
