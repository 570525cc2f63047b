// query.h - SQL over a trace and the objects of heap dumps, which can only read.
//
// The database lies in memory and has no tables of its own: rows are made from what is open, as a
// statement reads them (table.h). Time, memory and what may be said have limits (guard.h). Threads:
// one object serves one thread at a time; SQLite's limit of memory is the process's.
#pragma once
#include "app/print/cell.h"
#include "app/query/table.h"

typedef struct mc_query_limits {
    double seconds;  // of a statement
    uint64_t memory; // in bytes: of rows, and the same again for what SQLite sorts
} mc_query_limits;

typedef struct mc_query mc_query;

// Takes over the sources, one or two (MC_QUERY_OTHER), also on failure; the first one's progress is
// asked by what takes long. Traces may be set later.
mc_result mc_query_create(mc_query_source *sources, uint32_t source_count,
                          const mc_query_limits *limits, mc_query **query, mc_error *error);
void mc_query_destroy(mc_query *query); // NULL is fine
// `trace` outlives the query. No statement is running.
void mc_query_set_trace(mc_query *query, uint32_t side, const mc_trace *trace);

// Begins the first statement of `sql`; `*size` becomes what it takes, also where it fails.
// `*is_empty`: there was none, and there is nothing to end. Statements that read a trace can't
// begin without it: *needed_side is that of one that is missing, and there is nothing to end
// either; else MC_NONE. MC_ERROR_USAGE: it is no statement, or not allowed.
mc_result mc_query_begin(mc_query *query, const char *sql, size_t *size, bool *is_empty,
                         uint32_t *needed_side, mc_error *error);
// Whether a statement of `sql` reads more than heap dumps' objects. False where one is wrong.
bool mc_query_needs_trace(const char *sql);
// The next row; `*is_there`: false: there are no more. MC_ERROR_CANCELLED: interrupted;
// MC_ERROR_UNSUPPORTED: beyond a limit.
mc_result mc_query_next(mc_query *query, bool *is_there, mc_error *error);
uint32_t mc_query_get_column_count(const mc_query *query);
// Unique among the columns; valid until the end.
const char *mc_query_get_column(const mc_query *query, uint32_t column);
// Of the current row; valid until the next one.
mc_cell mc_query_get_cell(mc_query *query, uint32_t column);
// What the statement asks for, but its trace doesn't know, as a sentence; nothing if it knows all.
void mc_query_append_lacks(const mc_query *query, mc_text *out);
void mc_query_end(mc_query *query);

// Whether the text ends behind a whole statement: ";" outside of quotes and comments.
bool mc_query_is_complete(const char *sql);
