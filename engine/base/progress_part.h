// progress_part.h - the progress of a part of some work, as its share of the whole.
#pragma once
#include "engine/base/base.h"

// `share` of the whole, after `before`; both from 0 to 1.
typedef struct mc_progress_part {
    const mc_progress *whole; // may be NULL
    double before, share;
} mc_progress_part;

// To be given to the part, which must not outlive `part`.
mc_progress mc_progress_part_get(mc_progress_part *part);

// Work that reports phases, each from its beginning on, as one. Zero-initialise the last two.
typedef struct mc_progress_phases {
    const mc_progress *whole; // may be NULL
    uint32_t count;           // about; of equal length
    uint32_t phase;
    double last;
} mc_progress_phases;

mc_progress mc_progress_phases_get(mc_progress_phases *phases);
