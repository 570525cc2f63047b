#include "app/session/available.h"
#include "app/session/notes.h"

#include "app/session/gc_roots.h"
#include "app/session/selection_history.h"
#include "app/session/what_if.h"
#include "app/session/zoom_root.h"
#include "engine/store/mct/mct.h"
#include "engine/trace/versus/versus.h"
#include <string.h>

bool mc_action_is_command(const mc_action *action) {
    static const char *const parts[] = {"dialog.", "menu.", "message."};
    if (!action->name || action->takes != MC_TAKES_NOTHING) return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strncmp(action->name, parts[i], strlen(parts[i])) == 0) return false;
    return action->id != MC_ACTION_ESCAPE && action->id != MC_ACTION_CANCEL &&
           action->id != MC_ACTION_DISMISS_HINT;
}

const mc_action *mc_action_get(mc_action_id id) {
    for (uint32_t i = 0; id != MC_NO_ACTION && i < mc_action_count; i++)
        if (mc_actions[i].id == id && mc_actions[i].name) return &mc_actions[i];
    return NULL;
}

const char *mc_action_get_first_key(const mc_action *action, size_t *size) {
    const char *all = action->shown ? action->shown : action->keys ? action->keys : "";
    *size = action->shown ? strcspn(all, ",") : strcspn(all, " ");
    if (all[0] == ',') *size = 1;
    return all;
}

static const char *needs(bool is_there, const char *obstacle) {
    return is_there ? NULL : obstacle;
}

const char *mc_action_get_kind_obstacle(const mc_session *session, mc_action_id id) {
    static const mc_action_id of_heaps[] = {MC_ACTION_HOLDER,
                                            MC_ACTION_HELD,
                                            MC_ACTION_REFERENCE_FILTER,
                                            MC_ACTION_FEWER_REFERENCES,
                                            MC_ACTION_MORE_REFERENCES,
                                            MC_ACTION_ARCS,
                                            MC_ACTION_STREETS,
                                            MC_ACTION_FEWER_STREETS,
                                            MC_ACTION_MORE_STREETS,
                                            MC_ACTION_WALK,
                                            MC_ACTION_WALK_FROM,
                                            MC_ACTION_SELECT_UNIT,
                                            MC_ACTION_ROOTS,
                                            MC_ACTION_ALL_ROOTS,
                                            MC_ACTION_DEMOLISH,
                                            MC_ACTION_REBUILD,
                                            MC_ACTION_FOLD_REFERENCES,
                                            MC_ACTION_FOLD_WALK,
                                            MC_ACTION_FOLD_WHY,
                                            MC_ACTION_FOLD_ROOTS,
                                            MC_ACTION_FOLLOW_HINT};
    for (size_t i = 0; i < sizeof of_heaps / sizeof *of_heaps; i++)
        if (of_heaps[i] == id && mc_session_has_methods(session))
            return "Only for a heap: nothing references methods.";
    if (id == MC_ACTION_FOLLOW && session->trace && !session->follow.is_on)
        return needs(mc_mct_is_file(mc_trace_get_base(session->trace)),
                     "Only an .mct file can be followed: what `memcity record` writes.");
    if (id == MC_ACTION_DEMOLISH) return mc_session_get_demolish_obstacle(session);
    bool is_of_pairs = id == MC_ACTION_PAIR_NEXT || id == MC_ACTION_ALIGN_NEXT ||
                       id == MC_ACTION_ALIGN_EARLIER || id == MC_ACTION_ALIGN_LATER;
    if (is_of_pairs && !(session->trace && mc_trace_is_versus(session->trace)))
        return "Compare with another trace first (Alt+O).";
    bool is_of_both = id == MC_ACTION_CHANGE_LINKED || id == MC_ACTION_SHOW_LINKED;
    if (is_of_both && !session->linked.dataset)
        return "Open the methods of this heap beside it first, or the heap (Shift+Alt+M).";
    bool is_of_methods = id == MC_ACTION_FRAME_SHORTER || id == MC_ACTION_FRAME_LONGER;
    return needs(!is_of_methods || mc_session_has_methods(session),
                 "Only for a trace of methods' times.");
}

// Of actions that need a selection.
static const char *get_selection_obstacle(const mc_session *session, mc_action_id id) {
    uint32_t selected = mc_session_get_selected(session);
    switch (id) {
    case MC_ACTION_FRAME:
    case MC_ACTION_HOLDER:
    case MC_ACTION_HELD:
    case MC_ACTION_WALK_FROM:
    case MC_ACTION_DEMOLISH:
    case MC_ACTION_COPY_KEY:
    case MC_ACTION_COPY_ROW: return needs(selected != MC_NONE, "Select something first.");
    case MC_ACTION_PARENT:
        if (selected == MC_NONE) return "Select something first.";
        return needs(selected != 0, mc_session_has_methods(session)
                                        ? "Nothing is around the program."
                                        : "Nothing is around the heap.");
    case MC_ACTION_MAKE_ROOT:
        return needs(mc_session_can_be_root(session), "Select a building or a district first.");
    default: return NULL;
    }
}

static const char *get_city_obstacle(const mc_session *session, mc_action_id id) {
    const mc_settings *settings = &session->settings;
    const mc_session_history *history = &session->history;
    switch (id) {
    case MC_ACTION_NEXT_NOTE:
    case MC_ACTION_PREVIOUS_NOTE:
        return needs(mc_session_has_notes(session), "No step has a note (Alt+N).");
    case MC_ACTION_FOLLOW_HINT:
        return needs(session->charts.freed_step != MC_NONE, "Little was freed at the end.");
    case MC_ACTION_BIRD:
        return needs(session->view->kind->toggle_bird, "Only a city has one (Alt+1).");
    case MC_ACTION_LEAVE_ROOT: return needs(settings->root_node != 0, "This is all of it.");
    case MC_ACTION_BACK:
        return needs(mc_session_can_revisit(session, -1), "Nothing was selected before.");
    case MC_ACTION_FORWARD:
        return needs(mc_session_can_revisit(session, 1), "Nothing was selected after it.");
    case MC_ACTION_NEXT_HIT:
    case MC_ACTION_PREVIOUS_HIT:
        return needs(mc_session_get_hits(session)->count > 0, "Search for something first.");
    case MC_ACTION_ALL_ROOTS:
        return needs(mc_session_get_chosen_root(session) != MC_NONE, "No GC root is chosen.");
    case MC_ACTION_REBUILD: return needs(settings->demolished.count > 0, "Nothing is demolished.");
    case MC_ACTION_TREE_SORT:
    case MC_ACTION_TREE_LEVELS:
    case MC_ACTION_TREE_PRUNE:
    case MC_ACTION_TREE_HERE:
        return needs(settings->view != 0, "Only for a sunburst (Alt+2) or an icicle (Alt+3).");
    case MC_ACTION_TREE_NONE:
        return needs(settings->tree_steps.count > 0, "There are no small trees.");
    case MC_ACTION_UNDO: return needs(history->at > 0, "There is nothing to undo.");
    case MC_ACTION_REDO:
        return needs(history->at + 1 < history->count, "There is nothing to redo.");
    default: return get_selection_obstacle(session, id);
    }
}

const char *mc_action_get_obstacle(const mc_session *session, const mc_action *action) {
    if (action->needs_city && !session->shown) return "Open a trace first.";
    if (action->id == MC_ACTION_OPEN_VERSUS || action->id == MC_ACTION_OPEN_WITH)
        return needs(session->trace, "Open a trace first.");
    if (action->id == MC_ACTION_WARNINGS)
        return needs(session->dataset && session->dataset->warnings.count > 0,
                     "There are no warnings.");
    const char *obstacle = mc_action_get_kind_obstacle(session, action->id);
    if (obstacle) return obstacle;
    return session->shown ? get_city_obstacle(session, action->id) : NULL;
}

bool mc_action_is_on(const mc_session *session, const mc_action *action) {
    switch (action->id) {
    case MC_ACTION_PLAY: return session->shown && session->playback.playing;
    case MC_ACTION_PIN: return mc_settings_get_pin(&session->settings) != MC_NONE;
    case MC_ACTION_COMPARE: return session->settings.compares;
    case MC_ACTION_FOLLOW: return session->follow.is_on;
    case MC_ACTION_PANELS: return session->settings.panels;
    case MC_ACTION_VIEW_CITY:
    case MC_ACTION_VIEW_SUNBURST:
    case MC_ACTION_VIEW_ICICLE: return session->settings.view == (uint32_t)action->value;
    default: return mc_action_get_switch(action, &session->settings);
    }
}
