#include "engine/trace/side_table.h"

#include "engine/base/memory.h"
#include "engine/trace/metrics.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// ---- the tables

#define COLUMN(row, member, what)                                  \
    {                                                              \
        .kind = MC_COLUMN_##what, .offset = offsetof(row, member), \
        .size = sizeof(((row *)0)->member)                         \
    }
#define COLUMN_OR_NONE(row, member, what)                          \
    {                                                              \
        .kind = MC_COLUMN_##what, .offset = offsetof(row, member), \
        .size = sizeof(((row *)0)->member), .may_lack = true       \
    }

const mc_side_desc mc_side_tables[MC_SIDE_COUNT] = {
    [MC_SIDE_REFERENCES] = {"references",
                            "reference",
                            sizeof(mc_reference),
                            4,
                            2,
                            {COLUMN(mc_reference, from, LEAF), COLUMN(mc_reference, to, LEAF),
                             COLUMN(mc_reference, points_to, NUMBER),
                             COLUMN(mc_reference, pointed_from, NUMBER)}},
    [MC_SIDE_FIELDS] = {"fields",
                        "field",
                        sizeof(mc_field_count),
                        5,
                        4,
                        {COLUMN(mc_field_count, from, LEAF), COLUMN(mc_field_count, to, LEAF),
                         COLUMN(mc_field_count, name, STRING),
                         COLUMN(mc_field_count, is_weak, FLAG),
                         COLUMN(mc_field_count, count, NUMBER)}},
    [MC_SIDE_ROOTS] = {"roots",
                       "root",
                       sizeof(mc_root_count),
                       4,
                       3,
                       {COLUMN(mc_root_count, node, LEAF), COLUMN(mc_root_count, kind, ROOT_KIND),
                        COLUMN_OR_NONE(mc_root_count, name, STRING),
                        COLUMN(mc_root_count, count, NUMBER)}},
    [MC_SIDE_RENAMES] = {"names",
                         "name",
                         sizeof(mc_rename),
                         3,
                         1,
                         {COLUMN(mc_rename, node, NODE), COLUMN(mc_rename, name, STRING),
                          COLUMN_OR_NONE(mc_rename, role, CLASSIFIER)}},
    [MC_SIDE_SUMS] = {"retaining paths",
                      "path",
                      sizeof(mc_path_sum),
                      7,
                      2,
                      {COLUMN(mc_path_sum, node, NODE), COLUMN_OR_NONE(mc_path_sum, path, PATH),
                       COLUMN(mc_path_sum, is_folded, FLAG), COLUMN(mc_path_sum, objects, NUMBER),
                       COLUMN(mc_path_sum, bytes, NUMBER),
                       COLUMN(mc_path_sum, rest_objects, NUMBER),
                       COLUMN(mc_path_sum, rest_bytes, NUMBER)}},
    [MC_SIDE_HELD] = {"groups",
                      "group",
                      sizeof(uint32_t),
                      1,
                      1,
                      {{.kind = MC_COLUMN_NODE, .offset = 0, .size = sizeof(uint32_t)}}},
    [MC_SIDE_OWNER_SUMS] = {"owners",
                            "owner",
                            sizeof(mc_owner_sum),
                            6,
                            1,
                            {COLUMN(mc_owner_sum, owner, OWNER),
                             COLUMN_OR_NONE(mc_owner_sum, example, STRING),
                             COLUMN(mc_owner_sum, objects, NUMBER),
                             COLUMN(mc_owner_sum, retained_objects, NUMBER),
                             COLUMN(mc_owner_sum, retained_bytes, NUMBER),
                             COLUMN(mc_owner_sum, program_objects, NUMBER)}},
    [MC_SIDE_OWNER_WAYS] = {"owners' ways",
                            "way",
                            sizeof(mc_owner_way),
                            4,
                            3,
                            {COLUMN(mc_owner_way, owner, OWNER), COLUMN(mc_owner_way, from, OWNER),
                             COLUMN(mc_owner_way, field, STRING),
                             COLUMN(mc_owner_way, references, NUMBER)}},
    [MC_SIDE_PATHS] = {"retaining paths",
                       "path",
                       sizeof(mc_retaining_path),
                       4,
                       4,
                       {COLUMN_OR_NONE(mc_retaining_path, parent, PATH),
                        COLUMN_OR_NONE(mc_retaining_path, field, STRING),
                        COLUMN(mc_retaining_path, class, STRING),
                        COLUMN_OR_NONE(mc_retaining_path, place, NODE)}},
    [MC_SIDE_OWNERS] = {"owners",
                        "owner",
                        sizeof(mc_owner),
                        5,
                        4,
                        {COLUMN_OR_NONE(mc_owner, parent, OWNER), COLUMN(mc_owner, root, ORIGIN),
                         COLUMN_OR_NONE(mc_owner, field, STRING), COLUMN(mc_owner, class, STRING),
                         COLUMN_OR_NONE(mc_owner, place, NODE)}},
};

// ---- rows

void mc_side_rows_deinit(mc_side_rows *rows) {
    mc_free(rows->rows);
    *rows = (mc_side_rows){.rows = NULL};
}

mc_result mc_side_rows_allocate(mc_side_table table, uint32_t count, mc_side_rows *rows,
                                mc_error *error) {
    *rows = (mc_side_rows){.rows = NULL};
    if (count == 0) return MC_OK;
    rows->rows = mc_alloc_zero(count, mc_side_tables[table].row_size);
    if (!rows->rows) return mc_error_out_of_memory(error);
    rows->count = count;
    return MC_OK;
}

mc_result mc_side_rows_copy(mc_side_table table, const mc_side_rows *from, mc_side_rows *to,
                            mc_error *error) {
    mc_result result = mc_side_rows_allocate(table, from->count, to, error);
    if (result == MC_OK && from->count > 0)
        memcpy(to->rows, from->rows, from->count * mc_side_tables[table].row_size);
    return result;
}

// ---- order

static inline int compare_numbers(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

static inline int compare_keys(const void *a, const void *b, int count) {
    const uint32_t *x = a, *y = b;
    int order = 0;
    for (int i = 0; i < count && order == 0; i++)
        order = compare_numbers(x[i], y[i]); // MC_NONE is the largest
    return order;
}

static int compare_1(const void *a, const void *b) {
    return compare_keys(a, b, 1);
}

static int compare_2(const void *a, const void *b) {
    return compare_keys(a, b, 2);
}

static int compare_3(const void *a, const void *b) {
    return compare_keys(a, b, 3);
}

static int compare_4(const void *a, const void *b) {
    return compare_keys(a, b, 4);
}

mc_side_compare *mc_side_get_compare(mc_side_table table) {
    static mc_side_compare *const compare[] = {compare_1, compare_2, compare_3, compare_4};
    return compare[mc_side_tables[table].key_count - 1];
}

// Whether each row comes behind the one before it, by at least `least`: 1, or 0 if it may be equal.
static bool are_sorted(mc_side_table table, const mc_side_rows *rows, int least) {
    mc_side_compare *compare = mc_side_get_compare(table);
    for (uint32_t i = 1; i < rows->count; i++)
        if (compare(mc_side_rows_get(table, rows, i), mc_side_rows_get(table, rows, i - 1)) < least)
            return false;
    return true;
}

void mc_side_rows_sort(mc_side_table table, mc_side_rows *rows) {
    if (!are_sorted(table, rows, 0))
        qsort(rows->rows, rows->count, mc_side_tables[table].row_size, mc_side_get_compare(table));
}

bool mc_side_rows_are_distinct(mc_side_table table, const mc_side_rows *rows) {
    return are_sorted(table, rows, 1);
}

static int compare_names(const mc_strings *names, uint32_t a, uint32_t b) {
    size_t x, y;
    if (a == b) return 0;
    const char *left = mc_strings_get(names, a, &x), *right = mc_strings_get(names, b, &y);
    int order = memcmp(left, right, x < y ? x : y);
    return order == 0 ? compare_numbers(x, y) : order;
}

static int compare_fields(const void *a, const void *b, void *names) {
    const mc_field_count *x = a, *y = b;
    int order = compare_keys(x, y, 2);
    if (order == 0) order = compare_numbers(y->count, x->count);
    if (order == 0) order = compare_names(names, x->name, y->name);
    return order == 0 ? compare_numbers(x->is_weak, y->is_weak) : order;
}

static int compare_roots(const void *a, const void *b, void *names) {
    const mc_root_count *x = a, *y = b;
    int order = compare_keys(x, y, 2);
    if (order == 0) order = compare_numbers(x->name == MC_NONE, y->name == MC_NONE);
    if (order == 0) order = compare_numbers(y->count, x->count);
    return order == 0 ? compare_names(names, x->name, y->name) : order;
}

static int compare_ways(const void *a, const void *b, void *names) {
    const mc_owner_way *x = a, *y = b;
    int order = compare_keys(x, y, 1);
    if (order == 0) order = compare_numbers(y->references, x->references);
    if (order == 0) order = compare_names(names, x->field, y->field);
    return order == 0 ? compare_numbers(x->from, y->from) : order;
}

void mc_side_rows_rank(mc_side_table table, mc_side_rows *rows, const mc_strings *names) {
    int (*compare)(const void *, const void *, void *) = NULL;
    if (table == MC_SIDE_FIELDS) compare = compare_fields;
    if (table == MC_SIDE_ROOTS) compare = compare_roots;
    if (table == MC_SIDE_OWNER_WAYS) compare = compare_ways;
    if (!compare)
        mc_side_rows_sort(table, rows);
    else if (rows->count > 0)
        qsort_r(rows->rows, rows->count, mc_side_tables[table].row_size, compare, (void *)names);
}

// ---- columns

// Where the first row has a column; only if there is a row.
static unsigned char *get_begin(const mc_side_rows *rows, const mc_side_column *column) {
    return rows->count > 0 ? (unsigned char *)rows->rows + column->offset : NULL;
}

static inline uint64_t get_value(const unsigned char *at, int size) {
    uint32_t word;
    uint64_t value;
    if (size == 1) return *at;
    if (size == 4) {
        memcpy(&word, at, sizeof word);
        return word;
    }
    memcpy(&value, at, sizeof value);
    return value;
}

static inline void set_value(unsigned char *at, int size, uint64_t value) {
    uint32_t word = (uint32_t)value;
    if (size == 1)
        *at = (unsigned char)value;
    else if (size == 4)
        memcpy(at, &word, sizeof word);
    else
        memcpy(at, &value, sizeof value);
}

void mc_side_rows_get_column(mc_side_table table, const mc_side_rows *rows, int column,
                             uint64_t *values) {
    const mc_side_column *c = &mc_side_tables[table].columns[column];
    const unsigned char *at = get_begin(rows, c);
    for (uint32_t i = 0; i < rows->count; i++, at += mc_side_tables[table].row_size)
        values[i] = get_value(at, c->size);
}

void mc_side_rows_set_column(mc_side_table table, mc_side_rows *rows, int column,
                             const uint64_t *values) {
    const mc_side_column *c = &mc_side_tables[table].columns[column];
    unsigned char *at = get_begin(rows, c);
    for (uint32_t i = 0; i < rows->count; i++, at += mc_side_tables[table].row_size)
        set_value(at, c->size, values[i]);
}

void mc_side_rows_map(mc_side_table table, mc_side_rows *rows, const mc_side_map *map) {
    const mc_side_desc *desc = &mc_side_tables[table];
    for (int column = 0; column < desc->column_count; column++) {
        const mc_side_column *c = &desc->columns[column];
        const uint32_t *to = map->by_kind[c->kind];
        unsigned char *at = get_begin(rows, c);
        for (uint32_t i = 0; to && i < rows->count; i++, at += desc->row_size) {
            uint32_t number = (uint32_t)get_value(at, sizeof number);
            if (number != MC_NONE || !c->may_lack) set_value(at, sizeof number, to[number]);
        }
    }
}

void mc_side_rows_mark_leaves(mc_side_table table, const mc_side_rows *rows, uint8_t *marks) {
    const mc_side_desc *desc = &mc_side_tables[table];
    for (int column = 0; rows->rows && column < desc->column_count; column++) {
        const mc_side_column *c = &desc->columns[column];
        const unsigned char *at = get_begin(rows, c);
        for (uint32_t i = 0; c->kind == MC_COLUMN_LEAF && i < rows->count; i++)
            marks[get_value(at + i * desc->row_size, c->size)] = 1;
    }
}

static uint64_t add(mc_column_kind kind, uint64_t a, uint64_t b) {
    if (kind == MC_COLUMN_FLAG) return a | b;
    if (kind != MC_COLUMN_NUMBER) return a;
    return mc_count_add(a, b);
}

static void add_row(const mc_side_desc *desc, unsigned char *to, const unsigned char *from) {
    for (int column = desc->key_count; column < desc->column_count; column++) {
        const mc_side_column *c = &desc->columns[column];
        uint64_t sum =
            add(c->kind, get_value(to + c->offset, c->size), get_value(from + c->offset, c->size));
        set_value(to + c->offset, c->size, sum);
    }
}

void mc_side_rows_add_up(mc_side_table table, mc_side_rows *rows) {
    const mc_side_desc *desc = &mc_side_tables[table];
    mc_side_compare *compare = mc_side_get_compare(table);
    uint32_t kept = 0;
    mc_side_rows_sort(table, rows);
    for (uint32_t i = 0; i < rows->count; i++) {
        unsigned char *row = mc_side_rows_get(table, rows, i);
        unsigned char *last = kept > 0 ? mc_side_rows_get(table, rows, kept - 1) : NULL;
        if (last && compare(last, row) == 0)
            add_row(desc, last, row);
        else if (kept++ < i)
            memcpy(mc_side_rows_get(table, rows, kept - 1), row, desc->row_size);
    }
    rows->count = kept;
}
