#include "engine/import/objects/object_import.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/base/progress_part.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/format/bad_input.h"
#include "engine/import/hprof/hprof_unpack.h"
#include "engine/import/objects/object_film.h"
#include "engine/import/objects/object_news.h"
#include "engine/import/objects/object_step.h"
#include "engine/trace/kept_owners.h"

#define UNPACKING_SHARE 0.3 // of a packed file's progress
#define READING_SHARE 0.5   // of the rest

typedef struct importer {
    const mc_import_context *context;
    const mc_object_reader *reader;
    mc_heap_desc desc;
    mc_kept_owners kept, *owners; // owners: `kept`, or those of earlier imports
    mc_strings times;             // of files that say none, as bytes
    mc_object_step step;
    mc_object_news news;    // since the first
    int64_t first_ms;       // of a film's first moment
    mc_step_tree film_tree; // of a moment before the last
    mc_text damage;
    uint64_t file_size, counted; // bytes of the current file, and those that the watch was told
} importer;

static bool goes_on(void *user, uint64_t done, uint64_t total) {
    importer *self = user;
    const double share = total > 0 ? (double)done / (double)total : 0;
    const uint64_t at = (uint64_t)((share < 1 ? share : 1) * (double)self->file_size);
    if (at > self->counted) {
        mc_import_watch_add(self->context->watch, at - self->counted);
        self->counted = at;
    }
    return mc_import_report_progress(self->context, NULL) == MC_OK;
}

// *time_ms: what the file says, 0: nothing. Files that were written at once are a millisecond
// apart.
static mc_result set_time(importer *self, const char *path, int64_t *time_ms, mc_error *error) {
    mc_time_origin origin;
    const int64_t known_ms = *time_ms;
    mc_result result = mc_step_clock_get(self->context->clock, path, 0,
                                         known_ms != 0 ? &known_ms : NULL, time_ms, &origin, error);
    if (result != MC_OK || origin != MC_TIME_FROM_CHANGE) return result;
    while (mc_strings_find(&self->times, (const char *)time_ms, sizeof *time_ms) != MC_NONE)
        ++*time_ms;
    return mc_strings_intern(&self->times, (const char *)time_ms, sizeof *time_ms) == MC_NONE
               ? mc_error_out_of_memory(error)
               : MC_OK;
}

// ---- what survived, at the moments when it was made

typedef struct film {
    importer *importer;
    const mc_heap_groups *groups;
    const char *path;
    int64_t end_ms; // added to a moment's time
    uint32_t passed;
} film;

// Before the heap is linked: by it the owners of the first moment name its groups.
static mc_result list_first_nodes(void *user, const mc_object_moment *moment,
                                  const uint64_t *objects, const uint64_t *bytes, mc_error *error) {
    film *self = user;
    importer *into = self->importer;
    const size_t count = mc_heap_groups_get_group_count(self->groups);
    (void)moment;
    into->step.first_nodes = mc_alloc(count + 1, sizeof *into->step.first_nodes);
    if (!into->step.first_nodes) return mc_error_out_of_memory(error);
    return mc_heap_groups_fill_tree(self->groups, objects, bytes, NULL, &into->film_tree,
                                    into->step.first_nodes, error);
}

// Behind the step that it is of.
static mc_result pass_owners(importer *self, mc_step_owners *owners, mc_error *error) {
    const mc_import_sink *sink = self->context->sink;
    if (!self->desc.has_owners || owners->owner_count == 0) return MC_OK;
    return mc_kept_owners_choose(self->owners, owners) ? sink->add_owners(sink->user, owners, error)
                                                       : mc_error_out_of_memory(error);
}

static mc_result pass_moment(void *user, const mc_object_moment *moment, const uint64_t *objects,
                             const uint64_t *bytes, mc_error *error) {
    film *self = user;
    importer *into = self->importer;
    const mc_import_sink *sink = into->context->sink;
    mc_step_tree *tree = &into->film_tree;
    mc_result result =
        mc_heap_groups_fill_tree(self->groups, objects, bytes, NULL, tree, NULL, error);
    if (result != MC_OK) return result;
    tree->time_ms = self->end_ms + moment->time_ms;
    tree->note = self->passed == 0 ? "only what is still there at the end" : NULL;
    result = sink->add_step(sink->user, tree, self->path, error);
    if (result != MC_OK) return result;
    into->context->report->step_count++;
    if (self->passed++ > 0) return MC_OK;
    into->step.first_owners.time_ms = tree->time_ms;
    return pass_owners(into, &into->step.first_owners, error);
}

// All steps but the last. What is kept of its owners is told of the first step, too.
static mc_result pass_film(importer *self, const mc_object_heap *heap, const char *path,
                           mc_error *error) {
    const mc_object_births *births = &heap->births;
    const uint32_t count = births->moment_count - 1;
    const int64_t last_ms = births->moments[count].time_ms;
    film made = {self, heap->heap.groups, path, self->step.tree.time_ms - last_ms, 0};
    if (!mc_kept_owners_choose(self->owners, &self->step.owners))
        return mc_error_out_of_memory(error);
    if (births->is_of_collections)
        mc_log_write(self->context->desc->log, MC_LOG_WARNING,
                     "%s: steps are garbage collections, each shown as a second; what was freed is "
                     "in none, so a full cache may look like a leak: a second dump tells",
                     path);
    return mc_object_births_play(heap, count, pass_moment, &made, error);
}

// ---- a file

static mc_result pass_on(importer *self, const char *path, mc_error *error) {
    const mc_import_sink *sink = self->context->sink;
    mc_object_step *step = &self->step;
    mc_result result = sink->add_step(sink->user, &step->tree, path, error);
    if (result != MC_OK) return result;
    self->context->report->step_count++;
    step->points_to.time_ms = step->pointed_from.time_ms = step->tree.time_ms;
    step->referrers.time_ms = step->paths.time_ms = step->owners.time_ms = step->tree.time_ms;
    if (sink->add_paths && self->desc.has_paths)
        result = sink->add_paths(sink->user, &step->paths, error);
    if (result == MC_OK) result = pass_owners(self, &step->owners, error);
    if (result != MC_OK || !self->desc.has_references) return result;
    result = sink->add_references(sink->user, &step->points_to, MC_POINTS_TO, error);
    if (result == MC_OK)
        result = sink->add_references(sink->user, &step->pointed_from, MC_POINTED_FROM, error);
    if (result != MC_OK || !sink->add_referrers) return result;
    return sink->add_referrers(sink->user, &step->referrers, error);
}

static mc_result read_heap(importer *self, const mc_file_map *data, const mc_source_file *file,
                           const mc_progress *whole, bool is_cut, mc_error *error) {
    mc_object_heap heap = {.texts = {0}};
    uint64_t *news = NULL;
    mc_progress_part of_reading = {.whole = whole, .share = READING_SHARE};
    mc_progress_part of_step = {whole, READING_SHARE, 1 - READING_SHARE};
    const mc_progress reading = mc_progress_part_get(&of_reading);
    const mc_progress making = mc_progress_part_get(&of_step);
    heap.heap.progress = &reading;
    mc_text_clear(&self->damage);
    self->desc.path = file->path;
    mc_result result =
        self->reader->read(data->data, data->size, &self->desc, &heap, &self->damage, error);
    heap.heap.progress = &making;
    self->desc.log = NULL; // it was told once
    if (result == MC_OK && is_cut && self->damage.size == 0)
        mc_text_append_string(&self->damage, "the packed data is cut off");
    if (result == MC_OK && self->damage.size > 0 && self->context->desc->whole_dumps)
        result = mc_fail(error, MC_ERROR_BAD_DATA, "incomplete: %s", mc_text_get(&self->damage));
    int64_t time_ms = heap.time_ms;
    if (result == MC_OK) result = set_time(self, file->path, &time_ms, error);
    const bool is_film = heap.births.moment_count > 1;
    film made = {self, heap.heap.groups, file->path, 0, 0};
    if (result == MC_OK && is_film)
        result = mc_object_births_play(&heap, 1, list_first_nodes, &made, error);
    if (result == MC_OK && self->reader->has_stable_ids && self->context->step_count > 1 &&
        !mc_object_news_count(&self->news, &heap, &news))
        result = mc_error_out_of_memory(error);
    if (result == MC_OK) result = mc_object_step_make(&heap, &self->desc, news, &self->step, error);
    mc_free(news);
    self->step.tree.time_ms = time_ms;
    if (result == MC_OK && is_film) result = pass_film(self, &heap, file->path, error);
    mc_object_heap_deinit(&heap);
    return result;
}

static mc_result tell_damage(importer *self, const char *path) {
    const char *damage = mc_text_get(&self->damage);
    mc_log_write(self->context->desc->log, MC_LOG_WARNING, "%s: incomplete: %s; the rest is shown",
                 path, damage);
    self->context->report->incomplete_count++;
    return MC_OK;
}

static mc_result unpack(importer *self, const mc_file_map *mapping, mc_file_map *unpacked,
                        const mc_progress *whole, bool *is_cut, mc_error *error) {
    mc_progress_part part = {.whole = whole, .share = UNPACKING_SHARE};
    const mc_progress progress = mc_progress_part_get(&part);
    mc_hprof_crew crew = {
        .worker_count = self->desc.thread_count, .progress = &progress, .total = mapping->size};
    return mc_hprof_unpack(mapping->data, mapping->size, self->context->desc->temporary_folder,
                           &crew, unpacked, is_cut, error);
}

mc_result mc_object_importer_read(void *importer_, const mc_source_file *file, mc_file_map *mapping,
                                  mc_error *error) {
    importer *self = importer_;
    const bool is_packed = mc_inflate_detect(mapping->data, mapping->size) != MC_COMPRESSION_NONE;
    mc_file_map unpacked = {0};
    bool is_cut = false;
    self->file_size = mapping->size;
    self->counted = 0;
    const double before = is_packed ? UNPACKING_SHARE : 0;
    const mc_progress whole = {goes_on, self};
    mc_progress_part part = {&whole, before, 1 - before};
    const mc_progress rest = mc_progress_part_get(&part);
    mc_result result = is_packed ? unpack(self, mapping, &unpacked, &whole, &is_cut, error) : MC_OK;
    if (result == MC_OK)
        result = read_heap(self, is_packed ? &unpacked : mapping, file, &rest, is_cut, error);
    if (result == MC_OK && self->damage.size > 0)
        self->step.tree.missing = mc_text_get(&self->damage);
    result = mc_file_map_finish(mapping, file->name, result, error);
    if (result == MC_OK) result = pass_on(self, file->name, error);
    self->step.tree.missing = NULL;
    if (unpacked.data) mc_file_map_close(&unpacked);
    mc_import_watch_add(self->context->watch, self->file_size - self->counted);
    if (result == MC_OK) return self->damage.size > 0 ? tell_damage(self, file->name) : MC_OK;
    mc_bad_input_add_place(error, file->name, MC_BAD_INPUT_NO_ELEMENT, is_packed);
    return mc_bad_input_skip(self->context->desc, self->context->report, error);
}

mc_result mc_object_importer_create(const mc_import_context *context,
                                    const mc_object_reader *reader, void **importer_,
                                    mc_error *error) {
    importer *self = *importer_ = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    const mc_import_deep *deep = &context->desc->deep;
    const uint32_t cores = mc_parallel_get_core_count();
    self->context = context;
    self->reader = reader;
    self->owners = context->desc->kept_owners ? context->desc->kept_owners : &self->kept;
    self->desc = (mc_heap_desc){
        .has_references = !context->desc->no_references,
        .has_graph = deep->retained || deep->all,
        .has_paths = deep->paths || deep->all,
        .has_owners = !context->desc->no_references && !deep->fast && context->sink->add_owners,
        .has_counts_only =
            context->desc->no_references && !deep->all && !deep->retained && !deep->paths,
        .moment_count = context->step_count > 1 ? 0
                        : context->desc->profiles.moment_count
                            ? context->desc->profiles.moment_count
                            : MC_PROFILE_MOMENTS,
        .is_by_generation = deep->by_generation,
        .is_mapped = true,
        .binary = deep->binary,
        .log = context->desc->log,
        .thread_count = cores < MC_HPROF_THREADS_MAX ? cores : MC_HPROF_THREADS_MAX};
    return MC_OK;
}

void mc_object_importer_destroy(void *importer_) {
    importer *self = importer_;
    if (!self) return;
    mc_object_step_deinit(&self->step);
    mc_step_tree_deinit(&self->film_tree);
    mc_object_news_deinit(&self->news);
    mc_kept_owners_deinit(&self->kept);
    mc_strings_deinit(&self->times);
    mc_text_deinit(&self->damage);
    mc_free(self);
}
