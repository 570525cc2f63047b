#include "app/bench/subjects.h"
#include "app/picture/picture_options.h"
#include "app/picture/stage.h"
#include <string.h>

#define BUDGET_S 15.0 // of one series

typedef struct bench_subject {
    const char *name;
    int (*run)(const mc_bench_options *options, mc_bench_report *report);
} bench_subject;

static const bench_subject subjects[] = {
    {"import", mc_bench_import}, {"layout", mc_bench_layout},         {"update", mc_bench_update},
    {"render", mc_bench_render}, {"highlights", mc_bench_highlights}, {"play", mc_bench_play},
    {"tree", mc_bench_tree},     {"generate", mc_bench_generate},     {"compare", mc_bench_compare},
};

static const bench_subject *find_subject(const char *name) {
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (strcmp(subjects[i].name, name) == 0) return &subjects[i];
    return NULL;
}

int mc_bench_open(const mc_bench_options *options, mc_trace **trace) {
    if (options->path_count > 0)
        return mc_command_open(options->paths, options->path_count, &options->input, trace);
    mc_error error = {0};
    mc_result result = mc_generate_trace(&options->generate, NULL, trace, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

mc_bench_loop mc_bench_make_loop(const mc_bench_options *options, uint32_t warm_up_count,
                                 uint32_t run_count) {
    bool is_said = options->run_count != MC_NONE;
    return (mc_bench_loop){.warm_up_count = warm_up_count,
                           .run_count = is_said ? options->run_count : run_count,
                           .budget_s = is_said ? 1e9 : BUDGET_S};
}

void mc_bench_report_trace(mc_bench_report *report, const mc_bench_options *options,
                           const mc_trace *trace) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_bench_report_parameter(report, "leaves", nodes->leaf_count);
    mc_bench_report_parameter(report, "nodes", nodes->count);
    mc_bench_report_parameter(report, "steps", mc_trace_get_step_count(trace));
    if (options->path_count == 0) mc_bench_report_parameter(report, "seed", options->generate.seed);
}

static void add_options(mc_option_list *list, mc_bench_options *options, double size[2],
                        uint32_t *metric, bool *json) {
    mc_option_list_add_uint(list, "leaves", &options->generate.leaf_count, "N",
                            "number of leaves of the generated trace (300000)");
    mc_option_list_add_uint(list, "steps", &options->generate.step_count, "T",
                            "number of steps of the generated trace (5)");
    mc_option_list_add_uint(list, "seed", &options->generate.seed, "S",
                            "random seed of the generated trace (1)");
    mc_option_list_add_uint(list, "renamed", &options->generate.renamed, "P",
                            "percentage of generated leaves with other names, for comparisons (0)");
    mc_option_list_add_size(list, "size", size, "size of pictures in pixels (1280x720)");
    mc_option_list_add_choice(list, "metric", metric, mc_metric_names, "M", "metric (bytes)");
    mc_option_list_add_uint(list, "runs", &options->run_count, "R",
                            "number of runs of each series, after warm-up");
    mc_option_list_add_file(
        list, "dir", &options->directory, "DIR",
        "import: folder of temporary files (/tmp); generate: folder to write to");
    mc_option_list_add_file(list, "mct", &options->mct, "FILE", "generate: .mct file to write");
    mc_option_list_add_string(list, "device", &options->device_name, "NAME",
                              "use the GPU whose name contains NAME");
    mc_option_list_add_rasterizer(list, &options->rasterizer);
    mc_option_list_add_file(list, "picture", &options->picture, "FILE",
                            "render, highlights: write the city as a PNG file");
    mc_option_list_add_string(list, "commit", &options->commit, "TEXT",
                              "commit under test, for the output");
    mc_option_list_add_flag(list, "json", json, "print JSON, one object per line");
    mc_option_list_add_input(list, &options->input);
}

static int check_generated(const mc_generate_desc *desc) {
    if (desc->leaf_count >= 1 && desc->leaf_count <= MC_GENERATE_MAX_LEAVES &&
        desc->step_count >= 1 && desc->step_count <= MC_GENERATE_MAX_STEPS && desc->renamed <= 100)
        return MC_EXIT_OK;
    if (desc->renamed > 100)
        return mc_command_wrong_usage("bench: --renamed: expected at most 100");
    return mc_command_wrong_usage("bench: a trace has 1 to %u leaves and 1 to %u steps",
                                  MC_GENERATE_MAX_LEAVES, MC_GENERATE_MAX_STEPS);
}

int mc_command_bench(int argc, const char **argv) {
    double size[2] = {1280, 720};
    uint32_t metric = MC_METRIC_BYTES;
    mc_bench_report report = {0};
    mc_bench_options options = {.generate = {.leaf_count = 300000, .step_count = 5, .seed = 1},
                                .run_count = MC_NONE};
    mc_option_list list = {0};
    add_options(&list, &options, size, &metric, &report.json);
    uint32_t count;
    int code;
    if (!mc_command_begin_counted(
            &list,
            "memcity bench import|layout|update|render|highlights|play|tree|generate|compare "
            "[TRACE…] "
            "[options]",
            "Measures import, layout, the update pass, rendering, playing and flat trees, on a "
            "trace or one\ngenerated from a seed: median, 95th percentile and minimum in "
            "milliseconds. `generate` writes the\ngenerated trace; `compare` prints how much two "
            "pictures differ.",
            0, MC_NONE, argc, argv, &count, &code))
        return code;
    const bench_subject *subject = count > 0 ? find_subject(argv[0]) : NULL;
    if (count == 0)
        return mc_command_wrong_usage(
            "bench: a subject is missing (import, layout, update, render, play, tree)");
    if (!subject)
        return mc_command_wrong_usage("bench: \"%s\" is not a subject (import, layout, update, "
                                      "render, highlights, play, tree, generate, compare)",
                                      argv[0]);
    code = check_generated(&options.generate);
    if (code == MC_EXIT_OK) code = mc_stage_check_size(size, &options.width, &options.height);
    if (code != MC_EXIT_OK) return code;
    options.paths = argv + 1;
    options.path_count = count - 1;
    options.metric = (mc_metric)metric;
    report.subject = subject->name;
    code = subject->run(&options, &report);
    if (code == MC_EXIT_OK && report.failed) {
        mc_message_say("out of memory");
        code = MC_EXIT_FAILED;
    }
    if (code == MC_EXIT_OK && mc_command_is_interrupted()) {
        mc_message_say("interrupted");
        code = MC_EXIT_FAILED;
    }
    mc_bench_report_deinit(&report);
    return code;
}
