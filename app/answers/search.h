// search.h - the nodes whose names have a text, the largest at a step first.
#pragma once
#include "app/answers/question.h"

#define MC_HITS_TEXT_SIZE 256

typedef struct mc_hits_key {
    char text[MC_HITS_TEXT_SIZE]; // empty: no hits, but the next search is quick
    bool is_regex;
    mc_metric metric; // by which the largest come first, at the step, then in the window
    uint32_t step;
    mc_step_range window;
} mc_hits_key;

typedef struct mc_hits {
    uint32_t *nodes;
    uint32_t count;
    uint32_t leaf_count; // buildings that are hits or lie in one
} mc_hits;

// Whether other nodes may be found, not the same in another order.
bool mc_hits_keys_find_others(const mc_hits_key *a, const mc_hits_key *b);

extern const mc_question mc_question_search;
