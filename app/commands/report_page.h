// report_page.h - a report as one HTML page that needs nothing else: text, charts and pictures.
//
// Pure text building: no files, no Vulkan. What a trace calls its nodes is escaped; nothing of it
// can become markup. Strings belong to the caller. Threads: any.
#pragma once
#include "app/commands/report.h"
#include "engine/base/text.h"

// `out->failed` says whether memory ran out. O(size of the page).
void mc_report_append_page(mc_text *out, const mc_report *report);
