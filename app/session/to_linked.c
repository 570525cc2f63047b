#include "app/session/to_linked.h"

#include "app/session/layout.h"
#include "app/session/linked.h"
#include "app/session/opening.h"
#include "app/session/selection.h"
#include "engine/base/memory.h"
#include <string.h>

static void change(mc_session *session, uint32_t row) {
    const mc_session_linked *linked = &session->linked;
    const mc_method_link_found *found = &mc_session_get_linked(session)->found;
    mc_session_want_moment(session, linked->dataset->trace,
                           row < found->count ? found->rows[row].node : MC_NONE);
    mc_session_open_linked(session);
}

void mc_session_show_linked(mc_session *session, uint32_t row) {
    const mc_session_linked *linked = &session->linked;
    if (linked->dataset && session->work.task != MC_SESSION_OPENING &&
        row < mc_session_get_linked(session)->found.count)
        change(session, row);
}

void mc_session_change_linked(mc_session *session) {
    if (!session->linked.dataset || session->work.task == MC_SESSION_OPENING) return;
    change(session, mc_session_get_selected(session) != MC_NONE ? 0 : MC_NONE);
}

void mc_session_go_to_linked(mc_session *session, uint32_t moment) {
    mc_session_linked *linked = &session->linked;
    if (!linked->dataset || session->work.task == MC_SESSION_OPENING) return;
    mc_session_want_moment(session, linked->dataset->trace, MC_NONE);
    linked->has_goal = true;
    linked->goal = moment;
    mc_session_open_linked(session);
}

// The earlier one of two that are as near.
static uint32_t find_step(const mc_trace *trace, int64_t time_ms) {
    uint32_t found = 0;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < mc_trace_get_step_count(trace); i++) {
        int64_t at = mc_trace_get_step(trace, i)->time_ms;
        uint64_t gap =
            at > time_ms ? (uint64_t)at - (uint64_t)time_ms : (uint64_t)time_ms - (uint64_t)at;
        if (gap >= least) continue;
        least = gap;
        found = i;
    }
    return found;
}

void mc_session_arrive_at_linked(mc_session *session) {
    mc_session_linked *linked = &session->linked;
    if (!linked->is_changing) return;
    linked->is_changing = false;
    if (linked->has_goal) return; // the history says what
    mc_playback_set_step(&session->playback, linked->wants_last
                                                 ? session->playback.last_step
                                                 : find_step(session->trace, linked->wanted_ms));
    session->playback.tween_elapsed_s = -1;
    mc_session_show_step(session);
    uint32_t node = MC_NONE;
    if (linked->wanted_key)
        node = mc_trace_find_node(session->trace, linked->wanted_key, strlen(linked->wanted_key));
    mc_free(linked->wanted_key);
    linked->wanted_key = NULL;
    if (node == MC_NONE) return;
    mc_session_select_node(session, node, true);
    mc_session_look_at(session, node, MC_VIEW_SHOW);
}
