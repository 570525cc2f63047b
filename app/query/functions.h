// functions.h - what SQL may ask of single groups: node(), key(), retained(), way(), trend(), and
// regexp().
//
// A group is given by its number, its full key, or a unique end of one. Threads: as the database.
#pragma once
#include "app/query/table.h"
#include <sqlite3.h>

typedef struct mc_query_function {
    const char *name, *arguments, *help;
    int least, most; // arguments
    bool needs_trace;
    uint32_t of; // as of mc_query_table
    void (*call)(sqlite3_context *context, int argc, sqlite3_value **argv);
} mc_query_function;

extern const mc_query_function mc_query_functions[]; // ends with a row without a name

// In upper or lower case. NULL: there is none of that name.
const mc_query_function *mc_query_functions_find(const char *name);

// `source` outlives the database; its trace is there once a function is called. False: SQLite says
// why.
bool mc_query_functions_add(const mc_query_source *source, sqlite3 *database);
