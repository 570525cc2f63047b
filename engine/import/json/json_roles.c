// Which classifier a node belongs to. The AntTracks form lists the classifiers by id, before or
// behind the tree; in the default form each node names its own, and their order has to be found.
#include "engine/base/memory.h"
#include "engine/import/json/json_reader_state.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int compare_ids(const void *a, const void *b) {
    const mc_json_classifier *left = a, *right = b;
    if (left->id != right->id) return left->id < right->id ? -1 : 1;
    return left->source_offset < right->source_offset ? -1
                                                      : left->source_offset > right->source_offset;
}

// One {"name": …, "id": …}.
static bool take_classifier(mc_json_reader *reader, mc_step_tree *tree) {
    mc_json_tokens *tokens = &reader->tokens;
    mc_json_classifier classifier = {.source_offset = mc_json_get_offset(tokens)};
    if (!mc_json_take(tokens, '{'))
        return mc_json_fail(tokens, "a classifier (an object with \"name\" and \"id\")");
    uint32_t seen = 0;
    bool is_first = true;
    mc_json_member member;
    mc_json_string name, value;
    while ((member = mc_json_next_member(tokens, is_first, &name)) == MC_JSON_MEMBER) {
        is_first = false;
        if (name.size == 4 && memcmp(name.bytes, "name", 4) == 0) {
            if (!mc_json_reader_note_field(reader, &seen, MC_FIELD_NAME, "classifiers[].name") ||
                !mc_json_take_string(tokens, "a string", &value))
                return false;
            classifier.role = mc_strings_intern(&tree->roles, value.bytes, value.size);
            if (classifier.role == MC_NONE) return mc_json_fail_memory(tokens);
        } else if (name.size == 2 && memcmp(name.bytes, "id", 2) == 0) {
            if (!mc_json_reader_note_field(reader, &seen, MC_FIELD_ID, "classifiers[].id") ||
                !mc_json_take_integer(tokens, 0, &classifier.id))
                return false;
        } else if (!mc_json_skip_value(tokens)) {
            return false;
        }
        reader->field = "classifiers[]";
    }
    if (member == MC_JSON_FAILED) return false;
    if (seen != (MC_FIELD_NAME | MC_FIELD_ID))
        return mc_json_fail_at(tokens, tokens->data + (classifier.source_offset - tokens->offset),
                               "expected a classifier with the field \"%s\", which is missing",
                               seen & MC_FIELD_NAME ? "id" : "name");
    if (!mc_reserve(&reader->classifiers, &reader->classifier_capacity,
                    reader->classifier_count + 1, sizeof classifier))
        return mc_json_fail_memory(tokens);
    reader->classifiers[reader->classifier_count++] = classifier;
    return true;
}

bool mc_json_reader_take_classifiers(mc_json_reader *reader, mc_step_tree *tree) {
    mc_json_tokens *tokens = &reader->tokens;
    if (!mc_json_take(tokens, '[')) return mc_json_fail(tokens, "an array of classifiers");
    if (!mc_json_take(tokens, ']')) {
        do {
            if (!take_classifier(reader, tree)) return false;
        } while (mc_json_take(tokens, ','));
        if (!mc_json_take(tokens, ']'))
            return mc_json_fail(tokens, "',' or ']' behind a classifier");
    }
    reader->has_classifiers = true;
    size_t count = reader->classifier_count;
    if (count > 1) qsort(reader->classifiers, count, sizeof *reader->classifiers, compare_ids);
    for (size_t i = 1; i < count; i++) {
        const mc_json_classifier *classifier = &reader->classifiers[i];
        if (classifier->id == classifier[-1].id)
            return mc_json_fail_at(
                tokens, tokens->data + (classifier->source_offset - tokens->offset),
                "expected another id, found a second classifier with the id %" PRId64,
                classifier->id);
    }
    return true;
}

// MC_NONE if there is no such classifier.
static uint32_t find_role(const mc_json_reader *reader, int64_t id) {
    size_t low = 0, high = reader->classifier_count;
    // The ids are mostly 0, 1, 2 …
    if (id < (int64_t)high && reader->classifiers[id].id == id) return reader->classifiers[id].role;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reader->classifiers[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < reader->classifier_count && reader->classifiers[low].id == id
               ? reader->classifiers[low].role
               : MC_NONE;
}

static bool fail_id(mc_json_reader *reader, const unsigned char *at, int64_t id) {
    return mc_json_fail_at(&reader->tokens, at,
                           "expected a classifierId that the list of classifiers has, or -1, "
                           "found %" PRId64,
                           id);
}

bool mc_json_reader_take_classifier_id(mc_json_reader *reader, uint32_t *role) {
    const unsigned char *at = mc_json_get_place(&reader->tokens);
    int64_t id;
    if (!mc_json_take_integer(&reader->tokens, -1, &id)) return false;
    *role = MC_NONE;
    if (id < 0) return true;
    if (reader->has_classifiers) {
        *role = find_role(reader, id);
    } else if (id < MC_NONE) {
        *role = (uint32_t)id; // until the list is known
    }
    return *role != MC_NONE || fail_id(reader, at, id);
}

static bool resolve_ids(mc_json_reader *reader, mc_step_tree *tree) {
    for (size_t i = 0; i < tree->node_count; i++) {
        mc_step_entry *node = &tree->nodes[i];
        if (node->role == MC_NONE) continue;
        uint32_t role = find_role(reader, node->role);
        if (role == MC_NONE)
            return fail_id(reader,
                           reader->tokens.data + (node->source_offset - reader->tokens.offset),
                           node->role);
        node->role = role;
    }
    return true;
}

// A role that was not seen yet in this tree.
static bool add_role(mc_json_reader *reader, mc_json_string role, uint32_t depth) {
    uint32_t known = reader->roles.count;
    uint32_t index = mc_strings_intern(&reader->roles, role.bytes, role.size);
    if (index == MC_NONE) return mc_json_fail_memory(&reader->tokens);
    if (index == known) {
        if (!mc_reserve(&reader->role_places, &reader->role_place_capacity, (size_t)index + 1,
                        sizeof *reader->role_places))
            return mc_json_fail_memory(&reader->tokens);
        reader->role_places[index] = (mc_json_role){index, depth, depth};
    }
    reader->last_role = index;
    return true;
}

bool mc_json_reader_take_role(mc_json_reader *reader, uint32_t depth, uint32_t *role) {
    mc_json_string string;
    if (!mc_json_take_string(&reader->tokens, "a string", &string)) return false;
    *role = MC_NONE;
    if (string.size == 0) return true; // as the root has it
    size_t last_size = 0;
    const char *last = reader->last_role == MC_NONE
                           ? NULL
                           : mc_strings_get(&reader->roles, reader->last_role, &last_size);
    // Siblings mostly have one role.
    if ((!last || last_size != string.size || memcmp(last, string.bytes, last_size) != 0) &&
        !add_role(reader, string, depth))
        return false;
    *role = reader->last_role;
    mc_json_role *place = &reader->role_places[*role];
    if (depth < place->shallowest) place->shallowest = depth;
    if (depth > place->deepest) place->deepest = depth;
    return true;
}

static int compare_places(const void *a, const void *b) {
    const mc_json_role *left = a, *right = b;
    if (left->shallowest != right->shallowest) return left->shallowest < right->shallowest ? -1 : 1;
    if (left->deepest != right->deepest) return left->deepest < right->deepest ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

// Outermost first: by the shallowest level at which a role occurs; of two that begin at the same
// level, the one that ends higher is the group of the other.
static bool resolve_names(mc_json_reader *reader, mc_step_tree *tree) {
    uint32_t count = reader->roles.count;
    if (count == 0) return true;
    qsort(reader->role_places, count, sizeof *reader->role_places, compare_places);
    uint32_t *order = mc_alloc(count, sizeof *order);
    if (!order) return mc_json_fail_memory(&reader->tokens);
    for (uint32_t i = 0; i < count; i++) {
        size_t size;
        const char *role = mc_strings_get(&reader->roles, reader->role_places[i].index, &size);
        order[reader->role_places[i].index] = i;
        if (mc_strings_intern(&tree->roles, role, size) == MC_NONE) {
            mc_free(order);
            return mc_json_fail_memory(&reader->tokens);
        }
    }
    for (size_t i = 0; i < tree->node_count; i++)
        if (tree->nodes[i].role != MC_NONE) tree->nodes[i].role = order[tree->nodes[i].role];
    mc_free(order);
    return true;
}

bool mc_json_reader_resolve_roles(mc_json_reader *reader, mc_step_tree *tree) {
    if (reader->form == MC_JSON_FORM_DEFAULT) return resolve_names(reader, tree);
    return !reader->has_late_classifiers || resolve_ids(reader, tree);
}
