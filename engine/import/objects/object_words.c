#include "engine/import/objects/object_heap.h"

#include "engine/trace/root_words.h"
#include <string.h>

static void append_text(const mc_object_heap *self, uint32_t text, mc_text *out) {
    size_t size;
    const char *bytes = mc_strings_get(&self->texts, text, &size);
    mc_text_append(out, bytes, size);
}

static const char *name_plain_kind(uint32_t kind) {
    static const char *const names[] = {"(unknown)", "GC root", "pending finalizers",
                                        "soft references"};
    return kind < sizeof names / sizeof *names ? names[kind] : "(unknown)";
}

static void append_kind(const void *reader, uint32_t kind, mc_heap_wording wording, mc_text *text) {
    const mc_object_heap *self = reader;
    (void)wording;
    if (self->kind_types[kind] == MC_NONE)
        mc_text_append_string(text, name_plain_kind(kind));
    else
        append_text(self, self->types[self->kind_types[kind]].title, text);
}

static mc_heap_link_kind append_link(const void *reader, uint32_t kind, uint32_t slot,
                                     mc_heap_wording wording, mc_text *text) {
    const mc_object_heap *self = reader;
    const mc_heap_kind *of = &self->heap.kinds[kind];
    const uint32_t type = self->kind_types[kind];
    if (type == MC_NONE) {
        mc_text_append_string(text, name_plain_kind(kind));
        return MC_HEAP_LINK_WEAK; // of late roots
    }
    const uint32_t index = self->link_labels[of->first_link + slot];
    const mc_object_label *label = &self->labels[index == MC_NONE ? 0 : index];
    (void)wording;
    if (!label->is_whole || label == self->labels) append_text(self, self->types[type].title, text);
    if (label == self->labels) {
        mc_text_append_string(text, " elements");
        return MC_HEAP_LINK_FIELD;
    }
    if (!label->is_whole) mc_text_append_string(text, ".");
    append_text(self, label->text, text);
    return label->kind;
}

// ---- roles and standings

static bool has_globals(const mc_object_heap *self, uint32_t kind) {
    const mc_heap_kind *of = &self->heap.kinds[kind];
    for (uint32_t i = 0; i < of->slot_count; i++) {
        uint32_t label = self->link_labels[of->first_link + i];
        if (label != MC_NONE && self->labels[label].kind == MC_HEAP_LINK_STATIC) return true;
    }
    return false;
}

// What fields are the same in several kinds is not told: each is its own.
// NOLINTNEXTLINE(readability-non-const-parameter)
static mc_result list_roles(const void *reader, mc_heap_role *roles, uint32_t *fields,
                            mc_error *error) {
    const mc_object_heap *self = reader;
    (void)error;
    (void)fields;
    for (uint32_t i = 0; i < self->heap.kind_count; i++) {
        if (self->kind_types[i] == MC_NONE) continue;
        uint32_t flags = self->types[self->kind_types[i]].flags;
        roles[i].is_array = roles[i].may_be_structure = flags & MC_OBJECT_ARRAY;
        roles[i].is_class = has_globals(self, i);
    }
    return MC_OK;
}

static mc_result list_standings(const void *reader, mc_heap_standing *standings, mc_error *error) {
    const mc_object_heap *self = reader;
    (void)error;
    for (uint32_t i = 0; i < self->heap.kind_count; i++) {
        if (self->kind_types[i] == MC_NONE) continue;
        uint32_t flags = self->types[self->kind_types[i]].flags;
        standings[i].is_program = flags & MC_OBJECT_PROGRAM;
        standings[i].is_class = has_globals(self, i);
        standings[i].is_lasting = standings[i].is_class && flags & MC_OBJECT_LASTING;
    }
    return MC_OK;
}

// ---- roots

const mc_object_root *mc_object_find_root(const mc_object_heap *self, uint32_t position) {
    size_t low = 0, high = self->root_count; // positions are in the order of objects
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (self->roots[middle].position < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low < self->root_count && self->roots[low].position == position ? &self->roots[low]
                                                                           : NULL;
}

static uint32_t add_text(const mc_object_heap *self, uint32_t text, mc_strings *strings) {
    size_t size;
    const char *bytes = mc_strings_get(&self->texts, text, &size);
    return mc_strings_intern(strings, bytes, size);
}

static uint32_t name_root(const mc_object_heap *self, const mc_object_root *root,
                          mc_strings *strings) {
    const char *name = mc_root_kind_names[root->kind];
    return root->name == MC_NONE ? mc_strings_intern(strings, name, strlen(name))
                                 : add_text(self, root->name, strings);
}

static mc_result name_roots(const void *reader, const uint32_t *positions, size_t count,
                            uint32_t *names, mc_strings *strings, mc_error *error) {
    for (size_t i = 0; i < count; i++) {
        const mc_object_root *root = mc_object_find_root(reader, positions[i]);
        if (!root) continue;
        names[i] = name_root(reader, root, strings);
        if (names[i] == MC_NONE) return mc_error_out_of_memory(error);
    }
    return MC_OK;
}

static mc_result tell_roots(const void *reader, const uint32_t *positions, size_t count,
                            mc_heap_root *roots, mc_strings *strings, mc_error *error) {
    for (size_t i = 0; i < count; i++) {
        const mc_object_root *root = mc_object_find_root(reader, positions[i]);
        if (!root) continue;
        roots[i].kind = root->kind;
        if (root->name == MC_NONE) continue;
        roots[i].name = name_root(reader, root, strings);
        if (roots[i].name == MC_NONE) return mc_error_out_of_memory(error);
        if (root->example == MC_NONE) continue;
        roots[i].example = add_text(reader, root->example, strings);
        if (roots[i].example == MC_NONE) return mc_error_out_of_memory(error);
    }
    return MC_OK;
}

// A root's number is its kind, and above that the text of its name, both from 1 on. Beyond so many
// texts the kind has to do.
#define KIND_BITS 5
#define KIND_MASK ((1u << KIND_BITS) - 1)
_Static_assert(MC_ROOT_COUNT < KIND_MASK, "a kind has so many bits");

static uint32_t number_root(const void *reader, uint32_t position) {
    const mc_object_root *root = mc_object_find_root(reader, position);
    if (!root) return 0;
    const uint32_t name = root->name < MC_NONE >> KIND_BITS ? root->name + 1 : 0;
    return name << KIND_BITS | ((uint32_t)root->kind + 1);
}

static void append_root(const void *reader, uint32_t number, mc_text *text) {
    const mc_object_heap *self = reader;
    const uint32_t name = number >> KIND_BITS;
    size_t size = 0;
    if (number == 0) return;
    const char *bytes = name == 0 ? NULL : mc_strings_get(&self->texts, name - 1, &size);
    mc_root_append_words((mc_root_kind)((number & KIND_MASK) - 1), bytes, size, text);
}

static uint64_t get_id(const void *reader, uint32_t object) {
    const mc_object_heap *self = reader;
    return self->object_ids && object < self->object_count ? self->object_ids[object] : object;
}

static bool visit_roots(const void *reader,
                        bool (*visit)(void *user, uint32_t position, mc_root_kind kind,
                                      const char *name, size_t size),
                        void *user) {
    const mc_object_heap *self = reader;
    for (size_t i = 0; i < self->root_count; i++) {
        const mc_object_root *root = &self->roots[i];
        size_t size = 0;
        const char *name =
            root->name == MC_NONE ? "" : mc_strings_get(&self->texts, root->name, &size);
        if (!visit(user, root->position, root->kind, name, size)) return false;
    }
    return true;
}

const mc_heap_words mc_object_words = {.append_kind = append_kind,
                                       .append_link = append_link,
                                       .list_roles = list_roles,
                                       .name_roots = name_roots,
                                       .list_standings = list_standings,
                                       .tell_roots = tell_roots,
                                       .number_root = number_root,
                                       .append_root = append_root,
                                       .get_id = get_id,
                                       .visit_roots = visit_roots};
