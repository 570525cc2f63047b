#include "engine/import/objects/object_step.h"

#include "engine/base/memory.h"
#include "engine/base/progress_part.h"
#include "engine/heap/owner_profile.h"
#include "engine/heap/path_step.h"
#include "engine/heap/references.h"
#include "engine/import/objects/object_news.h"
#include <string.h>

#define LINK_SHARE 0.5 // of all progress
#define REST_PHASES 4u // about: retained sets, paths, owners, references

void mc_object_step_deinit(mc_object_step *step) {
    mc_step_tree_deinit(&step->tree);
    mc_reference_map_deinit(&step->points_to);
    mc_reference_map_deinit(&step->pointed_from);
    mc_step_referrers_deinit(&step->referrers);
    mc_step_paths_deinit(&step->paths);
    mc_step_owners_deinit(&step->owners);
    mc_step_owners_deinit(&step->first_owners);
    mc_free(step->first_nodes);
}

static mc_result make_tree(const mc_heap *heap, mc_step_tree *tree, uint32_t **tree_nodes,
                           mc_error *error) {
    *tree_nodes = mc_alloc_scattered((size_t)mc_heap_groups_get_group_count(heap->groups) + 1,
                                     sizeof **tree_nodes);
    if (!*tree_nodes) return mc_error_out_of_memory(error);
    return mc_heap_groups_fill_tree(heap->groups, heap->leaves.objects, heap->leaves.bytes, NULL,
                                    tree, *tree_nodes, error);
}

static bool list_roots(const mc_object_heap *self, mc_strings *names, mc_heap_leaf_roots *roots) {
    for (size_t i = 0; i < self->root_count; i++) {
        const mc_object_root *root = &self->roots[i];
        uint32_t leaf = mc_heap_get_leaf(&self->heap, root->position);
        if (leaf == MC_NONE) continue;
        const char *text = mc_root_kind_names[root->kind];
        size_t size = strlen(text);
        if (root->name != MC_NONE) text = mc_strings_get(&self->texts, root->name, &size);
        uint32_t name = mc_strings_intern(names, text, size);
        if (name == MC_NONE ||
            !mc_heap_leaf_roots_add(roots, (mc_heap_leaf_root){leaf, root->kind, name, 1}))
            return false;
    }
    return true;
}

static mc_result add_references(mc_object_heap *self, const uint32_t *tree_nodes,
                                mc_object_step *step, mc_error *error) {
    mc_heap_step into = {&step->points_to, &step->pointed_from, &step->referrers};
    mc_heap_references references = {0};
    mc_heap_leaf_roots roots = {0};
    mc_result result = list_roots(self, &step->referrers.names, &roots)
                           ? mc_heap_count_references(&self->heap, &references, error)
                           : mc_error_out_of_memory(error);
    if (result == MC_OK)
        result = mc_heap_add_references(&self->heap, &references, &roots, tree_nodes, &into, error);
    mc_heap_references_deinit(&references);
    mc_heap_leaf_roots_deinit(&roots);
    return result;
}

static mc_result add_all(mc_object_heap *self, const mc_heap_desc *desc, const uint32_t *tree_nodes,
                         mc_object_step *step, mc_error *error) {
    mc_heap *heap = &self->heap;
    const mc_progress *whole = heap->progress;
    mc_progress_part of_link = {.whole = whole, .share = LINK_SHARE};
    mc_progress_part of_rest = {whole, LINK_SHARE, 1 - LINK_SHARE};
    const mc_progress linking = mc_progress_part_get(&of_link);
    const mc_progress rest = mc_progress_part_get(&of_rest);
    mc_progress_phases phases = {.whole = &rest, .count = REST_PHASES};
    const mc_progress progress = mc_progress_phases_get(&phases);
    const mc_heap_owners_before before = {step->first_nodes, &step->first_owners};
    heap->keeps_spares = desc->has_paths;
    heap->progress = &linking;
    mc_result result = mc_object_heap_link(self, error);
    heap->progress = &progress;
    if (result == MC_OK && desc->has_graph)
        result = mc_heap_add_retained(heap, tree_nodes, &step->tree, error);
    if (result == MC_OK && desc->has_paths)
        result = mc_heap_add_paths(heap, tree_nodes, &step->paths, error);
    if (result == MC_OK && desc->has_owners && heap->root_count > 0)
        result = mc_heap_add_owners(heap, tree_nodes, &step->owners,
                                    step->first_nodes ? &before : NULL, error);
    if (result == MC_OK && desc->has_references)
        result = add_references(self, tree_nodes, step, error);
    heap->progress = whole;
    mc_object_heap_unlink(self);
    return result;
}

mc_result mc_object_step_make(mc_object_heap *heap, const mc_heap_desc *desc, const uint64_t *news,
                              mc_object_step *step, mc_error *error) {
    uint32_t *tree_nodes = NULL;
    bool is_linked = desc->has_graph || desc->has_paths || desc->has_owners || desc->has_references;
    mc_step_referrers_reset(&step->referrers);
    mc_step_paths_reset(&step->paths);
    mc_step_owners_reset(&step->owners);
    mc_step_owners_reset(&step->first_owners);
    mc_result result = make_tree(&heap->heap, &step->tree, &tree_nodes, error);
    if (result == MC_OK && news && !mc_object_news_add(heap, news, tree_nodes, &step->tree))
        result = mc_error_out_of_memory(error);
    if (result == MC_OK && is_linked) result = add_all(heap, desc, tree_nodes, step, error);
    mc_free(tree_nodes);
    return result;
}
