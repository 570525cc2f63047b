#include "app/session/derived.h"

#include "app/session/frustums.h"
#include "app/session/references.h"
#include "app/session/search.h"
#include "app/session/styles.h"
#include "app/session/walk.h"
#include "engine/base/memory.h"

mc_result mc_session_begin_derived(mc_session *session, mc_error *error) {
    session->lit_row = MC_NONE;
    session->references.wanted.node = session->references.found.node = MC_NONE;
    mc_session_drop_frustums(session);
    session->search.current = session->search.wanted_row = MC_NONE;
    mc_result result = mc_job_create(session->desc->host.wake, &session->references.job, error);
    if (result == MC_OK)
        result = mc_job_create(session->desc->host.wake, &session->walk.job, error);
    if (result == MC_OK)
        result = mc_job_create(session->desc->host.wake, &session->styles.job, error);
    if (result != MC_OK) return result;
    session->walk.elapsed_s = -1;
    return mc_job_create(session->desc->host.wake, &session->search.job, error);
}

void mc_session_forget_city(mc_session *session) {
    mc_error error = {0};
    mc_session_end_search(session);
    mc_session_end_styles(session);
    mc_session_drop_frustums(session);
    if (mc_job_create(session->desc->host.wake, &session->search.job, &error) != MC_OK ||
        mc_job_create(session->desc->host.wake, &session->styles.job, &error) != MC_OK) {
        mc_session_fail(session, &error);
    }
}

void mc_session_forget_derived(mc_session *session) {
    mc_error error = {0};
    mc_session_end_references(session);
    mc_session_end_walk(session);
    session->trail.count = session->trail.at = 0;
    session->children.is_known = false;
    if (mc_job_create(session->desc->host.wake, &session->references.job, &error) != MC_OK ||
        mc_job_create(session->desc->host.wake, &session->walk.job, &error) != MC_OK) {
        mc_session_fail(session, &error);
    }
}

void mc_session_end_derived(mc_session *session) {
    mc_session_end_references(session);
    mc_session_end_search(session);
    mc_session_end_walk(session);
    mc_session_end_styles(session);
    mc_text_deinit(&session->walk.summary);
    for (size_t i = 0; i < MC_WALK_MOST_STOPS; i++) {
        mc_text_deinit(&session->walk.details[i]);
    }
    for (size_t i = 0; i < MC_SESSION_PLACE_COUNT; i++) {
        mc_text_deinit(&session->search.places[i]);
    }
    mc_session_drop_frustums(session);
    mc_free(session->trail.nodes);
    mc_free(session->children.nodes);
}

void mc_session_sync_derived(mc_session *session) {
    mc_session_take_search(session);
    mc_session_sync_search(session);
    mc_session_take_walk(session);
    if (session->city) mc_session_update_walk(session);
    mc_session_take_references(session);
    mc_session_sync_references(session);
    if (session->city) mc_session_sync_styles(session);
}
