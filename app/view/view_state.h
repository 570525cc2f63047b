// view_state.h - the state of the window, which its files share; what they do for one another is in
// the headers of its parts.
//
// One object, owned by mc_view_run(), used by the main thread. Tasks run elsewhere (job.h), on what
// they were given.
#pragma once
#include "app/picture/picture_options.h"
#include "app/ui/ui.h"
#include "app/view/script.h"
#include "app/view/view.h"
#include "app/view/view_comfort.h"
#include "app/view/view_data.h"
#include "app/view/view_explore.h"
#include "app/view/view_follow.h"
#include "app/view/view_input.h"
#include "app/view/view_model.h"
#include "app/view/view_series.h"
#include "engine/gpu/swapchain.h"
#include "engine/scene/camera.h"
#include "engine/scene/playback.h"
#include "engine/scene/step_stream.h"

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
    bool has_insets;
    double insets[4]; // left, top, right, bottom; eased

    mc_wish wish;
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
    bool has_verdict; // it, and the suspects, are known
    mc_heap_verdict verdict;
    mc_text verdict_text;                   // empty if something keeps growing
    uint32_t growers[MC_VIEW_GROWER_COUNT]; // buildings by rank of growth, for names
    uint32_t grower_count;

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
    mc_script *script;        // NULL: none
    mc_view_comfort comfort;
    mc_view_follow follow;
};

// view.c: a renderer that suits a city of that many buildings; another one has no city yet.
mc_result mc_view_fit_renderer(mc_view *view, uint32_t building_count, mc_error *error);

// The one way to ask for frames: until everything that depends on a change is there, ...
static inline void mc_view_redraw(mc_view *view) {
    view->frames_due = 3;
}

// ... or one more, for what moves by itself.
static inline void mc_view_redraw_once(mc_view *view) {
    if (view->frames_due == 0) view->frames_due = 1;
}

static inline uint32_t mc_view_get_selected(const mc_view *view) { // MC_NONE: nothing
    return mc_selection_get(&view->wish.selection);
}

// An entry of mc_city.items.
static inline uint32_t mc_view_get_item_node(const mc_city *city, uint32_t item) {
    return item & MC_ITEM_DISTRICT ? city->district_node[item & ~MC_ITEM_DISTRICT]
                                   : city->building_node[item];
}
