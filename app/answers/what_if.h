// what_if.h - what exactly is freed without some nodes, asked of the heap dumps of a trace.
#pragma once
#include "app/answers/question.h"
#include "app/answers/selection.h"
#include "app/what_if.h"

typedef struct mc_what_if_key {
    mc_selection nodes; // none: all stands
    uint32_t step;
    const char *collections; // as of mc_import_desc; a string that outlives all questions
} mc_what_if_key;

typedef struct mc_what_if_answer {
    mc_what_if found;
    mc_text summary; // in words
} mc_what_if_answer;

extern const mc_question mc_question_what_if;
