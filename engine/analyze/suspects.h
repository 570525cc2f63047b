// suspects.h - the verdict on a heap: whether anything keeps growing in a window, and what.
//
// Pure CPU code. Leaves are judged by their trend (trend.h, growth.h). A leaf that keeps growing by
// a thousandth of the heap or more is a suspect; one that grew by a hundredth or more and then
// stopped is reported as well. Less is normal for any program. Of many groups some look
// as if they kept growing: those are left out of which one cannot tell that they are not among
// these (chance.h), such that at most a hundredth of what is named, and of traces in which nothing
// grows, is by chance. In a window of two to four steps
// nobody can tell whether growth goes on: there a leaf is a suspect if it grew by a fiftieth of the
// heap and shrank at no step. A window of one step has no growth: the largest leaves come first. If
// the heap as a whole keeps growing, by a two-hundredth or more, all growing leaves are suspects
// except those that are small beside the first. If none grows, because most of the growth is in new
// or small leaves, the suspect is the smallest district that contains most of it. Threads: any.
#pragma once
#include "engine/analyze/trend.h"

typedef enum mc_heap_verdict {
    MC_HEAP_GROWS,   // something keeps growing
    MC_HEAP_STOPPED, // something grew and does no more
    MC_HEAP_STEADY,
    MC_HEAP_SINGLE,  // one step
    MC_HEAP_UNKNOWN, // too few steps count what is alive alone; or the trace is of sums
    MC_HEAP_VERDICT_COUNT
} mc_heap_verdict;

// Whether the window is all of a recording that has sums alone, a peak and an end: there is nothing
// in it that could show growth.
bool mc_suspects_are_of_sums(const mc_trace *trace, mc_step_range window);

typedef struct mc_suspect {
    uint32_t node;
    int64_t growth; // from the window's first step to its last; a window of one step: the value
    mc_trend trend; // steps count from the window's first
} mc_suspect;

// Zero-initialise, find, deinit.
typedef struct mc_suspects {
    mc_heap_verdict verdict;
    uint32_t live_count; // MC_HEAP_UNKNOWN: how many do
    bool is_short;       // whether it goes on is not known: two to four steps, or the next one
    bool is_byte_clock;  // time passes as bytes are allocated (MC_METRIC_BYTE_CLOCK): what grows to
                         // the end may be filled as well as leak
    mc_suspect *items;   // what keeps growing first, then what stopped, by how much stays of it; of
                         // one step: what is largest
    uint32_t count, growing_count;
    uint32_t chance_count; // further items behind `count`: what looks as if it kept growing, by no
                           // more than one of as many groups does by chance
} mc_suspects;

#define MC_SUSPECTS_SINGLE_COUNT 32 // of one step

// Finds the suspects among the leaves below `district` (0: all); if that is a leaf, it is judged
// however small it is. O(leaves), and a trend each for up to a few hundred.
mc_result mc_suspects_find(const mc_trace *trace, mc_metric metric, mc_step_range window,
                           uint32_t district, const mc_progress *progress, mc_suspects *suspects,
                           mc_error *error);
void mc_suspects_deinit(mc_suspects *suspects);

// As programs are told it: MC_HEAP_UNKNOWN where a clock of bytes can't show whether what grew goes
// on; else the verdict.
mc_heap_verdict mc_suspects_get_verdict(const mc_suspects *suspects);
