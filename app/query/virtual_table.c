#include "app/query/virtual_table.h"

#include "engine/base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// So many groups are read one by one; who asks for more, as a join does, gets all at once.
#define MOST_SINGLES 64u

typedef struct virtual_table {
    sqlite3_vtab base;
    const mc_query_module *module;
    uint32_t single_count;
} virtual_table;

// How rows are found: what xBestIndex hands to xFilter, as a text.
typedef struct row_plan {
    unsigned long long wanted; // columns
    int has_step, has_metric;  // values come in this order, then that of `equal`
    int equal;                 // column; -1: none
    mc_query_order order;
    int is_descending; // all of it
} row_plan;

typedef struct cursor {
    sqlite3_vtab_cursor base;
    row_plan plan;
    uint32_t step, first_step, step_end; // parts: the current one, and which there are
    uint32_t metric, metric_end;
    bool is_done;
    mc_query_kept *kept; // the part that is read
    bool is_filtered;
    uint64_t word;         // that the column `equal` has
    uint32_t node;         // MC_NONE: of all nodes
    uint32_t node_column;  // of tables that take a node; else MC_NONE
    const uint32_t *order; // NULL: as rows stand
    uint64_t *weight;      // the module's
    size_t at, end, row;   // the row is the one at `at`
    // The text of the word that was read last, as of a group each row has the same.
    uint64_t text_word;
    const char *text;
    size_t text_size;
} cursor;

static const mc_query_table *get_table(const sqlite3_vtab *base) {
    return ((const virtual_table *)base)->module->table;
}

static mc_query_source *get_source(const sqlite3_vtab *base) {
    return ((const virtual_table *)base)->module->store->source;
}

static bool has_steps(const mc_query_table *table) {
    return table->parts == MC_QUERY_BY_STEP || table->parts == MC_QUERY_BY_METRIC_AND_STEP ||
           table->parts == MC_QUERY_BY_DUMP;
}

static bool has_metrics(const mc_query_table *table) {
    return table->parts == MC_QUERY_BY_METRIC || table->parts == MC_QUERY_BY_METRIC_AND_STEP;
}

static uint32_t count_steps(const mc_query_table *table, const mc_query_source *source) {
    if (table->parts == MC_QUERY_BY_DUMP) return source->dump_count > 0 ? source->dump_count : 1;
    if (!has_steps(table)) return 1;
    return source->trace ? mc_trace_get_step_count(source->trace) : 2;
}

static uint32_t count_metrics(const mc_query_table *table, const mc_query_source *source) {
    if (!has_metrics(table)) return 1;
    return source->trace ? mc_trace_get_metric_count(source->trace) : 2;
}

// ---- a table

static const char *get_type(mc_query_kind kind) {
    switch (kind) {
    case MC_QUERY_INTEGER:
    case MC_QUERY_NODE: return " INTEGER";
    case MC_QUERY_REAL: return " REAL";
    case MC_QUERY_VALUE:
    case MC_QUERY_DELTA: return "";
    default: return " TEXT";
    }
}

static int connect(sqlite3 *database, void *user, int argc, const char *const *argv,
                   sqlite3_vtab **made, char **message) {
    const mc_query_module *module = user;
    mc_text text = {0};
    (void)argc;
    (void)argv;
    mc_text_append_string(&text, "CREATE TABLE x(");
    for (uint32_t i = 0; i < module->table->column_count; i++)
        mc_text_format(&text, "%s\"%s\"%s", i > 0 ? ", " : "", module->table->columns[i].name,
                       get_type(module->table->columns[i].kind));
    mc_text_append_string(&text, ")");
    int code = text.failed ? SQLITE_NOMEM : sqlite3_declare_vtab(database, text.data);
    mc_text_deinit(&text);
    if (code != SQLITE_OK) *message = sqlite3_mprintf("%s", sqlite3_errmsg(database));
    virtual_table *self = code == SQLITE_OK ? mc_alloc_zero(1, sizeof *self) : NULL;
    if (code == SQLITE_OK && !self) code = SQLITE_NOMEM;
    if (self) {
        self->module = module;
        *made = &self->base;
    }
    return code;
}

// A table is only in the schema in which it was created, where xCreate is not xConnect.
static int create(sqlite3 *database, void *user, int argc, const char *const *argv,
                  sqlite3_vtab **made, char **message) {
    return connect(database, user, argc, argv, made, message);
}

static int disconnect(sqlite3_vtab *base) {
    mc_free(base);
    return SQLITE_OK;
}

// ---- how rows are found

// Whether equal values have equal words.
static bool is_comparable(mc_query_kind kind) {
    return kind == MC_QUERY_INTEGER || kind == MC_QUERY_NODE || kind == MC_QUERY_TEXT ||
           kind == MC_QUERY_KEY;
}

// How few rows a condition leaves: a group's number or key one, a leaf's mark nearly all.
static int get_sharpness(const mc_query_table *table, const sqlite3_index_info *info, int index) {
    const mc_query_column *column = &table->columns[info->aConstraint[index].iColumn];
    if (column->kind == MC_QUERY_NODE) return strcmp(column->name, "node") == 0 ? 4 : 3;
    if (column->kind == MC_QUERY_KEY) return 4;
    return strncmp(column->name, "is_", 3) == 0 ? 1 : 2;
}

static double estimate_rows(const mc_query_table *table, const mc_query_source *source) {
    double nodes = source->trace ? mc_trace_get_nodes(source->trace)->count : 10000;
    if (table->parts == MC_QUERY_BY_DUMP) return 1e6 * count_steps(table, source);
    if (table->is_large || table == &mc_query_table_nodes || has_metrics(table) || has_steps(table))
        return nodes * count_steps(table, source) * count_metrics(table, source);
    return 100;
}

// Of single objects an order by several columns takes longer than what SQLite has instead.
static bool find_order(const sqlite3_index_info *info, const virtual_table *self, row_plan *plan) {
    const mc_query_table *table = self->module->table;
    int most = self->module->weight ? MC_QUERY_ORDER_MOST : 1;
    mc_query_order order = {.count = (uint32_t)info->nOrderBy};
    if (info->nOrderBy < 1 || info->nOrderBy > most) return false;
    for (int i = 0; i < info->nOrderBy; i++) {
        int column = info->aOrderBy[i].iColumn;
        if (column < 0 || !mc_query_column_has_order(&table->columns[column]) ||
            info->aOrderBy[i].desc != info->aOrderBy[0].desc)
            return false;
        order.columns[i] = (uint32_t)column;
    }
    plan->order = order;
    plan->is_descending = info->aOrderBy[0].desc;
    return true;
}

// Whether equal values are wanted side by side. An ORDER BY may be in it: `GROUP BY x ORDER BY x
// DESC`, `SELECT DISTINCT x ORDER BY x`.
static bool is_grouping(sqlite3_index_info *info) {
    return sqlite3_vtab_distinct(info) != 0;
}

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
    const mc_query_table *table = get_table(base);
    const mc_query_source *source = get_source(base);
    row_plan plan = {.wanted = info->colUsed, .equal = -1};
    int step = -1, metric = -1, equal = -1, arguments = 0;
    for (int i = 0; i < info->nConstraint; i++) {
        int column = info->aConstraint[i].iColumn;
        if (!info->aConstraint[i].usable || column < 0 ||
            info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ ||
            !is_comparable(table->columns[column].kind) ||
            strcmp(sqlite3_vtab_collation(info, i), "BINARY") != 0)
            continue;
        const char *name = table->columns[column].name;
        if (has_steps(table) && strcmp(name, "step") == 0)
            step = i;
        else if (has_metrics(table) && strcmp(name, "metric") == 0)
            metric = i;
        else if (equal < 0 || get_sharpness(table, info, i) > get_sharpness(table, info, equal))
            equal = i;
    }
    double rows = estimate_rows(table, source);
    if (step >= 0) rows /= count_steps(table, source);
    if (metric >= 0) rows /= count_metrics(table, source);
    double cost = rows + 1;
    const int chosen[] = {step, metric, equal};
    for (int i = 0; i < 3; i++)
        if (chosen[i] >= 0) info->aConstraintUsage[chosen[i]].argvIndex = ++arguments;
    if (equal >= 0) {
        plan.equal = info->aConstraint[equal].iColumn;
        bool is_sharp = table->columns[plan.equal].kind != MC_QUERY_TEXT &&
                        get_sharpness(table, info, equal) > 1;
        rows = is_sharp ? rows / 10000 + 1 : rows / 100 + 1;
        cost = rows * 2 + 10;
    }
    plan.has_step = step >= 0;
    plan.has_metric = metric >= 0;
    bool is_one_part = (step >= 0 || count_steps(table, source) == 1) &&
                       (metric >= 0 || count_metrics(table, source) == 1);
    if (equal < 0 && is_one_part && is_grouping(info) &&
        find_order(info, (const virtual_table *)base, &plan))
        info->orderByConsumed = 1;
    info->estimatedRows = (sqlite3_int64)(rows + 1);
    info->estimatedCost = cost;
    info->idxStr = sqlite3_mprintf("%llx %d %d %d %d %u %u %u %u %u", plan.wanted, plan.has_step,
                                   plan.has_metric, plan.equal, plan.is_descending,
                                   plan.order.count, plan.order.columns[0], plan.order.columns[1],
                                   plan.order.columns[2], plan.order.columns[3]);
    info->needToFreeIdxStr = 1;
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

// ---- rows

static int fail(sqlite3_vtab *base, mc_result result, const mc_error *error) {
    if (result == MC_ERROR_CANCELLED) return SQLITE_INTERRUPT;
    if (result == MC_ERROR_OUT_OF_MEMORY) return SQLITE_NOMEM;
    get_source(base)->failure = *error; // which SQLite would tell without its code
    return SQLITE_ERROR;
}

// Finds the rows of the part that is there. `at` is the first of them, or `end`.
static int begin_rows(cursor *self) {
    mc_query_rows *rows = &self->kept->rows;
    uint32_t column = self->plan.equal >= 0 ? (uint32_t)self->plan.equal : 0;
    self->order = NULL;
    self->at = 0;
    self->end = rows->count;
    if (self->plan.order.count > 0) {
        self->order = mc_query_rows_order_by(rows, &self->plan.order);
        return self->order ? SQLITE_OK : SQLITE_NOMEM;
    }
    if (!self->is_filtered || !mc_query_rows_has(rows, column)) return SQLITE_OK;
    // Once all rows are looked through; who comes again has an index.
    if (!rows->orders[column] && rows->scans[column]++ == 0) return SQLITE_OK;
    self->order = mc_query_rows_order(rows, column);
    if (!self->order) return SQLITE_NOMEM;
    self->at = mc_query_rows_find(rows, column, self->word);
    self->end = self->at;
    while (self->end < rows->count &&
           mc_query_rows_get(rows, column, self->order[self->end]) == self->word)
        self->end++;
    return SQLITE_OK;
}

// Passes over rows that have another word.
static void skip_others(cursor *self) {
    const mc_query_rows *rows = &self->kept->rows;
    uint32_t column = (uint32_t)self->plan.equal;
    if (!mc_query_rows_has(rows, column)) return;
    while (self->at < self->end && mc_query_rows_get(rows, column, self->at) != self->word)
        self->at++;
}

// Finds the row at `at`, or the next one behind it that is wanted. False: there is none.
static inline bool find_row(cursor *self) {
    if (self->is_filtered && !self->order) skip_others(self);
    if (self->at >= self->end) return false;
    size_t at = self->plan.is_descending ? self->end - 1 - self->at : self->at;
    self->row = self->order ? self->order[at] : self->at;
    if (self->weight)
        *self->weight = self->kept->rows.weights ? self->kept->rows.weights[self->row] : 1;
    return true;
}

// The word of a value in a column. False: no row has it. `*is_filtered` stays false where the words
// don't tell; SQLite compares all values itself in any case.
static bool find_word(const cursor *self, sqlite3_value *value, uint64_t *word, bool *is_filtered) {
    const mc_query_column *column = &get_table(self->base.pVtab)->columns[self->plan.equal];
    const mc_query_rows *rows = &self->kept->rows;
    bool is_text = sqlite3_value_type(value) == SQLITE_TEXT;
    if (column->kind == MC_QUERY_TEXT && is_text) {
        const char *text = (const char *)sqlite3_value_text(value);
        if (!text) return true; // out of memory: all rows are compared
        uint32_t string = mc_strings_find(&rows->strings, text, (size_t)sqlite3_value_bytes(value));
        *is_filtered = true;
        *word = string;
        return string != MC_NONE;
    }
    bool is_number = column->kind == MC_QUERY_INTEGER || column->kind == MC_QUERY_NODE;
    if (is_number && sqlite3_value_type(value) == SQLITE_INTEGER) {
        *is_filtered = true;
        *word = (uint64_t)sqlite3_value_int64(value);
    }
    return true;
}

// A share that no child explains may have the key of the node around it.
static bool has_own_share(const mc_node_columns *nodes, uint32_t node) {
    for (uint32_t i = 0; i < nodes->child_count[node]; i++)
        if (nodes->flags[nodes->first_child[node] + i] & MC_NODE_SELF) return true;
    return nodes->flags[node] & MC_NODE_SELF;
}

// A node's key as the node, which is known before there are rows.
static void find_node(cursor *self, sqlite3_value *value) {
    const mc_query_table *table = get_table(self->base.pVtab);
    const mc_query_column *column = &table->columns[self->plan.equal];
    const mc_trace *trace = get_source(self->base.pVtab)->trace;
    uint32_t node = MC_NONE;
    if (column->kind == MC_QUERY_KEY && sqlite3_value_type(value) == SQLITE_TEXT) {
        const char *key = (const char *)sqlite3_value_text(value);
        if (!key) return;
        if (mc_trace_get_key_kind(trace) == MC_KEY_FULL) return; // two may have one key
        node = mc_trace_find_node(trace, key, (size_t)sqlite3_value_bytes(value));
        if (node != MC_NONE && has_own_share(mc_trace_get_nodes(trace), node)) return;
        self->plan.equal = (int)column->of;
        self->is_filtered = true;
        self->word = node;
    } else if (column->kind == MC_QUERY_NODE && sqlite3_value_type(value) == SQLITE_INTEGER) {
        int64_t number = sqlite3_value_int64(value);
        bool is_node = number >= 0 && number < mc_trace_get_nodes(trace)->count;
        node = is_node ? (uint32_t)number : MC_NONE;
    } else {
        return;
    }
    if (node == MC_NONE) self->is_done = true; // no row has it, of whatever part
    bool is_one = (uint32_t)self->plan.equal == self->node_column && node != MC_NONE;
    if (is_one && (has_steps(table) || has_metrics(table) ||
                   ((virtual_table *)self->base.pVtab)->single_count++ < MOST_SINGLES))
        self->node = node;
}

static int take_part(cursor *self) {
    virtual_table *table = (virtual_table *)self->base.pVtab;
    mc_query_store *store = table->module->store;
    mc_query_part part = {.step = self->step,
                          .metric = self->metric,
                          .node = self->node,
                          .is_weighted = self->weight != NULL};
    uint64_t wanted = self->plan.wanted;
    mc_error error = {0};
    if (self->plan.equal >= 0) wanted |= UINT64_C(1) << self->plan.equal;
    for (uint32_t i = 0; i < self->plan.order.count; i++)
        wanted |= UINT64_C(1) << self->plan.order.columns[i];
    if (self->node_column != MC_NONE) wanted |= UINT64_C(1) << self->node_column; // for read_rowid
    mc_query_store_release(store, self->kept);
    self->kept = NULL;
    if (!mc_progress_report(store->source->progress, 0, 0)) return SQLITE_INTERRUPT;
    if (!store->source->trace && table->module->table->parts != MC_QUERY_BY_DUMP)
        return SQLITE_ERROR; // the guard sees what a statement needs (guard.h)
    mc_result result =
        mc_query_store_take(store, table->module->table, &part, wanted, &self->kept, &error);
    return result == MC_OK ? SQLITE_OK : fail(&table->base, result, &error);
}

static void go_to_next_part(cursor *self) {
    if (++self->step < self->step_end) return;
    self->step = self->first_step;
    self->is_done = ++self->metric >= self->metric_end;
}

// Of a text the word is another one in each part.
static int begin_part(cursor *self, sqlite3_value *equal) {
    int code = take_part(self);
    if (code != SQLITE_OK) return code;
    bool has_rows = true;
    if (equal && !self->is_filtered)
        has_rows = find_word(self, equal, &self->word, &self->is_filtered);
    self->text_word = MC_QUERY_NULL;
    self->at = self->end = 0;
    return has_rows ? begin_rows(self)
                    : SQLITE_OK; // an index has no place for a text that no row has
}

static int begin_parts(cursor *self, sqlite3_value *equal) {
    int code = SQLITE_OK;
    while (!self->is_done && code == SQLITE_OK) {
        code = begin_part(self, equal);
        if (code == SQLITE_OK && find_row(self)) return SQLITE_OK;
        if (code == SQLITE_OK) go_to_next_part(self);
    }
    return code;
}

static void choose_step(cursor *self, sqlite3_value *value) {
    if (sqlite3_value_type(value) != SQLITE_INTEGER) return; // SQLite compares
    int64_t step = sqlite3_value_int64(value);
    if (step < 0 || step >= self->step_end) {
        self->is_done = true;
        return;
    }
    self->step = self->first_step = (uint32_t)step;
    self->step_end = self->step + 1;
}

static void choose_metric(cursor *self, sqlite3_value *value) {
    const mc_trace *trace = get_source(self->base.pVtab)->trace;
    const char *key =
        sqlite3_value_type(value) == SQLITE_TEXT ? (const char *)sqlite3_value_text(value) : NULL;
    if (!key) return;
    mc_metric metric = mc_trace_find_metric(trace, key);
    if (metric == MC_NONE) {
        self->is_done = true;
        return;
    }
    self->metric = metric;
    self->metric_end = metric + 1;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **made) {
    cursor *self = mc_alloc_zero(1, sizeof *self);
    (void)base;
    if (!self) return SQLITE_NOMEM;
    *made = &self->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    cursor *self = (cursor *)base;
    mc_query_store_release(((virtual_table *)base->pVtab)->module->store, self->kept);
    mc_free(self);
    return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *text, int argc,
                  sqlite3_value **argv) {
    cursor *self = (cursor *)base;
    const mc_query_table *table = get_table(base->pVtab);
    const mc_query_source *source = get_source(base->pVtab);
    int at = 0;
    (void)number;
    row_plan *plan = &self->plan;
    *plan = (row_plan){.equal = -1};
    if (sscanf(text, "%llx %d %d %d %d %u %u %u %u %u", &plan->wanted, &plan->has_step,
               &plan->has_metric, &plan->equal, &plan->is_descending, &plan->order.count,
               &plan->order.columns[0], &plan->order.columns[1], &plan->order.columns[2],
               &plan->order.columns[3]) != 10 ||
        plan->order.count > MC_QUERY_ORDER_MOST)
        return SQLITE_ERROR;
    self->step = self->first_step = 0;
    self->metric = 0;
    self->step_end = count_steps(table, source);
    self->metric_end = count_metrics(table, source);
    self->is_done = self->is_filtered = false;
    self->node = MC_NONE;
    self->weight = ((const virtual_table *)base->pVtab)->module->weight;
    self->node_column = table->takes_node ? mc_query_table_find_column(table, "node") : MC_NONE;
    self->at = self->end = 0;
    if (self->plan.has_step && at < argc) choose_step(self, argv[at++]);
    if (self->plan.has_metric && at < argc) choose_metric(self, argv[at++]);
    sqlite3_value *equal = self->plan.equal >= 0 && at < argc ? argv[at] : NULL;
    if (equal && source->trace && !self->is_done) find_node(self, equal);
    // Where steps or metrics are left, a text has another word in each part.
    bool has_parts = self->step_end - self->step > 1 || self->metric_end - self->metric > 1;
    if (has_parts && equal && table->columns[self->plan.equal].kind == MC_QUERY_TEXT) {
        self->plan.equal = -1;
        equal = NULL;
    }
    return begin_parts(self, equal);
}

static int next(sqlite3_vtab_cursor *base) {
    cursor *self = (cursor *)base;
    self->at++;
    if (find_row(self)) return SQLITE_OK;
    go_to_next_part(self);
    return begin_parts(self, NULL);
}

static int is_at_end(sqlite3_vtab_cursor *base) {
    return ((cursor *)base)->is_done;
}

static void put_key(sqlite3_context *context, const mc_trace *trace, mc_query_kind kind,
                    uint32_t node) {
    mc_text text = {0};
    size_t size;
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    if (kind == MC_QUERY_NAME || kind == MC_QUERY_CLASSIFIER) {
        uint32_t role = nodes->role[node];
        if (kind == MC_QUERY_CLASSIFIER && role == MC_NONE) return; // NULL
        const char *name = kind == MC_QUERY_NAME ? mc_trace_get_name(trace, node, &size)
                                                 : mc_trace_get_classifier(trace, role, &size);
        sqlite3_result_text64(context, name, size, SQLITE_TRANSIENT, SQLITE_UTF8);
        return;
    }
    if (kind == MC_QUERY_KEY)
        mc_trace_append_full_key(trace, node, &text);
    else
        mc_trace_append_path(trace, node, &text);
    if (text.failed)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_text64(context, mc_text_get(&text), text.size, SQLITE_TRANSIENT,
                              SQLITE_UTF8);
    mc_text_deinit(&text);
}

static double unpack_real(uint64_t word) {
    union {
        uint64_t word;
        double real;
    } as = {.word = word};
    return as.real;
}

void mc_query_put_word(sqlite3_context *context, const mc_query_source *source,
                       const mc_query_rows *rows, const mc_query_column *column, uint64_t word) {
    size_t size;
    const char *text;
    if (word == MC_QUERY_NULL) return; // NULL
    switch (column->kind) {
    case MC_QUERY_REAL: sqlite3_result_double(context, unpack_real(word)); return;
    case MC_QUERY_VALUE:
        if (rows->info->is_real)
            sqlite3_result_double(context, mc_metric_unpack(word));
        else
            sqlite3_result_int64(context, (sqlite3_int64)word);
        return;
    case MC_QUERY_DELTA:
        if (rows->info->is_real)
            sqlite3_result_double(context, unpack_real(word));
        else
            sqlite3_result_int64(context, (sqlite3_int64)word);
        return;
    case MC_QUERY_STRING:
        text = mc_trace_get_string(source->trace, (uint32_t)word, &size);
        sqlite3_result_text64(context, text, size, SQLITE_TRANSIENT, SQLITE_UTF8);
        return;
    case MC_QUERY_TEXT:
        text = mc_strings_get(&rows->strings, (uint32_t)word, &size);
        sqlite3_result_text64(context, text, size, SQLITE_TRANSIENT, SQLITE_UTF8);
        return;
    case MC_QUERY_KEY:
    case MC_QUERY_PATH:
    case MC_QUERY_NAME:
    case MC_QUERY_CLASSIFIER: put_key(context, source->trace, column->kind, (uint32_t)word); return;
    default: sqlite3_result_int64(context, (sqlite3_int64)word); return;
    }
}

// What a dump's rows hold stays as long as the statement (store.h), so that nothing is copied.
static void put_text(cursor *self, sqlite3_context *context, uint64_t word) {
    if (word != self->text_word) {
        self->text = mc_strings_get(&self->kept->rows.strings, (uint32_t)word, &self->text_size);
        self->text_word = word;
    }
    sqlite3_result_text64(context, self->text, self->text_size, SQLITE_STATIC, SQLITE_UTF8);
}

static int read_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int index) {
    cursor *self = (cursor *)base;
    const mc_query_rows *rows = &self->kept->rows;
    const mc_query_column *column = &rows->columns[index];
    uint32_t stored = mc_query_column_is_stored(column) ? (uint32_t)index : column->of;
    if (!mc_query_rows_has(rows, stored)) return SQLITE_OK;
    uint64_t word = mc_query_rows_get(rows, stored, self->row);
    if (word == MC_QUERY_NULL) return SQLITE_OK;
    if (column->kind == MC_QUERY_INTEGER)
        sqlite3_result_int64(context, (sqlite3_int64)word);
    else if (column->kind == MC_QUERY_TEXT && self->kept->table->parts == MC_QUERY_BY_DUMP)
        put_text(self, context, word);
    else
        mc_query_put_word(context, get_source(base->pVtab), rows, column, word);
    return SQLITE_OK;
}

// By these SQLite knows which rows of "a OR b" are the same. A part of a single node has rows of
// its own, so that where there are such parts a row is named by its node.
static int read_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *id) {
    const cursor *self = (const cursor *)base;
    uint64_t steps = count_steps(get_table(base->pVtab), get_source(base->pVtab));
    uint64_t part = self->metric * steps + self->step, row = self->row;
    if (self->node_column != MC_NONE)
        row = mc_query_rows_get(&self->kept->rows, self->node_column, row);
    *id = (sqlite3_int64)(part << 32 | row);
    return SQLITE_OK;
}

static const sqlite3_module methods = {
    .iVersion = 1,
    .xCreate = create,
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xDestroy = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = is_at_end,
    .xColumn = read_column,
    .xRowid = read_rowid,
};

bool mc_query_module_add(mc_query_module *module, const char *schema, sqlite3 *database) {
    const char *table = module->table->name;
    char *name = sqlite3_mprintf("%s_%s", schema, table);
    char *sql = sqlite3_mprintf("CREATE VIRTUAL TABLE %s.%s USING %s", schema, table, name);
    bool is_added = name && sql &&
                    sqlite3_create_module_v2(database, name, &methods, module, NULL) == SQLITE_OK &&
                    sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_free(name);
    sqlite3_free(sql);
    return is_added;
}
