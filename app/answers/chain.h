// chain.h - the references along a walk to the root cause, at another step than the walk's own.
#pragma once
#include "app/answers/question.h"
#include "engine/analyze/walk.h"
#include "engine/scene/joins.h"

typedef struct mc_chain_key {
    uint32_t step; // MC_NONE: nothing
    uint32_t stops[MC_WALK_MOST_STOPS], stop_count;
} mc_chain_key;

extern const mc_question mc_question_chain; // its answer is an mc_joins
