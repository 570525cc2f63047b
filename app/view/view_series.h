// view_series.h - numbers over all steps, for charts and for the list of what grew the most.
//
// A part of mc_view, used by the main thread; values are read in threads of their own.
#pragma once
#include "app/view/job.h"
#include "engine/analyze/trend.h"

typedef struct mc_view mc_view;

#define MC_VIEW_LISTED_SUSPECTS 9 // as many as there are digits to select them
#define MC_VIEW_SUSPECT_COUNT 32  // with a name in the picture

// The top growers of the city, for the panel and for names in the picture.
typedef struct mc_view_suspect {
    uint32_t node, building;
    int64_t growth;
    mc_trend trend; // over the window
    bool has_trend;
    float *values; // one per step, 0 to 1; a part of mc_view.suspect_values; NULL: not known yet
} mc_view_suspect;

// Values over all steps that are read beside the window; the newest request wins.
typedef struct mc_view_series {
    mc_job *job; // NULL: nothing was asked for yet
    uint32_t request;
} mc_view_series;

bool mc_view_compute_series(mc_view *view); // after another city; false: out of memory
void mc_view_compute_selection_series(mc_view *view);
void mc_view_take_series(mc_view *view); // what has been read meanwhile
void mc_view_stop_series(mc_view *view); // before the trace goes; waits
