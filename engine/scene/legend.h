// legend.h - the meaning of a picture's colours and heights: as parameters for the update pass, and
// as swatches with texts for users.
//
// One source for the window and for pictures without one. Texts are in English; numbers are
// formatted by the caller. Threads: any.
#pragma once
#include "engine/city/frustum.h"
#include "engine/city/style.h"
#include "engine/scene/theme.h"

// Puts the styles' flags and class colours into `params`, after mc_theme_apply(). `styles` NULL:
// colours by growth. What `params` says of colouring by growth (MC_UPDATE_COLOR_BY_GROWTH unset:
// not at all) stays decisive for the modes that use the gradient.
void mc_legend_apply(const mc_styles *styles, const mc_theme *theme, mc_update_params *params);

// What a mode's colours say; of MC_COLOR_MODE_VALUE the beginning of it, before the metric's title.
const char *mc_legend_get_title(mc_color_mode mode);

enum { MC_LEGEND_CAPACITY = MC_CLASS_COUNT };

typedef struct mc_legend_entry {
    float color[3]; // sRGB-encoded
    char text[96];  // of a class: "Type: 120 …", "Level 3"; UTF-8, cut at a character
} mc_legend_entry;

typedef struct mc_legend {
    const char *title;     // "Growth since the first step", "Level", …
    bool is_gradient;      // entries are the gradient's none, medium and full; else classes
    double full;           // what the gradient's end stands for; 0: nothing grew
    const char *full_unit; // of `full`: "objects", "bytes", "objects/s", "bytes/s"; of another
                           // metric its title
    const mc_metric_info *metric; // of which `full` is counts, a second if `is_rate`; NULL: a step
    bool is_rate, is_value;       // is_value: no growth
    bool is_diverging;            // the gradient begins at as much below 0: five entries
    bool has_unknown;             // of some building not everything is known
    mc_legend_entry unknown;      // … which has this look
    mc_legend_entry apart[2];     // what has a colour beside the gradient: new, gone
    uint32_t apart_count;
    uint32_t entry_count;
    mc_legend_entry entries[MC_LEGEND_CAPACITY];
    char title_text[96], height_text[96], area_text[96]; // where titles name a metric
    const char *area_title;   // what plots and footprints show; NULL: the heap's objects or bytes
    const char *height_title; // NULL: heights are the metric's
    const char *height_texts[MC_HEIGHT_CLASS_COUNT]; // "up to 10", …, "more"
} mc_legend;

// `styles` NULL: growth since the first step. Colours are those of `params`.
void mc_legend_get(mc_legend *legend, const mc_styles *styles, const mc_city *city,
                   const mc_trace *trace, const mc_update_params *params);

// What the colours of frustums and streets say (theme.frustums), by kind.
extern const char *const mc_legend_joins[MC_FRUSTUM_KIND_COUNT];
// Which kinds there are. O(frustums).
void mc_legend_find_joins(const mc_frustums *frustums, bool is_shown[MC_FRUSTUM_KIND_COUNT]);
