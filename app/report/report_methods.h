// report_methods.h - the highest methods of a report, as HTML.
//
// Threads: any.
#pragma once
#include "app/report/report.h"

// Zero-initialise, find, deinit. Up to `most` that are the highest at the last step of `window`, as
// of mc_method_facts_find().
mc_result mc_report_methods_find(mc_report_methods *methods, const mc_trace *trace,
                                 mc_metric metric, mc_step_range window, uint32_t most,
                                 mc_error *error);
void mc_report_methods_deinit(mc_report_methods *methods);

// Of a report that has them.
void mc_report_append_methods(mc_text *out, const mc_report *report);
