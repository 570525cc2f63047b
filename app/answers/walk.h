// walk.h - query: the walk from a structure that grew to what keeps it alive
// (engine/analyze/walk.h), with a summary; without a start that of the first cause.
#pragma once
#include "app/answers/question.h"
#include "engine/analyze/walk.h"

typedef struct mc_walk_key {
    mc_walk_desc desc;
    uint32_t cause;   // without a start: node of the cause; MC_NONE, or no cause: the first one
    uint32_t request; // another number repeats the same walk; 0: no walk
} mc_walk_key;

typedef struct mc_walk_answer {
    mc_walk walk;
    mc_text summary;
} mc_walk_answer;

extern const mc_question mc_question_walk;
