#include "engine/import/import.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/import/bad_input.h"
#include "engine/import/bytes/import_queue.h"
#include "engine/import/histogram/histogram_import.h"
#include "engine/import/hprof/hprof_import.h"
#include "engine/import/input_kind.h"
#include "engine/import/json/json_scan.h"
#include "engine/trace/mct/mct.h"
#include "engine/trace/trace_step.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define REPORT_INTERVAL_MS 50
#define READ_AHEAD_FLOOR ((uint64_t)16 << 20) // bytes that documents in memory may always take

typedef struct importer {
    const mc_import_desc *desc;
    mc_error *error;
    mc_source_list sources;
    const mc_import_sink *sink;
    mc_import_queue *queue;
    mc_import_watch watch;
    mc_file_map array_file; // that holds an array, while its elements are read
    mc_import_report report;
    uint64_t job_size;     // in memory, of the largest document so far
    bool is_size_known;    // not guessed from the size of its text
    size_t node_count;     // of the largest step so far; a guess until there is one
    mc_text text;          // scratch
    mc_strings left_stems; // of the files of steps that were left out, with their group
    mc_strings left_times; // of steps that were left out
    mc_strings times;      // of those that were not
    mc_step_clock clock;   // for steps that don't say their time
    mc_histogram_import histograms;
    mc_hprof_import dumps;
} importer;

// More threads than these could not be kept busy: the builder takes the steps one by one. It runs
// in a thread of its own, which mostly waits; alone on a core that thread does it all.
static uint32_t choose_thread_count(void) {
    const uint32_t most = 4;
    uint32_t count = mc_parallel_get_core_count();
    if (count <= 1) return 0;
    return count < most ? count : most;
}

static mc_result report_progress(importer *self) {
    uint64_t total = self->sources.size, done = atomic_load(&self->watch.done);
    if (mc_progress_report(self->desc->progress, done < total ? done : total, total)) return MC_OK;
    atomic_store(&self->watch.stop, true);
    return mc_error_set(self->error, MC_ERROR_CANCELLED, MC_ERROR_NO_OFFSET, "cancelled");
}

// ---- what is wrong with the input

// Ends the import, or leaves the input out if that is wanted and it is the input's fault.
static mc_result fail_or_skip(importer *self, const mc_error *error) {
    mc_result result = mc_bad_input_skip(self->desc, &self->report, error);
    if (result != MC_OK && self->error) *self->error = *error;
    return result;
}

static bool intern_time(mc_strings *strings, int64_t time_ms) {
    return mc_strings_intern(strings, (const char *)&time_ms, sizeof time_ms) != MC_NONE;
}

static bool has_time(const mc_strings *strings, int64_t time_ms) {
    return mc_strings_find(strings, (const char *)&time_ms, sizeof time_ms) != MC_NONE;
}

// Writes what a step's file and its maps' files have in common to self->text.
static bool write_stem(importer *self, const mc_source_file *file) {
    size_t size;
    const char *stem = mc_source_file_get_stem(file, &size);
    mc_text_clear(&self->text);
    mc_text_format(&self->text, "%" PRIu32 "/", file->group);
    mc_text_append(&self->text, stem, size);
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
    self->report.skipped_count++;
    mc_log_write(self->desc->log, MC_LOG_WARNING, "left out: %s: its step was left out",
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
    mc_result result =
        self->sink->add_step(self->sink->user, &job->tree, self->text.data, &job->error);
    if (result == MC_OK && !intern_time(&self->times, job->tree.time_ms))
        result = mc_error_out_of_memory(&job->error);
    return result;
}

static mc_result merge_step(importer *self, mc_import_job *job) {
    if (job->result == MC_OK) job->result = add_step(self, job);
    if (job->result == MC_OK) {
        if (self->node_count < job->tree.node_count || self->report.step_count == 0)
            self->node_count = job->tree.node_count;
        self->report.step_count++;
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
        job->result = self->sink->add_references(
            self->sink->user, &job->references,
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
    uint64_t steps = self->report.step_count;
    if (steps < self->sources.step_count) steps = self->sources.step_count;
    uint64_t most = (uint64_t)self->node_count * (120 + 6 * steps);
    if (most < READ_AHEAD_FLOOR) most = READ_AHEAD_FLOOR;
    return (count + 1) * self->job_size <= most;
}

// Takes the oldest document that is being read, once it is read.
static mc_result merge_next(importer *self) {
    mc_import_job *job;
    mc_result result;
    do {
        result = report_progress(self);
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
    if (self->report.step_count == 0 && self->node_count < guess_node_count(text_size))
        self->node_count = guess_node_count(text_size);
    mc_result result = make_room(self);
    if (result != MC_OK) return result;
    *job = mc_import_queue_get_free(self->queue);
    (*job)->file = file;
    (*job)->offset = 0;
    (*job)->element_index = MC_BAD_INPUT_NO_ELEMENT;
    (*job)->is_compressed = (*job)->is_unpacked = false;
    (*job)->is_counted = true;
    return MC_OK;
}

// An array whose elements are being read: a mapped file, or what comes out of a compressed one bit
// by bit, of which only the current element is in memory.
typedef struct array_source {
    mc_json_array array;
    mc_inflate_stream *stream; // NULL: not compressed
    mc_inflate_buffer buffer;  // what the stream gave and the array needs
    uint64_t offset;           // of the array's data in the file, or in what came out of it
} array_source;

// Unpacks some more, and forgets what is not needed any more.
static mc_result unpack_more(array_source *source, mc_error *error) {
    const size_t chunk_size = (size_t)4 << 20;
    mc_inflate_buffer *buffer = &source->buffer;
    size_t dropped = mc_json_array_get_needed(&source->array), produced;
    buffer->size -= dropped;
    if (dropped > 0) memmove(buffer->data, buffer->data + dropped, buffer->size);
    if (!mc_reserve(&buffer->data, &buffer->capacity, buffer->size + chunk_size, 1))
        return mc_error_out_of_memory(error);
    mc_result result = mc_inflate_stream_read(source->stream, buffer->data + buffer->size,
                                              chunk_size, &produced, error);
    buffer->size += produced;
    source->offset += dropped;
    source->array.is_partial = !mc_inflate_stream_is_done(source->stream);
    mc_json_array_move(&source->array, buffer->data, buffer->size, dropped);
    return result;
}

// Finds the next element, unpacking as much as that takes. None: the size is 0.
static mc_result find_element(array_source *source, const mc_source_file *file, size_t *begin,
                              size_t *size, mc_error *error) {
    for (;;) {
        mc_json_array *array = &source->array;
        mc_result result = mc_json_array_next(array, begin, size, error);
        if (result == MC_OK && array->is_done && array->count == 0)
            result = mc_error_set(error, MC_ERROR_BAD_DATA, array->at,
                                  "expected at least one object in the array, found none");
        if (result != MC_OK) {
            error->byte_offset += source->offset;
            mc_bad_input_add_place(error, file->path, MC_BAD_INPUT_NO_ELEMENT,
                                   source->stream != NULL);
            return result;
        }
        if (array->is_done || *size > 0) return MC_OK;
        result = unpack_more(source, error);
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
    bool is_unpacked = source->stream != NULL;
    mc_result result = begin_job(self, file, size, is_unpacked ? size : 0, &job);
    if (result != MC_OK) return result;
    job->size = size;
    job->offset = source->offset + begin;
    job->element_index = source->array.count - 1;
    job->is_unpacked = is_unpacked;
    job->is_counted = !is_unpacked;
    job->data = is_unpacked ? hand_over(source, job, begin, size) : source->array.data + begin;
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

static mc_result read_array(importer *self, const mc_source_file *file, bool is_compressed) {
    array_source source = {.offset = 0};
    mc_error error = {.code = MC_OK};
    mc_result result = MC_OK;
    const mc_file_map *mapping = &self->array_file;
    if (!is_compressed) {
        mc_json_array_begin(&source.array, mapping->data, mapping->size);
        return submit_elements(self, file, &source);
    }
    result = mc_inflate_stream_create(mapping->data, mapping->size, &self->watch, &source.stream,
                                      &error);
    if (result == MC_OK) result = unpack_more(&source, &error);
    if (result == MC_OK) {
        // The whole prefix that holds_array() has seen is there.
        mc_json_array_begin(&source.array, source.buffer.data, source.buffer.size);
        source.array.is_partial = !mc_inflate_stream_is_done(source.stream);
        result = submit_elements(self, file, &source);
    } else {
        mc_bad_input_add_place(&error, file->path, MC_BAD_INPUT_NO_ELEMENT, false);
        result = fail_or_skip(self, &error);
    }
    mc_inflate_stream_destroy(source.stream);
    mc_inflate_buffer_deinit(&source.buffer);
    return result;
}

static bool holds_array(const mc_file_map *mapping, bool is_compressed) {
    unsigned char prefix[4096];
    if (!is_compressed) return mc_json_is_array(mapping->data, mapping->size);
    size_t size = mc_inflate_prefix(mapping->data, mapping->size, prefix, sizeof prefix);
    return mc_json_is_array(prefix, size);
}

static mc_result read_file(importer *self, const mc_source_file *file) {
    mc_file_map mapping = {0};
    mc_import_job *job;
    bool is_left_out = false;
    if (file->kind != MC_SOURCE_STEP && !is_left_out_by_stem(self, file, &is_left_out))
        return mc_error_out_of_memory(self->error);
    if (is_left_out) {
        mc_import_watch_add(&self->watch, file->size);
        return leave_out_with_step(self, file);
    }
    mc_result result = mc_file_map_open(&mapping, file->path, self->error);
    if (result != MC_OK) return result;
    mc_input_kind kind = file->kind == MC_SOURCE_STEP ? mc_input_detect(&mapping) : MC_INPUT_STEPS;
    if (kind == MC_INPUT_DUMP || kind == MC_INPUT_HISTOGRAMS) {
        bool is_dump = kind == MC_INPUT_DUMP;
        result = is_dump ? mc_hprof_import_file(&self->dumps, file->path, &mapping, self->error)
                         : mc_histogram_import_file(&self->histograms, file->path, &mapping,
                                                    self->error);
        result = mc_file_map_finish(&mapping, file->path, result, self->error);
        mc_file_map_close(&mapping);
        return result == MC_OK ? report_progress(self) : result;
    }
    bool is_compressed = mc_inflate_detect(mapping.data, mapping.size) != MC_COMPRESSION_NONE;
    if (holds_array(&mapping, is_compressed)) {
        self->array_file = mapping;
        result = read_array(self, file, is_compressed);
        result = mc_file_map_finish(&mapping, file->path, result, self->error);
        if (result == MC_OK) mc_file_map_close(&self->array_file);
        return result;
    }
    // Packed text is about a tenth of what comes out of it.
    uint64_t text_size = (uint64_t)mapping.size * (is_compressed ? 10 : 1);
    result = begin_job(self, file, text_size, is_compressed ? text_size : 0, &job);
    if (result != MC_OK) {
        mc_file_map_close(&mapping);
        return result;
    }
    job->mapping = mapping;
    job->data = mapping.data;
    job->size = mapping.size;
    job->is_compressed = is_compressed;
    mc_import_queue_submit(self->queue);
    return MC_OK;
}

static mc_result read_files(importer *self, size_t begin, size_t end) {
    mc_result result = MC_OK;
    for (size_t i = begin; i < end && result == MC_OK; i++)
        result = read_file(self, &self->sources.files[i]);
    return result == MC_OK ? merge_all(self) : result;
}

// Steps first: a pointer map names the leaves of its step.
static mc_result import_all(importer *self) {
    mc_result result = mc_source_list_find(&self->sources, self->desc->paths,
                                           self->desc->path_count, self->desc->log, self->error);
    if (result != MC_OK) return result;
    self->report.input_bytes = self->dumps.input_size = self->sources.size;
    result = mc_import_queue_create(choose_thread_count(), &self->watch, &self->queue, self->error);
    if (result != MC_OK) return result;
    result = read_files(self, 0, self->sources.step_count);
    if (result != MC_OK) return result;
    if (self->report.step_count == 0)
        return mc_error_set(self->error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                            "no step is left: all %" PRIu32 " are wrong or lack steps",
                            self->report.skipped_count);
    result = mc_step_clock_finish(&self->clock, self->error);
    if (result != MC_OK) return result;
    mc_import_queue_trim(self->queue);
    self->job_size = 0;
    self->is_size_known = false;
    result = read_files(self, self->sources.step_count, self->sources.count);
    if (result != MC_OK) return result;
    atomic_store(&self->watch.done, self->sources.size);
    return report_progress(self);
}

static mc_result import_json(const mc_import_desc *desc, const mc_import_sink *sink,
                             mc_import_report *report, mc_error *error) {
    importer self = {.desc = desc, .sink = sink, .error = error, .clock = {.list = desc->times}};
    self.histograms = (mc_histogram_import){.desc = desc,
                                            .sink = sink,
                                            .report = &self.report,
                                            .watch = &self.watch,
                                            .clock = &self.clock};
    self.dumps = (mc_hprof_import){.desc = desc,
                                   .sink = sink,
                                   .report = &self.report,
                                   .watch = &self.watch,
                                   .clock = &self.clock};
    mc_result result = import_all(&self);
    atomic_store(&self.watch.stop, true);
    mc_import_queue_destroy(self.queue);
    mc_file_map_close(&self.array_file); // the queue's threads may have read it until now
    mc_source_list_deinit(&self.sources);
    mc_text_deinit(&self.text);
    mc_strings_deinit(&self.left_stems);
    mc_strings_deinit(&self.left_times);
    mc_strings_deinit(&self.times);
    mc_histogram_import_deinit(&self.histograms);
    mc_hprof_import_deinit(&self.dumps);
    if (report) *report = self.report;
    return result;
}

static mc_result add_to_builder(void *user, const mc_step_tree *tree, const char *source,
                                mc_error *error) {
    return mc_trace_builder_add_step(user, tree, source, error);
}

static mc_result add_references_to_builder(void *user, const mc_reference_map *map,
                                           mc_reference_direction direction, mc_error *error) {
    return mc_trace_builder_add_references(user, map, direction, error);
}

// ---- .mct files

static mc_result find_mct(const mc_import_desc *desc, const char **path, mc_error *error) {
    *path = NULL;
    for (uint32_t i = 0; i < desc->path_count; i++) {
        unsigned char beginning[MC_MCT_DETECT_SIZE];
        struct stat status;
        bool is_file = stat(desc->paths[i], &status) == 0 && S_ISREG(status.st_mode);
        FILE *file = is_file ? fopen(desc->paths[i], "rbe") : NULL;
        if (!file) continue; // who reads it says what is wrong
        size_t size = fread(beginning, 1, sizeof beginning, file);
        fclose(file);
        if (!mc_mct_detect(beginning, size)) continue;
        *path = desc->paths[i];
        if (desc->path_count > 1)
            return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                                "%s: an .mct file is a whole trace; it can't be combined with "
                                "other inputs",
                                *path);
    }
    return MC_OK;
}

static mc_result open_mct(const mc_import_desc *desc, const char *path, mc_trace **trace,
                          mc_import_report *report, mc_error *error) {
    mc_mct_open_desc open = {.path = path,
                             .is_live = desc->is_live,
                             .skip_bad_steps = desc->skip_bad_steps,
                             .log = desc->log,
                             .progress = desc->progress};
    mc_mct_open_report opened;
    struct stat status;
    mc_result result = mc_mct_open(&open, trace, &opened, error);
    if (result == MC_OK && report)
        *report = (mc_import_report){.step_count = mc_trace_get_step_count(*trace),
                                     .skipped_count = opened.skipped_count,
                                     .input_bytes =
                                         stat(path, &status) == 0 ? (uint64_t)status.st_size : 0};
    return result;
}

static mc_result pass_references(const mc_trace *trace, uint32_t step, const mc_import_sink *sink,
                                 mc_error *error) {
    mc_reference_map map = {0};
    mc_result result = MC_OK;
    for (int i = 0; i < 2 && result == MC_OK; i++) {
        mc_reference_direction direction = (mc_reference_direction)i;
        if (!(mc_trace_get_step(trace, step)->directions & 1u << direction)) continue;
        result = mc_trace_fill_reference_map(trace, step, direction, &map, error);
        if (result == MC_OK) result = sink->add_references(sink->user, &map, direction, error);
    }
    mc_reference_map_deinit(&map);
    return result;
}

static mc_result pass_steps(const mc_trace *trace, const mc_import_desc *desc, const char *path,
                            const mc_import_sink *sink, mc_error *error) {
    mc_step_tree tree = {0};
    mc_result result = MC_OK;
    uint32_t count = mc_trace_get_step_count(trace);
    for (uint32_t step = 0; step < count && result == MC_OK; step++) {
        result = mc_trace_fill_step_tree(trace, step, &tree, error);
        if (result == MC_OK) result = sink->add_step(sink->user, &tree, path, error);
        if (result == MC_OK && !mc_progress_report(desc->progress, step + 1, count))
            result = mc_error_set(error, MC_ERROR_CANCELLED, MC_ERROR_NO_OFFSET, "cancelled");
    }
    mc_step_tree_deinit(&tree);
    for (uint32_t step = 0; step < count && result == MC_OK; step++)
        result = pass_references(trace, step, sink, error);
    return result;
}

mc_result mc_import_steps(const mc_import_desc *desc, const mc_import_sink *sink,
                          mc_import_report *report, mc_error *error) {
    const char *path;
    mc_trace *trace = NULL;
    mc_result result = find_mct(desc, &path, error);
    if (result != MC_OK) return result;
    if (!path) return import_json(desc, sink, report, error);
    result = open_mct(desc, path, &trace, report, error);
    if (result == MC_OK) result = pass_steps(trace, desc, path, sink, error);
    mc_trace_destroy(trace);
    return result;
}

// Who waits for an import is told bytes of input; the builder, which has its own numbers, asks him
// with those that he was told last.
typedef struct last_progress {
    const mc_progress *progress;
    uint64_t done, total;
} last_progress;

static bool report_first(void *user, uint64_t done, uint64_t total) {
    last_progress *self = user;
    self->done = done;
    self->total = total;
    return mc_progress_report(self->progress, done, total);
}

static bool report_again(void *user, uint64_t done, uint64_t total) {
    (void)done;
    (void)total;
    const last_progress *self = user;
    return mc_progress_report(self->progress, self->done, self->total);
}

mc_result mc_import_trace(const mc_import_desc *desc, mc_trace **trace, mc_import_report *report,
                          mc_error *error) {
    const char *path;
    mc_trace_builder *builder = NULL;
    last_progress last = {.progress = desc->progress};
    mc_progress first = {report_first, &last}, again = {report_again, &last};
    mc_import_desc own = *desc;
    own.progress = &first;
    *trace = NULL;
    mc_result result = find_mct(desc, &path, error);
    if (result != MC_OK) return result;
    if (path) return open_mct(desc, path, trace, report, error);
    result = mc_trace_builder_create(desc->log, &builder, error);
    if (result != MC_OK) return result;
    mc_trace_builder_set_progress(builder, &again);
    mc_import_sink sink = {add_to_builder, add_references_to_builder, builder};
    // All that reading needed is given back before the builder packs the trace.
    result = import_json(&own, &sink, report, error);
    if (result == MC_OK) result = mc_trace_builder_finish(builder, trace, error);
    mc_trace_builder_destroy(builder);
    return result;
}
