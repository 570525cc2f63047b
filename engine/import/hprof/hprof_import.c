#include "engine/import/hprof/hprof_import.h"

#include "engine/base/memory.h"
#include "engine/import/format/bad_input.h"
#include "engine/import/hprof/hprof_memory.h"
#include "engine/import/hprof/hprof_queue.h"
#include "engine/trace/kept_owners.h"
#include <inttypes.h>

typedef struct importer {
    const mc_import_context *context;
    mc_grouping grouping;
    bool has_graph; // of each dump, and it means nothing without roots
    mc_hprof_queue *queue;
    mc_kept_owners kept, *owners; // owners: `kept`, or those of earlier imports
    mc_text text;                 // scratch
} importer;

static bool is_damaged(const mc_hprof_job *job) {
    return job->step.report.damage.kind != MC_HPROF_WHOLE || job->is_cut ||
           job->step.report.lacks_memory;
}

// Then all objects are taken for roots. JVMs write them last: of a dump that is cut off they are
// what is lost.
static bool lacks_roots(const importer *self, const mc_hprof_job *job) {
    const mc_hprof_report *report = &job->step.report;
    return self->has_graph && !report->lacks_memory && report->root_count == 0 &&
           report->object_count > 0;
}

// What the dump lacks; NULL: nothing.
static const char *describe_damage(importer *self, const mc_hprof_job *job) {
    mc_text *text = &self->text;
    mc_text_clear(text);
    mc_hprof_damage_append(&job->step.report.damage, job->dump_size, text);
    if (text->size == 0 && job->is_cut) mc_text_append_string(text, "the packed data is cut off");
    if (lacks_roots(self, job))
        mc_text_format(text, "%sit names no GC roots, so that every object counts as one",
                       text->size > 0 ? "; " : "");
    if (job->step.report.lacks_memory) {
        mc_text_format(text, "%sits owners, retained sizes and paths are left out, as ",
                       text->size > 0 ? "; " : "");
        mc_hprof_need_append(&job->step.report.need, text);
    }
    if (text->failed) return "it is damaged";
    return text->size > 0 ? text->data : NULL;
}

// What a user should know about the dump.
static void tell(const importer *self, const mc_hprof_job *job, const char *damage) {
    const mc_hprof_report *report = &job->step.report;
    const mc_log *log = self->context->desc->log;
    const char *path = job->file->path;
    if (damage)
        mc_log_write(log, MC_LOG_WARNING, "%s: incomplete: %s; the rest is shown", path, damage);
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

static bool has_owners(const mc_import_context *context) {
    return !context->desc->no_references && !context->desc->deep.fast && context->sink->add_owners;
}

static mc_result pass_owners(const importer *self, mc_step_owners *owners, mc_error *error) {
    const mc_import_sink *sink = self->context->sink;
    if (!has_owners(self->context) || owners->owner_count == 0) return MC_OK;
    if (!mc_kept_owners_choose(self->owners, owners)) return mc_error_out_of_memory(error);
    return sink->add_owners(sink->user, owners, error);
}

static mc_result pass_on(const importer *self, mc_hprof_step *step, const char *path,
                         mc_error *error) {
    const mc_import_sink *sink = self->context->sink;
    int64_t time_ms = step->tree.time_ms;
    mc_result result = mc_step_clock_get(self->context->clock, path, 0, &time_ms,
                                         &step->tree.time_ms, NULL, error);
    if (result == MC_OK) result = sink->add_step(sink->user, &step->tree, path, error);
    if (result != MC_OK) return result;
    self->context->report->step_count++;
    step->points_to.time_ms = step->pointed_from.time_ms = step->tree.time_ms;
    step->referrers.time_ms = step->paths.time_ms = step->owners.time_ms = step->tree.time_ms;
    if (sink->add_paths && has_paths(self->context->desc))
        result = sink->add_paths(sink->user, &step->paths, error);
    if (result == MC_OK) result = pass_owners(self, &step->owners, error);
    if (result != MC_OK || self->context->desc->no_references) return result;
    result = sink->add_references(sink->user, &step->points_to, MC_POINTS_TO, error);
    if (result != MC_OK) return result;
    result = sink->add_references(sink->user, &step->pointed_from, MC_POINTED_FROM, error);
    if (result != MC_OK || !sink->add_referrers) return result;
    return sink->add_referrers(sink->user, &step->referrers, error);
}

static mc_result take_dump(importer *self, mc_hprof_job *job, mc_error *error) {
    mc_result result = job->result;
    if (result != MC_OK) *error = job->error;
    const char *damage = result == MC_OK ? describe_damage(self, job) : NULL;
    if (is_damaged(job) && result == MC_OK && self->context->desc->whole_dumps)
        result = mc_fail(error, MC_ERROR_BAD_DATA, "incomplete: %s", damage);
    job->step.tree.missing = damage;
    if (result == MC_OK) result = pass_on(self, &job->step, job->file->path, error);
    job->step.tree.missing = NULL;
    if (result != MC_OK) {
        mc_bad_input_add_place(error, job->file->path, MC_BAD_INPUT_NO_ELEMENT, job->is_unpacked);
        return mc_bad_input_skip(self->context->desc, self->context->report, error);
    }
    if (is_damaged(job)) self->context->report->incomplete_count++;
    tell(self, job, damage);
    return MC_OK;
}

// The one that was submitted first.
static mc_result take_next(importer *self, mc_error *error) {
    mc_hprof_job *job;
    mc_result result = mc_hprof_queue_wait(self->queue, &job, error);
    if (result != MC_OK) return result;
    result = take_dump(self, job, error);
    result = mc_file_map_finish(&job->mapping, job->file->path, result, error);
    mc_hprof_queue_release(self->queue);
    return result == MC_OK ? mc_import_report_progress(self->context, error) : result;
}

static mc_result read_file(void *reader, const mc_source_file *file, mc_file_map *mapping,
                           mc_error *error) {
    importer *self = reader;
    mc_result result = MC_OK;
    while (result == MC_OK && !mc_hprof_queue_has_room(self->queue, mapping))
        result = take_next(self, error);
    if (result == MC_OK) mc_hprof_queue_submit(self->queue, file, mapping);
    return result;
}

static mc_result flush(void *reader, mc_error *error) {
    importer *self = reader;
    mc_result result = MC_OK;
    while (result == MC_OK && !mc_hprof_queue_is_empty(self->queue))
        result = take_next(self, error);
    return result;
}

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    importer *self = mc_alloc_zero(1, sizeof *self);
    const mc_import_deep *deep = &context->desc->deep;
    *reader = self;
    if (!self) return mc_error_out_of_memory(error);
    self->context = context;
    self->owners = context->desc->kept_owners ? context->desc->kept_owners : &self->kept;
    mc_heap_desc desc = {.grouping = &self->grouping,
                         .has_references = !context->desc->no_references,
                         .has_graph = deep->retained || deep->all,
                         .has_waste = deep->waste || deep->all,
                         .has_paths = has_paths(context->desc),
                         .has_owners = has_owners(context),
                         .collections = deep->collections,
                         .is_mapped = true};
    mc_result result = mc_grouping_parse(context->desc->group_by, &self->grouping, error);
    self->has_graph =
        desc.has_graph || desc.has_paths || mc_grouping_has(&self->grouping, MC_GROUP_STRUCTURE);
    return result == MC_OK ? mc_hprof_queue_create(context, &desc, &self->queue, error) : result;
}

static void destroy(void *reader) {
    importer *self = reader;
    if (!self) return;
    mc_hprof_queue_destroy(self->queue);
    mc_kept_owners_deinit(&self->kept);
    mc_text_deinit(&self->text);
    mc_free(self);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_hprof_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

const mc_format mc_hprof_format = {
    .id = "hprof",
    .title = "heap dumps",
    .help = "heap dumps of a JVM, or of Android",
    .record = "jcmd PID GC.heap_dump FILE.hprof, -XX:+HeapDumpOnOutOfMemoryError",
    .options =
        "--group-by, --collections, --no-references, --fast, --retained, --paths, --waste, --deep",
    .extensions = {".hprof"},
    .is_binary = true,
    .is_grouped = true,
    .detect = detect,
    .create = create,
    .read = read_file,
    .flush = flush,
    .destroy = destroy};
