#include "engine/heap/groups.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/slots.h"
#include <assert.h>
#include <string.h>

#define ROOT_KEY "Heap"
#define UNKNOWN_KEY "(unknown)"

typedef struct group_node {
    uint32_t parent, key, level; // level 0: the root
    uint32_t leaf;               // its number; MC_NONE: an inner node
} group_node;

struct mc_heap_groups {
    const char *classifiers[MC_HEAP_LEVELS_MAX];
    uint32_t level_count;
    mc_strings keys;
    group_node *nodes;
    size_t node_count, node_capacity;
    mc_slots slots;   // of nodes by (parent, key)
    uint32_t *leaves; // nodes
    size_t leaf_count, leaf_capacity;
};

static uint32_t add_node(mc_heap_groups *self, uint32_t parent, uint32_t key, uint32_t level) {
    bool is_leaf = level == self->level_count;
    if (self->node_count >= MC_NONE / 4) return MC_NONE;
    if (!mc_reserve(&self->nodes, &self->node_capacity, self->node_count + 1, sizeof *self->nodes))
        return MC_NONE;
    if (is_leaf && !mc_reserve(&self->leaves, &self->leaf_capacity, self->leaf_count + 1,
                               sizeof *self->leaves))
        return MC_NONE;
    uint32_t index = (uint32_t)self->node_count++;
    self->nodes[index] = (group_node){.parent = parent,
                                      .key = key,
                                      .level = level,
                                      .leaf = is_leaf ? (uint32_t)self->leaf_count : MC_NONE};
    if (is_leaf) self->leaves[self->leaf_count++] = index;
    return index;
}

static uint32_t find_child(mc_heap_groups *self, uint32_t parent, uint32_t key, uint32_t level) {
    uint32_t hash = (uint32_t)mc_hash_u64((uint64_t)parent << 32 | key, 0);
    for (uint32_t at = hash, found; (found = mc_slots_find(&self->slots, hash, &at)) != MC_NONE;)
        if (self->nodes[found].parent == parent && self->nodes[found].key == key) return found;
    if (!mc_slots_reserve(&self->slots, self->slots.count)) return MC_NONE;
    uint32_t added = add_node(self, parent, key, level);
    if (added != MC_NONE) mc_slots_enter(&self->slots, hash, added);
    return added;
}

mc_result mc_heap_groups_create(const char *const *classifiers, uint32_t level_count,
                                mc_heap_groups **groups, mc_error *error) {
    mc_heap_groups *self = *groups = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    assert(level_count <= MC_HEAP_LEVELS_MAX);
    self->level_count = level_count;
    for (uint32_t i = 0; i < level_count; i++)
        self->classifiers[i] = classifiers[i];
    uint32_t key = mc_strings_intern(&self->keys, ROOT_KEY, strlen(ROOT_KEY));
    if (key != MC_NONE && add_node(self, MC_NONE, key, 0) != MC_NONE) return MC_OK;
    mc_heap_groups_destroy(self);
    *groups = NULL;
    return mc_error_out_of_memory(error);
}

void mc_heap_groups_destroy(mc_heap_groups *groups) {
    if (!groups) return;
    mc_strings_deinit(&groups->keys);
    mc_free(groups->nodes);
    mc_slots_deinit(&groups->slots);
    mc_free(groups->leaves);
    mc_free(groups);
}

uint32_t mc_heap_groups_get_level_count(const mc_heap_groups *groups) {
    return groups->level_count;
}

const char *mc_heap_groups_get_classifier(const mc_heap_groups *groups, uint32_t level) {
    return groups->classifiers[level];
}

uint32_t mc_heap_groups_get_count(const mc_heap_groups *groups) {
    return (uint32_t)groups->leaf_count;
}

static uint32_t intern_or_unknown(mc_heap_groups *self, const char *bytes, size_t size) {
    if (!bytes || size == 0) return mc_strings_intern(&self->keys, UNKNOWN_KEY, 9);
    return mc_strings_intern(&self->keys, bytes, size);
}

uint32_t mc_heap_groups_find(mc_heap_groups *self, const mc_heap_key *keys) {
    uint32_t node = 0;
    for (uint32_t i = 0; i < self->level_count && node != MC_NONE; i++) {
        uint32_t key = intern_or_unknown(self, keys[i].text, keys[i].size);
        node = key == MC_NONE ? MC_NONE : find_child(self, node, key, i + 1);
    }
    return node == MC_NONE ? MC_NONE : self->nodes[node].leaf;
}

uint32_t mc_heap_groups_find_within(mc_heap_groups *self, const mc_heap_groups *others,
                                    uint32_t leaf, uint32_t level, mc_heap_key key) {
    mc_heap_key keys[MC_HEAP_LEVELS_MAX] = {{NULL, 0}};
    assert(others->level_count + 1 == self->level_count);
    for (uint32_t at = others->leaves[leaf]; at != 0; at = others->nodes[at].parent) {
        uint32_t own = others->nodes[at].level - 1;
        mc_heap_key *to = &keys[own < level ? own : own + 1];
        to->text = mc_heap_groups_get_key(others, at, &to->size);
    }
    keys[level] = key;
    return mc_heap_groups_find(self, keys);
}

uint32_t mc_heap_groups_get_group_count(const mc_heap_groups *groups) {
    return (uint32_t)groups->node_count;
}

uint32_t mc_heap_groups_get_group(const mc_heap_groups *groups, uint32_t leaf) {
    return groups->leaves[leaf];
}

uint32_t mc_heap_groups_get_leaf(const mc_heap_groups *groups, uint32_t group) {
    return groups->nodes[group].leaf;
}

uint32_t mc_heap_groups_get_parent(const mc_heap_groups *groups, uint32_t group) {
    return groups->nodes[group].parent;
}

const char *mc_heap_groups_get_key(const mc_heap_groups *groups, uint32_t group, size_t *size) {
    return mc_strings_get(&groups->keys, groups->nodes[group].key, size);
}

uint32_t mc_heap_groups_find_key(const mc_heap_groups *self, const char *key, size_t size) {
    mc_text text = {0};
    uint32_t found = MC_NONE;
    for (uint32_t i = 0; i < self->node_count && found == MC_NONE; i++) {
        mc_text_clear(&text);
        mc_heap_groups_append_key(self, i, &text);
        if (!text.failed && text.size == size && memcmp(text.data, key, size) == 0) found = i;
    }
    mc_text_deinit(&text);
    return found;
}

void mc_heap_groups_append_key(const mc_heap_groups *self, uint32_t group, mc_text *text) {
    uint32_t way[MC_HEAP_LEVELS_MAX + 1], count = 0;
    for (uint32_t node = group; node != MC_NONE; node = self->nodes[node].parent)
        way[count++] = node;
    while (count-- > 0) {
        size_t size;
        const char *key = mc_strings_get(&self->keys, self->nodes[way[count]].key, &size);
        mc_text_append(text, key, size);
        if (count > 0) mc_text_append(text, "#", 1);
    }
}

// ---- to a step's tree

typedef struct group_sum {
    uint64_t objects, bytes, offset;
    uint32_t tree_index;
    bool is_there;
} group_sum;

static bool add_count(uint64_t *sum, uint64_t count) {
    if (count > MC_COUNT_MAX || *sum > MC_COUNT_MAX - count) return false;
    *sum += count;
    return true;
}

// Sums of all groups, from the leaves up. False: a sum is too large.
static bool sum_up(const mc_heap_groups *self, const uint64_t *objects, const uint64_t *bytes,
                   const uint64_t *offsets, group_sum *sums) {
    for (size_t i = 0; i < self->leaf_count; i++) {
        uint64_t offset = offsets ? offsets[i] : 0;
        if (objects[i] == 0 && bytes[i] == 0) continue;
        for (uint32_t node = self->leaves[i]; node != MC_NONE; node = self->nodes[node].parent) {
            group_sum *sum = &sums[node];
            if (!add_count(&sum->objects, objects[i]) || !add_count(&sum->bytes, bytes[i]))
                return false;
            if (!sum->is_there || offset < sum->offset) sum->offset = offset;
            sum->is_there = true;
        }
    }
    return true;
}

static mc_result add_tree_node(const mc_heap_groups *self, uint32_t node, group_sum *sums,
                               const uint32_t *roles, mc_step_tree *tree, mc_error *error) {
    const group_node *group = &self->nodes[node];
    size_t size;
    const char *key = mc_strings_get(&self->keys, group->key, &size);
    mc_step_node entry = {.parent = node == 0 ? MC_NONE : sums[group->parent].tree_index,
                          .role = group->level == 0 ? MC_NONE : roles[group->level - 1],
                          .key_offset = tree->text.size,
                          .name_offset = tree->text.size,
                          .key_size = (uint32_t)size,
                          .name_size = (uint32_t)size,
                          .objects = sums[node].objects,
                          .bytes = sums[node].bytes,
                          .source_offset = sums[node].offset};
    mc_text_append(&tree->text, key, size);
    if (tree->text.failed) return mc_error_out_of_memory(error);
    sums[node].tree_index = mc_step_tree_add(tree, entry);
    return sums[node].tree_index == MC_NONE ? mc_error_out_of_memory(error) : MC_OK;
}

mc_result mc_heap_groups_fill_tree(const mc_heap_groups *self, const uint64_t *objects,
                                   const uint64_t *bytes, const uint64_t *offsets,
                                   mc_step_tree *tree, uint32_t *tree_nodes, mc_error *error) {
    uint32_t roles[MC_HEAP_LEVELS_MAX];
    mc_step_tree_reset(tree);
    tree->key_kind = MC_KEY_PATH_PART;
    for (uint32_t i = 0; i < self->level_count; i++) {
        const char *name = self->classifiers[i];
        roles[i] = mc_strings_intern(&tree->roles, name, strlen(name));
        if (roles[i] == MC_NONE) return mc_error_out_of_memory(error);
    }
    group_sum *sums = mc_alloc_zero_scattered(self->node_count, sizeof *sums);
    if (!sums) return mc_error_out_of_memory(error);
    mc_result result = MC_OK;
    if (!sum_up(self, objects, bytes, offsets, sums))
        result = mc_fail(error, MC_ERROR_BAD_DATA, "all objects together are more than 2^63 - 1");
    sums[0].is_there = true; // also of an empty heap
    // Groups precede what is in them.
    for (uint32_t node = 0; node < self->node_count && result == MC_OK; node++)
        if (sums[node].is_there) result = add_tree_node(self, node, sums, roles, tree, error);
    for (uint32_t node = 0; tree_nodes && node < self->node_count; node++)
        tree_nodes[node] = sums[node].is_there ? sums[node].tree_index : MC_NONE;
    mc_free(sums);
    return result;
}
