#include "engine/import/histogram/histogram_import.h"

#include "engine/base/memory.h"
#include "engine/import/bad_input.h"
#include <inttypes.h>

void mc_histogram_import_deinit(mc_histogram_import *import) {
    mc_histogram_reader_destroy(import->reader);
    mc_step_tree_deinit(&import->tree);
    mc_inflate_buffer_deinit(&import->unpacked);
    mc_text_deinit(&import->text);
}

bool mc_histogram_import_detect(const mc_file_map *mapping) {
    if (mc_inflate_detect(mapping->data, mapping->size) == MC_COMPRESSION_NONE)
        return mc_histogram_detect(mapping->data, mapping->size);
    unsigned char prefix[MC_HISTOGRAM_DETECT_SIZE];
    size_t size = mc_inflate_prefix(mapping->data, mapping->size, prefix, sizeof prefix);
    return mc_histogram_detect(prefix, size);
}

static mc_result create_reader(mc_histogram_import *self, mc_error *error) {
    mc_grouping grouping;
    if (self->reader) return MC_OK;
    mc_result result = mc_grouping_parse(self->desc->group_by, &grouping, error);
    return result == MC_OK ? mc_histogram_reader_create(&grouping, &self->reader, error) : result;
}

static mc_result fail_or_skip(const mc_histogram_import *self, const char *path, bool is_unpacked,
                              mc_error *error) {
    mc_bad_input_add_place(error, path, MC_BAD_INPUT_NO_ELEMENT, is_unpacked);
    return mc_bad_input_skip(self->desc, self->report, error);
}

static void tell(mc_histogram_import *self, const char *path, uint32_t index,
                 const mc_histogram *histogram, mc_time_origin origin) {
    const mc_log *log = self->desc->log;
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
static mc_result add(mc_histogram_import *self, const char *path, uint32_t index,
                     const mc_histogram *histogram, mc_error *error) {
    mc_time_origin origin;
    mc_result result = mc_step_clock_get(self->clock, path, index,
                                         histogram->has_time ? &histogram->time_ms : NULL,
                                         &self->tree.time_ms, &origin, error);
    if (result != MC_OK) return result;
    mc_text_clear(&self->text);
    mc_text_append_string(&self->text, path);
    if (index > 0) mc_text_format(&self->text, "[%" PRIu32 "]", index);
    if (self->text.failed) return mc_error_out_of_memory(error);
    result = self->sink->add_step(self->sink->user, &self->tree, self->text.data, error);
    if (result != MC_OK) return result;
    self->report->step_count++;
    tell(self, path, index, histogram, origin);
    return MC_OK;
}

static mc_result read_all(mc_histogram_import *self, const char *path, const unsigned char *data,
                          size_t size, bool is_unpacked, mc_error *error) {
    mc_histogram_reader_begin(self->reader, data, size);
    for (uint32_t index = 0;; index++) {
        mc_histogram histogram;
        bool is_there = false;
        mc_result result = mc_histogram_reader_next(self->reader, self->desc->partial, &is_there,
                                                    &histogram, &self->tree, error);
        if (result == MC_OK && !is_there) return MC_OK;
        if (result == MC_OK) result = add(self, path, index, &histogram, error);
        if (result != MC_OK) result = fail_or_skip(self, path, is_unpacked, error);
        if (result != MC_OK) return result;
        if (mc_import_watch_should_stop(self->watch))
            return mc_error_set(error, MC_ERROR_CANCELLED, MC_ERROR_NO_OFFSET, "cancelled");
    }
}

mc_result mc_histogram_import_file(mc_histogram_import *self, const char *path,
                                   const mc_file_map *mapping, mc_error *error) {
    mc_error own = {.code = MC_OK};
    if (!error) error = &own;
    mc_result result = create_reader(self, error);
    if (result != MC_OK) return result;
    if (mc_inflate_detect(mapping->data, mapping->size) == MC_COMPRESSION_NONE) {
        result = read_all(self, path, mapping->data, mapping->size, false, error);
        mc_import_watch_add(self->watch, mapping->size);
        return result;
    }
    result = mc_inflate(mapping->data, mapping->size, &self->unpacked, self->watch, error);
    if (result != MC_OK) return fail_or_skip(self, path, false, error);
    return read_all(self, path, self->unpacked.data, self->unpacked.size, true, error);
}
