// report_page.h - a report as one HTML page that needs nothing else: text, charts and pictures.
//
// Pure text building: no files, no Vulkan. What a trace calls its nodes is escaped; nothing of it
// can become markup. Strings belong to the caller. Threads: any.
#pragma once
#include "app/report/report.h"
#include "engine/base/text.h"

// `out->failed` says whether memory ran out. O(size of the page).
void mc_report_append_page(mc_text *out, const mc_report *report);

// ---- parts that the page of two traces has, too

// From the page's first byte to its headline.
void mc_report_append_head(mc_text *out, const mc_report *report);
void mc_report_append_foot(mc_text *out, const mc_report *report);
// `what` is markup.
void mc_report_append_image(mc_text *out, const mc_report_picture *picture, const char *what);
// What the colours of the report's `legend` say.
void mc_report_append_legend(mc_text *out, const mc_report *report);
