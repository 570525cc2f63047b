// view.h - a way to show a trace, such as the city: the only interface between a session and its
// picture.
//
// A session knows nodes, steps and values; a view knows where they are in the picture. A view kind
// is a table of functions. A session creates one view of each kind that it was given
// (mc_session_desc.views) and shows the one that the settings name, once its layout is ready.
// Hidden views keep what outlives a layout, such as a camera. Selection, hover, search, suspects
// and series belong to the session and survive a change of view.
//
// To add a view: a name in mc_view_names (settings.c), a folder in app/views with this table, a row
// in app/views/views.c, and, for a device, one in app/views/painters.c.
//
// Positions are in pixels of the picture. No function pointer is NULL unless its comment allows it.
// Threads: the session's thread calls all functions, except those of layouts.
#pragma once
#include "app/answers/dataset.h"
#include "app/print/print.h"
#include "app/session/facts_lists.h"
#include "app/session/settings.h"
#include "engine/scene/camera.h"
#include "engine/scene/drawing.h"
#include "engine/scene/labels.h"

typedef struct mc_session mc_session;
typedef struct mc_view_kind mc_view_kind;

#define MC_VIEW_CAPACITY 8 // view kinds

// A finished layout: read-only and reference-counted, like a dataset. The kind fills in the fields
// below the line; what it draws is in `content`.
typedef struct mc_layout {
    const mc_view_kind *kind;
    mc_dataset *dataset; // held
    // While this layout replaces one of the same trace with another grouping: for each node its
    // counterpart in the old layout. NULL: the nodes are the same.
    const uint32_t *came_from;
    atomic_uint referrer_count;
    mc_settings settings; // input of the layout: fields for MC_USE_LAYOUT
    double headroom;
    // ----
    void *content;
    mc_metric metric;
    mc_step_range window;
    uint32_t root_node;
    // The nodes whose counts the view draws. The session's columns `from` and `to` are over these.
    const uint32_t *nodes;
    uint32_t node_count;
    uint32_t half_count;    // as of mc_step_stream_desc
    int64_t largest_growth; // of a single node in the window, in the metric's unit
    // The nodes that grew, by rank of growth; in a trace of one step, the largest nodes.
    uint32_t growers[MC_LABEL_MOST_GROWERS];
    uint32_t grower_count;
    uint32_t hidden_leaf_count; // leaves omitted by the child limit
    double hidden_share;        // their share of the heap
} mc_layout;

// Lays out the dataset as the settings say; their metric, window and root must be resolved.
// `headroom`: see mc_city_desc. `before` may be NULL; else it is a layout of an earlier state of
// the same recording, parts of which may be reused. The caller owns a reference to the layout.
// Threads: any.
mc_result mc_layout_create(const mc_view_kind *kind, mc_dataset *dataset,
                           const mc_settings *settings, double headroom, const mc_layout *before,
                           const mc_progress *progress, mc_layout **layout, mc_error *error);
mc_layout *mc_layout_hold(mc_layout *layout);
void mc_layout_release(mc_layout *layout); // NULL is fine

// Base of every view; the kind's own struct begins with it.
typedef struct mc_view {
    const mc_view_kind *kind;
    const mc_session *session; // it changes by what a view answers, or by view_requests.h
} mc_view;

// Why another layout is shown.
typedef enum mc_layout_change {
    MC_LAYOUT_OPENED, // of another trace: everything is as in a fresh view
    MC_LAYOUT_WANTED, // of the same trace, with other settings
    MC_LAYOUT_GROWN,  // of the same trace, with further steps
} mc_layout_change;

typedef enum mc_view_way { MC_VIEW_CHILD, MC_VIEW_PREVIOUS, MC_VIEW_NEXT } mc_view_way;

// How a node is brought into the picture.
typedef enum mc_view_framing {
    MC_VIEW_SHOW,    // moves nothing if the node is in the picture already
    MC_VIEW_FRAME,   // as large as fits, with its strongest partners; asked again, alone
    MC_VIEW_AT_ONCE, // the same, without a flight
} mc_view_framing;

// The position of a node: where its name goes and where a click hits it.
typedef struct mc_view_place {
    double x, y; // -1: the view shows the node, but outside of the picture
} mc_view_place;

// What a click hit, and what is to be done about it.
typedef enum mc_view_click_kind {
    MC_VIEW_CLICK_NOTHING,  // that concerns the session
    MC_VIEW_CLICK_NODE,     // selects it; a reference that the pointer is on leads to its other end
    MC_VIEW_CLICK_GROUP,    // shows it alone; the one that is shown alone: the one above
    MC_VIEW_CLICK_OTHER,    // an Other of this node gives way to the groups that it holds
    MC_VIEW_CLICK_GC_ROOTS, // chooses a group of GC roots
    MC_VIEW_CLICK_STEP,     // shows it
} mc_view_click_kind;

typedef struct mc_view_click {
    mc_view_click_kind kind;
    uint32_t index; // MC_NONE: no node
} mc_view_click;

// Movement by keys that are held down: -1, 0 or 1 each.
typedef mc_camera_keys mc_view_moves;

struct mc_view_kind {
    const char *name; // of mc_view_names
    mc_result (*create)(const mc_session *session, mc_view **view, mc_error *error);
    void (*destroy)(mc_view *view); // also of a partly created view; it shows no layout

    // ---- layouts

    // Fills in `layout`. Threads: any. `before` is NULL, or of the same kind and of an earlier
    // state of the same recording.
    mc_result (*lay_out)(mc_layout *layout, const mc_settings *settings, double headroom,
                         const mc_layout *before, const mc_progress *progress, mc_error *error);
    void (*destroy_content)(void *content);
    // Shows `layout` in place of session->shown, which is still valid, as are its counts.
    void (*show)(mc_view *view, mc_layout *layout, mc_layout_change change);
    void (*hide)(mc_view *view); // forgets the layout that it shows
    // Renumbers the nodes of `layout`, which is shown (see mc_city_renumber). Nobody else reads it
    // meanwhile.
    mc_result (*renumber)(mc_view *view, mc_layout *layout, const uint32_t *map, uint32_t map_count,
                          uint32_t node_count, mc_error *error);

    // ---- time

    void (*sync)(mc_view *view);            // at the end of a turn: derives state from the settings
    void (*advance)(mc_view *view);         // animates by session->turn.elapsed_s
    void (*prepare)(mc_view *view);         // prepares a frame; called before pick() and all below
    bool (*is_flying)(const mc_view *view); // the camera is in flight
    bool (*is_settling)(const mc_view *view); // a transition to another layout runs
    bool (*is_moving)(const mc_view *view);   // either of these
    bool (*is_lively)(const mc_view *view);   // an endless animation runs
    bool (*is_deriving)(const mc_view *view); // a background query runs

    // ---- nodes

    uint32_t (*pick)(const mc_view *view, double x, double y); // MC_NONE: none
    // The reference under the pointer, as an index into the links of the references; or the street,
    // as an index into the streets of the retaining paths plus the number of links. MC_NONE: none.
    uint32_t (*pick_reference)(const mc_view *view); // may be NULL
    // Describes what is under the pointer if it is no node, or a node at another step: a title and
    // a line. May be NULL.
    bool (*describe_pointed)(const mc_view *view, mc_text *title, mc_text *text);
    // False: the view does not show it.
    bool (*locate)(const mc_view *view, uint32_t node, mc_view_place *place);
    uint32_t (*get_neighbour)(const mc_view *view, uint32_t node, mc_view_way way); // MC_NONE
    const char *(*get_role)(const mc_view *view, uint32_t node); // for a node without a role
    // Fills in names, most important first. Returns how many.
    uint32_t (*fill_labels)(const mc_view *view, mc_label *labels, uint32_t capacity);
    void (*fill_legend)(mc_view *view, mc_fact_legend *legend); // what colours and sizes mean
    // Lines and names within the prepared picture; NULL: none. The function may be NULL.
    const mc_drawing *(*get_drawing)(const mc_view *view);

    // ---- camera

    void (*set_viewport)(mc_view *view, mc_camera_viewport viewport);
    // Brings a node, or a group, into the picture; MC_NONE: everything.
    void (*frame)(mc_view *view, uint32_t node, mc_view_framing how);
    void (*frame_group)(mc_view *view, const uint32_t *nodes, uint32_t count, mc_view_framing how);
    void (*refit)(mc_view *view);       // frames the same again after a change of the viewport
    void (*toggle_bird)(mc_view *view); // may be NULL
    // Moves the camera to `place`, in the syntax of --camera.
    mc_result (*look_from)(mc_view *view, const char *place, mc_error *error); // may be NULL
    void (*note)(const mc_view *view,
                 mc_settings *settings); // stores the camera in the settings …
    void (*go_to)(mc_view *view, const mc_settings *settings,
                  bool at_once); // … and restores it from them

    // ---- mouse and keys

    mc_view_click (*click)(mc_view *view, double x, double y, bool is_double);
    // `is_primary`: the primary button.
    void (*begin_drag)(mc_view *view, bool is_primary, double x, double y);
    void (*drag_to)(mc_view *view, double x, double y);
    void (*end_drag)(mc_view *view);
    void (*zoom)(mc_view *view, double notches, double x, double y);
    void (*set_moves)(mc_view *view, mc_view_moves moves);

    // ---- for scripts: appends fields of the state (--state), each after a comma
    void (*put_state)(const mc_view *view, mc_print *print);
};
