#include "app/answers/arrange.h"

#include "engine/base/memory.h"
#include "engine/trace/regroup/sliding_window.h"
#include <string.h>

// ---- by other classifiers

void mc_grouped_deinit(mc_grouped *grouped) {
    mc_dataset_release(grouped->dataset);
    mc_free(grouped->came_from);
    *grouped = (mc_grouped){.dataset = NULL};
}

static mc_dataset *get_base(mc_dataset *dataset) {
    return dataset->base ? dataset->base : dataset;
}

static mc_result make_dataset(mc_dataset *base, const mc_regrouping *grouping, bool is_listed,
                              const mc_trace *before, const mc_progress *progress,
                              mc_dataset **made, mc_error *error) {
    mc_trace *trace;
    mc_result result =
        mc_trace_regroup_next(base->trace, grouping, before, progress, &trace, error);
    if (result != MC_OK) return result;
    *made = mc_dataset_create_next(base, trace);
    if (!*made) return mc_error_out_of_memory(error);
    mc_text list = {0};
    mc_regrouping_append(base->trace, grouping, &list);
    (*made)->base = mc_dataset_hold(base);
    (*made)->grouping = *grouping;
    // By what methods are always grouped by needs no words.
    if (!is_listed) mc_text_deinit(&list);
    (*made)->group_list = list.failed ? NULL : list.data;
    if (!list.failed) return MC_OK;
    mc_text_deinit(&list);
    mc_dataset_release(*made);
    *made = NULL;
    return mc_error_out_of_memory(error);
}

static bool is_same(const mc_regrouping *a, const mc_regrouping *b) {
    return a->count == b->count && a->frame_ms == b->frame_ms &&
           memcmp(a->classifiers, b->classifiers, a->count * sizeof *a->classifiers) == 0;
}

static mc_result group(mc_dataset *dataset, const char *list, double frame_s,
                       const mc_trace *before, const mc_progress *progress, mc_grouped *grouped,
                       mc_error *error) {
    mc_dataset *base = get_base(dataset);
    mc_regrouping grouping = {.count = 0};
    *grouped = (mc_grouped){.dataset = NULL};
    if (list[0] && mc_regrouping_parse(base->trace, list, &grouping, error) != MC_OK)
        return MC_ERROR_BAD_DATA;
    bool is_listed = grouping.count > 0;
    if (frame_s > 0 && mc_trace_has_methods(base->trace)) {
        if (!is_listed) grouping = mc_regrouping_of_methods(base->trace, 0);
        grouping.frame_ms = frame_s * 1000;
    }
    if (grouping.count > 0 && mc_regrouping_is_own(base->trace, &grouping)) grouping.count = 0;
    if (is_same(&grouping, &dataset->grouping)) return MC_OK;
    mc_result result = MC_OK;
    if (grouping.count == 0)
        grouped->dataset = mc_dataset_hold(base);
    else
        result = make_dataset(base, &grouping, is_listed, before ? before : dataset->trace,
                              progress, &grouped->dataset, error);
    if (result == MC_OK)
        result = mc_trace_regroup_map(grouped->dataset->trace, dataset->trace, &grouped->came_from,
                                      error);
    if (result != MC_OK) mc_grouped_deinit(grouped);
    return result;
}

static mc_result translate_grouped(const mc_grouped *grouped, const mc_dataset *dataset,
                                   uint32_t node, uint32_t *found, mc_error *error) {
    *found = node;
    if (!grouped->dataset || node == MC_NONE) return MC_OK;
    return mc_trace_regroup_translate(dataset->trace, node, grouped->dataset->trace, found, error);
}

// ---- pairs

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

// ---- either

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
        result = group(pair->sides[i], list, frame_s, NULL, progress, &sides[i], error);
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
    if (!dataset->pair) return group(dataset, list, frame_s, before, progress, grouped, error);
    *grouped = (mc_grouped){.dataset = NULL};
    return group_pair(dataset, list, frame_s, layout, progress, grouped, error);
}

static mc_result translate_pair(const mc_grouped *grouped, const mc_dataset *dataset, uint32_t node,
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
        return translate_grouped(grouped, dataset, node, found, error);
    return translate_pair(grouped, dataset, node, found, error);
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
