#include "app/report/report_pair.h"

#include "app/format.h"
#include "app/version.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include <string.h>

typedef struct draft {
    const mc_report_pair_desc *desc;
    mc_trace *trace; // both, which it owns
    mc_name_folds folds;
    mc_diff_desc wanted;
    mc_diff diff;
    mc_report_pair_pictures pictures;
    mc_report_pair page;
    char *names[MC_VERSUS_SIDES];
    mc_text title, classifiers;
} draft;

static void deinit(draft *d) {
    mc_report_pair_pictures_deinit(&d->pictures);
    mc_diff_deinit(&d->diff);
    mc_trace_destroy(d->trace);
    mc_name_folds_deinit(&d->folds);
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        mc_free(d->names[side]);
    mc_text_deinit(&d->title);
    mc_text_deinit(&d->classifiers);
}

static int join(draft *d, mc_trace *const sides[MC_VERSUS_SIDES]) {
    const mc_pair_options *pair = &d->desc->input->pair;
    mc_command_progress shown;
    mc_error error = {0};
    mc_progress progress = mc_command_begin_progress(&shown, "comparing");
    mc_result result = mc_pair_create(sides, pair, pair->align ? pair->align : "", true, &d->folds,
                                      &progress, &d->trace, &error);
    result = mc_command_end_progress(&shown, result, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

static int open_both(draft *d) {
    const mc_report_pair_desc *desc = d->desc;
    mc_trace *sides[MC_VERSUS_SIDES] = {NULL};
    mc_input_options input = *desc->input;
    input.is_compared = true;
    input.pair.versus = NULL; // each for itself, as the rules that folded names are to be told
    int code = mc_command_check_pair(&desc->input->pair);
    if (code == MC_EXIT_OK)
        code = mc_command_open(desc->paths, desc->path_count, &input, &sides[MC_BEFORE]);
    if (code == MC_EXIT_OK)
        code = mc_command_open(&desc->input->pair.versus, 1, &input, &sides[MC_AFTER]);
    if (code == MC_EXIT_OK) return join(d, sides);
    mc_trace_destroy(sides[MC_BEFORE]);
    return code;
}

// The same steps as the pictures: those that are beside each other at the window's ends.
static void choose_steps(draft *d, mc_step_range window) {
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        d->wanted.window[side] =
            (mc_step_range){mc_versus_get_step(d->trace, (mc_versus_side)side, window.first_step),
                            mc_versus_get_step(d->trace, (mc_versus_side)side, window.last_step)};
}

static bool name(draft *d) {
    const mc_report_pair_desc *desc = d->desc;
    d->names[MC_BEFORE] = mc_command_get_trace_name(desc->paths[0]);
    d->names[MC_AFTER] = mc_command_get_trace_name(desc->input->pair.versus);
    if (!d->names[MC_BEFORE] || !d->names[MC_AFTER]) return false;
    mc_pair_append_names(&desc->input->pair, d->names[MC_BEFORE], d->names[MC_AFTER], &d->title);
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(d->trace); i++) {
        size_t size;
        const char *classifier = mc_trace_get_classifier(d->trace, i, &size);
        mc_text_append_string(&d->classifiers, i > 0 ? " → " : "");
        mc_format_append_line(&d->classifiers, classifier, size);
    }
    return !d->title.failed && !d->classifiers.failed;
}

static int compare(draft *d) {
    mc_command_progress shown;
    mc_error error = {0};
    mc_progress progress = mc_command_begin_progress(&shown, "comparing");
    mc_result result = name(d) ? MC_OK : mc_error_out_of_memory(&error);
    if (result == MC_OK) result = mc_diff_compute(&d->wanted, &progress, &d->diff, &error);
    result = mc_command_end_progress(&shown, result, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

static void describe(draft *d, mc_step_range window) {
    const mc_report_pair_desc *desc = d->desc;
    d->page.report = (mc_report){.title = desc->title ? desc->title : d->title.data,
                                 .metric = d->wanted.metric,
                                 .info = mc_trace_get_metric(d->trace, d->wanted.metric),
                                 .first_step = window.first_step,
                                 .last_step = window.last_step,
                                 .step_count = mc_trace_get_step_count(d->trace),
                                 .classifiers = d->classifiers.data ? d->classifiers.data : "name",
                                 .trace = d->trace,
                                 .version = mc_version};
    mc_report_find_subject(&d->page.report, mc_versus_get_side(d->trace, MC_BEFORE));
    d->page.story = (mc_diff_story){.desc = &d->wanted,
                                    .diff = &d->diff,
                                    .names = {d->names[MC_BEFORE], d->names[MC_AFTER]},
                                    .folds = &d->folds,
                                    .most = desc->group_count};
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        d->page.story.sides[side] = mc_versus_get_side(d->trace, (mc_versus_side)side);
}

static int draw(draft *d, const mc_picture_options *picture, uint32_t step) {
    if (d->desc->no_pictures) return MC_EXIT_OK;
    int code = mc_report_pair_pictures_draw(&d->pictures, d->trace, picture, step);
    if (code != MC_EXIT_OK) mc_message_say("report: without Vulkan, --no-pictures writes the rest");
    d->page.pictures = &d->pictures;
    return code;
}

static int write_page(const draft *d) {
    mc_error error = {0};
    mc_text page = {0};
    mc_report_pair_append_page(&page, &d->page);
    mc_result result = page.failed ? mc_error_out_of_memory(&error)
                                   : mc_file_write(d->desc->output, page.data, page.size, &error);
    mc_text_deinit(&page);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

static int make(draft *d) {
    mc_picture_options picture = *d->desc->picture;
    mc_city_desc city;
    int code = open_both(d);
    if (code == MC_EXIT_OK)
        code = mc_command_get_city_desc(&picture.settings.layout, d->trace, &city);
    if (code != MC_EXIT_OK) return code;
    picture.settings.layout.window[0] = city.window.first_step;
    picture.settings.layout.window[1] = city.window.last_step;
    d->wanted = (mc_diff_desc){
        .trace = d->trace, .metric = mc_versus_get_metric(d->trace, city.metric, MC_VERSUS_AFTER)};
    choose_steps(d, city.window);
    code = compare(d);
    if (code != MC_EXIT_OK) return code;
    describe(d, city.window);
    code = draw(d, &picture, city.window.last_step);
    return code == MC_EXIT_OK ? write_page(d) : code;
}

int mc_report_pair_make(const mc_report_pair_desc *desc) {
    draft *d = mc_alloc_zero(1, sizeof *d);
    if (!d) {
        mc_error error = {0};
        mc_error_out_of_memory(&error);
        return mc_command_fail(&error);
    }
    d->desc = desc;
    int code = make(d);
    deinit(d);
    mc_free(d);
    return code;
}
