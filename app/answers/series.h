// series.h - the question for the values of nodes at all steps, or for the suspects and theirs.
//
// Of a recording that goes on only the steps are read that came since.
#pragma once
#include "app/answers/question.h"
#include "app/answers/selection.h"
#include "engine/analyze/causes.h"

#define MC_SERIES_SUSPECT_MOST 9

typedef struct mc_series_key {
    mc_selection nodes;
    bool judges;          // instead of `nodes`, the suspects below `root`
    uint32_t root;        // 0 if not `judges`, as is the window
    mc_step_range window; // in which they are suspects
    mc_metric metric;
    // Of the dataset, which may be a later state of a recording.
    uint64_t recording, numbering;
    uint32_t step_count;
} mc_series_key;

typedef struct mc_series {
    mc_dataset *dataset; // whose nodes and steps these are; held
    mc_causes causes;    // of suspects; below a district there are only suspects
    mc_suspect suspects[MC_SERIES_SUSPECT_MOST];
    mc_selection nodes; // those of the key, or of the suspects
    mc_metric metric;   // of the values: of suspects the one in which they are judged
    uint32_t step_count;
    uint64_t *values; // step by step
} mc_series;

extern const mc_question mc_question_series;

// Later steps are as the last one.
uint64_t mc_series_get(const mc_series *series, uint32_t step, uint32_t index);
