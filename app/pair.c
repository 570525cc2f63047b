#include "app/pair.h"

#include "app/caption_text.h"
#include "app/format.h"
#include "app/node_text.h"
#include "app/subject_text.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define USUAL_ALIGNMENT "step"

// What the user says comes first.
mc_result mc_pair_add_folds(const mc_pair_options *options, mc_name_folds *folds, mc_error *error) {
    for (uint32_t i = 0; i < options->folds.count; i++) {
        mc_result result = mc_name_folds_add(folds, options->folds.items[i], error);
        if (result != MC_OK) return result;
    }
    return options->no_folds ? MC_OK : mc_name_folds_add_usual(folds, error);
}

mc_result mc_pair_check_align(const char *align, mc_error *error) {
    mc_versus_alignment alignment;
    if (!align[0] || mc_versus_alignment_parse(align, &alignment)) return MC_OK;
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "expected step, time, end, or a step of each trace, as in 3:12, found "
                   "\"%.100s\"",
                   align);
}

// "A:B", the first not behind the last; `window` NULL: nobody asks.
static mc_result read_window(const char *text, uint32_t window[2], mc_error *error) {
    mc_versus_alignment read;
    bool is_range = mc_versus_alignment_parse(text, &read) && read.kind == MC_ALIGN_PAIR &&
                    read.pair[0] <= read.pair[1];
    if (is_range && window) memcpy(window, read.pair, sizeof read.pair);
    if (is_range) return MC_OK;
    mc_fail(error, MC_ERROR_BAD_DATA,
            "expected the first and the last step, as in 3:12, found \"%.100s\"", text);
    return MC_ERROR_BAD_DATA;
}

bool mc_pair_get_window(const mc_pair_options *options, uint32_t side, uint32_t window[2]) {
    const char *said = options->windows[side];
    return said && read_window(said, window, NULL) == MC_OK;
}

void mc_pair_write_window(char text[MC_PAIR_WINDOW_SIZE], const uint32_t window[2]) {
    snprintf(text, MC_PAIR_WINDOW_SIZE, "%" PRIu32 ":%" PRIu32, window[0], window[1]);
}

mc_result mc_pair_check_options(const mc_pair_options *options, const char **option,
                                mc_error *error) {
    static const char *const names[] = {"--base-window", "--versus-window"};
    mc_name_folds folds = {.count = 0};
    *option = "--align";
    mc_result result = options->align ? mc_pair_check_align(options->align, error) : MC_OK;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES && result == MC_OK; side++) {
        *option = names[side];
        if (options->windows[side]) result = read_window(options->windows[side], NULL, error);
    }
    if (result != MC_OK) return result;
    *option = "--fold";
    result = mc_pair_add_folds(options, &folds, error);
    mc_name_folds_deinit(&folds);
    return result;
}

static mc_result fail_steps(const mc_trace *const sides[MC_VERSUS_SIDES], uint32_t side,
                            mc_error *error) {
    return mc_fail(error, MC_ERROR_BAD_DATA, "the %s trace has steps 0 to %" PRIu32,
                   side == MC_BEFORE ? "first" : "second",
                   mc_trace_get_step_count(sides[side]) - 1);
}

// What `desc` refers to.
typedef struct pair_steps {
    uint32_t windows[MC_VERSUS_SIDES][2], ends[MC_VERSUS_SIDES];
} pair_steps;

// Of a side whose steps nobody has chosen, most of the heap may be freed at the end: that hides
// what it is compared for. Whether it is depends on the side alone, not on the metric that is
// shown.
static uint32_t find_end(const mc_trace *side) {
    return mc_step_range_find_release(side, mc_trace_get_usual_metric(side));
}

static void choose_ends(const mc_pair_options *options, mc_versus_desc *desc, pair_steps *steps) {
    const mc_versus_alignment *alignment = &desc->alignment;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        uint32_t end = options->windows[side] ? MC_NONE : find_end(desc->sides[side]);
        bool is_asked_for = alignment->kind == MC_ALIGN_PAIR && alignment->pair[side] > end;
        if (end == MC_NONE || is_asked_for) continue;
        steps->ends[side] = end;
        desc->end[side] = &steps->ends[side];
    }
}

// As `windows`, which `desc` refers to.
static mc_result choose_windows(const mc_pair_options *options, mc_versus_desc *desc,
                                uint32_t windows[MC_VERSUS_SIDES][2], mc_error *error) {
    const mc_versus_alignment *alignment = &desc->alignment;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        if (!options->windows[side]) continue;
        mc_result result = read_window(options->windows[side], windows[side], error);
        if (result != MC_OK) return result;
        if (windows[side][1] >= mc_trace_get_step_count(desc->sides[side]))
            return fail_steps(desc->sides, side, error);
        bool is_within =
            alignment->kind != MC_ALIGN_PAIR || (alignment->pair[side] >= windows[side][0] &&
                                                 alignment->pair[side] <= windows[side][1]);
        if (!is_within)
            return mc_fail(error, MC_ERROR_BAD_DATA,
                           "step %" PRIu32 " of the %s trace is not in %s", alignment->pair[side],
                           side == MC_BEFORE ? "first" : "second", options->windows[side]);
        desc->window[side] = windows[side];
    }
    return MC_OK;
}

static mc_result check_steps(const mc_trace *const sides[MC_VERSUS_SIDES],
                             const mc_versus_alignment *alignment, mc_error *error) {
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        uint32_t count = mc_trace_get_step_count(sides[side]);
        if (alignment->kind == MC_ALIGN_PAIR && alignment->pair[side] >= count)
            return fail_steps(sides, side, error);
    }
    return MC_OK;
}

mc_result mc_pair_check_steps(const mc_trace *trace, const mc_versus_alignment *alignment,
                              mc_error *error) {
    const mc_trace *sides[] = {mc_versus_get_side(trace, MC_BEFORE),
                               mc_versus_get_side(trace, MC_AFTER)};
    return check_steps(sides, alignment, error);
}

static mc_result align(const mc_trace *const sides[MC_VERSUS_SIDES], const char *text,
                       mc_versus_alignment *alignment, mc_error *error) {
    mc_result result = mc_pair_check_align(text, error);
    if (result != MC_OK) return result;
    (void)mc_versus_alignment_parse(text[0] ? text : USUAL_ALIGNMENT, alignment);
    return check_steps(sides, alignment, error);
}

mc_result mc_pair_create(mc_trace *const sides[MC_VERSUS_SIDES], const mc_pair_options *options,
                         const char *align_text, bool owns_sides, mc_name_folds *folds,
                         const mc_progress *progress, mc_trace **trace, mc_error *error) {
    mc_name_folds own = {.count = 0};
    if (!folds) folds = &own;
    mc_versus_desc desc = {
        .sides = {sides[MC_BEFORE], sides[MC_AFTER]},
        .owned = {owns_sides ? sides[MC_BEFORE] : NULL, owns_sides ? sides[MC_AFTER] : NULL},
        .no_moves = options->no_moves,
        .has_before_places = options->has_before_places,
        .fold = mc_name_folds_apply,
        .user = folds};
    *trace = NULL;
    pair_steps steps;
    mc_result result = align(desc.sides, align_text, &desc.alignment, error);
    if (result == MC_OK) result = choose_windows(options, &desc, steps.windows, error);
    if (result == MC_OK) choose_ends(options, &desc, &steps);
    if (result == MC_OK) result = mc_pair_add_folds(options, folds, error);
    if (result == MC_OK) {
        result = mc_trace_versus(&desc, progress, trace, error);
    } else {
        mc_trace_destroy(desc.owned[MC_BEFORE]);
        mc_trace_destroy(desc.owned[MC_AFTER]);
    }
    if (result == MC_OK && folds->error.code != MC_OK) {
        if (error) *error = folds->error;
        result = folds->error.code;
        mc_trace_destroy(*trace);
        *trace = NULL;
    }
    mc_name_folds_deinit(&own);
    return result;
}

mc_metric mc_pair_get_plain(const mc_trace *trace, mc_metric metric) {
    return mc_trace_is_versus(trace) ? mc_versus_get_metric(trace, metric, MC_VERSUS_AFTER)
                                     : metric;
}

uint32_t mc_pair_count_metrics(const mc_trace *trace) {
    return mc_trace_is_versus(trace) ? mc_versus_get_metric_count(trace)
                                     : mc_trace_get_metric_count(trace);
}

void mc_pair_settle_city(const mc_trace *trace, mc_pair_show show, mc_city_desc *desc) {
    static const mc_versus_values values[MC_PAIR_SHOW_COUNT] = {MC_VERSUS_LARGER, MC_VERSUS_BEFORE,
                                                                MC_VERSUS_AFTER, MC_VERSUS_LARGER};
    desc->area_metric = mc_versus_get_metric(trace, desc->metric, MC_VERSUS_LARGER);
    desc->metric = mc_versus_get_metric(trace, desc->metric, values[show]);
    desc->is_double = show == MC_PAIR_BOTH;
}

mc_pair_show mc_pair_get_show(const mc_trace *trace, mc_metric metric) {
    if (metric == mc_versus_get_metric(trace, metric, MC_VERSUS_BEFORE)) return MC_PAIR_A;
    bool is_after = metric == mc_versus_get_metric(trace, metric, MC_VERSUS_AFTER);
    return is_after ? MC_PAIR_B : MC_PAIR_DIFFERENCE;
}

void mc_pair_append_names(const mc_pair_options *options, const char *before, const char *after,
                          mc_text *out) {
    const char *names[] = {before, after};
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        uint32_t window[2];
        mc_text_append_string(out, side == MC_BEFORE ? "A: " : "   B: ");
        mc_format_append_line(out, names[side], strlen(names[side]));
        if (mc_pair_get_window(options, side, window))
            mc_text_format(out, ", steps %" PRIu32 "–%" PRIu32, window[0], window[1]);
    }
}

void mc_pair_append_name(const mc_trace *trace, mc_metric shown, uint32_t node, mc_text *out) {
    mc_versus_move move;
    mc_node_append_name_line(trace, node, out);
    bool is_difference =
        mc_trace_is_versus(trace) && mc_pair_get_show(trace, shown) == MC_PAIR_DIFFERENCE;
    if (!is_difference || !mc_versus_find_move(trace, node, &move)) return;
    const mc_trace *before = mc_versus_get_side(trace, MC_BEFORE);
    mc_text is = {0}, was = {0};
    mc_node_append_name_line(trace, move.node, &is);
    mc_node_append_name_line(before, move.before_node, &was);
    bool is_renamed = !is.failed && !was.failed && strcmp(is.data, was.data) != 0;
    mc_text_append_string(out, move.node == node && is_renamed ? " (was " : " (was in ");
    uint32_t from = move.before_node;
    if (!is_renamed) from = mc_trace_get_nodes(before)->parent[from];
    mc_node_append_name_line(before, from, out);
    mc_text_append_string(out, ")");
    mc_text_deinit(&is);
    mc_text_deinit(&was);
}

static void append_step(const mc_trace *trace, mc_versus_side side, uint32_t step, mc_text *out) {
    const mc_trace *from = mc_versus_get_side(trace, side);
    uint32_t at = mc_versus_get_step(trace, side, step);
    char time[MC_FORMAT_SIZE];
    mc_text_format(out, "step %" PRIu32 " of 0–%" PRIu32 ", %s", at,
                   mc_trace_get_step_count(from) - 1,
                   mc_format_time(time, mc_trace_get_step(from, at)->time_ms));
}

mc_step_range mc_pair_get_range(const mc_trace *trace, mc_versus_side side) {
    return (mc_step_range){mc_versus_get_step(trace, side, 0),
                           mc_versus_get_step(trace, side, mc_versus_get_end(trace))};
}

uint32_t mc_pair_get_last(const mc_trace *trace, mc_versus_side side) {
    return mc_versus_get_step(trace, side, mc_trace_get_step_count(trace) - 1);
}

static bool leaves_out(const mc_trace *trace, mc_versus_side side) {
    return mc_pair_get_last(trace, side) != mc_pair_get_range(trace, side).last_step;
}

// The side goes on to its end, at which nothing much is freed.
static bool has_plain_end(const mc_trace *trace, mc_versus_side side) {
    const mc_trace *from = mc_versus_get_side(trace, side);
    return mc_pair_get_last(trace, side) == mc_trace_get_step_count(from) - 1 &&
           find_end(from) == MC_NONE;
}

bool mc_pair_ends_differ(const mc_trace *trace) {
    bool is_before = leaves_out(trace, MC_BEFORE), is_after = leaves_out(trace, MC_AFTER);
    return (is_before && has_plain_end(trace, MC_AFTER)) ||
           (is_after && has_plain_end(trace, MC_BEFORE));
}

void mc_pair_append_ends(const mc_trace *trace, const uint32_t at[MC_VERSUS_SIDES],
                         const char *const names[MC_VERSUS_SIDES], mc_text *out) {
    bool is_heap = mc_subject_is_heap(mc_versus_get_side(trace, MC_AFTER));
    const char *what = is_heap ? "before most of the heap was freed, as at a shutdown"
                               : "before most of it was gone";
    bool is_told[MC_VERSUS_SIDES];
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        is_told[side] = leaves_out(trace, (mc_versus_side)side) &&
                        at[side] == mc_pair_get_range(trace, (mc_versus_side)side).last_step;
    if (is_told[MC_BEFORE] && is_told[MC_AFTER]) {
        mc_text_format(out, "Both are compared %s: %s at step %" PRIu32 ", %s at step %" PRIu32 ".",
                       what, names[MC_BEFORE], at[MC_BEFORE], names[MC_AFTER], at[MC_AFTER]);
        return;
    }
    if (!is_told[MC_BEFORE] && !is_told[MC_AFTER]) return;
    mc_versus_side side = is_told[MC_BEFORE] ? MC_BEFORE : MC_AFTER;
    mc_versus_side other = side == MC_BEFORE ? MC_AFTER : MC_BEFORE;
    mc_text_format(out, "%s is compared at step %" PRIu32 ", %s", names[side], at[side], what);
    if (has_plain_end(trace, other) && at[other] == mc_pair_get_last(trace, other))
        mc_text_format(out, "; %s has no such end and is compared at its last step, %" PRIu32,
                       names[other], at[other]);
    mc_text_append_string(out, ".");
}

const char *const mc_pair_side_names[MC_VERSUS_SIDES] = {[MC_BEFORE] = "A", [MC_AFTER] = "B"};

void mc_pair_append_ends_at(const mc_trace *trace, uint32_t step, mc_text *out) {
    uint32_t at[] = {mc_versus_get_step(trace, MC_BEFORE, step),
                     mc_versus_get_step(trace, MC_AFTER, step)};
    mc_pair_append_ends(trace, at, mc_pair_side_names, out);
}

void mc_pair_append_end_note(const mc_trace *trace, uint32_t step, mc_text *out) {
    if (mc_trace_is_versus(trace) && step == mc_versus_get_end(trace) && mc_pair_ends_differ(trace))
        mc_pair_append_ends_at(trace, step, out);
}

void mc_pair_append_moment(const mc_trace *trace, mc_metric metric, uint32_t node, uint32_t step,
                           mc_text *out) {
    const mc_metric_info *info =
        mc_trace_get_metric(trace, mc_versus_get_metric(trace, metric, MC_VERSUS_AFTER));
    uint64_t words[MC_VERSUS_SIDES];
    char value[MC_FORMAT_SIZE];
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        mc_metric own = mc_versus_get_metric(trace, metric, (mc_versus_values)side);
        if (mc_trace_read_value(trace, step, own, node, &words[side], NULL) != MC_OK)
            words[side] = MC_COUNT_UNKNOWN;
        mc_text_format(out, side == MC_BEFORE ? "A %s, " : MC_CAPTION_SEPARATOR "B %s, ",
                       mc_format_value(value, info, words[side]));
        append_step(trace, (mc_versus_side)side, step, out);
    }
    if (words[MC_BEFORE] == MC_COUNT_UNKNOWN || words[MC_AFTER] == MC_COUNT_UNKNOWN) return;
    mc_text_append_string(out, MC_CAPTION_SEPARATOR);
    mc_format_append_growth(out, info,
                            (int64_t)(mc_metric_get_count(info, words[MC_AFTER]) -
                                      mc_metric_get_count(info, words[MC_BEFORE])));
}
