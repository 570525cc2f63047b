// view_series.h - numbers over all steps, for charts, and the verdict on what grows.
//
// A part of mc_view, used by the main thread; values are read in threads of their own.
#pragma once
#include "app/session/job.h"
#include "engine/analyze/suspects.h"

typedef struct mc_view mc_view;

#define MC_VIEW_SUSPECT_COUNT 9 // as many as there are digits to select them
#define MC_VIEW_GROWER_COUNT 32 // with a name in the picture

// One of mc_suspects, for the panel.
typedef struct mc_view_suspect {
    uint32_t node;
    int64_t growth; // of one step: the value
    mc_trend trend; // over the window
    float *values;  // one per step, 0 to 1; a part of mc_view.suspect_values
} mc_view_suspect;

// Values over all steps that are read beside the window; the newest request wins.
typedef struct mc_view_series {
    mc_job *job; // NULL: nothing was asked for yet
    uint32_t request;
} mc_view_series;

bool mc_view_compute_series(mc_view *view); // after another city; false: out of memory
void mc_view_compute_selection_series(mc_view *view);
void mc_view_take_series(mc_view *view);     // what has been read meanwhile
void mc_view_forget_suspects(mc_view *view); // of another trace
void mc_view_stop_series(mc_view *view);     // before the trace goes; waits
