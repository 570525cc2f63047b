#include "engine/import/hprof/hprof_import.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/format/bad_input.h"
#include "engine/import/hprof/hprof.h"
#include "engine/import/hprof/hprof_unpack.h"
#include <inttypes.h>

typedef struct importer {
    const mc_import_context *context;
    uint64_t begin, size;          // of the current file in the progress
    uint64_t part_begin, part_end; // of the current work in the file, of 100
    mc_hprof_step step;
    mc_text text; // scratch
} importer;

static uint32_t get_thread_count(void) {
    uint32_t count = mc_parallel_get_core_count();
    return count < MC_HPROF_THREADS_MAX ? count : MC_HPROF_THREADS_MAX;
}

// Bytes of the dump to bytes of all input on disk.
static bool report_progress(void *user, uint64_t done, uint64_t total) {
    const importer *self = user;
    double share = total > 0 ? (double)done / (double)total : 0;
    double part = (double)self->part_begin + share * (double)(self->part_end - self->part_begin);
    uint64_t at = self->begin + (uint64_t)(part / 100 * (double)self->size);
    return mc_progress_report(self->context->desc->progress, at, self->context->input_size);
}

// What is wrong with the dump; NULL: nothing.
static const char *describe_damage(importer *self, uint64_t size, bool is_cut) {
    bool is_damaged = self->step.report.damage.kind != MC_HPROF_WHOLE;
    if (!is_damaged) return is_cut ? "the packed data is cut off" : NULL;
    mc_text_clear(&self->text);
    mc_hprof_report_append_damage(&self->step.report, size, &self->text);
    return self->text.failed ? "it is damaged" : self->text.data;
}

// What a user should know about the dump.
static void tell(importer *self, const char *path, const char *damage) {
    const mc_hprof_report *report = &self->step.report;
    const mc_log *log = self->context->desc->log;
    if (damage)
        mc_log_write(log, MC_LOG_WARNING, "%s: incomplete: %s; shown is what is there", path,
                     damage);
    if (report->undescribed_count > 0)
        mc_log_write(log, MC_LOG_WARNING,
                     "%s: %" PRIu64 " objects are of classes that the dump does not describe: "
                     "their sizes are estimates, and not all of their references are known",
                     path, report->undescribed_count);
    if (report->repeated_count > 0)
        mc_log_write(log, MC_LOG_WARNING, "%s: %" PRIu64 " objects have the id of another one",
                     path, report->repeated_count);
    if (report->dangling_count > 0)
        mc_log_write(log, MC_LOG_INFO,
                     "%s: %" PRIu64 " references lead to objects that the dump lacks", path,
                     report->dangling_count);
}

static bool has_paths(const mc_import_desc *desc) {
    return desc->deep.paths || desc->deep.all;
}

static mc_result pass_on(importer *self, const char *path, mc_error *error) {
    mc_hprof_step *step = &self->step;
    const mc_import_sink *sink = self->context->sink;
    int64_t time_ms = step->tree.time_ms;
    mc_result result = mc_step_clock_get(self->context->clock, path, 0, &time_ms,
                                         &step->tree.time_ms, NULL, error);
    if (result == MC_OK) result = sink->add_step(sink->user, &step->tree, path, error);
    if (result != MC_OK) return result;
    self->context->report->step_count++;
    step->points_to.time_ms = step->pointed_from.time_ms = step->tree.time_ms;
    step->holders.time_ms = step->paths.time_ms = step->tree.time_ms;
    if (sink->add_paths && has_paths(self->context->desc))
        result = sink->add_paths(sink->user, &step->paths, error);
    if (result != MC_OK || self->context->desc->no_references) return result;
    result = sink->add_references(sink->user, &step->points_to, MC_POINTS_TO, error);
    if (result != MC_OK) return result;
    result = sink->add_references(sink->user, &step->pointed_from, MC_POINTED_FROM, error);
    if (result != MC_OK || !sink->add_holders) return result;
    return sink->add_holders(sink->user, &step->holders, error);
}

static mc_result read_dump(importer *self, const char *path, const mc_file_map *dump,
                           bool is_unpacked, bool is_cut, mc_error *error) {
    mc_grouping grouping;
    mc_progress progress = {report_progress, self};
    mc_result result = mc_grouping_parse(self->context->desc->group_by, &grouping, error);
    if (result != MC_OK) return result;
    const mc_import_deep *deep = &self->context->desc->deep;
    mc_hprof_desc desc = {.grouping = &grouping,
                          .has_references = !self->context->desc->no_references,
                          .has_graph = deep->retained || deep->all,
                          .has_waste = deep->waste || deep->all,
                          .has_paths = has_paths(self->context->desc),
                          .collections = deep->collections,
                          .is_mapped = true,
                          .thread_count = get_thread_count(),
                          .progress = &progress};
    result = mc_hprof_read(dump->data, dump->size, &desc, &self->step, error);
    const char *damage = result == MC_OK ? describe_damage(self, dump->size, is_cut) : NULL;
    if (damage && self->context->desc->whole_dumps)
        result =
            mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET, "incomplete: %s", damage);
    self->step.tree.missing = damage;
    if (result == MC_OK) result = pass_on(self, path, error);
    self->step.tree.missing = NULL;
    if (result != MC_OK) {
        mc_bad_input_add_place(error, path, MC_BAD_INPUT_NO_ELEMENT, is_unpacked);
        return mc_bad_input_skip(self->context->desc, self->context->report, error);
    }
    if (damage) self->context->report->incomplete_count++;
    tell(self, path, damage);
    return MC_OK;
}

static mc_result read_packed(importer *self, const char *path, const mc_file_map *mapping,
                             mc_error *error) {
    mc_progress progress = {report_progress, self};
    mc_hprof_crew crew = {
        .worker_count = get_thread_count(), .progress = &progress, .total = mapping->size};
    mc_file_map unpacked;
    bool is_cut;
    self->part_end = 50; // unpacking takes about as long as what follows
    mc_result result =
        mc_hprof_unpack(mapping->data, mapping->size, self->context->desc->temporary_folder, &crew,
                        &unpacked, &is_cut, error);
    self->part_begin = 50;
    self->part_end = 100;
    if (result == MC_OK) {
        result = read_dump(self, path, &unpacked, true, is_cut, error);
    } else {
        mc_bad_input_add_place(error, path, MC_BAD_INPUT_NO_ELEMENT, false);
        result = mc_bad_input_skip(self->context->desc, self->context->report, error);
    }
    mc_file_map_close(&unpacked);
    return result;
}

static mc_result read_file(void *reader, const mc_source_file *file, mc_file_map *mapping,
                           mc_error *error) {
    importer *self = reader;
    self->begin = atomic_load(&self->context->watch->done);
    self->size = mapping->size;
    self->part_begin = 0;
    self->part_end = 100;
    mc_result result = mc_inflate_detect(mapping->data, mapping->size) == MC_COMPRESSION_NONE
                           ? read_dump(self, file->path, mapping, false, false, error)
                           : read_packed(self, file->path, mapping, error);
    mc_import_watch_add(self->context->watch, mapping->size);
    return result;
}

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    importer *self = mc_alloc_zero(1, sizeof *self);
    *reader = self;
    if (!self) return mc_error_out_of_memory(error);
    self->context = context;
    return MC_OK;
}

static void destroy(void *reader) {
    importer *self = reader;
    if (!self) return;
    mc_hprof_step_deinit(&self->step);
    mc_text_deinit(&self->text);
    mc_free(self);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_hprof_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

const mc_format mc_hprof_format = {
    .id = "hprof",
    .title = "heap dumps",
    .help = "heap dumps of a JVM (jcmd PID GC.heap_dump FILE), or of Android",
    .options = "--group-by, --collections, --no-references, --retained, --paths, --waste, --deep",
    .extensions = {".hprof"},
    .is_binary = true,
    .is_grouped = true,
    .detect = detect,
    .create = create,
    .read = read_file,
    .destroy = destroy};
