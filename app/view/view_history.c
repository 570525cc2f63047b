#include "app/view/view_state.h"

#include <math.h>
#include <string.h>

#define COALESCE_NS 1000000000u // changes of one kind within this time are one
#define POSE_EPSILON 1e-9

// What differs between two moments.
enum { CAMERA = 1, STEP = 2, SELECTION = 4, SETTINGS = 8, EXTENT = 16 };

void mc_view_get_moment(const mc_view *view, mc_view_moment *moment) {
    *moment = (mc_view_moment){.wish = view->wish};
    moment->wish.step = view->playback.step;
    moment->wish.pose = view->camera.pose;
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

static uint32_t get_changes(const mc_view_moment *a, const mc_view_moment *b) {
    uint32_t changes = 0;
    // The whole city is framed anew when the window's shape changes; that is nobody's move.
    bool both_home = a->wish.is_home && b->wish.is_home;
    if (a->wish.is_home != b->wish.is_home ||
        (!both_home && poses_differ(&a->wish.pose, &b->wish.pose))) {
        changes |= CAMERA;
    }
    if (a->wish.step != b->wish.step) changes |= STEP;
    if (mc_selection_get(&a->wish.selection) != mc_selection_get(&b->wish.selection))
        changes |= SELECTION;
    if (mc_wish_differs(&a->wish, &b->wish, MC_USE_VIEW)) changes |= SETTINGS;
    if (a->wish.root_node != b->wish.root_node ||
        a->wish.layout.window[0] != b->wish.layout.window[0] ||
        a->wish.layout.window[1] != b->wish.layout.window[1]) {
        changes |= EXTENT;
    }
    return changes;
}

static void finish(mc_view *view, const mc_view_moment *moment, bool at_once) {
    mc_playback_set_step(&view->playback, moment->wish.step);
    if (at_once) view->playback.tween_elapsed_s = -1;
    uint32_t selected = mc_selection_get(&moment->wish.selection);
    if (selected != mc_view_get_selected(view)) mc_view_select_node(view, selected, false);
    if (moment->wish.is_home) {
        mc_view_frame_structure(view, MC_STRUCTURE_NONE, at_once);
    } else if (at_once) {
        mc_camera_set_pose(&view->camera, &moment->wish.pose);
    } else {
        mc_camera_move_to(&view->camera, &moment->wish.pose);
    }
    view->wish.is_home = moment->wish.is_home;
    mc_view_redraw(view);
}

void mc_view_go_to(mc_view *view, const mc_view_moment *moment, bool at_once) {
    mc_wish *s = &view->wish;
    uint32_t last = mc_trace_get_step_count(view->trace) - 1;
    mc_wish_move(s, s, &moment->wish, MC_USE_VIEW);
    s->layout.window[0] =
        moment->wish.layout.window[0] < last ? moment->wish.layout.window[0] : last;
    s->layout.window[1] =
        moment->wish.layout.window[1] < last ? moment->wish.layout.window[1] : last;
    s->root_node = moment->wish.root_node;
    view->comfort.history.absorbs = true;
    mc_view_sync_layout(view);
    view->comfort.has_pending = view->task != MC_VIEW_IDLE;
    if (view->comfort.has_pending) {
        view->comfort.pending = *moment;
        view->comfort.pending_at_once = at_once;
    } else {
        finish(view, moment, at_once);
    }
}

void mc_view_end_pending(mc_view *view, bool fits) {
    if (!view->comfort.has_pending) return;
    view->comfort.has_pending = false;
    if (fits) finish(view, &view->comfort.pending, view->comfort.pending_at_once);
}

void mc_view_accept_extent(mc_view *view) {
    mc_view_history *history = &view->comfort.history;
    if (history->count == 0) return;
    mc_view_moment now;
    mc_view_get_moment(view, &now);
    mc_view_moment *last = &history->moments[history->at];
    last->wish.step = now.wish.step;
    last->wish.layout.window[0] = now.wish.layout.window[0];
    last->wish.layout.window[1] = now.wish.layout.window[1];
    last->wish.root_node = now.wish.root_node;
    history->absorbs = true; // the camera follows what has grown
}

void mc_view_forget_history(mc_view *view) {
    view->comfort.history.count = view->comfort.history.at = 0;
    view->comfort.history.absorbs = false;
    view->comfort.has_pending = false;
}

static void push(mc_view_history *history, const mc_view_moment *now) {
    uint32_t count = history->count > 0 ? history->at + 1 : 0; // what was undone is gone
    if (count == MC_VIEW_HISTORY_CAPACITY) {
        memmove(history->moments, history->moments + 1, (count - 1) * sizeof *history->moments);
        count--;
    }
    history->moments[count] = *now;
    history->at = count;
    history->count = count + 1;
}

// Notes what has changed since the last moment.
static void note(mc_view *view) {
    mc_view_history *history = &view->comfort.history;
    mc_view_moment now;
    mc_view_get_moment(view, &now);
    if (history->count == 0) {
        push(history, &now);
        return;
    }
    mc_view_moment *last = &history->moments[history->at];
    // A flight back ends where the camera lets it; that is no move of the user's either.
    if (history->absorbs) {
        last->wish.pose = now.wish.pose;
        last->wish.is_home = now.wish.is_home;
        history->absorbs = false;
    }
    // Time that goes by itself is no move of the user's.
    bool went_by = view->playback.playing || history->was_playing;
    if (went_by) last->wish.step = now.wish.step;
    history->was_playing = view->playback.playing;
    uint32_t changes = get_changes(last, &now);
    if (changes == 0) return;
    now.changes = changes;
    bool continues = changes == last->changes && (changes == CAMERA || changes == STEP) &&
                     view->now_ns - history->last_ns < COALESCE_NS &&
                     history->at + 1 == history->count && history->at > 0;
    if (continues) {
        *last = now;
    } else {
        push(history, &now);
    }
    history->last_ns = view->now_ns;
}

void mc_view_record(mc_view *view) {
    bool at_rest = view->city && view->task == MC_VIEW_IDLE && !view->comfort.has_pending &&
                   !view->press.down && !view->comfort.button_is_down &&
                   !mc_camera_is_moving(&view->camera);
    if (at_rest) note(view);
}

// To a neighbour: what differs becomes as it is there, and nothing that went by itself.
static void step_to(mc_view *view, uint32_t to) {
    mc_view_history *history = &view->comfort.history;
    const mc_view_moment *before = &history->moments[history->at], *after = &history->moments[to];
    uint32_t changes = history->moments[to > history->at ? to : history->at].changes;
    mc_view_moment goal;
    mc_view_get_moment(view, &goal);
    mc_wish_move(&goal.wish, &before->wish, &after->wish, MC_USE_VIEW);
    if (changes & EXTENT) {
        goal.wish.root_node = after->wish.root_node;
        goal.wish.layout.window[0] = after->wish.layout.window[0];
        goal.wish.layout.window[1] = after->wish.layout.window[1];
    }
    if (changes & STEP) goal.wish.step = after->wish.step;
    if (changes & SELECTION) goal.wish.selection = after->wish.selection;
    if (changes & CAMERA) {
        goal.wish.pose = after->wish.pose;
        goal.wish.is_home = after->wish.is_home;
    }
    if (changes & STEP) view->playback.playing = false;
    history->at = to;
    mc_view_go_to(view, &goal, false);
}

void mc_view_undo(mc_view *view) {
    mc_view_history *history = &view->comfort.history;
    // What is still under way counts, too, unless it is the way of an undo before.
    if (!history->absorbs) note(view);
    if (history->count == 0 || history->at == 0) {
        mc_view_set_notice(view, "There is nothing to undo.");
        return;
    }
    step_to(view, history->at - 1);
}

void mc_view_redo(mc_view *view) {
    mc_view_history *history = &view->comfort.history;
    if (!history->absorbs) note(view);
    if (history->at + 1 >= history->count) {
        mc_view_set_notice(view, "There is nothing to redo.");
        return;
    }
    step_to(view, history->at + 1);
}
