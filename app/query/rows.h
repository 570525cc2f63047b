// rows.h - the rows of a table that SQL reads, as columns of 64-bit words.
//
// A column holds a number, a string or a node; what follows from a node (its key, its path) has no
// words of its own. Rows with equal words of a column are found by an index, which is made once it
// is worth it. Threads: one object serves one thread at a time.
#pragma once
#include "engine/trace/trace.h"

#define MC_QUERY_COLUMNS_MOST 24
// Not known; no number, index or sum of a trace has this word.
#define MC_QUERY_NULL ((uint64_t)INT64_MIN)

typedef enum mc_query_kind {
    MC_QUERY_INTEGER,
    MC_QUERY_REAL,   // the bits of a double
    MC_QUERY_VALUE,  // of the rows' metric, as the trace has it
    MC_QUERY_DELTA,  // a difference of such, which may be negative
    MC_QUERY_STRING, // of the trace
    MC_QUERY_TEXT,   // of the rows' own strings
    MC_QUERY_NODE,   // its number
    MC_QUERY_KEY,    // from here on what follows from the node of column `of`
    MC_QUERY_PATH,
    MC_QUERY_NAME,
    MC_QUERY_CLASSIFIER
} mc_query_kind;

typedef struct mc_query_column {
    const char *name;
    mc_query_kind kind;
    uint32_t of; // column: with the node
    const char *help;
} mc_query_column;

static inline bool mc_query_column_is_stored(const mc_query_column *column) {
    return column->kind < MC_QUERY_KEY;
}

#define MC_QUERY_ORDER_MOST 4
// By the first column, then by the next ones.
typedef struct mc_query_order {
    uint32_t columns[MC_QUERY_ORDER_MOST], count;
} mc_query_order;

// Zero-initialise; deinit.
typedef struct mc_query_rows {
    const mc_query_column *columns;
    uint32_t column_count;
    // Of each column one of these, or neither: it is derived, or nobody reads it. Words are short
    // as long as all of them fit; what is not known is then MC_NONE.
    uint64_t *words[MC_QUERY_COLUMNS_MOST];
    uint32_t *short_words[MC_QUERY_COLUMNS_MOST];
    size_t count, capacity;
    mc_strings strings;
    const mc_metric_info *info; // of MC_QUERY_VALUE; NULL: no such column
    uint64_t *weights;          // how many objects a row stands for; NULL: one each
    uint64_t wanted;            // a bit for each column that was asked for
    uint32_t stored[MC_QUERY_COLUMNS_MOST], stored_count; // columns that have words
    // A column's rows, ascending as SQL has it; NULL: not made yet.
    uint32_t *orders[MC_QUERY_COLUMNS_MOST];
    uint32_t scans[MC_QUERY_COLUMNS_MOST]; // how often all rows were searched for a word
    // The one by several columns that was asked for last; NULL: none.
    uint32_t *several;
    mc_query_order several_order;
} mc_query_rows;

static inline bool mc_query_rows_has(const mc_query_rows *rows, uint32_t column) {
    return rows->words[column] || rows->short_words[column];
}

// Of a column that rows have.
static inline uint64_t mc_query_rows_get(const mc_query_rows *rows, uint32_t column, size_t row) {
    if (rows->words[column]) return rows->words[column][row];
    uint32_t word = rows->short_words[column][row];
    return word == MC_NONE ? MC_QUERY_NULL : word;
}

void mc_query_rows_init(mc_query_rows *rows, const mc_query_column *columns, uint32_t count,
                        uint64_t wanted);
void mc_query_rows_deinit(mc_query_rows *rows);
void mc_query_rows_clear(mc_query_rows *rows); // there are none then, and no strings

// Appends a row, a word per column; those of derived columns are ignored. False: out of memory, or
// more rows than an index can count.
bool mc_query_rows_add(mc_query_rows *rows, const uint64_t *words);
// A text as the word of a column; MC_QUERY_NULL for NULL. Sets `*failed` if memory is out.
uint64_t mc_query_rows_intern(mc_query_rows *rows, const char *bytes, size_t size, bool *failed);

// Whether mc_query_rows_order() knows how SQL orders the column's values.
static inline bool mc_query_column_has_order(const mc_query_column *column) {
    return column->kind == MC_QUERY_INTEGER || column->kind == MC_QUERY_NODE ||
           column->kind == MC_QUERY_TEXT;
}
// Lists the rows ascending by a column's values: NULL, numbers, texts by their bytes; equal ones as
// they stand. Of a column that has an order. NULL: out of memory.
const uint32_t *mc_query_rows_order(mc_query_rows *rows, uint32_t column);
// The same by several columns, until another order is asked for.
const uint32_t *mc_query_rows_order_by(mc_query_rows *rows, const mc_query_order *order);
// The first of that order whose word is not below `word`. O(log rows).
size_t mc_query_rows_find(const mc_query_rows *rows, uint32_t column, uint64_t word);

size_t mc_query_rows_memory_size(const mc_query_rows *rows);

static inline uint64_t mc_query_pack_real(double number) {
    union {
        double real;
        uint64_t word;
    } as = {.real = number + 0.0}; // so that it is never the bits of -0.0, which say NULL
    return as.word;
}
static inline uint64_t mc_query_pack_index(uint32_t index) {
    return index == MC_NONE ? MC_QUERY_NULL : index;
}
static inline uint64_t mc_query_pack_count(uint64_t count) {
    return count == MC_COUNT_UNKNOWN ? MC_QUERY_NULL : count;
}
