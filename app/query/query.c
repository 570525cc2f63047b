#include "app/query/query.h"

#include "app/query/format_function.h"
#include "app/query/functions.h"
#include "app/query/guard.h"
#include "app/query/virtual_table.h"
#include "app/query/weights.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TABLES_MOST = 32 };
#define STEPS_BETWEEN 1000 // of SQLite's machine, between looks at the clock

typedef struct query_side {
    mc_query_source source;
    mc_query_store store;
    mc_query_module modules[TABLES_MOST];
} query_side;

struct mc_query {
    query_side sides[MC_QUERY_SIDES];
    uint32_t side_count;
    mc_progress outer; // the caller's
    mc_progress progress;
    mc_query_limits limits;
    mc_query_guard guard;
    sqlite3 *database;
    // Has the objects of the first side alone, for statements that may get weights; NULL: it was
    // not needed yet.
    sqlite3 *weighted;
    mc_query_module weighted_objects;
    mc_query_guard weighted_guard;
    mc_query_weight weight;
    sqlite3_stmt *statement; // of either database
    char **names;            // of the statement's columns
    uint32_t name_count;
    uint64_t end_ns;
    bool is_late;
};

static bool go_on(void *user, uint64_t done, uint64_t total) {
    mc_query *self = user;
    if (self->end_ns > 0 && mc_clock_now_ns() > self->end_ns) self->is_late = true;
    return !self->is_late && mc_progress_report(&self->outer, done, total);
}

static int look(void *user) {
    return !go_on(user, 0, 0);
}

static mc_result fail_database(const mc_query *self, mc_error *error) {
    return mc_fail(error, MC_ERROR_IO, "can't start SQLite: %s",
                   self->database ? sqlite3_errmsg(self->database) : "out of memory");
}

static bool add_schema(mc_query *self, query_side *side, const char *schema) {
    for (uint32_t i = 0; mc_query_tables[i]; i++) {
        assert(i < TABLES_MOST);
        side->modules[i] = (mc_query_module){mc_query_tables[i], &side->store, NULL};
        if (!mc_query_module_add(&side->modules[i], schema, self->database)) return false;
    }
    char *view = sqlite3_mprintf("CREATE VIEW %s.leaves AS SELECT node, parent, key, name, path, "
                                 "classifier, level, objects, bytes FROM nodes WHERE is_leaf = 1",
                                 schema);
    bool is_added = view && sqlite3_exec(self->database, view, NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_free(view);
    return is_added;
}

static bool add_tables(mc_query *self) {
    if (!add_schema(self, &self->sides[0], "main")) return false;
    if (self->side_count < MC_QUERY_SIDES) return true;
    static const char attach[] = "ATTACH ':memory:' AS " MC_QUERY_OTHER;
    return sqlite3_exec(self->database, attach, NULL, NULL, NULL) == SQLITE_OK &&
           add_schema(self, &self->sides[1], MC_QUERY_OTHER);
}

#define OPEN_FLAGS                                                                           \
    (SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX | \
     SQLITE_OPEN_PRIVATECACHE)

// A database that has its tables.
static bool close_database(mc_query *self, sqlite3 *database, mc_query_guard *guard) {
    if (!mc_query_functions_add(&self->sides[0].source, database) || !mc_query_format_add(database))
        return false;
    // What does not fit into memory fails: nothing is ever written to a temporary file.
    static const char schema[] = "PRAGMA temp_store = MEMORY; PRAGMA query_only = 1;";
    if (sqlite3_exec(database, schema, NULL, NULL, NULL) != SQLITE_OK) return false;
    sqlite3_progress_handler(database, STEPS_BETWEEN, look, self);
    mc_query_guard_close(guard, database);
    return true;
}

static bool open_database(mc_query *self) {
    if (sqlite3_open_v2(":memory:", &self->database, OPEN_FLAGS, NULL) != SQLITE_OK ||
        !add_tables(self) || !close_database(self, self->database, &self->guard))
        return false;
    sqlite3_hard_heap_limit64((sqlite3_int64)self->limits.memory);
    return true;
}

static bool open_weighted(mc_query *self) {
    if (self->weighted) return true;
    self->weighted_objects =
        (mc_query_module){&mc_query_table_objects, &self->sides[0].store, &self->weight.of_row};
    if (sqlite3_open_v2(":memory:", &self->weighted, OPEN_FLAGS, NULL) == SQLITE_OK &&
        mc_query_module_add(&self->weighted_objects, "main", self->weighted) &&
        mc_query_weights_add(self->weighted, &self->weight) &&
        close_database(self, self->weighted, &self->weighted_guard))
        return true;
    sqlite3_close(self->weighted);
    self->weighted = NULL;
    return false;
}

// Objects that are alike may come as one row, if nobody can tell: the same answer, much sooner.
static void take_weights(mc_query *self, const char *sql, size_t size) {
    sqlite3_stmt *statement = NULL;
    if (self->sides[0].source.dump_count == 0 || !open_weighted(self)) return;
    self->weight.of_row = 1;
    if (!mc_query_weights_can(self->weighted, sql, size, &self->weight)) return;
    if (sqlite3_prepare_v3(self->weighted, sql, (int)size, 0, &statement, NULL) != SQLITE_OK ||
        sqlite3_column_count(statement) != sqlite3_column_count(self->statement)) {
        sqlite3_finalize(statement);
        return;
    }
    sqlite3_finalize(self->statement);
    self->statement = statement;
}

mc_result mc_query_create(mc_query_source *sources, uint32_t source_count,
                          const mc_query_limits *limits, mc_query **query, mc_error *error) {
    mc_query *self = mc_alloc_zero(1, sizeof *self);
    *query = NULL;
    if (!self) {
        for (uint32_t i = 0; i < source_count; i++)
            mc_query_source_deinit(&sources[i]);
        return mc_error_out_of_memory(error);
    }
    self->limits = *limits;
    if (sources->progress) self->outer = *sources->progress;
    self->progress = (mc_progress){go_on, self};
    for (; self->side_count < source_count; self->side_count++) {
        query_side *side = &self->sides[self->side_count];
        side->source = sources[self->side_count];
        sources[self->side_count] = (mc_query_source){.trace = NULL};
        side->source.progress = &self->progress;
        side->source.memory_limit = limits->memory / source_count;
        side->store.source = &side->source;
    }
    mc_result result = open_database(self) ? MC_OK : fail_database(self, error);
    if (result == MC_OK)
        *query = self;
    else
        mc_query_destroy(self);
    return result;
}

void mc_query_destroy(mc_query *query) {
    if (!query) return;
    mc_query_end(query);
    sqlite3_close(query->database);
    sqlite3_close(query->weighted);
    for (uint32_t i = 0; i < query->side_count; i++) {
        mc_query_store_deinit(&query->sides[i].store);
        mc_query_source_deinit(&query->sides[i].source);
    }
    mc_free(query);
}

void mc_query_set_trace(mc_query *query, uint32_t side, const mc_trace *trace) {
    query->sides[side].source.trace = trace;
}

// ---- a statement

static void append_tables(mc_text *out) {
    mc_text_append_string(out, "; there are leaves");
    for (uint32_t i = 0; mc_query_tables[i]; i++)
        mc_text_format(out, ", %s", mc_query_tables[i]->name);
}

static mc_result fail_statement(mc_query *self, int code, mc_error *error) {
    if (self->is_late)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "the query takes longer than %g s (--time)",
                       self->limits.seconds);
    if (code == SQLITE_INTERRUPT) return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    if (code == SQLITE_NOMEM)
        return mc_fail(error, MC_ERROR_OUT_OF_MEMORY,
                       "the query takes more memory than there is, or than is allowed (--memory)");
    if (code == SQLITE_AUTH && self->guard.denied[0])
        return mc_fail(error, MC_ERROR_USAGE,
                       "a query may only SELECT from memcity's tables and compute: %s",
                       self->guard.denied);
    if (code == SQLITE_TOOBIG)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "a text has more than %d bytes",
                       MC_QUERY_TEXT_MOST);
    for (uint32_t i = 0; i < self->side_count && code == SQLITE_ERROR; i++) {
        const mc_error *failure = &self->sides[i].source.failure;
        if (failure->code == MC_OK) continue;
        if (error) *error = *failure;
        return failure->code;
    }
    const char *message =
        sqlite3_errmsg(self->statement ? sqlite3_db_handle(self->statement) : self->database);
    bool lacks_other = self->side_count < MC_QUERY_SIDES && strstr(message, MC_QUERY_OTHER ".");
    mc_text tables = {0};
    if (!lacks_other && strncmp(message, "no such table", strlen("no such table")) == 0)
        append_tables(&tables);
    mc_result result =
        mc_fail(error, MC_ERROR_USAGE, "%.700s%s%s", message,
                lacks_other ? "; it is that of another trace, which --versus names" : "",
                mc_text_get(&tables));
    mc_text_deinit(&tables);
    return result;
}

static bool is_taken(const mc_query *self, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(self->names[i], name) == 0) return true;
    return false;
}

// Programs take a column by its name, so that no two may have one.
static bool name_columns(mc_query *self) {
    uint32_t count = (uint32_t)sqlite3_column_count(self->statement);
    mc_text name = {0};
    self->names = mc_alloc_zero(count, sizeof *self->names);
    for (uint32_t i = 0; i < count && self->names; i++) {
        const char *wanted = sqlite3_column_name(self->statement, (int)i);
        mc_text_clear(&name);
        mc_text_append_string(&name, wanted ? wanted : "");
        for (uint32_t k = 2; is_taken(self, i, mc_text_get(&name)); k++) {
            mc_text_clear(&name);
            mc_text_format(&name, "%s_%u", wanted, k);
        }
        self->names[i] = mc_copy_string(mc_text_get(&name));
        if (name.failed || !self->names[i]) break;
        self->name_count++;
    }
    mc_text_deinit(&name);
    return self->name_count == count;
}

// The size of a statement that can't be compiled, with its ";".
static size_t measure(const char *sql) {
    mc_text text = {0};
    size_t size = 0;
    bool is_whole = false;
    while (sql[size] && !is_whole) {
        size_t part = strcspn(sql + size, ";");
        if (sql[size + part]) part++;
        mc_text_append(&text, sql + size, part);
        size += part;
        is_whole = text.failed || mc_query_is_complete(mc_text_get(&text));
    }
    mc_text_deinit(&text);
    return size;
}

static mc_result compile(mc_query *self, const char *sql, size_t *size, mc_error *error) {
    const char *rest = sql;
    self->guard.denied[0] = '\0';
    self->is_late = false;
    for (uint32_t i = 0; i < self->side_count; i++) {
        self->guard.needs_trace[i] = false;
        self->guard.of[i] = 0;
        self->sides[i].source.failure.code = MC_OK;
    }
    self->end_ns = mc_clock_now_ns() + (uint64_t)(self->limits.seconds * 1e9);
    int code = sqlite3_prepare_v3(self->database, sql, -1, 0, &self->statement, &rest);
    *size = code == SQLITE_OK ? (size_t)(rest - sql) : measure(sql);
    if (code == SQLITE_TOOBIG && *size > MC_QUERY_SQL_MOST)
        return mc_fail(error, MC_ERROR_USAGE, "a query has %d bytes at most", MC_QUERY_SQL_MOST);
    if (code != SQLITE_OK) return fail_statement(self, code, error);
    if (self->statement &&
        (!sqlite3_stmt_readonly(self->statement) || sqlite3_column_count(self->statement) == 0))
        return mc_fail(error, MC_ERROR_USAGE, "a query may only SELECT");
    if (self->statement) take_weights(self, sql, *size);
    return MC_OK;
}

static uint32_t find_missing(const mc_query *self) {
    for (uint32_t i = 0; i < self->side_count && self->statement; i++)
        if (self->guard.needs_trace[i] && !self->sides[i].source.trace) return i;
    return MC_NONE;
}

mc_result mc_query_begin(mc_query *query, const char *sql, size_t *size, bool *is_empty,
                         uint32_t *needed_side, mc_error *error) {
    mc_query_end(query);
    for (uint32_t i = 0; i < query->side_count; i++)
        mc_query_store_tidy(&query->sides[i].store);
    *is_empty = false;
    *needed_side = MC_NONE;
    mc_result result = compile(query, sql, size, error);
    if (result == MC_OK) {
        *is_empty = !query->statement;
        *needed_side = find_missing(query);
    }
    if (result == MC_OK && query->statement && !name_columns(query))
        result = mc_error_out_of_memory(error);
    if (result != MC_OK || *needed_side != MC_NONE) mc_query_end(query);
    return result;
}

bool mc_query_needs_trace(const char *sql) {
    mc_query_source source = {.trace = NULL};
    mc_query_limits limits = {.seconds = 10, .memory = (uint64_t)64 << 20};
    mc_query *query;
    uint32_t needed_side = MC_NONE;
    bool is_empty;
    mc_result result = mc_query_create(&source, 1, &limits, &query, NULL);
    for (size_t size; result == MC_OK && *sql && needed_side == MC_NONE; sql += size)
        result = mc_query_begin(query, sql, &size, &is_empty, &needed_side, NULL);
    mc_query_destroy(query);
    return needed_side != MC_NONE;
}

mc_result mc_query_next(mc_query *query, bool *is_there, mc_error *error) {
    int code = sqlite3_step(query->statement);
    *is_there = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? MC_OK : fail_statement(query, code, error);
}

uint32_t mc_query_get_column_count(const mc_query *query) {
    return query->name_count;
}

const char *mc_query_get_column(const mc_query *query, uint32_t column) {
    return query->names[column];
}

mc_cell mc_query_get_cell(mc_query *query, uint32_t column) {
    int index = (int)column;
    const char *text;
    double number;
    switch (sqlite3_column_type(query->statement, index)) {
    case SQLITE_INTEGER:
        return (mc_cell){.kind = MC_CELL_NUMBER,
                         .of.number = sqlite3_column_int64(query->statement, index)};
    case SQLITE_FLOAT:
        number = sqlite3_column_double(query->statement, index);
        if (isinf(number)) return mc_cell_text(number > 0 ? "Inf" : "-Inf"); // no number in JSON
        return mc_cell_exact(number);
    case SQLITE_TEXT:
        text = (const char *)sqlite3_column_text(query->statement, index);
        return mc_cell_bytes_of(text, (size_t)sqlite3_column_bytes(query->statement, index));
    case SQLITE_BLOB:
        text = sqlite3_column_blob(query->statement, index);
        return mc_cell_bytes_of(text ? text : "",
                                (size_t)sqlite3_column_bytes(query->statement, index));
    default: return mc_cell_null();
    }
}

void mc_query_append_lacks(const mc_query *query, mc_text *out) {
    for (uint32_t i = 0; i < query->side_count; i++) {
        mc_text unknown = {0};
        if (query->sides[i].source.trace)
            mc_query_append_unknown(query->sides[i].source.trace, query->guard.of[i], &unknown);
        if (unknown.size > 0)
            mc_text_format(out, "%sthe %strace does not know %s", out->size > 0 ? "; " : "",
                           i > 0 ? "other " : "", unknown.data);
        out->failed |= unknown.failed;
        mc_text_deinit(&unknown);
    }
}

void mc_query_end(mc_query *query) {
    sqlite3_finalize(query->statement);
    query->statement = NULL;
    for (uint32_t i = 0; i < query->name_count; i++)
        mc_free(query->names[i]);
    mc_free(query->names);
    query->names = NULL;
    query->name_count = 0;
    query->end_ns = 0;
}

bool mc_query_is_complete(const char *sql) {
    return sqlite3_complete(sql) != 0;
}
