// regrouping.h - by what a trace is grouped; see regroup.h.
#pragma once
#include "engine/base/base.h"

#define MC_REGROUP_MOST 32 // classifiers

// Classifiers of a trace, outermost first, none twice.
typedef struct mc_regrouping {
    uint32_t classifiers[MC_REGROUP_MOST];
    uint32_t count;
    double frame_ms; // of a trace of methods: their elevation in such a frame (sliding_window.h);
                     // 0: none
} mc_regrouping;
