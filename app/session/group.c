#include "app/session/group.h"

#include "app/session/grouping.h"
#include "app/session/saved_view.h"
#include "engine/base/memory.h"
#include "engine/import/jvm/grouping.h"
#include "engine/trace/regroup/sliding_window.h"
#include <string.h>

// ---- heap dumps

// Everything but what is named by nodes stays as it is.
static void open_dumps(mc_session *session, const char *list) {
    mc_view_file snapshot;
    if (!mc_session_make_snapshot(session, &snapshot)) {
        mc_session_set_message(session, "Out of memory");
        return;
    }
    char **const keys[] = {&snapshot.selection, &snapshot.root};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        mc_free(*keys[i]);
        *keys[i] = NULL;
    }
    mc_form_texts_deinit(&snapshot.opened);
    mc_form_texts_deinit(&snapshot.demolished);
    (void)mc_form_set_name(snapshot.settings.group_by, sizeof snapshot.settings.group_by, list);
    mc_session_open_as(session, &snapshot);
}

void mc_session_sync_group(mc_session *session) {
    mc_settings *settings = &session->settings;
    char list[MC_SETTINGS_GROUP_SIZE];
    if (!session->shown || session->work.task == MC_SESSION_OPENING ||
        strcmp(settings->group_by, session->work.wanted.group_by) == 0 ||
        !mc_session_groups_dumps(session, settings->group_by))
        return;
    memcpy(list, settings->group_by, sizeof list);
    memcpy(settings->group_by, session->work.wanted.group_by, sizeof list);
    open_dumps(session, list);
}

// ---- all orders

static bool has(const mc_regrouping *grouping, uint32_t classifier) {
    for (uint32_t i = 0; i < grouping->count; i++)
        if (grouping->classifiers[i] == classifier) return true;
    return false;
}

// The next in the order of words whose letters are classifiers, none twice: a word goes before what
// it begins. False: it was the last.
static bool make_next(mc_regrouping *grouping, uint32_t count) {
    for (uint32_t next = 0; next < count && grouping->count < MC_REGROUP_MOST; next++) {
        if (has(grouping, next)) continue;
        grouping->classifiers[grouping->count++] = next;
        return true;
    }
    while (grouping->count > 0) {
        uint32_t next = grouping->classifiers[--grouping->count] + 1;
        while (next < count && has(grouping, next))
            next++;
        if (next == count) continue;
        grouping->classifiers[grouping->count++] = next;
        return true;
    }
    return false;
}

// By what the settings name; of none, or what the trace lacks, of count 0.
static mc_regrouping get_wanted(const mc_session *session) {
    mc_regrouping grouping = {.count = 0};
    const mc_trace *base = mc_session_get_base_trace(session);
    if (session->settings.group_by[0] &&
        mc_regrouping_parse(base, session->settings.group_by, &grouping, NULL) != MC_OK)
        grouping.count = 0;
    return grouping;
}

void mc_session_group_next(mc_session *session) {
    const mc_trace *base = mc_session_get_base_trace(session);
    mc_regrouping grouping = get_wanted(session);
    mc_text list = {0};
    while (make_next(&grouping, mc_trace_get_classifier_count(base)))
        if (!mc_regrouping_is_own(base, &grouping)) break; // that comes in the end
    mc_regrouping_append(base, &grouping, &list);
    bool is_own = list.failed || list.size == 0;
    mc_session_want_grouping(session, is_own ? "" : list.data);
    if (mc_trace_get_classifier_count(base) < 2)
        mc_session_set_notice(session, "This trace can't be grouped by anything else.");
    else if (is_own)
        mc_session_set_notice(session, "Grouped as it was opened");
    else
        mc_session_set_notice(session, "Grouped by %s", list.data);
    mc_text_deinit(&list);
}

// ---- what can be chosen

static mc_fact_classifier make_fact(const mc_trace *base, uint32_t classifier, bool is_chosen) {
    return (mc_fact_classifier){.name = mc_trace_get_classifier(base, classifier, NULL),
                                .is_chosen = is_chosen};
}

// What heap dumps can be asked for that the trace lacks; that takes reading them again.
static uint32_t add_of_dumps(const mc_session *session, mc_fact_classifier *classifiers,
                             uint32_t count, uint32_t capacity) {
    const mc_trace *base = mc_session_get_base_trace(session);
    mc_regrouping known;
    for (uint32_t i = 0; session->dataset->is_of_jvm && i < MC_GROUP_CRITERION_COUNT; i++) {
        const char *name = mc_group_classifiers[i];
        if (count == capacity || mc_regrouping_parse(base, name, &known, NULL) == MC_OK) continue;
        classifiers[count++] = (mc_fact_classifier){.name = name, .is_of_dumps = true};
    }
    return count;
}

uint32_t mc_session_fill_classifiers(mc_session *session, mc_fact_classifier *classifiers,
                                     uint32_t capacity) {
    const mc_trace *base = mc_session_get_base_trace(session);
    uint32_t all = mc_trace_get_classifier_count(base), count = 0;
    mc_regrouping chosen = get_wanted(session);
    if (chosen.count == 0 && mc_session_has_methods(session))
        chosen = mc_regrouping_of_methods(base, 0);
    for (uint32_t i = 0; chosen.count == 0 && i < all && i < MC_REGROUP_MOST; i++)
        chosen.classifiers[i] = i;
    if (chosen.count == 0) chosen.count = all < MC_REGROUP_MOST ? all : MC_REGROUP_MOST;
    for (uint32_t i = 0; i < chosen.count && count < capacity; i++)
        classifiers[count++] = make_fact(base, chosen.classifiers[i], true);
    for (uint32_t i = 0; i < all && count < capacity; i++)
        if (!has(&chosen, i)) classifiers[count++] = make_fact(base, i, false);
    return add_of_dumps(session, classifiers, count, capacity);
}
