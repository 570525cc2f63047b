// cause_links.h - query: the references along a walk to the root cause, at another step than the
// walk's own.
#pragma once
#include "app/answers/question.h"
#include "engine/analyze/walk.h"
#include "engine/scene/joins.h"

typedef struct mc_cause_links_key {
    uint32_t step; // MC_NONE: nothing
    uint32_t stops[MC_WALK_MOST_STOPS], stop_count;
} mc_cause_links_key;

extern const mc_question mc_question_cause_links; // its answer is an mc_joins
