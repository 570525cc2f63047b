#include "app/session/chain.h"

#include "engine/base/memory.h"

typedef struct chain_task {
    const mc_trace *trace;
    mc_session_chain_query query;
    uint32_t stops[MC_WALK_MOST_STOPS];
    uint32_t stop_count;
    mc_joins joins;
} chain_task;

static void destroy_task(void *context) {
    chain_task *task = context;
    mc_joins_deinit(&task->joins);
    mc_free(task);
}

static mc_result run(void *context, void **state, const mc_progress *progress, mc_error *error) {
    chain_task *task = context;
    mc_link_finder *finder = *state;
    (void)progress;
    mc_result result = finder ? MC_OK : mc_link_finder_create(task->trace, &finder, error);
    *state = finder;
    if (result != MC_OK) return result;
    return mc_joins_make_chain(&task->joins, finder, task->query.step, task->stops,
                               task->stop_count, error);
}

static void destroy_finder(void *state) {
    mc_link_finder_destroy(state);
}

static bool queries_differ(const void *first, const void *second) {
    const mc_session_chain_query *a = first, *b = second;
    return a->request != b->request || a->step != b->step;
}

static const mc_session_chain_query none = {.step = MC_NONE};

mc_result mc_session_begin_chain(mc_session *session, mc_error *error) {
    static const mc_slot_kind kind = {sizeof(mc_session_chain_query), queries_differ, run,
                                      destroy_task, destroy_finder};
    return mc_slot_create(&kind, &none, session->desc->host.wake, &session->chain.slot, error);
}

void mc_session_sync_chain(mc_session *session) {
    const mc_session_walk *walk = &session->walk;
    mc_session_chain_query query = none;
    if (walk->is_shown && session->playback.step != walk->walk.desc.step)
        query = (mc_session_chain_query){walk->request, session->playback.step};
    if (!mc_slot_want(session->chain.slot, &query)) return;
    if (query.step == MC_NONE) {
        // Those that the walk itself has found.
        mc_slot_cancel(session->chain.slot);
        session->chain.is_known = false;
        session->chain.version++;
        mc_session_redraw(session);
        return;
    }
    chain_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) return;
    task->trace = session->trace;
    task->query = query;
    for (; task->stop_count < walk->walk.count && task->stop_count < MC_WALK_MOST_STOPS;
         task->stop_count++)
        task->stops[task->stop_count] = walk->walk.stops[task->stop_count].node;
    mc_slot_start(session->chain.slot, session->dataset, task);
}

void mc_session_take_chain(mc_session *session) {
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome = mc_slot_take(session->chain.slot, &taken, &error);
    if (outcome == MC_SLOT_NOTHING) return;
    chain_task *task = taken;
    if (outcome == MC_SLOT_FAILED) mc_session_set_message(session, error.message);
    mc_joins_deinit(&session->chain.joins);
    session->chain.joins = task->joins;
    session->chain.is_known = true;
    session->chain.version++;
    task->joins = (mc_joins){0};
    destroy_task(task);
    mc_session_redraw(session);
}

void mc_session_forget_chain(mc_session *session) {
    mc_slot_reset(session->chain.slot);
    mc_joins_deinit(&session->chain.joins);
    session->chain.is_known = false;
    session->chain.version++;
}

void mc_session_end_chain(mc_session *session) {
    mc_slot_destroy(session->chain.slot);
    session->chain.slot = NULL;
    mc_joins_deinit(&session->chain.joins);
}
