// weights.h - statements for which a row may stand for many objects that are alike.
//
// SQLite takes some 100 ns for each row that it counts and adds up. Of a heap's objects most are
// alike in class, size and length, so that a thousand rows with weights say the same as a hundred
// million without. A statement is given such rows in a database of its own, in which count(),
// sum(), total() and avg() heed the weight, and only if nothing else in it can tell the difference.
// That is looked up in the program that SQLite has compiled for it, not in its text: rows of
// objects are read in one loop, which puts them into these and min() and max(), or into a list of
// those that differ (DISTINCT), and does nothing else but compare and compute. Whatever else is
// there, also what a later SQLite may have, gets all rows. Threads: as the database.
#pragma once
#include "app/query/table.h"
#include <sqlite3.h>

typedef struct mc_query_weight {
    uint64_t of_row; // where the cursor is
    bool is_ignored; // the statement counts values that differ
} mc_query_weight;

// Makes the database's aggregates heed `*weight`. False: SQLite says why.
bool mc_query_weights_add(sqlite3 *database, mc_query_weight *weight);
// Whether the statement, which the database compiles, may get rows with weights; sets is_ignored.
bool mc_query_weights_can(sqlite3 *database, const char *sql, size_t size, mc_query_weight *weight);
