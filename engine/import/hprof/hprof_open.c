#include "engine/import/hprof/hprof_open.h"

#include "engine/base/memory.h"
#include "engine/heap/divide.h"
#include "engine/import/hprof/hprof_class_groups.h"
#include "engine/import/hprof/hprof_graph.h"
#include "engine/import/hprof/hprof_memory.h"
#include "engine/import/hprof/hprof_words.h"

#define DOMINATOR_SHARE 2  // of the progress: they take as long as so many walks, about
#define DOMINATOR_PHASES 3 // that begin to count anew

void mc_hprof_dump_unlink(mc_hprof_dump *dump) {
    mc_heap_unlink(&dump->heap);
    mc_hprof_root_records_deinit(&dump->roots);
}

void mc_hprof_dump_close(mc_hprof_dump *dump) {
    mc_hprof_dump_unlink(dump);
    mc_free(dump->wasted);
    mc_heap_deinit(&dump->heap);
    mc_hprof_kinds_deinit(&dump->kinds);
    mc_hprof_classes_deinit(&dump->classes);
    mc_hprof_origins_deinit(&dump->origins);
    mc_hprof_tallies_deinit(&dump->tallies);
    mc_free(dump->batches);
    mc_hprof_file_deinit(&dump->file);
    memset(dump, 0, sizeof *dump);
}

// ---- opening

static uint32_t count_walks(const mc_heap_desc *desc) {
    uint32_t count = 1;
    if (desc->has_references) count += desc->has_graph ? 1 : 2;
    if (desc->has_graph) count += 2 + DOMINATOR_SHARE;
    if (desc->has_waste) count += 2;
    if (desc->has_references || desc->has_graph || mc_grouping_has(desc->grouping, MC_GROUP_LOADER))
        count += 1;
    if (mc_grouping_has(desc->grouping, MC_GROUP_MODULE)) count += 5;
    return count;
}

static mc_result begin(mc_hprof_dump *self, const mc_heap_desc *desc, mc_error *error) {
    uint64_t heap_size = 0;
    uint32_t threads = desc->thread_count > 1 ? desc->thread_count : 1;
    self->crew.worker_count = threads < MC_HPROF_THREADS_MAX ? threads : MC_HPROF_THREADS_MAX;
    self->crew.progress = desc->progress;
    for (size_t i = 0; i < self->file.range_count; i++)
        heap_size += self->file.ranges[i].end - self->file.ranges[i].begin;
    self->walk_size = heap_size;
    self->crew.total = heap_size * count_walks(desc);
    mc_result result =
        mc_hprof_file_plan(&self->file, &self->batches, &self->batch_count, &self->crew, error);
    if (result != MC_OK) return result;
    // There is no use in more threads than there is work for.
    if (self->batch_count < self->crew.worker_count)
        self->crew.worker_count = self->batch_count > 0 ? (uint32_t)self->batch_count : 1;
    self->heap.words = &mc_hprof_words;
    self->heap.reader = self;
    self->heap.thread_count = self->crew.worker_count;
    self->heap.progress = desc->progress;
    mc_grouping grouping = mc_grouping_without(desc->grouping, MC_GROUP_STRUCTURE);
    return mc_class_groups_create(&grouping, &self->heap.groups, error);
}

mc_result mc_hprof_dump_open(mc_hprof_dump *self, const unsigned char *data, uint64_t size,
                             const mc_heap_desc *desc, mc_error *error) {
    bool has_ids = desc->has_references || desc->has_graph;
    memset(self, 0, sizeof *self);
    self->grouping = *desc->grouping;
    self->collections = desc->collections;
    self->memory_limit = desc->memory_limit;
    self->has_notes = desc->has_references;
    // Only where leaves are by object does waste ask for them.
    self->keeps_ids = self->keeps_leaves =
        desc->has_waste && mc_grouping_has(desc->grouping, MC_GROUP_STRUCTURE);
    mc_result result = mc_hprof_file_init(&self->file, data, size, desc->is_mapped, error);
    if (result == MC_OK) result = begin(self, desc, error);
    if (result == MC_OK)
        result = mc_hprof_count(&self->file, self->batches, self->batch_count, has_ids, &self->crew,
                                &self->tallies, error);
    if (result == MC_OK)
        result = mc_hprof_classes_init(&self->classes, &self->file, &self->tallies, error);
    if (result == MC_OK)
        result = mc_hprof_origins_find(&self->origins, &self->file, self->batches,
                                       self->batch_count, self->tallies.spans, &self->classes,
                                       desc->grouping, has_ids, &self->crew, error);
    if (result == MC_OK)
        result = mc_hprof_classes_group(&self->classes, &self->file, &self->tallies, &self->origins,
                                        self->heap.groups, has_ids, error);
    if (result == MC_OK)
        result = mc_hprof_kinds_init(&self->kinds, &self->classes, &self->file, &self->heap, error);
    self->heap.leaves = (mc_heap_leaves){.count = self->classes.leaf_count,
                                         .objects = self->classes.objects,
                                         .bytes = self->classes.bytes};
    self->heap.undescribed_count = self->classes.undescribed_count;
    self->report.damage = self->file.damage;
    self->report.object_count = self->tallies.object_count;
    self->report.undescribed_count = self->classes.undescribed_count;
    self->report.repeated_count = self->tallies.ids.repeated_count;
    return result;
}

// ---- linking

// Progress in vertices, phase after phase, as a share of the whole.
typedef struct link_progress {
    const mc_hprof_crew *crew;
    uint64_t begin, size; // in the crew's progress
    uint64_t last;
    uint32_t phase;
} link_progress;

static bool report_link(void *user, uint64_t done, uint64_t total) {
    link_progress *self = user;
    if (done < self->last && self->phase + 1 < DOMINATOR_PHASES) self->phase++;
    self->last = done;
    double share =
        (self->phase + (total > 0 ? (double)done / (double)total : 0)) / DOMINATOR_PHASES;
    uint64_t at = self->begin + (uint64_t)((share < 1 ? share : 1) * (double)self->size);
    return mc_progress_report(self->crew->progress, at < self->crew->total ? at : self->crew->total,
                              self->crew->total);
}

static mc_result link_heap(mc_hprof_dump *self, mc_error *error) {
    link_progress link = {.crew = &self->crew,
                          .begin = atomic_load(&self->crew.done),
                          .size = DOMINATOR_SHARE * self->walk_size};
    mc_progress progress = {report_link, &link};
    mc_result result = mc_heap_link(&self->heap, &progress, error);
    atomic_fetch_add(&self->crew.done, link.size);
    return result;
}

// By class, or by data structure as well.
static mc_result list_groups(mc_hprof_dump *self, mc_error *error) {
    uint32_t level = mc_grouping_find(&self->grouping, MC_GROUP_STRUCTURE);
    mc_heap_groups *groups;
    mc_result result;
    if (level == MC_NONE) {
        result = mc_heap_list_groups(&self->heap, error);
    } else {
        result = mc_class_groups_create(&self->grouping, &groups, error);
        if (result == MC_OK) result = mc_heap_divide(&self->heap, groups, level, error);
    }
    // Which of two objects with one id a reference means is a question of leaves, else.
    bool is_by_object = level != MC_NONE || self->report.repeated_count == 0;
    if (result == MC_OK && self->keeps_leaves && is_by_object)
        result = mc_heap_list_leaves(&self->heap, error);
    return result;
}

static mc_result check_memory(mc_hprof_dump *self, mc_error *error) {
    mc_text text = {0};
    self->report.need = mc_hprof_need_get(self);
    if (mc_hprof_need_fits(&self->report.need)) return MC_OK;
    mc_hprof_need_append(&self->report.need, &text);
    mc_fail(error, MC_ERROR_OUT_OF_MEMORY, "%s", text.failed ? "out of memory" : text.data);
    mc_text_deinit(&text);
    return MC_ERROR_OUT_OF_MEMORY;
}

mc_result mc_hprof_dump_link(mc_hprof_dump *self, mc_error *error) {
    mc_result result = check_memory(self, error);
    if (result != MC_OK) return result;
    // Of objects with one id the graph has but one.
    if (self->has_notes && self->report.repeated_count > 0) {
        self->has_notes = false;
        self->keeps_ids = self->keeps_leaves = true;
    }
    // Structures are named by their roots.
    bool has_notes = self->has_notes || mc_grouping_has(&self->grouping, MC_GROUP_STRUCTURE);
    result = mc_hprof_build_graph(self, has_notes, error);
    self->report.root_count = self->heap.root_count;
    if (!self->keeps_ids) mc_hprof_ids_deinit(&self->tallies.ids);
    if (result == MC_OK) result = link_heap(self, error);
    if (result != MC_OK) return result;
    self->report.unreached_count = mc_heap_count_unreached(&self->heap);
    return list_groups(self, error);
}
