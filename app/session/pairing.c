#include "app/session/pairing.h"

#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ---- datasets

// Of `dataset`, which is made of `pair`; its files are those of the first, as views name it.
static bool describe(mc_dataset *dataset, const mc_dataset_pair *pair) {
    const mc_dataset *before = pair->sides[MC_BEFORE], *after = pair->sides[MC_AFTER];
    mc_text name = {0};
    mc_pair_append_names(&pair->options, before->name ? before->name : "",
                         after->name ? after->name : "", &name);
    for (uint32_t i = 0; i < before->paths.count; i++) {
        const char *path = before->paths.items[i];
        if (!mc_form_texts_add(&dataset->paths, path, strlen(path))) name.failed = true;
    }
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        const mc_dataset_warnings *warnings = &pair->sides[side]->warnings;
        for (uint32_t i = 0; i < warnings->count; i++)
            mc_dataset_warnings_add(&dataset->warnings, warnings->texts[i]);
        dataset->warnings.all_count += warnings->all_count - warnings->count;
    }
    if (after->group_list) dataset->group_list = mc_copy_string(after->group_list);
    dataset->name = name.failed ? NULL : mc_copy_string(name.data);
    mc_text_deinit(&name);
    return dataset->name && (dataset->group_list || !after->group_list);
}

mc_result mc_dataset_make_pair(mc_dataset *before, mc_dataset *after,
                               const mc_pair_options *options, const char *align,
                               const mc_progress *progress, mc_dataset **made, mc_error *error) {
    *made = NULL;
    mc_trace *traces[MC_VERSUS_SIDES] = {before->trace, after->trace}, *trace = NULL;
    mc_dataset_pair *pair = mc_alloc_zero(1, sizeof *pair);
    if (!pair) return mc_error_out_of_memory(error);
    pair->sides[MC_BEFORE] = mc_dataset_hold(before);
    pair->sides[MC_AFTER] = mc_dataset_hold(after);
    pair->options = *options;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        uint32_t window[2];
        if (!mc_pair_get_window(options, side, window)) continue;
        mc_pair_write_window(pair->windows[side], window);
        pair->options.windows[side] = pair->windows[side];
    }
    (void)mc_form_set_name(pair->align, sizeof pair->align, align);
    mc_result result =
        mc_pair_create(traces, options, align, false, &pair->folds, progress, &trace, error);
    if (result == MC_OK && !(*made = mc_dataset_create(trace))) {
        result = mc_error_out_of_memory(error);
    } else if (result == MC_OK) {
        (*made)->pair = pair;
        if (describe(*made, pair)) return MC_OK;
        mc_dataset_release(*made);
        *made = NULL;
        return mc_error_out_of_memory(error);
    }
    mc_dataset_pair_destroy(pair);
    return result;
}

// ---- grouped otherwise

// Nothing comes from where it was.
static uint32_t *make_no_map(const mc_trace *trace) {
    uint32_t count = mc_trace_get_nodes(trace)->count;
    uint32_t *map = mc_alloc(count, sizeof *map);
    if (map) memset(map, 0xff, count * sizeof *map);
    return map;
}

// Where nothing was moved, both traces have the same places.
static bool is_placed_otherwise(const mc_dataset *dataset, const mc_layout_options *layout) {
    uint32_t move_count;
    (void)mc_versus_get_moves(dataset->trace, &move_count);
    bool has_before_places = mc_versus_has_before_places(dataset->trace);
    return move_count > 0 && has_before_places != (layout->pair == MC_PAIR_A);
}

static mc_result group_pair(mc_dataset *dataset, const char *list, double frame_s,
                            const mc_layout_options *layout, const mc_progress *progress,
                            mc_grouped *grouped, mc_error *error) {
    const mc_dataset_pair *pair = dataset->pair;
    mc_pair_options options = pair->options;
    bool is_elsewhere = is_placed_otherwise(dataset, layout);
    mc_grouped sides[MC_VERSUS_SIDES] = {{.dataset = NULL}};
    mc_dataset *held[MC_VERSUS_SIDES];
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < MC_VERSUS_SIDES && result == MC_OK; i++)
        result = mc_dataset_group(pair->sides[i], list, frame_s, NULL, progress, &sides[i], error);
    bool is_grouped = sides[MC_BEFORE].dataset || sides[MC_AFTER].dataset;
    for (uint32_t i = 0; i < MC_VERSUS_SIDES; i++)
        held[i] = sides[i].dataset ? sides[i].dataset : pair->sides[i];
    options.has_before_places = layout->pair == MC_PAIR_A;
    if (result == MC_OK && (is_grouped || is_elsewhere || strcmp(pair->align, layout->align) != 0))
        result = mc_dataset_make_pair(held[MC_BEFORE], held[MC_AFTER], &options, layout->align,
                                      progress, &grouped->dataset, error);
    if (result == MC_OK && grouped->dataset &&
        (is_grouped || options.has_before_places != pair->options.has_before_places)) {
        grouped->came_from = make_no_map(grouped->dataset->trace);
        if (!grouped->came_from) result = mc_error_out_of_memory(error);
    }
    for (uint32_t i = 0; i < MC_VERSUS_SIDES; i++)
        mc_grouped_deinit(&sides[i]);
    if (result != MC_OK) mc_grouped_deinit(grouped);
    return result;
}

mc_result mc_dataset_arrange(mc_dataset *dataset, const char *list, double frame_s,
                             const mc_layout_options *layout, const mc_trace *before,
                             const mc_progress *progress, mc_grouped *grouped, mc_error *error) {
    if (!dataset->pair)
        return mc_dataset_group(dataset, list, frame_s, before, progress, grouped, error);
    *grouped = (mc_grouped){.dataset = NULL};
    return group_pair(dataset, list, frame_s, layout, progress, grouped, error);
}

static mc_result translate(const mc_grouped *grouped, const mc_dataset *dataset, uint32_t node,
                           uint32_t *found, mc_error *error) {
    const mc_trace *from = dataset->trace, *to = grouped->dataset->trace;
    *found = grouped->came_from ? MC_NONE : node; // else nodes are what they were
    for (uint32_t i = MC_VERSUS_SIDES; *found == MC_NONE && i-- > 0;) {
        mc_versus_side side = (mc_versus_side)i;
        const mc_trace *was = mc_versus_get_side(from, side), *is = mc_versus_get_side(to, side);
        uint32_t at = mc_versus_get_node(from, side, node);
        if (at != MC_NONE && was != is) {
            mc_result result = mc_trace_regroup_translate(was, at, is, &at, error);
            if (result != MC_OK) return result;
        }
        if (at != MC_NONE) *found = mc_versus_find_node(to, side, at);
    }
    return MC_OK;
}

mc_result mc_arranged_translate(const mc_grouped *grouped, const mc_dataset *dataset, uint32_t node,
                                uint32_t *found, mc_error *error) {
    if (!dataset->pair || !grouped->dataset || node == MC_NONE)
        return mc_grouped_translate(grouped, dataset, node, found, error);
    return translate(grouped, dataset, node, found, error);
}

static bool is_aligned_otherwise(const mc_dataset *before, const mc_dataset *after) {
    return after && before->pair && after->pair &&
           strcmp(before->pair->align, after->pair->align) != 0;
}

void mc_pair_fit_window(const mc_dataset *before, const mc_dataset *after,
                        mc_layout_options *layout) {
    if (!is_aligned_otherwise(before, after)) return;
    // Who has asked for what is left out goes on with it.
    bool is_all = layout->window[1] > mc_versus_get_end(before->trace);
    layout->window[0] = 0;
    layout->window[1] =
        is_all ? mc_trace_get_step_count(after->trace) - 1 : mc_versus_get_end(after->trace);
}

uint32_t mc_pair_find_step(const mc_dataset *before, const mc_dataset *after, uint32_t step) {
    if (!is_aligned_otherwise(before, after)) return step;
    uint32_t end = mc_versus_get_end(after->trace), count = mc_trace_get_step_count(after->trace);
    bool is_behind = step > mc_versus_get_end(before->trace); // in what is left out
    uint32_t found = is_behind ? count : end + 1;
    uint32_t wanted = mc_versus_get_step(before->trace, MC_AFTER, step);
    while (found > 1 && mc_versus_get_step(after->trace, MC_AFTER, found - 1) > wanted)
        found--;
    return found - 1;
}

// ---- actions

void mc_session_show_next_of_pair(mc_session *session) {
    uint32_t *pair = &session->settings.layout.pair;
    *pair = (*pair + 1) % MC_PAIR_SHOW_COUNT;
    if (session->settings.view != 0 && *pair == MC_PAIR_BOTH) *pair = MC_PAIR_DIFFERENCE;
}

// As it is.
static void get_alignment(const mc_session *session, mc_versus_alignment *alignment) {
    const char *align = session->settings.layout.align;
    if (!mc_versus_alignment_parse(align, alignment))
        *alignment = (mc_versus_alignment){.kind = MC_ALIGN_STEP};
}

void mc_session_align(mc_session *session, const char *text) {
    static const char *const next[] = {[MC_ALIGN_END] = "step",
                                       [MC_ALIGN_STEP] = "time",
                                       [MC_ALIGN_TIME] = "end",
                                       [MC_ALIGN_PAIR] = "step"};
    mc_versus_alignment alignment;
    mc_error error = {0};
    get_alignment(session, &alignment);
    if (!text[0]) text = next[alignment.kind];
    mc_result result = mc_pair_check_align(text, &error);
    if (result == MC_OK && mc_trace_is_versus(session->trace)) {
        (void)mc_versus_alignment_parse(text, &alignment);
        result = mc_pair_check_steps(session->trace, &alignment, &error);
    }
    if (result == MC_OK && !mc_form_set_name(session->settings.layout.align, MC_ALIGN_SIZE, text))
        result = mc_error_set(&error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET, "this is too long");
    if (result != MC_OK) mc_session_set_message(session, error.message);
}

void mc_session_shift_alignment(mc_session *session, int by) {
    uint32_t step = session->playback.step;
    int64_t before = mc_versus_get_step(session->trace, MC_BEFORE, step);
    uint32_t after = mc_versus_get_step(session->trace, MC_AFTER, step);
    uint32_t count = mc_trace_get_step_count(mc_versus_get_side(session->trace, MC_BEFORE));
    char text[MC_ALIGN_SIZE];
    before += by;
    if (before < 0 || before >= count) {
        mc_session_set_notice(session, "A has no step there.");
        return;
    }
    snprintf(text, sizeof text, "%" PRIu32 ":%" PRIu32, (uint32_t)before, after);
    mc_session_align(session, text);
}
