#include "app/format.h"
#include "app/incomplete_text.h"
#include "app/node_text.h"
#include "app/page/page_file.h"
#include "app/report/report_methods.h"
#include "app/report/report_page.h"
#include "app/report/report_pair.h"
#include "app/report/report_pictures.h"
#include "app/report/report_trees.h"
#include "app/subject_text.h"
#include "app/version.h"
#include "engine/analyze/cause_finder.h"
#include "engine/analyze/trend.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/trace/regroup/sliding_window.h"
#include <string.h>
#include <sys/stat.h>

#define MOST_SUSPECTS 100u

typedef struct report_options {
    const char *output, *title, *page;
    uint32_t suspect_count;
    bool no_pictures;
} report_options;

// What a page is made of.
typedef struct draft {
    mc_report report;
    mc_trace *trace;
    const mc_step_info **steps;
    uint64_t *totals; // one a step; NULL: the steps have them
    mc_text classifiers, note, incomplete;
    mc_text names[MOST_SUSPECTS], places[MOST_SUSPECTS];
    uint64_t *values; // of all suspects, one a step
    mc_report_suspect suspects[MOST_SUSPECTS];
    mc_report_methods methods;
    mc_causes causes;
    mc_report_pictures pictures;
    mc_report_trees trees;
} draft;

static void deinit(draft *d) {
    mc_report_methods_deinit(&d->methods);
    mc_causes_deinit(&d->causes);
    mc_report_trees_deinit(&d->trees);
    mc_trace_destroy(d->trace);
    mc_free(d->steps);
    mc_free(d->totals);
    mc_free(d->values);
    mc_text_deinit(&d->classifiers);
    mc_text_deinit(&d->note);
    mc_text_deinit(&d->incomplete);
    for (uint32_t i = 0; i < MOST_SUSPECTS; i++) {
        mc_text_deinit(&d->names[i]);
        mc_text_deinit(&d->places[i]);
        mc_property_answers_deinit(&d->suspects[i].properties);
    }
    mc_report_pictures_deinit(&d->pictures);
}

static void note_window(draft *d, mc_step_range window, bool was_asked_for) {
    uint32_t last = mc_trace_get_step_count(d->trace) - 1;
    if (window.first_step == 0 && window.last_step == last) return;
    if (!was_asked_for)
        mc_text_format(&d->note,
                       mc_subject_is_heap(d->trace)
                           ? "Most of the heap was freed after step %u, as at a shutdown, which "
                             "hides what grew before. "
                           : "Most of it was gone after step %u, which hides what grew before. ",
                       window.last_step);
    mc_text_format(&d->note, "This report is about steps %u to %u of 0 to %u.", window.first_step,
                   window.last_step, last);
}

static bool describe(draft *d, const mc_trace *trace, const mc_city_desc *desc) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t step_count = mc_trace_get_step_count(trace);
    // An array of pointers is what is wanted.
    d->steps = mc_alloc(step_count, sizeof *d->steps); // NOLINT(bugprone-sizeof-expression)
    if (!d->steps) return false;
    for (uint32_t i = 0; i < step_count; i++)
        d->steps[i] = mc_trace_get_step(trace, i);
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(trace); i++) {
        size_t size;
        const char *name = mc_trace_get_classifier(trace, i, &size);
        mc_text_append_string(&d->classifiers, i > 0 ? " → " : "");
        mc_format_append_line(&d->classifiers, name, size);
    }
    mc_report_find_subject(&d->report, trace);
    d->report.metric = desc->metric;
    d->report.info = mc_trace_get_metric(trace, desc->metric);
    d->report.is_uniform = desc->scaling == MC_SCALING_UNIFORM;
    d->report.is_elevated = desc->scaling == MC_SCALING_ELEVATION;
    d->report.first_step = desc->window.first_step;
    d->report.last_step = desc->window.last_step;
    d->report.step_count = step_count;
    d->report.steps = d->steps;
    d->report.classifiers = d->classifiers.data ? d->classifiers.data : "name";
    d->report.note = d->note.data;
    mc_incomplete_append_sentence(trace, desc->window.first_step, desc->window.last_step,
                                  &d->incomplete);
    d->report.incomplete = d->incomplete.data;
    d->report.group_count = mc_trace_get_input_node_count(trace);
    d->report.leaf_count = nodes->leaf_count;
    d->report.version = mc_version;
    return !d->classifiers.failed && !d->note.failed && !d->incomplete.failed;
}

// Of objects and bytes the steps know it.
static mc_result read_totals(draft *d, const mc_trace *trace, mc_error *error) {
    mc_result result = MC_OK;
    if (d->report.metric < MC_METRIC_FIRST_OWN) return MC_OK;
    d->totals = mc_alloc(d->report.step_count, sizeof *d->totals);
    if (!d->totals) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < d->report.step_count && result == MC_OK; i++)
        result = mc_trace_read_total(trace, i, d->report.metric, &d->totals[i], error);
    d->report.totals = d->totals;
    return result;
}

// 0 of what does not add up.
static double sum_growth(const mc_max_tree *tree, const mc_node_columns *nodes,
                         const mc_metric_info *info) {
    double sum = 0;
    for (uint32_t i = 0; info->is_additive && i < nodes->count; i++) {
        int64_t growth = nodes->child_count[i] == 0 ? mc_max_tree_get_growth(tree, i) : 0;
        if (growth > 0) sum += (double)growth;
    }
    return sum;
}

static mc_result find_properties(draft *d, const mc_trace *trace, uint32_t step, mc_error *error) {
    mc_property_source source = {.trace = trace};
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < d->report.suspect_count && result == MC_OK; i++)
        result = mc_property_answers_find(&source, (mc_property_key){d->suspects[i].node, step},
                                          &d->suspects[i].properties, error);
    mc_property_source_deinit(&source);
    return result;
}

static mc_result fill_suspects(draft *d, const mc_trace *trace, const mc_city_desc *desc,
                               const mc_max_tree *tree, const uint32_t *order, uint32_t most,
                               mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_trend trends[MOST_SUSPECTS];
    uint32_t count = 0;
    const mc_metric_info *info = d->report.info;
    bool is_single = desc->window.first_step == desc->window.last_step;
    while (
        count < most && count < nodes->leaf_count &&
        (is_single ? tree->last[order[count]] > 0 : mc_max_tree_get_growth(tree, order[count]) > 0))
        count++;
    uint32_t step_count = d->report.step_count;
    d->values = mc_alloc_zero((size_t)count * step_count + 1, sizeof *d->values);
    if (!d->values) return mc_error_out_of_memory(error);
    mc_result result = mc_trend_compute_nodes(trace, desc->metric, desc->window, order, count,
                                              trends, NULL, error);
    double all = sum_growth(tree, nodes, info);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        uint32_t node = order[i];
        uint64_t *values = d->values + (size_t)i * step_count;
        uint64_t sum = 0;
        for (uint32_t step = 0; step < step_count && result == MC_OK; step++) {
            result = mc_trace_read_value(trace, step, desc->metric, node, &values[step], error);
            values[step] = mc_metric_get_count(info, values[step]);
            if (step >= desc->window.first_step && step <= desc->window.last_step)
                sum += values[step] < MC_COUNT_MAX - sum ? values[step] : MC_COUNT_MAX - sum;
        }
        mc_node_append_name_line(trace, node, &d->names[i]);
        if (node > 0) mc_node_append_path_line(trace, nodes->parent[node], &d->places[i]);
        if (d->names[i].failed || d->places[i].failed) return mc_error_out_of_memory(error);
        int64_t growth = mc_max_tree_get_growth(tree, node);
        d->suspects[i] = (mc_report_suspect){.node = node,
                                             .name = d->names[i].data ? d->names[i].data : "",
                                             .place = d->places[i].data ? d->places[i].data : "",
                                             .first = tree->first[node],
                                             .last = tree->last[node],
                                             .max = tree->max[node],
                                             .sum = sum,
                                             .growth = growth,
                                             .growth_share = all > 0 ? (double)growth / all : 0,
                                             .values = values,
                                             .trend = trends[i]};
    }
    d->report.suspects = d->suspects;
    d->report.suspect_count = count;
    if (result == MC_OK && mc_trace_has_references(trace))
        result = find_properties(d, trace, desc->window.last_step, error);
    if (result != MC_OK) return result;
    mc_causes_desc causes = {.metric = desc->metric, .window = desc->window};
    d->report.why = (mc_why){
        .trace = trace, .causes = &d->causes, .limit = mc_why_get_limit(trace, desc->window)};
    return mc_causes_find(trace, &causes, NULL, &d->causes, error);
}

static mc_result find_suspects(draft *d, const mc_trace *trace, const mc_city_desc *desc,
                               uint32_t most, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_max_tree tree = {0};
    mc_command_progress shown;
    mc_progress progress = mc_command_begin_progress(&shown, "comparing steps");
    uint32_t *order = mc_alloc(nodes->leaf_count, sizeof *order);
    mc_result result = order ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK)
        result = mc_max_tree_compute(&tree, trace, desc->metric, desc->window, &progress, error);
    if (result == MC_OK) result = mc_max_tree_rank(&tree, nodes, order, error);
    result = mc_command_end_progress(&shown, result, error);
    if (result == MC_OK) result = fill_suspects(d, trace, desc, &tree, order, most, error);
    mc_max_tree_deinit(&tree);
    mc_free(order);
    return result;
}

static mc_result find_methods(draft *d, const mc_city_desc *desc, uint32_t most, mc_error *error) {
    d->report.methods = &d->methods;
    return mc_report_methods_find(&d->methods, d->trace, desc->metric, desc->window, most, error);
}

// Of one step a timeline would say nothing; and how high methods are does not add up.
static int draw_trees(draft *d, const mc_layout_options *layout) {
    if (d->report.first_step == d->report.last_step || d->report.methods) return MC_EXIT_OK;
    int code = mc_report_trees_draw(&d->trees, d->trace, layout, d->report.title);
    d->report.trees_light = d->trees.light.data;
    d->report.trees_dark = d->trees.dark.data;
    return code;
}

static int draw_pictures(draft *d, const mc_picture_options *picture) {
    mc_report *report = &d->report;
    mc_step_range window = {report->first_step, report->last_step};
    const mc_walk *walk = d->causes.count > 0 ? &d->causes.items[0].walk : &d->causes.largest;
    bool is_owned = d->causes.count > 0 && d->causes.items[0].owner.count > 1;
    bool has_walk = is_owned || (mc_trace_has_references(d->trace) && walk->count > 1);
    int code = mc_report_pictures_draw(&d->pictures, d->trace, picture, window, has_walk);
    report->pictures = d->pictures.items;
    report->picture_count = d->pictures.count;
    report->walk_picture = d->pictures.has_walk ? &d->pictures.walk : NULL;
    report->legend = &d->pictures.legend;
    return code;
}

static int write_page(draft *d, const char *path) {
    mc_error error = {0};
    mc_text page = {0};
    d->report.trace = d->trace;
    mc_report_append_page(&page, &d->report);
    mc_result result = page.failed ? mc_error_out_of_memory(&error)
                                   : mc_file_write(path, page.data, page.size, &error);
    mc_text_deinit(&page);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

static const char *get_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool find_folder(const char *path, struct stat *folder) {
    mc_text text = {0};
    mc_text_append(&text, path, (size_t)(get_name(path) - path));
    mc_text_append_string(&text, ".");
    bool is_there = !text.failed && stat(text.data, folder) == 0;
    mc_text_deinit(&text);
    return is_there;
}

static bool is_beside(const char *path, const char *other) {
    struct stat a, b;
    return find_folder(path, &a) && find_folder(other, &b) && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

// The city to walk through, which the report links to where both lie in one folder.
static int write_city(draft *d, const mc_city_desc *city, const report_options *options) {
    if (!options->page) return MC_EXIT_OK;
    mc_page_desc desc = {.trace = d->trace,
                         .city = *city,
                         .title = d->report.title,
                         .causes = d->report.methods ? NULL : &d->causes};
    if (is_beside(options->page, options->output)) d->report.page = get_name(options->page);
    return mc_page_write(&desc, options->page);
}

static int make(draft *d, const char *const *paths, uint32_t path_count,
                const mc_input_options *input, mc_picture_options *picture,
                const report_options *options) {
    mc_error error = {0};
    mc_city_desc desc;
    mc_input_options shown = *input;
    shown.groups_as_usual = true;
    int code = mc_command_open(paths, path_count, &shown, &d->trace);
    if (code != MC_EXIT_OK) return code;
    bool has_methods = mc_trace_get_frame_ms(d->trace) > 0;
    code = mc_command_get_city_desc(&picture->settings.layout, d->trace, &desc);
    if (code != MC_EXIT_OK) return code;
    uint32_t *window = picture->settings.layout.window;
    note_window(d, desc.window, window[0] != MC_NONE);
    // The pictures are about the same steps, without another word.
    window[0] = desc.window.first_step;
    window[1] = desc.window.last_step;
    d->report.is_glass = picture->settings.look.opacity_mode == MC_OPACITY_GLASS;
    bool ok = describe(d, d->trace, &desc);
    mc_result result = ok ? read_totals(d, d->trace, &error) : mc_error_out_of_memory(&error);
    if (result == MC_OK)
        result = has_methods ? find_methods(d, &desc, options->suspect_count, &error)
                             : find_suspects(d, d->trace, &desc, options->suspect_count, &error);
    if (result != MC_OK) return mc_command_fail(&error);
    code = draw_trees(d, &picture->settings.layout);
    if (code != MC_EXIT_OK) return code;

    if (!options->no_pictures) code = draw_pictures(d, picture);
    if (code != MC_EXIT_OK) {
        mc_message_say("report: without Vulkan, --no-pictures writes the rest");
        return code;
    }
    code = write_city(d, &desc, options);
    return code == MC_EXIT_OK ? write_page(d, options->output) : code;
}

int mc_command_report(int argc, const char **argv) {
    report_options options = {.suspect_count = 15};
    mc_input_options input = {0};
    mc_picture_options picture = mc_picture_options_default();
    picture.settings.look.names = true;
    mc_option_list list = {0};
    list.examples = "memcity report shop.mct -o shop.html\nmemcity report before.mct --versus "
                    "after.mct -o change.html";
    mc_option_list_add_file(&list, "o", &options.output, "FILE",
                            "HTML file to write, which may be a pipe or /dev/stdout");
    mc_option_list_add_uint(&list, "n", &options.suspect_count, "N",
                            "number of suspects or methods, at most 100 (15)");
    mc_option_list_add_string(&list, "title", &options.title, "TEXT",
                              "title of the page (the trace's name)");
    mc_option_list_add_file(&list, "page", &options.page, "FILE",
                            "also write the city as a page to walk through (memcity page), and "
                            "link to it from the report");
    mc_option_list_add_flag(&list, "no-pictures", &options.no_pictures,
                            "write only text and charts; needs no Vulkan");
    mc_option_list_add_picture(&list, &picture);
    mc_option_list_add_pair(&list, &input.pair, &picture.settings.layout);
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "pair");
    mc_option_list_hide(&list, "no-legend"); // there is none
    mc_option_list_hide(&list, "labels");    // as they are
    uint32_t path_count;
    int code;
    if (!mc_command_begin(
            &list,
            "memcity report TRACE… -o FILE.html [--window A:B] [--metric NAME] "
            "[-n N] [--versus TRACE] [options]",
            "Writes one self-contained HTML page: pictures of the city, the heap over time, what "
            "grew the most\nand what keeps it alive. Without --window, steps after most of the "
            "heap was freed, as at a\nshutdown, are left out. For methods it lists the highest in "
            "the last sliding window.\n\nWith --versus it reports the differences to another "
            "trace, B: pictures of the difference, of A\nand of B, and the groups that grew, "
            "shrank, are new, gone and moved at the last step of the time\nwindow, -n of each.",
            argc, argv, &path_count, &code))
        return code;
    if (!options.output) return mc_command_wrong_usage("report: -o FILE.html is missing");
    if (!mc_command_check_output(options.output, ".html")) return MC_EXIT_USAGE;
    if (options.page && !mc_command_check_output(options.page, ".html")) return MC_EXIT_USAGE;
    if (options.page && is_beside(options.page, options.output) &&
        strcmp(get_name(options.page), get_name(options.output)) == 0)
        return mc_command_wrong_usage("report: -o and --page are the same file");
    if (options.page && input.pair.versus)
        return mc_command_wrong_usage("report: --page is of one trace, --versus of two");
    if (options.suspect_count > MOST_SUSPECTS)
        return mc_command_wrong_usage("report: -n: expected at most %u", MOST_SUSPECTS);
    code = mc_picture_check(&picture);
    if (code != MC_EXIT_OK) return code;
    if (picture.settings.layout.pair != MC_PAIR_DIFFERENCE)
        return mc_command_wrong_usage(
            "report: --pair has no effect: the report shows the difference, A and B");
    if (!mc_command_check_writable(options.output)) return MC_EXIT_FAILED;
    if (options.page && !mc_command_check_writable(options.page)) return MC_EXIT_FAILED;
    mc_note_list none = {.items = NULL};
    if (input.pair.versus && input.notes) return mc_command_read_notes(&input, &none);
    if (input.pair.versus) {
        mc_report_pair_desc pair = {.paths = argv,
                                    .path_count = path_count,
                                    .input = &input,
                                    .picture = &picture,
                                    .output = options.output,
                                    .title = options.title,
                                    .group_count = options.suspect_count,
                                    .no_pictures = options.no_pictures};
        return mc_report_pair_make(&pair);
    }

    draft *d = mc_alloc_zero(1, sizeof *d);
    char *name = mc_command_get_title(argv, path_count, &input);
    if (!d || !name) {
        mc_error error = {0};
        mc_error_out_of_memory(&error);
        code = mc_command_fail(&error);
    } else {
        d->report.title = options.title ? options.title : name;
        code = make(d, argv, path_count, &input, &picture, &options);
        deinit(d);
    }
    mc_free(name);
    mc_free(d);
    return code;
}
