// session.h - the state of a window without the window: the trace, settings, selection, history.
//
// The files of this folder share one mc_session; the header of each says what it does with it. A
// session runs, and is tested, without GLFW, Vulkan and ImGui. A view (view.h) shows it. The host,
// which owns the window, reads the session after each turn (turn.h); the session calls back only
// through mc_session_host. Threads: one. Tasks run in background threads (job.h) and touch only the
// data that they were given.
#pragma once
#include "app/answers/asked.h"
#include "app/answers/cause_links.h"
#include "app/answers/children.h"
#include "app/answers/dataset.h"
#include "app/answers/differences.h"
#include "app/answers/gc_roots.h"
#include "app/answers/job.h"
#include "app/answers/linked.h"
#include "app/answers/methods.h"
#include "app/answers/property.h"
#include "app/answers/references.h"
#include "app/answers/retaining_paths.h"
#include "app/answers/search.h"
#include "app/answers/series.h"
#include "app/answers/units.h"
#include "app/answers/walk.h"
#include "app/answers/what_if.h"
#include "app/command.h"
#include "app/session/action_id.h"
#include "app/session/facts.h"
#include "app/session/headline.h"
#include "app/session/preferences.h"
#include "app/session/view.h"
#include "app/session/view_file.h"
#include "app/why_text.h"
#include "engine/import/websocket/ws_address.h"
#include "engine/scene/playback.h"
#include "engine/scene/step_stream.h"
#include "engine/trace/regroup/sliding_window.h"
#include <sys/types.h>
#include <time.h>

// Callbacks from a session to its host. Each may be NULL.
typedef struct mc_session_host {
    void *user;
    void (*wake)(void); // asks for another turn, as a task is done; called from any thread
    void (*focus)(void *user, const char *field); // to a text field; NULL: to none
    // Prints a message for the user where no panel shows it, such as on stderr.
    void (*say)(void *user, const char *message, bool is_notice);
    // Runs an action of the window. False: this host has no such action.
    bool (*run)(void *user, mc_action_id id, int64_t number);
    // What the picture needs can't be read or found; a message tells it, too.
    void (*fail)(void *user, const mc_error *error);
} mc_session_host;

// What to open first, how to import it, and which view of it to show.
typedef struct mc_session_desc {
    mc_session_host host;
    const mc_view_kind *const *views; // all kinds, indexed by settings.view; ends with NULL
    // An open dataset of which only pictures are made; the session shows it as it is. NULL: `paths`
    // are opened. Nothing is read for panels then, a search sorts its hits and a walk begins at the
    // window's last step, whatever step is shown, and a walk changes neither selection nor camera.
    mc_dataset *pictured;
    const char *const *paths;
    uint32_t path_count;
    bool skip_bad_steps;
    bool partial;                // as of mc_import_desc
    bool no_references;          // as of mc_import_desc
    mc_import_deep deep;         // likewise
    uint32_t stacks;             // likewise
    double sample_interval_ms;   // likewise
    mc_profile_options profiles; // likewise
    const char *tab;             // likewise, of `paths`
    const char *group_by;        // as of mc_import_desc
    const mc_step_times *times;  // likewise, of `paths`
    const mc_note_list *notes;   // likewise
    mc_pair_options pair;        // a second trace, and how to compare with it
    const char *with;            // the linked trace: a heap's methods, or methods' heap; NULL: none
    // The initial settings. Of their layout, options that were not given are MC_NONE. Beside them:
    mc_settings settings;
    uint32_t step;                     // MC_NONE: the last of the window; if playing, the first
    const char *const *selection_keys; // from a view full keys; else as of mc_find_key()
    uint32_t selection_key_count;
    bool asks_elsewhere;               // what a picture needs may be asked at another place
    const mc_form_texts *opened;       // full keys for settings.tree_opened; NULL: none
    const mc_option_texts *demolished; // for settings.demolished, as --demolish; NULL: none
    const char *camera;                // for mc_camera_parse(); NULL: the camera of the settings
    bool allows_network;               // saved views may name servers
    bool follow; // show new steps of a recording as they arrive; its file may not exist yet
    bool playing;
    bool walks;         // starts with the walk to the root cause
    bool is_frame_said; // settings.frame_s was given; otherwise two traces are compared as wholes
    bool is_lenient;    // what a view names but the trace lacks is reported; it is no error
    mc_preferences *preferences; // from earlier runs; the session takes ownership
    const char *trouble; // why the preferences could not be read, for the user; NULL: they could
} mc_session_desc;

// ---- queries.h: background queries of the trace, in the order in which they are made

typedef enum mc_session_query {
    MC_QUERY_SEARCH,
    MC_QUERY_WALK,
    MC_QUERY_CAUSE_LINKS,
    MC_QUERY_REFERENCES,
    MC_QUERY_RETAINING_PATHS,
    MC_QUERY_CHILDREN,
    MC_QUERY_WHAT_IF,
    MC_QUERY_ROOT_GROUPS,
    MC_QUERY_ROOT_PATH,
    MC_QUERY_PROPERTIES,
    MC_QUERY_UNITS,
    MC_QUERY_DIFFERENCES,
    MC_QUERY_SELECTION_SERIES,
    MC_QUERY_TOTAL_SERIES,
    MC_QUERY_SUSPECT_SERIES,
    MC_QUERY_METHODS,
    MC_QUERY_LINKED,
    MC_QUERY_COUNT
} mc_session_query;

// ---- series.h

#define MC_SESSION_SUSPECT_COUNT MC_SERIES_SUSPECT_MOST // as many as there are digits

// A suspect as the panel shows it.
typedef struct mc_session_suspect {
    uint32_t node;
    int64_t growth; // over the window; in a trace of one step: the value. Of a cause: with what
                    // comes with it
    mc_trend trend; // over the window
    const mc_cause *cause; // that it is; NULL: none, or not one of those that are known
    float *values;         // one per step, 0 to 1; points into suspect_values
    uint32_t because;      // the cause of its growth; MC_NONE: it is a cause itself, or has none
    uint32_t row;          // row of `values` in suspect_values
} mc_session_suspect;

// Why the heap grows, and how the selection relates to it.
typedef struct mc_session_why {
    // Of the whole heap, in the answer of the query; NULL: not known, or the city shows one
    // district alone.
    const mc_causes *causes;
    uint32_t first;             // index of the cause that stands first
    mc_suspect_reason standing; // of the selection; its cause is one of `causes`
    bool is_judged;             // `standing` is known
    mc_text sentence, facts[MC_WHY_FACT_COUNT];
    mc_text findings[MC_WHY_MOST_SHOWN]; // the sentences of the first causes …
    uint32_t finding_count;
    mc_text rest; // … and how many more there are; empty: none
} mc_session_why;

// Series for charts, one value per step, 0 to 1.
typedef struct mc_session_charts {
    uint32_t capacity;  // of each series, in steps
    uint64_t *scratch;  // one value per step
    float *step_places; // position of each step in time: 0 to 1, ascending
    // Last step before most of the heap was freed for good; MC_NONE: it was not.
    uint32_t freed_step;
    bool is_hint_dismissed;
    // The layout changed only by further steps of a recording. Known series stay visible until
    // longer ones are there, and pending reads are awaited instead of cancelled.
    bool is_going_on;
    bool has_totals;                       // those of the metric shown are known
    uint64_t *totals;                      // the heap's values in the metric shown
    float *total_values;                   // likewise
    float *other_values;                   // of the metric that is not shown
    uint64_t total_most, other_most;       // the maximum of each, once known
    bool has_selection;                    // the values below are known
    uint64_t selection_max, selection_sum; // over the window; MC_COUNT_UNKNOWN: no value is known
    float *selection_values;
    // Where several nodes are selected: the largest ones, with their series one after another in
    // `member_values`, relative to the maximum of the sum.
    uint32_t members[MC_FACT_MEMBER_MOST], member_count;
    float *member_values;
    float *suspect_values;
} mc_session_charts;

// What grows, and why.
typedef struct mc_session_suspects {
    mc_session_suspect items[MC_SESSION_SUSPECT_COUNT];
    uint32_t count;
    bool has_verdict; // the verdict and the suspects are known
    uint32_t wanted;  // the one to select once they are, from 1; 0: none
    mc_heap_verdict verdict;
    mc_metric metric; // in which they were judged
    mc_headline headline;
    mc_text text; // the headline: the first cause's sentence, or why there is none
    mc_session_why why;
} mc_session_suspects;

// ---- methods.h

// Facts on one method that the city does not show.
typedef struct mc_session_method_facts {
    uint32_t node, step, layout_version;
    uint64_t values[MC_METRIC_MOST];
    char thread[MC_METHOD_THREAD_SIZE];
} mc_session_method_facts;

typedef struct mc_session_methods {
    bool is_known;
    uint32_t step;                                   // of the items
    mc_method_facts items[MC_SESSION_SUSPECT_COUNT]; // as many as there are suspects
    mc_session_method_facts selected_facts, hover_facts;
} mc_session_methods;

// ---- selection.h, selection_history.h

#define MC_SESSION_JUMP_S 0.3 // duration of the jump that draws the eye to a new selection

// The structures that were selected, oldest first.
typedef struct mc_selection_history {
    uint32_t *nodes;
    size_t count, capacity;
    size_t at; // index of the current one, if count > 0
} mc_selection_history;

typedef struct mc_session_selection {
    mc_selection_history history;
    double jump_elapsed_s; // since the selected structure began its jump; < 0: it does not jump
    bool is_frame_due;     // bring the selection into view once the layout is done
} mc_session_selection;

// What is under the pointer, in the picture or in a list; MC_NONE: none.
typedef struct mc_session_hover {
    uint32_t node;
    bool is_stale;          // something moved since the last pick
    uint32_t link;          // index of a link of the references
    uint32_t row, path_row; // of the references, of the retaining paths
} mc_session_hover;

// ---- search.h

typedef struct mc_session_search {
    mc_hits_key found; // the query that the hits answer; empty text: no hits
    uint32_t current;  // index of the current hit; MC_NONE: none yet
    int wanted_move;   // move to make once the search for the typed text is done: -1 or 1; 0: none
    uint32_t wanted_row; // to be brought into view
    uint32_t at_node;    // node of the current hit; MC_NONE: none
    uint32_t version;    // changes with the hits
    char note[1024];     // what is wrong with the expression
} mc_session_search;

// ---- references.h

typedef struct mc_session_references {
    char note[160];
} mc_session_references;

// ---- walk.h

typedef struct mc_session_walk {
    uint32_t request;        // the last one
    mc_walk_desc wanted;     // of the known or pending walk
    bool is_known, is_shown; // is_shown: drawn in the picture
    bool is_walking;         // on its way
    bool is_asked;           // the pending walk will be shown, whatever changes meanwhile
    uint32_t frames_wanted;  // to be brought into view in the panels, for so many frames
    double elapsed_s;        // since the chain began to appear; < 0: it is complete
    uint32_t version;        // changes with the walk, and when it is shown or hidden
} mc_session_walk;

// ---- linked.h

// A program's heap and its methods can be linked: one is shown, this is the other one.
typedef struct mc_session_linked {
    mc_dataset *dataset;      // the linked dataset, grouped as it will be shown; held; NULL: none
    mc_layout_options layout; // likewise
    char group_by[MC_SETTINGS_GROUP_SIZE];
    uint32_t version;      // changes with the dataset
    uint32_t read_count;   // of a recording that is followed
    uint64_t next_read_ns; // not before
    // Where to go once the linked dataset is shown.
    bool is_changing, wants_last; // wants_last: the last step of a followed recording
    bool is_other;                // the dataset that was linked first is now the one shown
    bool keeps_history;           // the history covers both datasets
    bool has_goal;                // undo or redo leads into the other dataset:
    uint32_t goal;                // index of the moment in the history
    int64_t wanted_ms;
    char *wanted_key; // full key to select there; NULL: nothing
} mc_session_linked;

// ---- gc_roots.h

typedef struct mc_session_roots {
    mc_root_path_key objects_key; // the key for which `objects` were counted
    uint64_t objects;
    // The group that the list shows the contents of. Kind and name identify it in every step.
    bool has_chosen;
    uint32_t frames_wanted; // to be brought into view in the panels, for so many frames
    mc_root_kind chosen_kind;
    uint32_t chosen_name;
    uint32_t version; // changes with the groups, the root path and the choice
} mc_session_roots;

// ---- history.h

// A state of the view of an open trace, to which undo and redo return.
typedef struct mc_session_moment {
    mc_settings settings; // fields for MC_USE_VIEW, extent, step, selection, camera
    bool is_linked;       // as of mc_session_linked.is_other
    uint32_t changes;     // what differs from the moment before, as bits
} mc_session_moment;

#define MC_SESSION_HISTORY_CAPACITY 200

typedef struct mc_session_history {
    mc_session_moment moments[MC_SESSION_HISTORY_CAPACITY];
    uint32_t count, at; // moments[at] is the current one
    uint64_t last_ns;   // when the last moment was recorded
    bool was_playing;   // as of the last turn
    bool absorbs;       // the next camera change is the end of a flight, not a moment of its own
    bool has_pending;   // a moment to go to once the layout is done:
    mc_session_moment pending;
    bool is_pending_at_once;
} mc_session_history;

// ---- lag.h

typedef struct mc_session_lag {
    double ms;           // lag of the step shown; 0: not measured
    uint64_t fine_ns;    // when the lag was last small
    bool is_late;        // it is said
    uint32_t drawn_step; // newest step drawn
} mc_session_lag;

// ---- follow.h

// While a recording is followed, plots reserve this share of extra room, so that growth does not
// push the neighbours aside at each step.
#define MC_SESSION_HEADROOM 0.25

typedef struct mc_session_file_look {
    struct timespec changed; // modification time of the file at the last look
    off_t size;              // -1: unknown, so the file counts as changed
} mc_session_file_look;

typedef struct mc_session_follow {
    bool is_on, is_live; // is_live: the recording has not ended
    mc_job *job;         // NULL: not needed yet
    bool is_busy;
    uint64_t next_ns; // when to look again
    mc_session_file_look look;
    uint32_t step_count; // steps taken over so far
    char *waits_for;     // path of a recording that has not begun yet; NULL: none
    mc_session_lag lag;
} mc_session_follow;

// ---- opening.h

// The tabs that a server offers, if the user named none: the window lets the user choose one.
typedef struct mc_session_tabs {
    char address[MC_WS_ADDRESS_SIZE]; // without a tab
    mc_remote_tab tabs[MC_IMPORT_TAB_MOST];
    uint32_t count;
    uint32_t version; // incremented for each new list
} mc_session_tabs;

typedef struct mc_session_opening {
    mc_layout_options layout; // options as opened; the settings override some
    bool has_begun;           // the command line's requests are done
    bool is_first;            // the user has never opened anything before
    bool has_view;            // a saved view to restore once its trace is open:
    mc_view_file view;
    mc_session_tabs tabs;
} mc_session_opening;

// ---- layout.h

typedef enum mc_session_task {
    MC_SESSION_IDLE,
    MC_SESSION_OPENING,
    MC_SESSION_LAYING_OUT
} mc_session_task;

// Opening a trace, and laying it out, in the background.
typedef struct mc_session_work {
    mc_job *job;
    mc_session_task task;
    char *text;         // what it does; NULL: nothing
    mc_settings wanted; // for the layout that is shown or being made: fields for MC_USE_LAYOUT
    bool is_numbered; // node indices in the settings already refer to settings.group_by, not to the
                      // layout shown
} mc_session_work;

// Counts of the step shown, columns over the layout's nodes: shapes are blended from `from` to
// `to`.
typedef struct mc_session_counts {
    mc_step_stream *stream;
    const uint64_t *from, *to;
    const uint64_t *node_values; // of the step in `to`, by node, as mc_trace_read_column()
    uint64_t *between, *zeros;   // start of a tween that interrupts another; all zero
    double blend;                // position of the last frame between `from` and `to`, 0 to 1
    uint32_t step;               // the step whose counts are in `to`
    uint64_t leaf_total; // the sum of all leaves at that step, a count of the layout's metric
    uint32_t version;    // changes with them, for caches
    bool advance;        // `from` equals `to` of the previous version
} mc_session_counts;

// ---- input from the host, set before each turn

typedef struct mc_session_input {
    uint32_t width, height; // of the picture, in pixels
    double pixel_scale;     // for lines: the screen's scale, 1 on a plain screen
    double text_scale;      // for text in the picture, in pixels of a plain screen
    bool is_over_picture;   // the pointer is over the picture, and no panel or drag has it
    double x, y;            // where
    bool is_dragging, is_button_down;
    double chart_x0, chart_x1; // the time chart's first and last point; equal: no chart
    bool hides_tooltip;        // a key was pressed since the pointer last moved
    bool can_idle_moving;      // drawing is cheap enough to keep arrows moving while idle
    bool is_uncovered;         // place names as in a picture without panels
} mc_session_input;

// ---- status_text.h

// For the user, on the panels; a notice disappears by itself.
typedef struct mc_session_message {
    char *text; // NULL: none
    bool is_notice;
    uint64_t end_ns; // of a notice
} mc_session_message;

// What a key did.
typedef struct mc_session_status {
    mc_text text; // empty: nothing
    uint64_t end_ns, count;
} mc_session_status;

// ---- turn.h

typedef struct mc_session_turn {
    uint64_t now_ns;
    double elapsed_s;    // since the last turn
    double led_s;        // time that this turn advanced ahead of the next one, for a new animation
    bool was_on_its_way; // something was moving before this turn's input
    uint32_t frames_due;
    uint64_t calm_ns; // when to draw the frames that fast steps left no time for; 0: none
} mc_session_turn;

typedef struct mc_name_cache mc_name_cache;       // name_cache.h
typedef struct mc_session_frame mc_session_frame; // describe.h

struct mc_session {
    const mc_session_desc *desc;
    mc_session_input input;
    int exit_code;
    bool ends; // the session is over
    bool
        asks_elsewhere; // the user has demolished something of this trace, wherever its objects are

    // The open dataset (held), and shortcuts into it.
    mc_dataset *dataset; // NULL: nothing is open
    const mc_trace *trace;
    mc_session_work work;
    mc_session_opening opening;
    mc_session_message message;
    mc_session_status status;

    // Views and layout.
    mc_view *views[MC_VIEW_CAPACITY];
    mc_view *view;    // shown, or shown next
    mc_layout *shown; // the layout of `view`; NULL: none yet

    // Settings, preferences and history.
    mc_settings settings;
    mc_preferences preferences;
    mc_settings remembered; // the settings when preferences were last read or written
    mc_session_history history;

    mc_playback playback;
    mc_session_counts counts;

    // Versions, for caches: each changes with the trace or the layout.
    uint32_t trace_version, layout_version;

    mc_session_hover hover;
    mc_session_selection selection;
    mc_camera_viewport viewport; // the part of the picture that no panel covers

    mc_session_charts charts;
    mc_session_suspects suspects;
    mc_session_methods methods;

    // What follows from the settings, found by background queries.
    mc_asked *asked[MC_QUERY_COUNT];
    bool holds_queries; // for a picture that is more urgent, as is what is read ahead
    mc_session_search search;
    mc_session_references references;
    mc_session_walk walk;
    mc_session_roots roots;
    mc_session_linked linked;
    mc_session_follow follow;
    mc_session_turn turn;

    mc_name_cache *names;
    mc_text group_name;
    mc_session_frame *frame;
};

// Requests frames; nothing else does. Enough of them for all that depends on a change, ...
void mc_session_redraw(mc_session *session);
// ... the same for a background result, without a frame of its own where steps come fast, ...
void mc_session_redraw_found(mc_session *session);
// ... or a single one, for running animations.
static inline void mc_session_redraw_once(mc_session *session) {
    if (session->turn.frames_due == 0) session->turn.frames_due = 1;
}
// Something moved: another node may be under the pointer now.
static inline void mc_session_pick_again(mc_session *session) {
    session->hover.is_stale = true;
}
// Requests the frames that fast steps left no time for, once no step has come for a while.
void mc_session_redraw_when_calm(mc_session *session);

// The time between the last two steps of the followed recording; 0: not known.
uint64_t mc_session_get_pace_ns(const mc_session *session);
// Whether steps of a recording come faster than a picture settles. The picture is not refined then.
bool mc_session_follows_fast(const mc_session *session);

// Current answers of the background queries; empty where there is none. Valid until the session's
// next turn.
#define MC_SESSION_ANSWER(name, query, type)                                     \
    static inline const type *mc_session_get_##name(const mc_session *session) { \
        return (const type *)mc_asked_get_answer(session->asked[query]);         \
    }
MC_SESSION_ANSWER(hits, MC_QUERY_SEARCH, mc_hits)
MC_SESSION_ANSWER(cause_links, MC_QUERY_CAUSE_LINKS, mc_joins)
MC_SESSION_ANSWER(references, MC_QUERY_REFERENCES, mc_references)
MC_SESSION_ANSWER(retaining_paths, MC_QUERY_RETAINING_PATHS, mc_retaining_paths)
MC_SESSION_ANSWER(children, MC_QUERY_CHILDREN, mc_children)
MC_SESSION_ANSWER(what_if, MC_QUERY_WHAT_IF, mc_what_if_answer)
MC_SESSION_ANSWER(root_groups, MC_QUERY_ROOT_GROUPS, mc_root_groups)
MC_SESSION_ANSWER(root_path, MC_QUERY_ROOT_PATH, mc_root_path)
MC_SESSION_ANSWER(properties, MC_QUERY_PROPERTIES, mc_property_answers)
MC_SESSION_ANSWER(units, MC_QUERY_UNITS, mc_units)
MC_SESSION_ANSWER(differences, MC_QUERY_DIFFERENCES, mc_differences)
MC_SESSION_ANSWER(linked, MC_QUERY_LINKED, mc_linked)

static inline const mc_walk *mc_session_get_walk(const mc_session *session) {
    const mc_walk_answer *answer =
        (const mc_walk_answer *)mc_asked_get_answer(session->asked[MC_QUERY_WALK]);
    return &answer->walk;
}

// Whether the trace shows methods in a frame of time.
static inline bool mc_session_has_methods(const mc_session *session) {
    return session->trace && mc_trace_get_frame_ms(session->trace) > 0;
}

// The node that was selected first; MC_NONE: none.
static inline uint32_t mc_session_get_selected(const mc_session *session) {
    return mc_selection_get(&session->settings.selection);
}

// Whether several nodes are selected.
static inline bool mc_session_has_group(const mc_session *session) {
    return session->settings.selection.count > 1;
}

// The selected nodes that lie in no other selected node.
mc_selection mc_session_get_outer(const mc_session *session);

// The step to compare with: the pinned one. Without a pin, while the user compares temporarily: the
// first step of the time window, or, if that is the step shown, the step before it. MC_NONE: none,
// or the trace lacks it.
static inline uint32_t mc_session_get_pin(const mc_session *session) {
    uint32_t pin = mc_settings_get_pin(&session->settings), step = session->playback.step;
    if (pin == MC_NONE && session->settings.compares) {
        uint32_t first = session->settings.layout.window[0];
        pin = step > first ? first : step - 1; // before step 0 is MC_NONE
    }
    return session->trace && pin < mc_trace_get_step_count(session->trace) ? pin : MC_NONE;
}

// NULL: nothing is open, or it has no name.
static inline const char *mc_session_get_trace_name(const mc_session *session) {
    return session->dataset ? session->dataset->name : NULL;
}

// The selected node, or else the root of the layout.
static inline uint32_t mc_session_get_focus(const mc_session *session) {
    uint32_t selected = mc_session_get_selected(session);
    return selected != MC_NONE ? selected : session->shown->root_node;
}

// Whether only pictures are made of it.
static inline bool mc_session_is_pictured(const mc_session *session) {
    return session->desc->pictured != NULL;
}

// Shows a message to the user. A notice reports success and disappears by itself.
void mc_session_set_message(mc_session *session, const char *message); // NULL: none
void mc_session_set_notice(mc_session *session, const char *format, ...) MC_PRINTF(2, 3);
void mc_session_complain(mc_session *session, const char *message);     // and prints it on stderr
int mc_session_complain_of(mc_session *session, const mc_error *error); // likewise; the exit code
// The same of what the picture needs: the host hears of it, too.
void mc_session_miss(mc_session *session, const mc_error *error);
// Reports the error and ends the session; returns false.
bool mc_session_fail(mc_session *session, const mc_error *error);

// A value as of mc_trace_read_value(). If the trace's file can't be read: 0, and a message.
uint64_t mc_session_read_value(mc_session *session, uint32_t step, mc_metric column, uint32_t node);

// Brings a node into view; MC_NONE: everything. Does nothing while no layout is shown.
void mc_session_look_at(mc_session *session, uint32_t node, mc_view_framing how);
void mc_session_set_viewport(mc_session *session, mc_camera_viewport viewport);

// Moves the focus to a text field; NULL: to none.
void mc_session_focus(mc_session *session, const char *field);

void mc_session_remember_path(mc_session *session, const char *path);
