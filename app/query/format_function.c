#include "app/query/format_function.h"

#include "app/query/guard.h"
#include "engine/base/memory.h"
#include <string.h>

// Asks SQLite's own function, in a database that has nothing else.
typedef struct formatter {
    sqlite3 *database;
    sqlite3_stmt *statement; // of `count` arguments
    int count;
    uint32_t user_count; // functions
} formatter;

static void release(void *user) {
    formatter *self = user;
    if (--self->user_count > 0) return;
    sqlite3_finalize(self->statement);
    sqlite3_close(self->database);
    mc_free(self);
}

// ---- what is asked for

typedef struct arguments {
    sqlite3_value **values;
    int count, used;
} arguments;

static sqlite3_int64 take_number(arguments *left) {
    return left->used < left->count ? sqlite3_value_int64(left->values[left->used++]) : 0;
}

// A width or precision: digits, or "*", which an argument says.
static sqlite3_int64 read_number(const char **at, arguments *left) {
    sqlite3_int64 number = 0;
    if (**at == '*') {
        ++*at;
        number = take_number(left);
        return number >= 0                    ? number
               : number < -MC_QUERY_TEXT_MOST ? MC_QUERY_TEXT_MOST + 1
                                              : -number;
    }
    for (; **at >= '0' && **at <= '9'; ++*at)
        if (number <= MC_QUERY_TEXT_MOST) number = number * 10 + (**at - '0');
    return number;
}

// Whether all %c together repeat characters more often than a text has bytes.
static bool repeats_too_much(int argc, sqlite3_value **argv) {
    const char *at = (const char *)sqlite3_value_text(argv[0]);
    arguments left = {argv, argc, 1};
    sqlite3_int64 repeated = 0;
    while (at && (at = strchr(at, '%')) && repeated <= MC_QUERY_TEXT_MOST) {
        sqlite3_int64 precision = 0;
        at++;
        at += strspn(at, "-+ #!0,");
        (void)read_number(&at, &left);
        if (*at == '.') {
            at++;
            precision = read_number(&at, &left);
        }
        at += strspn(at, "l");
        if (*at == 'c') repeated += precision;
        if (*at && *at != '%' && *at != 'n') left.used++;
        if (*at) at++;
    }
    return repeated > MC_QUERY_TEXT_MOST;
}

// ---- what comes

static bool prepare(formatter *self, int count) {
    sqlite3_str *sql = sqlite3_str_new(self->database);
    if (self->statement && self->count == count) {
        sqlite3_free(sqlite3_str_finish(sql));
        return true;
    }
    sqlite3_finalize(self->statement);
    self->statement = NULL;
    for (int i = 0; i < count; i++)
        sqlite3_str_appendall(sql, i == 0 ? "SELECT printf(?" : ",?");
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    self->count = count;
    bool is_fine =
        text && sqlite3_prepare_v2(self->database, text, -1, &self->statement, NULL) == SQLITE_OK;
    sqlite3_free(text);
    return is_fine;
}

static void format(sqlite3_context *context, int argc, sqlite3_value **argv) {
    formatter *self = sqlite3_user_data(context);
    if (argc == 0) return; // NULL
    if (repeats_too_much(argc, argv)) {
        sqlite3_result_error_toobig(context);
        return;
    }
    if (!prepare(self, argc)) {
        sqlite3_result_error_nomem(context);
        return;
    }
    for (int i = 0; i < argc; i++)
        sqlite3_bind_value(self->statement, i + 1, argv[i]);
    if (sqlite3_step(self->statement) == SQLITE_ROW)
        sqlite3_result_value(context, sqlite3_column_value(self->statement, 0));
    else
        sqlite3_result_error_code(context, sqlite3_errcode(self->database));
    sqlite3_reset(self->statement);
    sqlite3_clear_bindings(self->statement);
}

bool mc_query_format_add(sqlite3 *database) {
    static const char *const names[] = {"printf", "format"};
    formatter *self = mc_alloc_zero(1, sizeof *self);
    if (!self) return false;
    self->user_count = 1; // this one
    bool is_fine = sqlite3_open_v2(":memory:", &self->database,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX,
                                   NULL) == SQLITE_OK;
    if (is_fine) sqlite3_limit(self->database, SQLITE_LIMIT_LENGTH, MC_QUERY_TEXT_MOST);
    for (size_t i = 0; i < sizeof names / sizeof *names && is_fine; i++) {
        self->user_count++; // who fails is released as well
        is_fine =
            sqlite3_create_function_v2(database, names[i], -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                       self, format, NULL, NULL, release) == SQLITE_OK;
    }
    release(self);
    return is_fine;
}
