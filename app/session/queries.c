#include "app/session/queries.h"

#include "app/session/cause_links.h"
#include "app/session/children.h"
#include "app/session/differences.h"
#include "app/session/gc_roots.h"
#include "app/session/linked.h"
#include "app/session/methods.h"
#include "app/session/properties.h"
#include "app/session/references.h"
#include "app/session/retaining_paths.h"
#include "app/session/search.h"
#include "app/session/series.h"
#include "app/session/unit.h"
#include "app/session/walk.h"
#include "app/session/what_if.h"
#include "engine/base/memory.h"

typedef struct query {
    const mc_question *question;
    void (*sync)(mc_session *session); // once a turn: says what is wanted; may be NULL
    // A new answer is there, or, if `error` is not NULL, can't be had. NULL: that is said, no more.
    void (*take)(mc_session *session, const mc_error *error);
    void (*forget)(mc_session *session); // before another trace; what it keeps beside the answer
    bool goes_on;                        // stays while a recording grows
    bool is_of_panels;                   // no picture shows it
} query;

// In the order in which they are synced: later ones may want what earlier ones have found.
static const query queries[MC_QUERY_COUNT] = {
    [MC_QUERY_SEARCH] = {.question = &mc_question_search,
                         .sync = mc_session_sync_search,
                         .take = mc_session_take_search,
                         .forget = mc_session_forget_search},
    [MC_QUERY_WALK] = {.question = &mc_question_walk,
                       .sync = mc_session_update_walk,
                       .take = mc_session_take_walk,
                       .forget = mc_session_forget_walk},
    [MC_QUERY_CAUSE_LINKS] = {.question = &mc_question_cause_links,
                              .sync = mc_session_sync_cause_links},
    [MC_QUERY_REFERENCES] = {.question = &mc_question_references,
                             .sync = mc_session_sync_references},
    [MC_QUERY_RETAINING_PATHS] = {.question = &mc_question_retaining_paths,
                                  .sync = mc_session_sync_retaining_paths},
    [MC_QUERY_CHILDREN] = {.question = &mc_question_children,
                           .sync = mc_session_sync_children,
                           .is_of_panels = true},
    [MC_QUERY_WHAT_IF] = {.question = &mc_question_what_if,
                          .sync = mc_session_sync_what_if,
                          .take = mc_session_take_what_if},
    [MC_QUERY_ROOT_GROUPS] = {.question = &mc_question_root_groups,
                              .sync = mc_session_sync_roots,
                              .take = mc_session_take_roots,
                              .forget = mc_session_forget_roots},
    [MC_QUERY_ROOT_PATH] = {.question = &mc_question_root_path,
                            .sync = mc_session_sync_root_path,
                            .take = mc_session_take_roots},
    [MC_QUERY_PROPERTIES] = {.question = &mc_question_properties,
                             .sync = mc_session_sync_properties},
    [MC_QUERY_UNITS] = {.question = &mc_question_units, .sync = mc_session_sync_units},
    [MC_QUERY_DIFFERENCES] = {.question = &mc_question_differences,
                              .sync = mc_session_sync_differences,
                              .take = mc_session_take_differences,
                              .is_of_panels = true},
    // Series are asked for when the layout or the selection changes (series.h).
    [MC_QUERY_SELECTION_SERIES] = {.question = &mc_question_series,
                                   .take = mc_session_take_selection_series,
                                   .goes_on = true,
                                   .is_of_panels = true},
    [MC_QUERY_TOTAL_SERIES] = {.question = &mc_question_series,
                               .take = mc_session_take_total_series,
                               .goes_on = true,
                               .is_of_panels = true},
    [MC_QUERY_SUSPECT_SERIES] = {.question = &mc_question_series,
                                 .take = mc_session_take_suspect_series,
                                 .goes_on = true,
                                 .is_of_panels = true},
    [MC_QUERY_METHODS] = {.question = &mc_question_methods,
                          .sync = mc_session_sync_methods,
                          .take = mc_session_take_methods,
                          .goes_on = true,
                          .is_of_panels = true},
    [MC_QUERY_LINKED] = {.question = &mc_question_linked,
                         .sync = mc_session_sync_linked,
                         .take = mc_session_take_linked,
                         .is_of_panels = true},
};

mc_result mc_session_begin_queries(mc_session *session, mc_error *error) {
    mc_result result = MC_OK;
    session->walk.elapsed_s = -1;
    session->hover.path_row = session->hover.link = session->hover.row = MC_NONE;
    session->search.current = session->search.at_node = session->search.wanted_row = MC_NONE;
    session->roots.objects_key.node = MC_NONE;
    for (uint32_t i = 0; i < MC_QUERY_COUNT && result == MC_OK; i++)
        result = mc_asked_create(queries[i].question, session->desc->host.wake, &session->asked[i],
                                 error);
    return result;
}

void mc_session_forget_queries(mc_session *session, bool goes_on) {
    for (uint32_t i = 0; i < MC_QUERY_COUNT; i++) {
        if (goes_on && queries[i].goes_on) continue;
        mc_asked_reset(session->asked[i]);
        if (queries[i].forget) queries[i].forget(session);
    }
    if (goes_on) return;
    mc_session_forget_suspects(session);
    session->suspects.wanted = 0;
    session->selection.history.count = session->selection.history.at = 0;
}

void mc_session_end_queries(mc_session *session) {
    for (uint32_t i = 0; i < MC_QUERY_COUNT; i++) {
        mc_asked_destroy(session->asked[i]);
        session->asked[i] = NULL;
    }
    mc_session_end_series(session);
    mc_session_end_linked(session);
    mc_free(session->selection.history.nodes);
}

static void take(mc_session *session, const query *row, const mc_error *error) {
    if (row->take) {
        row->take(session, error);
        return;
    }
    if (error) mc_session_miss(session, error);
    mc_session_redraw_found(session);
}

void mc_session_sync_queries(mc_session *session) {
    for (uint32_t i = 0; i < MC_QUERY_COUNT; i++) {
        mc_error error = {0};
        if (queries[i].is_of_panels && mc_session_is_pictured(session)) continue;
        mc_slot_outcome outcome = mc_asked_take(session->asked[i], &error);
        if (outcome != MC_SLOT_NOTHING)
            take(session, &queries[i], outcome == MC_SLOT_FAILED ? &error : NULL);
        if (queries[i].sync) queries[i].sync(session);
    }
    if (session->shown) session->view->kind->sync(session->view);
}

void mc_session_hold_queries(mc_session *session, bool is_held) {
    for (uint32_t i = 0; i < MC_QUERY_COUNT; i++)
        mc_asked_hold(session->asked[i], is_held);
    session->holds_queries = is_held;
}

bool mc_session_is_asking(const mc_session *session) {
    for (uint32_t i = 0; i < MC_QUERY_COUNT; i++)
        if (mc_asked_is_busy(session->asked[i])) return true;
    return session->view->kind->is_deriving(session->view);
}
