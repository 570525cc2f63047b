// print.h - rows and records in the form that was asked for: text, JSON, TSV or HTML.
//
// A command says once what its columns are and fills its rows once; one at a time, so that any
// number of them takes no memory. What only JSON has (the object around the rows, nested lists) is
// put by functions that do nothing in other forms. Everything is appended to `out`, which says if
// memory ran out. Threads: one object serves one thread at a time.
#pragma once
#include "app/print/cell.h"

typedef enum mc_print_form {
    MC_PRINT_TEXT,
    MC_PRINT_JSON,
    MC_PRINT_TSV,
    MC_PRINT_HTML
} mc_print_form;

// Sets of forms, for columns that not all of them have.
enum {
    MC_IN_TEXT = 1 << MC_PRINT_TEXT,
    MC_IN_JSON = 1 << MC_PRINT_JSON,
    MC_IN_TSV = 1 << MC_PRINT_TSV,
    MC_IN_HTML = 1 << MC_PRINT_HTML
};

typedef struct mc_column {
    const char *key;     // of JSON's member, and the title in TSV; NULL: neither has it
    const char *heading; // for people; "": nothing stands above it; NULL: they don't see it
    uint32_t forms;      // MC_IN_*; 0: what the two above say
    // Of text: how wide, in characters; negative: it begins at the left; 0: as wide as it is. What
    // stands before and after it, and in the place of what is not known ("–").
    int width;
    const char *before, *after, *unknown;
    const char *mark; // its class in HTML; NULL: none
    bool is_off;      // this time nobody sees it
} mc_column;

// Where JSON begins a new line: before each row, between rows, or nowhere.
typedef enum mc_print_lines { MC_LINES_EACH, MC_LINES_BETWEEN, MC_LINES_NONE } mc_print_lines;

// Zero-initialise all but the first two.
typedef struct mc_print {
    mc_print_form form;
    mc_text *out;
    mc_print_lines lines;
    const mc_column *columns;
    uint32_t column_count;
    bool has_item;   // something stands in what is open in JSON
    bool has_broken; // the next item of it begins a line
} mc_print;

// In the form that options ask for.
static inline mc_print mc_print_to(mc_text *out, bool json, bool tsv) {
    return (mc_print){.form = json  ? MC_PRINT_JSON
                              : tsv ? MC_PRINT_TSV
                                    : MC_PRINT_TEXT,
                      .out = out};
}

// ---- rows

// The headings, or the list of JSON with this key (NULL: it has none, as an item). In HTML the key
// is the table's class.
void mc_print_begin_rows(mc_print *print, const char *key, const mc_column *columns,
                         uint32_t count);
// A cell a column, in their order, those that are off as well.
void mc_print_row(mc_print *print, const mc_cell *cells);
void mc_print_end_rows(mc_print *print);

#define MC_PRINT_BEGIN_ROWS(print, key, columns) \
    mc_print_begin_rows(print, key, columns, sizeof(columns) / sizeof *(columns))
#define MC_PRINT_ROW(print, ...) mc_print_row(print, (const mc_cell[]){__VA_ARGS__})

// ---- JSON alone; `key` NULL: an item of a list, or the whole

void mc_print_begin_object(mc_print *print, const char *key);
void mc_print_end_object(mc_print *print);
void mc_print_begin_list(mc_print *print, const char *key);
void mc_print_end_list(mc_print *print);
void mc_print_put(mc_print *print, const char *key, mc_cell cell);
// The key of a member, of whatever bytes; what is put next is its value, without a key.
void mc_print_key(mc_print *print, const char *bytes, size_t size);
void mc_print_fields(mc_print *print, const mc_field *fields, uint32_t count);
void mc_print_break(mc_print *print); // the next item begins a line
void mc_print_end(mc_print *print);   // of the whole: ends its last line

#define MC_PRINT(print, ...)                                \
    mc_print_fields(print, (const mc_field[]){__VA_ARGS__}, \
                    sizeof((const mc_field[]){__VA_ARGS__}) / sizeof(mc_field))
