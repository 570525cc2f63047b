#include "app/session/derived.h"

#include "app/session/chain.h"
#include "app/session/children.h"
#include "app/session/differences.h"
#include "app/session/held.h"
#include "app/session/linked.h"
#include "app/session/methods.h"
#include "app/session/references.h"
#include "app/session/roots.h"
#include "app/session/search.h"
#include "app/session/series.h"
#include "app/session/walk.h"
#include "app/session/whatif.h"
#include "engine/base/memory.h"

mc_result mc_session_begin_derived(mc_session *session, mc_error *error) {
    mc_result result = mc_session_begin_references(session, error);
    if (result == MC_OK) result = mc_session_begin_held(session, error);
    if (result == MC_OK) result = mc_session_begin_walk(session, error);
    if (result == MC_OK) result = mc_session_begin_chain(session, error);
    if (result == MC_OK) result = mc_session_begin_search(session, error);
    if (result == MC_OK) result = mc_session_begin_children(session, error);
    if (result == MC_OK) result = mc_session_begin_series(session, error);
    if (result == MC_OK) result = mc_session_begin_methods(session, error);
    if (result == MC_OK) result = mc_session_begin_whatif(session, error);
    if (result == MC_OK) result = mc_session_begin_roots(session, error);
    if (result == MC_OK) result = mc_session_begin_differences(session, error);
    if (result == MC_OK) result = mc_session_begin_linked(session, error);
    return result;
}

void mc_session_forget_derived(mc_session *session) {
    mc_session_forget_references(session);
    mc_session_forget_held(session);
    mc_session_forget_walk(session);
    mc_session_forget_chain(session);
    mc_session_forget_search(session);
    session->trail.count = session->trail.at = 0;
    mc_session_forget_children(session);
    mc_session_forget_whatif(session);
    mc_session_forget_roots(session);
    mc_session_forget_differences(session);
    mc_session_forget_linked(session);
}

void mc_session_end_derived(mc_session *session) {
    mc_session_end_references(session);
    mc_session_end_held(session);
    mc_session_end_search(session);
    mc_session_end_walk(session);
    mc_session_end_chain(session);
    mc_session_end_series(session);
    mc_session_end_methods(session);
    mc_free(session->trail.nodes);
    mc_session_end_children(session);
    mc_session_end_whatif(session);
    mc_session_end_roots(session);
    mc_session_end_differences(session);
    mc_session_end_linked(session);
}

void mc_session_sync_derived(mc_session *session) {
    mc_session_take_search(session);
    mc_session_sync_search(session);
    mc_session_take_walk(session);
    if (session->shown) mc_session_update_walk(session);
    mc_session_take_chain(session);
    mc_session_sync_chain(session);
    mc_session_take_references(session);
    mc_session_sync_references(session);
    mc_session_take_held(session);
    mc_session_sync_held(session);
    mc_session_take_children(session);
    mc_session_sync_children(session);
    mc_session_take_whatif(session);
    mc_session_sync_whatif(session);
    mc_session_take_methods(session);
    mc_session_sync_methods(session);
    mc_session_take_roots(session);
    mc_session_sync_roots(session);
    mc_session_take_differences(session);
    mc_session_sync_differences(session);
    mc_session_take_linked(session);
    mc_session_sync_linked(session);
    if (session->shown) session->view->kind->sync(session->view);
}

bool mc_session_is_deriving(const mc_session *session) {
    return mc_slot_is_busy(session->references.slot) || mc_slot_is_busy(session->held.slot) ||
           mc_slot_is_busy(session->walk.slot) || mc_slot_is_busy(session->chain.slot) ||
           session->view->kind->is_deriving(session->view) ||
           mc_slot_is_busy(session->search.slot) || mc_slot_is_busy(session->children.slot) ||
           mc_slot_is_busy(session->whatif.slot) || mc_slot_is_busy(session->roots.slot) ||
           mc_slot_is_busy(session->roots.trail_slot) || mc_slot_is_busy(session->methods.slot) ||
           mc_slot_is_busy(session->differences.slot) || mc_slot_is_busy(session->linked.slot) ||
           mc_slot_is_busy(session->suspect_series.slot) ||
           mc_slot_is_busy(session->selection_series.slot) ||
           mc_slot_is_busy(session->total_series.slot);
}
