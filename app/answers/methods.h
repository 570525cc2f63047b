// methods.h - the question for the top methods of a step, facts about them, and their values at all
// steps.
#pragma once
#include "app/answers/question.h"
#include "app/method_facts.h"

#define MC_METHODS_MOST 9

typedef struct mc_methods_key {
    uint32_t step; // MC_NONE: nothing
    uint32_t root; // below which they are
    mc_metric metric;
    uint64_t recording, numbering; // of the dataset
    uint32_t step_count;           // likewise
} mc_methods_key;

typedef struct mc_methods {
    mc_method_facts items[MC_METHODS_MOST];
    uint32_t count, step_count;
    float *values; // of each, one per step: as shares of the largest, or, as shares, as they are
} mc_methods;

extern const mc_question mc_question_methods;
