// facts.h - what the panels show: plain data, no widgets.
//
// Read by C and C++ alike. Strings are UTF-8, belong to the caller and live for one frame; numbers
// come as text, ready to be shown. Colours are RGBA8 with R in the lowest byte.
#pragma once
#include "app/session/facts_lists.h"
#include "app/time_axis.h"
#include "engine/scene/drawing.h"

typedef struct mc_ui_dialog mc_ui_dialog; // of the window
typedef struct mc_ui_menu mc_ui_menu;
typedef struct mc_ui_start mc_ui_start;

// A line of a table: what, how much, and the exact figure as a hint (may be empty).
typedef struct mc_fact_row {
    const char *label;
    char value[48], exact[192];
} mc_fact_row;

// One part of a path. `node` is handed back when it is clicked.
typedef struct mc_fact_path_part {
    const char *name;
    uint32_t node;
} mc_fact_path_part;

typedef struct mc_fact_suspect {
    const char *name, *path;
    char growth[48], exact[192];
    char detail[128];    // share and trend, or the words before `cause`
    const char *cause;   // because of what it grows; NULL: it is one itself
    const float *values; // one per step, 0 to 1
    uint32_t node, color;
    bool selected;
} mc_fact_suspect;

// As mc_label_rank.
enum {
    MC_FACT_LABEL_SELECTED,
    MC_FACT_LABEL_WANTED,
    MC_FACT_LABEL_OUTSTANDING,
    MC_FACT_LABEL_SMALL,
    MC_FACT_LABEL_NEAR
};

// A name in the picture, most important ones first; later ones give way.
typedef struct mc_fact_label {
    const char *text;    // "": the number alone
    uint32_t node, rank; // whose it is, and how important: MC_FACT_LABEL_*
    uint32_t number;     // of a stop of the walk, from 1; 0: it is none
    float x, y;          // pixels; the text's centre is above it, or there if `flat`
    float most_width;    // of the text
    float over_width;    // of the text over its roof, if it is torn on it; 0: it stays there
    float height;        // of the building below that; 0: it is none
    float opacity;       // 0 to 1
    bool strong, flat;
} mc_fact_label;

typedef struct mc_fact_key {
    const char *keys, *text; // no keys: a heading
} mc_fact_key;

// A metric of the trace, as settings and as people name it. An empty key: no setting can name it.
typedef struct mc_fact_metric {
    const char *key, *title;
} mc_fact_metric;

#define MC_FACT_METRIC_MOST 62
#define MC_FACT_METRIC_TITLE_SIZE 96

// What leaves can be grouped by.
typedef struct mc_fact_classifier {
    const char *name;
    bool is_chosen;
    bool is_of_dumps; // the trace lacks it: its heap dumps are read again
} mc_fact_classifier;

#define MC_FACT_CLASSIFIER_MOST 32

#define MC_FACT_ROW_COUNT 24
#define MC_FACT_MEMBER_MOST 5

// A line of a chart.
typedef struct mc_fact_line {
    const float *values; // one per step, 0 to 1
    uint32_t color;
} mc_fact_line;

// Of which steps there is more to say than numbers.
typedef enum mc_step_mark { MC_STEP_PLAIN, MC_STEP_NOTED, MC_STEP_DAMAGED } mc_step_mark;

typedef struct mc_facts {
    const char *trace_name;        // NULL: nothing is open
    const mc_fact_metric *metrics; // objects and bytes come first
    uint32_t metric_count;
    const mc_fact_classifier *classifiers; // those that are chosen first, outermost first
    uint32_t classifier_count;
    // The path of the selection; of the heap if nothing is selected.
    const mc_fact_path_part *path;
    uint32_t path_count;

    // Of the selected structure, or of the whole heap.
    bool has_selection;
    const char *selection_name, *selection_role, *selection_path;
    mc_fact_row rows[MC_FACT_ROW_COUNT];
    uint32_t row_count;
    const float *selection_values; // one per step, 0 to 1
    // Where several are selected: thin lines beside that, of the largest of them.
    mc_fact_line members[MC_FACT_MEMBER_MOST];
    uint32_t member_count;

    bool has_methods;    // it is methods in a frame of time: what is of a heap alone stays away
    const char *verdict; // a sentence for the top of the suspects, NULL: something keeps growing
    const mc_fact_suspect *suspects;
    uint32_t suspect_count;
    const char *growth_note; // which steps growth refers to, if not to all; NULL: to all
    const char *limit_note;  // what the child limit leaves out; NULL: nothing

    // Time. The chart's values are the heap's totals.
    uint32_t step_count, step;
    uint32_t pinned;                         // a step that others are compared with; MC_NONE: none
    const float *step_values, *other_values; // 0 to 1: of the metric shown, and of the other one
    const char *values_name, *others_name;   // of these; NULL: there is no other one
    char values_full[48], others_full[48];   // what 1 stands for; empty: not known
    const float *step_places;                // where steps are in time, 0 to 1, ascending
    bool playing;
    char time_text[64], step_text[96];
    // About a step under the cursor of the chart, and how it is marked.
    void (*describe_step)(void *user, uint32_t step, char *text, size_t size);
    mc_step_mark (*get_mark)(void *user, uint32_t step);
    // Round times below the chart, as mc_time_axis_make() has them.
    uint32_t (*get_ticks)(void *user, uint32_t most, mc_time_tick ticks[MC_TIME_TICK_MOST]);
    void *user;

    mc_fact_lists lists;

    // The tooltip at the pointer; NULL: none.
    const char *hover_path, *hover_text;

    const mc_fact_label *labels;
    uint32_t label_count;
    const mc_drawing *drawing; // below them; NULL: none

    const char *busy_text;  // NULL: nothing is going on
    float busy_progress;    // 0 to 1, < 0: not known
    const char *message;    // what went wrong last; NULL: nothing
    bool message_is_notice; // it went well
    const char *waits_for;  // the recording that is still to begin; NULL: none
    const char *said;       // what a key did, for a moment; NULL: nothing

    const char *video_text; // of a video that is being made; NULL: none
    float video_progress;

    mc_ui_dialog *box; // changed in place
    mc_ui_menu *menu;  // likewise
    const mc_ui_start *start;

    const char *const *warnings; // of the import
    uint32_t warning_count;      // how many of them there are …
    uint32_t all_warning_count;  // … and were

    // A remark on the trace and what can be done about it; NULL: none.
    const char *hint, *hint_action;

    const mc_fact_key *keys; // for the help
    uint32_t key_count;
} mc_facts;
