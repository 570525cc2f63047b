// view_explore.h - what the window knows of exploring: where one has been, what was searched for,
// the references of the selection, the walk to the root cause.
//
// Each kind of work has a thread of its own (job.h), so that typing never waits for a walk; what
// a task needs beside the trace, only its thread touches. All tasks end before the trace or the
// city that they read goes (mc_view_stop_exploring).
#pragma once
#include "app/picture/style_source.h"
#include "app/ui/ui_explore.h"
#include "app/view/job.h"
#include "engine/analyze/links.h"
#include "engine/analyze/search.h"
#include "engine/analyze/walk.h"
#include "engine/city/frustum.h"
#include "engine/render/legend.h"

// Structures that were selected, one after another.
typedef struct mc_view_trail {
    uint32_t *nodes;
    size_t count, capacity;
    size_t at; // the current one; count > 0
} mc_view_trail;

// What the references that are shown were found for.
typedef struct mc_view_reference_query {
    uint32_t node, step; // node MC_NONE: nothing
    bool incoming, outgoing, ascending;
    uint32_t most, sort_column;
} mc_view_reference_query;

typedef struct mc_view_references {
    mc_job *job;
    mc_link_finder *finder; // the thread's
    mc_view_reference_query wanted, found;
    mc_links links;       // of `found`, strongest first
    uint32_t *order;      // the table's rows: indices into them
    uint32_t version;     // another one, other links
    uint32_t total_count; // of both directions, before the filter
    uint32_t lit_link;    // index of the link that is under the pointer, by whichever way
    char note[160];
} mc_view_references;

typedef struct mc_view_frustum_key {
    const void *city, *from, *to;
    uint32_t version, walk_version;
    bool arcs;
} mc_view_frustum_key;

// The references in the picture.
typedef struct mc_view_frustums {
    mc_frustums frustums;
    mc_view_frustum_key key; // what they were made for
    uint32_t emphasised;     // link
    uint32_t hovered;        // frustum under the pointer
    double time_s;           // of the arrows
} mc_view_frustums;

// The parts of a district, largest first.
typedef struct mc_view_children {
    uint32_t node, step, metric; // that `nodes` is of
    uint32_t *nodes;
    uint32_t count;
    size_t capacity;
    bool is_known;
} mc_view_children;

typedef struct mc_view_search_query {
    char text[256]; // empty: nothing is searched for
    bool is_regex;
} mc_view_search_query;

// What makes searching quick; the thread's.
typedef struct mc_view_search_index {
    mc_search *search;
    uint32_t *order; // all nodes, the largest first
} mc_view_search_index;

#define MC_VIEW_PLACE_COUNT 64

typedef struct mc_view_search {
    mc_job *job;
    mc_view_search_index index;
    mc_view_search_query wanted, found;
    uint32_t *hits; // nodes, the largest first
    uint32_t hit_count;
    uint32_t leaf_count;                 // buildings that are hits or lie in one
    uint32_t current;                    // the hit that one is at; MC_NONE: none yet
    int wanted_move;                     // once what was typed is found: -1 or 1; 0: none
    uint32_t wanted_row;                 // to be brought into view
    bool changed;                        // since the city was told
    char note[1024];                     // what is wrong with the expression
    mc_text places[MC_VIEW_PLACE_COUNT]; // of the hits on the screen, in turn
    size_t next_place;
} mc_view_search;

// The walk to the root cause.
typedef struct mc_view_walk {
    mc_job *job;
    mc_walk walk;
    bool is_known, is_shown; // shown: in the picture
    bool is_walking;         // on its way
    uint32_t frames_wanted;  // to be brought into view in the panels, for so many frames
    double elapsed_s;        // since the chain began to appear; < 0: all of it is there
    uint32_t version;
    mc_text summary, details[MC_WALK_MOST_STOPS];
} mc_view_walk;

typedef struct mc_view_style_query {
    bool is_needed; // false: buildings are as they are without styles
    uint32_t color_mode, height_mode;
} mc_view_style_query;

// What buildings look like beyond growth.
typedef struct mc_view_styles {
    mc_job *job;
    mc_style_source *source; // NULL: none
    mc_view_style_query wanted, shown;
    uint32_t step;       // that the source is at
    bool walk_is_marked; // as of the last turn
    mc_legend legend;
} mc_view_styles;

typedef struct mc_view_explore {
    mc_ui_explore ui;
    mc_view_trail trail;
    bool frame_is_due; // the selection is to be shown once the layout is done
    mc_view_search search;
    mc_view_references references;
    mc_view_walk walk;
    mc_view_frustums frustums;
    mc_view_styles styles;
    mc_view_children children;
} mc_view_explore;
