// differences.h - query: the differences between two traces at a step.
#pragma once
#include "app/answers/question.h"
#include "engine/analyze/diff.h"

typedef struct mc_differences_key {
    bool is_wanted;
    uint32_t step;
    mc_metric metric; // of either trace, not of the pair
} mc_differences_key;

typedef struct mc_differences {
    mc_diff diff;
    uint32_t count;   // of its entries, how many are shown; they come first
    mc_text sentence; // "B holds 2.63 MiB more than A: …"; empty: a total is not known
} mc_differences;

extern const mc_question mc_question_differences;
