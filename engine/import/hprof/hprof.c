#include "engine/import/hprof/hprof.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_classes.h"
#include "engine/import/hprof/hprof_origins.h"
#include "engine/import/hprof/hprof_references.h"
#include <inttypes.h>

typedef struct reader {
    const mc_hprof_desc *desc;
    mc_hprof_file file;
    mc_hprof_batch *batches;
    size_t batch_count;
    mc_hprof_crew crew;
    mc_hprof_tallies tallies;
    mc_class_groups *groups;
    mc_hprof_classes classes;
    mc_hprof_origins origins;
    mc_hprof_pairs pairs;
    mc_hprof_report report;
    mc_error *error;
} reader;

void mc_hprof_step_deinit(mc_hprof_step *step) {
    mc_step_tree_deinit(&step->tree);
    mc_reference_map_deinit(&step->points_to);
    mc_reference_map_deinit(&step->pointed_from);
}

// ---- what comes out

static bool append_key(const mc_class_groups *groups, uint32_t leaf, uint64_t *offsets,
                       uint32_t *sizes, mc_text *text) {
    if (sizes[leaf] > 0) return true;
    offsets[leaf] = text->size;
    mc_class_groups_append_full_key(groups, leaf, text);
    sizes[leaf] = (uint32_t)(text->size - offsets[leaf]);
    return !text->failed;
}

// One direction: an entry a pair, each full key once in the text.
static bool fill_map(const reader *self, mc_reference_map *map, bool is_points_to,
                     uint64_t *offsets, uint32_t *sizes) {
    mc_reference_map_reset(map);
    map->time_ms = self->file.time_ms;
    memset(sizes, 0, self->classes.leaf_count * sizeof *sizes);
    for (size_t i = 0; i < self->pairs.count; i++) {
        const mc_hprof_pair *pair = &self->pairs.slots[i];
        uint32_t from = (uint32_t)(pair->key >> 32), to = (uint32_t)pair->key;
        uint32_t outer = is_points_to ? from : to, inner = is_points_to ? to : from;
        if (!append_key(self->groups, outer, offsets, sizes, &map->text) ||
            !append_key(self->groups, inner, offsets, sizes, &map->text))
            return false;
        mc_reference_entry entry = {.outer_offset = offsets[outer],
                                    .inner_offset = offsets[inner],
                                    .outer_size = sizes[outer],
                                    .inner_size = sizes[inner],
                                    .count = is_points_to ? pair->points_to : pair->pointed_from};
        if (!mc_reference_map_add(map, entry)) return false;
    }
    return true;
}

static mc_result fill_maps(const reader *self, mc_hprof_step *step) {
    size_t count = (size_t)self->classes.leaf_count + 1;
    uint64_t *offsets = mc_alloc(count, sizeof *offsets);
    uint32_t *sizes = mc_alloc(count, sizeof *sizes);
    bool is_done = offsets && sizes && fill_map(self, &step->points_to, true, offsets, sizes) &&
                   fill_map(self, &step->pointed_from, false, offsets, sizes);
    mc_free(offsets);
    mc_free(sizes);
    return is_done ? MC_OK : mc_error_out_of_memory(self->error);
}

// ---- the walks

static mc_result begin(reader *self) {
    uint64_t heap_size = 0;
    uint32_t threads = self->desc->thread_count;
    if (threads < 1) threads = 1;
    self->crew.worker_count = threads < MC_HPROF_THREADS_MAX ? threads : MC_HPROF_THREADS_MAX;
    self->crew.progress = self->desc->progress;
    for (size_t i = 0; i < self->file.range_count; i++)
        heap_size += self->file.ranges[i].end - self->file.ranges[i].begin;
    uint32_t walk_count = self->desc->has_references ? 3 : 1;
    if (mc_grouping_has(self->desc->grouping, MC_GROUP_LOADER)) walk_count += 1;
    if (mc_grouping_has(self->desc->grouping, MC_GROUP_MODULE)) walk_count += 5;
    self->crew.total = heap_size * walk_count;
    mc_result result = mc_hprof_file_plan(&self->file, &self->batches, &self->batch_count,
                                          &self->crew, self->error);
    if (result != MC_OK) return result;
    // There is no use in more threads than there is work for.
    if (self->batch_count < self->crew.worker_count)
        self->crew.worker_count = self->batch_count > 0 ? (uint32_t)self->batch_count : 1;
    return mc_class_groups_create(self->desc->grouping, &self->groups, self->error);
}

static mc_result find_references(reader *self, mc_hprof_step *step) {
    mc_hprof_reference_report report = {0};
    mc_result result = mc_hprof_find_references(&self->file, self->batches, self->batch_count,
                                                &self->classes, &self->tallies.ids, &self->crew,
                                                &self->pairs, &report, self->error);
    self->report.reference_count = report.count;
    self->report.dangling_count = report.dangling_count;
    return result == MC_OK ? fill_maps(self, step) : result;
}

static mc_result read_heap(reader *self, mc_hprof_step *step) {
    bool has_references = self->desc->has_references;
    mc_result result = begin(self);
    if (result == MC_OK)
        result = mc_hprof_count(&self->file, self->batches, self->batch_count, has_references,
                                &self->crew, &self->tallies, self->error);
    if (result == MC_OK)
        result = mc_hprof_classes_init(&self->classes, &self->file, &self->tallies, self->error);
    if (result == MC_OK)
        result =
            mc_hprof_origins_find(&self->origins, &self->file, self->batches, self->batch_count,
                                  &self->classes, self->desc->grouping, &self->crew, self->error);
    if (result == MC_OK)
        result = mc_hprof_classes_group(&self->classes, &self->file, &self->tallies, &self->origins,
                                        self->groups, has_references, self->error);
    if (result == MC_OK)
        result = mc_class_groups_fill_tree(self->groups, self->classes.objects, self->classes.bytes,
                                           NULL, &step->tree, self->error);
    if (result != MC_OK) return result;
    step->tree.time_ms = self->file.time_ms;
    self->report.damage = self->file.damage;
    self->report.object_count = self->tallies.object_count;
    self->report.undescribed_count = self->classes.undescribed_count;
    self->report.repeated_count = self->tallies.ids.repeated_count;
    return has_references ? find_references(self, step) : MC_OK;
}

mc_result mc_hprof_read(const unsigned char *data, uint64_t size, const mc_hprof_desc *desc,
                        mc_hprof_step *step, mc_error *error) {
    reader self = {.desc = desc, .error = error};
    mc_result result = mc_hprof_file_init(&self.file, data, size, desc->is_mapped, error);
    if (result == MC_OK) result = read_heap(&self, step);
    step->report = self.report;
    mc_hprof_pairs_deinit(&self.pairs);
    mc_hprof_classes_deinit(&self.classes);
    mc_hprof_origins_deinit(&self.origins);
    mc_class_groups_destroy(self.groups);
    mc_hprof_tallies_deinit(&self.tallies);
    mc_free(self.batches);
    mc_hprof_file_deinit(&self.file);
    return result;
}

void mc_hprof_report_append_damage(const mc_hprof_report *report, uint64_t size, mc_text *text) {
    const mc_hprof_damage *damage = &report->damage;
    switch (damage->kind) {
    case MC_HPROF_WHOLE: return;
    case MC_HPROF_DAMAGE_NO_END:
        mc_text_format(text, "the dump is cut off at its end, byte %" PRIu64, size);
        break;
    case MC_HPROF_DAMAGE_CUT:
        mc_text_format(text, "the record at byte %" PRIu64 " is cut off", damage->offset);
        break;
    default: mc_text_format(text, "byte %" PRIu64 " begins no record", damage->offset);
    }
    if (damage->lost_size > 0)
        mc_text_format(text, "; %" PRIu64 " of %" PRIu64 " bytes are left out", damage->lost_size,
                       size);
}
