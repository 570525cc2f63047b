#include "engine/store/mct/mct_columns.h"

#include "engine/base/memory.h"
#include "engine/base/printable.h"
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
static mc_result decode(mc_mct_column_reader *reader, const mc_mct_field *row, int64_t step,
                        int kind, uint32_t block, int64_t base_step, uint64_t *values) {
    const mc_mct_field *data = &row[MC_MCT_COLUMN_DATA];
    uint32_t length = get_length(reader, step, kind, block), base_length = 0;
    const uint64_t *base = NULL;
    if (base_step != 0) {
        base = get_base_values(reader, kind, block);
        base_length = get_length(reader, base_step, kind, block);
    }
    if (!is_presence(reader, kind)) {
        mc_mct_base refer = {.base = base, .base_count = base_length};
        mc_result result =
            mc_mct_decode_column(reader->codec, data->data, data->size, values, length, refer);
        uint64_t largest = 0, most = get_most(reader, step, kind);
        for (uint32_t i = 0; i < length && result == MC_OK; i++)
            largest = values[i] > largest ? values[i] : largest;
        return result == MC_OK && largest > most ? MC_ERROR_BAD_DATA : result;
    }
    const unsigned char *content;
    size_t size;
    mc_result result = mc_mct_decode_bytes(reader->codec, data->data, data->size,
                                           length * sizeof *values, &content, &size);
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
        result = row[MC_MCT_COLUMN_BASE].number == 0
                     ? decode(reader, row, base_step, kind, block, 0,
                              get_base_values(reader, kind, block))
                     : MC_ERROR_BAD_DATA;
        if (result != MC_OK) damaged(reader, base_step, kind, result, error);
    }
    mc_mct_file_release(reader->file, MC_MCT_COLUMN);
    if (result == MC_OK) *loaded = base_step;
    return result;
}

mc_result mc_mct_read_block(mc_mct_column_reader *reader, int64_t step, int kind, uint32_t block,
                            uint64_t *values, mc_error *error) {
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    int64_t key = mc_mct_column_key(reader->file->version, step, kind, block);
    mc_result result = reserve_base(reader, kind, error);
    if (result == MC_OK) result = mc_mct_file_get(reader->file, MC_MCT_COLUMN, key, row, error);
    int64_t base_step = result == MC_OK ? row[MC_MCT_COLUMN_BASE].number : 0;
    if (result == MC_OK && base_step != 0) {
        if (base_step < 0 || base_step >= step ||
            reader->steps[base_step - 1].known_node_count == 0 ||
            reader->steps[base_step - 1].known_node_count >
                reader->steps[step - 1].known_node_count) {
            mc_mct_file_release(reader->file, MC_MCT_COLUMN);
            return damaged(reader, step, kind, MC_ERROR_BAD_DATA, error);
        }
        if (reader->bases[kind].steps[block] != base_step) {
            // One statement serves both rows: first the base, then this one again.
            result = load_base(reader, base_step, kind, block, error);
            if (result == MC_OK)
                result = mc_mct_file_get(reader->file, MC_MCT_COLUMN, key, row, error);
        }
    }
    if (result == MC_OK) {
        result = decode(reader, row, step, kind, block, base_step, values);
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
