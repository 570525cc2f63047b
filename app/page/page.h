// page.h - one HTML file with a trace and all it takes to walk through it as a city.
//
// The file has the viewer (page/), the plan of the city, every value of every building at its
// steps, and the findings in words; it asks for nothing else. docs/reference/page.md describes what
// is in it. Threads: the main thread.
#pragma once
#include "app/page/page_delta.h"
#include "app/page/page_desc.h"

// Appends the page to `out`. With `most_size`, steps are left out first, then the smallest
// buildings of each district; MC_ERROR_USAGE: not even that is enough. `progress` may be NULL.
mc_result mc_page_append(const mc_page_desc *desc, const mc_progress *progress, mc_text *out,
                         mc_page_report *report, mc_error *error);

// The same, but only what the viewer is given: the bytes of docs/reference/page.md, deflated.
// `*out` is zeroed before. `content` becomes the same before it is deflated; NULL: not wanted.
mc_result mc_page_pack(const mc_page_desc *desc, const mc_progress *progress, mc_text *out,
                       mc_page_content *content, mc_page_report *report, mc_error *error);
