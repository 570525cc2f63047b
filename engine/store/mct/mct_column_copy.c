#include "engine/store/mct/mct_column_copy.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include <stdatomic.h>
#include <string.h>

mc_mct_column_copy *mc_mct_column_copy_create(void) {
    return mc_alloc_zero(1, sizeof(mc_mct_column_copy));
}

void mc_mct_column_copy_destroy(mc_mct_column_copy *copy) {
    if (!copy) return;
    for (uint32_t i = 0; i < copy->decoder_count; i++) {
        mc_mct_codec_deinit(&copy->decoders[i].codec);
        mc_free(copy->decoders[i].values);
    }
    mc_free(copy->decoders);
    mc_mct_rows_deinit(&copy->rows);
    mc_free(copy);
}

size_t mc_mct_column_copy_memory_size(const mc_mct_column_copy *copy) {
    size_t size = sizeof *copy + copy->rows.bytes.capacity +
                  copy->rows.row_capacity * sizeof *copy->rows.rows;
    for (uint32_t i = 0; i < copy->decoder_count; i++)
        size += sizeof *copy->decoders + MC_MCT_BLOCK_COUNT * sizeof(uint64_t) +
                mc_mct_codec_memory_size(&copy->decoders[i].codec);
    return size;
}

static bool reserve_decoders(mc_mct_column_copy *copy, uint32_t count) {
    struct mc_mct_decoder *decoders = copy->decoders;
    if (copy->decoder_count >= count) return true;
    decoders = mc_realloc(decoders, count, sizeof *decoders);
    if (!decoders) return false;
    copy->decoders = decoders;
    for (; copy->decoder_count < count; copy->decoder_count++) {
        struct mc_mct_decoder *decoder = &decoders[copy->decoder_count];
        *decoder =
            (struct mc_mct_decoder){.values = mc_alloc(MC_MCT_BLOCK_COUNT, sizeof(uint64_t))};
        if (!decoder->values) return false;
    }
    return true;
}

typedef struct decoding {
    mc_mct_column_copy *copy;
    const mc_mct_column_reader *reader;
    const uint32_t *places;
    uint64_t *values;
    _Atomic bool has_failed;
    mc_result result; // of the first block that failed
    mc_error error;
} decoding;

static void decode_block(void *user, uint32_t block, uint32_t thread) {
    decoding *self = user;
    struct mc_mct_decoder *decoder = &self->copy->decoders[thread];
    const mc_mct_rows *rows = &self->copy->rows;
    mc_error error = {0};
    if (atomic_load(&self->has_failed)) return;
    mc_result result =
        mc_mct_rows_decode(rows, self->reader, &decoder->codec, block, decoder->values, &error);
    uint32_t known = self->reader->steps[rows->step - 1].known_node_count;
    uint32_t length = mc_mct_get_block_length(known, block);
    const uint32_t *restrict places = self->places + (size_t)block * MC_MCT_BLOCK_COUNT;
    const uint64_t *restrict from = decoder->values;
    uint64_t *restrict values = self->values;
    for (uint32_t i = 0; i < length && result == MC_OK; i++)
        values[places[i]] = from[i];
    if (result == MC_OK || atomic_exchange(&self->has_failed, true)) return;
    self->result = result;
    self->error = error;
}

mc_result mc_mct_column_copy_decode(mc_mct_column_copy *copy, const mc_mct_column_reader *reader,
                                    const uint32_t *places, uint32_t thread_count, uint64_t *values,
                                    mc_error *error) {
    if (thread_count > MC_PARALLEL_THREADS_MAX) thread_count = MC_PARALLEL_THREADS_MAX;
    if (thread_count > copy->rows.count) thread_count = copy->rows.count;
    if (!reserve_decoders(copy, thread_count)) return mc_error_out_of_memory(error);
    decoding self = {.copy = copy, .reader = reader, .places = places};
    self.values = values;
    if (copy->rows.count > 0) mc_parallel_run(copy->rows.count, thread_count, decode_block, &self);
    if (!self.has_failed) return MC_OK;
    if (error) *error = self.error;
    return self.result;
}

// ---- sums

// Sums that need not wait for each other, as nodes of one group often stand side by side.
enum { LANES = 4 };

static void add_block(const uint32_t *restrict groups, const uint64_t *restrict from,
                      uint32_t length, uint64_t *restrict lanes) {
    for (uint32_t i = 0; i < length; i++) {
        size_t at = (size_t)groups[i] * LANES + i % LANES;
        lanes[at] = mc_count_add(lanes[at], from[i]);
    }
}

mc_result mc_mct_column_copy_add_up(mc_mct_column_copy *copy, const mc_mct_column_reader *reader,
                                    const mc_group_sums *sums, mc_error *error) {
    const mc_mct_rows *rows = &copy->rows;
    uint32_t known = reader->steps[rows->step - 1].known_node_count;
    uint64_t *lanes = mc_alloc_zero(sums->count, LANES * sizeof *lanes);
    mc_result result = lanes && reserve_decoders(copy, 1) ? MC_OK : mc_error_out_of_memory(error);
    for (uint32_t block = 0; block < rows->count && result == MC_OK; block++) {
        struct mc_mct_decoder *decoder = &copy->decoders[0];
        result = mc_mct_rows_decode(rows, reader, &decoder->codec, block, decoder->values, error);
        if (result == MC_OK)
            add_block(sums->groups + (size_t)block * MC_MCT_BLOCK_COUNT, decoder->values,
                      mc_mct_get_block_length(known, block), lanes);
    }
    for (uint32_t group = 0; group < sums->count && result == MC_OK; group++) {
        sums->values[group] = 0;
        for (uint32_t lane = 0; lane < LANES; lane++)
            sums->values[group] = mc_count_add(sums->values[group], lanes[group * LANES + lane]);
    }
    mc_free(lanes);
    return result;
}
