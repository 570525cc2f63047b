// search.h - query: the nodes whose names contain a text, largest at a step first.
#pragma once
#include "app/answers/question.h"

#define MC_HITS_TEXT_SIZE 1024

typedef struct mc_hits_key {
    char text[MC_HITS_TEXT_SIZE]; // empty: no hits, but it warms the cache for the next search
    bool is_regex;
    mc_metric metric; // hits are sorted by it: largest at the step first, then in the window
    uint32_t step;
    mc_step_range window;
} mc_hits_key;

typedef struct mc_hits {
    uint32_t *nodes;
    uint32_t count;
    uint32_t leaf_count; // buildings that are hits or lie in one
} mc_hits;

// Whether the two keys may find different nodes, not just the same ones in another order.
bool mc_hits_keys_find_others(const mc_hits_key *a, const mc_hits_key *b);

extern const mc_question mc_question_search;
