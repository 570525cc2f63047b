#include "engine/import/pseudonyms/pseudonym_sink.h"

#include "engine/base/memory.h"
#include <string.h>

struct mc_pseudonym_sink {
    mc_name_cipher *cipher;
    mc_import_sink to;
    // What takes the place of the input's.
    mc_step_entry *nodes;
    mc_step_name *names;
    size_t node_capacity, name_capacity;
    mc_reference_entry *entries;
    size_t entry_capacity;
    mc_text text;
    mc_strings strings;
    uint32_t note_count; // of steps, left out
};

mc_result mc_pseudonym_sink_create(mc_name_cipher *cipher, const mc_import_sink *to,
                                   mc_pseudonym_sink **hidden, mc_error *error) {
    *hidden = mc_alloc_zero(1, sizeof **hidden);
    if (!*hidden) return mc_error_out_of_memory(error);
    (*hidden)->cipher = cipher;
    (*hidden)->to = *to;
    return MC_OK;
}

void mc_pseudonym_sink_destroy(mc_pseudonym_sink *self) {
    if (!self) return;
    mc_free(self->nodes);
    mc_free(self->names);
    mc_free(self->entries);
    mc_text_deinit(&self->text);
    mc_strings_deinit(&self->strings);
    mc_free(self);
}

static mc_result fail_size(mc_error *error) {
    return mc_fail(error, MC_ERROR_UNSUPPORTED, "the hidden names of one step take more than 4 GB");
}

static mc_result hide_nodes(mc_pseudonym_sink *self, const mc_step_tree *tree, mc_error *error) {
    mc_text_clear(&self->text);
    if (!mc_reserve(&self->nodes, &self->node_capacity, tree->node_count + 1,
                    sizeof *self->nodes) ||
        !mc_reserve(&self->names, &self->name_capacity, tree->name_count + 1, sizeof *self->names))
        return mc_error_out_of_memory(error);
    for (size_t i = 0; i < tree->node_count; i++) {
        mc_step_entry node = tree->nodes[i];
        size_t begin = self->text.size;
        if (!mc_name_cipher_append(self->cipher, tree->text.data + node.key_offset, node.key_size,
                                   &self->text))
            return mc_error_out_of_memory(error);
        node.key_offset = (uint32_t)begin;
        node.key_size = (uint32_t)(self->text.size - begin);
        self->nodes[i] = node;
        if (i < tree->name_count && tree->names[i].size != MC_NONE) {
            mc_step_name name = tree->names[i];
            begin = self->text.size;
            if (!mc_name_cipher_append(self->cipher, tree->text.data + name.offset, name.size,
                                       &self->text))
                return mc_error_out_of_memory(error);
            self->names[i] = (mc_step_name){(uint32_t)begin, (uint32_t)(self->text.size - begin)};
        } else if (i < tree->name_count) {
            self->names[i] = tree->names[i];
        }
        if (self->text.size >= MC_NONE) return fail_size(error);
    }
    return MC_OK;
}

static mc_result add_step(void *user, const mc_step_tree *tree, const char *source,
                          mc_error *error) {
    mc_pseudonym_sink *self = user;
    mc_result result = hide_nodes(self, tree, error);
    if (result != MC_OK) return result;
    mc_step_tree hidden = *tree;
    hidden.nodes = self->nodes;
    hidden.names = self->names;
    hidden.text = self->text;
    if (!mc_name_cipher_restores(self->cipher)) {
        if (tree->missing) hidden.missing = "a part (it was cut off or damaged)"; // names anything
        self->note_count += tree->note != NULL;
        hidden.note = NULL; // likewise
    }
    return self->to.add_step(self->to.user, &hidden, source, error);
}

static bool hide_key(mc_pseudonym_sink *self, const mc_reference_map *map, uint64_t *offset,
                     uint32_t *size) {
    size_t begin = self->text.size;
    if (!mc_name_cipher_append(self->cipher, map->text.data + *offset, *size, &self->text))
        return false;
    *offset = begin;
    *size = (uint32_t)(self->text.size - begin);
    return true;
}

static mc_result add_references(void *user, const mc_reference_map *map,
                                mc_reference_direction direction, mc_error *error) {
    mc_pseudonym_sink *self = user;
    mc_reference_map hidden = *map;
    if (map->is_by_node) return self->to.add_references(self->to.user, map, direction, error);
    mc_text_clear(&self->text);
    if (!mc_reserve(&self->entries, &self->entry_capacity, map->entry_count + 1,
                    sizeof *self->entries))
        return mc_error_out_of_memory(error);
    for (size_t i = 0; i < map->entry_count; i++) {
        mc_reference_entry entry = map->entries[i];
        if (!hide_key(self, map, &entry.outer_offset, &entry.outer_size) ||
            !hide_key(self, map, &entry.inner_offset, &entry.inner_size))
            return mc_error_out_of_memory(error);
        self->entries[i] = entry;
    }
    hidden.entries = self->entries;
    hidden.text = self->text;
    return self->to.add_references(self->to.user, &hidden, direction, error);
}

// Of the words for a GC root, so many bytes at the beginning and at the end are no name.
static void find_words(const char *name, size_t size, size_t *begin, size_t *end) {
    static const char of_static[] = "static ", of_thread[] = "thread \"";
    *begin = *end = 0;
    if (size > strlen(of_static) && memcmp(name, of_static, strlen(of_static)) == 0)
        *begin = strlen(of_static);
    if (size > strlen(of_thread) && memcmp(name, of_thread, strlen(of_thread)) == 0 &&
        name[size - 1] == '"') {
        *begin = strlen(of_thread);
        *end = 1;
    }
    for (int kind = 0; kind < MC_ROOT_COUNT; kind++)
        if (strlen(mc_root_kind_names[kind]) == size &&
            memcmp(name, mc_root_kind_names[kind], size) == 0)
            *begin = size;
}

// So that a class is called alike as a group and as the one that has a static field.
static bool hide_words(mc_pseudonym_sink *self, const char *name, size_t size) {
    size_t begin, end;
    find_words(name, size, &begin, &end);
    mc_text_clear(&self->text);
    mc_text_append(&self->text, name, begin);
    if (begin + end < size &&
        !mc_name_cipher_append(self->cipher, name + begin, size - begin - end, &self->text))
        return false;
    mc_text_append(&self->text, name + size - end, end);
    return !self->text.failed;
}

// The same numbers stand for the hidden ones.
static mc_result hide_strings(mc_pseudonym_sink *self, const mc_strings *strings, mc_error *error) {
    mc_strings_deinit(&self->strings);
    for (uint32_t i = 0; i < strings->count; i++) {
        size_t size;
        const char *name = mc_strings_get(strings, i, &size);
        if (!hide_words(self, name, size) ||
            mc_strings_append(&self->strings, self->text.data, self->text.size) == MC_NONE)
            return mc_error_out_of_memory(error);
    }
    return MC_OK;
}

static mc_result add_referrers(void *user, const mc_step_referrers *referrers, mc_error *error) {
    mc_pseudonym_sink *self = user;
    mc_step_referrers hidden = *referrers;
    mc_result result = hide_strings(self, &referrers->names, error);
    hidden.names = self->strings;
    return result == MC_OK ? self->to.add_referrers(self->to.user, &hidden, error) : result;
}

static mc_result add_paths(void *user, const mc_step_paths *paths, mc_error *error) {
    mc_pseudonym_sink *self = user;
    mc_step_paths hidden = *paths;
    mc_result result = hide_strings(self, &paths->names, error);
    hidden.names = self->strings;
    return result == MC_OK ? self->to.add_paths(self->to.user, &hidden, error) : result;
}

static mc_result add_owners(void *user, const mc_step_owners *owners, mc_error *error) {
    mc_pseudonym_sink *self = user;
    mc_step_owners hidden = *owners;
    mc_result result = hide_strings(self, &owners->names, error);
    hidden.names = self->strings;
    return result == MC_OK ? self->to.add_owners(self->to.user, &hidden, error) : result;
}

uint32_t mc_pseudonym_sink_get_note_count(const mc_pseudonym_sink *self) {
    return self->note_count;
}

mc_import_sink mc_pseudonym_sink_get(mc_pseudonym_sink *self) {
    return (mc_import_sink){add_step,
                            add_references,
                            self->to.add_referrers ? add_referrers : NULL,
                            self->to.add_paths ? add_paths : NULL,
                            self->to.add_owners ? add_owners : NULL,
                            self};
}
