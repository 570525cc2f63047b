#include "engine/store/mct/mct_holders.h"

#include "engine/base/memory.h"
#include <inttypes.h>

#define FIELD_COLUMNS 5 // of a row, behind its count
#define ROOT_COLUMNS 4
#define ROOT_KINDS_MAX 256 // that a file may tell apart

// ---- writing

static mc_result encode(mc_mct_writer *writer, int blob, const uint64_t *values, uint32_t count,
                        bool is_chain, mc_mct_field *field, mc_error *error) {
    mc_mct_base base = is_chain ? MC_MCT_CHAIN : MC_MCT_NO_BASE;
    if (mc_mct_encode_column(&writer->codec, values, count, base, &writer->blobs[blob]) != MC_OK)
        return mc_error_out_of_memory(error);
    *field = (mc_mct_field){.data = writer->blobs[blob].data, .size = writer->blobs[blob].size};
    return MC_OK;
}

static uint64_t get_field(const mc_field_count *field, int column) {
    switch (MC_MCT_FIELDS_FROM + column) {
    case MC_MCT_FIELDS_FROM: return field->from;
    case MC_MCT_FIELDS_TO: return field->to;
    case MC_MCT_FIELDS_NAMES: return field->name;
    case MC_MCT_FIELDS_WEAK: return field->is_weak;
    default: return field->count;
    }
}

static uint64_t get_root(const mc_root_count *root, int column) {
    switch (MC_MCT_ROOTS_NODES + column) {
    case MC_MCT_ROOTS_NODES: return root->node;
    case MC_MCT_ROOTS_KINDS: return root->kind;
    case MC_MCT_ROOTS_NAMES: return (uint32_t)(root->name + 1); // MC_NONE becomes 0
    default: return root->count;
    }
}

static mc_result write_fields(mc_mct_writer *writer, const mc_holders *holders, int64_t step,
                              uint64_t *values, mc_error *error) {
    mc_mct_field row[2 + FIELD_COLUMNS] = {{.number = step}, {.number = holders->field_count}};
    mc_result result = MC_OK;
    for (int column = 0; column < FIELD_COLUMNS && result == MC_OK; column++) {
        for (uint32_t i = 0; i < holders->field_count; i++)
            values[i] = get_field(&holders->fields[i], column);
        result = encode(writer, column, values, holders->field_count, column < 3,
                        &row[MC_MCT_FIELDS_FROM + column], error);
    }
    return result == MC_OK ? mc_mct_file_put(&writer->file, MC_MCT_FIELDS, row, error) : result;
}

static mc_result write_roots(mc_mct_writer *writer, const mc_holders *holders, int64_t step,
                             uint64_t *values, mc_error *error) {
    mc_mct_field row[2 + ROOT_COLUMNS] = {{.number = step}, {.number = holders->root_count}};
    mc_result result = MC_OK;
    for (int column = 0; column < ROOT_COLUMNS && result == MC_OK; column++) {
        for (uint32_t i = 0; i < holders->root_count; i++)
            values[i] = get_root(&holders->roots[i], column);
        result = encode(writer, column, values, holders->root_count, column < 3,
                        &row[MC_MCT_ROOTS_NODES + column], error);
    }
    return result == MC_OK ? mc_mct_file_put(&writer->file, MC_MCT_ROOTS, row, error) : result;
}

mc_result mc_mct_write_holders(mc_mct_writer *writer, const mc_holders *holders, int64_t step,
                               mc_error *error) {
    uint32_t most =
        holders->field_count > holders->root_count ? holders->field_count : holders->root_count;
    uint64_t *values = mc_alloc((size_t)most + 1, sizeof *values);
    if (!values) return mc_error_out_of_memory(error);
    mc_result result = mc_mct_file_add_holders(&writer->file, error);
    if (result == MC_OK) result = write_fields(writer, holders, step, values, error);
    if (result == MC_OK) result = write_roots(writer, holders, step, values, error);
    mc_free(values);
    return result;
}

// ---- reading

// A row of columns that is being read.
typedef struct columns {
    mc_mct_file *file;
    mc_mct_codec *codec;
    mc_mct_table table;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    uint64_t *values; // of one column
    uint32_t count;
} columns;

static mc_result fail(const columns *self, mc_result result, int64_t step, mc_error *error) {
    if (result == MC_ERROR_OUT_OF_MEMORY) return mc_error_out_of_memory(error);
    return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                        "%s: damaged: the %s of step %" PRId64 " are not as they should be",
                        self->file->path, self->table == MC_MCT_FIELDS ? "fields" : "roots", step);
}

// Each of the tables has the count behind the key.
static mc_result open_row(columns *self, int64_t step, mc_error *error) {
    mc_result result = mc_mct_file_get(self->file, self->table, step, self->row, error);
    if (result != MC_OK) return result;
    int64_t count = self->row[MC_MCT_FIELDS_COUNT].number;
    if (!mc_mct_file_is_count(self->file, count)) return fail(self, MC_ERROR_BAD_DATA, step, error);
    self->count = (uint32_t)count;
    self->values = mc_alloc((size_t)count + 1, sizeof *self->values);
    return self->values ? MC_OK : mc_error_out_of_memory(error);
}

// All values must be below `limit`.
static mc_result decode(columns *self, int field, bool is_chain, uint64_t limit) {
    const mc_mct_field *blob = &self->row[field];
    mc_result result = mc_mct_decode_column(self->codec, blob->data, blob->size, self->values,
                                            self->count, is_chain ? MC_MCT_CHAIN : MC_MCT_NO_BASE);
    for (uint32_t i = 0; i < self->count && result == MC_OK; i++)
        if (self->values[i] >= limit) result = MC_ERROR_BAD_DATA;
    return result;
}

static void close_row(columns *self) {
    mc_free(self->values);
    mc_mct_file_release(self->file, self->table);
}

static void set_field(mc_field_count *field, int column, uint64_t value) {
    switch (MC_MCT_FIELDS_FROM + column) {
    case MC_MCT_FIELDS_FROM: field->from = (uint32_t)value; break;
    case MC_MCT_FIELDS_TO: field->to = (uint32_t)value; break;
    case MC_MCT_FIELDS_NAMES: field->name = (uint32_t)value; break;
    case MC_MCT_FIELDS_WEAK: field->is_weak = value != 0; break;
    default: field->count = value;
    }
}

static mc_result decode_fields(columns *self, mc_mct_holder_limits limits, mc_field_count *fields) {
    const uint64_t most[FIELD_COLUMNS] = {limits.node_count, limits.node_count, limits.string_count,
                                          2, (uint64_t)MC_COUNT_MAX + 1};
    for (int column = 0; column < FIELD_COLUMNS; column++) {
        mc_result result = decode(self, MC_MCT_FIELDS_FROM + column, column < 3, most[column]);
        if (result != MC_OK) return result;
        for (uint32_t i = 0; i < self->count; i++)
            set_field(&fields[i], column, self->values[i]);
    }
    for (uint32_t i = 1; i < self->count; i++)
        if (mc_field_count_compare(&fields[i - 1], &fields[i]) >= 0) return MC_ERROR_BAD_DATA;
    return MC_OK;
}

mc_result mc_mct_read_fields(mc_mct_file *file, mc_mct_codec *codec, int64_t step,
                             mc_mct_holder_limits limits, mc_field_count **fields, uint32_t *count,
                             mc_error *error) {
    columns self = {.file = file, .codec = codec, .table = MC_MCT_FIELDS};
    *fields = NULL;
    *count = 0;
    mc_result result = open_row(&self, step, error);
    if (result == MC_OK && self.count > 0) {
        *fields = mc_alloc_zero(self.count, sizeof **fields);
        result = *fields ? decode_fields(&self, limits, *fields) : MC_ERROR_OUT_OF_MEMORY;
        if (result != MC_OK) result = fail(&self, result, step, error);
    }
    close_row(&self);
    if (result == MC_OK) {
        *count = self.count;
        return MC_OK;
    }
    mc_free(*fields);
    *fields = NULL;
    return result;
}

static void set_root(mc_root_count *root, int column, uint64_t value) {
    switch (MC_MCT_ROOTS_NODES + column) {
    case MC_MCT_ROOTS_NODES: root->node = (uint32_t)value; break;
    case MC_MCT_ROOTS_KINDS: root->kind = (uint32_t)value; break;
    case MC_MCT_ROOTS_NAMES: root->name = (uint32_t)value - 1; break; // 0 becomes MC_NONE
    default: root->count = value;
    }
}

static mc_result decode_roots(columns *self, mc_mct_holder_limits limits, mc_root_count *roots) {
    const uint64_t most[ROOT_COLUMNS] = {limits.node_count, ROOT_KINDS_MAX,
                                         (uint64_t)limits.string_count + 1,
                                         (uint64_t)MC_COUNT_MAX + 1};
    for (int column = 0; column < ROOT_COLUMNS; column++) {
        mc_result result = decode(self, MC_MCT_ROOTS_NODES + column, column < 3, most[column]);
        if (result != MC_OK) return result;
        for (uint32_t i = 0; i < self->count; i++)
            set_root(&roots[i], column, self->values[i]);
    }
    for (uint32_t i = 1; i < self->count; i++)
        if (mc_root_count_compare(&roots[i - 1], &roots[i]) >= 0) return MC_ERROR_BAD_DATA;
    for (uint32_t i = 0; i < self->count; i++) // of a later program's
        if (roots[i].kind >= MC_ROOT_COUNT) roots[i].kind = MC_ROOT_UNKNOWN;
    return MC_OK;
}

mc_result mc_mct_read_roots(mc_mct_file *file, mc_mct_codec *codec, int64_t step,
                            mc_mct_holder_limits limits, mc_root_count **roots, uint32_t *count,
                            mc_error *error) {
    columns self = {.file = file, .codec = codec, .table = MC_MCT_ROOTS};
    *roots = NULL;
    *count = 0;
    mc_result result = open_row(&self, step, error);
    if (result == MC_OK && self.count > 0) {
        *roots = mc_alloc_zero(self.count, sizeof **roots);
        result = *roots ? decode_roots(&self, limits, *roots) : MC_ERROR_OUT_OF_MEMORY;
        if (result != MC_OK) result = fail(&self, result, step, error);
    }
    close_row(&self);
    if (result == MC_OK) {
        *count = self.count;
        return MC_OK;
    }
    mc_free(*roots);
    *roots = NULL;
    return result;
}
