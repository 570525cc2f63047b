// mct_top.h - selects the leaves that grew the most; for the trace module's own files only.
//
// A heap of fixed size: a leaf that is not among the largest costs one comparison. Threads: one
// object serves one thread at a time.
#pragma once
#include "engine/trace/metrics.h"

#define MC_MCT_TOP_COUNT 1000

typedef struct mc_mct_top_item {
    int64_t growth; // or, of real numbers, what sorts like it
    uint64_t max;
    int64_t row;
} mc_mct_top_item;

// Zero-initialise.
typedef struct mc_mct_top {
    uint32_t count;
    mc_mct_top_item items[MC_MCT_TOP_COUNT];
} mc_mct_top;

// Offers a leaf by the words of its values; a leaf whose growth is not known is skipped.
void mc_mct_top_offer(mc_mct_top *top, const mc_metric_info *info, int64_t row, uint64_t first,
                      uint64_t last, uint64_t max);

// Sorts by descending growth, ties by descending maximum, then by ascending row.
void mc_mct_top_sort(mc_mct_top *top);
