#include "engine/import/jvm/grouping.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/nearest.h"
#include "engine/base/utf8.h"
#include <assert.h>
#include <string.h>

#define ROOT_KEY "Heap"
#define UNKNOWN_KEY "(unknown)"

const char *const mc_group_classifiers[MC_GROUP_CRITERION_COUNT] = {"Package", "Type", "Loader",
                                                                    "Module", "Data Structure"};
static const char *const criterion_names[MC_GROUP_CRITERION_COUNT] = {"package", "type", "loader",
                                                                      "module", "datastructure"};

// ---- criteria

bool mc_grouping_has(const mc_grouping *grouping, mc_group_criterion criterion) {
    for (uint32_t i = 0; i < grouping->count; i++)
        if (grouping->criteria[i] == criterion) return true;
    return false;
}

mc_grouping mc_grouping_without(const mc_grouping *grouping, mc_group_criterion criterion) {
    mc_grouping rest = {.count = 0};
    for (uint32_t i = 0; i < grouping->count; i++)
        if (grouping->criteria[i] != criterion) rest.criteria[rest.count++] = grouping->criteria[i];
    return rest;
}

static uint32_t find_criterion(const char *name, size_t size) {
    for (uint32_t i = 0; i < MC_GROUP_CRITERION_COUNT; i++)
        if (strlen(criterion_names[i]) == size && memcmp(criterion_names[i], name, size) == 0)
            return i;
    return MC_NONE;
}

static mc_result set_unknown(const char *list, const char *word, size_t size, mc_error *error) {
    const char *meant = mc_find_nearest(word, size, criterion_names, MC_GROUP_CRITERION_COUNT);
    return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                        "expected a list of package, type, loader, module and datastructure, as in "
                        "package,type, not \"%.100s\"%s%s%s",
                        list, meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
}

mc_result mc_grouping_parse(const char *list, mc_grouping *grouping, mc_error *error) {
    *grouping = (mc_grouping){.count = 0};
    if (!list) list = "package,type";
    for (const char *at = list;; at++) {
        size_t size = strcspn(at, ",");
        uint32_t criterion = find_criterion(at, size);
        if (criterion == MC_NONE) return set_unknown(list, at, size, error);
        if (mc_grouping_has(grouping, (mc_group_criterion)criterion))
            return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                                "%s is there twice in \"%.100s\"", criterion_names[criterion],
                                list);
        grouping->criteria[grouping->count++] = (mc_group_criterion)criterion;
        at += size;
        if (*at == '\0') return MC_OK;
    }
}

// ---- names of classes

static const char *find_primitive(char code) {
    switch (code) {
    case 'Z': return "boolean";
    case 'C': return "char";
    case 'F': return "float";
    case 'D': return "double";
    case 'B': return "byte";
    case 'S': return "short";
    case 'I': return "int";
    case 'J': return "long";
    default: return NULL;
    }
}

static bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

// Whether a name's rest, from a '/' or '+' on, is such a number: "/0x00007f7218000a08", "/1234567".
static bool is_hidden_suffix(const char *rest, size_t size) {
    bool is_hexadecimal = size > 3 && rest[1] == '0' && rest[2] == 'x';
    for (size_t i = is_hexadecimal ? 3 : 1; i < size; i++)
        if (!is_digit(rest[i]) && !(is_hexadecimal && rest[i] >= 'a' && rest[i] <= 'f'))
            return false;
    return size > 1 && (rest[0] == '/' || rest[0] == '+');
}

// The name with dots. Behind the name of a hidden class stands a number, after a '/' or, where the
// rest has slashes, a '+': it is no part of the way, and always comes as '/'.
static size_t append_dotted(mc_text *text, const char *name, size_t size) {
    size_t first = text->size, package_size = 0;
    for (size_t i = 0; i < size && !text->failed;) {
        if ((name[i] == '/' || name[i] == '+') && is_hidden_suffix(name + i, size - i)) {
            mc_text_append(text, "/", 1);
            mc_text_append(text, name + i + 1, size - i - 1);
            break;
        }
        if (name[i] == '/' || name[i] == '.') {
            if (i > 0 && i + 1 < size) package_size = text->size - first;
            mc_text_append(text, ".", 1);
            i++;
            continue;
        }
        size_t length = mc_utf8_measure((const unsigned char *)name + i, size - i);
        if (length == 0)
            mc_text_append_string(text, "\xef\xbf\xbd");
        else
            mc_text_append(text, name + i, length);
        i += length == 0 ? 1 : length;
    }
    return package_size;
}

void mc_class_name_append(mc_text *text, const char *name, size_t size, size_t *package_size,
                          bool *is_primitive) {
    size_t depth = 0;
    *package_size = 0;
    *is_primitive = false;
    while (depth < size && name[depth] == '[')
        depth++;
    const char *element = name + depth;
    size_t element_size = size - depth;
    const char *primitive = depth > 0 && element_size == 1 ? find_primitive(element[0]) : NULL;
    if (primitive) {
        *is_primitive = true;
        mc_text_append_string(text, primitive);
    } else {
        if (depth > 0 && element_size > 2 && element[0] == 'L' &&
            element[element_size - 1] == ';') {
            element++;
            element_size -= 2;
        }
        *package_size = append_dotted(text, element, element_size);
    }
    while (depth-- > 0)
        mc_text_append(text, "[]", 2);
}

// ---- groups

typedef struct group_node {
    uint32_t parent, key, level; // level 0: the root
    uint32_t leaf;               // its number; MC_NONE: an inner node
} group_node;

struct mc_class_groups {
    mc_grouping grouping;
    mc_strings keys;
    group_node *nodes;
    size_t node_count, node_capacity;
    mc_slots slots;   // of nodes by (parent, key)
    uint32_t *leaves; // nodes
    size_t leaf_count, leaf_capacity;
    mc_text text; // scratch
};

static uint32_t add_node(mc_class_groups *self, uint32_t parent, uint32_t key, uint32_t level) {
    bool is_leaf = level == self->grouping.count;
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

static uint32_t find_child(mc_class_groups *self, uint32_t parent, uint32_t key, uint32_t level) {
    uint32_t hash = (uint32_t)mc_hash_u64((uint64_t)parent << 32 | key, 0);
    for (uint32_t at = hash, found; (found = mc_slots_find(&self->slots, hash, &at)) != MC_NONE;)
        if (self->nodes[found].parent == parent && self->nodes[found].key == key) return found;
    if (!mc_slots_reserve(&self->slots, self->slots.count)) return MC_NONE;
    uint32_t added = add_node(self, parent, key, level);
    if (added != MC_NONE) mc_slots_enter(&self->slots, hash, added);
    return added;
}

mc_result mc_class_groups_create(const mc_grouping *grouping, mc_class_groups **groups,
                                 mc_error *error) {
    mc_class_groups *self = *groups = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->grouping = *grouping;
    uint32_t key = mc_strings_intern(&self->keys, ROOT_KEY, strlen(ROOT_KEY));
    if (key != MC_NONE && add_node(self, MC_NONE, key, 0) != MC_NONE) return MC_OK;
    mc_class_groups_destroy(self);
    *groups = NULL;
    return mc_error_out_of_memory(error);
}

void mc_class_groups_destroy(mc_class_groups *groups) {
    if (!groups) return;
    mc_strings_deinit(&groups->keys);
    mc_text_deinit(&groups->text);
    mc_free(groups->nodes);
    mc_slots_deinit(&groups->slots);
    mc_free(groups->leaves);
    mc_free(groups);
}

uint32_t mc_class_groups_get_count(const mc_class_groups *groups) {
    return (uint32_t)groups->leaf_count;
}

static uint32_t intern_or_unknown(mc_class_groups *self, const char *bytes, size_t size) {
    if (!bytes || size == 0) return mc_strings_intern(&self->keys, UNKNOWN_KEY, 9);
    return mc_strings_intern(&self->keys, bytes, size);
}

// The version of a module ("java.base@17.0.15") would part what two releases have in common.
static size_t measure_module(const mc_class_place *place) {
    const char *at = place->module ? memchr(place->module, '@', place->module_size) : NULL;
    return at && at > place->module ? (size_t)(at - place->module) : place->module_size;
}

// A class's name in words of the source.
typedef struct class_words {
    const char *name;
    size_t size, package_size;
    bool is_primitive;
} class_words;

static const char *get_package(const class_words *words, size_t *size) {
    *size = words->package_size;
    if (words->package_size > 0) return words->name;
    const char *none = words->size == 0 ? "" : words->is_primitive ? "(primitive)" : "(default)";
    *size = strlen(none);
    return none;
}

// The class's key by one criterion; of size 0: not known. `has_package`: its package is told.
static const char *get_key(const mc_class_place *place, const class_words *words,
                           mc_group_criterion criterion, bool has_package, size_t *size) {
    size_t skipped = has_package && words->package_size > 0 ? words->package_size + 1 : 0;
    switch (criterion) {
    case MC_GROUP_PACKAGE: return get_package(words, size);
    case MC_GROUP_TYPE: *size = words->size - skipped; return words->name + skipped;
    case MC_GROUP_LOADER: *size = place->loader_size; return place->loader;
    case MC_GROUP_MODULE: *size = measure_module(place); return place->module;
    default: *size = 0; return "";
    }
}

static class_words read_words(const mc_class_place *place, mc_text *text) {
    class_words words = {.name = ""};
    size_t begin = text->size;
    if (place->name)
        mc_class_name_append(text, place->name, place->name_size, &words.package_size,
                             &words.is_primitive);
    if (text->size > begin) words.name = text->data + begin;
    words.size = text->size - begin;
    return words;
}

void mc_class_place_append_key(const mc_class_place *place, mc_group_criterion criterion,
                               bool has_package, mc_text *text) {
    mc_text scratch = {0};
    class_words words = read_words(place, &scratch);
    size_t size;
    const char *key = get_key(place, &words, criterion, has_package, &size);
    if (key && size > 0)
        mc_text_append(text, key, size);
    else
        mc_text_append_string(text, UNKNOWN_KEY);
    text->failed = text->failed || scratch.failed;
    mc_text_deinit(&scratch);
}

uint32_t mc_class_groups_find(mc_class_groups *self, const mc_class_place *place) {
    bool has_package = false;
    mc_text_clear(&self->text);
    class_words words = read_words(place, &self->text);
    if (self->text.failed) return MC_NONE;
    uint32_t node = 0;
    for (uint32_t i = 0; i < self->grouping.count && node != MC_NONE; i++) {
        size_t size;
        const char *bytes = get_key(place, &words, self->grouping.criteria[i], has_package, &size);
        has_package = has_package || self->grouping.criteria[i] == MC_GROUP_PACKAGE;
        uint32_t key = intern_or_unknown(self, bytes, size);
        node = key == MC_NONE ? MC_NONE : find_child(self, node, key, i + 1);
    }
    return node == MC_NONE ? MC_NONE : self->nodes[node].leaf;
}

uint32_t mc_class_groups_find_within(mc_class_groups *self, const mc_class_groups *others,
                                     uint32_t leaf, const char *structure, size_t structure_size) {
    uint32_t keys[MC_GROUP_CRITERION_COUNT + 1], depth = 0, node = 0;
    for (uint32_t at = others->leaves[leaf]; at != 0; at = others->nodes[at].parent)
        keys[depth++] = others->nodes[at].key;
    for (uint32_t i = 0; i < self->grouping.count && node != MC_NONE; i++) {
        size_t size = structure_size;
        const char *key = structure;
        if (self->grouping.criteria[i] != MC_GROUP_STRUCTURE) {
            assert(depth > 0); // the others are divided by the same criteria, but for this one
            key = mc_strings_get(&others->keys, keys[--depth], &size);
        }
        uint32_t own = mc_strings_intern(&self->keys, key, size);
        node = own == MC_NONE ? MC_NONE : find_child(self, node, own, i + 1);
    }
    return node == MC_NONE ? MC_NONE : self->nodes[node].leaf;
}

uint32_t mc_class_groups_get_group_count(const mc_class_groups *groups) {
    return (uint32_t)groups->node_count;
}

uint32_t mc_class_groups_get_group(const mc_class_groups *groups, uint32_t leaf) {
    return groups->leaves[leaf];
}

uint32_t mc_class_groups_get_parent(const mc_class_groups *groups, uint32_t group) {
    return groups->nodes[group].parent;
}

const char *mc_class_groups_get_key(const mc_class_groups *groups, uint32_t group, size_t *size) {
    return mc_strings_get(&groups->keys, groups->nodes[group].key, size);
}

void mc_class_groups_append_full_key(const mc_class_groups *self, uint32_t leaf, mc_text *text) {
    mc_class_groups_append_group_key(self, self->leaves[leaf], text);
}

uint32_t mc_class_groups_find_key(const mc_class_groups *self, const char *key, size_t size) {
    mc_text text = {0};
    uint32_t found = MC_NONE;
    for (uint32_t i = 0; i < self->node_count && found == MC_NONE; i++) {
        mc_text_clear(&text);
        mc_class_groups_append_group_key(self, i, &text);
        if (!text.failed && text.size == size && memcmp(text.data, key, size) == 0) found = i;
    }
    mc_text_deinit(&text);
    return found;
}

void mc_class_groups_append_group_key(const mc_class_groups *self, uint32_t group, mc_text *text) {
    uint32_t way[MC_GROUP_CRITERION_COUNT + 1], count = 0;
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
static bool sum_up(const mc_class_groups *self, const uint64_t *objects, const uint64_t *bytes,
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

static mc_result add_tree_node(const mc_class_groups *self, uint32_t node, group_sum *sums,
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

mc_result mc_class_groups_fill_tree(const mc_class_groups *self, const uint64_t *objects,
                                    const uint64_t *bytes, const uint64_t *offsets,
                                    mc_step_tree *tree, uint32_t *tree_nodes, mc_error *error) {
    uint32_t roles[MC_GROUP_CRITERION_COUNT];
    mc_step_tree_reset(tree);
    tree->key_kind = MC_KEY_PATH_PART;
    for (uint32_t i = 0; i < self->grouping.count; i++) {
        const char *name = mc_group_classifiers[self->grouping.criteria[i]];
        roles[i] = mc_strings_intern(&tree->roles, name, strlen(name));
        if (roles[i] == MC_NONE) return mc_error_out_of_memory(error);
    }
    group_sum *sums = mc_alloc_zero(self->node_count, sizeof *sums);
    if (!sums) return mc_error_out_of_memory(error);
    mc_result result = MC_OK;
    if (!sum_up(self, objects, bytes, offsets, sums))
        result = mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                              "all objects together are more than 2^63 - 1");
    sums[0].is_there = true; // also of an empty heap
    // Groups precede what is in them.
    for (uint32_t node = 0; node < self->node_count && result == MC_OK; node++)
        if (sums[node].is_there) result = add_tree_node(self, node, sums, roles, tree, error);
    for (uint32_t node = 0; tree_nodes && node < self->node_count; node++)
        tree_nodes[node] = sums[node].is_there ? sums[node].tree_index : MC_NONE;
    mc_free(sums);
    return result;
}
