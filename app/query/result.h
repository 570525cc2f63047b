// result.h - what a query answers, as text, JSON, tab-separated, CSV or HTML.
//
// Threads: the main thread.
#pragma once
#include "app/query/query.h"

typedef enum mc_query_form {
    MC_QUERY_AS_TEXT,
    MC_QUERY_AS_JSON, // an array of objects
    MC_QUERY_AS_TSV,
    MC_QUERY_AS_CSV, // for spreadsheets (app/csv.h)
    MC_QUERY_AS_HTML // a page
} mc_query_form;

// Where the answer goes, piece by piece; `pass` is told when there is more, and NULL keeps all of
// it. False ends the query.
typedef struct mc_query_output {
    mc_text *out;
    bool (*pass)(mc_text *out);
} mc_query_output;

// Runs the statement that has begun to its end, or to row `most`. `*row_count` counts what was
// written, `*has_more` says that there were more.
mc_result mc_query_write(mc_query *query, mc_query_form form, uint64_t most, mc_query_output output,
                         uint64_t *row_count, bool *has_more, mc_error *error);
