// caption_text.h - the caption of a picture: the amount shown, the step and its time.
//
// Threads: any.
#pragma once
#include "engine/analyze/max_tree.h"
#include "engine/base/text.h"
#include "engine/scene/legend.h"

typedef struct mc_caption_moment {
    const mc_trace *trace;
    mc_metric metric;
    uint64_t total; // of what is shown, in the metric; may be MC_COUNT_UNKNOWN
    uint32_t step;
    mc_step_range window;
    const char *mapping; // further meanings of areas and heights, each after a separator; "": none
} mc_caption_moment;

#define MC_CAPTION_SEPARATOR "  ·  "

// The meaning of a gradient's end: "+4.88 MiB", "+12 KiB/s", "step 7".
void mc_caption_append_full(const mc_legend *legend, const mc_trace *trace, mc_step_range window,
                            mc_text *out);
// Of its beginning: mostly "none".
void mc_caption_append_low(const mc_legend *legend, mc_text *out);

// "Selected: java.util → LinkedList"; several by their names: "Selected: LinkedList, Entry, 3
// more".
void mc_caption_append_selection(const mc_trace *trace, const uint32_t *nodes, uint32_t count,
                                 mc_text *out);

// "80.7 MiB  ·  step 25 of 0–26  ·  0:12.3"
void mc_caption_append_moment(const mc_caption_moment *moment, mc_text *out);
