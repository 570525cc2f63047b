// virtual_table.h - tables (table.h) as SQLite's virtual tables.
//
// Conditions "=" on steps, metrics, nodes, texts and addresses are answered without reading all
// rows; GROUP BY a single column of a single part comes sorted. Threads: as the database.
#pragma once
#include "app/query/store.h"
#include <sqlite3.h>

// One table of a database; it stays where it is as long as that is open.
typedef struct mc_query_module {
    const mc_query_table *table;
    mc_query_store *store;
    uint64_t *weight; // of the row where its cursor is (weights.h); NULL: a row is an object
} mc_query_module;

// Makes `module` a table of the database's schema `schema`. False: SQLite says why.
bool mc_query_module_add(mc_query_module *module, const char *schema, sqlite3 *database);

// A word as a value of SQL; nodes in the way that the column's kind says.
void mc_query_put_word(sqlite3_context *context, const mc_query_source *source,
                       const mc_query_rows *rows, const mc_query_column *column, uint64_t word);
