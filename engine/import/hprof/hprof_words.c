#include "engine/import/hprof/hprof_words.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_collections.h"
#include "engine/import/hprof/hprof_dump.h"

#define MASK_BITS 32 // slots of a role that count

// ---- kinds and links

static void append_kind(const void *reader, uint32_t kind, mc_heap_wording wording, mc_text *text) {
    static const char *const primitives[MC_HPROF_TYPE_COUNT] = {
        [4] = "boolean[]", [5] = "char[]",  [6] = "float[]", [7] = "double[]",
        [8] = "byte[]",    [9] = "short[]", [10] = "int[]",  [11] = "long[]"};
    const mc_hprof_dump *dump = reader;
    const mc_hprof_kind_meaning *meaning = &dump->kinds.meanings[kind];
    switch (meaning->what) {
    case MC_HPROF_VERTEX_ROOT: mc_text_append_string(text, "GC root"); return;
    case MC_HPROF_VERTEX_FINALIZING: mc_text_append_string(text, "pending finalizers"); return;
    case MC_HPROF_VERTEX_SOFT: mc_text_append_string(text, "soft references"); return;
    case MC_HPROF_VERTEX_PRIMITIVES:
        mc_text_append_string(text, primitives[meaning->class]);
        return;
    case MC_HPROF_VERTEX_CLASS: mc_text_append_string(text, "class "); break;
    case MC_HPROF_VERTEX_UNKNOWN: mc_text_append_string(text, "(unknown)"); return;
    default: break;
    }
    mc_hprof_append_class(&dump->classes, meaning->class, wording == MC_HEAP_WORDS_FULL, text);
}

static mc_hprof_field get_field(const mc_hprof_dump *dump, uint32_t kind, uint32_t slot) {
    const mc_hprof_kind_meaning *meaning = &dump->kinds.meanings[kind];
    switch (meaning->what) {
    case MC_HPROF_VERTEX_INSTANCE:
        return mc_hprof_get_instance_field(&dump->classes, &dump->file, meaning->class, slot);
    case MC_HPROF_VERTEX_OBJECTS:
        return (mc_hprof_field){.kind = MC_HPROF_FIELD_ELEMENT, .class = meaning->class};
    case MC_HPROF_VERTEX_CLASS:
        return mc_hprof_get_class_field(&dump->classes, &dump->file, meaning->class, slot);
    default: return (mc_hprof_field){.kind = MC_HPROF_FIELD_UNKNOWN, .class = MC_NONE};
    }
}

static mc_heap_link_kind append_link(const void *reader, uint32_t kind, uint32_t slot,
                                     mc_heap_wording wording, mc_text *text) {
    const mc_hprof_dump *dump = reader;
    mc_hprof_field field = get_field(dump, kind, slot);
    mc_hprof_vertex what = dump->kinds.meanings[kind].what;
    if (what == MC_HPROF_VERTEX_FINALIZING || what == MC_HPROF_VERTEX_SOFT) {
        mc_text_append_string(text, what == MC_HPROF_VERTEX_SOFT ? "SoftReference.referent"
                                                                 : "Finalizer.referent");
        return MC_HEAP_LINK_WEAK;
    }
    bool is_static = field.kind == MC_HPROF_FIELD_STATIC;
    if (is_static && wording != MC_HEAP_WORDS_BARE) mc_text_append_string(text, "static ");
    mc_hprof_append_field(&dump->classes, &dump->file, &field, wording == MC_HEAP_WORDS_FULL, text);
    if (is_static) return MC_HEAP_LINK_STATIC;
    return field.is_weak ? MC_HEAP_LINK_WEAK : MC_HEAP_LINK_FIELD;
}

// ---- roles

typedef struct role_lister {
    const mc_hprof_dump *dump;
    mc_hprof_table places; // where a field is declared -> the first link
    uint32_t *fields;
} role_lister;

static bool list_instance(role_lister *self, uint32_t kind, mc_heap_role *role) {
    const mc_hprof_dump *dump = self->dump;
    const char *patterns = dump->collections;
    const uint32_t first = dump->heap.kinds[kind].first_link;
    for (uint32_t slot = 0; slot < dump->heap.graph_kinds[kind].slot_count; slot++) {
        mc_hprof_field field = mc_hprof_get_instance_field(&dump->classes, &dump->file,
                                                           dump->kinds.meanings[kind].class, slot);
        if (field.kind != MC_HPROF_FIELD_INSTANCE) continue;
        uint64_t *known = mc_hprof_table_put(&self->places, field.place);
        if (!known) return false;
        // Subclasses have one field in common.
        if (*known == MC_HPROF_NO_VALUE) *known = first + slot;
        self->fields[first + slot] = (uint32_t)*known;
        if (slot >= MASK_BITS) continue;
        size_t size = 0;
        const char *name = mc_hprof_file_get_string(&dump->file, field.name, &size);
        // An inner class's reference to what it belongs to.
        if (name && size > 5 && memcmp(name, "this$", 5) == 0) role->ignored |= 1u << slot;
        const mc_hprof_class *owner = &dump->classes.items[field.class];
        if (mc_hprof_is_listed(owner, patterns))
            role->inside |= 1u << slot;
        else if (mc_hprof_is_in_listed(owner, patterns))
            role->element |= 1u << slot;
    }
    return true;
}

// A class's constant pool is part of the class.
static void list_class(role_lister *self, uint32_t kind) {
    const mc_hprof_dump *dump = self->dump;
    for (uint32_t slot = 0; slot < dump->heap.graph_kinds[kind].slot_count; slot++) {
        mc_hprof_field field = mc_hprof_get_class_field(&dump->classes, &dump->file,
                                                        dump->kinds.meanings[kind].class, slot);
        if (field.kind != MC_HPROF_FIELD_STATIC)
            self->fields[dump->heap.kinds[kind].first_link + slot] = MC_HEAP_INSIDE;
    }
}

// `fields` is filled by way of the lister. NOLINTNEXTLINE(readability-non-const-parameter)
static mc_result list_roles(const void *reader, mc_heap_role *roles, uint32_t *fields,
                            mc_error *error) {
    const mc_hprof_dump *dump = reader;
    role_lister self = {.dump = dump, .fields = fields};
    bool *is_collection = mc_hprof_list_collections(&dump->classes, dump->collections);
    bool is_done = is_collection != NULL;
    for (uint32_t i = 0; i < dump->heap.kind_count && is_done; i++) {
        const mc_hprof_kind_meaning *meaning = &dump->kinds.meanings[i];
        mc_heap_role *role = &roles[i];
        role->is_class = meaning->what == MC_HPROF_VERTEX_CLASS;
        role->is_array = role->may_be_structure = meaning->what == MC_HPROF_VERTEX_OBJECTS;
        if (role->is_class) list_class(&self, i);
        if (meaning->what != MC_HPROF_VERTEX_INSTANCE) continue;
        role->may_be_structure = is_collection[meaning->class];
        is_done = list_instance(&self, i, role);
    }
    mc_hprof_table_deinit(&self.places);
    mc_free(is_collection);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}

// ---- standings

// Threads' own maps of variables: a weak reference to the variable, and its value.
static const char local_entry[] = "java/lang/ThreadLocal$ThreadLocalMap$Entry";

static mc_result list_standings(const void *reader, mc_heap_standing *standings, mc_error *error) {
    const mc_hprof_dump *dump = reader;
    (void)error;
    for (uint32_t i = 0; i < dump->heap.kind_count; i++) {
        const mc_hprof_kind_meaning *meaning = &dump->kinds.meanings[i];
        bool has_class = meaning->what == MC_HPROF_VERTEX_INSTANCE ||
                         meaning->what == MC_HPROF_VERTEX_OBJECTS ||
                         meaning->what == MC_HPROF_VERTEX_CLASS;
        if (!has_class) continue;
        const mc_hprof_class *class = &dump->classes.items[meaning->class];
        standings[i].is_program = mc_hprof_origins_is_program(&dump->origins, class->loader_id);
        standings[i].is_local = meaning->what == MC_HPROF_VERTEX_INSTANCE &&
                                mc_hprof_is_text(class->name, class->name_size, local_entry);
        if (meaning->what != MC_HPROF_VERTEX_CLASS) continue;
        standings[i].is_class = true;
        standings[i].is_lasting = !mc_hprof_origins_may_go(&dump->origins, class->loader_id);
        for (uint32_t slot = 0; slot < dump->heap.graph_kinds[i].slot_count; slot++)
            if (get_field(dump, i, slot).kind == MC_HPROF_FIELD_LOADER)
                standings[i].loader_slot = slot;
    }
    return MC_OK;
}

// ---- roots

// The notes of what some vertices are rooted by, and of threads, whose frames are named there.
static bool note_roots(const mc_hprof_dump *dump, const mc_hprof_table *names,
                       mc_hprof_root_notes *notes) {
    bool is_done = true;
    for (size_t i = 0; i < dump->roots.count && is_done; i++) {
        const mc_hprof_root_record *root = &dump->roots.items[i];
        if (mc_hprof_table_get(names, root->target) != MC_HPROF_NO_VALUE ||
            *root->record == MC_HPROF_ROOT_THREAD)
            is_done =
                mc_hprof_root_notes_add(notes, root->record, dump->file.id_size, root->target);
    }
    return is_done;
}

// Who tells what some vertices are rooted by: each a value in the end, by its position.
typedef mc_result (*root_teller)(mc_hprof_table *of, const mc_hprof_root_notes *notes,
                                 mc_hprof_lookup *lookup, void *into, mc_error *error);

static mc_result tell_all(const mc_hprof_dump *dump, const uint32_t *positions, size_t count,
                          mc_hprof_table *found, root_teller tell, void *into, mc_error *error) {
    mc_hprof_root_notes notes = {0};
    mc_hprof_crew crew = {.worker_count = dump->crew.worker_count,
                          .progress = dump->crew.progress,
                          .total = dump->crew.total};
    atomic_init(&crew.done, atomic_load(&dump->crew.done));
    mc_hprof_lookup lookup = mc_hprof_dump_begin_lookup(dump, &crew, error);
    bool is_done = true;
    for (size_t i = 0; i < count && is_done; i++) {
        uint64_t *value = mc_hprof_table_put(found, positions[i]);
        is_done = value != NULL;
        if (value) *value = MC_NONE;
    }
    is_done = is_done && note_roots(dump, found, &notes);
    mc_result result =
        is_done ? tell(found, &notes, &lookup, into, error) : mc_error_out_of_memory(error);
    mc_hprof_lookup_deinit(&lookup);
    mc_hprof_root_notes_deinit(&notes);
    return result;
}

static mc_result tell_briefly(mc_hprof_table *of, const mc_hprof_root_notes *notes,
                              mc_hprof_lookup *lookup, void *into, mc_error *error) {
    return mc_hprof_roots_tell_briefly(of, notes, lookup, into, error);
}

static mc_result name_roots(const void *reader, const uint32_t *positions, size_t count,
                            uint32_t *names, mc_strings *strings, mc_error *error) {
    mc_hprof_table found = {0}; // by position
    mc_result result = tell_all(reader, positions, count, &found, tell_briefly, strings, error);
    for (size_t i = 0; i < count && result == MC_OK; i++)
        names[i] = (uint32_t)mc_hprof_table_get(&found, positions[i]);
    mc_hprof_table_deinit(&found);
    return result;
}

static mc_result tell_owners(mc_hprof_table *of, const mc_hprof_root_notes *notes,
                             mc_hprof_lookup *lookup, void *into, mc_error *error) {
    return mc_hprof_roots_tell_owners(of, notes, lookup, into, error);
}

static mc_result tell_roots(const void *reader, const uint32_t *positions, size_t count,
                            mc_heap_root *roots, mc_strings *strings, mc_error *error) {
    mc_hprof_owner_roots told = {.names = strings};
    mc_hprof_table found = {0}; // by position
    mc_result result = tell_all(reader, positions, count, &found, tell_owners, &told, error);
    for (size_t i = 0; i < count && result == MC_OK; i++) {
        uint64_t index = mc_hprof_table_get(&found, positions[i]);
        if (index < told.count) roots[i] = told.items[index];
    }
    mc_hprof_table_deinit(&found);
    mc_free(told.items);
    return result;
}

static bool list_root_holders(const void *reader, mc_heap_root_holders *holders) {
    const mc_hprof_dump *dump = reader;
    return mc_hprof_root_records_list_holders(&dump->roots, dump->file.id_size, holders);
}

const mc_heap_words mc_hprof_words = {.append_kind = append_kind,
                                      .append_link = append_link,
                                      .list_roles = list_roles,
                                      .name_roots = name_roots,
                                      .list_standings = list_standings,
                                      .tell_roots = tell_roots,
                                      .list_root_holders = list_root_holders};
