// page_links.h - what keeps a page's buildings alive at its last step, as columns.
//
// Threads: any, on separate objects.
#pragma once
#include "app/page/page_values.h"

// Columns "held", "holder" (nodes of the page) and "references": of each building the strongest few
// others that reference its objects, and how many of these. Nothing is appended where the trace
// does not know. O(references of the step).
mc_result mc_page_links_append(const mc_trace *trace, const mc_page_plan *plan, uint32_t step,
                               mc_page_columns *out, mc_error *error);
