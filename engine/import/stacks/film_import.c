#include "engine/import/stacks/film_import.h"

#include "engine/base/memory.h"
#include "engine/base/ordered_queue.h"
#include "engine/base/parallel.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/format/bad_input.h"

#define PIECE_SIZE ((size_t)256 << 10)
#define GIVEN_BACK_SIZE ((size_t)4 << 20) // of what was read of a packed file, at once
#define MEMORY_FACTOR 256                 // that tables may take more than the file
#define MEMORY_FLOOR (UINT64_C(256) << 20)

#define REPORT_INTERVAL_MS 50

// A step, and what came of making it.
typedef struct step_job {
    mc_step_tree tree;
    bool is_there;
    mc_result result;
    mc_error error;
} step_job;

typedef struct importer {
    const mc_import_context *context;
    const mc_film_reader *reader;
    mc_text text; // scratch
    // While steps are made:
    void *recording;
    const char *end_missing; // what the last step lacks
    step_job steps[2];       // one is made while the one before goes into the trace
    bool has_ended;          // of the thread that makes them
} importer;

static mc_result feed_plain(const importer *self, const mc_file_map *mapping, void *recording,
                            mc_error *error) {
    mc_result result = MC_OK;
    for (size_t at = 0; at < mapping->size && result == MC_OK; at += PIECE_SIZE) {
        size_t size = mapping->size - at < PIECE_SIZE ? mapping->size - at : PIECE_SIZE;
        result = self->reader->feed(recording, mapping->data + at, size, error);
        mc_import_watch_add(self->context->watch, size);
        mc_file_map_give_back(mapping->data, at, at + size);
        if (result == MC_OK) result = mc_import_report_progress(self->context, error);
    }
    return result;
}

// A program that is killed leaves the packed data without an end: what there is counts.
static mc_result feed_packed(const importer *self, const mc_file_map *mapping, void *recording,
                             bool *is_cut, mc_error *error) {
    unsigned char *piece = mc_alloc(PIECE_SIZE, 1);
    mc_inflate_stream *stream = NULL;
    size_t size = PIECE_SIZE, given_back = 0;
    mc_result result = piece ? mc_inflate_stream_create(mapping->data, mapping->size,
                                                        self->context->watch, &stream, error)
                             : mc_error_out_of_memory(error);
    if (stream) mc_inflate_stream_lift_limit(stream);
    while (result == MC_OK && !*is_cut && !mc_inflate_stream_is_done(stream)) {
        mc_error damage = {.code = MC_OK};
        result = mc_inflate_stream_read(stream, piece, PIECE_SIZE, &size, &damage);
        *is_cut = result == MC_ERROR_BAD_DATA && damage.byte_offset == mapping->size;
        if (*is_cut) result = MC_OK;
        if (result != MC_OK && error) *error = damage;
        if (result == MC_OK) result = self->reader->feed(recording, piece, size, error);
        const size_t taken = mc_inflate_stream_get_taken(stream);
        if (taken - given_back > GIVEN_BACK_SIZE) {
            mc_file_map_give_back(mapping->data, given_back, taken);
            given_back = taken;
        }
        if (result == MC_OK) result = mc_import_report_progress(self->context, error);
    }
    mc_inflate_stream_destroy(stream);
    mc_free(piece);
    return result;
}

static void make_step(void *user, uint32_t job, uint32_t thread) {
    importer *self = user;
    step_job *step = &self->steps[job];
    (void)thread;
    step->error = (mc_error){.code = MC_OK};
    step->result = MC_OK;
    step->is_there = !self->has_ended;
    if (step->is_there)
        step->result = self->reader->next_step(self->recording, self->end_missing, &step->tree,
                                               &step->is_there, &step->error);
    self->has_ended = step->result != MC_OK || !step->is_there;
}

static mc_result add_step(importer *self, const char *path, uint32_t index, mc_step_tree *tree,
                          mc_error *error) {
    const int64_t time_ms = tree->time_ms;
    const mc_import_step step = {path, index, true, &time_ms};
    return mc_import_pass_step(self->context, &step, tree, &self->text, NULL, error);
}

// The next step, which another thread makes. *is_there: there is one.
static mc_result take_step(importer *self, mc_ordered_queue *queue, const char *path,
                           uint32_t index, bool *is_there, mc_error *error) {
    uint32_t job;
    mc_result result = MC_OK;
    while (mc_ordered_queue_get_free(queue) != MC_NONE)
        mc_ordered_queue_submit(queue);
    while ((job = mc_ordered_queue_wait(queue, REPORT_INTERVAL_MS)) == MC_NONE) {
        result = mc_import_report_progress(self->context, error);
        if (result != MC_OK) return result;
    }
    step_job *step = &self->steps[job];
    *is_there = step->is_there;
    result = step->result;
    if (result != MC_OK && error) *error = step->error;
    if (result == MC_OK && *is_there) result = add_step(self, path, index, &step->tree, error);
    mc_ordered_queue_release(queue);
    return result == MC_OK ? mc_import_report_progress(self->context, error) : result;
}

static mc_result add_steps(importer *self, const char *path, void *recording, bool is_cut,
                           mc_error *error) {
    const uint32_t threads = mc_parallel_get_core_count() > 1;
    mc_ordered_queue *queue;
    bool is_there = true;
    self->recording = recording;
    self->end_missing = is_cut ? self->reader->cut_off : NULL;
    self->has_ended = false;
    mc_result result = mc_ordered_queue_create(threads, make_step, self, &queue, error);
    for (uint32_t index = 0; result == MC_OK && is_there; index++)
        result = take_step(self, queue, path, index, &is_there, error);
    mc_ordered_queue_destroy(queue);
    return result;
}

static mc_result read_mapping(importer *self, const char *path, const mc_file_map *mapping,
                              bool is_packed, mc_error *error) {
    const mc_import_desc *desc = self->context->desc;
    uint64_t memory_most = (uint64_t)mapping->size * MEMORY_FACTOR;
    if (memory_most < MEMORY_FLOOR) memory_most = MEMORY_FLOOR;
    const mc_film_source source = {&desc->profiles, memory_most, path, desc->log};
    void *recording;
    bool is_cut = false, ends_early = false;
    mc_result result = self->reader->create(&source, &recording, error);
    if (result == MC_OK)
        result = is_packed ? feed_packed(self, mapping, recording, &is_cut, error)
                           : feed_plain(self, mapping, recording, error);
    if (result == MC_OK) result = self->reader->finish(recording, &ends_early, error);
    is_cut |= ends_early;
    if (result == MC_OK && is_cut) {
        mc_log_write(desc->log, MC_LOG_WARNING, "%s: %s", path, self->reader->cut_off);
        self->context->report->incomplete_count++;
    }
    if (result == MC_OK) result = add_steps(self, path, recording, is_cut, error);
    self->reader->destroy(recording);
    return result;
}

mc_result mc_film_importer_read(void *reader, const mc_source_file *file, mc_file_map *mapping,
                                mc_error *error) {
    importer *self = reader;
    mc_error own = {.code = MC_OK};
    if (!error) error = &own;
    bool is_packed = mc_inflate_detect(mapping->data, mapping->size) != MC_COMPRESSION_NONE;
    mc_result result = read_mapping(self, file->path, mapping, is_packed, error);
    if (result != MC_OK) {
        mc_bad_input_add_place(error, file->path, MC_BAD_INPUT_NO_ELEMENT, is_packed);
        result = mc_bad_input_skip(self->context->desc, self->context->report, error);
    }
    return result;
}

mc_result mc_film_importer_create(const mc_import_context *context, const mc_film_reader *kind,
                                  void **reader, mc_error *error) {
    importer *self = *reader = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->context = context;
    self->reader = kind;
    return MC_OK;
}

void mc_film_importer_destroy(void *reader) {
    importer *self = reader;
    if (!self) return;
    for (size_t i = 0; i < sizeof self->steps / sizeof *self->steps; i++)
        mc_step_tree_deinit(&self->steps[i].tree);
    mc_text_deinit(&self->text);
    mc_free(self);
}
