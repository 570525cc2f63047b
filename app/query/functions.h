// functions.h - what SQL may ask of single groups: node(), key(), retained(), way(), trend(), and
// regexp().
//
// A group is given by its number, its full key, or a unique end of one. Threads: as the database.
#pragma once
#include "app/query/table.h"
#include <sqlite3.h>

typedef struct mc_query_function {
    const char *name, *arguments, *help;
} mc_query_function;

extern const mc_query_function mc_query_functions[]; // ends with a row without a name

bool mc_query_functions_have(const char *name); // in upper or lower case

// `source` outlives the database; its trace is there once a function is called. False: SQLite says
// why.
bool mc_query_functions_add(const mc_query_source *source, sqlite3 *database);
