#include "app/session/grouping.h"

#include "engine/base/memory.h"
#include "engine/import/jvm/grouping.h"
#include "engine/trace/regroup/sliding_window.h"
#include <string.h>

// ---- datasets

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

mc_result mc_dataset_group(mc_dataset *dataset, const char *list, double frame_s,
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

mc_result mc_grouped_translate(const mc_grouped *grouped, const mc_dataset *dataset, uint32_t node,
                               uint32_t *found, mc_error *error) {
    *found = node;
    if (!grouped->dataset || node == MC_NONE) return MC_OK;
    return mc_trace_regroup_translate(dataset->trace, node, grouped->dataset->trace, found, error);
}

// ---- the settings

const mc_trace *mc_session_get_base_trace(const mc_session *session) {
    const mc_trace *trace = session->trace;
    return mc_trace_get_base(mc_trace_is_versus(trace) ? mc_versus_get_side(trace, MC_AFTER)
                                                       : trace);
}

bool mc_session_groups_dumps(const mc_session *session, const char *list) {
    mc_regrouping own;
    mc_grouping grouping;
    if (!session->dataset || !session->dataset->is_of_jvm || !list[0]) return false;
    return mc_regrouping_parse(mc_session_get_base_trace(session), list, &own, NULL) != MC_OK &&
           mc_grouping_parse(list, &grouping, NULL) == MC_OK;
}

mc_result mc_session_check_grouping(const mc_session *session, const char *list, mc_error *error) {
    mc_regrouping grouping;
    if (!session->trace || !list[0] || mc_session_groups_dumps(session, list)) return MC_OK;
    if (strlen(list) >= sizeof session->settings.group_by)
        return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                            "this list of classifiers is too long");
    return mc_regrouping_parse(mc_session_get_base_trace(session), list, &grouping, error);
}

void mc_session_want_grouping(mc_session *session, const char *list) {
    mc_error error = {0};
    if (mc_session_check_grouping(session, list, &error) == MC_OK)
        (void)mc_form_set_name(session->settings.group_by, sizeof session->settings.group_by, list);
    else
        mc_session_set_message(session, error.message);
}
