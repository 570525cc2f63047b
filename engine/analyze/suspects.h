// suspects.h - the verdict on a heap: does anything keep growing in a window, and what.
//
// Pure CPU code. Leaves are judged by their trend (trend.h, growth.h). One that keeps growing by a
// thousandth of the heap or more is a suspect; one that grew by a hundredth or more and does no
// more is told as well. Less is what any program does. In a window of two to four steps nobody can
// say what goes on: there a leaf is a suspect that no step lets shrink and that grew by a fiftieth
// of the heap. A window of one step knows no growth: what is large comes first. If the heap as a
// whole keeps growing, by a two-hundredth or more, all that grow are suspects but those that are
// small beside the first; if no leaf does, since most of the growth is in leaves that are new or
// small, the smallest district that has most of it is. Threads: any.
#pragma once
#include "engine/analyze/trend.h"

typedef enum mc_heap_verdict {
    MC_HEAP_GROWS,   // something keeps growing
    MC_HEAP_STOPPED, // something grew and does no more
    MC_HEAP_STEADY,
    MC_HEAP_SINGLE, // one step
    MC_HEAP_VERDICT_COUNT
} mc_heap_verdict;

typedef struct mc_suspect {
    uint32_t node;
    int64_t growth; // from the window's first step to its last; a window of one step: the value
    mc_trend trend; // steps count from the window's first
} mc_suspect;

// Zero-initialise, find, deinit.
typedef struct mc_suspects {
    mc_heap_verdict verdict;
    bool is_short;     // two to four steps: whether it goes on is not known
    mc_suspect *items; // what keeps growing first, then what stopped, by how much stays of it; of
                       // one step: what is largest
    uint32_t count, growing_count;
} mc_suspects;

#define MC_SUSPECTS_SINGLE_COUNT 32 // of one step

// Of the leaves below `district` (0: all); of one leaf, however small it is. O(leaves), and a trend
// each for up to a few hundred.
mc_result mc_suspects_find(const mc_trace *trace, mc_metric metric, mc_window window,
                           uint32_t district, const mc_progress *progress, mc_suspects *suspects,
                           mc_error *error);
void mc_suspects_deinit(mc_suspects *suspects);
