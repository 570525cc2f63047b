// session.h - the state of a window without the window: the trace, settings, selection, history.
//
// One object, which the files of this folder share; what each does with it is in its own header.
// No GLFW, no Vulkan, no ImGui: a session runs, and is tested, without any of them. How it is shown
// is for a view (view.h). Whoever shows it looks at it after each turn (turn.h) and is called back
// for little (mc_session_host). Used by one thread; tasks run elsewhere (job.h), on what they were
// given.
#pragma once
#include "app/answers/asked.h"
#include "app/answers/cause_links.h"
#include "app/answers/children.h"
#include "app/answers/dataset.h"
#include "app/answers/differences.h"
#include "app/answers/gc_roots.h"
#include "app/answers/job.h"
#include "app/answers/references.h"
#include "app/answers/retaining_paths.h"
#include "app/answers/search.h"
#include "app/answers/slot.h"
#include "app/answers/walk.h"
#include "app/answers/what_if.h"
#include "app/command.h"
#include "app/method_facts.h"
#include "app/session/action_id.h"
#include "app/session/facts.h"
#include "app/session/preferences.h"
#include "app/session/view.h"
#include "app/session/view_file.h"
#include "app/why_text.h"
#include "engine/analyze/method_link.h"
#include "engine/import/websocket/ws_address.h"
#include "engine/scene/playback.h"
#include "engine/scene/step_stream.h"
#include "engine/trace/regroup/sliding_window.h"
#include <sys/types.h>
#include <time.h>

// What a session asks of whoever shows it; all may be NULL.
typedef struct mc_session_host {
    void *user;
    void (*wake)(void); // a task is done: another turn, please; from any thread
    void (*focus)(void *user, const char *field); // of text; NULL: none
    // A message to the user that nothing else says, such as stderr.
    void (*say)(void *user, const char *message, bool is_notice);
    // Does an action of the window. False: there is no such thing here.
    bool (*run)(void *user, mc_action_id id, int64_t number);
} mc_session_host;

// What is opened at first, how, and what is shown of it then.
typedef struct mc_session_desc {
    mc_session_host host;
    const mc_view_kind *const *views; // that there are, by the settings' `view`; ends with NULL
    const char *const *paths;
    uint32_t path_count;
    bool skip_bad_steps;
    bool partial;               // as of mc_import_desc
    bool no_references;         // as of mc_import_desc
    mc_import_deep deep;        // likewise
    uint32_t stacks;            // likewise
    double sample_interval_ms;  // likewise
    const char *tab;            // likewise, of `paths`
    const char *group_by;       // as of mc_import_desc
    const mc_step_times *times; // likewise, of `paths`
    const mc_note_list *notes;  // likewise
    mc_pair_options pair;       // a second trace, and how one is compared
    const char *with;           // a heap's methods, or methods' heap, opened beside; NULL: nothing
    // The settings, whose layout is what was said (MC_NONE where nothing was), and beside it:
    mc_settings settings;
    uint32_t step;                     // MC_NONE: the last of the window; if playing, the first
    const char *const *selection_keys; // of a view full keys; else as mc_find_key()
    uint32_t selection_key_count;
    const mc_form_texts *opened;       // full keys for settings.tree_opened; NULL: none
    const mc_option_texts *demolished; // for settings.demolished, as --demolish; NULL: none
    const char *camera;                // as mc_camera_parse() reads it; NULL: as the settings say
    bool allows_network;               // views may name servers
    bool follow; // new steps of a recording are shown as they come; its file may not be there yet
    bool playing;
    bool walks;                  // to the root cause, which is shown first
    bool is_frame_said;          // settings.frame_s is; else two traces are compared as wholes
    bool is_lenient;             // what a view asks for and the trace lacks is said, nothing more
    mc_preferences *preferences; // what is remembered; the session takes it over
    const char *trouble;         // with them, to be said; NULL: none
} mc_session_desc;

// The tabs of a server that could be opened, when none was named: a window lets the user choose.
typedef struct mc_session_tabs {
    char address[MC_WS_ADDRESS_SIZE]; // without a tab
    mc_remote_tab tabs[MC_IMPORT_TAB_MOST];
    uint32_t count;
    uint32_t version; // grows with each such list
} mc_session_tabs;

#define MC_SESSION_JUMP_S 0.3 // that the selection may take to be noticed

typedef enum mc_session_task {
    MC_SESSION_IDLE,
    MC_SESSION_OPENING,
    MC_SESSION_LAYING_OUT
} mc_session_task;

// ---- queries.h: what is asked of the trace beside the window, in the order in which it is

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
    MC_QUERY_DIFFERENCES,
    MC_QUERY_COUNT
} mc_session_query;

// ---- series.h

#define MC_SESSION_SUSPECT_COUNT 9 // as many as there are digits to select them

// One of mc_suspects, for the panel.
typedef struct mc_session_suspect {
    uint32_t node;
    int64_t growth;   // of one step: the value
    mc_trend trend;   // over the window
    float *values;    // one per step, 0 to 1; a part of suspect_values
    uint32_t because; // of which cause it grows, if it is none; MC_NONE: it is one, or has none
    uint32_t row;     // of its values in suspect_values
} mc_session_suspect;

// Why the heap grows, and what is to be said of the selection.
typedef struct mc_session_why {
    mc_causes causes;           // of the whole heap; none while a district is the city
    mc_suspect_reason standing; // of the selection; its cause is one of these
    bool is_judged;             // the standing is known
    mc_text sentence, facts[MC_WHY_FACT_COUNT];
} mc_session_why;

// Values over all steps that are read beside the window; the newest request wins.
typedef struct mc_session_series {
    mc_slot *slot;
    uint32_t request;              // its key
    struct mc_series_known *known; // what was read before; its thread's
} mc_session_series;

// ---- methods.h

// What is told of one method beside what the city shows.
typedef struct mc_session_method_facts {
    uint32_t node, step, layout_version;
    uint64_t values[MC_METRIC_MOST];
    char thread[MC_METHOD_THREAD_SIZE];
} mc_session_method_facts;

typedef struct mc_session_methods {
    mc_slot *slot;
    uint32_t request;              // its key
    uint32_t step, layout_version; // of what is known, or on its way; step MC_NONE: neither
    bool is_known;
    mc_method_facts items[MC_SESSION_SUSPECT_COUNT]; // suspect_count of them
    float *values;                                   // of each, one per step, 0 to 1
    uint32_t step_count;                             // of the values
    mc_session_method_facts selected_facts, hover_facts;
} mc_session_methods;

// ---- trail.h, children.h

// Structures that were selected, one after another.
typedef struct mc_selection_history {
    uint32_t *nodes;
    size_t count, capacity;
    size_t at; // the current one; count > 0
} mc_selection_history;

// ---- search.h

#define MC_SESSION_PLACE_COUNT 64

typedef struct mc_session_search {
    mc_hits_key found;   // what the hits are of; its text is empty: there are none
    uint32_t current;    // the hit that one is at; MC_NONE: none yet
    int wanted_move;     // once what was typed is found: -1 or 1; 0: none
    uint32_t wanted_row; // to be brought into view
    uint32_t at_node;    // of the current one; MC_NONE: none
    uint32_t version;    // another one, other hits
    char note[1024];     // what is wrong with the expression
    mc_text places[MC_SESSION_PLACE_COUNT]; // of the hits on the screen, in turn
    size_t next_place;
} mc_session_search;

// ---- references.h

#define MC_SESSION_DETAIL_COUNT 64 // more rows than a list shows at once

typedef struct mc_session_references {
    uint32_t lit_link; // index of the link that is under the pointer, by whichever way
    mc_text details[MC_SESSION_DETAIL_COUNT]; // of rows that are shown
    char note[160];
} mc_session_references;

// ---- held.h

typedef struct mc_session_paths {
    uint32_t lit_row;                       // of the list, under the pointer; MC_NONE: none
    mc_text names[MC_SESSION_DETAIL_COUNT]; // of rows that are shown
} mc_session_paths;

// ---- walk.h

typedef struct mc_session_walk {
    uint32_t request;        // the last one
    mc_walk_desc wanted;     // of the walk that is known, or on its way
    bool is_known, is_shown; // shown: in the picture
    bool is_walking;         // on its way
    bool is_asked;           // what is on its way is to be shown, whatever else has changed
    uint32_t frames_wanted;  // to be brought into view in the panels, for so many frames
    double elapsed_s;        // since the chain began to appear; < 0: all of it is there
    uint32_t version;        // another one, another walk, or it is shown or not
    mc_text details[MC_WALK_MOST_STOPS];
} mc_session_walk;

// ---- differences.h

typedef struct mc_session_differences {
    mc_text note, rules;                    // how many of each kind; which names were taken for one
    mc_text names[MC_SESSION_DETAIL_COUNT]; // of rows that are shown, in turn
    size_t next_name;
} mc_session_differences;

// ---- linked.h

typedef struct mc_session_linked_query {
    mc_selection nodes; // all of them together; none: nothing
    uint32_t step;
    uint32_t trace_version, layout_version, version;
    uint32_t read_count; // how often what is linked was to be read again, as it goes on
} mc_session_linked_query;

// Of one program a heap and its methods: one is shown, the other one is this.
typedef struct mc_session_linked {
    mc_dataset *dataset;      // as it is shown when one goes there; held; NULL: there is none
    mc_layout_options layout; // likewise
    char group_by[MC_SETTINGS_GROUP_SIZE];
    uint32_t version;      // another one, another dataset
    uint32_t read_count;   // of a recording that is followed
    uint64_t next_read_ns; // not before
    mc_slot *slot;
    mc_method_link_found found; // of the nodes that were wanted last
    bool is_by_class;
    bool of_method;  // what is selected is a method, and the rows are groups of the heap
    uint32_t step;   // of the other one
    uint64_t gap_ms; // from the step that is shown
    // Of rows that are shown, in turn.
    mc_text note, names[MC_SESSION_DETAIL_COUNT], details[MC_SESSION_DETAIL_COUNT];
    size_t next_name;
    // Where one is to be once the other one is shown.
    bool is_changing, wants_last; // the last step of a recording that is followed
    bool is_other;                // the one that was linked at first is shown
    bool keeps_history;           // which is of both
    bool has_goal;                // undone or redone, into the other one:
    uint32_t goal;                // this moment of the history
    int64_t wanted_ms;
    char *wanted_key; // NULL: nothing is selected there
} mc_session_linked;

// ---- roots.h

#define MC_SESSION_ROOT_ROWS 64 // more than a list shows at once

typedef struct mc_session_roots {
    mc_root_path_key objects_key; // of which `objects` were counted
    uint64_t objects;
    // The one whose holds are listed, by what it is in every step.
    bool has_chosen;
    uint32_t frames_wanted; // to be brought into view in the panels, for so many frames
    mc_root_kind chosen_kind;
    uint32_t chosen_name;
    mc_text title, note, names[MC_SESSION_ROOT_ROWS], details[MC_SESSION_ROOT_ROWS];
    uint32_t version; // another one, other groups, trail or choice
} mc_session_roots;

// ---- history.h

// Where one stands in the city of an open trace.
typedef struct mc_session_moment {
    mc_settings settings; // fields for MC_USE_VIEW, extent, step, selection, camera
    bool is_linked;       // of a heap and its methods: of the one that was not opened first
    uint32_t changes;     // in the history: what this one changed
} mc_session_moment;

#define MC_SESSION_HISTORY_CAPACITY 200

typedef struct mc_session_history {
    mc_session_moment moments[MC_SESSION_HISTORY_CAPACITY];
    uint32_t count, at; // moments[at] is where one is
    uint64_t last_ns;   // when the last one was noted
    bool was_playing;   // when it was looked at last
    bool absorbs;       // where a move back ends up is no change of its own
} mc_session_history;

// ---- follow.h

// While a recording is followed, plots have room for this share more, so that what grows does not
// push its neighbours at each step.
#define MC_SESSION_HEADROOM 0.25

typedef struct mc_session_file_look {
    struct timespec changed; // of the file, when it was looked at
    off_t size;              // -1: it was not
} mc_session_file_look;

typedef struct mc_session_follow {
    bool is_on, is_live; // live: the recording has not ended
    mc_job *job;         // NULL: none was needed yet
    bool is_busy;
    uint64_t next_ns; // when to look again
    mc_session_file_look look;
    uint32_t step_count; // that were taken over
    char *waits_for;     // the recording that is still to begin; NULL: none
} mc_session_follow;

// ---- lag.h

typedef struct mc_session_lag {
    double ms;           // of the step that is shown; 0: none is measured
    uint64_t fine_ns;    // when it was little last
    bool is_late;        // it is said
    uint32_t drawn_step; // the newest that was drawn
} mc_session_lag;

// ---- what whoever shows the session says before each turn

typedef struct mc_session_input {
    uint32_t width, height; // of the picture, in pixels
    double pixel_scale;     // of lines: of the screen, 1 on a plain one
    double text_scale;      // of text in the picture, in pixels of a plain screen
    bool is_over_picture;   // the pointer is, and free to point
    double x, y;            // where
    bool is_dragging, is_button_down;
    double chart_x0, chart_x1; // of the time chart's first and last point; the same: there is none
    bool hides_tooltip;        // a key was used since the pointer moved last
    bool can_idle_moving;      // drawing costs so little that arrows may move all the time
    bool is_uncovered;         // names are to be where a picture without panels has them
} mc_session_input;

typedef struct mc_name_cache mc_name_cache;       // words.h
typedef struct mc_session_frame mc_session_frame; // describe.h

struct mc_session {
    const mc_session_desc *desc;
    mc_log log;
    mc_session_input input;
    mc_job *job;
    int exit_code;
    bool ends; // nothing more is to be shown

    // What is open; held, and for short what is held.
    mc_dataset *dataset; // NULL: nothing is open
    const mc_trace *trace;
    mc_layout_options layout; // as opened; the settings override parts of it
    mc_session_task task;
    bool opened_once; // what the command line asks for has been done
    bool is_new;      // nothing was ever opened before
    mc_session_tabs tabs;
    char *busy_text, *message;
    bool message_is_notice; // it goes away by itself, then:
    uint64_t notice_end_ns;
    mc_text status; // what a key did (status_text.h); empty: nothing
    uint64_t status_end_ns, status_count;

    // How it is shown.
    mc_view *views[MC_VIEW_CAPACITY];
    mc_view *view;      // the one that is shown, or will be
    mc_layout *shown;   // that one's; NULL: none yet
    bool is_numbered;   // the settings' nodes are those of settings.group_by, not what is shown
    mc_settings wanted; // of the layout that is shown or on its way: fields for MC_USE_LAYOUT

    // Settings, what of them is remembered, and where one was.
    mc_settings settings;
    mc_preferences preferences;
    mc_settings remembered; // as it was when the preferences were read or written last
    mc_session_history history;
    bool has_pending; // to go there once the layout is done
    bool pending_at_once;
    mc_session_moment pending;
    bool has_wanted_view; // to be restored once its trace is open
    mc_view_file wanted_view;

    // Time. Counts are columns over the layout's nodes: shapes go from `from` to `to`.
    mc_playback playback;
    mc_step_stream *steps; // of the layout
    const uint64_t *from, *to;
    const uint64_t *node_values; // of the step in `to`, by node, as mc_trace_read_column()
    uint64_t *between, *zeros;   // where shapes go on from in the middle of a tween; nothing
    double blend;                // how far from `from` to `to` the last frame was, 0 to 1
    uint32_t shown_step;         // whose counts are in `to`
    uint64_t leaf_total; // the sum of all leaves at that step, a count of the layout's metric

    // For whoever holds copies of them: another number, another trace, layout or counts.
    uint32_t trace_version, layout_version, counts_version;
    bool counts_advance; // `from` is what `to` was at the version before

    // What is pointed at.
    uint32_t hovered;            // a node; MC_NONE: none
    bool hover_is_stale;         // something moved since the last pick
    double jump_elapsed_s;       // since something was selected that is to be seen; < 0: long ago
    mc_camera_viewport viewport; // what panels leave of the picture
    uint64_t selection_max, selection_sum; // of the window; MC_COUNT_UNKNOWN: none is known

    // Series for charts, one value per step, 0 to 1.
    uint32_t freed_step; // the last one before most of the heap went, for good; MC_NONE: it did not
    bool hint_dismissed;
    float *other_values;             // of the metric that is not shown
    uint64_t *totals;                // the heap's values of the metric that is shown, one a step
    bool has_totals;                 // they are known
    uint64_t total_most, other_most; // the largest of either, once they are known
    float *step_places;              // where steps are in time: 0 to 1, ascending
    float *total_values, *selection_values, *suspect_values;
    uint32_t series_count; // steps that they have room for
    // Further steps of a recording are taken over: what is known of those before is shown until
    // more is, and what is being read is awaited.
    bool is_going_on;
    mc_session_series suspect_series, selection_series, total_series;
    bool has_selection_values; // and selection_max
    // Of several: the largest, one after another in `member_values`, as shares of the sum's
    // largest.
    uint32_t members[MC_FACT_MEMBER_MOST], member_count;
    float *member_values;
    mc_text group_name;
    uint64_t *series; // scratch
    mc_session_suspect suspects[MC_SESSION_SUSPECT_COUNT];
    uint32_t suspect_count;
    bool has_verdict; // it, and the suspects, are known
    mc_heap_verdict verdict;
    mc_text verdict_text; // the first cause, or why there is none
    mc_session_why why;
    mc_session_methods methods;

    // What follows from the settings, found beside.
    mc_selection_history selection_history;
    bool frame_is_due; // the selection is to be shown once the layout is done
    mc_asked *asked[MC_QUERY_COUNT];
    mc_session_search search;
    mc_session_references references;
    uint32_t lit_row; // of theirs, under the pointer; MC_NONE: none
    mc_session_paths paths;
    mc_session_walk walk;
    mc_session_roots roots;
    mc_session_differences differences;
    mc_session_linked linked;
    mc_session_follow follow;
    mc_session_lag lag;

    uint64_t now_ns;
    double elapsed_s;    // since the last turn
    double led_s;        // of the next turn's time, which this one took for what was set in motion
    bool was_on_its_way; // something, before the user's input of this turn
    uint32_t frames_due;
    uint64_t calm_ns; // then frames are due that steps gave no time for; 0: none are
    mc_name_cache *names;
    mc_session_frame *frame;
};

// The one way to ask for frames: until everything that depends on a change is there, ...
void mc_session_redraw(mc_session *session);
// ... for what was found beside the window, without a frame of its own where steps come fast, ...
void mc_session_redraw_found(mc_session *session);
// ... or one more, for what moves by itself.
static inline void mc_session_redraw_once(mc_session *session) {
    if (session->frames_due == 0) session->frames_due = 1;
}
// The frames that fast steps gave no time for are due once no step came for a while.
void mc_session_redraw_when_calm(mc_session *session);

// The time between the last two steps of what is being recorded; 0: not known.
uint64_t mc_session_get_pace_ns(const mc_session *session);
// Whether a recording's steps come faster than a picture settles: it is not made finer then.
bool mc_session_follows_fast(const mc_session *session);

// The answers that are there; of nothing, where none is. Valid until the session's next turn.
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
MC_SESSION_ANSWER(differences, MC_QUERY_DIFFERENCES, mc_differences)

static inline const mc_walk *mc_session_get_walk(const mc_session *session) {
    const mc_walk_answer *answer =
        (const mc_walk_answer *)mc_asked_get_answer(session->asked[MC_QUERY_WALK]);
    return &answer->walk;
}

// Whether methods in a frame of time are shown.
static inline bool mc_session_has_methods(const mc_session *session) {
    return session->trace && mc_trace_get_frame_ms(session->trace) > 0;
}

// The first one that is; MC_NONE: nothing.
static inline uint32_t mc_session_get_selected(const mc_session *session) {
    return mc_selection_get(&session->settings.selection);
}

// Whether several are.
static inline bool mc_session_has_group(const mc_session *session) {
    return session->settings.selection.count > 1;
}

// Those that lie in no other one.
mc_selection mc_session_get_outer(const mc_session *session);

// The step that others are compared with: the pinned one; for a moment, where none is, the first of
// the time window, and for that one the step before. MC_NONE: none, or the trace lacks it.
static inline uint32_t mc_session_get_pin(const mc_session *session) {
    uint32_t pin = mc_settings_get_pin(&session->settings), step = session->playback.step;
    if (pin == MC_NONE && session->settings.compares) {
        uint32_t first = session->settings.layout.window[0];
        pin = step > first ? first : step - 1; // before step 0 is MC_NONE
    }
    return session->trace && pin < mc_trace_get_step_count(session->trace) ? pin : MC_NONE;
}

// NULL: nothing is open, or it has none.
static inline const char *mc_session_get_trace_name(const mc_session *session) {
    return session->dataset ? session->dataset->name : NULL;
}

// The selection, or what the picture is of.
static inline uint32_t mc_session_get_focus(const mc_session *session) {
    uint32_t selected = mc_session_get_selected(session);
    return selected != MC_NONE ? selected : session->shown->root_node;
}

// What is said to the user; a notice is good news, which goes away by itself.
void mc_session_set_message(mc_session *session, const char *message); // NULL: none
void mc_session_set_notice(mc_session *session, const char *format, ...) MC_PRINTF(2, 3);
void mc_session_complain(mc_session *session, const char *message);     // on stderr, too
int mc_session_complain_of(mc_session *session, const mc_error *error); // likewise; the exit code
// Says it and ends the session; returns false.
bool mc_session_fail(mc_session *session, const mc_error *error);

// A value as mc_trace_read_value() has it; 0, and a message, if the trace's file can't be read
// there.
uint64_t mc_session_read_value(mc_session *session, uint32_t step, mc_metric column, uint32_t node);

// Brings a node into the picture; MC_NONE: all of it. Nothing happens while nothing is shown.
void mc_session_look_at(mc_session *session, uint32_t node, mc_view_framing how);
void mc_session_set_viewport(mc_session *session, mc_camera_viewport viewport);

// Where a text is to be typed; NULL: nowhere.
void mc_session_focus(mc_session *session, const char *field);

void mc_session_remember_path(mc_session *session, const char *path);
