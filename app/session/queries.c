#include "app/session/queries.h"

#include "app/session/cause_links.h"
#include "app/session/children.h"
#include "app/session/differences.h"
#include "app/session/gc_roots.h"
#include "app/session/linked.h"
#include "app/session/methods.h"
#include "app/session/references.h"
#include "app/session/retaining_paths.h"
#include "app/session/search.h"
#include "app/session/series.h"
#include "app/session/walk.h"
#include "app/session/what_if.h"
#include "engine/base/memory.h"

typedef struct query {
    const mc_question *question;
    void (*sync)(mc_session *session); // once a turn: says what is wanted; may be NULL
    // A new answer is there, or, if `error` is not NULL, can't be had.
    void (*take)(mc_session *session, const mc_error *error);
    void (*forget)(mc_session *session); // before another trace; what it keeps beside the answer
    void (*end)(mc_session *session);    // frees that
    bool goes_on;                        // stays while a recording grows
} query;

// In the order in which they are synced: later ones may want what earlier ones have found.
static const query queries[MC_QUERY_COUNT] = {
    [MC_QUERY_SEARCH] = {&mc_question_search, mc_session_sync_search, mc_session_take_search,
                         mc_session_forget_search, NULL},
    [MC_QUERY_WALK] = {&mc_question_walk, mc_session_update_walk, mc_session_take_walk,
                       mc_session_forget_walk, NULL},
    [MC_QUERY_CAUSE_LINKS] = {&mc_question_cause_links, mc_session_sync_cause_links,
                              mc_session_take_cause_links, NULL, NULL},
    [MC_QUERY_REFERENCES] = {&mc_question_references, mc_session_sync_references,
                             mc_session_take_references, NULL, NULL},
    [MC_QUERY_RETAINING_PATHS] = {&mc_question_retaining_paths, mc_session_sync_retaining_paths,
                                  mc_session_take_retaining_paths, NULL, NULL},
    [MC_QUERY_CHILDREN] = {&mc_question_children, mc_session_sync_children,
                           mc_session_take_children, NULL, NULL},
    [MC_QUERY_WHAT_IF] = {&mc_question_what_if, mc_session_sync_what_if, mc_session_take_what_if,
                          NULL, NULL},
    [MC_QUERY_ROOT_GROUPS] = {&mc_question_root_groups, mc_session_sync_roots,
                              mc_session_take_roots, mc_session_forget_roots, mc_session_end_roots},
    [MC_QUERY_ROOT_PATH] = {&mc_question_root_path, mc_session_sync_root_path,
                            mc_session_take_roots, NULL, NULL},
    [MC_QUERY_DIFFERENCES] = {&mc_question_differences, mc_session_sync_differences,
                              mc_session_take_differences, NULL, mc_session_end_differences},
    // Series are asked for when the layout or the selection changes (series.h).
    [MC_QUERY_SELECTION_SERIES] = {&mc_question_series, NULL, mc_session_take_selection_series,
                                   NULL, NULL, true},
    [MC_QUERY_TOTAL_SERIES] = {&mc_question_series, NULL, mc_session_take_total_series, NULL, NULL,
                               true},
    [MC_QUERY_SUSPECT_SERIES] = {&mc_question_series, NULL, mc_session_take_suspect_series, NULL,
                                 mc_session_end_series, true},
    [MC_QUERY_METHODS] = {&mc_question_methods, mc_session_sync_methods, mc_session_take_methods,
                          NULL, NULL, true},
    [MC_QUERY_LINKED] = {&mc_question_linked, mc_session_sync_linked, mc_session_take_linked, NULL,
                         mc_session_end_linked},
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
    session->selection.history.count = session->selection.history.at = 0;
}

void mc_session_end_queries(mc_session *session) {
    for (uint32_t i = 0; i < MC_QUERY_COUNT; i++) {
        mc_asked_destroy(session->asked[i]);
        session->asked[i] = NULL;
        if (queries[i].end) queries[i].end(session);
    }
    mc_free(session->selection.history.nodes);
}

void mc_session_sync_queries(mc_session *session) {
    for (uint32_t i = 0; i < MC_QUERY_COUNT; i++) {
        mc_error error = {0};
        mc_slot_outcome outcome = mc_asked_take(session->asked[i], &error);
        if (outcome != MC_SLOT_NOTHING)
            queries[i].take(session, outcome == MC_SLOT_FAILED ? &error : NULL);
        if (queries[i].sync) queries[i].sync(session);
    }
    if (session->shown) session->view->kind->sync(session->view);
}

bool mc_session_is_asking(const mc_session *session) {
    for (uint32_t i = 0; i < MC_QUERY_COUNT; i++)
        if (mc_asked_is_busy(session->asked[i])) return true;
    return session->view->kind->is_deriving(session->view);
}
