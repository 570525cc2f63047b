// report_why.h - the causes of a report, as HTML: each one's sentence and its evidence.
//
// Threads: any.
#pragma once
#include "app/why_text.h"

// Nothing is appended where nothing keeps growing: the verdict says so.
void mc_report_append_why(mc_text *out, const mc_why *why);
// "because of Session", behind a group that grows for another's sake; else nothing.
void mc_report_append_reason(mc_text *out, const mc_why *why, uint32_t node);
