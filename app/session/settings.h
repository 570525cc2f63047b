// settings.h - all settings of the user: one struct, and one table of its fields.
//
// Everything that the user can choose is a field here. The table says what each field is used for:
// saved views, preferences, undo, layout, options of the command line. To add a setting, add it to
// the struct and to the table; nothing else is needed for these. Plain data, copied by assignment;
// read by C and C++. Nodes are indices into the open trace. Threads: any, on separate objects.
#pragma once

#include "app/answers/selection.h"
#include "app/command_options.h"
#include "engine/scene/camera_pose.h"
#include "engine/scene/look.h"
#include <string.h>

#define MC_SETTINGS_SEARCH_SIZE 1024
#define MC_SETTINGS_GROUP_SIZE 256
#define MC_SETTINGS_NOTES_SIZE 2048
#define MC_SETTINGS_DEVICE_SIZE 256
#define MC_SETTINGS_SAMPLES_MOST 64

typedef struct mc_settings {
    uint32_t view; // the view kind: an index into mc_view_names
    // What to lay out. Once a trace is open, metric, scaling, tiling and window are resolved, and
    // the root is a node.
    mc_layout_options layout;
    uint32_t root_node;                    // 0: the whole heap
    char group_by[MC_SETTINGS_GROUP_SIZE]; // classifiers; empty: as opened
    double frame_s; // of methods: the length of the frame of time, in seconds
    uint32_t step;
    mc_selection selection;
    char search[MC_SETTINGS_SEARCH_SIZE]; // in effect while search_open
    bool search_open, search_is_regex;
    // The camera frames everything, whatever the picture's shape; else it is at `pose`.
    bool is_home;
    mc_camera_pose pose;
    // Of sunbursts and icicles.
    uint32_t tree_sort, tree_color; // mc_tree_sort, mc_flat_color_mode
    uint32_t tree_levels;           // below the root; 0: all
    bool tree_scaled;               // its area grows with the heap
    bool tree_pruned;               // small nodes are merged into Others, see mc_tree_pruning:
    uint32_t tree_prune_most;
    double tree_prune_share;
    mc_form_steps tree_steps; // steps with a small tree above the time chart
    bool tree_steps_scaled;   // their areas grow with the heap
    mc_selection tree_opened; // nodes whose Other is expanded into its groups; while pruned
    char notes[MC_SETTINGS_NOTES_SIZE]; // of steps, see notes.c
    mc_form_steps pinned;               // the step to compare with; one or none
    bool compares;                      // compares temporarily, without a pinned step
    mc_selection demolished;            // nodes to remove, to see what is freed with them
    mc_look look;
    bool loop;
    double step_duration_s;
    bool motion;
    uint32_t moving;                      // mc_moving: quality of the picture while something moves
    uint32_t samples;                     // of a pixel where nothing moves; 0: as many as usual
    uint32_t byte_units;                  // 0: KiB, of 1,024 bytes; 1: kB, of 1,000
    char device[MC_SETTINGS_DEVICE_SIZE]; // that draws; empty: the best one
    char usual_group_by[MC_SETTINGS_GROUP_SIZE]; // where nothing says how; empty: as recorded
    uint32_t sort_column;                        // of the references' table, mc_reference_column
    bool sort_ascending;
    // Panels: whether they are shown, and which are unfolded.
    bool panels, help, all_keys, preferences_open, warnings_open;
    bool selection_open, suspects_open, references_open, walk_open, why_open, contents_open,
        view_open, roots_open, differences_open, linked_open;
    float text_scale;  // of text and controls, times the screen's
    float panel_width; // of the panels' column, on a plain screen; 0: as usual
} mc_settings;

#define MC_PANEL_WIDTH_USUAL 304
#define MC_PANEL_WIDTH_STEP 48
// The limits of dragging.
#define MC_PANEL_WIDTH_LEAST 200
#define MC_PANEL_WIDTH_MOST 900

extern const char *const mc_view_names[]; // ends with NULL

mc_settings mc_settings_default(void); // as in a fresh window

#define MC_SETTINGS_FIELD_COUNT 37
extern const mc_form_field mc_settings_fields[MC_SETTINGS_FIELD_COUNT];

// Whether any field with one of `uses` differs.
bool mc_settings_differs(const mc_settings *a, const mc_settings *b, uint32_t uses);

// Copies into `settings` the fields of `to` that differ from `from`.
void mc_settings_move(mc_settings *settings, const mc_settings *from, const mc_settings *to,
                      uint32_t uses);

// Sets a field of saved views or preferences from "NAME VALUE", as in their files.
// MC_ERROR_BAD_DATA: nothing has changed, and the message says what was expected.
mc_result mc_settings_set(mc_settings *settings, const char *text, mc_error *error);

// The pinned step; MC_NONE: none is.
static inline uint32_t mc_settings_get_pin(const mc_settings *settings) {
    return settings->pinned.count > 0 ? settings->pinned.items[0] : MC_NONE;
}
