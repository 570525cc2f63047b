#include "engine/import/histogram/histogram_import.h"

#include "engine/base/memory.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/format/bad_input.h"
#include "engine/import/histogram/histogram.h"
#include <inttypes.h>

typedef struct importer {
    const mc_import_context *context;
    mc_histogram_reader *reader;
    mc_step_tree tree;
    mc_inflate_buffer unpacked;
    mc_text text; // scratch
} importer;

static mc_result fail_or_skip(const importer *self, const char *path, bool is_unpacked,
                              mc_error *error) {
    mc_bad_input_add_place(error, path, MC_BAD_INPUT_NO_ELEMENT, is_unpacked);
    return mc_bad_input_skip(self->context->desc, self->context->report, error);
}

static void tell(importer *self, const char *path, uint32_t index, const mc_histogram *histogram,
                 mc_time_origin origin) {
    const mc_log *log = self->context->desc->log;
    if (histogram->is_partial)
        mc_log_write(log, MC_LOG_WARNING,
                     "%s: the class histogram at byte %" PRIu64 " is cut off, or lacks rows", path,
                     histogram->offset);
    // Only once a file.
    if (index == 1 && origin == MC_TIME_FROM_STEP_BEFORE)
        mc_log_write(
            log, MC_LOG_WARNING,
            "%s: nothing says when its class histograms were made; they are shown a second "
            "apart (--times says it better)",
            path);
}

// A histogram that was read becomes a step.
static mc_result add(importer *self, const char *path, uint32_t index,
                     const mc_histogram *histogram, mc_error *error) {
    mc_time_origin origin;
    const mc_import_step step = {path, index, index > 0,
                                 histogram->has_time ? &histogram->time_ms : NULL};
    mc_result result =
        mc_import_pass_step(self->context, &step, &self->tree, &self->text, &origin, error);
    if (result != MC_OK) return result;
    tell(self, path, index, histogram, origin);
    return MC_OK;
}

static mc_result read_all(importer *self, const char *path, const unsigned char *data, size_t size,
                          bool is_unpacked, mc_error *error) {
    mc_histogram_reader_begin(self->reader, data, size);
    for (uint32_t index = 0;; index++) {
        mc_histogram histogram;
        bool is_there = false;
        mc_result result = mc_histogram_reader_next(self->reader, self->context->desc->partial,
                                                    &is_there, &histogram, &self->tree, error);
        if (result == MC_OK && !is_there) return MC_OK;
        if (result == MC_OK) result = add(self, path, index, &histogram, error);
        if (result != MC_OK) result = fail_or_skip(self, path, is_unpacked, error);
        if (result != MC_OK) return result;
        if (mc_import_watch_should_stop(self->context->watch))
            return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
}

static mc_result read_file(void *reader, const mc_source_file *file, mc_file_map *mapping,
                           mc_error *error) {
    importer *self = reader;
    mc_import_watch *watch = self->context->watch;
    if (mc_inflate_detect(mapping->data, mapping->size) == MC_COMPRESSION_NONE) {
        mc_result result = read_all(self, file->path, mapping->data, mapping->size, false, error);
        mc_import_watch_add(watch, mapping->size);
        return result;
    }
    mc_result result = mc_inflate(mapping->data, mapping->size, &self->unpacked, watch, error);
    if (result != MC_OK) return fail_or_skip(self, file->path, false, error);
    return read_all(self, file->path, self->unpacked.data, self->unpacked.size, true, error);
}

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    mc_grouping grouping;
    importer *self = mc_alloc_zero(1, sizeof *self);
    *reader = NULL;
    if (!self) return mc_error_out_of_memory(error);
    self->context = context;
    mc_result result = mc_grouping_parse(context->desc->group_by, &grouping, error);
    if (result == MC_OK) result = mc_histogram_reader_create(&grouping, &self->reader, error);
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
    mc_histogram_reader_destroy(self->reader);
    mc_step_tree_deinit(&self->tree);
    mc_inflate_buffer_deinit(&self->unpacked);
    mc_text_deinit(&self->text);
    mc_free(self);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_histogram_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

const mc_format mc_histogram_format = {.id = "histogram",
                                       .title = "class histograms",
                                       .help = "class histograms of a JVM",
                                       .record = "jcmd PID GC.class_histogram, jmap -histo",
                                       .options = "--group-by, --partial",
                                       .extensions = {".txt", ".histo"},
                                       .is_text = true,
                                       .is_grouped = true,
                                       .detect = detect,
                                       .create = create,
                                       .read = read_file,
                                       .destroy = destroy};
