// Opening an .mct file: strings, classifiers and nodes.
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/base/printable.h"
#include "engine/base/strings_block.h"
#include "engine/store/mct/mct_opener.h"
#include <string.h>

// Rows of strings and of nodes hold the entries from `first` on; the next row begins behind.
static bool is_chunk(int64_t count, uint32_t first, uint32_t total) {
    return count > 0 && count <= total - first;
}

// ---- rows that are unpacked by several threads

#define JOBS_MOST 64           // at a time
#define THREAD_ENTRIES 262144u // a thread's share of them: some rows, as few threads as may be

typedef struct row_job {
    uint32_t first, count;
    size_t at[MC_MCT_FIELD_COUNT_MAX], size[MC_MCT_FIELD_COUNT_MAX]; // of its blobs
    mc_result result;
} row_job;

// Rows of one table, copied, as SQLite has only one at a time.
typedef struct row_batch {
    mc_mct_opener *opener;
    const char *what; // they are
    mc_result (*run)(struct row_batch *self, const row_job *job, mc_mct_codec *codec);
    row_job jobs[JOBS_MOST];
    uint32_t job_count, entry_count, thread_count;
    uint32_t total; // entries of the table
    mc_mct_bytes blobs;
    mc_mct_codec codecs[MC_BUILDER_THREADS_MAX];
} row_batch;

static void batch_deinit(row_batch *self) {
    mc_mct_bytes_deinit(&self->blobs);
    for (uint32_t i = 0; i < MC_BUILDER_THREADS_MAX; i++)
        mc_mct_codec_deinit(&self->codecs[i]);
}

static void run_job(void *user, uint32_t part, uint32_t thread) {
    row_batch *self = user;
    row_job *job = &self->jobs[part];
    job->result = self->run(self, job, &self->codecs[thread]);
}

static mc_result run_batch(row_batch *self) {
    mc_mct_opener *opener = self->opener;
    mc_result result = MC_OK;
    if (self->job_count == 0) return MC_OK;
    mc_parallel_run(self->job_count, mc_builder_choose_thread_count(self->entry_count), run_job,
                    self);
    for (uint32_t i = 0; i < self->job_count && result == MC_OK; i++)
        result = mc_mct_opener_explain(opener, self->jobs[i].result, self->what);
    uint32_t first = self->jobs[0].first;
    self->job_count = self->entry_count = 0;
    self->blobs.size = 0;
    return result == MC_OK ? mc_builder_ask(opener->builder, first, self->total, opener->error)
                           : result;
}

// Takes the blobs of a row from field `begin` to field `end`.
static mc_result add_job(row_batch *self, const mc_mct_field *row, int begin, int end,
                         uint32_t first, uint32_t count) {
    row_job *job = &self->jobs[self->job_count];
    *job = (row_job){.first = first, .count = count};
    for (int field = begin; field <= end; field++) {
        size_t at = self->blobs.size, size = row[field].size;
        if (!mc_reserve(&self->blobs.data, &self->blobs.capacity, at + size + 1, 1))
            return mc_error_out_of_memory(self->opener->error);
        if (size > 0) memcpy(self->blobs.data + at, row[field].data, size);
        job->at[field] = at;
        job->size[field] = size;
        self->blobs.size += size;
    }
    self->job_count++;
    self->entry_count += count;
    return MC_OK;
}

static bool is_full(const row_batch *self) {
    return self->job_count == JOBS_MOST ||
           self->entry_count >= THREAD_ENTRIES * (uint64_t)self->thread_count;
}

// Also after a row that could not be read: damage of those before it is told first.
static mc_result finish_batch(row_batch *self, mc_result result) {
    mc_error *error = self->opener->error, later = {0};
    if (error) later = *error;
    mc_result earlier = run_batch(self);
    if (earlier != MC_OK) return earlier;
    if (error) *error = later;
    return result;
}

// ---- strings

// The sizes are needed to know where the bytes go to.
static mc_result take_sizes(mc_mct_opener *self, const mc_mct_field *row) {
    uint32_t count = (uint32_t)row[MC_MCT_STRINGS_COUNT].number;
    const mc_mct_field *sizes = &row[MC_MCT_STRINGS_SIZES], *bytes = &row[MC_MCT_STRINGS_BYTES];
    mc_strings *strings = &self->builder->strings;
    uint64_t *values = mc_strings_reserve_sizes(strings, count);
    if (!values) return MC_ERROR_OUT_OF_MEMORY;
    mc_result result = mc_mct_decode_column(&self->store->codec, sizes->data, sizes->size, values,
                                            count, MC_MCT_NO_BASE);
    size_t most = SIZE_MAX / 2, total = 0, content_size = 0;
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        if (values[i] >= most - total) return MC_ERROR_BAD_DATA;
        total += (size_t)values[i] + 1;
    }
    if (result == MC_OK) result = mc_mct_get_content_size(bytes->data, bytes->size, &content_size);
    if (result == MC_OK && content_size != total) result = MC_ERROR_BAD_DATA;
    if (result == MC_OK && !mc_strings_append_sized(strings, count, total))
        result = MC_ERROR_OUT_OF_MEMORY;
    return result;
}

static mc_result unpack_strings(row_batch *self, const row_job *job, mc_mct_codec *codec) {
    mc_strings *strings = &self->opener->builder->strings;
    const uint64_t *offsets = strings->offsets + job->first;
    const unsigned char *blob = self->blobs.data + job->at[MC_MCT_STRINGS_BYTES];
    mc_result result =
        mc_mct_decode_into(codec, blob, job->size[MC_MCT_STRINGS_BYTES],
                           strings->bytes + offsets[0], (size_t)(offsets[job->count] - offsets[0]));
    for (uint32_t i = 1; i <= job->count && result == MC_OK; i++)
        if (strings->bytes[offsets[i] - 1] != '\0') result = MC_ERROR_BAD_DATA;
    return result;
}

static mc_result read_strings_row(mc_mct_opener *self, row_batch *batch) {
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    uint32_t first = self->builder->strings.count;
    mc_result result = mc_mct_opener_get(self, MC_MCT_STRINGS, first, row);
    if (result == MC_OK && !is_chunk(row[MC_MCT_STRINGS_COUNT].number, first, self->string_count))
        result = mc_mct_opener_damaged(self, "the strings");
    if (result == MC_OK) result = mc_mct_opener_explain(self, take_sizes(self, row), "the strings");
    if (result == MC_OK)
        result = add_job(batch, row, MC_MCT_STRINGS_BYTES, MC_MCT_STRINGS_BYTES, first,
                         (uint32_t)row[MC_MCT_STRINGS_COUNT].number);
    mc_mct_file_release(&self->store->file, MC_MCT_STRINGS);
    return result;
}

static mc_result read_strings(mc_mct_opener *self, row_batch *batch) {
    mc_result result = MC_OK;
    batch->what = "the strings";
    batch->run = unpack_strings;
    batch->total = self->string_count;
    while (self->builder->strings.count < self->string_count && result == MC_OK) {
        result = read_strings_row(self, batch);
        if (result == MC_OK && is_full(batch)) result = run_batch(batch);
    }
    return finish_batch(batch, result);
}

// Nodes tell classifiers by number, but people, and the JSON form that names them, by name.
static mc_result note_classifier(mc_mct_opener *self, mc_strings *names, uint32_t classifier) {
    size_t size;
    const mc_strings *strings = &self->builder->strings;
    const char *name = mc_strings_get(strings, self->builder->classifiers[classifier], &size);
    uint32_t index = mc_strings_intern(names, name, size);
    if (index == MC_NONE) return mc_error_out_of_memory(self->error);
    mc_excerpt excerpt;
    if (index == classifier) return MC_OK;
    return mc_fail(self->error, MC_ERROR_BAD_DATA,
                   "%s: damaged: classifiers %" PRIu32 " and %" PRIu32
                   " have one name, \"%s\"; without knowing them apart nothing can be read",
                   self->store->file.path, index, classifier,
                   mc_excerpt_make(&excerpt, name, size));
}

static mc_result read_classifiers(mc_mct_opener *self) {
    mc_trace_builder *builder = self->builder;
    uint32_t count = (uint32_t)self->header[MC_MCT_TRACE_CLASSIFIERS].number;
    mc_strings names = {0};
    mc_result result = MC_OK;
    if (!mc_reserve(&builder->classifiers, &builder->classifier_capacity, count,
                    sizeof *builder->classifiers))
        return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
        result = mc_mct_opener_get(self, MC_MCT_CLASSIFIER, i, row);
        if (result == MC_OK) {
            const mc_mct_field *name = &row[MC_MCT_CLASSIFIER_NAME];
            builder->classifiers[i] = mc_strings_append(&builder->strings, name->data, name->size);
            builder->classifier_count = i + 1;
            result = builder->classifiers[i] == MC_NONE ? mc_error_out_of_memory(self->error)
                                                        : note_classifier(self, &names, i);
        }
        mc_mct_file_release(&self->store->file, MC_MCT_CLASSIFIER);
    }
    mc_strings_deinit(&names);
    return result;
}

// ---- nodes

#define BLOCK 1024u // numbers, which stay in the cache

// Some entries of one field, of the nodes from `first` on. False: a value that can't be.
static bool take_node_field(const mc_mct_opener *self, int field, uint32_t first,
                            const uint64_t *values, uint32_t count) {
    mc_seen_node *nodes = self->builder->nodes + first;
    uint64_t string_count = self->string_count, role_count = self->builder->classifier_count;
    bool is_right = true;
    for (uint32_t i = 0; i < count && field == MC_MCT_NODES_PARENTS; i++) {
        is_right &= values[i] < (uint64_t)first + i || (first + i == 0 && values[i] == 0);
        nodes[i].parent = (uint32_t)values[i];
    }
    for (uint32_t i = 0; i < count && field == MC_MCT_NODES_KEYS; i++) {
        is_right &= values[i] < string_count;
        nodes[i].key = (uint32_t)values[i];
    }
    for (uint32_t i = 0; i < count && field == MC_MCT_NODES_NAMES; i++) {
        is_right &= values[i] < string_count;
        nodes[i].name = (uint32_t)values[i];
    }
    for (uint32_t i = 0; i < count && field == MC_MCT_NODES_ROLES; i++) {
        is_right &= values[i] <= role_count;
        nodes[i].role = (uint32_t)values[i] - 1; // 0 becomes MC_NONE
    }
    if (first == 0 && field == MC_MCT_NODES_PARENTS) nodes[0].parent = MC_NONE;
    return is_right;
}

static mc_result unpack_node_field(row_batch *self, const row_job *job, int field,
                                   mc_mct_codec *codec) {
    mc_mct_cursor cursor;
    uint64_t values[BLOCK];
    mc_result result = mc_mct_cursor_init(&cursor, codec, self->blobs.data + job->at[field],
                                          job->size[field], job->count, true);
    if (result != MC_OK) return result;
    for (uint32_t begin = 0, count; begin < job->count; begin += count) {
        count = job->count - begin < BLOCK ? job->count - begin : BLOCK;
        if (!mc_mct_cursor_read(&cursor, values, count) ||
            !take_node_field(self->opener, field, job->first + begin, values, count))
            return MC_ERROR_BAD_DATA;
    }
    return mc_mct_cursor_is_at_end(&cursor) ? MC_OK : MC_ERROR_BAD_DATA;
}

static mc_result unpack_nodes(row_batch *self, const row_job *job, mc_mct_codec *codec) {
    mc_result result = MC_OK;
    for (int field = MC_MCT_NODES_PARENTS; field <= MC_MCT_NODES_ROLES && result == MC_OK; field++)
        result = unpack_node_field(self, job, field, codec);
    return result;
}

static mc_result read_nodes_row(mc_mct_opener *self, row_batch *batch) {
    mc_trace_builder *builder = self->builder;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    uint32_t first = (uint32_t)builder->node_count, count = 0;
    mc_result result = mc_mct_opener_get(self, MC_MCT_NODES, first, row);
    if (result == MC_OK && !is_chunk(row[MC_MCT_NODES_COUNT].number, first, self->node_count))
        result = mc_mct_opener_damaged(self, "the nodes");
    if (result == MC_OK) count = (uint32_t)row[MC_MCT_NODES_COUNT].number;
    if (result == MC_OK && !mc_reserve(&builder->nodes, &builder->node_capacity,
                                       (size_t)first + count, sizeof *builder->nodes))
        result = mc_error_out_of_memory(self->error);
    if (result == MC_OK)
        result = add_job(batch, row, MC_MCT_NODES_PARENTS, MC_MCT_NODES_ROLES, first, count);
    mc_mct_file_release(&self->store->file, MC_MCT_NODES);
    builder->node_count += count;
    return result;
}

static mc_result read_node_rows(mc_mct_opener *self, row_batch *batch) {
    mc_result result = MC_OK;
    batch->what = "the nodes";
    batch->run = unpack_nodes;
    batch->total = self->node_count;
    while (self->builder->node_count < self->node_count && result == MC_OK) {
        result = read_nodes_row(self, batch);
        if (result == MC_OK && is_full(batch)) result = run_batch(batch);
    }
    return finish_batch(batch, result);
}

static mc_result take_own(mc_mct_opener *self, const mc_mct_field *row) {
    mc_mct_cursor cursor;
    uint64_t values[BLOCK];
    uint32_t total = (uint32_t)row[MC_MCT_OWN_COUNT].number;
    mc_result result = mc_mct_cursor_init(&cursor, &self->store->codec, row[MC_MCT_OWN_NODES].data,
                                          row[MC_MCT_OWN_NODES].size, total, true);
    if (result != MC_OK) return result;
    for (uint32_t begin = 0, count; begin < total; begin += count) {
        count = total - begin < BLOCK ? total - begin : BLOCK;
        if (!mc_mct_cursor_read(&cursor, values, count)) return MC_ERROR_BAD_DATA;
        for (uint32_t i = 0; i < count; i++) {
            if (values[i] >= self->node_count) return MC_ERROR_BAD_DATA;
            mc_node_order_want_self(&self->order, (uint32_t)values[i]);
        }
    }
    return mc_mct_cursor_is_at_end(&cursor) ? MC_OK : MC_ERROR_BAD_DATA;
}

// Which inner nodes have a self node.
static mc_result read_own(mc_mct_opener *self) {
    mc_result result = MC_OK;
    int64_t row_count = self->header[MC_MCT_TRACE_OWN].number;
    for (int64_t i = 0; i < row_count && result == MC_OK; i++) {
        mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
        result = mc_mct_opener_get(self, MC_MCT_OWN, i, row);
        if (result == MC_OK && !is_chunk(row[MC_MCT_OWN_COUNT].number, 0, self->node_count))
            result = mc_mct_opener_damaged(self, "the own shares");
        if (result == MC_OK)
            result = mc_mct_opener_explain(self, take_own(self, row), "the own shares");
        mc_mct_file_release(&self->store->file, MC_MCT_OWN);
    }
    return result;
}

// In which order nodes appeared, if their numbers don't say it.
static mc_result read_appearance(mc_mct_opener *self) {
    if (self->header[MC_MCT_TRACE_REORDERED].number == 0) return MC_OK;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    mc_result result = mc_mct_opener_get(self, MC_MCT_APPEARANCE, 1, row);
    // Nodes that came later, with later steps, have appeared in the order of their numbers.
    int64_t count = row[MC_MCT_APPEARANCE_COUNT].number;
    if (result == MC_OK && (count < 0 || count > self->node_count))
        result = mc_mct_opener_damaged(self, "the order of appearance");
    if (result == MC_OK) result = mc_mct_opener_reserve_values(self, (size_t)count);
    if (result == MC_OK)
        result = mc_mct_opener_explain(
            self,
            mc_mct_decode_column(&self->store->codec, row[MC_MCT_APPEARANCE_RANKS].data,
                                 row[MC_MCT_APPEARANCE_RANKS].size, self->values, (uint32_t)count,
                                 MC_MCT_CHAIN),
            "the order of appearance");
    mc_trace_builder *builder = self->builder;
    if (result == MC_OK && !mc_reserve(&builder->places, &builder->place_capacity, self->node_count,
                                       sizeof *builder->places))
        result = mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < self->node_count && result == MC_OK; i++)
        builder->places[i] =
            (mc_seen_place){.first_entry = i < count ? (uint32_t)self->values[i] : i};
    mc_mct_file_release(&self->store->file, MC_MCT_APPEARANCE);
    return result;
}

mc_result mc_mct_opener_read_nodes(mc_mct_opener *self) {
    row_batch *batch = mc_alloc_zero(1, sizeof *batch);
    if (!batch) return mc_error_out_of_memory(self->error);
    batch->opener = self;
    batch->thread_count = mc_builder_choose_thread_count(self->node_count);
    mc_result result = read_strings(self, batch);
    if (result == MC_OK) result = read_classifiers(self);
    if (result == MC_OK) result = read_node_rows(self, batch);
    batch_deinit(batch);
    mc_free(batch);
    if (result == MC_OK) result = read_appearance(self);
    if (result == MC_OK)
        result = mc_node_order_init(&self->order, self->builder, self->trace, self->error);
    return result == MC_OK ? read_own(self) : result;
}
