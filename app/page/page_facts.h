// page_facts.h - what a page says beside its columns, as JSON: steps, metric, plan, colours,
// findings.
//
// Threads: the main thread.
#pragma once
#include "app/page/page_desc.h"
#include "app/page/page_values.h"
#include "engine/analyze/causes.h"

typedef struct mc_page_facts {
    const mc_page_desc *desc;
    const mc_page_plan *plan;
    const mc_page_columns *columns;
    mc_page_steps steps;
    const mc_causes *causes; // NULL: there are none to look for
    const mc_page_report *report;
    bool is_difference; // of two traces
    bool of_districts;  // values: see mc_page_values_append()
} mc_page_facts;

mc_result mc_page_facts_append(const mc_page_facts *facts, mc_text *out, mc_error *error);
