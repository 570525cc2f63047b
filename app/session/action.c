// The table of actions and what each does. Those of a few lines are here, the others with their
// subject.
#include "app/session/action.h"

#include "app/session/action_looks.h"
#include "app/session/session.h"

#include "app/session/children.h"
#include "app/session/differences.h"
#include "app/session/follow.h"
#include "app/session/gc_roots.h"
#include "app/session/group.h"
#include "app/session/history.h"
#include "app/session/layout.h"
#include "app/session/members.h"
#include "app/session/metrics.h"
#include "app/session/notes.h"
#include "app/session/opening.h"
#include "app/session/pairing.h"
#include "app/session/references.h"
#include "app/session/retaining_paths.h"
#include "app/session/saved_view.h"
#include "app/session/search.h"
#include "app/session/selection.h"
#include "app/session/selection_history.h"
#include "app/session/status_text.h"
#include "app/session/tables.h"
#include "app/session/time_window.h"
#include "app/session/to_linked.h"
#include "app/session/unit.h"
#include "app/session/walk.h"
#include "app/session/what_if.h"
#include "app/session/zoom_root.h"
#include "engine/tree/tree.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static uint32_t get_number(mc_action_argument argument) {
    return (uint32_t)argument.number;
}

// ---- time

static void play(mc_session *session) {
    if (!mc_session_skip_walk(session)) mc_playback_toggle(&session->playback);
}

static void move_step(mc_session *session, mc_action_argument argument) {
    mc_playback_move(&session->playback, (int)argument.number);
}

static void show_first(mc_session *session) {
    mc_playback_set_step(&session->playback, session->playback.first_step);
}

static void show_last(mc_session *session) {
    mc_playback_set_step(&session->playback, session->playback.last_step);
}

static void show_step(mc_session *session, mc_action_argument argument) {
    mc_playback_set_step(&session->playback, get_number(argument));
}

static void change_duration(mc_session *session, mc_action_argument argument) {
    static const double durations[] = {0.1, 0.2, 0.5, 1, 2};
    session->settings.step_duration_s =
        mc_session_get_next(session, durations, sizeof durations / sizeof *durations,
                            session->settings.step_duration_s, argument.number > 0);
}

static void show_note(mc_session *session, mc_action_argument argument) {
    mc_session_show_note(session, (int)argument.number);
}

static void set_note(mc_session *session, mc_action_argument argument) {
    const char *text = argument.text ? argument.text : "";
    mc_session_set_note(session, strcmp(text, "-") == 0 ? "" : text);
}

static void begin_window(mc_session *session) {
    uint32_t *window = session->settings.layout.window, step = session->playback.step;
    window[0] = step < window[1] ? step : window[1];
}

static void end_window(mc_session *session) {
    uint32_t *window = session->settings.layout.window, step = session->playback.step;
    window[1] = step > window[0] ? step : window[0];
}

static void widen_window(mc_session *session, mc_action_argument argument) {
    uint32_t *window = session->settings.layout.window;
    if (argument.number == 0 && window[0] > 0) window[0]--;
    if (argument.number > 0 && window[1] + 1 < mc_trace_get_step_count(session->trace)) window[1]++;
}

static void reset_window(mc_session *session) {
    session->settings.layout.window[0] = 0;
    session->settings.layout.window[1] = mc_trace_get_step_count(session->trace) - 1;
}

static void dismiss_hint(mc_session *session) {
    session->charts.is_hint_dismissed = true;
}

// ---- camera and selection

static void frame(mc_session *session, mc_action_argument argument) {
    const mc_selection *selection = &session->settings.selection;
    if (!argument.number && selection->count > 1) {
        session->view->kind->frame_group(session->view, selection->nodes, selection->count,
                                         MC_VIEW_FRAME);
        return;
    }
    mc_session_look_at(session, argument.number ? MC_NONE : mc_session_get_selected(session),
                       MC_VIEW_FRAME);
}

static void toggle_bird(mc_session *session) {
    if (session->view->kind->toggle_bird) session->view->kind->toggle_bird(session->view);
}

static void select_node(mc_session *session, mc_action_argument argument) {
    mc_session_select_node(session, get_number(argument), true);
}

static void show_node(mc_session *session, mc_action_argument argument) {
    mc_session_select_node(session, get_number(argument), true);
    mc_session_look_at(session, mc_session_get_selected(session), MC_VIEW_SHOW);
}

// The neighbour of what was added last.
static void add_neighbour(mc_session *session, mc_action_argument argument) {
    const mc_selection *selection = &session->settings.selection;
    mc_view *view = session->view;
    if (selection->count == 0) return;
    uint32_t last = selection->nodes[selection->count - 1];
    uint32_t neighbour = view->kind->get_neighbour(view, last, (mc_view_way)argument.number);
    if (neighbour != MC_NONE && !mc_selection_has(selection, neighbour))
        mc_session_toggle_node(session, neighbour);
}

static void select_parent(mc_session *session) {
    if (mc_session_get_selected(session) == MC_NONE) return;
    uint32_t parent = mc_trace_get_nodes(session->trace)->parent[mc_session_get_selected(session)];
    if (parent != MC_NONE) mc_session_select_node(session, parent, true);
}

// To a neighbour of the selection, in the order of the view.
static void select_neighbour(mc_session *session, mc_action_argument argument) {
    mc_view *view = session->view;
    uint32_t neighbour = view->kind->get_neighbour(view, mc_session_get_focus(session),
                                                   (mc_view_way)argument.number);
    if (neighbour != MC_NONE) mc_session_select_node(session, neighbour, true);
}

static void select_suspect(mc_session *session, mc_action_argument argument) {
    // What differs, the largest first, stands where suspects would be.
    if (argument.number >= 1 && session->suspects.count == 0 &&
        mc_trace_is_versus(session->trace)) {
        mc_session_show_difference(session, (uint32_t)argument.number - 1);
        return;
    }
    if (argument.number < 1) return;
    if (argument.number > session->suspects.count) {
        if (!session->suspects.has_verdict) session->suspects.wanted = (uint32_t)argument.number;
        return;
    }
    mc_session_select_node(session, session->suspects.items[argument.number - 1].node, true);
    if (!mc_session_frame_finding(session, (uint32_t)argument.number - 1))
        mc_session_look_at(session, mc_session_get_selected(session), MC_VIEW_SHOW);
}

static void follow_trail(mc_session *session, mc_action_argument argument) {
    mc_session_revisit(session, (int)argument.number);
}

// ---- search, references, causes

static void search_text(mc_session *session, mc_action_argument argument) {
    session->settings.search_open = session->settings.panels = true;
    snprintf(session->settings.search, sizeof session->settings.search, "%s",
             argument.text ? argument.text : "");
}

static void move_hit(mc_session *session, mc_action_argument argument) {
    mc_session_move_hit(session, (int)argument.number);
}

static void add_hit(mc_session *session, mc_action_argument argument) {
    uint32_t row = get_number(argument);
    const mc_hits *hits = mc_session_get_hits(session);
    if (row < hits->count) mc_session_toggle_node(session, hits->nodes[row]);
}

static void show_strongest(mc_session *session, mc_action_argument argument) {
    mc_session_show_strongest(session, (mc_link_direction)argument.number);
}

// Both, incoming, outgoing, none: a number of two bits that counts down.
static void cycle_reference_filter(mc_session *session) {
    mc_look *look = &session->settings.look;
    look->show_incoming = look->show_incoming == look->show_outgoing;
    look->show_outgoing = !look->show_outgoing;
}

static void change_most_references(mc_session *session, mc_action_argument argument) {
    mc_session_change_most_references(session, argument.number > 0);
}

static void toggle_arcs(mc_session *session) {
    session->settings.look.arcs = !session->settings.look.arcs;
}

static void toggle_streets(mc_session *session) {
    session->settings.look.streets = !session->settings.look.streets;
}

static void change_most_streets(mc_session *session, mc_action_argument argument) {
    mc_session_change_most_streets(session, argument.number > 0);
}

static void walk(mc_session *session, mc_action_argument argument) {
    mc_session_walk_from(session, argument.number ? mc_session_get_selected(session) : MC_NONE);
}

// The evidence unfolds, too; of methods there is none.
static void show_why(mc_session *session) {
    mc_settings *settings = &session->settings;
    settings->panels = settings->suspects_open = settings->why_open = true;
    select_suspect(session, (mc_action_argument){.number = 1});
    if (!mc_session_has_methods(session) && !session->walk.is_shown)
        mc_session_walk_from(session, MC_NONE);
}

static void show_all_roots(mc_session *session) {
    mc_session_choose_root(session, MC_NONE);
}

// ---- two traces

static void open_versus(mc_session *session, mc_action_argument argument) {
    mc_session_open_versus(session, argument.text);
}

static void align(mc_session *session, mc_action_argument argument) {
    mc_session_align(session, argument.text ? argument.text : "");
}

static void shift_alignment(mc_session *session, mc_action_argument argument) {
    mc_session_shift_alignment(session, (int)argument.number);
}

// ---- a heap and its methods

static void open_with(mc_session *session, mc_action_argument argument) {
    mc_session_open_with(session, argument.text);
}

// ---- settings of the city

static void toggle(mc_session *session, mc_action_argument argument) {
    bool *field = (bool *)((char *)&session->settings + argument.number);
    *field = !*field;
}

// The text was checked before.
static void set(mc_session *session, mc_action_argument argument) {
    mc_error error = {0};
    if (argument.text) (void)mc_settings_set(&session->settings, argument.text, &error);
}

// ---- the window, files

static void change_panel_width(mc_session *session, mc_action_argument argument) {
    float *width = &session->settings.panel_width, now = *width > 0 ? *width : MC_PANEL_WIDTH_USUAL;
    float next = now + (float)argument.number * MC_PANEL_WIDTH_STEP;
    *width =
        argument.number == 0 ? 0 : fminf(fmaxf(next, MC_PANEL_WIDTH_LEAST), MC_PANEL_WIDTH_MOST);
}

static void toggle_panels(mc_session *session) {
    session->settings.panels = !session->settings.panels;
    if (!session->settings.panels) mc_session_set_status(session, "F9 brings the panels back.");
}

static void toggle_warnings(mc_session *session) {
    session->settings.warnings_open = !session->settings.warnings_open && session->dataset &&
                                      session->dataset->warnings.count > 0;
}

static void escape(mc_session *session) {
    if (session->message.text && session->message.is_notice) mc_session_set_message(session, NULL);
    bool is_falling = session->work.task == MC_SESSION_IDLE && session->trace;
    if (is_falling && mc_session_cancel_what_if(session)) return;
    if (session->work.task != MC_SESSION_IDLE) {
        mc_session_cancel(session);
    } else if (session->settings.help) {
        session->settings.help = false;
    } else if (session->settings.preferences_open) {
        session->settings.preferences_open = false;
    } else if (session->settings.warnings_open) {
        session->settings.warnings_open = false;
    } else if (session->message.text) {
        mc_session_set_message(session, NULL);
    } else if (session->settings.compares) {
        session->settings.compares = false;
    } else if (mc_session_close_search(session) || mc_session_hide_walk(session)) {
        return;
    } else if (session->trace && mc_session_get_chosen_root(session) != MC_NONE) {
        mc_session_choose_root(session, MC_NONE);
    } else if (session->trace && mc_session_get_selected(session) != MC_NONE) {
        mc_session_select_node(session, MC_NONE, false);
    } else if (session->settings.panels && mc_session_has_hint(session)) {
        session->charts.is_hint_dismissed = true;
    }
}

static void cancel(mc_session *session) {
    if (session->trace) (void)mc_session_cancel_what_if(session);
    mc_session_cancel(session);
}

static void dismiss_message(mc_session *session) {
    mc_session_set_message(session, NULL);
}

static void open_path(mc_session *session, mc_action_argument argument) {
    mc_session_open_path(session, argument.text);
}

static void save_path(mc_session *session, mc_action_argument argument) {
    mc_session_save_as(session, argument.text);
}

static void save_bookmark(mc_session *session, mc_action_argument argument) {
    mc_session_save_bookmark(session, argument.text);
}

static void quit(mc_session *session) {
    session->ends = true;
}

// ---- the table, in the order of the help

#define HEADING(text) \
    { .help = (text) }
#define GESTURE(what, text) \
    { .shown = (what), .help = (text) }
#define ROW(id_end, its_name, its_keys, its_shown, its_help)                                \
    .id = MC_ACTION_##id_end, .name = (its_name), .keys = (its_keys), .shown = (its_shown), \
    .help = (its_help)
// What needs a city, what needs none, and what takes an argument.
#define CITY(id_end, its_name, its_keys, its_shown, its_help, does, number)                      \
    {                                                                                            \
        ROW(id_end, its_name, its_keys, its_shown, its_help), .needs_city = true, .run = (does), \
                                                              .value = (number)                  \
    }
#define ALWAYS(id_end, its_name, its_keys, its_shown, its_help, does, number) \
    { ROW(id_end, its_name, its_keys, its_shown, its_help), .run = (does), .value = (number) }
#define CITY_CALL(id_end, its_name, its_keys, its_shown, its_help, does) \
    { ROW(id_end, its_name, its_keys, its_shown, its_help), .needs_city = true, .call = (does) }
#define ALWAYS_CALL(id_end, its_name, its_keys, its_shown, its_help, does) \
    { ROW(id_end, its_name, its_keys, its_shown, its_help), .call = (does) }
#define TAKES_INDEX(what, id_end, its_name, its_keys, its_shown, its_help, city, does) \
    {                                                                                  \
        ROW(id_end, its_name, its_keys, its_shown, its_help),                          \
            .takes = MC_TAKES_##what, .needs_city = (city), .call_index = (does)       \
    }
#define TAKES(what, id_end, its_name, its_keys, its_shown, its_help, city, does)                  \
    {                                                                                             \
        ROW(id_end, its_name, its_keys, its_shown, its_help), .takes = MC_TAKES_##what,           \
                                                              .needs_city = (city), .run = (does) \
    }

const mc_action mc_actions[] = {
    HEADING("Time"),
    CITY_CALL(PLAY, "play", "Space", "Space", "Play, pause", play),
    CITY(PREVIOUS, "step.previous", "Left", "Left", "Previous step", move_step, -1),
    CITY(NEXT, "step.next", "Right", "Right", "Next step", move_step, 1),
    CITY_CALL(FIRST, "step.first", "PageUp Shift+Left", "Page Up, Shift+Left", "First step",
              show_first),
    CITY_CALL(LAST, "step.last", "PageDown Shift+Right", "Page Down, Shift+Right", "Last step",
              show_last),
    TAKES(STEP, SHOW_STEP, "step", NULL, NULL, "Show a step, counted from 0", true, show_step),
    CITY(FASTER, "play.faster", "+ =", "+", "Play faster", change_duration, 0),
    CITY(SLOWER, "play.slower", "-", "-", "Play slower", change_duration, 1),
    CITY(LOOP, "play.loop", "L", "L", "Loop on or off", toggle, offsetof(mc_settings, loop)),
    CITY_CALL(FOLLOW, "follow", "Shift+L", "Shift+L", "Follow a recording, or stay at a step",
              mc_session_toggle_follow),
    CITY_CALL(PIN, "pin", "#", "#", "Compare with this step: pin it, or no more",
              mc_action_pin_here),
    TAKES_INDEX(STEP, PIN_STEP, "pin.step", NULL, NULL, "Compare with a step, or no more", true,
                mc_action_pin),
    CITY_CALL(COMPARE, "compare", "Shift+C", "Shift+C, held",
              "See what changed since the pinned step or the first", mc_action_compare),
    CITY(NEXT_NOTE, "note.next", "Ctrl+PageDown", "Ctrl+Page Down", "Next step with a note",
         show_note, 1),
    CITY(PREVIOUS_NOTE, "note.previous", "Ctrl+PageUp", "Ctrl+Page Up",
         "The step with a note before", show_note, -1),
    CITY(NOTE, "note.ask", "Alt+N", "Alt+N", "Note what happened at this step, or take that away",
         NULL, 0),
    TAKES(TEXT, NOTE_TEXT, "note", NULL, NULL, "Note something of this step; - takes it away", true,
          set_note),
    HEADING("Time window"),
    CITY_CALL(WINDOW_FIRST, "window.begin", "[", "[", "Begin at this step", begin_window),
    CITY_CALL(WINDOW_LAST, "window.end", "]", "]", "End at this step", end_window),
    CITY(WINDOW_EARLIER, "window.earlier", "{", "{", "Begin a step earlier", widen_window, 0),
    CITY(WINDOW_LATER, "window.later", "}", "}", "End a step later", widen_window, 1),
    CITY_CALL(WINDOW_RESET, "window.all", "\\", "\\", "All steps", reset_window),
    CITY_CALL(FOLLOW_HINT, "hint.follow", "H", "H", "Leave out what was freed at the end, or not",
              mc_session_follow_hint),
    CITY_CALL(DISMISS_HINT, "hint.dismiss", NULL, NULL, "Close the remark on that", dismiss_hint),
    HEADING("Camera"),
    GESTURE("Left drag, W A S D", "Move over the city"),
    GESTURE("Right drag, Ctrl+arrows", "Turn and tilt"),
    GESTURE("Wheel, Q E", "Closer, farther"),
    CITY(HOME, "camera.home", "Home", "Home", "Show the whole city", frame, 1),
    CITY_CALL(BIRD, "camera.bird", "B", "B", "Bird's eye, and back", toggle_bird),
    CITY(FRAME, "camera.selection", "F", "F, double click", "Fly to the selection", frame, 0),
    HEADING("Selection"),
    GESTURE("Click", "Select; on nothing: clear"),
    TAKES(NODE, SELECT, "select", NULL, NULL, "Select a building or a district", true, select_node),
    TAKES(NODE, SHOW_NODE, "show", NULL, NULL,
          "Select a building or district and bring it into view", true, show_node),
    GESTURE("Shift+click", "Add it to the selection, or remove it; also in lists"),
    TAKES_INDEX(NODE, TOGGLE_NODE, "select.add", NULL, NULL,
                "Add it to the selection, or remove it", true, mc_session_toggle_node),
    CITY_CALL(PARENT, "select.parent", "Up Backspace", "Up, Backspace",
              "Select the district around", select_parent),
    CITY(CHILD, "select.child", "Down", "Down", "Select its largest part", select_neighbour,
         MC_VIEW_CHILD),
    TAKES_INDEX(ROW, SHOW_CHILD, "contents.show", NULL, NULL, "Select a row of Contents", true,
                mc_session_show_child),
    GESTURE("Shift+Up, Shift+Down", "Select the one before, after"),
    CITY(PREVIOUS_SIBLING, "select.previous", "Shift+Up", NULL, "Select the one before",
         select_neighbour, MC_VIEW_PREVIOUS),
    CITY(NEXT_SIBLING, "select.next", "Shift+Down", NULL, "Select the one after", select_neighbour,
         MC_VIEW_NEXT),
    GESTURE("Alt+Up, Alt+Down", "Add the one before, after, to the selection"),
    CITY(ADD_PREVIOUS, "select.add.previous", "Alt+Up", NULL, "Add the one before to the selection",
         add_neighbour, MC_VIEW_PREVIOUS),
    CITY(ADD_NEXT, "select.add.next", "Alt+Down", NULL, "Add the one after to the selection",
         add_neighbour, MC_VIEW_NEXT),
    TAKES_INDEX(ROW, SHOW_MEMBER, "selected.show", NULL, NULL,
                "Select a row of what is selected alone", true, mc_session_show_member),
    TAKES(NUMBER, SUSPECT, "select.suspect", "1 2 3 4 5 6 7 8 9", "1 … 9",
          "Select a finding, a difference, or one of the highest methods", true, select_suspect),
    CITY_CALL(MAKE_ROOT, "root.enter", "Enter", "Enter", "Enter the district: a city of it alone",
              mc_session_make_root),
    CITY_CALL(LEAVE_ROOT, "root.leave", "Shift+Backspace", "Shift+Backspace",
              "Leave the district for the city around it", mc_session_leave_root),
    TAKES_INDEX(NODE, SET_ROOT, "root", NULL, NULL, "The city of a district alone", true,
                mc_session_set_root),
    CITY(BACK, "trail.back", "Alt+Left", "Alt+Left, mouse 4", "Back to the selection before",
         follow_trail, -1),
    CITY(FORWARD, "trail.forward", "Alt+Right", "Alt+Right, mouse 5", "Forward again", follow_trail,
         1),
    CITY(COPY_KEY, "copy.key", "Ctrl+C", "Ctrl+C", "Copy the full key", NULL, 0),
    CITY(COPY_ROW, "copy.row", "Ctrl+Shift+C", "Ctrl+Shift+C", "Copy key and numbers", NULL, 1),
    HEADING("Search"),
    CITY_CALL(SEARCH, "search.open", "/ Ctrl+F", "/, Ctrl+F",
              "Search; Enter, Shift+Enter: next, previous", mc_session_open_search),
    TAKES(TEXT, SEARCH_TEXT, "search", NULL, NULL, "Search for a text", true, search_text),
    CITY(NEXT_HIT, "search.next", "Ctrl+G", "Ctrl+G", "Next hit", move_hit, 1),
    CITY(PREVIOUS_HIT, "search.previous", "Ctrl+Shift+G", "Ctrl+Shift+G", "Previous hit", move_hit,
         -1),
    TAKES_INDEX(ROW, SHOW_HIT, "search.show", NULL, NULL, "Select a row of the hits", true,
                mc_session_show_hit),
    TAKES(ROW, ADD_HIT, "search.add", NULL, NULL,
          "Add a row of the hits to the selection, or remove it", true, add_hit),
    CITY_CALL(SELECT_HITS, "search.select", "Ctrl+Shift+A", "Ctrl+Shift+A", "Select all hits",
              mc_session_select_hits),
    CITY(SEARCH_REGEX, "search.regex", "Alt+R", "Alt+R", "Search by regular expression", toggle,
         offsetof(mc_settings, search_is_regex)),
    HEADING("References and causes"),
    CITY(HOLDER, "references.holder", "J", "J", "Go to what most keeps it alive", show_strongest,
         MC_LINK_INCOMING),
    CITY(HELD, "references.held", "Y", "Y", "Go to what it most keeps alive", show_strongest,
         MC_LINK_OUTGOING),
    TAKES_INDEX(ROW, SHOW_PARTNER, "references.show", NULL, NULL, "Select a row of References",
                true, mc_session_show_partner),
    CITY_CALL(REFERENCE_FILTER, "references.filter", "Z", "Z", "References: both, in, out, none",
              cycle_reference_filter),
    CITY(FEWER_REFERENCES, "references.fewer", ";", ";", "References: fewer",
         change_most_references, 0),
    CITY(MORE_REFERENCES, "references.more", NULL, NULL, "References: more", change_most_references,
         1),
    CITY_CALL(ARCS, "references.arcs", NULL, NULL, "References: arcs or straight", toggle_arcs),
    CITY_CALL(STREETS, "streets", "Alt+J", "Alt+J",
              "Streets on or off: how GC roots hold the selection", toggle_streets),
    CITY(FEWER_STREETS, "streets.fewer", "Alt+;", "Alt+;", "Streets: fewer", change_most_streets,
         0),
    CITY(MORE_STREETS, "streets.more", "Alt+'", "Alt+'", "Streets: more", change_most_streets, 1),
    TAKES_INDEX(ROW, SHOW_HELD, "held.show", NULL, NULL, "Select a row of what holds the selection",
                true, mc_session_show_retaining_paths),
    CITY_CALL(WHY, "why", NULL, NULL, "Why it grows: the first finding, and who holds it",
              show_why),
    CITY(WALK, "walk", "0", "0", "Show who holds the first finding", walk, 0),
    CITY(WALK_FROM, "walk.selection", "Alt+0", "Alt+0",
         "Show who holds the selection, stop by stop", walk, 1),
    TAKES_INDEX(ROW, SHOW_STOP, "walk.show", NULL, NULL, "Select a stop of the walk", true,
                mc_session_show_stop),
    CITY_CALL(SELECT_UNIT, "select.unit", "Alt+U", "Alt+U",
              "Select all that comes together with the selection", mc_session_select_unit),
    CITY(ROOTS, "roots", "Alt+G", "Alt+G", "GC roots at the city's edge, or none", toggle,
         offsetof(mc_settings, look.roots)),
    TAKES_INDEX(ROW, SHOW_ROOT, "roots.show", NULL, NULL, "Select a row of GC roots", true,
                mc_session_show_root_row),
    CITY_CALL(ALL_ROOTS, "roots.all", NULL, NULL, "Back from what a GC root holds", show_all_roots),
    HEADING("What if"),
    CITY_CALL(DEMOLISH, "demolish", "Delete", "Delete",
              "Demolish the selection, or let it stand again", mc_session_demolish_selection),
    CITY_CALL(REBUILD, "demolish.none", "Shift+Delete", "Shift+Delete", "Let all stand again",
              mc_session_rebuild),
    TAKES_INDEX(ROW, SHOW_FALLEN, "demolish.show", NULL, NULL, "Select a row of what falls", true,
                mc_session_show_fallen),
    HEADING("Two traces"),
    CITY_CALL(PAIR_NEXT, "pair.next", "Alt+V", "Alt+V", "The difference, A, B, both side by side",
              mc_session_show_next_of_pair),
    CITY(ALIGN_NEXT, "align.next", "Alt+A", "Alt+A",
         "Steps beside each other: by number, time, end", align, 0),
    TAKES(TEXT, ALIGN, "align", NULL, NULL,
          "Steps beside each other: step, time, end, or 3:12, one of A and one of B", true, align),
    GESTURE("Alt+comma, Alt+period", "Move A by a step against B"),
    CITY(ALIGN_EARLIER, "align.earlier", "Alt+,", NULL, "Move A a step back against B",
         shift_alignment, -1),
    CITY(ALIGN_LATER, "align.later", "Alt+.", NULL, "Move A a step on against B", shift_alignment,
         1),
    TAKES_INDEX(ROW, SHOW_DIFFERENCE, "differences.show", NULL, NULL, "Select a row of Differences",
                true, mc_session_show_difference),
    HEADING("A heap and its methods"),
    CITY_CALL(CHANGE_LINKED, "linked.change", "Alt+M", "Alt+M",
              "From the heap to the methods that allocate it, and back", mc_session_change_linked),
    TAKES_INDEX(ROW, SHOW_LINKED, "linked.show", NULL, NULL,
                "Go to a row of the methods that allocate it, or of what is alive of theirs", true,
                mc_session_show_linked),
    HEADING("View"),
    CITY(VIEW_CITY, "view.city", "Alt+1", "Alt+1", "The city", mc_action_show_view, 0),
    CITY(VIEW_SUNBURST, "view.sunburst", "Alt+2", "Alt+2", "A sunburst: rings around the root",
         mc_action_show_view, 1),
    CITY(VIEW_ICICLE, "view.icicle", "Alt+3", "Alt+3", "An icicle: columns beside the root",
         mc_action_show_view, 2),
    CITY_CALL(TREE_SORT, "tree.sort", "Alt+S", "Alt+S", "Order of rings and columns",
              mc_action_cycle_tree_sort),
    CITY_CALL(TREE_LEVELS, "tree.levels", "Alt+D", "Alt+D",
              "How many levels rings and columns show", mc_action_cycle_tree_levels),
    CITY(TREE_PRUNE, "tree.prune", "Alt+P", "Alt+P", "Small groups as Others, or each by itself",
         toggle, offsetof(mc_settings, tree_pruned)),
    GESTURE("Click a chart's point", "Add or take away a small tree of that step above it"),
    TAKES_INDEX(STEP, TREE_STEP, "tree.step", NULL, NULL, "Add or take away a small tree of a step",
                true, mc_action_toggle_tree),
    CITY_CALL(TREE_HERE, "tree.here", "Alt+T", "Alt+T",
              "Add or take away a small tree of this step", mc_action_toggle_tree_here),
    CITY_CALL(TREE_NONE, "tree.none", "Shift+Alt+T", "Shift+Alt+T", "Take all small trees away",
              mc_action_clear_trees),
    HEADING("City"),
    CITY_CALL(METRIC, "metric.next", "M", "M", "Objects, bytes, other metrics",
              mc_session_cycle_metric),
    CITY_CALL(SCALING, "scaling.next", "X", "X", "Scaling of areas", mc_action_cycle_scaling),
    CITY_CALL(TILING, "tiling.next", "T", "T", "Tiling", mc_action_cycle_tiling),
    TAKES(TEXT, GROUP, "group", NULL, NULL, "Group by classifiers: type,package", true,
          mc_action_group),
    CITY_CALL(GROUP_NEXT, "group.next", "Alt+B", "Alt+B",
              "Group by the classifiers in another order", mc_session_group_next),
    CITY(GROUP_OWN, "group.own", NULL, NULL, "Group as the trace was opened", mc_action_group, 0),
    CITY(FRAME_SHORTER, "frame.shorter", "<", "<", "Methods: a shorter frame of time",
         mc_action_change_frame, 0),
    CITY(FRAME_LONGER, "frame.longer", ">", ">", "Methods: a longer frame of time",
         mc_action_change_frame, 1),
    CITY(LIMIT_LESS, "limit.less", ",", ",", "Child limit: hide less", mc_action_change_limit, 0),
    CITY(LIMIT_MORE, "limit.more", ".", ".", "Child limit: hide more", mc_action_change_limit, 1),
    CITY(COLOR, "color", "C", "C", "Colour by growth on or off", toggle,
         offsetof(mc_settings, look.color_by_growth)),
    CITY_CALL(COLOR_MODE, "color.next", "Alt+C", "Alt+C",
              "Colour by the next: owner, growth, level, package, a metric",
              mc_action_cycle_color_mode),
    CITY_CALL(HEIGHT_MODE, "height.next", "Alt+H", "Alt+H",
              "Height by the next: objects, bytes, object size, a metric",
              mc_session_cycle_height_mode),
    CITY(OPACITY, "opacity", "O", "O", "Highlight top growers on or off", toggle,
         offsetof(mc_settings, look.opacity_by_growth)),
    CITY(FEWER_OPAQUE, "opaque.fewer", "U", "U", "Let fewer buildings stand out",
         mc_action_change_opaque_count, 0),
    CITY(MORE_OPAQUE, "opaque.more", "I", "I", "Let more buildings stand out",
         mc_action_change_opaque_count, 1),
    CITY_CALL(OTHERS, "opacity.next", "V", "V", "Opacity of the others", mc_action_cycle_opacity),
    CITY(EDGES, "edges", "G", "G", "Edges on or off", toggle, offsetof(mc_settings, look.edges)),
    CITY(NAMES, "names", "N", "N", "Names on or off", toggle, offsetof(mc_settings, look.names)),
    TAKES(SETTING, SET, "set", NULL, NULL, "Give a setting of saved views a value", false, set),
    HEADING("Window"),
    ALWAYS(THEME, "theme", "K", "K", "Light or dark", toggle, offsetof(mc_settings, look.dark)),
    ALWAYS_CALL(PALETTE, "palette", "P", "P", "Palette", mc_action_cycle_palette),
    ALWAYS(MOTION, "motion", "R", "R", "Motion on or off", toggle, offsetof(mc_settings, motion)),
    ALWAYS_CALL(MOVING, "moving", "Alt+K", "Alt+K",
                "While moving: full resolution, half, or half where it is slow",
                mc_action_cycle_moving),
    ALWAYS_CALL(PANELS, "panels", "F9 `", "F9, `", "Panels on or off", toggle_panels),
    ALWAYS(FOLD_SELECTION, "fold.selection", NULL, NULL, "Fold Selection", toggle,
           offsetof(mc_settings, selection_open)),
    ALWAYS(FOLD_SUSPECTS, "fold.suspects", NULL, NULL, "Fold Findings", toggle,
           offsetof(mc_settings, suspects_open)),
    ALWAYS(FOLD_VIEW, "fold.view", NULL, NULL, "Fold View", toggle,
           offsetof(mc_settings, view_open)),
    ALWAYS(FOLD_REFERENCES, "fold.references", NULL, NULL, "Fold References", toggle,
           offsetof(mc_settings, references_open)),
    ALWAYS(FOLD_WALK, "fold.walk", NULL, NULL, "Fold who holds a finding", toggle,
           offsetof(mc_settings, walk_open)),
    ALWAYS(FOLD_CONTENTS, "fold.contents", NULL, NULL, "Fold Contents", toggle,
           offsetof(mc_settings, contents_open)),
    ALWAYS(FOLD_WHY, "fold.why", NULL, NULL, "Fold the evidence of a finding", toggle,
           offsetof(mc_settings, why_open)),
    ALWAYS(FOLD_ROOTS, "fold.roots", NULL, NULL, "Fold GC roots", toggle,
           offsetof(mc_settings, roots_open)),
    ALWAYS(FOLD_DIFFERENCES, "fold.differences", "Alt+F9", "Alt+F9", "Fold Differences", toggle,
           offsetof(mc_settings, differences_open)),
    ALWAYS(FOLD_LINKED, "fold.linked", NULL, NULL, "Fold Methods that allocate it", toggle,
           offsetof(mc_settings, linked_open)),
    GESTURE("Alt+[, Alt+]", "Wider, narrower panels; or drag their edge"),
    ALWAYS(PANELS_WIDER, "panels.wider", "Alt+[", NULL, "Wider panels", change_panel_width, 1),
    ALWAYS(PANELS_NARROWER, "panels.narrower", "Alt+]", NULL, "Narrower panels", change_panel_width,
           -1),
    ALWAYS(PANELS_USUAL, "panels.usual", "Alt+\\", "Alt+\\", "Panels as wide as usual",
           change_panel_width, 0),
    ALWAYS(FULL_SCREEN, "fullscreen", "F11", "F11", "Full screen", NULL, 0),
    GESTURE("Ctrl++, Ctrl+-", "Larger, smaller text"),
    ALWAYS(LARGER, "text.larger", "Ctrl++ Ctrl+= Ctrl+Shift+= Ctrl+KP_Add", NULL, "Larger text",
           NULL, 1),
    ALWAYS(SMALLER, "text.smaller", "Ctrl+- Ctrl+KP_Subtract", NULL, "Smaller text", NULL, -1),
    ALWAYS(USUAL_SIZE, "text.usual", "Ctrl+0 Ctrl+KP_0", "Ctrl+0", "Text as the screen asks for",
           NULL, 0),
    ALWAYS_CALL(WARNINGS, "warnings", "!", "!", "Warnings of the import", toggle_warnings),
    ALWAYS(COMMANDS, "commands", "Ctrl+P", "Ctrl+P", "Find a command or a building by its name",
           NULL, 0),
    ALWAYS(MENU, "menu", "F10", "F10", "Menu", NULL, 0),
    ALWAYS(CONTEXT_MENU, "menu.selection", "Shift+F10 Menu", "Shift+F10, right click",
           "What can be done with the selection", NULL, 0),
    TAKES(ROW, TAKE_MENU_ROW, "menu.show", NULL, NULL, "Take a row of the menu that is open", false,
          NULL),
    ALWAYS(HELP, "help", "? F1", "?, F1", "Help: how to read it, what to do first, all keys",
           toggle, offsetof(mc_settings, help)),
    GESTURE("Tab, Shift+Tab", "What can be pressed: the next, the one before; Enter presses it"),
    ALWAYS(FOCUS_NEXT, "focus.next", "Tab", NULL, "Focus on what can be pressed next", NULL, 1),
    ALWAYS(FOCUS_PREVIOUS, "focus.previous", "Shift+Tab", NULL,
           "Focus on what can be pressed before", NULL, -1),
    ALWAYS(PREFERENCES, "preferences", "Ctrl+,", "Ctrl+,", "Preferences: theme, text, motion",
           toggle, offsetof(mc_settings, preferences_open)),
    ALWAYS_CALL(ESCAPE, "escape", "Escape", "Esc", "Cancel; close help, message; clear selection",
                escape),
    ALWAYS_CALL(CANCEL, "cancel", NULL, NULL, "End what is being opened or laid out", cancel),
    ALWAYS_CALL(DISMISS_MESSAGE, "message.dismiss", NULL, NULL, "Close the message",
                dismiss_message),
    HEADING("Files and undo"),
    ALWAYS(OPEN, "open.ask", "Ctrl+O", "Ctrl+O", "Open a trace or a view", NULL, 0),
    TAKES(TEXT, OPEN_PATH, "open", NULL, NULL, "Open a trace or a view", false, open_path),
    ALWAYS(BROWSE, "open.browse", NULL, NULL, "Open a file by the desktop's own dialog", NULL, 0),
    ALWAYS(OPEN_VERSUS, "versus.ask", "Alt+O", "Alt+O", "Compare with another trace", NULL, 0),
    TAKES(TEXT, OPEN_VERSUS_PATH, "versus", NULL, NULL, "Compare with another trace", false,
          open_versus),
    ALWAYS(OPEN_WITH, "with.ask", "Shift+Alt+M", "Shift+Alt+M",
           "Open a heap's methods beside it, or methods' heap", NULL, 0),
    TAKES(TEXT, OPEN_WITH_PATH, "with", NULL, NULL,
          "Open a heap's methods beside it, or methods' heap", false, open_with),
    TAKES(ROW, TAKE_START_ROW, "start.show", NULL, NULL,
          "Take a row of what an empty window offers", false, NULL),
    ALWAYS(RECORD, "record", NULL, NULL, "Record a running program, or end that", NULL, 0),
    CITY_CALL(UNDO, "undo", "Ctrl+Z", "Ctrl+Z", "Undo", mc_session_undo),
    CITY_CALL(REDO, "redo", "Ctrl+Y Ctrl+Shift+Z", "Ctrl+Y, Ctrl+Shift+Z", "Redo", mc_session_redo),
    ALWAYS(SAMPLE, "sample", NULL, NULL, "Open a sample: a recorded leak", NULL, 0),
    CITY(SAVE_BOOKMARK, "bookmark", "Ctrl+D", "Ctrl+D", "Bookmark this view", save_bookmark, 0),
    TAKES(TEXT, SAVE_BOOKMARK_AS, "bookmark.as", NULL, NULL, "Bookmark this view by a name", true,
          save_bookmark),
    ALWAYS(BOOKMARKS, "bookmarks", "Ctrl+B", "Ctrl+B", "Bookmarks: show, name, delete them", NULL,
           1),
    CITY(SAVE_AS, "save.ask", "Ctrl+Shift+S", "Ctrl+Shift+S", "Save this view as a file", NULL, 2),
    TAKES(TEXT, SAVE_PATH, "save", NULL, NULL, "Save this view as a file", true, save_path),
    ALWAYS(TAKE_DIALOG, "dialog.take", NULL, NULL, "What Enter does in the dialog that is open",
           NULL, 0),
    TAKES(ROW, TAKE_DIALOG_ENTRY, "dialog.show", NULL, NULL, "Take a row of it", false, NULL),
    TAKES(ROW, RENAME_DIALOG_ENTRY, "dialog.rename", NULL, NULL,
          "Give a bookmark in it another name", false, NULL),
    TAKES(ROW, DELETE_DIALOG_ENTRY, "dialog.delete", NULL, NULL,
          "Delete a bookmark in it; say it twice", false, NULL),
    ALWAYS(CLOSE_DIALOG, "dialog.close", NULL, NULL, "Close it", NULL, 0),
    CITY(COPY_FINDING, "copy.finding", NULL, NULL, "Copy what is found, as a sentence", NULL, 0),
    CITY(SHARE, "share", NULL, NULL, "Share it: as a picture, video, page or view", NULL, 0),
    CITY(REPORT, "report", NULL, NULL, "Write a report: one page for the browser, or stop it", NULL,
         0),
    CITY(PAGE, "page", NULL, NULL, "Write a page to walk through in any browser, or stop it", NULL,
         0),
    CITY_CALL(EXPORT_TABLE, "tables", "Ctrl+E", "Ctrl+E", "Write the open tables as CSV",
              mc_session_export_table),
    ALWAYS(PICTURE, "picture", "Ctrl+S F12", "Ctrl+S, F12", "Save a picture of the window", NULL,
           1),
    CITY(PICTURE_ALONE, "picture.city", "Shift+F12", "Shift+F12", "Save a picture of the city",
         NULL, 0),
    CITY(VIDEO, "video", "Ctrl+R", "Ctrl+R", "Make a video of this view, or stop it", NULL, 0),
    ALWAYS_CALL(QUIT, "quit", "Ctrl+Q", "Ctrl+Q", "Quit", quit),
};
bool mc_action_get_switch(const mc_action *action, const mc_settings *settings) {
    return action->run == toggle && *(const bool *)((const char *)settings + action->value);
}

const uint32_t mc_action_count = sizeof mc_actions / sizeof *mc_actions;
