// facts_lists.h - the panels' lists: search hits, references, the root cause, children and others.
//
// A list has a count and describes only the rows on the screen, so a list of a million rows costs
// as much as one of ten. As in facts.h, strings live for one frame.
#pragma once
#include "engine/base/base.h"
#include "engine/base/text.h"

#define MC_FACT_LIST_VALUES 4

// The meaning of a mark that does not stand for a colour of the picture.
enum { MC_FACT_MARK_NONE, MC_FACT_MARK_MUTED, MC_FACT_MARK_WARNING, MC_FACT_MARK_CHAIN };

typedef struct mc_fact_list_row {
    const char *name;
    const char *detail;                   // small and muted, in a line below the name; NULL: none
    char values[MC_FACT_LIST_VALUES][32]; // at the right
    uint32_t color;                       // of the mark at the left; 0: none
    uint32_t mark;                        // MC_FACT_MARK_*
    bool strong;
    bool points_in, points_out; // draw an arrow in place of the mark
    bool selected;
    bool lit; // its counterpart in the picture is under the pointer
} mc_fact_list_row;

typedef struct mc_fact_list {
    uint32_t count;
    void (*describe)(void *user, uint32_t index, mc_fact_list_row *row);
    void (*describe_more)(void *user, uint32_t index, mc_text *text); // appends the tooltip
    void *user;
    uint32_t wanted_row; // scroll to this row; MC_NONE: none
} mc_fact_list;

typedef struct mc_fact_search {
    mc_fact_list hits;
    const char *note;  // an error in the expression, or that there are no hits; NULL: none
    char counts[128];  // "3 of 1,204"
    bool is_searching; // a search runs; the hits are those of the text before
} mc_fact_search;

typedef struct mc_fact_references {
    mc_fact_list list;
    const char *note; // why the list is empty, or a remark on it; NULL: none
    bool can_filter;  // without filters the list would not be empty
    bool has_details; // rows have a second line with the field's name
    bool can_go_back, can_go_forward;
    bool is_looking; // the query runs
} mc_fact_references;

// How GC roots retain the selection.
typedef struct mc_fact_retaining_paths {
    mc_fact_list list;
    const char *note; // why the list is empty; NULL: no remark
    bool is_known;    // some step of the trace has retaining paths
} mc_fact_retaining_paths;

typedef struct mc_fact_walk {
    mc_fact_list stops;
    const char *note, *summary; // NULL: nothing
    bool can_walk, is_walking, is_shown, has_selection;
    bool is_of_one_step; // a walk within one step: nothing grew
    bool wants_view;     // it is new: scroll the panel into view
} mc_fact_walk;

#define MC_FACT_WHY_FACTS 8

typedef struct mc_fact_why_fact {
    const char *label, *text;
} mc_fact_why_fact;

// Why the heap grows, or why the selection is no suspect.
typedef struct mc_fact_why {
    const char *note, *sentence; // NULL: nothing
    mc_fact_why_fact facts[MC_FACT_WHY_FACTS];
    uint32_t fact_count;
} mc_fact_why;

// GC roots: those of the selection, or what the chosen group holds, or all groups.
typedef struct mc_fact_roots {
    bool has_roots;    // the trace has GC roots
    const char *title; // of the chosen group; NULL: none is chosen
    const char *note;  // NULL: nothing
    mc_fact_list list;
    bool has_details; // rows have a second line with the kind
    bool wants_view;  // a group was just chosen: scroll the panel into view
} mc_fact_roots;

// What would be freed without the demolished nodes.
typedef struct mc_fact_what_if {
    bool can_demolish, is_demolished; // the selection
    const char *obstacle; // why it can't be demolished; NULL: it can, or nothing is selected
    bool has_any;         // something is demolished
    bool is_looking;      // the query for what is freed runs
    float progress;       // of the query, 0 to 1; < 0: not known
    const char *summary;  // NULL: no result yet
    mc_fact_list fallen;  // the most bytes first
} mc_fact_what_if;

// The differences between two traces.
typedef struct mc_fact_differences {
    bool is_there; // a pair is open
    bool is_looking;
    const char *note;  // counts of each kind, and of folded names
    const char *rules; // the folding rules, one per line
    mc_fact_list list;
} mc_fact_differences;

// For a heap: the methods that allocate the selection. For methods: which of their allocations are
// alive.
typedef struct mc_fact_linked {
    bool is_there; // a heap and its methods are open
    bool is_looking;
    const char *title, *note;
    mc_fact_list list;
} mc_fact_linked;

#define MC_FACT_LEGEND_CAPACITY 8
#define MC_FACT_HEIGHT_COUNT 5
#define MC_FACT_APART_COUNT 4

// The legend: what colours, areas and heights mean.
typedef struct mc_fact_legend {
    const char *title; // NULL: colours mean nothing
    bool is_gradient; // a gradient of `count` colours from `low` to `full`; else classes with texts
    uint32_t count;
    uint32_t colors[MC_FACT_LEGEND_CAPACITY];
    const char *texts[MC_FACT_LEGEND_CAPACITY];
    char full[64], low[64]; // empty `low`: 0
    // Colours outside of the gradient: new and gone groups of two traces, unknown values.
    uint32_t apart_count, apart_colors[MC_FACT_APART_COUNT];
    const char *apart_texts[MC_FACT_APART_COUNT];
    const char *area_title;          // NULL: areas show objects or bytes
    const char *height_title;        // NULL: heights are the metric's
    const char *const *height_texts; // MC_FACT_HEIGHT_COUNT
    bool is_working;                 // new colours or heights are being computed
    // Lines in the picture: references, the walk, streets.
    bool can_have_joins; // the selection may have some
    uint32_t join_count, join_colors[MC_FACT_LEGEND_CAPACITY];
    const char *join_texts[MC_FACT_LEGEND_CAPACITY];
    // Markers of GC roots.
    uint32_t root_count, root_colors[MC_FACT_LEGEND_CAPACITY];
    const char *root_texts[MC_FACT_LEGEND_CAPACITY];
} mc_fact_legend;

typedef struct mc_fact_lists {
    mc_fact_search search;
    mc_fact_references references;
    mc_fact_retaining_paths held;
    mc_fact_walk walk;
    mc_fact_why why;
    mc_fact_what_if whatif;
    mc_fact_roots roots;
    mc_fact_differences differences;
    mc_fact_linked linked;
    mc_fact_legend legend;
    bool has_retained_sizes, has_owners;
    mc_fact_list members;      // the selected nodes, if several
    mc_fact_list children;     // of the selected district, largest first
    const char *children_note; // why there are none; NULL: there are some, or the query runs
    bool can_be_root;          // the selection can become the city's root
    uint32_t root_level;       // index of the city's root in the path; 0: the heap
} mc_fact_lists;
