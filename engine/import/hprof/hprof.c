#include "engine/import/hprof/hprof.h"

#include "engine/base/memory.h"
#include "engine/heap/owner_profile.h"
#include "engine/heap/path_step.h"
#include "engine/heap/references.h"
#include "engine/heap/step.h"
#include "engine/import/hprof/hprof_memory.h"
#include "engine/import/hprof/hprof_open.h"
#include "engine/import/hprof/hprof_references.h"
#include "engine/import/hprof/hprof_wasted_bytes.h"

void mc_hprof_step_deinit(mc_hprof_step *step) {
    mc_step_tree_deinit(&step->tree);
    mc_reference_map_deinit(&step->points_to);
    mc_reference_map_deinit(&step->pointed_from);
    mc_step_referrers_deinit(&step->referrers);
    mc_step_paths_deinit(&step->paths);
    mc_step_owners_deinit(&step->owners);
    mc_text_deinit(&step->thrower);
}

// ---- references

// The roots of objects in the graph, whose numbers are still there.
static bool note_roots(const mc_hprof_dump *dump, mc_hprof_root_notes *roots) {
    bool is_done = true;
    for (size_t i = 0; i < dump->roots.count && is_done; i++) {
        uint32_t leaf = mc_heap_get_leaf(&dump->heap, dump->roots.items[i].target);
        is_done = leaf == MC_NONE || mc_hprof_root_notes_add(roots, dump->roots.items[i].record,
                                                             dump->file.id_size, leaf);
    }
    return is_done;
}

static mc_result count_by_graph(mc_hprof_dump *dump, mc_heap_references *references,
                                mc_hprof_root_notes *roots, mc_error *error) {
    if (!note_roots(dump, roots)) return mc_error_out_of_memory(error);
    mc_result result = mc_heap_count_references(&dump->heap, references, error);
    references->report.dangling_count += dump->dangling_count;
    atomic_fetch_add(&dump->crew.done, dump->walk_size);
    return result;
}

static mc_result add_references(mc_hprof_dump *dump, const mc_heap_references *references,
                                const mc_hprof_root_notes *notes, const uint32_t *tree_nodes,
                                mc_hprof_step *step, mc_error *error) {
    mc_heap_step into = {&step->points_to, &step->pointed_from, &step->referrers};
    mc_heap_leaf_roots roots = {0};
    mc_hprof_lookup lookup = mc_hprof_dump_begin_lookup(dump, &dump->crew, error);
    mc_result result =
        mc_hprof_roots_tell(&roots, notes, &lookup, &step->referrers.names, &step->thrower, error);
    step->tree.note = step->thrower.size > 0 ? mc_text_get(&step->thrower) : NULL;
    if (result == MC_OK)
        result = mc_heap_add_references(&dump->heap, references, &roots, tree_nodes, &into, error);
    step->points_to.time_ms = step->pointed_from.time_ms = dump->file.time_ms;
    mc_hprof_lookup_deinit(&lookup);
    mc_heap_leaf_roots_deinit(&roots);
    return result;
}

static mc_result find_references(mc_hprof_dump *dump, bool is_by_graph, const uint32_t *tree_nodes,
                                 mc_hprof_step *step, mc_error *error) {
    mc_heap_references references = {0};
    mc_hprof_root_notes roots = {0};
    mc_result result = is_by_graph ? count_by_graph(dump, &references, &roots, error)
                                   : mc_hprof_find_references(dump, &references, &roots, error);
    dump->report.reference_count = references.report.count;
    dump->report.dangling_count = references.report.dangling_count;
    if (result == MC_OK)
        result = add_references(dump, &references, &roots, tree_nodes, step, error);
    mc_heap_references_deinit(&references);
    mc_hprof_root_notes_deinit(&roots);
    return result;
}

// ---- all of it

static mc_result add_waste(mc_hprof_dump *dump, const uint32_t *tree_nodes, mc_step_tree *tree,
                           mc_error *error) {
    mc_result result = MC_OK;
    if (!dump->wasted) result = mc_hprof_count_wasted_bytes(dump, &dump->wasted, error);
    if (result != MC_OK) return result;
    return mc_heap_add_waste(&dump->heap, dump->wasted, tree_nodes, tree, error);
}

static mc_result make_tree(const mc_hprof_dump *dump, mc_step_tree *tree, uint32_t **tree_nodes,
                           mc_error *error) {
    const mc_heap *heap = &dump->heap;
    *tree_nodes = mc_alloc_scattered((size_t)mc_heap_groups_get_group_count(heap->groups) + 1,
                                     sizeof **tree_nodes);
    if (!*tree_nodes) return mc_error_out_of_memory(error);
    mc_result result = mc_heap_groups_fill_tree(heap->groups, heap->leaves.objects,
                                                heap->leaves.bytes, NULL, tree, *tree_nodes, error);
    tree->time_ms = dump->file.time_ms;
    return result;
}

// The graph takes most of the memory, and goes before what follows takes some.
static mc_result read_heap(mc_hprof_dump *dump, const mc_heap_desc *desc, bool has_retained,
                           mc_hprof_step *step, mc_error *error) {
    uint32_t *tree_nodes = NULL;
    dump->heap.keeps_spares = desc->has_paths;
    dump->has_waste = desc->has_waste && !mc_grouping_has(desc->grouping, MC_GROUP_STRUCTURE);
    mc_result result = desc->has_graph ? mc_hprof_dump_link(dump, error) : MC_OK;
    if (result == MC_OK) result = make_tree(dump, &step->tree, &tree_nodes, error);
    if (result == MC_OK && has_retained)
        result = mc_heap_add_retained(&dump->heap, tree_nodes, &step->tree, error);
    if (result == MC_OK && desc->has_paths)
        result = mc_heap_add_paths(&dump->heap, tree_nodes, &step->paths, error);
    if (result == MC_OK && desc->has_owners && dump->heap.root_count > 0)
        result = mc_heap_add_owners(&dump->heap, tree_nodes, &step->owners, NULL, error);
    bool is_by_graph = desc->has_graph && dump->has_notes;
    if (result == MC_OK && is_by_graph)
        result = find_references(dump, true, tree_nodes, step, error);
    mc_hprof_dump_unlink(dump);
    if (result == MC_OK && desc->has_waste)
        result = add_waste(dump, tree_nodes, &step->tree, error);
    if (result == MC_OK && desc->has_references && !is_by_graph)
        result = find_references(dump, false, tree_nodes, step, error);
    mc_free(tree_nodes);
    return result;
}

// A step without what takes a graph is better than none, but for leaves that depend on it.
static bool leave_graph_out(mc_hprof_dump *dump, mc_heap_desc *desc) {
    if (!desc->has_graph || mc_grouping_has(desc->grouping, MC_GROUP_STRUCTURE)) return false;
    dump->report.need = mc_hprof_need_get(dump);
    if (mc_hprof_need_fits(&dump->report.need)) return false;
    dump->report.lacks_memory = true;
    desc->has_graph = desc->has_paths = desc->has_owners = false;
    return true;
}

mc_result mc_hprof_read(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                        mc_hprof_step *step, mc_error *error) {
    mc_heap_desc all = *desc;
    mc_hprof_dump dump;
    if (mc_grouping_has(desc->grouping, MC_GROUP_STRUCTURE) || desc->has_paths || desc->has_owners)
        all.has_graph = true;
    mc_step_referrers_reset(&step->referrers);
    mc_text_clear(&step->thrower);
    mc_step_paths_reset(&step->paths);
    mc_step_owners_reset(&step->owners);
    mc_result result = mc_hprof_dump_open(&dump, data, size, &all, error);
    bool has_retained = desc->has_graph;
    if (result == MC_OK && leave_graph_out(&dump, &all)) has_retained = false;
    if (result == MC_OK) result = read_heap(&dump, &all, has_retained, step, error);
    step->report = dump.report;
    mc_hprof_dump_close(&dump);
    return result;
}
