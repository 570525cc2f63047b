// retaining_paths.h - query: how GC roots retain a leaf, field by field, as rows and as streets.
#pragma once
#include "app/answers/question.h"
#include "engine/analyze/streets.h"

typedef struct mc_retaining_paths_key {
    uint32_t node, step, first_step; // node MC_NONE: nothing
    bool has_roots;                  // streets begin at the roots
} mc_retaining_paths_key;

typedef struct mc_retaining_paths {
    mc_retaining_tree tree;
    mc_street *streets; // strongest first
    uint32_t street_count;
    uint32_t *order; // the list: indices into the tree's rows, depth first, without the roots
    uint32_t row_count;
} mc_retaining_paths;

extern const mc_question mc_question_retaining_paths;
