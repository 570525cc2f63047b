#include "engine/import/collapsed/collapsed_import.h"

#include "engine/base/memory.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/collapsed/collapsed.h"
#include "engine/import/format/bad_input.h"

typedef struct importer {
    const mc_import_context *context;
    mc_collapsed_reader *reader;
    mc_step_tree tree;
    mc_inflate_buffer unpacked;
} importer;

static mc_result add(importer *self, const char *path, mc_error *error) {
    const mc_import_sink *sink = self->context->sink;
    mc_result result =
        mc_step_clock_get(self->context->clock, path, 0, NULL, &self->tree.time_ms, NULL, error);
    if (result == MC_OK) result = sink->add_step(sink->user, &self->tree, path, error);
    if (result == MC_OK) self->context->report->step_count++;
    return result;
}

static mc_result read_file(void *reader, const mc_source_file *file, mc_file_map *mapping,
                           mc_error *error) {
    importer *self = reader;
    mc_import_watch *watch = self->context->watch;
    bool is_packed = mc_inflate_detect(mapping->data, mapping->size) != MC_COMPRESSION_NONE,
         is_unpacked = false;
    const unsigned char *data = mapping->data;
    size_t size = mapping->size;
    mc_result result = MC_OK;
    if (is_packed) {
        result = mc_inflate(data, size, &self->unpacked, watch, error);
        data = self->unpacked.data;
        size = self->unpacked.size;
        is_unpacked = result == MC_OK;
    }
    if (result == MC_OK)
        result = mc_collapsed_reader_read(self->reader, data, size, &self->tree, error);
    if (result == MC_OK) result = add(self, file->path, error);
    if (!is_packed) mc_import_watch_add(watch, mapping->size);
    if (result != MC_OK) {
        mc_bad_input_add_place(error, file->path, MC_BAD_INPUT_NO_ELEMENT, is_unpacked);
        result = mc_bad_input_skip(self->context->desc, self->context->report, error);
    }
    if (result == MC_OK && mc_import_watch_should_stop(watch))
        return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    return result;
}

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    const mc_import_desc *desc = context->desc;
    importer *self = mc_alloc_zero(1, sizeof *self);
    *reader = NULL;
    if (!self) return mc_error_out_of_memory(error);
    self->context = context;
    double interval =
        desc->sample_interval_ms > 0 ? desc->sample_interval_ms : MC_STACKS_INTERVAL_MS;
    mc_result result =
        mc_collapsed_reader_create((mc_stacks_form)desc->stacks, interval, &self->reader, error);
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
    mc_collapsed_reader_destroy(self->reader);
    mc_step_tree_deinit(&self->tree);
    mc_inflate_buffer_deinit(&self->unpacked);
    mc_free(self);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_collapsed_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

const mc_format mc_collapsed_format = {
    .id = "collapsed",
    .title = "collapsed stacks",
    .help = "collapsed stacks of profilers, as for flame graphs",
    .record =
        "asprof -o collapsed, stackcollapse-perf.pl, py-spy record -f raw, jeprof --collapsed",
    .options = "--stacks, --sample-interval",
    .extensions = {".collapsed", ".folded", ".txt"},
    .is_text = true,
    .detect = detect,
    .create = create,
    .read = read_file,
    .destroy = destroy};
