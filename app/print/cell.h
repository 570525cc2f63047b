// cell.h - one value of a row: what it is, not how it looks.
//
// A cell refers to what it was made of and lives no longer. It is plain data, passed by value.
// Threads: any.
#pragma once
#include "engine/trace/trace.h"
#include <string.h>

struct mc_print;

typedef enum mc_cell_kind {
    MC_CELL_ABSENT, // JSON has no such member in this row
    MC_CELL_NULL,   // not known
    MC_CELL_BOOL,
    MC_CELL_INDEX,   // of a step or row
    MC_CELL_COUNT,   // people read 160,003
    MC_CELL_BYTES,   // 3.66 MiB
    MC_CELL_NUMBER,  // signed: +12
    MC_CELL_GROWTH,  // signed bytes: +3.66 MiB
    MC_CELL_REAL,    // so many digits in all
    MC_CELL_DECIMAL, // so many digits behind the point; people read what REAL has
    MC_CELL_EXACT,   // as many digits as it takes
    MC_CELL_SHARE,   // of 1: six decimals; people read 27.4 %
    MC_CELL_TIME,    // ms; people read 1:36.0
    MC_CELL_VALUE,   // of a metric, in its unit
    MC_CELL_FIGURE,  // likewise, but people read all of its digits
    MC_CELL_FIGURE_GROWTH,
    MC_CELL_RATE, // a computed difference, in the metric's unit
    MC_CELL_TEXT,
    MC_CELL_READY,   // escaped already
    MC_CELL_ESCAPED, // a text that is exact for people as well
    MC_CELL_KEY,     // a node's full key
    MC_CELL_NODE,    // its full key; people read its place
    MC_CELL_PATH,    // its path with roles
    MC_CELL_NAME,    // its own name alone, for people
    MC_CELL_LIST,    // of cells
    MC_CELL_OBJECT,  // of fields
    MC_CELL_EACH,    // a list whose items a function puts
} mc_cell_kind;

// Puts item `index` of a list.
typedef void mc_print_item(struct mc_print *print, const void *user, uint32_t index);

typedef struct mc_cell {
    mc_cell_kind kind;
    uint32_t count; // of digits, items or fields; a node's index
    union {
        uint64_t word;
        int64_t number;
        double real;
        size_t size;
        mc_print_item *item;
    } of;
    union {
        const char *text;
        const mc_trace *trace;
        const mc_metric_info *info;
        const struct mc_cell *cells;
        const struct mc_field *fields;
        const void *user;
    } in;
    uint64_t other;   // of a figure's growth the last value
    const char *mark; // its class in HTML; NULL: none but its column's
} mc_cell;

typedef struct mc_field {
    const char *key;
    mc_cell cell;
} mc_field;

static inline mc_cell mc_cell_absent(void) {
    return (mc_cell){.kind = MC_CELL_ABSENT};
}
static inline mc_cell mc_cell_marked(mc_cell cell, const char *mark) {
    cell.mark = mark;
    return cell;
}
// Absent unless `has`.
static inline mc_cell mc_cell_if(bool has, mc_cell cell) {
    return has ? cell : mc_cell_absent();
}
static inline mc_cell mc_cell_null(void) {
    return (mc_cell){.kind = MC_CELL_NULL};
}
static inline mc_cell mc_cell_bool(bool is_so) {
    return (mc_cell){.kind = MC_CELL_BOOL, .of.word = is_so};
}
static inline mc_cell mc_cell_word(mc_cell_kind kind, uint64_t word) {
    return (mc_cell){.kind = word == MC_COUNT_UNKNOWN ? MC_CELL_NULL : kind, .of.word = word};
}
static inline mc_cell mc_cell_count(uint64_t count) {
    return mc_cell_word(MC_CELL_COUNT, count);
}
static inline mc_cell mc_cell_bytes(uint64_t bytes) {
    return mc_cell_word(MC_CELL_BYTES, bytes);
}
// MC_NONE: null.
static inline mc_cell mc_cell_index(uint32_t index) {
    return mc_cell_word(MC_CELL_INDEX, index == MC_NONE ? MC_COUNT_UNKNOWN : index);
}
static inline mc_cell mc_cell_number(int64_t number) {
    return (mc_cell){.kind = MC_CELL_NUMBER, .of.number = number};
}
static inline mc_cell mc_cell_growth(int64_t bytes) {
    return (mc_cell){.kind = MC_CELL_GROWTH, .of.number = bytes};
}
static inline mc_cell mc_cell_time(int64_t time_ms) {
    return (mc_cell){.kind = MC_CELL_TIME, .of.number = time_ms};
}
static inline mc_cell mc_cell_real(double value, uint32_t digits) {
    return (mc_cell){.kind = MC_CELL_REAL, .count = digits, .of.real = value};
}
static inline mc_cell mc_cell_decimal(double value, uint32_t decimals) {
    return (mc_cell){.kind = MC_CELL_DECIMAL, .count = decimals, .of.real = value};
}
// Null unless it is finite.
static inline mc_cell mc_cell_exact(double value) {
    return (mc_cell){.kind = MC_CELL_EXACT, .of.real = value};
}
static inline mc_cell mc_cell_share(double share) {
    return (mc_cell){.kind = MC_CELL_SHARE, .of.real = share};
}
// A word as mc_trace_read_value() has it.
static inline mc_cell mc_cell_value(const mc_metric_info *info, uint64_t word) {
    return (mc_cell){.kind = MC_CELL_VALUE, .of.word = word, .in.info = info};
}
static inline mc_cell mc_cell_figure(const mc_metric_info *info, uint64_t word) {
    return (mc_cell){.kind = MC_CELL_FIGURE, .of.word = word, .in.info = info};
}
static inline mc_cell mc_cell_figure_growth(const mc_metric_info *info, uint64_t first,
                                            uint64_t last) {
    return (mc_cell){
        .kind = MC_CELL_FIGURE_GROWTH, .of.word = first, .in.info = info, .other = last};
}
static inline mc_cell mc_cell_rate(const mc_metric_info *info, double number) {
    return (mc_cell){.kind = MC_CELL_RATE, .of.real = number, .in.info = info};
}
// NULL: null.
static inline mc_cell mc_cell_bytes_of(const char *bytes, size_t size) {
    mc_cell_kind kind = bytes ? MC_CELL_TEXT : MC_CELL_NULL;
    return (mc_cell){.kind = kind, .of.size = size, .in.text = bytes};
}
static inline mc_cell mc_cell_text(const char *text) {
    return mc_cell_bytes_of(text, text ? strlen(text) : 0);
}
static inline mc_cell mc_cell_escaped(const mc_text *text) {
    return (mc_cell){
        .kind = MC_CELL_ESCAPED, .of.size = text->size, .in.text = text->data ? text->data : ""};
}
// In the form that is printed.
static inline mc_cell mc_cell_ready(const mc_text *text) {
    return (mc_cell){
        .kind = MC_CELL_READY, .of.size = text->size, .in.text = text->data ? text->data : ""};
}
static inline mc_cell mc_cell_line(const mc_text *text) {
    return mc_cell_bytes_of(text->data ? text->data : "", text->size);
}
static inline mc_cell mc_cell_metric(const mc_metric_info *info) {
    return mc_cell_bytes_of(info->key, info->key_size);
}
// A string of a table, or of a trace; MC_NONE: null.
static inline mc_cell mc_cell_of_strings(const mc_strings *strings, uint32_t string) {
    size_t size = 0;
    const char *text = string == MC_NONE ? NULL : mc_strings_get(strings, string, &size);
    return mc_cell_bytes_of(text, size);
}
static inline mc_cell mc_cell_string(const mc_trace *trace, uint32_t string) {
    size_t size = 0;
    const char *text = string == MC_NONE ? NULL : mc_trace_get_string(trace, string, &size);
    return mc_cell_bytes_of(text, size);
}
// A node in one of four ways; MC_NONE: null.
static inline mc_cell mc_cell_node_as(mc_cell_kind kind, const mc_trace *trace, uint32_t node) {
    return (mc_cell){
        .kind = node == MC_NONE ? MC_CELL_NULL : kind, .count = node, .in.trace = trace};
}
static inline mc_cell mc_cell_node(const mc_trace *trace, uint32_t node) {
    return mc_cell_node_as(MC_CELL_NODE, trace, node);
}
static inline mc_cell mc_cell_key(const mc_trace *trace, uint32_t node) {
    return mc_cell_node_as(MC_CELL_KEY, trace, node);
}
static inline mc_cell mc_cell_path(const mc_trace *trace, uint32_t node) {
    return mc_cell_node_as(MC_CELL_PATH, trace, node);
}
static inline mc_cell mc_cell_name(const mc_trace *trace, uint32_t node) {
    return mc_cell_node_as(MC_CELL_NAME, trace, node);
}
static inline mc_cell mc_cell_list(const mc_cell *cells, uint32_t count) {
    return (mc_cell){.kind = MC_CELL_LIST, .count = count, .in.cells = cells};
}
static inline mc_cell mc_cell_object(const mc_field *fields, uint32_t count) {
    return (mc_cell){.kind = MC_CELL_OBJECT, .count = count, .in.fields = fields};
}
static inline mc_cell mc_cell_each(mc_print_item *item, const void *user, uint32_t count) {
    return (mc_cell){.kind = MC_CELL_EACH, .count = count, .of.item = item, .in.user = user};
}

// Of items written where they are: MC_LIST(mc_cell_count(1), mc_cell_count(2)).
#define MC_LIST(...)                             \
    mc_cell_list((const mc_cell[]){__VA_ARGS__}, \
                 sizeof((const mc_cell[]){__VA_ARGS__}) / sizeof(mc_cell))
#define MC_OBJECT(...)                              \
    mc_cell_object((const mc_field[]){__VA_ARGS__}, \
                   sizeof((const mc_field[]){__VA_ARGS__}) / sizeof(mc_field))

// Appends a cell that is no list and no object.
void mc_cell_append_json(mc_cell cell, mc_text *out);
void mc_cell_append_tsv(mc_cell cell, mc_text *out); // null: nothing
// As people read it, on a line. What is not known is `unknown`.
void mc_cell_append_line(mc_cell cell, const char *unknown, mc_text *out);
