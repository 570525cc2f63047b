#include "app/query/guard.h"

#include "app/query/functions.h"
#include "app/query/table.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

// SQLite's own functions that compute and do nothing else.
static const char *const harmless[] = {"->",
                                       "->>",
                                       "abs",
                                       "acos",
                                       "acosh",
                                       "asin",
                                       "asinh",
                                       "atan",
                                       "atan2",
                                       "atanh",
                                       "avg",
                                       "ceil",
                                       "ceiling",
                                       "char",
                                       "coalesce",
                                       "concat",
                                       "concat_ws",
                                       "cos",
                                       "cosh",
                                       "count",
                                       "cume_dist",
                                       "date",
                                       "datetime",
                                       "degrees",
                                       "dense_rank",
                                       "exp",
                                       "first_value",
                                       "floor",
                                       "format",
                                       "glob",
                                       "group_concat",
                                       "hex",
                                       "ifnull",
                                       "iif",
                                       "instr",
                                       "json",
                                       "json_array",
                                       "json_array_length",
                                       "json_each",
                                       "json_extract",
                                       "json_group_array",
                                       "json_group_object",
                                       "json_object",
                                       "json_quote",
                                       "json_type",
                                       "json_valid",
                                       "julianday",
                                       "lag",
                                       "last_value",
                                       "lead",
                                       "length",
                                       "like",
                                       "likelihood",
                                       "likely",
                                       "ln",
                                       "log",
                                       "log10",
                                       "log2",
                                       "lower",
                                       "ltrim",
                                       "max",
                                       "min",
                                       "mod",
                                       "nth_value",
                                       "ntile",
                                       "nullif",
                                       "percent_rank",
                                       "pi",
                                       "pow",
                                       "power",
                                       "printf",
                                       "quote",
                                       "radians",
                                       "random",
                                       "rank",
                                       "replace",
                                       "round",
                                       "row_number",
                                       "rtrim",
                                       "sign",
                                       "sin",
                                       "sinh",
                                       "sqrt",
                                       "strftime",
                                       "string_agg",
                                       "substr",
                                       "substring",
                                       "sum",
                                       "tan",
                                       "tanh",
                                       "time",
                                       "timediff",
                                       "total",
                                       "trim",
                                       "trunc",
                                       "typeof",
                                       "unhex",
                                       "unicode",
                                       "unixepoch",
                                       "unlikely",
                                       "upper",
                                       "zeroblob"};

static bool is_harmless(const char *name) {
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcasecmp(name, harmless[i]) == 0) return true;
    return false;
}

static int deny(mc_query_guard *guard, const char *what, const char *name) {
    if (!guard->denied[0])
        snprintf(guard->denied, sizeof guard->denied, "%s%.60s", what, name ? name : "");
    return SQLITE_DENY;
}

static int check_table(mc_query_guard *guard, const char *database, const char *name,
                       const char *column) {
    bool is_other = database && strcasecmp(database, MC_QUERY_OTHER) == 0;
    static const char *const others[] = {"leaves",        "json_each",     "json_tree",
                                         "sqlite_master", "sqlite_schema", NULL};
    for (uint32_t i = 0; mc_query_tables[i]; i++) {
        if (strcasecmp(name, mc_query_tables[i]->name) != 0) continue;
        if (mc_query_tables[i]->parts != MC_QUERY_BY_DUMP) guard->needs_trace[is_other] = true;
        guard->of[is_other] |= mc_query_tables[i]->of;
        return SQLITE_OK;
    }
    for (uint32_t i = 0; others[i]; i++)
        if (strcasecmp(name, others[i]) == 0) return SQLITE_OK;
    // Of what a statement names itself (WITH) SQLite asks without a column.
    return column && column[0] ? deny(guard, "no table ", name) : SQLITE_OK;
}

static int check_function(mc_query_guard *guard, const char *name) {
    const mc_query_function *own = mc_query_functions_find(name);
    if (own) {
        guard->needs_trace[0] |= own->needs_trace;
        guard->of[0] |= own->of;
        return SQLITE_OK;
    }
    return is_harmless(name) ? SQLITE_OK : deny(guard, "not the function ", name);
}

static int check(void *user, int action, const char *first, const char *second,
                 const char *database, const char *view) {
    mc_query_guard *guard = user;
    (void)view;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_READ: return check_table(guard, database, first ? first : "", second);
    case SQLITE_FUNCTION: return check_function(guard, second ? second : "");
    case SQLITE_PRAGMA: return deny(guard, "not PRAGMA ", first);
    default: return deny(guard, "nothing that changes or opens anything", NULL);
    }
}

void mc_query_guard_close(mc_query_guard *guard, sqlite3 *database) {
    static const struct {
        int limit, most;
    } limits[] = {{SQLITE_LIMIT_LENGTH, MC_QUERY_TEXT_MOST},
                  {SQLITE_LIMIT_SQL_LENGTH, MC_QUERY_SQL_MOST},
                  {SQLITE_LIMIT_EXPR_DEPTH, 200},
                  {SQLITE_LIMIT_COMPOUND_SELECT, 100},
                  {SQLITE_LIMIT_COLUMN, 500},
                  {SQLITE_LIMIT_VDBE_OP, 1000000},
                  {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
                  {SQLITE_LIMIT_TRIGGER_DEPTH, 0},
                  {SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(database, limits[i].limit, limits[i].most);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0, NULL);
    sqlite3_set_authorizer(database, check, guard);
}
