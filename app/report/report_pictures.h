// report_pictures.h - the pictures of a report: the city at some steps, and the walk to the cause.
//
// Threads: the main thread.
#pragma once
#include "app/pair.h"
#include "app/picture/picture_options.h"
#include "app/report/report.h"

#define MC_REPORT_PICTURE_COUNT 4

// Zero-initialise, draw, deinit.
typedef struct mc_report_pictures {
    mc_report_picture items[MC_REPORT_PICTURE_COUNT], walk;
    uint32_t count;
    bool has_walk;
    mc_report_legend legend;
} mc_report_pictures;

// `picture` says how; in both themes, unless it asks for the dark one. `wants_walk`: the walk from
// what grew the most is to be shown, too. Returns MC_EXIT_OK, or the exit code after saying why
// not.
int mc_report_pictures_draw(mc_report_pictures *pictures, mc_trace *trace,
                            const mc_picture_options *picture, mc_step_range window,
                            bool wants_walk);
// Of two traces that are one: the difference at a step, large, then A and B. Each has its legend.
typedef struct mc_report_pair_pictures {
    mc_report_picture items[MC_PAIR_BOTH]; // by mc_pair_show
    mc_report_legend legends[MC_PAIR_BOTH];
} mc_report_pair_pictures;

int mc_report_pair_pictures_draw(mc_report_pair_pictures *pictures, mc_trace *trace,
                                 const mc_picture_options *picture, uint32_t step);
void mc_report_pair_pictures_deinit(mc_report_pair_pictures *pictures);
void mc_report_pictures_deinit(mc_report_pictures *pictures);
