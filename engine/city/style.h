// style.h - building styles beyond growth since the first step: marks, colours and heights.
//
// A search marks buildings; colours show the growth of one step, a trend, the level or the role;
// heights show a second metric in five classes. The styles are a column over a city's buildings
// that update.comp and evaluate.h both read: set mc_city.styles and call mc_renderer_set_styles(),
// and set the flags and colours in the parameters by mc_legend_apply() (engine/scene/legend.h).
// Threads: one object serves one thread at a time.
#pragma once
#include "engine/city/city.h"

typedef enum mc_color_mode {
    MC_COLOR_MODE_GROWTH, // since the window's first step: needs no styles
    MC_COLOR_MODE_STEP,   // since the step before
    MC_COLOR_MODE_TREND,  // whatever column it is given: per building, above 0 where it grows
    MC_COLOR_MODE_LEVEL,
    MC_COLOR_MODE_ROLE,
    MC_COLOR_MODE_VALUE,   // of mc_styles.color_metric
    MC_COLOR_MODE_FIRST,   // the step at which it is seen first
    MC_COLOR_MODE_PACKAGE, // its outermost district
    MC_COLOR_MODE_OWNER,   // growth of what piles up in it, with all that it keeps alive
    MC_COLOR_MODE_COUNT,   // of those that can be chosen by name
    MC_COLOR_MODE_PIN = MC_COLOR_MODE_COUNT, // growth and shrinking since a pinned step
    MC_COLOR_MODE_DIFFERENCE,                // of two traces
    MC_COLOR_MODE_ALL
} mc_color_mode;

// Of MC_COLOR_MODE_DIFFERENCE: what is in one trace alone has a colour of its own, the class with
// the number less one.
typedef enum mc_style_state {
    MC_STYLE_BOTH,
    MC_STYLE_NEW,
    MC_STYLE_GONE,
    MC_STYLE_ELSEWHERE // in both, and moved
} mc_style_state;

// What a building's height says.
typedef enum mc_height_mode {
    MC_HEIGHT_MODE_METRIC, // as SPEC has it: needs no styles
    MC_HEIGHT_MODE_OBJECTS,
    MC_HEIGHT_MODE_BYTES,
    MC_HEIGHT_MODE_OBJECT_SIZE, // bytes per object
    MC_HEIGHT_MODE_RETAINED,    // retained size, where the trace has it
    MC_HEIGHT_MODE_VALUE,       // of another metric: shown as what its unit says
    MC_HEIGHT_MODE_COUNT,       // of those that can be chosen
    MC_HEIGHT_MODE_TIME = MC_HEIGHT_MODE_COUNT,
    MC_HEIGHT_MODE_RATIO,
    MC_HEIGHT_MODE_ALL
} mc_height_mode;

extern const char *const mc_color_mode_names[], *const mc_height_mode_names[]; // end with NULL

#define MC_STYLE_LEADING_MOST 8u // buildings that colours of owners lead to

// Zero-initialise, init, deinit.
typedef struct mc_styles {
    mc_building_style *items; // one a building
    uint32_t count;
    mc_color_mode color_mode;
    mc_height_mode height_mode;
    bool is_marking;
    bool is_fading;        // some of it falls: see mc_styles_demolish()
    uint32_t unknown_bits; // of MC_STYLE_UNKNOWN_BITS: those that some building has
    uint32_t marked_count;
    const mc_metric_info *color_metric, *height_metric; // of the trace; NULL: as the modes say
    uint32_t pin;                                       // the step, of MC_COLOR_MODE_PIN
    double full_share;    // what the gradient's end stands for, in the column's unit; 0: nothing
    double least_full;    // of changes and growth of a step, where anything changed
    uint32_t class_count; // of modes of classes; the last may stand for all others
    uint32_t classes[MC_CLASS_COUNT]; // the level, role (MC_NONE: none) or node of each
    bool has_other_classes;           // the last class stands for more than one
    uint32_t leading[MC_STYLE_LEADING_MOST], leading_count; // buildings, of MC_COLOR_MODE_OWNER
} mc_styles;

// Nothing marked, colours by growth, heights by the metric.
mc_result mc_styles_init(mc_styles *styles, const mc_city *city, mc_error *error);
void mc_styles_deinit(mc_styles *styles);

// Marks the buildings of `nodes` (for a district, all in it) and unmarks all others. Nodes that the
// city does not show are skipped. `nodes` NULL: nothing is marked, nothing dimmed.
void mc_styles_mark(mc_styles *styles, const mc_city *city, const uint32_t *nodes, uint32_t count);

// Shows a demolition: `freed` has, per node, how much of `whole` would be freed. Buildings of
// `demolished` nodes (for a district, all in it) become outlines; others fade by the share that is
// freed. Without demolished nodes all buildings stand. O(buildings).
void mc_styles_demolish(mc_styles *styles, const mc_city *city, const uint32_t *demolished,
                        uint32_t count, const uint64_t *freed, const uint64_t *whole);

// Colours, one function per mode; each replaces the previous mode. All O(buildings).
void mc_styles_color_by_growth(mc_styles *styles);
// Growth from the counts `previous` to `now`, columns over buildings, relative to the largest.
// Buildings transition from their previous colours as shapes move; `is_first`: there are none.
void mc_styles_color_by_step(mc_styles *styles, const uint64_t *previous, const uint64_t *now,
                             bool is_first);
// The change from the counts `pinned`, of the step `pin`, to `now`, relative to the largest in
// either direction: what shrank has a share below 0. Otherwise as by step.
void mc_styles_color_by_pin(mc_styles *styles, uint32_t pin, const uint64_t *pinned,
                            const uint64_t *now, bool is_first);
// The least share of a change that is visible.
#define MC_STYLE_LEAST_CHANGE 0.02f

// The change from one trace's counts to the other's, relative to the largest in either direction;
// `states` are of mc_style_state. Otherwise as by step.
void mc_styles_color_by_difference(mc_styles *styles, const uint8_t *states, const uint64_t *before,
                                   const uint64_t *after, bool is_first);
// By a column, relative to its largest entry; nothing above 0 has no colour.
void mc_styles_color_by_trend(mc_styles *styles, const float *column);
// What piles up at `leading` buildings, by a column of shares (0 to 1) at the step, of which 1 is
// `full` bytes; others have their own growth from `first` to `now`, pale, relative to
// `largest_growth`. Buildings transition as shapes move; `is_first`: there is nothing before.
typedef struct mc_owner_colors {
    const uint32_t *leading;
    const float *shares; // of each leading building
    uint32_t count;      // at most MC_STYLE_LEADING_MOST
    double full;
    int64_t largest_growth;
} mc_owner_colors;
#define MC_STYLE_OWNED_TINT 0.15f // of growth that no finding is named by
void mc_styles_color_by_owner(mc_styles *styles, const mc_owner_colors *owners,
                              const uint64_t *first, const uint64_t *now, bool is_first);
// Values of another metric, relative to the `largest` that there is at any step; as counts.
void mc_styles_color_by_value(mc_styles *styles, const mc_metric_info *metric, const uint64_t *now,
                              uint64_t largest, bool is_first);
// By the step at which a building first appears, a column over buildings: those of `first_step`
// have no colour, those of `last_step` the full colour.
void mc_styles_color_by_first(mc_styles *styles, const uint32_t *steps, uint32_t first_step,
                              uint32_t last_step);
void mc_styles_color_by_level(mc_styles *styles, const mc_city *city, const mc_node_columns *nodes);
// By the classifier, those of most buildings first.
mc_result mc_styles_color_by_role(mc_styles *styles, const mc_city *city,
                                  const mc_node_columns *nodes, mc_error *error);

// By the outermost districts, usually packages: those of the first level that has several. They are
// sorted by their maximum, descending.
mc_result mc_styles_color_by_package(mc_styles *styles, const mc_city *city,
                                     const mc_node_columns *nodes, mc_error *error);
// Whether colours are of classes, which have names and no order, or levels.
bool mc_color_mode_has_classes(mc_color_mode mode);

// The class of a height: tiny, small, medium, large, huge. `mode` says of what; limits are fixed:
// up to 10, 1 thousand, 100 thousand, 10 million objects and more; up to 1 KiB, 32 KiB, 1 MiB,
// 32 MiB and more; up to 24, 64, 256, 4096 bytes an object and more; up to 1 ms, 100 ms, 10 s, 10
// min and more; up to 20, 40, 60, 80 % and more.
uint32_t mc_height_class_get(mc_height_mode mode, double value);
// What a metric's values are classed as.
mc_height_mode mc_height_mode_of_unit(mc_unit unit);
// The upper limit of a class, INFINITY for the last one.
double mc_height_class_get_limit(mc_height_mode mode, uint32_t height_class);

// Sets one of MC_STYLE_UNKNOWN_BITS where a column over buildings says so, and takes it from all
// others; NULL: from all.
void mc_styles_note_unknown(mc_styles *styles, uint32_t bit, const uint8_t *are_unknown);

// Heights by `values`, one per building; they transition from their previous heights unless
// `is_first`. NULL with MC_HEIGHT_MODE_METRIC.
void mc_styles_height_by(mc_styles *styles, mc_height_mode mode, const double *values,
                         bool is_first);
