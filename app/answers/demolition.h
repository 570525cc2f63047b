// demolition.h - what exactly is freed without some nodes, asked of the heap dumps of a trace.
#pragma once
#include "app/answers/question.h"
#include "app/answers/selection.h"
#include "app/demolition.h"

typedef struct mc_demolition_key {
    mc_selection nodes; // none: all stands
    uint32_t step;
    const char *collections; // as of mc_import_desc; a string that outlives all questions
} mc_demolition_key;

typedef struct mc_demolition_answer {
    mc_demolition found;
    mc_text summary; // in words
} mc_demolition_answer;

extern const mc_question mc_question_demolition;
