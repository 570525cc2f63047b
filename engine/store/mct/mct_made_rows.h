// mct_made_rows.h - presents generated rows to SQLite as a table for INSERT … SELECT; for the trace
// module's own files only.
//
// This takes SQLite far fewer steps per row than binding values to a statement. Threads: one object
// serves one thread at a time.
#pragma once
#include "engine/store/mct/mct_file.h"

// The columns that the table has, c0 and up, and its name.
#define MC_MCT_MADE_COLUMNS "c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10"
#define MC_MCT_MADE_ROWS "memcity_made_rows"

typedef struct mc_mct_made_rows {
    void *user;
    // Goes on to the next row, at first to the first one; what it fails with ends the statement.
    mc_result (*next)(void *user, bool *is_there);
    // Gives a column of the row; NULL if it gives none. Texts live until the next row.
    void (*put)(void *user, sqlite3_context *context, int column);
} mc_mct_made_rows;

// Runs a statement once that reads the table. If `next` fails, returns its result and keeps its
// error.
mc_result mc_mct_file_run_made(mc_mct_file *file, const mc_mct_made_rows *rows, const char *sql,
                               mc_error *error);
