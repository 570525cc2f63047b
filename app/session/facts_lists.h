// facts_lists.h - the facts that are lists: search, references, the root cause, what is in a
// district.
//
// Lists say how many rows they have and describe those that are on the screen, so a list of a
// million costs as much as one of ten. As in facts.h, strings live for one frame.
#pragma once
#include "engine/base/base.h"

#define MC_FACT_LIST_VALUES 4

// What a mark stands for, where it is not for a colour of the picture.
enum { MC_FACT_MARK_NONE, MC_FACT_MARK_MUTED, MC_FACT_MARK_WARNING, MC_FACT_MARK_CHAIN };

typedef struct mc_fact_list_row {
    const char *name;
    const char *detail;                   // small and muted, in a line below the name; NULL: none
    char values[MC_FACT_LIST_VALUES][32]; // at the right
    uint32_t color;                       // of the mark at the left; 0: none
    uint32_t mark;                        // MC_FACT_MARK_*
    bool strong;
    bool points_in, points_out; // an arrow in place of the mark
    bool selected;
    bool lit; // what it stands for is under the pointer, in the picture
} mc_fact_list_row;

typedef struct mc_fact_list {
    uint32_t count;
    void (*describe)(void *user, uint32_t index, mc_fact_list_row *row);
    void (*describe_more)(void *user, uint32_t index, char *text, size_t size); // as a hint
    void *user;
    uint32_t wanted_row; // to be brought into view; MC_NONE: none
} mc_fact_list;

typedef struct mc_fact_search {
    mc_fact_list hits;
    const char *note; // what is wrong with the expression, or that there are no hits; NULL: nothing
    char counts[128]; // "3 of 1,204"
    bool is_searching; // the hits are of what was typed before
} mc_fact_search;

typedef struct mc_fact_references {
    mc_fact_list list;
    const char *note; // why there are none, or what to know about them; NULL: nothing
    bool can_filter;  // there are some, with all filters off
    bool has_details; // rows have a second line: by which field
    bool can_go_back, can_go_forward;
    bool is_looking; // they are on their way
} mc_fact_references;

// How the roots hold the selection.
typedef struct mc_fact_retaining_paths {
    mc_fact_list list;
    const char *note; // why there is nothing; NULL: nothing to say
    bool is_known;    // of some step of the trace
} mc_fact_retaining_paths;

typedef struct mc_fact_walk {
    mc_fact_list stops;
    const char *note, *summary; // NULL: nothing
    bool can_walk, is_walking, is_shown, has_selection;
    bool is_of_one_step; // nothing grew
    bool wants_view;     // it is new: the panels bring it into view
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

// GC roots: those of the selection, what a chosen one holds, or all.
typedef struct mc_fact_roots {
    bool has_roots;    // the trace has some
    const char *title; // of the chosen one; NULL: none is
    const char *note;  // NULL: nothing
    mc_fact_list list;
    bool has_details; // rows have a second line: the kind
    bool wants_view;  // one was chosen: the panels bring it into view
} mc_fact_roots;

// What falls if what is demolished goes.
typedef struct mc_fact_what_if {
    bool can_demolish, is_demolished; // the selection
    const char *obstacle;             // why it can't be; NULL: nothing is, or nothing is selected
    bool has_any;                     // something is demolished
    bool is_looking;                  // for what falls
    float progress;                   // of that, 0 to 1; < 0: not known
    const char *summary;              // NULL: nothing is known yet
    mc_fact_list fallen;              // the most bytes first
} mc_fact_what_if;

// What two traces differ in.
typedef struct mc_fact_differences {
    bool is_there; // there are two
    bool is_looking;
    const char *note;  // how many of each kind, and of names that were taken for one
    const char *rules; // by which; lines
    mc_fact_list list;
} mc_fact_differences;

// Of a heap the methods that allocate what is selected, of methods what is alive of theirs.
typedef struct mc_fact_linked {
    bool is_there; // there are both
    bool is_looking;
    const char *title, *note;
    mc_fact_list list;
} mc_fact_linked;

#define MC_FACT_LEGEND_CAPACITY 8
#define MC_FACT_HEIGHT_COUNT 5
#define MC_FACT_APART_COUNT 3

// What colours and heights mean.
typedef struct mc_fact_legend {
    const char *title; // NULL: colours mean nothing
    bool is_gradient;  // of `count` colours, from `low` up to `full`; else classes with their texts
    uint32_t count;
    uint32_t colors[MC_FACT_LEGEND_CAPACITY];
    const char *texts[MC_FACT_LEGEND_CAPACITY];
    char full[64], low[64]; // empty `low`: 0
    // What has a colour beside these: of two traces what is new and gone, what is not known.
    uint32_t apart_count, apart_colors[MC_FACT_APART_COUNT];
    const char *apart_texts[MC_FACT_APART_COUNT];
    const char *area_title;          // NULL: areas show objects or bytes
    const char *height_title;        // NULL: heights are the metric's
    const char *const *height_texts; // MC_FACT_HEIGHT_COUNT
    bool is_working;                 // other ones are being made
    // Of references, the walk and streets: those in the picture.
    bool can_have_joins; // of what may be selected
    uint32_t join_count, join_colors[MC_FACT_LEGEND_CAPACITY];
    const char *join_texts[MC_FACT_LEGEND_CAPACITY];
    // Of the markers of GC roots.
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
    bool has_retained_sizes;
    mc_fact_list members;      // what is selected, where it is several
    mc_fact_list children;     // of the selected district, largest first
    const char *children_note; // why there are none; NULL: there are, or will be
    bool can_be_root;          // the selection, by the key and the button for it
    uint32_t root_level;       // of what the city is of, in the path; 0: the heap
} mc_fact_lists;
