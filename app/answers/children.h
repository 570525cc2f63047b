// children.h - query: the children of a district at a step, largest first.
#pragma once
#include "app/answers/question.h"

typedef struct mc_children_key {
    uint32_t node, step; // node MC_NONE: nothing
    mc_metric metric;
} mc_children_key;

typedef struct mc_children {
    uint32_t *nodes; // nodes without a known value come last
    uint32_t count;
} mc_children;

extern const mc_question mc_question_children;
