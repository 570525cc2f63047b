#include "engine/store/mct/mct_columns.h"

#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/store/mct/mct_numbers.h"
#include <inttypes.h>
#include <string.h>

void mc_mct_column_reader_deinit(mc_mct_column_reader *reader) {
    for (int kind = 0; kind < MC_MCT_KIND_COUNT; kind++) {
        mc_free(reader->bases[kind].values);
        mc_free(reader->bases[kind].steps);
    }
    memset(reader, 0, sizeof *reader);
}

size_t mc_mct_column_reader_memory_size(const mc_mct_column_reader *reader) {
    size_t size = 0;
    for (int kind = 0; kind < MC_MCT_KIND_COUNT; kind++)
        if (reader->bases[kind].values) size += reader->node_count * sizeof(uint64_t);
    return size;
}

static bool is_presence(const mc_mct_column_reader *reader, int kind) {
    return kind == mc_mct_get_present_kind(reader->file->version);
}

static mc_result damaged(const mc_mct_column_reader *reader, int64_t step, int kind,
                         mc_result result, mc_error *error) {
    if (result == MC_ERROR_OUT_OF_MEMORY) return mc_error_out_of_memory(error);
    mc_excerpt name = {"presence bits"};
    for (mc_metric metric = 0; metric < reader->metrics->count; metric++) {
        const mc_metric_info *info = &reader->metrics->items[metric];
        if (mc_mct_find_kind(reader->file->version, info, metric) == kind)
            mc_excerpt_make(&name, info->title, info->title_size);
    }
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "%s: damaged: the %s of step %" PRId64 " are not as they should be",
                   reader->file->path, name.text, step);
}

// The largest number that may be stored.
static uint64_t get_most(const mc_mct_column_reader *reader, int64_t step, int kind) {
    if (kind <= MC_METRIC_BYTES) return MC_COUNT_MAX;
    mc_metric_info info = {.is_real = reader->steps[step - 1].real_mask >> kind & 1};
    return mc_metric_get_most(&info) + 1;
}

// How many values a block of a step has; of the presence bits, how many words.
static uint32_t get_length(const mc_mct_column_reader *reader, int64_t step, int kind,
                           uint32_t block) {
    uint32_t known = reader->steps[step - 1].known_node_count;
    return is_presence(reader, kind) ? (uint32_t)mc_bits_word_count(known)
                                     : mc_mct_get_block_length(known, block);
}

static uint64_t *get_base_values(const mc_mct_column_reader *reader, int kind, uint32_t block) {
    return reader->bases[kind].values + (size_t)block * MC_MCT_BLOCK_COUNT;
}

// Decodes a row's data; `base_step` 0: it stands for itself.
static mc_result decode(const mc_mct_column_reader *reader, mc_mct_codec *codec, const void *data,
                        size_t data_size, int64_t step, int kind, uint32_t block, int64_t base_step,
                        uint64_t *values) {
    uint32_t length = get_length(reader, step, kind, block), base_length = 0;
    const uint64_t *base = NULL;
    if (base_step != 0) {
        base = get_base_values(reader, kind, block);
        base_length = get_length(reader, base_step, kind, block);
    }
    if (!is_presence(reader, kind)) {
        mc_mct_base refer = {.base = base, .base_count = base_length};
        mc_result result = mc_mct_decode_column(codec, data, data_size, values, length, refer);
        uint64_t most = get_most(reader, step, kind);
        uint64_t bits = result == MC_OK ? mc_mct_unite_bits(values, length) : 0;
        bool is_too_much = false;
        for (uint32_t i = 0; i < length && bits > most && !is_too_much; i++)
            is_too_much = values[i] > most;
        return is_too_much ? MC_ERROR_BAD_DATA : result;
    }
    const unsigned char *content;
    size_t size;
    mc_result result =
        mc_mct_decode_bytes(codec, data, data_size, length * sizeof *values, &content, &size);
    if (result != MC_OK) return result;
    if (size != length * sizeof *values) return MC_ERROR_BAD_DATA;
    memcpy(values, content, size);
    for (uint32_t i = 0; i < length && i < base_length; i++)
        values[i] ^= base[i];
    return MC_OK;
}

static mc_result reserve_base(mc_mct_column_reader *reader, int kind, mc_error *error) {
    mc_mct_base_cache *base = &reader->bases[kind];
    size_t count =
        is_presence(reader, kind) ? mc_bits_word_count(reader->node_count) : reader->node_count;
    if (!base->values) base->values = mc_alloc(count, sizeof *base->values);
    if (!base->steps)
        base->steps =
            mc_alloc_zero(mc_mct_get_block_count(reader->node_count), sizeof *base->steps);
    return base->values && base->steps ? MC_OK : mc_error_out_of_memory(error);
}

static mc_result decode_row(const mc_mct_column_reader *reader, const mc_mct_field *row,
                            int64_t step, int kind, uint32_t block, int64_t base_step,
                            uint64_t *values) {
    const mc_mct_field *data = &row[MC_MCT_COLUMN_DATA];
    return decode(reader, reader->codec, data->data, data->size, step, kind, block, base_step,
                  values);
}

// Makes sure that the cache holds the full block of `base_step`.
static mc_result load_base(mc_mct_column_reader *reader, int64_t base_step, int kind,
                           uint32_t block, mc_error *error) {
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    int64_t *loaded = &reader->bases[kind].steps[block];
    if (*loaded == base_step || get_length(reader, base_step, kind, block) == 0) return MC_OK;
    *loaded = 0;
    int64_t key = mc_mct_column_key(reader->file->version, base_step, kind, block);
    mc_result result = mc_mct_file_get(reader->file, MC_MCT_COLUMN, key, row, error);
    if (result == MC_OK) {
        if (reader->base_lock) pthread_rwlock_wrlock(reader->base_lock);
        result = row[MC_MCT_COLUMN_BASE].number == 0
                     ? decode_row(reader, row, base_step, kind, block, 0,
                                  get_base_values(reader, kind, block))
                     : MC_ERROR_BAD_DATA;
        if (reader->base_lock) pthread_rwlock_unlock(reader->base_lock);
        if (result != MC_OK) damaged(reader, base_step, kind, result, error);
    }
    mc_mct_file_release(reader->file, MC_MCT_COLUMN);
    if (result == MC_OK) *loaded = base_step;
    return result;
}

// Finds a block's row, to be released in any case, and loads its base.
static mc_result find_row(mc_mct_column_reader *reader, int64_t step, int kind, uint32_t block,
                          mc_mct_field *row, mc_error *error) {
    int64_t key = mc_mct_column_key(reader->file->version, step, kind, block);
    mc_result result = reserve_base(reader, kind, error);
    if (result == MC_OK) result = mc_mct_file_get(reader->file, MC_MCT_COLUMN, key, row, error);
    int64_t base_step = result == MC_OK ? row[MC_MCT_COLUMN_BASE].number : 0;
    if (base_step == 0) return result;
    if (base_step < 0 || base_step >= step || reader->steps[base_step - 1].known_node_count == 0 ||
        reader->steps[base_step - 1].known_node_count > reader->steps[step - 1].known_node_count)
        return damaged(reader, step, kind, MC_ERROR_BAD_DATA, error);
    if (reader->bases[kind].steps[block] == base_step) return MC_OK;
    // One statement serves both rows: first the base, then this one again.
    result = load_base(reader, base_step, kind, block, error);
    return result == MC_OK ? mc_mct_file_get(reader->file, MC_MCT_COLUMN, key, row, error) : result;
}

mc_result mc_mct_read_block(mc_mct_column_reader *reader, int64_t step, int kind, uint32_t block,
                            uint64_t *values, mc_error *error) {
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    mc_result result = find_row(reader, step, kind, block, row, error);
    if (result == MC_OK) {
        result = decode_row(reader, row, step, kind, block, row[MC_MCT_COLUMN_BASE].number, values);
        if (result != MC_OK) damaged(reader, step, kind, result, error);
    }
    mc_mct_file_release(reader->file, MC_MCT_COLUMN);
    return result;
}

mc_result mc_mct_read_column(mc_mct_column_reader *reader, int64_t step, int kind, uint64_t *values,
                             mc_error *error) {
    uint32_t blocks = mc_mct_get_block_count(reader->steps[step - 1].known_node_count);
    mc_result result = MC_OK;
    for (uint32_t block = 0; block < blocks && result == MC_OK; block++)
        result = mc_mct_read_block(reader, step, kind, block,
                                   values + (size_t)block * MC_MCT_BLOCK_COUNT, error);
    return result;
}

mc_result mc_mct_read_present(mc_mct_column_reader *reader, int64_t step, uint64_t *bits,
                              mc_error *error) {
    int kind = mc_mct_get_present_kind(reader->file->version);
    return mc_mct_read_block(reader, step, kind, 0, bits, error);
}

// ---- copied rows

#define MANY_BLOCKS 4 // that are worth a transaction

void mc_mct_rows_deinit(mc_mct_rows *rows) {
    mc_mct_bytes_deinit(&rows->bytes);
    mc_free(rows->rows);
    memset(rows, 0, sizeof *rows);
}

static mc_result copy_row(mc_mct_rows *rows, const mc_mct_field *row, mc_error *error) {
    const mc_mct_field *data = &row[MC_MCT_COLUMN_DATA];
    mc_mct_bytes *bytes = &rows->bytes;
    if (!mc_reserve(&rows->rows, &rows->row_capacity, rows->count + (size_t)1,
                    sizeof *rows->rows) ||
        !mc_reserve(&bytes->data, &bytes->capacity, bytes->size + data->size + 1, 1))
        return mc_error_out_of_memory(error);
    if (data->size > 0) memcpy(bytes->data + bytes->size, data->data, data->size);
    rows->rows[rows->count++] =
        (struct mc_mct_row){bytes->size, data->size, row[MC_MCT_COLUMN_BASE].number};
    bytes->size += data->size;
    return MC_OK;
}

static mc_result copy_rows(mc_mct_rows *rows, mc_mct_column_reader *reader, uint32_t blocks,
                           mc_error *error) {
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    mc_result result = MC_OK;
    for (uint32_t block = 0; block < blocks && result == MC_OK; block++) {
        result = find_row(reader, rows->step, rows->kind, block, row, error);
        if (result == MC_OK) result = copy_row(rows, row, error);
        mc_mct_file_release(reader->file, MC_MCT_COLUMN);
    }
    return result;
}

mc_result mc_mct_rows_copy(mc_mct_rows *rows, mc_mct_column_reader *reader, int64_t step, int kind,
                           mc_error *error) {
    assert(!is_presence(reader, kind));
    rows->bytes.size = 0;
    rows->count = 0;
    rows->step = step;
    rows->kind = kind;
    uint32_t blocks = mc_mct_get_block_count(reader->steps[step - 1].known_node_count);
    // Outside of a transaction SQLite locks the file, and looks whether it has changed, for each
    // row.
    bool is_own = blocks >= MANY_BLOCKS && sqlite3_get_autocommit(reader->file->db) != 0;
    mc_result result = is_own ? mc_mct_file_run(reader->file, "BEGIN", error) : MC_OK;
    if (result != MC_OK) return result;
    result = copy_rows(rows, reader, blocks, error);
    // One that stays open would lock out who writes the file.
    if (is_own && mc_mct_file_run(reader->file, "COMMIT", NULL) != MC_OK)
        (void)mc_mct_file_run(reader->file, "ROLLBACK", NULL);
    return result;
}

mc_result mc_mct_rows_decode(const mc_mct_rows *rows, const mc_mct_column_reader *reader,
                             mc_mct_codec *codec, uint32_t block, uint64_t *values,
                             mc_error *error) {
    const struct mc_mct_row *row = &rows->rows[block];
    mc_result result = decode(reader, codec, rows->bytes.data + row->at, row->size, rows->step,
                              rows->kind, block, row->base_step, values);
    return result == MC_OK ? MC_OK : damaged(reader, rows->step, rows->kind, result, error);
}
