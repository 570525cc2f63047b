// look.h - the appearance of a trace's picture: highlights, colours, and what is drawn beside the
// buildings.
//
// Plain data, read by C and C++ alike. Threads: any.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define MC_METRIC_NAME_SIZE 256 // of a metric's key as a part of the settings

// What the buildings that grew the most stand out by.
typedef enum mc_opacity_mode {
    MC_OPACITY_GLASS, // all are solid but for what stands before them, which is glass
    MC_OPACITY_PAPER, // all others are translucent, as in the papers
    MC_OPACITY_MODE_COUNT
} mc_opacity_mode;

typedef struct mc_look {
    bool color_by_growth; // false: colours say nothing
    bool opacity_by_growth;
    uint32_t opacity_mode;            // mc_opacity_mode: if they do
    uint32_t opaque_count;            // so many that grew the most stand out
    float opacity;                    // of the others, 0 to 1, if they are translucent
    uint32_t color_mode, height_mode; // mc_color_mode, mc_height_mode
    // Of which metric they show the value, if they do; empty: of the one that the areas show.
    char color_metric[MC_METRIC_NAME_SIZE], height_metric[MC_METRIC_NAME_SIZE];
    bool dark;
    uint32_t palette; // mc_palette
    bool edges, names;
    bool light; // shadows of the sun and of the sky, where nothing moves
    bool roots; // markers of GC roots, and what they hold of the selection
    // References of the selection.
    bool show_incoming, show_outgoing;
    uint32_t most_references; // the strongest ones; 0: all
    uint32_t arcs;            // mc_frustum_arcs
    bool streets;             // how the roots hold the selection, on the ground
    uint32_t most_streets;    // the strongest ones; 0: all
} mc_look;
