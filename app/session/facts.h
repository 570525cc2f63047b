// facts.h - the panels' model: plain data, no widgets.
//
// Read by C and C++. Strings are UTF-8, belong to the caller and live for one frame; numbers are
// formatted text. Colours are RGBA8 with R in the lowest byte.
#pragma once
#include "app/session/facts_lists.h"
#include "app/time_axis.h"
#include "engine/scene/drawing.h"
#include "engine/scene/ground_text.h"

typedef struct mc_ui_dialog mc_ui_dialog; // of the window
typedef struct mc_ui_menu mc_ui_menu;
typedef struct mc_ui_start mc_ui_start;

// A row of a table: label, value, and the exact figure for the tooltip (may be empty).
typedef struct mc_fact_row {
    const char *label;
    char value[48], exact[192];
} mc_fact_row;

// One part of a path. A click on it returns `node`.
typedef struct mc_fact_path_part {
    const char *name;
    uint32_t node;
} mc_fact_path_part;

typedef struct mc_fact_suspect {
    const char *name, *path;
    char growth[48], exact[192];
    char detail[128];    // share and trend, or the words before `cause`
    const char *cause;   // the cause of its growth; NULL: it is a cause itself
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

// A name in the picture. The list is sorted by importance; later names give way to earlier ones.
typedef struct mc_fact_label {
    const char *text;    // "": only the number
    uint32_t node, rank; // the node named, and the importance: MC_FACT_LABEL_*
    uint32_t number;     // index of a stop of the walk, from 1; 0: no stop
    float x, y;          // pixels; the text's centre is above it, or there if `flat`
    float most_width;    // of the text
    float over_width;    // of the text over its roof, if it is torn on it; 0: it stays there
    float height;        // of the building below the name; 0: there is none
    float opacity;       // 0 to 1
    bool strong, flat;
    uint32_t ink, halo;    // RGBA8, without a plate; ink 0: it has one
    float ink_width;       // of the text, up to which it needs none
    mc_ground_text ground; // how it lies on the ground; without room: it doesn't
} mc_fact_label;

typedef struct mc_fact_key {
    const char *keys, *text; // no keys: a heading
} mc_fact_key;

// A metric of the trace: its key in settings and its title. Empty key: no setting can name it.
typedef struct mc_fact_metric {
    const char *key, *title;
} mc_fact_metric;

#define MC_FACT_METRIC_MOST 62
#define MC_FACT_METRIC_TITLE_SIZE 96

// A classifier by which leaves can be grouped.
typedef struct mc_fact_classifier {
    const char *name;
    bool is_chosen;
    bool is_of_dumps; // the trace lacks it; choosing it reads the heap dumps again
} mc_fact_classifier;

#define MC_FACT_CLASSIFIER_MOST 32

#define MC_FACT_ROW_COUNT 24
#define MC_FACT_MEMBER_MOST 5

// A line of a chart.
typedef struct mc_fact_line {
    const float *values; // one per step, 0 to 1
    uint32_t color;
} mc_fact_line;

// Marks of steps in the time chart.
typedef enum mc_step_mark { MC_STEP_PLAIN, MC_STEP_NOTED, MC_STEP_DAMAGED } mc_step_mark;

typedef struct mc_facts {
    const char *trace_name;        // NULL: nothing is open
    const mc_fact_metric *metrics; // objects and bytes come first
    uint32_t metric_count;
    const char *const *devices; // that can draw, for the preferences
    uint32_t device_count;
    const mc_fact_classifier *classifiers; // chosen ones first, outermost first
    uint32_t classifier_count;
    // The path of the selection, or of the heap if nothing is selected.
    const mc_fact_path_part *path;
    uint32_t path_count;

    // Facts on the selected structure, or on the whole heap.
    bool has_selection;
    const char *selection_name, *selection_role, *selection_path;
    mc_fact_row rows[MC_FACT_ROW_COUNT];
    uint32_t row_count;
    const float *selection_values; // one per step, 0 to 1
    // Where several nodes are selected: additional thin lines for the largest of them.
    mc_fact_line members[MC_FACT_MEMBER_MOST];
    uint32_t member_count;

    bool holders_are_of_b; // of two traces: references and GC roots are those of the second one
    bool has_methods; // the trace shows methods in a frame of time: hide what applies only to heaps
    const char *verdict;    // the headline above the findings; NULL: nothing is known
    const char *early_note; // that it may change; NULL: it is clear
    // The findings, then what comes with them and what is small.
    const mc_fact_suspect *suspects;
    uint32_t suspect_count, finding_count;
    uint32_t open_finding;     // the one that the selection belongs to; MC_NONE: none
    const char *findings_rest; // what is behind the findings: "and 12 small ones"
    const char *growth_note;   // the steps that growth refers to; NULL: all
    const char *limit_note;    // what the child limit omits; NULL: nothing

    // Time. The chart's values are the heap's totals.
    uint32_t step_count, step;
    uint32_t pinned;                         // the step to compare with; MC_NONE: none
    const float *step_values, *other_values; // 0 to 1: of the metric shown and of the other one
    const char *values_name, *others_name;   // their metrics' names; NULL: there is no other metric
    char values_full[48], others_full[48];   // the value that 1 stands for; empty: not known
    const float *step_places;                // position of each step in time, 0 to 1, ascending
    bool playing;
    char time_text[64], step_text[96];
    // Describes the step under the chart's cursor, and returns its mark.
    void (*describe_step)(void *user, uint32_t step, char *text, size_t size);
    mc_step_mark (*get_mark)(void *user, uint32_t step);
    // Fills in round times below the chart, as of mc_time_axis_make().
    uint32_t (*get_ticks)(void *user, uint32_t most, mc_time_tick ticks[MC_TIME_TICK_MOST]);
    void *user;

    mc_fact_lists lists;

    // The tooltip at the pointer; NULL: none.
    const char *hover_path, *hover_text;

    const mc_fact_label *labels;
    uint32_t label_count;
    const mc_drawing *drawing; // drawn below the labels; NULL: none

    const char *busy_text;  // what runs in the background; NULL: nothing
    float busy_progress;    // 0 to 1, < 0: not known
    const char *message;    // the last error or notice; NULL: none
    bool message_is_notice; // `message` reports success
    const char *waits_for;  // path of a recording that has not begun yet; NULL: none
    const char *said;       // status after a key, for a moment; NULL: none

    const char *recording_text; // what is being recorded, since when; NULL: nothing

    bool writes_report;
    const char *video_text; // progress of a video in the making; NULL: none
    float video_progress;

    mc_ui_dialog *box; // changed in place
    mc_ui_menu *menu;  // likewise
    const mc_ui_start *start;

    const char *const *warnings; // of the import
    uint32_t warning_count;      // number of the warnings kept …
    uint32_t all_warning_count;  // … and of all warnings

    // A remark on the trace, and the action that it suggests; NULL: none.
    const char *hint, *hint_action;

    const mc_fact_key *keys; // for the help: the first ones, or all of them under headings
    uint32_t key_count;
} mc_facts;
