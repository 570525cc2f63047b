#include "engine/import/hprof/hprof_heap.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_graph_names.h"

#define DOMINATOR_SHARE 2  // of the progress: they take as long as so many walks, about
#define DOMINATOR_PHASES 3 // that begin to count anew

void mc_hprof_heap_unlink(mc_hprof_heap *heap) {
    mc_free(heap->group_of);
    mc_free(heap->group_parents);
    heap->group_of = heap->group_parents = NULL;
    mc_vertex_sizes_deinit(&heap->sizes);
    mc_dominator_tree_deinit(&heap->tree);
    mc_hprof_graph_deinit(&heap->graph);
    mc_hprof_graph_notes_deinit(&heap->notes);
}

void mc_hprof_heap_close(mc_hprof_heap *heap) {
    mc_hprof_heap_unlink(heap);
    mc_hprof_leaves_deinit(&heap->leaves);
    mc_hprof_classes_deinit(&heap->classes);
    mc_hprof_origins_deinit(&heap->origins);
    mc_heap_groups_destroy(heap->groups);
    mc_hprof_tallies_deinit(&heap->tallies);
    mc_free(heap->batches);
    mc_hprof_file_deinit(&heap->file);
    memset(heap, 0, sizeof *heap);
}

// ---- opening

static uint32_t count_walks(const mc_hprof_desc *desc) {
    uint32_t count = 1;
    if (desc->has_references) count += desc->has_graph ? 1 : 2;
    if (desc->has_graph) count += 2 + DOMINATOR_SHARE;
    if (desc->has_waste) count += 2;
    if (desc->has_references || desc->has_graph || mc_grouping_has(desc->grouping, MC_GROUP_LOADER))
        count += 1;
    if (mc_grouping_has(desc->grouping, MC_GROUP_MODULE)) count += 5;
    return count;
}

static mc_result begin(mc_hprof_heap *self, const mc_hprof_desc *desc, mc_error *error) {
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
    mc_grouping grouping = mc_grouping_without(desc->grouping, MC_GROUP_STRUCTURE);
    return mc_class_groups_create(&grouping, &self->groups, error);
}

mc_result mc_hprof_heap_open(mc_hprof_heap *self, const unsigned char *data, uint64_t size,
                             const mc_hprof_desc *desc, mc_error *error) {
    bool has_ids = desc->has_references || desc->has_graph;
    memset(self, 0, sizeof *self);
    self->grouping = *desc->grouping;
    self->collections = desc->collections;
    self->has_notes = desc->has_references;
    self->keeps_ids = desc->has_waste;
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
                                        self->groups, has_ids, error);
    if (result == MC_OK) self->leaves = mc_hprof_leaves_of_classes(&self->classes);
    self->report.damage = self->file.damage;
    self->report.object_count = self->tallies.object_count;
    self->report.undescribed_count = self->classes.undescribed_count;
    self->report.repeated_count = self->tallies.ids.repeated_count;
    return result;
}

// ---- linking

bool mc_hprof_heap_list_parents(mc_hprof_heap *self) {
    uint32_t count = mc_heap_groups_get_group_count(self->groups);
    mc_free(self->group_parents);
    self->group_parents = mc_alloc(count, sizeof *self->group_parents);
    if (!self->group_parents) return false;
    for (uint32_t i = 0; i < count; i++)
        self->group_parents[i] = mc_heap_groups_get_parent(self->groups, i);
    return true;
}

static void group_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const mc_hprof_heap *self = user;
    const mc_graph *graph = &self->graph.graph;
    (void)thread;
    for (uint32_t at = begin; at < end; at = mc_graph_skip(graph, at)) {
        uint32_t leaf = self->graph.kinds[mc_graph_get_kind(graph, at)].leaf;
        self->group_of[mc_graph_get_number(graph, at)] =
            leaf == MC_NONE ? MC_NONE : mc_heap_groups_get_group(self->groups, leaf);
    }
}

static mc_result list_groups(mc_hprof_heap *self, mc_error *error) {
    self->group_of = mc_alloc(self->tree.count, sizeof *self->group_of);
    if (!self->group_of || !mc_hprof_heap_list_parents(self)) return mc_error_out_of_memory(error);
    mc_graph_scan(&self->graph.graph, self->crew.worker_count, group_range, self);
    return MC_OK;
}

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

static mc_result find_dominators(mc_hprof_heap *self, mc_error *error) {
    link_progress link = {.crew = &self->crew,
                          .begin = atomic_load(&self->crew.done),
                          .size = DOMINATOR_SHARE * self->walk_size};
    mc_progress progress = {report_link, &link};
    mc_result result = mc_dominator_tree_init(&self->tree, &self->graph.graph,
                                              self->crew.worker_count, &progress, error);
    atomic_fetch_add(&self->crew.done, link.size);
    return result;
}

mc_result mc_hprof_heap_link(mc_hprof_heap *self, mc_error *error) {
    mc_hprof_graph_desc desc = {.file = &self->file,
                                .batches = self->batches,
                                .batch_count = self->batch_count,
                                .classes = &self->classes,
                                .ids = &self->tallies.ids,
                                .crew = &self->crew};
    // Of objects with one id the graph has but one.
    if (self->has_notes && self->report.repeated_count > 0) {
        self->has_notes = false;
        self->keeps_ids = true;
    }
    // Structures are named by their roots.
    if (self->has_notes || mc_grouping_has(&self->grouping, MC_GROUP_STRUCTURE))
        desc.notes = &self->notes;
    const mc_graph *graph = &self->graph.graph;
    mc_result result = mc_hprof_graph_init(&self->graph, &desc, error);
    self->report.root_count = self->graph.root_count;
    if (!self->keeps_ids) mc_hprof_ids_deinit(&self->tallies.ids);
    if (result == MC_OK) result = find_dominators(self, error);
    if (result == MC_OK)
        result = mc_vertex_sizes_init(&self->sizes, graph, self->crew.worker_count, error);
    if (result != MC_OK) return result;
    self->report.unreached_count = mc_hprof_heap_count_unreached(self);
    // Else dividing makes the groups.
    return mc_grouping_has(&self->grouping, MC_GROUP_STRUCTURE) ? MC_OK : list_groups(self, error);
}

// ---- asking

uint64_t mc_hprof_heap_count_unreached(const mc_hprof_heap *self) {
    return self->tree.count - self->tree.reachable;
}

mc_vertex_groups mc_hprof_heap_get_groups(const mc_hprof_heap *self) {
    return (mc_vertex_groups){self->group_of, mc_heap_groups_get_group_count(self->groups),
                              self->group_parents};
}

mc_result mc_hprof_heap_retain(const mc_hprof_heap *self, mc_group_sum *retained, mc_error *error) {
    mc_vertex_groups groups = mc_hprof_heap_get_groups(self);
    return mc_retained_sum(&self->tree, &self->sizes, &groups, self->crew.worker_count,
                           self->crew.progress, retained, error);
}

mc_result mc_hprof_heap_demolish(const mc_hprof_heap *self, const bool *is_gone,
                                 const mc_group_link *cuts, uint32_t cut_count, mc_group_sum *freed,
                                 mc_error *error) {
    mc_vertex_groups groups = mc_hprof_heap_get_groups(self);
    mc_reach_desc desc = {.graph = &self->graph.graph,
                          .tree = &self->tree,
                          .groups = &groups,
                          .is_gone = is_gone,
                          .cuts = cuts,
                          .cut_count = cut_count,
                          .thread_count = self->crew.worker_count,
                          .progress = self->crew.progress};
    return mc_reach_measure(&desc, freed, error);
}

mc_result mc_hprof_heap_find_paths(const mc_hprof_heap *self, const bool *is_target,
                                   mc_paths *paths, mc_error *error) {
    mc_vertex_groups groups = mc_hprof_heap_get_groups(self);
    mc_paths_desc desc = {.graph = &self->graph.graph,
                          .tree = &self->tree,
                          .sizes = &self->sizes,
                          .groups = &groups,
                          .is_target = is_target,
                          .root_edges = self->graph.lasting_root_count,
                          .progress = self->crew.progress};
    return mc_paths_find(paths, &desc, error);
}

void mc_hprof_heap_append_path_field(const mc_hprof_heap *self, const mc_paths *paths,
                                     uint32_t node, mc_text *text) {
    const mc_path_node *entry = &paths->nodes[node];
    if (entry->parent == MC_NONE || entry->parent == 0) return;
    mc_hprof_field field = mc_hprof_graph_get_field(&self->graph, &self->classes, &self->file,
                                                    paths->nodes[entry->parent].kind, entry->slot);
    mc_hprof_append_field(&self->classes, &self->file, &field, false, text);
}

void mc_hprof_heap_append_path_class(const mc_hprof_heap *self, const mc_paths *paths,
                                     uint32_t node, mc_text *text) {
    mc_hprof_graph_append_kind(&self->graph, &self->classes, paths->nodes[node].kind, text);
}

void mc_hprof_heap_append_path_node(const mc_hprof_heap *self, const mc_paths *paths, uint32_t node,
                                    mc_text *text) {
    size_t begin = text->size;
    mc_hprof_heap_append_path_field(self, paths, node, text);
    if (text->size > begin) mc_text_append_string(text, " -> ");
    mc_hprof_heap_append_path_class(self, paths, node, text);
}
