#include "app/query/weights.h"

#include "engine/base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---- aggregates

typedef struct sum_state {
    double real;
    int64_t sum;
    uint64_t count;
    bool is_real, has_overflow;
} sum_state;

static uint64_t get_weight(sqlite3_context *context) {
    const mc_query_weight *weight = sqlite3_user_data(context);
    return weight->is_ignored ? 1 : weight->of_row;
}

static void count_step(sqlite3_context *context, int argc, sqlite3_value **argv) {
    uint64_t *count = sqlite3_aggregate_context(context, sizeof *count);
    if (!count) return;
    if (argc == 0 || sqlite3_value_type(argv[0]) != SQLITE_NULL) *count += get_weight(context);
}

static void count_end(sqlite3_context *context) {
    const uint64_t *count = sqlite3_aggregate_context(context, 0);
    sqlite3_result_int64(context, count ? (sqlite3_int64)*count : 0);
}

// What is added up are whole numbers (is_number()), so that their order says nothing.
static void sum_step(sqlite3_context *context, int argc, sqlite3_value **argv) {
    sum_state *self = sqlite3_aggregate_context(context, sizeof *self);
    uint64_t weight = get_weight(context);
    int type = sqlite3_value_type(argv[0]);
    int64_t product;
    (void)argc;
    if (!self || type == SQLITE_NULL) return;
    self->count += weight;
    self->real += sqlite3_value_double(argv[0]) * (double)weight;
    if (type != SQLITE_INTEGER)
        self->is_real = true;
    else if (__builtin_mul_overflow(sqlite3_value_int64(argv[0]), weight, &product) ||
             __builtin_add_overflow(self->sum, product, &self->sum))
        self->has_overflow = true;
}

static void sum_end(sqlite3_context *context) {
    const sum_state *self = sqlite3_aggregate_context(context, 0);
    if (!self || self->count == 0) return; // NULL
    if (self->is_real)
        sqlite3_result_double(context, self->real);
    else if (self->has_overflow)
        sqlite3_result_error(context, "integer overflow", -1);
    else
        sqlite3_result_int64(context, self->sum);
}

static void total_end(sqlite3_context *context) {
    const sum_state *self = sqlite3_aggregate_context(context, 0);
    sqlite3_result_double(context, self ? self->real : 0);
}

static void average_end(sqlite3_context *context) {
    const sum_state *self = sqlite3_aggregate_context(context, 0);
    if (self && self->count > 0) sqlite3_result_double(context, self->real / (double)self->count);
}

static const struct {
    const char *name, *as_told; // by EXPLAIN
    int argc;
    bool heeds_weight, takes_numbers;
    void (*step)(sqlite3_context *context, int argc, sqlite3_value **argv);
    void (*end)(sqlite3_context *context);
} aggregates[] = {
    {"count", "count(0)", 0, true, false, count_step, count_end},
    {"count", "count(1)", 1, true, false, count_step, count_end},
    {"sum", "sum(1)", 1, true, true, sum_step, sum_end},
    {"total", "total(1)", 1, true, true, sum_step, total_end},
    {"avg", "avg(1)", 1, true, true, sum_step, average_end},
    {"min", "min(1)", 1, false, false, NULL, NULL}, // of many alike the same as of one
    {"max", "max(1)", 1, false, false, NULL, NULL},
};
#define AGGREGATE_COUNT (sizeof aggregates / sizeof *aggregates)

bool mc_query_weights_add(sqlite3 *database, mc_query_weight *weight) {
    for (size_t i = 0; i < AGGREGATE_COUNT; i++)
        if (aggregates[i].heeds_weight &&
            sqlite3_create_function_v2(database, aggregates[i].name, aggregates[i].argc,
                                       SQLITE_UTF8 | SQLITE_DETERMINISTIC, weight, NULL,
                                       aggregates[i].step, aggregates[i].end, NULL) != SQLITE_OK)
            return false;
    return true;
}

// ---- a program

// What may be done for each row: it knows nothing of other rows but what was the same in all of
// them.
static const struct {
    const char *name;
    bool jumps; // to P2, which has to lie in the loop
} harmless[] = {
    {"VColumn", false}, {"Compare", false},   {"Noop", false},     {"Move", false},
    {"Copy", false},    {"SCopy", false},     {"Integer", false},  {"Int64", false},
    {"Real", false},    {"String8", false},   {"String", false},   {"Null", false},
    {"Gosub", false},   {"Add", false},       {"Subtract", false}, {"Multiply", false},
    {"Divide", false},  {"Remainder", false}, {"Concat", false},   {"And", false},
    {"Or", false},      {"Not", false},       {"Affinity", false}, {"Cast", false},
    {"CollSeq", false}, {"Goto", true},       {"If", true},        {"IfNot", true},
    {"IsNull", true},   {"NotNull", true},    {"Eq", true},        {"Ne", true},
    {"Lt", true},       {"Le", true},         {"Gt", true},        {"Ge", true},
};

// Functions of which the same is true.
static const char *const pure[] = {"like(2)",   "like(3)",   "glob(2)",  "regexp(2)",
                                   "substr(2)", "substr(3)", "instr(2)", "length(1)",
                                   "lower(1)",  "upper(1)",  "abs(1)"};

// What else may be done with values of which each comes once, however often rows have it.
static const char *const once[] = {"MakeRecord", "IdxInsert", "SorterInsert", "ResultRow",
                                   "Sequence",   "IfNotZero", "Last",         "IdxLE",
                                   "IdxGT",      "Delete",    "DecrJumpZero"};

typedef struct instruction {
    char name[16], fourth[32]; // cut, which none of the names above is
    int p1, p2, p3, p5;
    bool is_once; // is reached once for all rows with the same values
} instruction;

typedef struct program {
    instruction *items;
    int count;
    size_t capacity;
    int begin, end; // of the loop: behind VFilter, and its VNext
    bool has_sum, has_once, has_group;
} program;

static const char *get_text(sqlite3_stmt *statement, int column) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? text : "";
}

static bool read_program(sqlite3 *database, const char *sql, size_t size, program *self) {
    sqlite3_stmt *statement = NULL;
    char *asked = sqlite3_mprintf("EXPLAIN %.*s", (int)size, sql);
    bool is_done = asked &&
                   sqlite3_prepare_v3(database, asked, -1, 0, &statement, NULL) == SQLITE_OK &&
                   statement && sqlite3_column_count(statement) >= 7;
    while (is_done && sqlite3_step(statement) == SQLITE_ROW) {
        is_done =
            mc_reserve(&self->items, &self->capacity, (size_t)self->count + 1, sizeof *self->items);
        if (!is_done) break;
        instruction *item = &self->items[self->count++];
        *item = (instruction){.p1 = sqlite3_column_int(statement, 2),
                              .p2 = sqlite3_column_int(statement, 3),
                              .p3 = sqlite3_column_int(statement, 4),
                              .p5 = sqlite3_column_int(statement, 6)};
        snprintf(item->name, sizeof item->name, "%s", get_text(statement, 1));
        snprintf(item->fourth, sizeof item->fourth, "%s", get_text(statement, 5));
    }
    sqlite3_free(asked);
    return sqlite3_finalize(statement) == SQLITE_OK && is_done;
}

static bool is(const instruction *item, const char *name) {
    return strcmp(item->name, name) == 0;
}

static bool is_sum(const instruction *item) {
    return is(item, "AggStep") || is(item, "AggStep1");
}

// One table is read, once, and all sums are in its loop.
static bool find_loop(program *self) {
    int opened = 0, filtered = 0;
    self->end = -1;
    for (int i = 0; i < self->count; i++) {
        const instruction *item = &self->items[i];
        if (is(item, "VOpen")) opened++;
        if (is(item, "VFilter") && ++filtered == 1) self->begin = i + 1;
        if (is(item, "VNext")) self->end = i;
    }
    if (opened != 1 || filtered != 1 || self->end < self->begin) return false;
    const instruction *next = &self->items[self->end];
    if (next->p2 < self->begin || next->p2 > self->end) return false;
    for (int i = 0; i < self->count; i++) {
        const char *name = self->items[i].name;
        bool is_inside = i >= self->begin && i < self->end;
        bool is_any = strncmp(name, "Agg", 3) == 0 && strcmp(name, "AggFinal") != 0;
        if (is_any && !is_inside) return false;
        self->has_sum = self->has_sum || is_any;
        self->has_group = self->has_group || (is_inside && strcmp(name, "Compare") == 0);
    }
    return true;
}

static int find_harmless(const char *name) {
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(harmless[i].name, name) == 0) return (int)i;
    return -1;
}

// Columns in which objects are alike.
static bool is_shared(int column) {
    static const char *const names[] = {"step",    "class", "size",   "length", "kind",
                                        "package", "type",  "loader", "module"};
    if (column < 0 || (uint32_t)column >= mc_query_table_objects.column_count) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], mc_query_table_objects.columns[column].name) == 0) return true;
    return false;
}

static bool jumps_to(const instruction *item, int address) {
    int kind = find_harmless(item->name);
    if (is(item, "Jump")) return item->p1 == address || item->p2 == address || item->p3 == address;
    return (kind >= 0 && harmless[kind].jumps && item->p2 == address) ||
           (is(item, "IfPos") && item->p2 == address);
}

// Whether values are looked up there in a list of those that came before, and put into it; else
// what is behind that is passed over.
static bool is_list(const program *self, int address) {
    if (!is(&self->items[address], "Found") || address + 2 >= self->end) return false;
    const instruction *found = &self->items[address], *record = found + 1, *insert = found + 2;
    bool is_opened = false;
    for (int i = 0; i < self->count; i++)
        is_opened =
            is_opened || (is(&self->items[i], "OpenEphemeral") && self->items[i].p1 == found->p1);
    return is_opened && is(record, "MakeRecord") && record->p1 == found->p3 &&
           record->p2 == atoi(found->fourth) && is(insert, "IdxInsert") &&
           insert->p1 == found->p1 && insert->p2 == record->p3 && found->p2 > address + 2 &&
           found->p2 <= self->end;
}

// Whether the instruction may go to an address between these: where nobody knows, it may.
static bool may_go(const instruction *item, int begin, int end) {
    static const char *const goes_on[] = {"AggStep",    "AggStep1",   "AggFinal",      "Function",
                                          "PureFunc",   "MakeRecord", "OpenEphemeral", "ResultRow",
                                          "SorterOpen", "Column",     "Transaction"};
    int kind = find_harmless(item->name);
    if (kind >= 0 && !harmless[kind].jumps && !is(item, "Gosub")) return false;
    for (size_t i = 0; i < sizeof goes_on / sizeof *goes_on; i++)
        if (is(item, goes_on[i])) return false;
    bool may = item->p2 >= begin && item->p2 < end;
    if (is(item, "Jump"))
        may = may || (item->p1 >= begin && item->p1 < end) || (item->p3 >= begin && item->p3 < end);
    return may;
}

// Nothing but the list leads to what is behind it.
static bool is_closed(const program *self, int begin, int end) {
    for (int i = 0; i < self->count; i++)
        if ((i < begin || i >= end) && may_go(&self->items[i], begin, end)) return false;
    return true;
}

static void mark_once(program *self) {
    for (int i = self->begin; i < self->end; i++) {
        int end = self->items[i].p2;
        if (!is_list(self, i) || !is_closed(self, i + 1, end)) continue;
        for (int k = i; k < end; k++)
            self->items[k].is_once = true;
        self->has_once = true;
    }
}

// Whether what a sum takes is a whole number of a column, which the instruction before has read,
// in whatever way the sum is come to.
static bool is_number(const program *self, int sum) {
    int column = sum - 1;
    while (column > self->begin && is(&self->items[column], "CollSeq"))
        column--;
    const instruction *item = &self->items[column];
    if (column < self->begin || !is(item, "VColumn") || item->p3 != self->items[sum].p2 ||
        !is_shared(item->p2) || mc_query_table_objects.columns[item->p2].kind != MC_QUERY_INTEGER)
        return false;
    for (int i = self->begin; i < self->end; i++)
        for (int address = column + 1; address <= sum; address++)
            if (jumps_to(&self->items[i], address)) return false;
    return true;
}

static bool is_good_sum(const program *self, int sum) {
    for (size_t i = 0; i < AGGREGATE_COUNT; i++)
        if (strcmp(aggregates[i].as_told, self->items[sum].fourth) == 0)
            return !aggregates[i].takes_numbers || is_number(self, sum);
    return false;
}

static bool is_good_function(const instruction *item) {
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++)
        if (strcmp(pure[i], item->fourth) == 0) return true;
    return false;
}

static bool is_in_loop(const program *self, int address) {
    return address >= self->begin && address <= self->end;
}

static bool is_good(const program *self, int address) {
    const instruction *item = &self->items[address];
    if (item->is_once && is(item, "Found")) return true;
    if (item->is_once && is(item, "IfPos")) return is_in_loop(self, item->p2); // OFFSET
    for (size_t i = 0; i < sizeof once / sizeof *once && item->is_once; i++)
        if (is(item, once[i])) return true;
    if (is_sum(item)) return is_good_sum(self, address);
    if (is(item, "Function") || is(item, "PureFunc")) return is_good_function(item);
    if (is(item, "VColumn") && !is_shared(item->p2)) return false;
    if (is(item, "IfPos")) return item->p3 == 0; // else it counts; it leaves when there is enough
    if (is(item, "Jump"))
        return is_in_loop(self, item->p1) && is_in_loop(self, item->p2) &&
               is_in_loop(self, item->p3);
    int kind = find_harmless(item->name);
    return kind >= 0 && (!harmless[kind].jumps || is_in_loop(self, item->p2));
}

// Whether an instruction looks at the register: of what a row has in it nothing else is left then.
static bool takes(const instruction *item, int where) {
    static const char *const one[] = {"Eq", "Ne", "Lt", "Le", "Gt", "Ge", "IsNull", "NotNull"};
    if (is_sum(item)) return where >= item->p2 && where < item->p2 + item->p5;
    if (is(item, "Function") || is(item, "PureFunc"))
        return where >= item->p2 && where < item->p2 + 2; // all that are pure have so many
    if (is(item, "Found")) return where >= item->p3 && where < item->p3 + atoi(item->fourth);
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        if (is(item, one[i])) return item->p1 == where || (i < 6 && item->p3 == where);
    return false;
}

// Rows are grouped by a column if one is read into a register that is compared with the row before.
static bool is_group(const program *self, int column) {
    int first = 0, count = 0;
    for (int i = self->begin; i < self->end; i++)
        if (is(&self->items[i], "Compare")) {
            first = self->items[i].p2;
            count = self->items[i].p3;
        }
    for (int where = first; where < first + count; where++) {
        bool is_it = false;
        for (int i = self->begin; i < self->end; i++)
            if (is(&self->items[i], "VColumn") && self->items[i].p3 == where)
                is_it = self->items[i].p2 == column;
        if (is_it) return true;
    }
    return false;
}

// A column that stands alone is that of some row of a group: only where all have the same it does
// not matter which row.
static bool is_taken(const program *self, const instruction *column) {
    bool is_it = is_group(self, column->p2);
    for (int i = self->begin; i < self->end && !is_it; i++)
        is_it = takes(&self->items[i], column->p3);
    return is_it;
}

// All of what counts rows does so for each, or all of it once for all that are alike.
static bool check_loop(const program *self, bool *counts_once) {
    bool counts_each = false;
    *counts_once = false;
    for (int i = self->begin; i < self->end; i++) {
        const instruction *item = &self->items[i];
        if (!is_good(self, i)) return false;
        if (is(item, "VColumn") && (item->is_once || !is_taken(self, item))) return false;
        bool counts = is_sum(item) && strncmp(item->fourth, "min", 3) != 0 &&
                      strncmp(item->fourth, "max", 3) != 0;
        counts_each = counts_each || (counts && !item->is_once);
        *counts_once = *counts_once || (counts && item->is_once);
    }
    return !(counts_each && *counts_once);
}

static bool mentions_distinct(const char *sql, size_t size) {
    static const char word[] = "distinct";
    const size_t word_size = sizeof word - 1;
    for (size_t i = 0; i + word_size <= size; i++)
        if (strncasecmp(sql + i, word, word_size) == 0) return true;
    return false;
}

bool mc_query_weights_can(sqlite3 *database, const char *sql, size_t size,
                          mc_query_weight *weight) {
    program self = {.items = NULL};
    bool can = read_program(database, sql, size, &self) && find_loop(&self);
    if (can) mark_once(&self);
    // What a sum takes once may also be found by the order of rows, which nothing here would
    // notice.
    bool has_all = self.has_once || (self.has_sum ? !mentions_distinct(sql, size) : self.has_group);
    can = can && has_all && check_loop(&self, &weight->is_ignored);
    mc_free(self.items);
    return can;
}
