// settings.h - what the user has chosen to see: one struct, and the one table of its fields.
//
// Whatever the user can choose is a field here. The table says what each is for: saved views,
// preferences, undo, what needs another layout, options of the command line. A field that is added
// to the struct and to the table is known to all of them. Plain data, copied as it is; read by C
// and C++ alike. Nodes are those of the trace that is open. Threads: any, on separate objects.
#pragma once

#include "app/answers/selection.h"
#include "app/command_options.h"
#include "engine/scene/camera_pose.h"
#include "engine/scene/look.h"
#include <string.h>

#define MC_SETTINGS_SEARCH_SIZE 256
#define MC_SETTINGS_GROUP_SIZE 256
#define MC_SETTINGS_NOTES_SIZE 2048
typedef struct mc_settings {
    uint32_t view; // how it is shown: an index of mc_view_names
    // What is laid out. Once a trace is open, metric, scaling, tiling and window are settled, and
    // the root is a node.
    mc_layout_options layout;
    uint32_t root_node;                    // 0: all of it
    char group_by[MC_SETTINGS_GROUP_SIZE]; // classifiers; empty: as it was opened
    double frame_s;                        // of methods: how much of so many seconds they were busy
    uint32_t step;
    mc_selection selection;
    char search[MC_SETTINGS_SEARCH_SIZE]; // counts while search_open
    bool search_open, search_is_regex;
    bool is_home; // all of it is in the picture, whatever that one's shape; else from `pose`
    mc_camera_pose pose;
    // Of sunbursts and icicles.
    uint32_t tree_sort, tree_color; // mc_tree_sort, mc_flat_color_mode
    uint32_t tree_levels;           // below the root; 0: all
    bool tree_scaled;               // its area is the heap's
    bool tree_pruned;               // what is small becomes Others, as mc_tree_pruning has it:
    uint32_t tree_prune_most;
    double tree_prune_share;
    mc_form_steps tree_steps;           // with a small tree above the time chart
    bool tree_steps_scaled;             // their areas are the heap's
    mc_selection tree_opened;           // whose Other gave way to the groups it holds; while pruned
    char notes[MC_SETTINGS_NOTES_SIZE]; // of steps, see notes.c
    mc_form_steps pinned;               // the step that others are compared with; one or none
    bool compares;                      // for a moment, with a step that is not pinned
    mc_selection demolished;            // what goes, to see what falls with it
    mc_look look;
    bool loop;
    double step_duration_s;
    bool motion;
    uint32_t moving;      // mc_moving: how finely the city is drawn meanwhile
    uint32_t sort_column; // of the references' table, mc_reference_column
    bool sort_ascending;
    // Panels: all of them; those that are unfolded.
    bool panels, help, warnings_open;
    bool selection_open, suspects_open, references_open, walk_open, why_open, contents_open,
        view_open, roots_open, differences_open, linked_open;
    float text_scale;  // of text and controls, times the screen's
    float panel_width; // of the panels' column, on a plain screen; 0: as usual
} mc_settings;

#define MC_PANEL_WIDTH_USUAL 304
#define MC_PANEL_WIDTH_STEP 48
// What they can be dragged to.
#define MC_PANEL_WIDTH_LEAST 200
#define MC_PANEL_WIDTH_MOST 900

extern const char *const mc_view_names[]; // ends with NULL

mc_settings mc_settings_default(void); // as in a fresh window

#define MC_SETTINGS_FIELD_COUNT 33
extern const mc_form_field mc_settings_fields[MC_SETTINGS_FIELD_COUNT];

// Whether any field for `uses` differs.
bool mc_settings_differs(const mc_settings *a, const mc_settings *b, uint32_t uses);

// Gives `settings` those values of `to` in which it differs from `from`.
void mc_settings_move(mc_settings *settings, const mc_settings *from, const mc_settings *to,
                      uint32_t uses);

// Sets a field for saved views or preferences by "NAME VALUE", as files have them. On
// MC_ERROR_BAD_DATA, which says what was expected, nothing has changed.
mc_result mc_settings_set(mc_settings *settings, const char *text, mc_error *error);

// The pinned step; MC_NONE: none is.
static inline uint32_t mc_settings_get_pin(const mc_settings *settings) {
    return settings->pinned.count > 0 ? settings->pinned.items[0] : MC_NONE;
}
