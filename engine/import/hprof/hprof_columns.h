// hprof_columns.h - the columns of a table of a heap dump's objects or references, to be grouped by
// a database (docs/reference/heap-dumps.md).
//
// Group names are those of the tree (jvm/grouping.h), so grouping by them gives the same groups.
// Threads: any.
#pragma once
#include "engine/import/format/heap_format.h"

typedef enum mc_hprof_column_kind {
    MC_HPROF_COLUMN_TIME,
    MC_HPROF_COLUMN_ADDRESS,
    MC_HPROF_COLUMN_KIND, // from here on a class tells
    MC_HPROF_COLUMN_CLASS,
    MC_HPROF_COLUMN_PACKAGE,
    MC_HPROF_COLUMN_TYPE,
    MC_HPROF_COLUMN_LOADER,
    MC_HPROF_COLUMN_MODULE, // up to here
    MC_HPROF_COLUMN_STRUCTURE,
    MC_HPROF_COLUMN_BYTES,
    MC_HPROF_COLUMN_LENGTH,
    MC_HPROF_COLUMN_VALUE,
    MC_HPROF_COLUMN_ROOT,
    MC_HPROF_COLUMN_RETAINED,
    MC_HPROF_COLUMN_RETAINED_OBJECTS,
    MC_HPROF_COLUMN_DOMINATOR,
    MC_HPROF_COLUMN_DOMINATOR_CLASS,
    MC_HPROF_COLUMN_FIELD, // of references
    MC_HPROF_COLUMN_WEAK,
    MC_HPROF_COLUMN_KIND_COUNT
} mc_hprof_column_kind;

typedef struct mc_hprof_column {
    mc_hprof_column_kind kind;
    uint32_t end; // of a reference: 0 the object that has it, 1 the one that it leads to
} mc_hprof_column;

#define MC_HPROF_COLUMNS_MAX 24
typedef struct mc_hprof_columns {
    bool is_references; // else a row is an object
    mc_hprof_column items[MC_HPROF_COLUMNS_MAX];
    uint32_t count;
} mc_hprof_columns;

// Reads "class,bytes" or, of references, "from_class,field,to_class". NULL: the usual ones. None
// comes twice. MC_ERROR_BAD_DATA says what was expected.
mc_result mc_hprof_columns_parse(const char *list, bool is_references, mc_hprof_columns *columns,
                                 mc_error *error);
bool mc_hprof_columns_has(const mc_hprof_columns *columns, mc_hprof_column_kind kind);
static inline bool mc_hprof_column_is_of_class(const mc_hprof_column *column) {
    return column->kind >= MC_HPROF_COLUMN_KIND && column->kind <= MC_HPROF_COLUMN_MODULE;
}

// What a dump has to be opened for, so that they can be told: `grouping`, which must outlive
// `desc`, and of that has_references and has_graph.
void mc_hprof_columns_get_desc(const mc_hprof_columns *columns, mc_grouping *grouping,
                               mc_heap_desc *desc);

// Column by column what can be told, as a name and a sentence; false: there is no such index.
bool mc_hprof_columns_describe(uint32_t index, bool is_references, mc_text *name,
                               const char **help);
void mc_hprof_column_append_name(const mc_hprof_columns *columns, const mc_hprof_column *column,
                                 mc_text *text);
