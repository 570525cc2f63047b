// guard.h - what SQL may do: read memcity's tables, and compute. Nothing else.
//
// Nothing is written, no file is opened, no extension loaded, no setting changed; texts, patterns
// and statements have bounds. Who asks for more gets an error that names it. Threads: as the
// database.
#pragma once
#include "app/query/table.h"
#include <sqlite3.h>

#define MC_QUERY_TEXT_MOST 50000  // bytes of a value: what a function does to it takes no time
#define MC_QUERY_SQL_MOST 1000000 // bytes of a statement

typedef struct mc_query_guard {
    bool needs_trace[MC_QUERY_SIDES]; // the statement reads more than objects
    uint32_t of[MC_QUERY_SIDES];      // what it asks for: MC_QUERY_OF_…
    char denied[96];                  // what was not allowed; empty: nothing
} mc_query_guard;

// From here on only what is allowed can be compiled.
void mc_query_guard_close(mc_query_guard *guard, sqlite3 *database);
