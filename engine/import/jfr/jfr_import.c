#include "engine/import/jfr/jfr_import.h"

#include "engine/base/memory.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/format/bad_input.h"
#include "engine/import/hprof/hprof_unpack.h"
#include "engine/import/jfr/jfr_steps.h"
#include <inttypes.h>

typedef struct importer {
    const mc_import_context *context;
    mc_step_tree tree;
    mc_step_paths paths;
    mc_text text;     // scratch
    uint64_t counted; // bytes of the file that the watch was told
    uint64_t file_size;
} importer;

static bool goes_on(void *user, uint64_t done, uint64_t total) {
    importer *self = user;
    const uint64_t at =
        total > 0 ? (uint64_t)((double)done / (double)total * (double)self->file_size) : 0;
    if (at > self->counted && at <= self->file_size) {
        mc_import_watch_add(self->context->watch, at - self->counted);
        self->counted = at;
    }
    return mc_import_report_progress(self->context, NULL) == MC_OK;
}

static mc_result add_step(importer *self, const char *path, uint32_t index, mc_error *error) {
    const mc_import_sink *sink = self->context->sink;
    const int64_t time_ms = self->tree.time_ms;
    const mc_import_step step = {path, index, true, &time_ms};
    mc_result result =
        mc_import_pass_step(self->context, &step, &self->tree, &self->text, NULL, error);
    if (result != MC_OK) return result;
    self->paths.time_ms = self->tree.time_ms;
    if (self->paths.path_count == 0 || !sink->add_paths) return MC_OK;
    return sink->add_paths(sink->user, &self->paths, error);
}

static mc_result add_steps(importer *self, const char *path, const mc_jfr *jfr, mc_error *error) {
    mc_jfr_steps *steps = NULL;
    mc_result result = mc_jfr_steps_create(jfr, &self->context->desc->profiles, &steps, error);
    for (uint32_t i = 0; i < jfr->moment_count && result == MC_OK; i++) {
        result = mc_jfr_steps_fill(steps, i, &self->tree, &self->paths, error);
        self->tree.heap_limit = jfr->heap_limit;
        if (result == MC_OK) result = add_step(self, path, i, error);
        if (result == MC_OK) result = mc_import_report_progress(self->context, error);
    }
    self->tree.note = self->tree.missing = NULL;
    mc_jfr_steps_destroy(steps);
    return result;
}

static void tell(importer *self, const char *path, const mc_jfr *jfr) {
    const mc_log *log = self->context->desc->log;
    if (jfr->missing) {
        mc_log_write(log, MC_LOG_WARNING, "%s: %s", path, jfr->missing);
        self->context->report->incomplete_count++;
    }
    if (jfr->mallocs && jfr->mallocs->free_count == 0)
        mc_log_write(log, MC_LOG_WARNING,
                     "%s: it has native allocations and no frees (nofree): what is alive is not "
                     "known",
                     path);
    if (jfr->mallocs && jfr->rate_limit > 0)
        mc_log_write(log, MC_LOG_WARNING,
                     "%s: at most %" PRIu64 " native allocations and frees a second are recorded: "
                     "what is alive is not known for sure",
                     path, jfr->rate_limit);
    if (jfr->lost_bytes > 0)
        mc_log_write(log, MC_LOG_WARNING,
                     "%s: the JVM lost some of its events, as it had no room for them", path);
}

static mc_result read_data(importer *self, const mc_source_file *file, const mc_file_map *data,
                           mc_error *error) {
    const mc_progress progress = {goes_on, self};
    mc_jfr jfr = {.moments = NULL};
    mc_result result =
        mc_jfr_read(&jfr, data->data, data->size, &self->context->desc->profiles, &progress, error);
    result = mc_file_map_finish(data, file->path, result, error);
    if (result == MC_OK) tell(self, file->path, &jfr);
    if (result == MC_OK) result = add_steps(self, file->path, &jfr, error);
    mc_jfr_deinit(&jfr);
    return result;
}

static mc_result read_file(void *reader, const mc_source_file *file, mc_file_map *mapping,
                           mc_error *error) {
    importer *self = reader;
    mc_error own = {.code = MC_OK};
    if (!error) error = &own;
    const bool is_packed = mc_inflate_detect(mapping->data, mapping->size) != MC_COMPRESSION_NONE;
    mc_file_map unpacked = {0};
    bool is_cut = false;
    mc_hprof_crew crew = {.worker_count = 1, .total = mapping->size};
    mc_result result = MC_OK;
    self->file_size = mapping->size;
    self->counted = 0;
    if (is_packed)
        result =
            mc_hprof_unpack(mapping->data, mapping->size, self->context->desc->temporary_folder,
                            &crew, &unpacked, &is_cut, error);
    if (result == MC_OK) result = read_data(self, file, is_packed ? &unpacked : mapping, error);
    if (unpacked.data) mc_file_map_close(&unpacked);
    mc_import_watch_add(self->context->watch, self->file_size - self->counted);
    if (result == MC_OK) return MC_OK;
    mc_bad_input_add_place(error, file->path, MC_BAD_INPUT_NO_ELEMENT, is_packed);
    return mc_bad_input_skip(self->context->desc, self->context->report, error);
}

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    importer *self = *reader = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->context = context;
    return MC_OK;
}

static void destroy(void *reader) {
    importer *self = reader;
    if (!self) return;
    mc_step_tree_deinit(&self->tree);
    mc_step_paths_deinit(&self->paths);
    mc_text_deinit(&self->text);
    mc_free(self);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_jfr_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

const mc_format mc_jfr_format = {
    .id = "jfr",
    .title = "JFR recordings",
    .help = "flight recordings of JVMs and async-profiler: allocations, old objects and who holds "
            "them, native memory",
    .record =
        "jcmd PID JFR.start settings=profile, jcmd PID JFR.dump path-to-gc-roots=true, asprof "
        "-e nativemem -f FILE.jfr PID",
    .options = "--moments, --depth, --library-frames, --partial",
    .extensions = {".jfr"},
    .is_binary = true,
    .detect = detect,
    .create = create,
    .read = read_file,
    .destroy = destroy};
