// report_why.h - the causes of a report, as HTML: each one's sentence and its evidence.
//
// Threads: any.
#pragma once
#include "app/why_text.h"

// The one sentence of the whole (why_text.h).
void mc_report_append_headline(mc_text *out, const mc_why *why);
// A section with a cause each, with the walk that shows it, below what `append_picture` appends; of
// one step the walk from what is largest. Appends nothing if there is neither.
void mc_report_append_why(mc_text *out, const mc_why *why,
                          void (*append_picture)(mc_text *out, const void *user), const void *user);
// Appends "because of Session" for a group whose growth another one causes; else nothing.
void mc_report_append_reason(mc_text *out, const mc_why *why, uint32_t node);
