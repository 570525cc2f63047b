// page_delta.h - what differs between a page's data and those of the same trace with more steps.
//
// What is sent of it is in docs/reference/serve.md. Threads: any, on separate objects.
#pragma once
#include "app/page/page_column.h"

// A page's data before they are deflated: words as JSON, then columns.
typedef struct mc_page_content {
    mc_text words;
    mc_page_columns columns;
} mc_page_content;

void mc_page_content_deinit(mc_page_content *content);

// Appends to `out`, not deflated, what makes the bytes of `now` from those of `before`. Nothing
// appended: other columns or other groups, all of it has to be sent. O(bytes).
mc_result mc_page_delta_append(const mc_page_content *before, const mc_page_content *now,
                               mc_text *out, mc_error *error);
