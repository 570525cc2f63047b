// report_why.h - the causes of a report, as HTML: each one's sentence and its evidence.
//
// Threads: any.
#pragma once
#include "app/why_text.h"

// Appends nothing if nothing keeps growing: the verdict says so.
void mc_report_append_why(mc_text *out, const mc_why *why);
// Appends "because of Session" for a group whose growth another one causes; else nothing.
void mc_report_append_reason(mc_text *out, const mc_why *why, uint32_t node);
