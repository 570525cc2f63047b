// view.h - a way of showing what is open, such as the city: the one interface between a session
// and its picture.
//
// A session knows nodes, steps and values; a view knows where they are in the picture. A kind of
// view is a table of functions. A session has a view of each kind that it was given
// (mc_session_desc.views); it shows the one that the settings name, once that is laid out. Views
// that are not shown keep what outlasts a layout, such as a camera. Selection, hover, search,
// suspects and series are the session's and stay what they are when another view is shown.
//
// To add a view: a name in mc_view_names (settings.c), a folder in app/views with this table, a row
// in app/views/views.c, and, for a device, one in app/views/painters.c.
//
// Functions are called by the session's thread, but for those of layouts. Positions are in pixels
// of the picture. All functions are there, but for those that may be NULL.
#pragma once
#include "app/answers/dataset.h"
#include "app/session/facts_lists.h"
#include "app/session/settings.h"
#include "engine/scene/camera.h"
#include "engine/scene/drawing.h"
#include "engine/scene/labels.h"

typedef struct mc_session mc_session;
typedef struct mc_view_kind mc_view_kind;

#define MC_VIEW_CAPACITY 8 // kinds of views

// What was laid out; read-only and counted by its holders, as a dataset is. The kind fills in what
// is below the line; what it draws lies in `content`.
typedef struct mc_layout {
    const mc_view_kind *kind;
    mc_dataset *dataset; // held
    // While it is shown in the place of one of the same trace, grouped otherwise: per node one of
    // that one's. NULL: nodes are what they were.
    const uint32_t *came_from;
    atomic_uint holder_count;
    mc_settings settings; // that it was laid out for: fields for MC_USE_LAYOUT
    double headroom;
    // ----
    void *content;
    mc_metric metric;
    mc_step_range window;
    uint32_t root_node;
    // Whose counts the view draws: the session's columns `from` and `to` are over these nodes.
    const uint32_t *nodes;
    uint32_t node_count;
    uint32_t half_count;                     // as of mc_step_stream_desc
    int64_t largest_growth;                  // of one of them in the window, in the metric's unit
    uint32_t growers[MC_LABEL_MOST_GROWERS]; // nodes by rank of growth, as far as they grew; of
    uint32_t grower_count;                   // one step: the largest
    uint32_t hidden_leaf_count;              // left out by the child limit
    double hidden_share;                     // their share of the heap
} mc_layout;

// Lays out what the settings say, whose metric, window and root are settled. In any thread.
// `headroom` is as of mc_city_desc. `before`, which may be NULL: a layout from which something may
// be taken over where its trace goes on in this one. The caller holds the layout.
mc_result mc_layout_create(const mc_view_kind *kind, mc_dataset *dataset,
                           const mc_settings *settings, double headroom, const mc_layout *before,
                           const mc_progress *progress, mc_layout **layout, mc_error *error);
mc_layout *mc_layout_hold(mc_layout *layout);
void mc_layout_release(mc_layout *layout); // NULL is fine

// A kind's views begin with this.
typedef struct mc_view {
    const mc_view_kind *kind;
    mc_session *session;
} mc_view;

// Why another layout is shown.
typedef enum mc_layout_change {
    MC_LAYOUT_OPENED, // it is of another trace: everything is as in a fresh view
    MC_LAYOUT_WANTED, // of the same, laid out otherwise
    MC_LAYOUT_GROWN,  // of the same, with further steps
} mc_layout_change;

typedef enum mc_view_way { MC_VIEW_CHILD, MC_VIEW_PREVIOUS, MC_VIEW_NEXT } mc_view_way;

// How a node is brought into the picture.
typedef enum mc_view_framing {
    MC_VIEW_SHOW,    // nothing moves if it is in the picture already
    MC_VIEW_FRAME,   // as large as fits, with what it belongs to; asked again, by itself
    MC_VIEW_AT_ONCE, // the same, without a flight
} mc_view_framing;

// Where a node is: what its name would be written at, or is clicked at.
typedef struct mc_view_place {
    double x, y; // -1: it is there, but not in the picture
} mc_view_place;

// What moves the picture while it is held down: -1, 0 or 1 each.
typedef mc_camera_keys mc_view_moves;

struct mc_view_kind {
    const char *name; // of mc_view_names
    mc_result (*create)(mc_session *session, mc_view **view, mc_error *error);
    void (*destroy)(mc_view *view); // partly made, too; it shows nothing

    // ---- layouts

    // Fills in `layout`. In any thread. `before` is of the same kind, and its trace goes on in this
    // one; or NULL.
    mc_result (*lay_out)(mc_layout *layout, const mc_settings *settings, double headroom,
                         const mc_layout *before, const mc_progress *progress, mc_error *error);
    void (*destroy_content)(void *content);
    // `layout` takes the place of session->shown, which is still there, with its counts.
    void (*show)(mc_view *view, mc_layout *layout, mc_layout_change change);
    void (*hide)(mc_view *view); // what it shows goes
    // Nodes have other numbers (see mc_city_renumber), in what is shown. Nobody else reads it
    // meanwhile.
    mc_result (*renumber)(mc_view *view, const uint32_t *map, uint32_t map_count,
                          uint32_t node_count, mc_error *error);

    // ---- time

    void (*sync)(mc_view *view);    // at the end of a turn: finds what follows from the settings
    void (*advance)(mc_view *view); // session->elapsed_s has passed
    void (*prepare)(mc_view *view); // what a frame shows; before pick() and all below
    bool (*is_flying)(const mc_view *view);   // where one looks from is on its way
    bool (*is_settling)(const mc_view *view); // another layout is
    bool (*is_moving)(const mc_view *view);   // any of these
    bool (*is_lively)(const mc_view *view);   // something moves without end
    bool (*is_deriving)(const mc_view *view); // something is being found

    // ---- nodes

    uint32_t (*pick)(const mc_view *view, double x, double y); // MC_NONE: none
    // The reference under the pointer, as an index of session->references.links, or, behind these,
    // the street, as one of session->held.streets; MC_NONE: none.
    uint32_t (*pick_reference)(const mc_view *view); // may be NULL
    // What the pointer is at, if that is no node, or one at another step: a title and a line. May
    // be NULL.
    bool (*describe_pointed)(const mc_view *view, mc_text *title, mc_text *text);
    // False: the view does not show it.
    bool (*locate)(const mc_view *view, uint32_t node, mc_view_place *place);
    uint32_t (*get_neighbour)(const mc_view *view, uint32_t node, mc_view_way way); // MC_NONE
    const char *(*get_role)(const mc_view *view, uint32_t node); // of a node without a role
    // Names, the most important ones first. Returns how many.
    uint32_t (*fill_labels)(const mc_view *view, mc_label *labels, uint32_t capacity);
    void (*fill_legend)(mc_view *view, mc_fact_legend *legend); // what colours and sizes mean
    // Lines and names within the picture, as it was prepared; NULL: none. May be NULL.
    const mc_drawing *(*get_drawing)(const mc_view *view);

    // ---- where one looks from

    void (*set_viewport)(mc_view *view, mc_camera_viewport viewport);
    // Brings nodes into the picture; MC_NONE: all of it.
    void (*frame)(mc_view *view, uint32_t node, mc_view_framing how);
    void (*frame_group)(mc_view *view, const uint32_t *nodes, uint32_t count);
    void (*refit)(mc_view *view);       // the same as before, now that the viewport is another one
    void (*toggle_bird)(mc_view *view); // may be NULL
    // To a place as `--camera` says it.
    mc_result (*look_from)(mc_view *view, const char *place, mc_error *error); // may be NULL
    void (*note)(const mc_view *view,
                 mc_settings *settings); // puts where one looks from into the settings …
    void (*go_to)(mc_view *view, const mc_settings *settings,
                  bool at_once); // … and goes back there

    // ---- what the user does in the picture

    void (*click)(mc_view *view, double x, double y, bool is_double);
    void (*begin_drag)(mc_view *view, bool is_primary, double x, double y); // by which button
    void (*drag_to)(mc_view *view, double x, double y);
    void (*end_drag)(mc_view *view);
    void (*zoom)(mc_view *view, double notches, double x, double y);
    void (*set_moves)(mc_view *view, mc_view_moves moves);

    // ---- for scripts: fields of the state (--state), each after a comma
    void (*append_state)(const mc_view *view, mc_text *out);
};
