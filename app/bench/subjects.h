// subjects.h - the subjects of `memcity bench`, and what they have in common.
//
// Threads: the main thread.
#pragma once
#include "app/bench/bench_report.h"
#include "app/bench/generate.h"
#include "app/command.h"

typedef struct mc_bench_options {
    mc_generate_desc generate; // what is measured where no paths are given
    const char *const *paths;
    uint32_t path_count;
    mc_input_options input;
    mc_metric metric;
    uint32_t width, height; // of pictures
    uint32_t run_count;     // MC_NONE: as many as the subject sees fit
    const char *directory;  // for files
    const char *mct;        // generate: the .mct file to write, or NULL
    const char *device_name;
    uint32_t rasterizer; // mc_rasterizer
    const char *picture; // render: the PNG file to write, or NULL
    const char *commit;  // what is measured, or NULL
} mc_bench_options;

// Each returns an exit code after saying what went wrong.
int mc_bench_generate(const mc_bench_options *options, mc_bench_report *report);
int mc_bench_import(const mc_bench_options *options, mc_bench_report *report);
int mc_bench_layout(const mc_bench_options *options, mc_bench_report *report);
int mc_bench_update(const mc_bench_options *options, mc_bench_report *report);
int mc_bench_highlights(const mc_bench_options *options, mc_bench_report *report);
int mc_bench_render(const mc_bench_options *options, mc_bench_report *report);
int mc_bench_compare(const mc_bench_options *options, mc_bench_report *report);
int mc_bench_tree(const mc_bench_options *options, mc_bench_report *report);
int mc_bench_play(const mc_bench_options *options, mc_bench_report *report);

// The generated trace, or the one that the options name.
int mc_bench_open(const mc_bench_options *options, mc_trace **trace);

// A subject's usual repetition, unless the options say how many runs.
mc_bench_loop mc_bench_make_loop(const mc_bench_options *options, uint32_t warm_up_count,
                                 uint32_t run_count);

// What every case was about: the size of the trace.
void mc_bench_report_trace(mc_bench_report *report, const mc_bench_options *options,
                           const mc_trace *trace);
