#include "engine/heap/step.h"

#include "engine/base/memory.h"
#include "engine/trace/side_table.h"
#include <stdlib.h>
#include <string.h>

#define ROOT_TEXTS_MAX 10 // of a leaf and kind; the others are counted together

// ---- metrics

static uint32_t add_metric(mc_step_tree *tree, const char *key, const char *title, mc_unit unit,
                           bool is_additive) {
    mc_metric_info info = {.key = key,
                           .title = title,
                           .key_size = strlen(key),
                           .title_size = strlen(title),
                           .unit = unit,
                           .kind = MC_METRIC_STOCK,
                           .is_additive = is_additive,
                           .says = MC_METRIC_SAYS_ALL};
    return mc_step_tree_add_metric(tree, &info);
}

mc_result mc_heap_add_retained(const mc_heap *heap, const uint32_t *tree_nodes, mc_step_tree *tree,
                               mc_error *error) {
    uint32_t count = mc_heap_groups_get_group_count(heap->groups);
    mc_group_sum *sums = mc_alloc_scattered(count, sizeof *sums);
    mc_metric_info info = mc_metric_info_of_key(mc_metric_retained, strlen(mc_metric_retained));
    uint32_t bytes = mc_step_tree_add_metric(tree, &info);
    uint32_t objects =
        add_metric(tree, "retained_objects", "retained objects", MC_UNIT_COUNT, false);
    bool is_done = sums && bytes != MC_NONE && objects != MC_NONE;
    mc_result result = is_done ? mc_heap_retain(heap, sums, error) : mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        if (tree_nodes[i] == MC_NONE) continue;
        if (!mc_step_tree_set_value(tree, bytes, tree_nodes[i], sums[i].size) ||
            !mc_step_tree_set_value(tree, objects, tree_nodes[i], sums[i].count))
            result = mc_error_out_of_memory(error);
    }
    mc_free(sums);
    return result;
}

// ---- waste

static const struct {
    const char *key, *title;
} waste_metrics[MC_HEAP_WASTE_COUNT] = {
    [MC_HEAP_WASTE_EMPTY_SLOTS] = {"empty_slots", "empty slots of arrays"},
    [MC_HEAP_WASTE_EMPTY_COLLECTIONS] = {"empty_collections", "empty collections"},
    [MC_HEAP_WASTE_DUPLICATES] = {"duplicates", "duplicate arrays"},
    [MC_HEAP_WASTE_BOXED] = {"boxed", "boxed numbers"},
    [MC_HEAP_WASTE_BUILDERS] = {"builders", "unused room of string builders"}};

// No byte is of two kinds, so that their sum is what is wasted.
static bool fill_waste(const mc_heap *heap, const mc_group_sum *sums, const uint32_t *tree_nodes,
                       mc_step_tree *tree) {
    uint32_t parts[MC_HEAP_WASTE_COUNT];
    uint32_t all = add_metric(tree, "waste", "wasted", MC_UNIT_BYTES, true);
    bool is_done = all != MC_NONE;
    for (uint32_t kind = 0; kind < MC_HEAP_WASTE_COUNT && is_done; kind++) {
        parts[kind] = add_metric(tree, waste_metrics[kind].key, waste_metrics[kind].title,
                                 MC_UNIT_BYTES, true);
        is_done = parts[kind] != MC_NONE;
    }
    for (uint32_t leaf = 0; leaf < heap->leaves.count && is_done; leaf++) {
        uint32_t node = tree_nodes[mc_heap_groups_get_group(heap->groups, leaf)];
        uint64_t sum = 0;
        if (node == MC_NONE) continue;
        for (uint32_t kind = 0; kind < MC_HEAP_WASTE_COUNT && is_done; kind++) {
            uint64_t size = sums[(size_t)leaf * MC_HEAP_WASTE_COUNT + kind].size;
            is_done = mc_step_tree_set_value(tree, parts[kind], node, size);
            sum += size;
        }
        is_done = is_done && mc_step_tree_set_value(tree, all, node, sum);
    }
    return is_done;
}

mc_result mc_heap_add_waste(const mc_heap *heap, const mc_group_sum *sums,
                            const uint32_t *tree_nodes, mc_step_tree *tree, mc_error *error) {
    return fill_waste(heap, sums, tree_nodes, tree) ? MC_OK : mc_error_out_of_memory(error);
}

// ---- references

typedef struct filler {
    const mc_heap *heap;
    const mc_heap_references *references;
    const uint32_t *tree_nodes;
    mc_heap_leaf_roots *roots;
    mc_heap_step *step;
    mc_text text;
} filler;

// MC_NONE: none, which is so only where the input changed since its objects were counted.
static uint32_t get_node(const filler *self, uint32_t leaf) {
    if (leaf == MC_NONE) return MC_NONE;
    return self->tree_nodes[mc_heap_groups_get_group(self->heap->groups, leaf)];
}

// One direction: an entry a pair.
static bool fill_map(const filler *self, mc_reference_map *map, bool is_points_to) {
    mc_reference_map_reset(map);
    map->is_by_node = true;
    for (size_t i = 0; i < self->references->pairs.count; i++) {
        const mc_heap_pair *pair = &self->references->pairs.slots[i];
        uint32_t from = get_node(self, (uint32_t)(pair->key >> 32));
        uint32_t to = get_node(self, (uint32_t)pair->key);
        if (from == MC_NONE || to == MC_NONE) continue;
        mc_reference_entry entry = {.outer_offset = is_points_to ? from : to,
                                    .inner_offset = is_points_to ? to : from,
                                    .count = is_points_to ? pair->points_to : pair->pointed_from};
        if (!mc_reference_map_add(map, entry)) return false;
    }
    return true;
}

// ---- fields

// Kinds of one leaf may have inherited one field, and two of one name be in a leaf.
static void sort_fields(mc_step_referrers *referrers) {
    mc_side_rows rows = {referrers->fields, (uint32_t)referrers->field_count};
    mc_side_rows_add_up(MC_SIDE_FIELDS, &rows);
    mc_side_rows_rank(MC_SIDE_FIELDS, &rows, &referrers->names);
    referrers->field_count = rows.count;
}

// MC_NONE if memory is out.
static uint32_t name_link(filler *self, uint32_t link, mc_heap_wording wording,
                          mc_heap_link_kind *link_kind) {
    uint32_t slot, kind = mc_heap_find_link(self->heap, link, &slot);
    mc_text_clear(&self->text);
    *link_kind =
        self->heap->words->append_link(self->heap->reader, kind, slot, wording, &self->text);
    if (self->text.failed) return MC_NONE;
    return mc_strings_intern(&self->step->referrers->names, self->text.data, self->text.size);
}

static bool add_field(filler *self, const mc_heap_pair *pair) {
    uint64_t source = self->references->sources.items[pair->key >> 32];
    uint32_t link = (uint32_t)source, leaf = (uint32_t)pair->key;
    mc_heap_link_kind kind;
    mc_field_count count = {.from = get_node(self, (uint32_t)(source >> 32)),
                            .to = get_node(self, leaf),
                            .name = name_link(self, link, MC_HEAP_WORDS_SHORT, &kind),
                            .is_weak = kind == MC_HEAP_LINK_WEAK,
                            .count = pair->points_to};
    if (count.from == MC_NONE || count.to == MC_NONE) return true;
    if (count.name == MC_NONE || !mc_step_referrers_add_field(self->step->referrers, count))
        return false;
    if (kind != MC_HEAP_LINK_STATIC) return true;
    uint32_t name = name_link(self, link, MC_HEAP_WORDS_FULL, &kind);
    return name != MC_NONE &&
           mc_heap_leaf_roots_add(self->roots,
                                  (mc_heap_leaf_root){leaf, MC_ROOT_STATIC, name, pair->points_to});
}

// ---- roots

bool mc_heap_leaf_roots_add(mc_heap_leaf_roots *roots, mc_heap_leaf_root root) {
    if (!mc_reserve(&roots->items, &roots->capacity, roots->count + 1, sizeof *roots->items))
        return false;
    roots->items[roots->count++] = root;
    return true;
}

void mc_heap_leaf_roots_deinit(mc_heap_leaf_roots *roots) {
    mc_free(roots->items);
    *roots = (mc_heap_leaf_roots){NULL, 0, 0};
}

typedef struct sortable {
    mc_heap_leaf_root root;
    const char *text;
} sortable;

static int compare_names(const void *a, const void *b) {
    const sortable *x = a, *y = b;
    if (x->root.leaf != y->root.leaf) return x->root.leaf < y->root.leaf ? -1 : 1;
    if (x->root.kind != y->root.kind) return x->root.kind < y->root.kind ? -1 : 1;
    return strcmp(x->text, y->text);
}

static int compare_counts(const void *a, const void *b) {
    const sortable *x = a, *y = b;
    if (x->root.leaf != y->root.leaf) return x->root.leaf < y->root.leaf ? -1 : 1;
    if (x->root.kind != y->root.kind) return x->root.kind < y->root.kind ? -1 : 1;
    if (x->root.count != y->root.count) return x->root.count > y->root.count ? -1 : 1;
    return strcmp(x->text, y->text);
}

static bool sort_roots(mc_heap_leaf_roots *roots, const mc_strings *names) {
    if (roots->count == 0) return true;
    sortable *order = mc_alloc_scattered(roots->count, sizeof *order);
    if (!order) return false;
    for (size_t i = 0; i < roots->count; i++)
        order[i] = (sortable){roots->items[i], mc_strings_get(names, roots->items[i].name, NULL)};
    qsort(order, roots->count, sizeof *order, compare_names);
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < roots->count; i++) { // of one name are one
        if (count > 0 && compare_names(&order[count - 1], &order[i]) == 0)
            order[count - 1].root.count += order[i].root.count;
        else
            order[count++] = order[i];
    }
    qsort(order, count, sizeof *order, compare_counts);
    for (size_t i = 0, texts = 0; i < count; i++) {
        bool is_same = i > 0 && order[i].root.leaf == order[i - 1].root.leaf &&
                       order[i].root.kind == order[i - 1].root.kind;
        texts = is_same ? texts + 1 : 1;
        if (texts > ROOT_TEXTS_MAX + 1) {
            roots->items[kept - 1].count += order[i].root.count;
            continue;
        }
        roots->items[kept] = order[i].root;
        if (texts > ROOT_TEXTS_MAX) roots->items[kept].name = MC_NONE;
        kept++;
    }
    roots->count = kept;
    mc_free(order);
    return true;
}

static bool add_roots(const filler *self) {
    const mc_heap_leaf_roots *roots = self->roots;
    bool is_done = sort_roots(self->roots, &self->step->referrers->names);
    for (size_t i = 0; i < roots->count && is_done; i++) {
        const mc_heap_leaf_root *root = &roots->items[i];
        is_done = mc_step_referrers_add_root(
            self->step->referrers, (mc_root_count){get_node(self, root->leaf), (uint32_t)root->kind,
                                                   root->name, root->count});
    }
    return is_done;
}

mc_result mc_heap_add_references(const mc_heap *heap, const mc_heap_references *references,
                                 mc_heap_leaf_roots *roots, const uint32_t *tree_nodes,
                                 mc_heap_step *step, mc_error *error) {
    filler self = {.heap = heap,
                   .references = references,
                   .tree_nodes = tree_nodes,
                   .roots = roots,
                   .step = step};
    bool is_done =
        fill_map(&self, step->points_to, true) && fill_map(&self, step->pointed_from, false);
    for (size_t i = 0; i < references->fields.count && is_done; i++)
        is_done = add_field(&self, &references->fields.slots[i]);
    sort_fields(step->referrers);
    is_done = is_done && add_roots(&self);
    mc_text_deinit(&self.text);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}
