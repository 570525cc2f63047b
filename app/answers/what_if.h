// what_if.h - query: what exactly would be freed without some nodes, computed from a trace's heap
// dumps.
#pragma once
#include "app/answers/question.h"
#include "app/answers/selection.h"
#include "app/what_if.h"

typedef struct mc_what_if_key {
    mc_selection nodes; // empty: nothing is demolished
    uint32_t step;
    const char *collections; // as of mc_import_desc; must outlive all queries
} mc_what_if_key;

typedef struct mc_what_if_answer {
    mc_what_if found;
    mc_text summary; // in words
} mc_what_if_answer;

extern const mc_question mc_question_what_if;
