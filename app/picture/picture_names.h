// picture_names.h - chooses the structures that a picture without a window names and marks.
//
// Threads: the main thread.
#pragma once
#include "app/picture/picture_highlights.h"
#include "engine/scene/labels.h"

typedef struct mc_picture_names {
    mc_label_request settings; // points into this
    uint32_t most;             // growers
    uint32_t marked[MC_LABEL_MOST_MARKED], growers[MC_LABEL_MOST_GROWERS];
} mc_picture_names;

// `highlights`, with what it points to, must outlive the names.
mc_result mc_picture_names_init(mc_picture_names *names, const mc_picture_highlights *highlights,
                                mc_error *error);
// For two traces: names what changed at the step of the highlights. O(buildings).
void mc_picture_names_set_step(mc_picture_names *names, const mc_picture_highlights *highlights);
