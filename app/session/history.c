#include "app/session/history.h"

#include "app/session/layout.h"
#include "app/session/selection.h"
#include "app/session/status_text.h"
#include "app/session/to_linked.h"
#include <math.h>
#include <string.h>

#define COALESCE_NS 1000000000u // changes of one kind within this time are one
#define POSE_EPSILON 1e-9

// What differs between two moments.
enum {
    CAMERA = 1,
    STEP = 2,
    SELECTION = 4,
    SETTINGS = 8,
    EXTENT = 16,
    OPENED = 32,
    DEMOLISHED = 64,
    LINKED = 128
};

void mc_session_get_moment(const mc_session *session, mc_session_moment *moment) {
    *moment = (mc_session_moment){.settings = session->settings};
    moment->settings.step = session->playback.step;
    moment->is_linked = session->linked.is_other;
    for (uint32_t i = 0; i < MC_VIEW_CAPACITY && session->views[i]; i++)
        session->views[i]->kind->note(session->views[i], &moment->settings);
}

static bool poses_differ(const mc_camera_pose *a, const mc_camera_pose *b) {
    double way = fabs(a->distance - b->distance);
    for (int i = 0; i < 3; i++) {
        way = fmax(way, fabs(a->target[i] - b->target[i]));
    }
    return way > POSE_EPSILON * (a->distance + b->distance) ||
           fabs(a->azimuth_rad - b->azimuth_rad) > POSE_EPSILON ||
           fabs(a->elevation_rad - b->elevation_rad) > POSE_EPSILON;
}

static uint32_t get_changes(const mc_session_moment *a, const mc_session_moment *b) {
    uint32_t changes = a->is_linked != b->is_linked ? LINKED : 0;
    // The whole city is framed anew when the window's shape changes; that is nobody's move.
    bool both_home = a->settings.is_home && b->settings.is_home;
    if (a->settings.is_home != b->settings.is_home ||
        (!both_home && poses_differ(&a->settings.pose, &b->settings.pose))) {
        changes |= CAMERA;
    }
    if (a->settings.step != b->settings.step) changes |= STEP;
    if (!mc_selection_equals(&a->settings.selection, &b->settings.selection)) changes |= SELECTION;
    if (mc_settings_differs(&a->settings, &b->settings, MC_USE_VIEW)) changes |= SETTINGS;
    if (a->settings.root_node != b->settings.root_node ||
        a->settings.layout.window[0] != b->settings.layout.window[0] ||
        a->settings.layout.window[1] != b->settings.layout.window[1]) {
        changes |= EXTENT;
    }
    if (!mc_selection_equals(&a->settings.tree_opened, &b->settings.tree_opened)) changes |= OPENED;
    if (!mc_selection_equals(&a->settings.demolished, &b->settings.demolished))
        changes |= DEMOLISHED;
    return changes;
}

static void finish(mc_session *session, const mc_session_moment *moment, bool at_once) {
    mc_playback_set_step(&session->playback, moment->settings.step);
    if (at_once) session->playback.tween_elapsed_s = -1;
    if (!mc_selection_equals(&moment->settings.selection, &session->settings.selection))
        mc_session_select_all(session, &moment->settings.selection, false);
    session->view->kind->go_to(session->view, &moment->settings, at_once);
    mc_session_redraw(session);
}

void mc_session_go_to(mc_session *session, const mc_session_moment *moment, bool at_once) {
    mc_settings *s = &session->settings;
    if (strcmp(s->group_by, moment->settings.group_by) != 0) session->work.is_numbered = true;
    uint32_t last = mc_trace_get_step_count(session->trace) - 1;
    mc_settings_move(s, s, &moment->settings, MC_USE_VIEW);
    s->layout.window[0] =
        moment->settings.layout.window[0] < last ? moment->settings.layout.window[0] : last;
    s->layout.window[1] =
        moment->settings.layout.window[1] < last ? moment->settings.layout.window[1] : last;
    s->root_node = moment->settings.root_node;
    s->tree_opened = moment->settings.tree_opened;
    s->demolished = moment->settings.demolished;
    session->history.absorbs = true;
    mc_session_sync_layout(session);
    session->history.has_pending = session->work.task != MC_SESSION_IDLE;
    if (session->history.has_pending) {
        session->history.pending = *moment;
        session->history.is_pending_at_once = at_once;
    } else {
        finish(session, moment, at_once);
    }
}

void mc_session_end_pending(mc_session *session, bool fits) {
    if (!session->history.has_pending) return;
    session->history.has_pending = false;
    if (fits) finish(session, &session->history.pending, session->history.is_pending_at_once);
}

void mc_session_resume_pending(mc_session *session) {
    mc_session_moment moment = session->history.pending;
    if (session->history.has_pending)
        mc_session_go_to(session, &moment, session->history.is_pending_at_once);
}

void mc_session_accept_extent(mc_session *session) {
    mc_session_history *history = &session->history;
    if (history->count == 0) return;
    mc_session_moment now;
    mc_session_get_moment(session, &now);
    mc_session_moment *last = &history->moments[history->at];
    last->settings.step = now.settings.step;
    last->settings.layout.window[0] = now.settings.layout.window[0];
    last->settings.layout.window[1] = now.settings.layout.window[1];
    last->settings.root_node = now.settings.root_node;
    history->absorbs = true; // the camera follows what has grown
}

void mc_session_forget_history(mc_session *session) {
    session->history.count = session->history.at = 0;
    session->history.absorbs = false;
    session->history.has_pending = false;
}

static void push(mc_session_history *history, const mc_session_moment *now) {
    uint32_t count = history->count > 0 ? history->at + 1 : 0; // what was undone is gone
    if (count == MC_SESSION_HISTORY_CAPACITY) {
        memmove(history->moments, history->moments + 1, (count - 1) * sizeof *history->moments);
        count--;
    }
    history->moments[count] = *now;
    history->at = count;
    history->count = count + 1;
}

// Notes what has changed since the last moment.
static void note(mc_session *session) {
    mc_session_history *history = &session->history;
    mc_session_moment now;
    mc_session_get_moment(session, &now);
    if (history->count == 0) {
        push(history, &now);
        return;
    }
    mc_session_moment *last = &history->moments[history->at];
    // A flight back ends where the camera lets it; that is no move of the user's either.
    if (history->absorbs) {
        last->settings.pose = now.settings.pose;
        last->settings.is_home = now.settings.is_home;
        history->absorbs = false;
    }
    // Time that goes by itself is no move of the user's.
    bool went_by = session->playback.playing || history->was_playing;
    if (went_by) last->settings.step = now.settings.step;
    history->was_playing = session->playback.playing;
    uint32_t changes = get_changes(last, &now);
    if (changes == 0) return;
    now.changes = changes;
    bool continues = changes == last->changes && (changes == CAMERA || changes == STEP) &&
                     session->turn.now_ns - history->last_ns < COALESCE_NS &&
                     history->at + 1 == history->count && history->at > 0;
    if (continues) {
        *last = now;
    } else {
        push(history, &now);
    }
    history->last_ns = session->turn.now_ns;
}

void mc_session_record(mc_session *session) {
    bool at_rest = session->shown && session->work.task == MC_SESSION_IDLE &&
                   !session->history.has_pending && !session->input.is_dragging &&
                   !session->input.is_button_down && !session->view->kind->is_flying(session->view);
    if (at_rest) note(session);
}

// To a neighbour: what differs becomes as it is there, and nothing that went by itself.
static void step_to(mc_session *session, uint32_t to) {
    mc_session_history *history = &session->history;
    const mc_session_moment *before = &history->moments[history->at],
                            *after = &history->moments[to];
    uint32_t changes = history->moments[to > history->at ? to : history->at].changes;
    if (before->is_linked != after->is_linked) {
        mc_session_go_to_linked(session, to);
        return;
    }
    // A moment's nodes are those of its own grouping.
    if (strcmp(before->settings.group_by, after->settings.group_by) != 0)
        changes |= SELECTION | EXTENT | OPENED | DEMOLISHED;
    mc_session_moment goal;
    mc_session_get_moment(session, &goal);
    mc_settings_move(&goal.settings, &before->settings, &after->settings, MC_USE_VIEW);
    if (changes & EXTENT) {
        goal.settings.root_node = after->settings.root_node;
        goal.settings.layout.window[0] = after->settings.layout.window[0];
        goal.settings.layout.window[1] = after->settings.layout.window[1];
    }
    if (changes & STEP) goal.settings.step = after->settings.step;
    if (changes & SELECTION) goal.settings.selection = after->settings.selection;
    if (changes & OPENED) goal.settings.tree_opened = after->settings.tree_opened;
    if (changes & DEMOLISHED) goal.settings.demolished = after->settings.demolished;
    if (changes & CAMERA) {
        goal.settings.pose = after->settings.pose;
        goal.settings.is_home = after->settings.is_home;
    }
    if (changes & STEP) session->playback.playing = false;
    mc_session_set_status_of_changes(session, to < history->at ? "Undone. " : "Redone. ",
                                     &before->settings, &after->settings);
    history->at = to;
    mc_session_go_to(session, &goal, false);
}

// As it was left, or first come to.
void mc_session_arrive_at_undone(mc_session *session) {
    mc_session_history *history = &session->history;
    mc_session_linked *linked = &session->linked;
    if (!linked->has_goal) return;
    linked->has_goal = false;
    if (linked->goal >= history->count ||
        history->moments[linked->goal].is_linked != linked->is_other)
        return;
    mc_session_moment goal = history->moments[linked->goal];
    history->at = linked->goal;
    mc_session_go_to(session, &goal, true);
}

void mc_session_undo(mc_session *session) {
    mc_session_history *history = &session->history;
    // What is still under way counts, too, unless it is the way of an undo before.
    if (!history->absorbs) note(session);
    if (history->count == 0 || history->at == 0) {
        mc_session_set_notice(session, "There is nothing to undo.");
        return;
    }
    step_to(session, history->at - 1);
}

void mc_session_redo(mc_session *session) {
    mc_session_history *history = &session->history;
    if (!history->absorbs) note(session);
    if (history->at + 1 >= history->count) {
        mc_session_set_notice(session, "There is nothing to redo.");
        return;
    }
    step_to(session, history->at + 1);
}
