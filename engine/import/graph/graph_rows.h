// graph_rows.h - takes the rows of a graph apart: objects, references and roots, tab-separated
// below a line of column names, or as lines of JSON (docs/reference/graph.md).
//
// Which of the three a row is follows from its columns: the first column names of tab-separated
// rows, or the keys of JSON. Untrusted input. Spans are valid until the next row. Threads: one
// object, one thread.
#pragma once
#include "engine/base/text.h"
#include "engine/heap/groups.h"

#define MC_GRAPH_ROWS_MAGIC "#memcity graph"
#define MC_GRAPH_COLUMNS_MAX 32

typedef enum mc_graph_row_kind {
    MC_GRAPH_ROW_NODE,
    MC_GRAPH_ROW_EDGE,
    MC_GRAPH_ROW_ROOT,
    MC_GRAPH_ROW_END
} mc_graph_row_kind;

typedef enum mc_graph_cell {
    MC_GRAPH_CELL_ID, // of a node; of an edge where it begins; of a root what it names
    MC_GRAPH_CELL_SIZE,
    MC_GRAPH_CELL_FLAGS,
    MC_GRAPH_CELL_CLASS, // what a node is called on paths, if that is not its type
    MC_GRAPH_CELL_TO,
    MC_GRAPH_CELL_FIELD,
    MC_GRAPH_CELL_KIND, // of an edge or a root
    MC_GRAPH_CELL_NAME,
    MC_GRAPH_CELL_COUNT,
    MC_GRAPH_CELL_LEVEL = MC_GRAPH_CELL_COUNT // from here on: of a node, by classifier
} mc_graph_cell;

// What the rows below a line of column names are.
typedef struct mc_graph_section {
    mc_graph_row_kind kind;
    uint32_t column_count;                  // 0: no line of column names is above
    uint32_t columns[MC_GRAPH_COLUMNS_MAX]; // cells; MC_NONE: ignored
} mc_graph_section;

typedef struct mc_graph_rows {
    const char *begin, *at, *end;
    mc_graph_section section;          // at `at`
    mc_graph_row_kind kind;            // of the row
    uint64_t counts[MC_GRAPH_ROW_END]; // of rows so far by kind, wanted or not
    // By which classifiers nodes are grouped: those of the first.
    mc_text level_names; // each ended by NUL
    const char *levels[MC_HEAP_LEVELS_MAX];
    uint32_t level_count, type_level; // type_level: the one called "type"; MC_NONE: none
    bool has_levels;
    mc_text scratch;  // of cells with escapes
    bool has_escapes; // cells of the row are in there
    mc_heap_key cells[MC_GRAPH_CELL_COUNT], keys[MC_HEAP_LEVELS_MAX];
    int64_t time_ms; // 0, of a part -1: not said
    const char *row; // where it begins
} mc_graph_rows;

void mc_graph_rows_init(mc_graph_rows *rows, const void *data, size_t size);
// Lines of `whole`, whose classifiers are known and must outlive it, for a thread of its own:
// `begin` is where a line begins, `section` what is above it.
void mc_graph_rows_init_part(mc_graph_rows *rows, const mc_graph_rows *whole, const char *begin,
                             const char *end, const mc_graph_section *section);
// Whether rows below are the same.
bool mc_graph_section_equals(const mc_graph_section *a, const mc_graph_section *b);
void mc_graph_rows_deinit(mc_graph_rows *rows);
// The next row of one of `kinds`, bits; rows->kind is MC_GRAPH_ROW_END behind the last.
// MC_ERROR_BAD_DATA with the offset of the row.
mc_result mc_graph_rows_next(mc_graph_rows *rows, uint32_t kinds, mc_error *error);
// The time that the remarks at the beginning of the data say; 0: none does.
int64_t mc_graph_rows_peek_time(const unsigned char *data, size_t size);
// False: it is no number up to 2^64 - 1, decimal or with 0x before it.
bool mc_graph_cell_get_number(mc_heap_key cell, uint64_t *number);
