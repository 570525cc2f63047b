#include "engine/import/json/json_import.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/import/format/bad_input.h"
#include "engine/import/json/import_queue.h"
#include "engine/import/json/json_scan.h"
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#define REPORT_INTERVAL_MS 50
#define ELEMENT_MOST ((size_t)1 << 30)  // of what a server sends: one step, or one pointer map
#define RESERVE_MIN ((uint64_t)1 << 20) // of a document's text, to make room for its tree at once
#define READ_AHEAD_FLOOR ((uint64_t)16 << 20) // bytes that documents in memory may always take

typedef struct importer {
    const mc_import_context *context;
    mc_error *error; // of the current call
    mc_import_queue *queue;
    mc_file_map array_file; // that holds an array, while its elements are read
    uint64_t job_size;      // in memory, of the largest document so far
    bool is_size_known;     // not guessed from the size of its text
    size_t node_count;      // of the largest step so far; a guess until there is one
    mc_text text;           // scratch
    mc_strings left_stems;  // of the files of steps that were left out, with their group
    mc_strings left_times;  // of steps that were left out
    mc_strings times;       // of those that were not
} importer;

// More threads than these could not be kept busy: the builder takes the steps one by one. It runs
// in a thread of its own, which mostly waits; alone on a core that thread does it all.
static uint32_t choose_thread_count(void) {
    const uint32_t most = 4;
    uint32_t count = mc_parallel_get_core_count();
    if (count <= 1) return 0;
    return count < most ? count : most;
}

// ---- what is wrong with the input

// Ends the import, or leaves the input out if that is wanted and it is the input's fault.
static mc_result fail_or_skip(importer *self, const mc_error *error) {
    mc_result result = mc_bad_input_skip(self->context->desc, self->context->report, error);
    if (result != MC_OK && self->error) *self->error = *error;
    return result;
}

static bool intern_time(mc_strings *strings, int64_t time_ms) {
    return mc_strings_intern(strings, (const char *)&time_ms, sizeof time_ms) != MC_NONE;
}

static bool has_time(const mc_strings *strings, int64_t time_ms) {
    return mc_strings_find(strings, (const char *)&time_ms, sizeof time_ms) != MC_NONE;
}

// Where ".json", ".json.gz" or ".json.zst" begins, or the end.
static const char *find_extension(const char *name) {
    static const char *const extensions[] = {".json", ".json.gz", ".json.zst"};
    size_t size = strlen(name);
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        size_t length = strlen(extensions[i]);
        if (size > length && strcmp(name + size - length, extensions[i]) == 0)
            return name + size - length;
    }
    return name + size;
}

// Writes what a step's file and its maps' files have in common to self->text.
static bool write_stem(importer *self, const mc_source_file *file) {
    const char *slash = strrchr(file->path, '/');
    const char *name = slash ? slash + 1 : file->path, *end = find_extension(name);
    mc_text_clear(&self->text);
    mc_text_format(&self->text, "%" PRIu32 "/", file->group);
    mc_text_append(&self->text, name, (size_t)(end - name));
    return !self->text.failed;
}

static bool is_left_out_by_stem(importer *self, const mc_source_file *file, bool *is_left_out) {
    if (!write_stem(self, file)) return false;
    *is_left_out = mc_strings_find(&self->left_stems, self->text.data, self->text.size) != MC_NONE;
    return true;
}

// A step is left out, and so will be its maps.
static mc_result remember_left_out(importer *self, const mc_import_job *job) {
    bool is_noted = !job->has_time || intern_time(&self->left_times, job->time_ms);
    if (is_noted && job->element_index == MC_BAD_INPUT_NO_ELEMENT)
        is_noted =
            write_stem(self, job->file) &&
            mc_strings_intern(&self->left_stems, self->text.data, self->text.size) != MC_NONE;
    return is_noted ? MC_OK : mc_error_out_of_memory(self->error);
}

static mc_result leave_out_with_step(importer *self, const mc_source_file *file) {
    self->context->report->skipped_count++;
    mc_log_write(self->context->desc->log, MC_LOG_WARNING, "left out: %s: its step was left out",
                 file->path);
    return MC_OK;
}

// ---- documents to the builder

static mc_result add_step(importer *self, mc_import_job *job) {
    mc_text_clear(&self->text);
    mc_text_append_string(&self->text, job->file->path);
    if (job->element_index != MC_BAD_INPUT_NO_ELEMENT)
        mc_text_format(&self->text, "[%" PRIu64 "]", job->element_index);
    if (self->text.failed) return mc_error_out_of_memory(&job->error);
    mc_result result = self->context->sink->add_step(self->context->sink->user, &job->tree,
                                                     self->text.data, &job->error);
    if (result == MC_OK && !intern_time(&self->times, job->tree.time_ms))
        result = mc_error_out_of_memory(&job->error);
    return result;
}

static mc_result merge_step(importer *self, mc_import_job *job) {
    if (job->result == MC_OK) job->result = add_step(self, job);
    if (job->result == MC_OK) {
        if (self->node_count < job->tree.node_count || self->context->report->step_count == 0)
            self->node_count = job->tree.node_count;
        self->context->report->step_count++;
        return MC_OK;
    }
    mc_bad_input_add_place(&job->error, job->file->path, job->element_index, job->is_unpacked);
    mc_result result = fail_or_skip(self, &job->error);
    return result == MC_OK ? remember_left_out(self, job) : result;
}

static mc_result merge_references(importer *self, mc_import_job *job) {
    bool is_read = job->result == MC_OK || job->result == MC_ERROR_BAD_DATA;
    if (is_read && job->has_time && has_time(&self->left_times, job->time_ms) &&
        !has_time(&self->times, job->time_ms))
        return leave_out_with_step(self, job->file);
    if (job->result == MC_OK)
        job->result = self->context->sink->add_references(
            self->context->sink->user, &job->references,
            job->file->kind == MC_SOURCE_POINTS_TO ? MC_POINTS_TO : MC_POINTED_FROM, &job->error);
    if (job->result == MC_OK) return MC_OK;
    mc_bad_input_add_place(&job->error, job->file->path, job->element_index, job->is_unpacked);
    return fail_or_skip(self, &job->error);
}

// What the tree takes that such a document gives, about; and how many nodes it has.
static uint64_t guess_tree_size(uint64_t text_size) {
    return text_size / 3;
}
static size_t guess_node_count(uint64_t text_size) {
    return (size_t)(text_size / 200);
}

// Whether one document more may be read while `count` others are. A tree takes some 60 bytes a
// node, and two may be there always: one is merged while another is read. More than that as far as
// it is little beside the trace that comes of it: some 60 bytes a node, and 6 a node and step.
static bool may_read_ahead(const importer *self, uint32_t count) {
    uint64_t steps = self->context->report->step_count;
    if (steps < self->context->step_count) steps = self->context->step_count;
    uint64_t most = (uint64_t)self->node_count * (120 + 6 * steps);
    if (most < READ_AHEAD_FLOOR) most = READ_AHEAD_FLOOR;
    return (count + 1) * self->job_size <= most;
}

// Takes the oldest document that is being read, once it is read.
static mc_result merge_next(importer *self) {
    mc_import_job *job;
    mc_result result;
    do {
        result = mc_import_report_progress(self->context, self->error);
        if (result != MC_OK) return result;
        job = mc_import_queue_wait(self->queue, REPORT_INTERVAL_MS);
    } while (!job);
    size_t size = mc_import_job_measure(job);
    if (self->job_size < size || !self->is_size_known) self->job_size = size;
    self->is_size_known = true;
    result =
        job->file->kind == MC_SOURCE_STEP ? merge_step(self, job) : merge_references(self, job);
    if (!may_read_ahead(self, 1)) mc_import_job_trim(job);
    mc_import_queue_release(self->queue);
    return result;
}

static mc_result merge_all(importer *self) {
    mc_result result = MC_OK;
    while (result == MC_OK && mc_import_queue_get_count(self->queue) > 0)
        result = merge_next(self);
    return result;
}

// ---- files to documents

// Waits until one document more may be read.
static mc_result make_room(importer *self) {
    mc_result result = MC_OK;
    uint32_t count;
    while (result == MC_OK && (count = mc_import_queue_get_count(self->queue)) > 0 &&
           (!may_read_ahead(self, count) || !mc_import_queue_get_free(self->queue)))
        result = merge_next(self);
    return result;
}

// A job for a part of `file`, once one is free. What is guessed of the memory that it takes counts
// until the first was read. `unpacked_size`: of the text, if it has to be unpacked.
static mc_result begin_job(importer *self, const mc_source_file *file, uint64_t text_size,
                           uint64_t unpacked_size, mc_import_job **job) {
    uint64_t size = guess_tree_size(text_size) + unpacked_size;
    if (!self->is_size_known && self->job_size < size) self->job_size = size;
    if (self->context->report->step_count == 0 && self->node_count < guess_node_count(text_size))
        self->node_count = guess_node_count(text_size);
    mc_result result = make_room(self);
    if (result != MC_OK) return result;
    *job = mc_import_queue_get_free(self->queue);
    (*job)->file = file;
    (*job)->offset = 0;
    (*job)->element_index = MC_BAD_INPUT_NO_ELEMENT;
    (*job)->is_compressed = (*job)->is_unpacked = false;
    (*job)->is_counted = true;
    // Large ones would be moved again and again as they grow.
    if (file->kind == MC_SOURCE_STEP && text_size >= RESERVE_MIN &&
        !mc_step_tree_reserve(&(*job)->tree, guess_node_count(text_size), text_size / 16))
        return mc_error_out_of_memory(self->error);
    return MC_OK;
}

// An array whose elements are being read: a mapped file, or what comes out of a compressed one or
// from a server bit by bit, of which only the current element is in memory.
typedef struct array_source {
    mc_json_array array;
    const mc_byte_stream *stream; // NULL: a mapped file
    bool is_unpacked;             // the stream is a compressed file's
    mc_inflate_buffer buffer;     // what the stream gave and the array needs
    uint64_t offset;              // of the array's data in the file, or in what came out of it
} array_source;

// Takes some more of the stream, and forgets what is not needed any more.
static mc_result read_more(array_source *source, mc_error *error) {
    // Of a socket no more than the caches hold until it was looked at; and what comes behind an
    // element is copied.
    const size_t chunk_size = source->is_unpacked ? (size_t)4 << 20 : (size_t)256 << 10;
    mc_inflate_buffer *buffer = &source->buffer;
    size_t dropped = mc_json_array_get_needed(&source->array), produced;
    buffer->size -= dropped;
    assert(buffer->data || dropped == 0); // there is nothing yet to forget
    if (dropped > 0) memmove(buffer->data, buffer->data + dropped, buffer->size);
    if (!source->is_unpacked && buffer->size > ELEMENT_MOST)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "expected documents of at most %zu MiB each, found a larger one",
                       ELEMENT_MOST >> 20);
    if (!mc_reserve(&buffer->data, &buffer->capacity, buffer->size + chunk_size, 1))
        return mc_error_out_of_memory(error);
    mc_result result = source->stream->read(source->stream->user, buffer->data + buffer->size,
                                            chunk_size, &produced, error);
    if (result != MC_OK) produced = 0;
    buffer->size += produced;
    source->offset += dropped;
    source->array.is_partial = produced > 0;
    mc_json_array_move(&source->array, buffer->data, buffer->size, dropped);
    return result;
}

// Finds the next element, unpacking as much as that takes. None: the size is 0.
static mc_result find_element(array_source *source, const mc_source_file *file, size_t *begin,
                              size_t *size, mc_error *error) {
    for (;;) {
        mc_json_array *array = &source->array;
        mc_result result = mc_json_array_next(array, begin, size, error);
        // A server that knows no references says so with an empty array.
        bool may_be_empty = array->is_within && file->kind != MC_SOURCE_STEP;
        if (result == MC_OK && array->is_done && array->count == 0 && !may_be_empty)
            result = mc_error_set(error, MC_ERROR_BAD_DATA, array->at,
                                  "expected at least one object in the array, found none");
        if (result != MC_OK) {
            error->byte_offset += source->offset;
            mc_bad_input_add_place(error, file->path, MC_BAD_INPUT_NO_ELEMENT, source->is_unpacked);
            return result;
        }
        if (array->is_done || *size > 0) return MC_OK;
        result = read_more(source, error);
        if (result != MC_OK) {
            mc_bad_input_add_place(error, file->path, MC_BAD_INPUT_NO_ELEMENT, false);
            return result;
        }
    }
}

// The job gets the unpacked element: the source's buffer itself, or a copy if that is less to copy
// than what follows it. Returns where the element is now, NULL if memory is out.
static const unsigned char *hand_over(array_source *source, mc_import_job *job, size_t begin,
                                      size_t size) {
    mc_inflate_buffer *buffer = &source->buffer, *other = &job->unpacked;
    size_t end = begin + size, rest = buffer->size - end;
    bool is_copied = size < rest;
    if (!mc_reserve(&other->data, &other->capacity, is_copied ? size : rest + 1, 1)) return NULL;
    if (is_copied) {
        memcpy(other->data, buffer->data + begin, size);
        other->size = size;
        return other->data;
    }
    memcpy(other->data, buffer->data + end, rest);
    other->size = rest;
    mc_inflate_buffer kept = *other;
    *other = *buffer;
    *buffer = kept;
    source->offset += end;
    mc_json_array_move(&source->array, buffer->data, rest, end);
    return other->data + begin;
}

static mc_result submit_element(importer *self, const mc_source_file *file, array_source *source,
                                size_t begin, size_t size) {
    mc_import_job *job;
    bool is_streamed = source->stream != NULL;
    mc_result result = begin_job(self, file, size, is_streamed ? size : 0, &job);
    if (result != MC_OK) return result;
    job->size = size;
    job->offset = source->offset + begin;
    job->element_index = source->array.count - 1;
    job->is_unpacked = source->is_unpacked;
    job->is_counted = !is_streamed;
    job->data = is_streamed ? hand_over(source, job, begin, size) : source->array.data + begin;
    if (!job->data) return mc_error_out_of_memory(self->error);
    mc_import_queue_submit(self->queue);
    return MC_OK;
}

static mc_result submit_elements(importer *self, const mc_source_file *file, array_source *source) {
    for (;;) {
        mc_error error = {.code = MC_OK};
        size_t begin, size = 0;
        mc_result result = make_room(self); // before there is one element more in memory
        if (result != MC_OK) return result;
        result = find_element(source, file, &begin, &size, &error);
        if (result != MC_OK) result = fail_or_skip(self, &error);
        if (result == MC_OK && size == 0) return merge_all(self); // the file is in use until then
        if (result == MC_OK) result = submit_element(self, file, source, begin, size);
        if (result != MC_OK) return result;
    }
}

static mc_result read_unpacked(void *user, unsigned char *out, size_t out_size, size_t *produced,
                               mc_error *error) {
    return mc_inflate_stream_read(user, out, out_size, produced, error);
}

static mc_result read_array(importer *self, const mc_source_file *file, bool is_compressed) {
    array_source source = {.offset = 0};
    mc_inflate_stream *packed;
    mc_error error = {.code = MC_OK};
    mc_result result = MC_OK;
    const mc_file_map *mapping = &self->array_file;
    if (!is_compressed) {
        mc_json_array_begin(&source.array, mapping->data, mapping->size);
        return submit_elements(self, file, &source);
    }
    result = mc_inflate_stream_create(mapping->data, mapping->size, self->context->watch, &packed,
                                      &error);
    mc_byte_stream stream = {.read = read_unpacked, .user = packed};
    source.stream = &stream;
    source.is_unpacked = true;
    if (result == MC_OK) result = read_more(&source, &error);
    if (result == MC_OK) {
        // The whole prefix that holds_array() has seen is there.
        mc_json_array_begin(&source.array, source.buffer.data, source.buffer.size);
        source.array.is_partial = true;
        result = submit_elements(self, file, &source);
    } else {
        mc_bad_input_add_place(&error, file->path, MC_BAD_INPUT_NO_ELEMENT, false);
        result = fail_or_skip(self, &error);
    }
    mc_inflate_stream_destroy(packed);
    mc_inflate_buffer_deinit(&source.buffer);
    return result;
}

// What a server sends: behind the array stands more of the same message, unless the array itself
// is wrong and left out.
static mc_result read_answer(importer *self, const mc_source_file *file, array_source *source) {
    const mc_byte_stream *stream = source->stream;
    mc_json_array *array = &source->array;
    mc_error error = {.code = MC_OK};
    mc_result result = read_more(source, &error);
    if (result == MC_OK) {
        mc_json_array_begin_within(array, source->buffer.data, source->buffer.size);
        array->is_partial = true;
        result = submit_elements(self, file, source);
        if (result != MC_OK || array->state != MC_JSON_ARRAY_BEHIND_END) return result;
        result =
            stream->finish(stream->user, array->data + array->at, array->size - array->at, &error);
    }
    if (result == MC_OK) return MC_OK;
    mc_bad_input_add_place(&error, file->path, MC_BAD_INPUT_NO_ELEMENT, false);
    return fail_or_skip(self, &error);
}

static mc_result read_stream(void *reader, const mc_source_file *file, const mc_byte_stream *stream,
                             mc_error *error) {
    importer *self = reader;
    array_source source = {.stream = stream};
    self->error = error;
    mc_result result = read_answer(self, file, &source);
    mc_inflate_buffer_deinit(&source.buffer);
    return result;
}

static bool holds_array(const mc_file_map *mapping, bool is_compressed) {
    unsigned char prefix[4096];
    if (!is_compressed) return mc_json_is_array(mapping->data, mapping->size);
    size_t size = mc_inflate_prefix(mapping->data, mapping->size, prefix, sizeof prefix);
    return mc_json_is_array(prefix, size);
}

// The file stays mapped until all of its elements are read, or, if that fails, until the queue's
// threads have ended.
static mc_result read_array_file(importer *self, const mc_source_file *file, mc_file_map *mapping,
                                 bool is_compressed) {
    self->array_file = *mapping;
    memset(mapping, 0, sizeof *mapping);
    mc_result result = read_array(self, file, is_compressed);
    result = mc_file_map_finish(&self->array_file, file->path, result, self->error);
    if (result == MC_OK) mc_file_map_close(&self->array_file);
    return result;
}

static mc_result read_file(void *reader, const mc_source_file *file, mc_file_map *mapping,
                           mc_error *error) {
    importer *self = reader;
    mc_import_job *job;
    bool is_left_out = false;
    self->error = error;
    if (file->kind != MC_SOURCE_STEP && !is_left_out_by_stem(self, file, &is_left_out))
        return mc_error_out_of_memory(error);
    if (is_left_out) {
        mc_import_watch_add(self->context->watch, file->size);
        return leave_out_with_step(self, file);
    }
    bool is_compressed = mc_inflate_detect(mapping->data, mapping->size) != MC_COMPRESSION_NONE;
    if (holds_array(mapping, is_compressed))
        return read_array_file(self, file, mapping, is_compressed);
    // Packed text is about a tenth of what comes out of it.
    uint64_t text_size = (uint64_t)mapping->size * (is_compressed ? 10 : 1);
    mc_result result = begin_job(self, file, text_size, is_compressed ? text_size : 0, &job);
    if (result != MC_OK) return result;
    job->mapping = *mapping;
    memset(mapping, 0, sizeof *mapping);
    job->data = job->mapping.data;
    job->size = job->mapping.size;
    job->is_compressed = is_compressed;
    mc_import_queue_submit(self->queue);
    return MC_OK;
}

// Pointer maps, which are what comes next, are of other sizes than steps.
static mc_result flush(void *reader, mc_error *error) {
    importer *self = reader;
    self->error = error;
    mc_result result = merge_all(self);
    if (result != MC_OK) return result;
    mc_import_queue_trim(self->queue);
    self->job_size = 0;
    self->is_size_known = false;
    return MC_OK;
}

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    importer *self = mc_alloc_zero(1, sizeof *self);
    *reader = NULL;
    if (!self) return mc_error_out_of_memory(error);
    self->context = context;
    mc_result result =
        mc_import_queue_create(choose_thread_count(), context->watch, &self->queue, error);
    if (result != MC_OK) {
        mc_free(self);
        return result;
    }
    *reader = self;
    return MC_OK;
}

static void destroy(void *reader) {
    importer *self = reader;
    if (!self) return;
    mc_import_queue_destroy(self->queue);
    mc_file_map_close(&self->array_file); // the queue's threads may have read it until now
    mc_text_deinit(&self->text);
    mc_strings_deinit(&self->left_stems);
    mc_strings_deinit(&self->left_times);
    mc_strings_deinit(&self->times);
    mc_free(self);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    switch (mc_json_guess_steps(data, size)) {
    case MC_JSON_STEPS: return MC_FORMAT_MATCHES;
    case MC_JSON_NO_STEPS: return MC_FORMAT_OTHER;
    default: return MC_FORMAT_UNCLEAR;
    }
}

const mc_format mc_json_format = {
    .id = "json",
    .title = "steps",
    .help = "memory trees with pointer maps, in AntTracks' or the default form",
    .record = "AntTracks, any tool of one's own; memcity listen takes them as they come",
    .options = "",
    .extensions = {".json"},
    .detect = detect,
    .create = create,
    .read = read_file,
    .read_stream = read_stream,
    .flush = flush,
    .destroy = destroy};
