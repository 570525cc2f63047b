// command_options.h - options that several commands share: for input, and for the layout of a city.
//
// Threads: any, on separate objects.
#pragma once
#include "app/options.h"
#include "engine/import/format/deep.h"
#include "engine/import/format/profile_options.h"
#include "engine/import/format/rows_options.h"
#include "engine/scene/look.h"

// The names of scalings, tilings and of the metrics that every trace has; each ends with NULL.
extern const char *const mc_metric_names[], *const mc_scaling_names[], *const mc_tiling_names[];
extern const char *const mc_pair_show_names[]; // mc_pair_show, likewise

// A second trace to compare with, and the rules by which groups of both are the same (app/pair.h).
typedef struct mc_pair_options {
    const char *versus;     // NULL: none
    const char *align;      // NULL: not said
    const char *windows[2]; // "A:B", of the first trace, of the second; NULL: all steps
    mc_option_texts folds;
    bool no_folds, no_moves;
    bool has_before_places; // moved groups are where the first trace has them
} mc_pair_options;

// Options of every command that opens a trace.
typedef struct mc_input_options {
    bool skip_bad_steps;
    bool partial;
    bool is_live;         // that a recording goes on is no news
    bool no_references;   // of heap dumps
    mc_import_deep deep;  // likewise
    const char *group_by; // as of mc_import_desc; NULL: not said
    // From a view: classifiers that the trace lacks are reported and left out.
    bool is_group_optional;
    bool groups_as_usual; // without a list, groups as mc_regrouping_get_usual(); else as recorded
    uint32_t stacks;      // mc_stacks_form
    double sample_interval_ms; // of collapsed stacks; 0: as is usual
    mc_profile_options profiles;
    double wanted_frame_s;    // by a view; 0: none
    const char *frame;        // of methods, "1s", "all", "none"; NULL: as is usual
    bool is_compared;         // with another trace, which is opened separately
    bool is_raw;              // a trace of methods is usually shown as it was recorded
    mc_rows_options rows;     // of memcity import alone
    const char *const *names; // likewise; as of mc_import_desc
    bool is_graph;            // likewise
    const char *notes;        // a file of notes; NULL: not said
    const char *times;        // a list, or a file that holds one; NULL: not said
    mc_pair_options pair;     // of those that show two
    const char *tab;          // of a server; NULL: not said
} mc_input_options;

#define MC_ALIGN_SIZE 32

// Options of every command that lays a city out. MC_NONE and NULL: not said.
typedef struct mc_layout_options {
    const char *metric_key; // as --metric; NULL: not said
    const char *area_key;   // as --area
    // The metric's key, from a view or the window: if the trace lacks it, that is only reported.
    // Empty: not given.
    char metric[MC_METRIC_NAME_SIZE];
    uint32_t pair;             // of two traces: mc_pair_show
    char align[MC_ALIGN_SIZE]; // alignment of their steps; empty: the default
    uint32_t scaling, tiling, child_limit;
    const char *padding; // a number of units, or "auto"
    double size[2];      // of the ground plan; 0: not said
    uint32_t window[2];
    const char *root_key; // the city of this node's subtree; NULL: of the whole heap
    bool is_lenient;      // steps of a view that the trace lacks are reported and left out
    bool is_whole;        // without a window: all steps, even what was freed at the end
    bool is_silent;       // omitted steps are reported elsewhere
} mc_layout_options;

mc_layout_options mc_layout_options_default(void);

// The table of a layout's fields, for files and for the command line; offsets are in
// mc_layout_options.
#define MC_LAYOUT_FIELD_COUNT 11
extern const mc_form_field mc_layout_fields[MC_LAYOUT_FIELD_COUNT];

void mc_option_list_add_metric(mc_option_list *list, mc_layout_options *layout);
void mc_option_list_add_window(mc_option_list *list, mc_layout_options *layout, const char *help);
void mc_option_list_add_input(mc_option_list *list, mc_input_options *input);
// --binary alone, for commands that read heap dumps themselves.
void mc_option_list_add_binary(mc_option_list *list, const char **binary);
void mc_option_list_add_rows(mc_option_list *list, mc_rows_options *rows); // docs/reference/rows.md
// Of those that show two traces as one.
void mc_option_list_add_pair(mc_option_list *list, mc_pair_options *pair,
                             mc_layout_options *layout);
// How groups of both are the same, and no more.
void mc_option_list_add_folds(mc_option_list *list, mc_pair_options *pair);
// What the ground plan's size is called differs: a picture has a size of its own.
void mc_option_list_add_ground_size(mc_option_list *list, mc_layout_options *layout,
                                    const char *name);

void mc_option_list_add_layout(mc_option_list *list, mc_layout_options *layout);
