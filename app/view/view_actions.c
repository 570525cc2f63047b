// The table of actions and what each does. Those of a few lines are here, the others with their
// subject.
#include "app/view/view_state.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The neighbour of `value` in an ascending list.
static double get_next(const double *values, size_t count, double value, bool larger) {
    for (size_t i = 0; i < count; i++) {
        double candidate = values[larger ? i : count - 1 - i];
        if (larger ? candidate > value + 1e-9 : candidate < value - 1e-9) return candidate;
    }
    return value;
}

static uint32_t get_number(mc_action_argument argument) {
    return (uint32_t)argument.number;
}

// ---- time

static void play(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_playback_toggle(&view->playback);
}

static void move_step(mc_view *view, mc_action_argument argument) {
    mc_playback_move(&view->playback, (int)argument.number);
}

static void show_first(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_playback_set_step(&view->playback, view->playback.first_step);
}

static void show_last(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_playback_set_step(&view->playback, view->playback.last_step);
}

static void show_step(mc_view *view, mc_action_argument argument) {
    mc_playback_set_step(&view->playback, get_number(argument));
}

static void change_duration(mc_view *view, mc_action_argument argument) {
    static const double durations[] = {0.1, 0.2, 0.5, 1, 2};
    view->wish.step_duration_s = get_next(durations, sizeof durations / sizeof *durations,
                                          view->wish.step_duration_s, argument.number > 0);
}

static void toggle_follow(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_toggle_follow(view);
}

static void begin_window(mc_view *view, mc_action_argument argument) {
    (void)argument;
    uint32_t *window = view->wish.layout.window, step = view->playback.step;
    window[0] = step < window[1] ? step : window[1];
}

static void end_window(mc_view *view, mc_action_argument argument) {
    (void)argument;
    uint32_t *window = view->wish.layout.window, step = view->playback.step;
    window[1] = step > window[0] ? step : window[0];
}

static void widen_window(mc_view *view, mc_action_argument argument) {
    uint32_t *window = view->wish.layout.window;
    if (argument.number == 0 && window[0] > 0) window[0]--;
    if (argument.number > 0 && window[1] + 1 < mc_trace_get_step_count(view->trace)) window[1]++;
}

static void reset_window(mc_view *view, mc_action_argument argument) {
    (void)argument;
    view->wish.layout.window[0] = 0;
    view->wish.layout.window[1] = mc_trace_get_step_count(view->trace) - 1;
}

static void follow_hint(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_follow_hint(view);
}

static void dismiss_hint(mc_view *view, mc_action_argument argument) {
    (void)argument;
    view->hint_dismissed = true;
}

// ---- camera and selection

static void frame(mc_view *view, mc_action_argument argument) {
    mc_structure structure = argument.number ? MC_STRUCTURE_NONE : view->selected;
    mc_view_frame_structure(view, structure, false);
}

static void toggle_bird(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_camera_toggle_bird(&view->camera, view->city);
    view->wish.is_home = false;
}

static void select_node(mc_view *view, mc_action_argument argument) {
    mc_view_select_node(view, get_number(argument), true);
}

static void show_node(mc_view *view, mc_action_argument argument) {
    mc_view_select_node(view, get_number(argument), true);
    mc_view_frame_structure(view, view->selected, false);
}

static void select_parent(mc_view *view, mc_action_argument argument) {
    (void)argument;
    if (mc_view_get_selected(view) == MC_NONE) return;
    uint32_t parent = mc_trace_get_nodes(view->trace)->parent[mc_view_get_selected(view)];
    if (parent != MC_NONE) mc_view_select_node(view, parent, true);
}

// To the largest part of the selection.
static void select_child(mc_view *view, mc_action_argument argument) {
    (void)argument;
    uint32_t node = mc_view_get_focus(view);
    uint32_t district = view->city->node_district[node];
    if (district == MC_NONE || view->city->district_item_count[district] == 0) return;
    uint32_t item = view->city->items[view->city->district_item_first[district]];
    mc_view_select_node(view, mc_view_get_item_node(view->city, item), true);
}

// To what the layout placed before or after the selection.
static void select_sibling(mc_view *view, mc_action_argument argument) {
    const mc_city *city = view->city;
    if (mc_view_get_selected(view) == MC_NONE) return;
    uint32_t parent = mc_trace_get_nodes(view->trace)->parent[mc_view_get_selected(view)];
    uint32_t district = parent == MC_NONE ? MC_NONE : city->node_district[parent];
    if (district == MC_NONE) return;
    const uint32_t *items = city->items + city->district_item_first[district];
    uint32_t count = city->district_item_count[district];
    for (uint32_t i = 0; i < count; i++) {
        if (mc_view_get_item_node(city, items[i]) != mc_view_get_selected(view)) continue;
        int64_t next = (int64_t)i + argument.number;
        if (next < 0 || next >= count) return;
        mc_view_select_node(view, mc_view_get_item_node(city, items[next]), true);
        return;
    }
}

static void select_suspect(mc_view *view, mc_action_argument argument) {
    if (argument.number < 1 || argument.number > view->suspect_count) return;
    mc_view_select_node(view, view->suspects[argument.number - 1].node, true);
    mc_view_frame_structure(view, view->selected, false);
}

static void show_child(mc_view *view, mc_action_argument argument) {
    mc_view_show_child(view, get_number(argument));
}

static void make_root(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_make_root(view);
}

static void leave_root(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_leave_root(view);
}

static void set_root(mc_view *view, mc_action_argument argument) {
    mc_view_set_root(view, get_number(argument));
}

static void follow_trail(mc_view *view, mc_action_argument argument) {
    mc_view_follow_trail(view, (int)argument.number);
}

// ---- search, references, causes

static void open_search(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_open_search(view);
}

static void search_text(mc_view *view, mc_action_argument argument) {
    view->wish.search_open = view->wish.panels = true;
    snprintf(view->wish.search, sizeof view->wish.search, "%s", argument.text ? argument.text : "");
}

static void move_hit(mc_view *view, mc_action_argument argument) {
    mc_view_move_hit(view, (int)argument.number);
}

static void show_hit(mc_view *view, mc_action_argument argument) {
    mc_view_show_hit(view, get_number(argument));
}

static void show_strongest(mc_view *view, mc_action_argument argument) {
    mc_view_show_strongest(view, (mc_link_direction)argument.number);
}

static void show_partner(mc_view *view, mc_action_argument argument) {
    mc_view_show_partner(view, get_number(argument));
}

// Both, incoming, outgoing, none: a number of two bits that counts down.
static void cycle_reference_filter(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_look *look = &view->wish.look;
    look->show_incoming = look->show_incoming == look->show_outgoing;
    look->show_outgoing = !look->show_outgoing;
}

static void change_most_references(mc_view *view, mc_action_argument argument) {
    mc_view_change_most_references(view, argument.number > 0);
}

static void toggle_arcs(mc_view *view, mc_action_argument argument) {
    (void)argument;
    view->wish.look.arcs = !view->wish.look.arcs;
}

static void walk(mc_view *view, mc_action_argument argument) {
    mc_view_walk_from(view, argument.number ? mc_view_get_selected(view) : MC_NONE);
}

static void show_stop(mc_view *view, mc_action_argument argument) {
    mc_view_show_stop(view, get_number(argument));
}

// ---- what is wished of the city

static void toggle(mc_view *view, mc_action_argument argument) {
    bool *field = (bool *)((char *)&view->wish + argument.number);
    *field = !*field;
}

static void cycle_metric(mc_view *view, mc_action_argument argument) {
    (void)argument;
    view->wish.layout.metric =
        view->wish.layout.metric == MC_METRIC_BYTES ? MC_METRIC_OBJECTS : MC_METRIC_BYTES;
}

static void cycle_scaling(mc_view *view, mc_action_argument argument) {
    (void)argument;
    view->wish.layout.scaling = (view->wish.layout.scaling + 1) % MC_SCALING_COUNT;
}

static void cycle_tiling(mc_view *view, mc_action_argument argument) {
    (void)argument;
    view->wish.layout.tiling = (view->wish.layout.tiling + 1) % MC_TILING_COUNT;
}

static void change_limit(mc_view *view, mc_action_argument argument) {
    static const double limits[] = {10, 20, 50, 100, 1000, UINT32_MAX};
    uint32_t *limit = &view->wish.layout.child_limit;
    double next = get_next(limits, sizeof limits / sizeof *limits,
                           *limit == 0 ? UINT32_MAX : *limit, argument.number == 0);
    *limit = next < UINT32_MAX ? (uint32_t)next : 0;
}

static void change_opaque_count(mc_view *view, mc_action_argument argument) {
    static const double counts[] = {0, 1, 2, 3, 5, 10, 20, 50, 100};
    uint32_t *count = &view->wish.look.opaque_count;
    *count =
        (uint32_t)get_next(counts, sizeof counts / sizeof *counts, *count, argument.number > 0);
}

// Through the levels and round again.
static void cycle_opacity(mc_view *view, mc_action_argument argument) {
    (void)argument;
    static const double levels[] = {0, 10, 20, 40, 70, 100};
    double now = (double)lroundf(view->wish.look.opacity * 100);
    double next = get_next(levels, sizeof levels / sizeof *levels, now, true);
    view->wish.look.opacity = next > now ? (float)next / 100 : 0;
}

static void cycle_color_mode(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_cycle_color_mode(view);
}

static void cycle_height_mode(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_cycle_height_mode(view);
}

// The text was checked before.
static void set(mc_view *view, mc_action_argument argument) {
    mc_error error = {0};
    if (argument.text) (void)mc_wish_set(&view->wish, argument.text, &error);
}

static void cycle_palette(mc_view *view, mc_action_argument argument) {
    (void)argument;
    view->wish.look.palette = (view->wish.look.palette + 1) % MC_PALETTE_COUNT;
}

// ---- the window, files

static void toggle_warnings(mc_view *view, mc_action_argument argument) {
    (void)argument;
    view->wish.warnings_open = !view->wish.warnings_open && view->warnings.count > 0;
}

static void toggle_full_screen(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_window_toggle_full_screen(view->window);
}

static void escape(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_escape(view);
}

static void cancel(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_cancel(view);
}

static void dismiss_message(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_set_message(view, NULL);
}

static void open_path(mc_view *view, mc_action_argument argument) {
    mc_view_open_path(view, argument.text);
}

static void save_path(mc_view *view, mc_action_argument argument) {
    mc_view_save_as(view, argument.text);
}

static void save_bookmark(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_save_bookmark(view);
}

static void undo(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_undo(view);
}

static void redo(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_redo(view);
}

static void open_box(mc_view *view, mc_action_argument argument) {
    mc_view_open_box(view, (mc_view_box)argument.number);
}

static void take_box(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_take_box(view);
}

static void take_box_entry(mc_view *view, mc_action_argument argument) {
    mc_view_take_box_entry(view, get_number(argument));
}

static void close_box(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_close_box(view);
}

static void copy(mc_view *view, mc_action_argument argument) {
    if (argument.number)
        mc_view_copy_row(view);
    else
        mc_view_copy_key(view);
}

static void export_table(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_export_table(view);
}

static void save_picture(mc_view *view, mc_action_argument argument) {
    mc_view_save_picture(view, argument.number);
}

static void toggle_video(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_view_toggle_video(view);
}

static void change_scale(mc_view *view, mc_action_argument argument) {
    mc_view_change_scale(view, (int)argument.number);
}

static void quit(mc_view *view, mc_action_argument argument) {
    (void)argument;
    mc_window_close(view->window);
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
#define TAKES(what, id_end, its_name, its_keys, its_shown, its_help, city, does)                  \
    {                                                                                             \
        ROW(id_end, its_name, its_keys, its_shown, its_help), .takes = MC_TAKES_##what,           \
                                                              .needs_city = (city), .run = (does) \
    }

const mc_action mc_actions[] = {
    HEADING("Time"),
    CITY(PLAY, "play", "Space", "Space", "Play, pause", play, 0),
    CITY(PREVIOUS, "step.previous", "Left", "Left", "Previous step", move_step, -1),
    CITY(NEXT, "step.next", "Right", "Right", "Next step", move_step, 1),
    CITY(FIRST, "step.first", "PageUp Shift+Left", "Page Up, Shift+Left", "First step", show_first,
         0),
    CITY(LAST, "step.last", "PageDown Shift+Right", "Page Down, Shift+Right", "Last step",
         show_last, 0),
    TAKES(STEP, SHOW_STEP, "step", NULL, NULL, "Show a step, counted from 0", true, show_step),
    CITY(FASTER, "play.faster", "+ =", "+", "Play faster", change_duration, 0),
    CITY(SLOWER, "play.slower", "-", "-", "Play slower", change_duration, 1),
    CITY(LOOP, "play.loop", "L", "L", "Loop on or off", toggle, offsetof(mc_wish, loop)),
    CITY(FOLLOW, "follow", "Shift+L", "Shift+L", "Follow a recording or not", toggle_follow, 0),
    HEADING("Time window"),
    CITY(WINDOW_FIRST, "window.begin", "[", "[", "Begin at this step", begin_window, 0),
    CITY(WINDOW_LAST, "window.end", "]", "]", "End at this step", end_window, 0),
    CITY(WINDOW_EARLIER, "window.earlier", "{", "{", "Begin a step earlier", widen_window, 0),
    CITY(WINDOW_LATER, "window.later", "}", "}", "End a step later", widen_window, 1),
    CITY(WINDOW_RESET, "window.all", "\\", "\\", "All steps", reset_window, 0),
    CITY(FOLLOW_HINT, "hint.follow", "H", "H", "Leave out what was freed at the end, or not",
         follow_hint, 0),
    CITY(DISMISS_HINT, "hint.dismiss", NULL, NULL, "Put the remark on that away", dismiss_hint, 0),
    HEADING("Camera"),
    GESTURE("Left drag, W A S D", "Move over the city"),
    GESTURE("Right drag, Ctrl+arrows", "Turn and tilt"),
    GESTURE("Wheel, Q E", "Closer, farther"),
    CITY(HOME, "camera.home", "Home", "Home", "Show the whole city", frame, 1),
    CITY(BIRD, "camera.bird", "B", "B", "Bird's eye, and back", toggle_bird, 0),
    CITY(FRAME, "camera.selection", "F", "F, double click", "Show the selection", frame, 0),
    HEADING("Selection"),
    GESTURE("Click", "Select; on nothing: clear"),
    TAKES(NODE, SELECT, "select", NULL, NULL, "Select a building or a district", true, select_node),
    TAKES(NODE, SHOW_NODE, "show", NULL, NULL, "Select it and bring it into view", true, show_node),
    CITY(PARENT, "select.parent", "Up Backspace", "Up, Backspace", "Select the district around",
         select_parent, 0),
    CITY(CHILD, "select.child", "Down", "Down", "Select its largest part", select_child, 0),
    TAKES(ROW, SHOW_CHILD, "contents.show", NULL, NULL, "Select a row of Contents", true,
          show_child),
    CITY(PREVIOUS_SIBLING, "select.previous", "Shift+Up", "Shift+Up, Shift+Down",
         "Select the one before, after", select_sibling, -1),
    CITY(NEXT_SIBLING, "select.next", "Shift+Down", NULL, "Select the one after", select_sibling,
         1),
    TAKES(NUMBER, SUSPECT, "select.suspect", "1 2 3 4 5 6 7 8 9", "1 … 9", "Select a suspect", true,
          select_suspect),
    CITY(MAKE_ROOT, "root.enter", "Enter", "Enter", "A city of the selected district alone",
         make_root, 0),
    CITY(LEAVE_ROOT, "root.leave", "Shift+Backspace", "Shift+Backspace",
         "Back to the city around it", leave_root, 0),
    TAKES(NODE, SET_ROOT, "root", NULL, NULL, "The city of a district alone", true, set_root),
    CITY(BACK, "trail.back", "Alt+Left", "Alt+Left, mouse 4", "Back to the selection before",
         follow_trail, -1),
    CITY(FORWARD, "trail.forward", "Alt+Right", "Alt+Right, mouse 5", "Forward again", follow_trail,
         1),
    HEADING("Search"),
    CITY(SEARCH, "search.open", "/ Ctrl+F", "/, Ctrl+F",
         "Search; Enter, Shift+Enter: next, previous", open_search, 0),
    TAKES(TEXT, SEARCH_TEXT, "search", NULL, NULL, "Search for a text", true, search_text),
    CITY(NEXT_HIT, "search.next", "Ctrl+G", "Ctrl+G", "Next hit", move_hit, 1),
    CITY(PREVIOUS_HIT, "search.previous", "Ctrl+Shift+G", "Ctrl+Shift+G", "Previous hit", move_hit,
         -1),
    TAKES(ROW, SHOW_HIT, "search.show", NULL, NULL, "Select a row of the hits", true, show_hit),
    CITY(SEARCH_REGEX, "search.regex", "Alt+R", "Alt+R", "Search by regular expression", toggle,
         offsetof(mc_wish, search_is_regex)),
    HEADING("References and causes"),
    CITY(HOLDER, "references.holder", "J", "J", "To what most keeps it alive", show_strongest,
         MC_LINK_INCOMING),
    CITY(HELD, "references.held", "Y", "Y", "To what it most keeps alive", show_strongest,
         MC_LINK_OUTGOING),
    TAKES(ROW, SHOW_PARTNER, "references.show", NULL, NULL, "Select a row of References", true,
          show_partner),
    CITY(REFERENCE_FILTER, "references.filter", "Z", "Z", "References: both, in, out, none",
         cycle_reference_filter, 0),
    CITY(FEWER_REFERENCES, "references.fewer", ";", ";", "References: fewer",
         change_most_references, 0),
    CITY(MORE_REFERENCES, "references.more", "'", "'", "References: more", change_most_references,
         1),
    CITY(ARCS, "references.arcs", "(", "(", "References: arcs or straight", toggle_arcs, 0),
    CITY(WALK, "walk", "0", "0", "Walk to the root cause", walk, 0),
    CITY(WALK_FROM, "walk.selection", "Alt+0", "Alt+0", "The same from the selection", walk, 1),
    TAKES(ROW, SHOW_STOP, "walk.show", NULL, NULL, "Select a row of Root cause", true, show_stop),
    HEADING("City"),
    CITY(METRIC, "metric.next", "M", "M", "Objects or bytes", cycle_metric, 0),
    CITY(SCALING, "scaling.next", "X", "X", "Scaling of areas", cycle_scaling, 0),
    CITY(TILING, "tiling.next", "T", "T", "Tiling", cycle_tiling, 0),
    CITY(LIMIT_LESS, "limit.less", ",", ",", "Child limit: hide less", change_limit, 0),
    CITY(LIMIT_MORE, "limit.more", ".", ".", "Child limit: hide more", change_limit, 1),
    CITY(COLOR, "color", "C", "C", "Colour by growth on or off", toggle,
         offsetof(mc_wish, look.color_by_growth)),
    CITY(COLOR_MODE, "color.next", "Alt+C", "Alt+C", "Colour by another thing", cycle_color_mode,
         0),
    CITY(HEIGHT_MODE, "height.next", "Alt+H", "Alt+H", "Height by another thing", cycle_height_mode,
         0),
    CITY(OPACITY, "opacity", "O", "O", "Highlight top growers on or off", toggle,
         offsetof(mc_wish, look.opacity_by_growth)),
    CITY(FEWER_OPAQUE, "opaque.fewer", "U", "U", "Fewer opaque buildings", change_opaque_count, 0),
    CITY(MORE_OPAQUE, "opaque.more", "I", "I", "More opaque buildings", change_opaque_count, 1),
    CITY(OTHERS, "opacity.next", "V", "V", "Opacity of the others", cycle_opacity, 0),
    CITY(EDGES, "edges", "G", "G", "Edges on or off", toggle, offsetof(mc_wish, look.edges)),
    CITY(NAMES, "names", "N", "N", "Names on or off", toggle, offsetof(mc_wish, look.names)),
    TAKES(SETTING, SET, "set", NULL, NULL, "Give a setting of saved views a value", false, set),
    HEADING("Window"),
    ALWAYS(THEME, "theme", "K", "K", "Light or dark", toggle, offsetof(mc_wish, look.dark)),
    ALWAYS(PALETTE, "palette", "P", "P", "Palette", cycle_palette, 0),
    ALWAYS(MOTION, "motion", "R", "R", "Motion on or off", toggle, offsetof(mc_wish, motion)),
    ALWAYS(PANELS, "panels", "Tab", "Tab", "Panels on or off", toggle, offsetof(mc_wish, panels)),
    ALWAYS(FOLD_SELECTION, "fold.selection", "F2", "F2, F3, F4", "Fold Selection, Suspects, View",
           toggle, offsetof(mc_wish, selection_open)),
    ALWAYS(FOLD_SUSPECTS, "fold.suspects", "F3", NULL, "Fold Suspects", toggle,
           offsetof(mc_wish, suspects_open)),
    ALWAYS(FOLD_VIEW, "fold.view", "F4", NULL, "Fold View", toggle, offsetof(mc_wish, view_open)),
    ALWAYS(FOLD_REFERENCES, "fold.references", "F5", "F5, F6, F7",
           "Fold References, Root cause, Contents", toggle, offsetof(mc_wish, references_open)),
    ALWAYS(FOLD_WALK, "fold.walk", "F6", NULL, "Fold Root cause", toggle,
           offsetof(mc_wish, walk_open)),
    ALWAYS(FOLD_CONTENTS, "fold.contents", "F7", NULL, "Fold Contents", toggle,
           offsetof(mc_wish, contents_open)),
    ALWAYS(FULL_SCREEN, "fullscreen", "F11", "F11", "Full screen", toggle_full_screen, 0),
    ALWAYS(WARNINGS, "warnings", "!", "!", "Warnings of the import", toggle_warnings, 0),
    ALWAYS(HELP, "help", "? F1", "?, F1", "This help", toggle, offsetof(mc_wish, help)),
    ALWAYS(ESCAPE, "escape", "Escape", "Esc", "Cancel; close help, message; clear selection",
           escape, 0),
    ALWAYS(CANCEL, "cancel", NULL, NULL, "End what is being opened or laid out", cancel, 0),
    ALWAYS(DISMISS_MESSAGE, "message.dismiss", NULL, NULL, "Put the message away", dismiss_message,
           0),
    HEADING("Files and undo"),
    ALWAYS(OPEN, "open.ask", "Ctrl+O", "Ctrl+O", "Open a trace or a view", open_box,
           MC_VIEW_BOX_OPEN),
    TAKES(TEXT, OPEN_PATH, "open", NULL, NULL, "Open a trace or a view", false, open_path),
    CITY(UNDO, "undo", "Ctrl+Z", "Ctrl+Z", "Undo", undo, 0),
    CITY(REDO, "redo", "Ctrl+Y Ctrl+Shift+Z", "Ctrl+Y, Ctrl+Shift+Z", "Redo", redo, 0),
    CITY(SAVE_BOOKMARK, "bookmark", "Ctrl+D", "Ctrl+D", "Bookmark this view", save_bookmark, 0),
    ALWAYS(BOOKMARKS, "bookmarks", "Ctrl+B", "Ctrl+B", "Bookmarks", open_box,
           MC_VIEW_BOX_BOOKMARKS),
    CITY(SAVE_AS, "save.ask", "Ctrl+Shift+S", "Ctrl+Shift+S", "Save this view as a file", open_box,
         MC_VIEW_BOX_SAVE),
    TAKES(TEXT, SAVE_PATH, "save", NULL, NULL, "Save this view as a file", true, save_path),
    ALWAYS(TAKE_BOX, "dialog.take", NULL, NULL, "What Enter does in the dialog that is open",
           take_box, 0),
    TAKES(ROW, TAKE_BOX_ENTRY, "dialog.show", NULL, NULL, "Take a row of it", false,
          take_box_entry),
    ALWAYS(CLOSE_BOX, "dialog.close", NULL, NULL, "Close it", close_box, 0),
    CITY(COPY_KEY, "copy.key", "Ctrl+C", "Ctrl+C", "Copy the full key", copy, 0),
    CITY(COPY_ROW, "copy.row", "Ctrl+Shift+C", "Ctrl+Shift+C", "Copy key and numbers", copy, 1),
    CITY(EXPORT_TABLE, "tables", "Ctrl+E", "Ctrl+E", "Write the open tables as CSV", export_table,
         0),
    ALWAYS(PICTURE, "picture", "Ctrl+S F12", "Ctrl+S, F12", "Picture of the window", save_picture,
           1),
    CITY(PICTURE_ALONE, "picture.city", "Shift+F12", "Shift+F12", "Picture of the city",
         save_picture, 0),
    CITY(VIDEO, "video", "Ctrl+R", "Ctrl+R", "Video of this view; stop it", toggle_video, 0),
    ALWAYS(LARGER, "text.larger", "Ctrl++ Ctrl+= Ctrl+Shift+= Ctrl+KP_Add", "Ctrl++, Ctrl+-",
           "Larger, smaller text", change_scale, 1),
    ALWAYS(SMALLER, "text.smaller", "Ctrl+- Ctrl+KP_Subtract", NULL, "Smaller text", change_scale,
           -1),
    ALWAYS(USUAL_SIZE, "text.usual", "Ctrl+0 Ctrl+KP_0", "Ctrl+0", "Text as the screen asks for",
           change_scale, 0),
    ALWAYS(QUIT, "quit", "Ctrl+Q", "Ctrl+Q", "Quit", quit, 0),
};
const uint32_t mc_action_count = sizeof mc_actions / sizeof *mc_actions;
