#include "engine/store/mct/mct_made_rows.h"

#include "engine/base/memory.h"

// What one statement reads.
typedef struct run {
    const mc_mct_made_rows *rows;
    mc_result result; // of the function that makes them
} run;

typedef struct made_table {
    sqlite3_vtab base; // SQLite's part comes first
    run *run;
} made_table;

typedef struct made_cursor {
    sqlite3_vtab_cursor base;
    sqlite3_int64 row;
    bool is_there;
} made_cursor;

static int connect(sqlite3 *db, void *user, int argc, const char *const *argv, sqlite3_vtab **out,
                   char **message) {
    (void)argc;
    (void)argv;
    (void)message;
    made_table *table = mc_alloc_zero(1, sizeof *table);
    if (!table) return SQLITE_NOMEM;
    table->run = user;
    *out = &table->base;
    int code = sqlite3_declare_vtab(db, "CREATE TABLE made(" MC_MCT_MADE_COLUMNS ")");
    if (code == SQLITE_OK) return code;
    mc_free(table);
    *out = NULL;
    return code;
}

static int disconnect(sqlite3_vtab *table) {
    mc_free(table);
    return SQLITE_OK;
}

static int plan(sqlite3_vtab *table, sqlite3_index_info *info) {
    (void)table;
    info->estimatedCost = 1e6;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **out) {
    (void)table;
    made_cursor *cursor = mc_alloc_zero(1, sizeof *cursor);
    if (!cursor) return SQLITE_NOMEM;
    *out = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor) {
    mc_free(cursor);
    return SQLITE_OK;
}

static run *get_run(const sqlite3_vtab_cursor *cursor) {
    return ((const made_table *)cursor->pVtab)->run;
}

static int next(sqlite3_vtab_cursor *base) {
    made_cursor *cursor = (made_cursor *)base;
    run *self = get_run(base);
    cursor->row++;
    self->result = self->rows->next(self->rows->user, &cursor->is_there);
    return self->result == MC_OK ? SQLITE_OK : SQLITE_INTERRUPT;
}

static int filter(sqlite3_vtab_cursor *cursor, int number, const char *string, int argc,
                  sqlite3_value **argv) {
    (void)number;
    (void)string;
    (void)argc;
    (void)argv;
    return next(cursor);
}

static int is_at_end(sqlite3_vtab_cursor *cursor) {
    return !((made_cursor *)cursor)->is_there;
}

static int get_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column) {
    const mc_mct_made_rows *rows = get_run(cursor)->rows;
    rows->put(rows->user, context, column);
    return SQLITE_OK;
}

static int get_row(sqlite3_vtab_cursor *cursor, sqlite3_int64 *row) {
    *row = ((made_cursor *)cursor)->row;
    return SQLITE_OK;
}

mc_result mc_mct_file_run_made(mc_mct_file *file, const mc_mct_made_rows *rows, const char *sql,
                               mc_error *error) {
    static const sqlite3_module module = {.xConnect = connect,
                                          .xBestIndex = plan,
                                          .xDisconnect = disconnect,
                                          .xOpen = open_cursor,
                                          .xClose = close_cursor,
                                          .xFilter = filter,
                                          .xNext = next,
                                          .xEof = is_at_end,
                                          .xColumn = get_column,
                                          .xRowid = get_row};
    run self = {.rows = rows};
    mc_error failure = {0};
    mc_result result = MC_OK;
    int code = sqlite3_create_module(file->db, MC_MCT_MADE_ROWS, &module, &self);
    if (code != SQLITE_OK) return mc_mct_file_fail(file, code, error);
    result = mc_mct_file_run(file, sql, &failure);
    if (self.result != MC_OK)
        result = self.result;
    else if (result != MC_OK && error)
        *error = failure;
    (void)sqlite3_create_module(file->db, MC_MCT_MADE_ROWS, NULL, NULL); // no more
    return result;
}
