// gc_roots.h - queries: the groups of GC roots at a step, and the path from one of them to a leaf.
#pragma once
#include "app/answers/question.h"
#include "engine/analyze/root_groups.h"
#include "engine/analyze/root_path.h"

typedef struct mc_root_path_key {
    uint32_t node, step; // node MC_NONE: nothing
} mc_root_path_key;

extern const mc_question mc_question_root_groups; // of a step, a uint32_t; mc_root_groups
extern const mc_question mc_question_root_path;   // an mc_root_path
