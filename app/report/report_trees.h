// report_trees.h - a report's timeline of icicles: a chart of the heap, and above it the heap at
// some steps as small trees.
//
// Threads: the main thread.
#pragma once
#include "app/command.h"
#include "engine/base/text.h"

// Zero-initialise.
typedef struct mc_report_trees {
    mc_text light, dark; // SVG elements, which go together into one page
} mc_report_trees;

// Of the metric, time window and part of the heap that `layout` names. Needs no Vulkan. Returns an
// exit code, after saying why not.
int mc_report_trees_draw(mc_report_trees *trees, mc_trace *trace, const mc_layout_options *layout,
                         const char *title);
void mc_report_trees_deinit(mc_report_trees *trees);
