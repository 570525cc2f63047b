// view_state.h - what the files of the view share: its state, and what they do for one another.
//
// One object, owned by mc_view_run(), used by the main thread. Only the tasks in view_data.c run
// elsewhere, on what they were given.
#pragma once
#include "app/picture/camera.h"
#include "app/picture/highlight.h"
#include "app/picture/playback.h"
#include "app/picture/step_stream.h"
#include "app/ui/ui.h"
#include "app/view/job.h"
#include "app/view/view.h"
#include "app/view/view_comfort.h"
#include "app/view/view_explore.h"
#include "app/view/view_follow.h"
#include "app/view/view_keys.h"
#include "app/view/window.h"
#include "engine/analyze/trend.h"
#include "engine/gpu/swapchain.h"

#define MC_VIEW_LISTED_SUSPECTS 9 // as many as there are digits to select them
#define MC_VIEW_SUSPECT_COUNT 32  // with a name in the picture
#define MC_VIEW_LABEL_CAPACITY 48

#define MC_VIEW_WARNING_CAPACITY 100 // more are counted, but not kept

typedef struct mc_view_warnings {
    char *texts[MC_VIEW_WARNING_CAPACITY];
    uint32_t count, all_count; // kept; all
} mc_view_warnings;

typedef enum mc_view_task { MC_VIEW_IDLE, MC_VIEW_OPENING, MC_VIEW_LAYING_OUT } mc_view_task;

// The top growers of the city, for the panel and for names in the picture.
typedef struct mc_view_suspect {
    uint32_t node, building;
    int64_t growth;
    mc_trend trend; // over the window
    bool has_trend;
    float *values; // one per step, 0 to 1; a part of mc_view.suspect_values; NULL: not known yet
} mc_view_suspect;

// Values over all steps that are read beside the window; the newest request wins.
typedef struct mc_view_series {
    mc_job *job; // NULL: nothing was asked for yet
    uint32_t request;
} mc_view_series;

// A button of the mouse that went down over the city.
typedef struct mc_view_press {
    bool down, dragging;
    int button;
    double x, y;
} mc_view_press;

struct mc_view {
    const mc_view_desc *desc;
    mc_log log;
    mc_window *window;
    mc_gpu *gpu;
    mc_swapchain *swapchain;
    mc_renderer *renderer;
    mc_renderer_desc renderer_desc;
    mc_ui *ui;
    mc_job *job;
    int exit_code;

    // What is open. The trace outlives the city's task.
    mc_trace *trace; // NULL: nothing is open
    mc_city *city;
    char *trace_name;
    mc_layout_options layout; // as opened; the settings override parts of it
    mc_view_task task;
    mc_city_desc wanted; // the layout that is shown or on its way
    bool opened_once;    // the command line's wishes have been fulfilled
    char *busy_text, *message;
    mc_view_warnings warnings; // of the trace that is open

    // Time. Counts are columns over buildings: shapes go from `from` to `to`.
    mc_playback playback;
    mc_step_stream *steps;                   // of the city
    const uint64_t *from, *to, *node_values; // node_values: of the step in `to`
    uint64_t *between, *zeros; // where shapes go on from in the middle of a tween; nothing
    uint32_t shown_step;       // whose counts are in `to`
    uint64_t leaf_total;       // the sum of all leaves at that step, in the city's metric

    // What is pointed at.
    uint32_t selected_node; // MC_NONE: nothing
    mc_structure selected, hovered;
    double jump_elapsed_s;  // < 0: no jump
    double glide_elapsed_s; // since another layout came; < 0: everything is where it belongs
    mc_box *before;         // where it was; the city's while it glides
    bool hover_is_stale;    // something moved since the last pick
    mc_text hover_path, hover_text, selection_path;
    mc_ui_path_part *parts; // of the selection's path
    size_t part_capacity;
    uint32_t part_count;
    uint64_t selection_max;

    mc_camera camera;
    bool camera_is_home; // untouched since the city was framed
    bool has_insets;
    double insets[4]; // left, top, right, bottom; eased

    mc_ui_settings settings;
    mc_ui_answer answer; // of the last frame

    // Series for charts, one value per step, 0 to 1.
    uint32_t freed_step; // the last one before most of the heap went, for good; MC_NONE: it did not
    bool hint_dismissed;
    float *other_values; // of the metric that is not shown
    float *total_values, *selection_values, *suspect_values;
    mc_view_series suspect_series, selection_series;
    bool has_selection_values; // and selection_max
    uint64_t *series;          // scratch
    mc_view_suspect suspects[MC_VIEW_SUSPECT_COUNT];
    uint32_t suspect_count;

    mc_view_explore explore;

    // Input.
    mc_view_press press;
    double pointer_x, pointer_y;
    bool has_pointer;
    bool pointer_moved, button_pressed; // since the last frame of the UI
    bool tooltip_hidden;                // a key was used since the pointer moved last
    bool has_held_event;
    mc_window_event held_event; // to be handled after the UI has seen where the pointer is
    bool keys_down[MC_VIEW_MOVE_COUNT];
    uint64_t last_click_ns;
    double last_click_x, last_click_y;

    // Frames.
    uint64_t now_ns, frame_start_ns;
    double elapsed_s; // since the loop's last turn
    double frame_cost_s;
    uint32_t frames_due;
    uint64_t frame_count;
    mc_update_params params;
    mc_text report, reported; // for the state file
    mc_view_comfort comfort;
    mc_view_follow follow;
};

// view.c: a renderer that suits a city of that many buildings; another one has no city yet.
mc_result mc_view_fit_renderer(mc_view *view, uint32_t building_count, mc_error *error);

// view_data.c: opening, laying out, steps, selection.
void mc_view_open(mc_view *view, const char *const *paths, uint32_t path_count, bool is_first);
void mc_view_sync_layout(mc_view *view); // lays out anew if the settings ask for it
void mc_view_take_results(mc_view *view);
void mc_view_cancel(mc_view *view);
bool mc_view_end_task(mc_view *view, double most_s); // false: it has not ended by then
bool mc_view_show_step(mc_view *view); // the playback's step; false: the device failed
void mc_view_select_node(mc_view *view, uint32_t node, bool jumps); // MC_NONE: nothing
void mc_view_set_message(mc_view *view, const char *message);       // NULL: none
void mc_view_close_data(mc_view *view);
// A value; 0, and a message in the window, if the trace's file can't be read there.
uint64_t mc_view_read_value(mc_view *view, uint32_t step, mc_column column, uint32_t node);
bool mc_view_fail(mc_view *view, const mc_error *error); // says it, ends the window; returns false

// Puts `city` (of view->trace) in the place of the one shown; `glides` if that is of it as well.
// False: the device failed.
bool mc_view_swap_city(mc_view *view, mc_city *city, bool glides);

// view_follow.c: a recording that goes on.
bool mc_view_begin_follow(mc_view *view);   // at the start; false: there is nothing to open yet
void mc_view_sync_follow(mc_view *view);    // once a turn
void mc_view_restart_follow(mc_view *view); // after another trace
void mc_view_toggle_follow(mc_view *view);
void mc_view_end_follow(mc_view *view);                // waits
double mc_view_get_headroom(const mc_view *view);      // as of mc_city_desc
double mc_view_get_follow_wait_s(const mc_view *view); // until it wants to look

// view_glide.c: from one layout to the next.
void mc_view_begin_glide(mc_view *view, mc_city *city); // from view->city, of the same trace
void mc_view_end_glide(mc_view *view);
void mc_view_advance_glide(mc_view *view);
float mc_view_get_glide(const mc_view *view); // as in mc_update_params

// view_series.c: numbers over all steps.
bool mc_view_compute_series(mc_view *view); // after another city; false: out of memory
void mc_view_compute_selection_series(mc_view *view);
void mc_view_take_series(mc_view *view); // what has been read meanwhile
void mc_view_stop_series(mc_view *view); // before the trace goes; waits

// view_window.c: the time window.
// The last step before most of the heap went, if what is left at the end is far below the peak.
bool mc_view_has_hint(const mc_view *view);
void mc_view_do_window(mc_view *view, mc_view_command command);

// An entry of mc_city.items.
static inline uint32_t mc_view_get_item_node(const mc_city *city, uint32_t item) {
    return item & MC_ITEM_DISTRICT ? city->district_node[item & ~MC_ITEM_DISTRICT]
                                   : city->building_node[item];
}

// view_input.c
void mc_view_handle_events(mc_view *view);
void mc_view_update_scale(mc_view *view); // of text and controls
void mc_view_do(mc_view *view, mc_view_command command);
void mc_view_frame_structure(mc_view *view, mc_structure structure, bool at_once);
void mc_view_update_params(mc_view *view);
void mc_view_update_hover(mc_view *view);
bool mc_view_is_over_city(const mc_view *view); // the pointer is, and free to point

// view_text.c: typing. Returns whether the event was for a text field.
bool mc_view_ends_typing(const mc_window_event *event); // and acts on what was typed
bool mc_view_type(mc_view *view, const mc_window_event *event);
void mc_view_connect_clipboard(mc_view *view);

// view_camera.c: the camera among the buildings.
void mc_view_zoom(mc_view *view, double notches, double x, double y); // at (x, y)
void mc_view_prepare_camera(mc_view *view);                           // before time passes for it
void mc_view_keep_outside(mc_view *view); // backs out of a building that the eye is in

// view_model.c: from the state to the panels and back.
void mc_view_fill_model(mc_view *view, mc_ui_model *model);
void mc_view_free_model(void);
// A node's name without control characters; stays valid for the frame.
const char *mc_view_get_name(const mc_view *view, uint32_t node);
void mc_view_apply_answer(mc_view *view);

// view_labels.c: names in the picture. Returns how many of MC_VIEW_LABEL_CAPACITY were filled.
uint32_t mc_view_fill_labels(mc_view *view, mc_ui_label *labels);

// view_explore.c: search, references, root cause; see view_explore.h.
mc_result mc_view_begin_exploring(mc_view *view, mc_error *error);
void mc_view_end_exploring(mc_view *view);
void mc_view_forget_city(mc_view *view);     // before another city of the trace; ends what reads it
void mc_view_forget_explored(mc_view *view); // before another trace; ends what reads this one
void mc_view_sync_exploring(mc_view *view);  // once a turn
void mc_view_visit(mc_view *view, uint32_t node); // selects it and brings it into view
bool mc_view_do_explore(mc_view *view, mc_view_command command);       // false: not one of these
bool mc_view_apply_explore(mc_view *view, const mc_ui_answer *answer); // likewise
void mc_view_fill_explore(mc_view *view, mc_ui_model *model);
void mc_view_report_explore(const mc_view *view, mc_text *out);

// view_root.c: the city of one district alone.
uint32_t mc_view_get_focus(const mc_view *view); // the selection, or what the city is of
bool mc_view_can_be_root(const mc_view *view);   // the selection, or the district around it
void mc_view_make_root(mc_view *view);
void mc_view_leave_root(mc_view *view); // to the district around
void mc_view_set_root(mc_view *view, uint32_t node);
void mc_view_widen_root(mc_view *view, uint32_t node); // so far that `node` is in it
void mc_view_frame_due(mc_view *view);                 // after another layout

// view_trail.c: back and forward; `way` is -1 or 1.
void mc_view_extend_trail(mc_view *view, uint32_t node);
bool mc_view_can_follow_trail(const mc_view *view, int way);
void mc_view_follow_trail(mc_view *view, int way);

// view_search.c
void mc_view_sync_search(mc_view *view);
void mc_view_take_search(mc_view *view);
void mc_view_end_search(mc_view *view);
void mc_view_fill_search(mc_view *view, mc_ui_search *model);
void mc_view_open_search(mc_view *view);
bool mc_view_close_search(mc_view *view); // false: it was not open
void mc_view_show_hit(mc_view *view, uint32_t row);
void mc_view_move_hit(mc_view *view, int way); // -1 or 1

// view_references.c
void mc_view_sync_references(mc_view *view);
void mc_view_take_references(mc_view *view);
void mc_view_end_references(mc_view *view);
void mc_view_fill_references(mc_view *view, mc_ui_references *model);
void mc_view_show_partner(mc_view *view, uint32_t row);
void mc_view_show_strongest(mc_view *view, mc_link_direction direction);
void mc_view_cycle_reference_filter(mc_view *view);
void mc_view_change_most_references(mc_view *view, bool more);

// Of the reference under the pointer, in the picture; false: there is none.
bool mc_view_show_pointed_partner(mc_view *view);
bool mc_view_append_pointed_link(mc_view *view, mc_text *path, mc_text *text);

// view_frustums.c: the references in the picture.
void mc_view_update_frustums(mc_view *view);            // before a frame
uint32_t mc_view_get_pointed_link(const mc_view *view); // index of the link; MC_NONE: none
bool mc_view_has_moving_arrows(const mc_view *view);
void mc_view_fill_frustum_scene(mc_view *view, mc_scene *scene);
void mc_view_drop_frustums(mc_view *view);

// view_walk.c: the walk to the root cause.
void mc_view_walk_from(mc_view *view, uint32_t node); // MC_NONE: from what grew the most
void mc_view_take_walk(mc_view *view);
void mc_view_update_walk(mc_view *view); // once a turn
bool mc_view_hide_walk(mc_view *view);   // from the picture; false: it was not there
void mc_view_drop_walk(mc_view *view);
void mc_view_end_walk(mc_view *view);
void mc_view_frame_walk(mc_view *view); // all of it at once
bool mc_view_is_stop(const mc_view *view, uint32_t node);
float mc_view_get_link_reveal(const mc_view *view, uint32_t link); // 0 to 1
void mc_view_show_stop(mc_view *view, uint32_t row);
void mc_view_fill_walk(mc_view *view, mc_ui_walk *model);

// view_styles.c: highlights beyond growth, and what they mean.
void mc_view_sync_styles(mc_view *view);
void mc_view_end_styles(mc_view *view);
void mc_view_apply_styles(const mc_view *view, const mc_theme *theme, mc_update_params *params);
void mc_view_cycle_color_mode(mc_view *view);
void mc_view_cycle_height_mode(mc_view *view);
void mc_view_fill_legend(mc_view *view, mc_ui_legend *model);

// view_children.c
void mc_view_fill_children(mc_view *view, mc_ui_list *model);
void mc_view_show_child(mc_view *view, uint32_t row);

// view_report.c: the state file.
void mc_view_report_key(mc_text *out, const mc_view *view, const char *field, uint32_t node);
void mc_view_write_report(mc_view *view);
