// Strings, nodes and a step's columns: what there is most of. Rows are encoded a dozen at a time,
// by several threads, and put into the file one by one.
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/store/mct/mct_writer_state.h"
#include <string.h>

#define CHUNK_COUNT 65536u // strings or nodes in one row
#define CHUNK_SIZE ((size_t)16 << 20)
#define KEPT_SIZE ((size_t)128 << 10) // that a blob may keep for the next row
_Static_assert(MC_MCT_BLOCK_COUNT <= CHUNK_COUNT, "a thread's values are enough");
_Static_assert(MC_MCT_BLOCK_COUNT % MC_PACKED_BLOCK_SIZE == 0, "blocks are unpacked one by one");

void mc_mct_crew_deinit(mc_mct_crew *crew) {
    for (uint32_t i = 0; i < MC_MCT_JOBS_MOST; i++)
        for (int blob = 0; blob < MC_MCT_JOB_BLOBS; blob++)
            mc_mct_bytes_deinit(&crew->jobs[i].blobs[blob]);
    for (int i = 0; i < MC_BUILDER_THREADS_MAX; i++) {
        mc_mct_codec_deinit(&crew->threads[i].codec);
        mc_free(crew->threads[i].values);
    }
}

static void run_job(void *user, uint32_t part, uint32_t thread) {
    mc_mct_writer *self = user;
    mc_mct_job *job = &self->crew.jobs[part];
    uint64_t **values = &self->crew.threads[thread].values;
    if (!*values) *values = mc_alloc(CHUNK_COUNT, sizeof **values);
    job->result = *values ? job->encode(self, job, thread) : MC_ERROR_OUT_OF_MEMORY;
}

static void forget_large_blobs(mc_mct_job *job) {
    for (int blob = 0; blob < MC_MCT_JOB_BLOBS; blob++)
        if (job->blobs[blob].capacity > KEPT_SIZE) mc_mct_bytes_deinit(&job->blobs[blob]);
}

static mc_result run_jobs(mc_mct_writer *self, mc_error *error) {
    mc_mct_crew *crew = &self->crew;
    uint32_t count = crew->job_count;
    uint32_t node_count = (uint32_t)self->builder->node_count;
    mc_result result = MC_OK;
    crew->job_count = 0;
    crew->text_size = 0;
    mc_parallel_run(count, mc_builder_choose_thread_count(node_count), run_job, self);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        mc_mct_job *job = &crew->jobs[i];
        result = job->result == MC_OK ? mc_mct_file_put(&self->file, job->table, job->row, error)
                                      : mc_error_out_of_memory(error);
        if (result == MC_OK) result = mc_builder_ask(self->builder, i, count, error);
    }
    for (uint32_t i = 0; i < count; i++)
        forget_large_blobs(&crew->jobs[i]);
    return result;
}

// `job` without row and blobs.
static mc_result add_job(mc_mct_writer *self, mc_mct_job job, mc_error *error) {
    mc_mct_crew *crew = &self->crew;
    bool is_full = crew->job_count == MC_MCT_JOBS_MOST || crew->text_size > CHUNK_SIZE;
    mc_result result = is_full ? run_jobs(self, error) : MC_OK;
    if (result != MC_OK) return result;
    mc_mct_job *place = &crew->jobs[crew->job_count++];
    memcpy(job.blobs, place->blobs, sizeof job.blobs);
    *place = job;
    return MC_OK;
}

static mc_result encode(mc_mct_writer *self, mc_mct_job *job, uint32_t thread, int blob,
                        mc_mct_base base) {
    mc_mct_bytes *bytes = &job->blobs[blob];
    mc_result result =
        mc_mct_encode_column(&self->crew.threads[thread].codec, self->crew.threads[thread].values,
                             job->count, base, bytes);
    job->row[2 + blob] = (mc_mct_field){.data = bytes->data, .size = bytes->size};
    return result;
}

// ---- strings

static mc_result encode_strings(mc_mct_writer *self, mc_mct_job *job, uint32_t thread) {
    const mc_strings *strings = &self->builder->strings;
    const uint64_t *offsets = strings->offsets + job->first;
    uint64_t *values = self->crew.threads[thread].values;
    job->row[MC_MCT_STRINGS_FIRST].number = job->first;
    job->row[MC_MCT_STRINGS_COUNT].number = job->count;
    for (uint32_t i = 0; i < job->count; i++)
        values[i] = offsets[i + 1] - offsets[i] - 1;
    mc_result result = encode(self, job, thread, 0, MC_MCT_NO_BASE);
    // With the NUL behind each string, as they lie in memory.
    mc_mct_bytes *bytes = &job->blobs[1];
    if (result == MC_OK)
        result = mc_mct_encode_bytes(&self->crew.threads[thread].codec, strings->bytes + offsets[0],
                                     (size_t)(offsets[job->count] - offsets[0]), bytes);
    job->row[MC_MCT_STRINGS_BYTES] = (mc_mct_field){.data = bytes->data, .size = bytes->size};
    return result;
}

static mc_result add_strings(mc_mct_writer *self, mc_error *error) {
    const mc_strings *strings = &self->builder->strings;
    uint32_t first = self->written.string_count;
    while (first < strings->count) {
        uint32_t count = 1;
        while (count < CHUNK_COUNT && first + count < strings->count &&
               strings->offsets[first + count + 1] - strings->offsets[first] <= CHUNK_SIZE)
            count++;
        mc_mct_job job = {
            .encode = encode_strings, .table = MC_MCT_STRINGS, .first = first, .count = count};
        mc_result result = add_job(self, job, error);
        if (result != MC_OK) return result;
        self->crew.text_size += strings->offsets[first + count] - strings->offsets[first];
        first += count;
    }
    self->written.string_count = first;
    return MC_OK;
}

mc_result mc_mct_writer_put_strings(mc_mct_writer *self, mc_error *error) {
    mc_result result = add_strings(self, error);
    return result == MC_OK ? run_jobs(self, error) : result;
}

// ---- nodes

static mc_result encode_nodes(mc_mct_writer *self, mc_mct_job *job, uint32_t thread) {
    const mc_seen_node *nodes = self->builder->nodes + job->first;
    uint64_t *values = self->crew.threads[thread].values;
    mc_result result = MC_OK;
    job->row[MC_MCT_NODES_FIRST].number = job->first;
    job->row[MC_MCT_NODES_COUNT].number = job->count;
    for (int column = 0; column < 4 && result == MC_OK; column++) {
        for (uint32_t i = 0; i < job->count; i++)
            values[i] = column == 0   ? (nodes[i].parent == MC_NONE ? 0 : nodes[i].parent)
                        : column == 1 ? nodes[i].key
                        : column == 2 ? nodes[i].name
                                      : (uint64_t)(nodes[i].role + 1); // MC_NONE becomes 0
        result = encode(self, job, thread, column, MC_MCT_CHAIN);
    }
    return result;
}

static mc_result add_nodes(mc_mct_writer *self, mc_error *error) {
    const mc_trace_builder *builder = self->builder;
    while (self->written.node_count < builder->node_count) {
        uint32_t first = self->written.node_count;
        size_t rest = builder->node_count - first;
        mc_mct_job job = {.encode = encode_nodes,
                          .table = MC_MCT_NODES,
                          .first = first,
                          .count = rest < CHUNK_COUNT ? (uint32_t)rest : CHUNK_COUNT};
        mc_result result = add_job(self, job, error);
        if (result != MC_OK) return result;
        self->written.node_count += job.count;
    }
    return MC_OK;
}

// ---- columns

// A block of a column. What it says of the block is the thread's own.
static mc_result encode_block(mc_mct_writer *self, mc_mct_job *job, uint32_t thread) {
    mc_mct_base_column *column = &self->bases[job->metric];
    mc_mct_base_block *base = &column->blocks[job->first];
    size_t begin = (size_t)job->first * MC_MCT_BLOCK_COUNT;
    uint64_t *values = self->crew.threads[thread].values, *base_values = column->values + begin;
    bool is_full = base->step == 0 || job->step_key - base->step >= MC_MCT_FULL_INTERVAL;
    mc_mct_base refer = {.base = base_values, .base_count = base->count};
    mc_packed_column_unpack_range(&job->step->columns[job->metric], (uint32_t)begin, values,
                                  job->count);
    mc_result result = encode(self, job, thread, 0, is_full ? MC_MCT_NO_BASE : refer);
    // When much has changed since, the block may as well stand for itself.
    if (result == MC_OK && !is_full && job->blobs[0].size > base->full_size / 2) {
        result = encode(self, job, thread, 1, MC_MCT_NO_BASE);
        is_full = job->blobs[1].size <= job->blobs[0].size + job->blobs[0].size / 8;
        const mc_mct_bytes *chosen = &job->blobs[is_full ? 1 : 0];
        job->row[MC_MCT_COLUMN_DATA] = (mc_mct_field){.data = chosen->data, .size = chosen->size};
    }
    job->row[MC_MCT_COLUMN_BASE].number = is_full ? 0 : base->step;
    if (result != MC_OK || !is_full) return result;
    memcpy(base_values, values, job->count * sizeof *values);
    *base = (mc_mct_base_block){
        .step = job->step_key, .full_size = job->row[MC_MCT_COLUMN_DATA].size, .count = job->count};
    return MC_OK;
}

static mc_result add_column(mc_mct_writer *self, mc_metric metric, const mc_seen_step *step,
                            int64_t step_key, mc_error *error) {
    int version = self->file.version;
    int kind = mc_mct_find_kind(version, &self->builder->metrics.items[metric], metric);
    mc_result result = MC_OK;
    for (uint32_t block = 0; block < mc_mct_get_block_count(step->seen_count) && result == MC_OK;
         block++) {
        mc_mct_job job = {.encode = encode_block,
                          .table = MC_MCT_COLUMN,
                          .first = block,
                          .count = mc_mct_get_block_length(step->seen_count, block),
                          .step = step,
                          .step_key = step_key,
                          .metric = metric};
        job.row[MC_MCT_COLUMN_KEY].number = mc_mct_column_key(version, step_key, kind, block);
        result = add_job(self, job, error);
    }
    return result;
}

mc_result mc_mct_writer_put_columns(mc_mct_writer *self, const mc_seen_step *step, int64_t step_key,
                                    mc_error *error) {
    mc_result result = add_strings(self, error);
    if (result == MC_OK) result = add_nodes(self, error);
    for (mc_metric metric = 0; metric < self->builder->metrics.count && result == MC_OK; metric++)
        if (step->column_mask >> metric & 1)
            result = add_column(self, metric, step, step_key, error);
    return result == MC_OK ? run_jobs(self, error) : result;
}

// ---- the largest values

static mc_result encode_maximum(mc_mct_writer *self, mc_mct_job *job, uint32_t thread) {
    mc_mct_bytes *bytes = &job->blobs[0];
    mc_result result =
        mc_mct_encode_column(&self->crew.threads[thread].codec, self->metrics[job->metric].max,
                             job->count, MC_MCT_NO_BASE, bytes);
    job->row[MC_MCT_MAXIMUM_DATA] = (mc_mct_field){.data = bytes->data, .size = bytes->size};
    return result;
}

mc_result mc_mct_writer_put_maxima(mc_mct_writer *self, mc_error *error) {
    mc_result result = MC_OK;
    // Version 1 has none of sizes.
    uint32_t metric_count =
        self->file.version == 1 ? MC_METRIC_FIRST_OWN : self->builder->metrics.count;
    for (mc_metric metric = 0; metric < metric_count && result == MC_OK; metric++) {
        mc_mct_job job = {.encode = encode_maximum,
                          .table = MC_MCT_MAXIMUM,
                          .count = (uint32_t)self->builder->node_count,
                          .metric = metric};
        job.row[MC_MCT_MAXIMUM_KEY].number = metric;
        job.row[MC_MCT_MAXIMUM_STEPS].number = (int64_t)self->builder->step_count;
        job.row[MC_MCT_MAXIMUM_NODES].number = job.count;
        result = add_job(self, job, error);
    }
    return result == MC_OK ? run_jobs(self, error) : result;
}
