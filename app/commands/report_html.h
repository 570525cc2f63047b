// report_html.h - what a trace calls its things, as text of an HTML page.
//
// Threads: any.
#pragma once
#include "engine/base/text.h"

// A UTF-8 text as HTML text or attribute: nothing of it can become markup.
void mc_report_append_html(mc_text *out, const char *text);
