#include "engine/store/mct/mct_side.h"

#include "engine/base/memory.h"
#include <inttypes.h>
#include <string.h>

#define ROOT_KINDS_MOST 256 // that a file may tell apart
#define ARE "are not as they should be"

const mc_mct_side mc_mct_sides[MC_SIDE_COUNT] = {
    [MC_SIDE_REFERENCES] = {MC_MCT_REFERENCES, MC_MCT_REFERENCES_FROM, 2, true,
                            "the references of step", ARE},
    [MC_SIDE_FIELDS] = {MC_MCT_FIELDS, MC_MCT_FIELDS_FROM, 3, true, "the fields of step", ARE},
    [MC_SIDE_ROOTS] = {MC_MCT_ROOTS, MC_MCT_ROOTS_NODES, 3, true, "the roots of step", ARE},
    [MC_SIDE_RENAMES] = {MC_MCT_RENAMES, MC_MCT_RENAMES_NODES, 3, false, "the names of step", ARE},
    [MC_SIDE_SUMS] = {MC_MCT_SUMS, MC_MCT_SUMS_NODES, 2, true, "the retaining paths of step", ARE},
    [MC_SIDE_HELD] = {MC_MCT_HELD, MC_MCT_HELD_NODES, 1, false, "what step",
                      "has from before is not as it should be"},
    [MC_SIDE_PATHS] = {MC_MCT_PATHS, MC_MCT_PATHS_PARENTS, 4, false,
                       "the retaining paths from number", ARE},
    [MC_SIDE_OWNER_SUMS] = {MC_MCT_OWNER_SUMS, MC_MCT_OWNER_SUMS_OWNERS, 1, true,
                            "the owners of step", ARE},
    [MC_SIDE_OWNER_WAYS] = {MC_MCT_OWNER_WAYS, MC_MCT_OWNER_WAYS_OWNERS, 3, true,
                            "the owners' ways of step", ARE},
    [MC_SIDE_OWNERS] = {MC_MCT_OWNERS, MC_MCT_OWNERS_PARENTS, 5, false, "the owners from number",
                        ARE},
};

void mc_mct_side_get_column(mc_side_table table, const mc_side_rows *rows, int column,
                            uint64_t *values) {
    const mc_side_column *c = &mc_side_tables[table].columns[column];
    bool is_origin = c->kind == MC_COLUMN_ORIGIN;
    mc_side_rows_get_column(table, rows, column, values);
    for (uint32_t i = 0; (c->may_lack || is_origin) && i < rows->count; i++) {
        bool is_shared = is_origin && values[i] == MC_OWNER_SHARED;
        values[i] = is_shared ? 0 : (uint32_t)(values[i] + 1); // MC_NONE becomes 0
    }
}

mc_result mc_mct_file_add_side(mc_mct_file *file, mc_side_table table, mc_error *error) {
    switch (table) {
    case MC_SIDE_FIELDS:
    case MC_SIDE_ROOTS: return mc_mct_file_add_referrers(file, error);
    case MC_SIDE_SUMS:
    case MC_SIDE_PATHS: return mc_mct_file_add_paths(file, error);
    case MC_SIDE_HELD: return mc_mct_file_add_held(file, error);
    case MC_SIDE_OWNER_SUMS:
    case MC_SIDE_OWNER_WAYS:
    case MC_SIDE_OWNERS: return mc_mct_file_add_owners(file, error);
    default: return MC_OK;
    }
}

static mc_result fail(const mc_mct_file *file, mc_side_table table, int64_t number,
                      mc_result result, mc_error *error) {
    const mc_mct_side *side = &mc_mct_sides[table];
    if (result == MC_ERROR_OUT_OF_MEMORY) return mc_error_out_of_memory(error);
    return mc_fail(error, MC_ERROR_BAD_DATA, "%s: damaged: %s %" PRId64 " %s", file->path,
                   side->begin, number, side->end);
}

// All stored values of a column are below it.
static uint64_t get_limit(const mc_side_column *column, mc_mct_limits limits) {
    uint64_t limit = 0;
    switch (column->kind) {
    case MC_COLUMN_LEAF:
    case MC_COLUMN_NODE: limit = limits.node_count; break;
    case MC_COLUMN_STRING: limit = limits.string_count; break;
    case MC_COLUMN_CLASSIFIER: limit = limits.classifier_count; break;
    case MC_COLUMN_PATH: limit = limits.path_count; break;
    case MC_COLUMN_OWNER: limit = limits.owner_count; break;
    case MC_COLUMN_ROOT_KIND: limit = ROOT_KINDS_MOST; break;
    case MC_COLUMN_ORIGIN: limit = ROOT_KINDS_MOST + 1; break;
    case MC_COLUMN_FLAG: limit = 2; break;
    default: limit = (uint64_t)MC_COUNT_MAX + 1;
    }
    return limit + column->may_lack;
}

static uint64_t get_origin(uint64_t stored) {
    if (stored == 0) return MC_OWNER_SHARED;
    return stored <= MC_ROOT_COUNT ? stored - 1 : MC_ROOT_UNKNOWN; // a kind of a later program
}

static mc_result decode_column(mc_mct_codec *codec, const mc_mct_field *blob, mc_side_table table,
                               int column, mc_mct_limits limits, uint64_t *values,
                               mc_side_rows *rows) {
    const mc_side_column *c = &mc_side_tables[table].columns[column];
    uint64_t limit = get_limit(c, limits);
    mc_result result = mc_mct_decode_column(codec, blob->data, blob->size, values, rows->count,
                                            mc_mct_side_get_base(table, column));
    for (uint32_t i = 0; i < rows->count && result == MC_OK; i++) {
        if (values[i] >= limit) result = MC_ERROR_BAD_DATA;
        values[i] -= c->may_lack; // 0 becomes MC_NONE
        if (c->kind == MC_COLUMN_ORIGIN) values[i] = get_origin(values[i]);
    }
    if (result == MC_OK) mc_side_rows_set_column(table, rows, column, values);
    return result;
}

static mc_result decode(mc_mct_codec *codec, const mc_mct_field *row, mc_side_table table,
                        mc_mct_limits limits, uint32_t count, mc_side_rows *rows) {
    mc_result result = mc_side_rows_allocate(table, count, rows, NULL);
    uint64_t *values = mc_alloc((size_t)count + 1, sizeof *values);
    if (!values) result = MC_ERROR_OUT_OF_MEMORY;
    for (int column = 0; column < mc_side_tables[table].column_count && result == MC_OK; column++)
        result = decode_column(codec, &row[mc_mct_sides[table].first + column], table, column,
                               limits, values, rows);
    mc_free(values);
    if (result == MC_OK && mc_mct_sides[table].is_sorted && !mc_side_rows_are_distinct(table, rows))
        result = MC_ERROR_BAD_DATA;
    return result;
}

// Kinds of a later program.
static void forget_root_kinds(mc_side_rows *rows) {
    mc_root_count *roots = rows->rows;
    for (uint32_t i = 0; i < rows->count; i++)
        if (roots[i].kind >= MC_ROOT_COUNT) roots[i].kind = MC_ROOT_UNKNOWN;
}

static uint32_t *get_place_limit(mc_side_table table, mc_mct_limits *limits) {
    if (table == MC_SIDE_OWNER_SUMS || table == MC_SIDE_OWNER_WAYS) return &limits->owner_count;
    return table == MC_SIDE_SUMS ? &limits->path_count : NULL;
}

// Each of the tables has the count behind the key; behind it, those that refer to paths or owners
// have the number of these.
static mc_result take(const mc_mct_file *file, mc_mct_codec *codec, const mc_mct_field *row,
                      mc_side_table table, mc_mct_limits limits, uint32_t count,
                      mc_side_rows *rows) {
    int64_t found = row[MC_MCT_FIELDS_COUNT].number;
    if (count == MC_NONE ? !mc_mct_file_is_count(file, found) : found != count)
        return MC_ERROR_BAD_DATA;
    uint32_t *limit = get_place_limit(table, &limits);
    if (limit) {
        uint64_t place_count = (uint64_t)row[MC_MCT_SUMS_PATH_COUNT].number;
        if (place_count > *limit) return MC_ERROR_BAD_DATA;
        *limit = (uint32_t)place_count;
    }
    mc_result result = decode(codec, row, table, limits, (uint32_t)found, rows);
    if (result == MC_OK && table == MC_SIDE_ROOTS) forget_root_kinds(rows);
    return result;
}

mc_result mc_mct_read_side(mc_mct_file *file, mc_mct_codec *codec, mc_side_table table,
                           int64_t step, mc_mct_limits limits, uint32_t count, mc_side_rows *rows,
                           mc_error *error) {
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    *rows = (mc_side_rows){.rows = NULL};
    mc_result result = mc_mct_file_get(file, mc_mct_sides[table].table, step, row, error);
    if (result == MC_OK) {
        result = take(file, codec, row, table, limits, count, rows);
        if (result != MC_OK) fail(file, table, step, result, error);
    }
    mc_mct_file_release(file, mc_mct_sides[table].table);
    if (result != MC_OK) mc_side_rows_deinit(rows);
    return result;
}

// ---- the paths and the owners of all steps

// Each behind its parent, which is the first column; what has one is no root.
static bool are_in_order(mc_side_table table, const mc_side_rows *added, uint32_t first) {
    for (uint32_t i = 0; i < added->count; i++) {
        const uint32_t *row = mc_side_rows_get(table, added, i);
        if (row[0] == MC_NONE) continue;
        if (row[0] >= first + i) return false;
        if (table == MC_SIDE_OWNERS && ((const mc_owner *)(const void *)row)->root != 0)
            return false;
    }
    return true;
}

// Appends the row's to those that are there.
static mc_result take_places(mc_mct_codec *codec, const mc_mct_field *row, mc_side_table table,
                             mc_mct_limits limits, uint32_t count, mc_side_rows *places,
                             size_t *capacity) {
    mc_side_rows added;
    uint32_t first = places->count;
    size_t size = mc_side_tables[table].row_size;
    limits.path_count = limits.owner_count = first + count;
    mc_result result = decode(codec, row, table, limits, count, &added);
    if (result == MC_OK && !are_in_order(table, &added, first)) result = MC_ERROR_BAD_DATA;
    if (result == MC_OK && !mc_reserve(&places->rows, capacity, (size_t)first + count, size))
        result = MC_ERROR_OUT_OF_MEMORY;
    if (result == MC_OK) {
        memcpy(mc_side_rows_get(table, places, first), added.rows, count * size);
        places->count += count;
    }
    mc_side_rows_deinit(&added);
    return result;
}

mc_result mc_mct_read_places(mc_mct_file *file, mc_mct_codec *codec, mc_side_table table,
                             mc_mct_limits limits, mc_side_rows *places, mc_error *error) {
    mc_mct_table in_file = mc_mct_sides[table].table;
    size_t capacity = 0;
    bool has_more = true;
    mc_result result = MC_OK;
    while (result == MC_OK) {
        mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
        result = mc_mct_file_has_row(file, in_file, places->count, &has_more, error);
        if (result != MC_OK || !has_more) break;
        result = mc_mct_file_get(file, in_file, places->count, row, error);
        if (result != MC_OK) break;
        int64_t added = row[MC_MCT_PATHS_COUNT].number;
        result = added > 0 && mc_mct_file_is_count(file, places->count + added)
                     ? take_places(codec, row, table, limits, (uint32_t)added, places, &capacity)
                     : MC_ERROR_BAD_DATA;
        if (result != MC_OK) fail(file, table, places->count, result, error);
        mc_mct_file_release(file, in_file);
    }
    return result;
}
