// walk.h - the walk from what grew to what keeps it alive (engine/analyze/walk.h), with its words.
#pragma once
#include "app/answers/question.h"
#include "engine/analyze/walk.h"

typedef struct mc_walk_key {
    mc_walk_desc desc;
    uint32_t request; // another one asks the same walk again; 0: nothing
} mc_walk_key;

typedef struct mc_walk_answer {
    mc_walk walk;
    mc_text summary;
} mc_walk_answer;

extern const mc_question mc_question_walk;
