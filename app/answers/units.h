// units.h - query: what grows together in a time window.
#pragma once
#include "app/answers/question.h"
#include "engine/analyze/units.h"

typedef struct mc_units_key {
    uint64_t recording, numbering; // of the dataset, which may be a later state of a recording
    uint32_t step_count;           // 0: nothing
    mc_step_range window;
} mc_units_key;

extern const mc_question mc_question_units; // an mc_units
