#include "engine/import/v8/v8_types.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <string.h>

#define NAME_MOST 120   // bytes of a name that are told
#define FIELDS_MOST 6   // properties of a plain object that are told
#define FIELDS_KNOWN 24 // an object with more is taken for a map
#define INTERFACES_MOST 20000

const char *const mc_v8_classifiers[MC_V8_LEVELS] = {"File", "Constructor"};

static const char built_in[] = "(built in)", of_node[] = "(node)", of_engine[] = "(engine)";

// What plain objects have the same properties: how many, and their type.
typedef struct interface {
    uint64_t hash;
    uint32_t count, type, node; // node: one of them
} interface;

// Instances of a class have its type, and follow each other.
#define CLASSES_KNOWN 4096u

typedef struct known_class {
    uint32_t name, file, type;
    bool is_detached, is_set;
} known_class;

typedef struct typer {
    const mc_v8_heap *heap;
    const uint32_t *contexts;
    mc_object_heap *objects;
    uint32_t *files;      // by node of a prototype: text + 1; 0: not known yet
    uint32_t *by_name;    // by string: the type of nodes of the kinds below, + 1
    known_class *classes; // CLASSES_KNOWN, by hash
    mc_slots slots;
    interface *interfaces;
    size_t interface_count, interface_capacity;
    mc_text text;
} typer;

uint32_t *mc_v8_list_contexts(const mc_v8_heap *heap) {
    uint32_t *contexts = mc_alloc((size_t)heap->node_count + 1, sizeof *contexts);
    if (!contexts) return NULL;
    memset(contexts, 0xff, heap->node_count * sizeof *contexts);
    for (uint32_t i = 0; i < heap->node_count; i++) {
        if (heap->node_kinds[i] != MC_V8_CLOSURE) continue;
        uint32_t at = mc_v8_heap_find_target(heap, i, MC_V8_INTERNAL, heap->names.context);
        if (at == MC_NONE) continue;
        // Of several functions the first in the source, by columns as well: many stand in one line,
        // all of a program that was minified, and their order differs from snapshot to snapshot.
        uint64_t here = mc_v8_heap_find_position(heap, i);
        uint64_t known = contexts[at] == MC_NONE ? 0 : mc_v8_heap_find_position(heap, contexts[at]);
        if (contexts[at] == MC_NONE || (here != 0 && (known == 0 || here < known)))
            contexts[at] = i;
    }
    return contexts;
}

// ---- types

// `title`: what it is called, if that is not the name; NULL: it is.
static uint32_t add_type(typer *self, const char *file, size_t file_size, const char *name,
                         size_t name_size, const char *title, uint32_t flags) {
    const mc_heap_key levels[MC_V8_LEVELS] = {{file, file_size}, {name, name_size}};
    const mc_heap_key called = title ? (mc_heap_key){title, strlen(title)} : levels[1];
    return mc_object_heap_find_type(self->objects, levels, called, flags);
}

static uint32_t add_named(typer *self, const char *file, const char *name, uint32_t flags) {
    return add_type(self, file, strlen(file), name, strlen(name), NULL, flags);
}

static bool is_of_node(const char *path) {
    return strncmp(path, "node:", 5) == 0 || strncmp(path, "internal/", 9) == 0;
}

// The file of a script, as a text; that of none is built in.
static uint32_t find_file(typer *self, uint32_t script) {
    const char *file = built_in;
    mc_text_clear(&self->text);
    if (script != MC_NONE) {
        mc_v8_file_append_string(&self->heap->file, self->heap->node_names[script], 1000,
                                 &self->text);
        file = mc_text_get(&self->text);
        if (strncmp(file, "file://", 7) == 0) file += 7;
        if (is_of_node(file)) file = of_node;
        if (*file == '\0') file = built_in;
    }
    return self->text.failed ? MC_NONE : mc_object_heap_add_text(self->objects, file, strlen(file));
}

// That of an object's class, which its prototype's constructor tells. MC_NONE: out of memory.
static uint32_t find_class_file(typer *self, uint32_t node) {
    const mc_v8_heap *heap = self->heap;
    uint32_t proto = mc_v8_heap_find_target(heap, node, MC_V8_PROPERTY, heap->names.proto);
    if (proto == MC_NONE)
        return mc_object_heap_add_text(self->objects, built_in, sizeof built_in - 1);
    if (self->files[proto] != 0) return self->files[proto] - 1;
    uint32_t constructor =
        mc_v8_heap_find_target(heap, proto, MC_V8_PROPERTY, heap->names.constructor);
    bool is_function = constructor != MC_NONE && heap->node_kinds[constructor] == MC_V8_CLOSURE;
    uint32_t file =
        find_file(self, is_function ? mc_v8_heap_find_script(heap, constructor) : MC_NONE);
    if (file != MC_NONE) self->files[proto] = file + 1;
    return file;
}

static bool is_own_file(const typer *self, uint32_t file) {
    const char *path = file == MC_NONE ? "" : mc_strings_get(&self->objects->texts, file, NULL);
    return strcmp(path, built_in) != 0 && strcmp(path, of_node) != 0;
}

static uint32_t add_in_file(typer *self, uint32_t file, const char *title, uint32_t flags) {
    size_t size;
    if (file == MC_NONE) return MC_NONE;
    const char *path = mc_strings_get(&self->objects->texts, file, &size);
    bool is_own = is_own_file(self, file);
    mc_text copy = {0}; // as texts grow
    mc_text_append(&copy, path, size);
    uint32_t type =
        copy.failed ? MC_NONE
                    : add_type(self, copy.data, size, self->text.data, self->text.size,
                               is_own ? title : NULL, flags | (is_own ? MC_OBJECT_PROGRAM : 0u));
    mc_text_deinit(&copy);
    return type;
}

// ---- plain objects

// Of a property that a plain object is told by.
static bool is_field(const mc_v8_heap *heap, uint64_t edge) {
    return heap->edge_kinds[edge] == MC_V8_PROPERTY && heap->edges[edge].label != heap->names.proto;
}

static uint32_t hash_interface(const mc_v8_heap *heap, uint32_t node, uint64_t *hash) {
    uint32_t count = 0;
    *hash = 0;
    for (uint64_t i = heap->edge_begins[node]; i < heap->edge_begins[node + 1]; i++) {
        if (!is_field(heap, i)) continue;
        *hash += mc_hash_u64(heap->edges[i].label, 1); // in any order
        count++;
    }
    return count;
}

static bool is_plain(const mc_v8_heap *heap, uint32_t node) {
    static const char wanted[] = "Object\"";
    const uint32_t string = heap->node_names[node];
    if (heap->node_kinds[node] != MC_V8_OBJECT || string >= heap->file.string_count) return false;
    const char *name = heap->file.data + heap->file.strings[string];
    const size_t size = sizeof wanted - 1;
    return (size_t)(heap->file.end - name) >= size && memcmp(name, wanted, size) == 0;
}

// NULL: too many, or out of memory.
static interface *find_interface(typer *self, uint64_t hash, uint32_t node) {
    const uint32_t key = (uint32_t)hash;
    for (uint32_t at = key, i;
         self->interfaces && (i = mc_slots_find(&self->slots, key, &at)) != MC_NONE;)
        if (self->interfaces[i].hash == hash) return &self->interfaces[i];
    if (self->interface_count >= INTERFACES_MOST ||
        !mc_reserve(&self->interfaces, &self->interface_capacity, self->interface_count + 1,
                    sizeof *self->interfaces) ||
        !mc_slots_add(&self->slots, key, (uint32_t)self->interface_count))
        return NULL;
    self->interfaces[self->interface_count] =
        (interface){.hash = hash, .type = MC_NONE, .node = node};
    return &self->interfaces[self->interface_count++];
}

static void count_interfaces(typer *self) {
    for (uint32_t i = 0; i < self->heap->node_count; i++) {
        uint64_t hash;
        if (!is_plain(self->heap, i)) continue;
        uint32_t count = hash_interface(self->heap, i, &hash);
        interface *of = count > 0 && count <= FIELDS_KNOWN ? find_interface(self, hash, i) : NULL;
        if (of) of->count++;
    }
}

static void append_interface(typer *self, uint32_t node) {
    const mc_v8_heap *heap = self->heap;
    uint32_t count = 0;
    mc_text_append_string(&self->text, "{");
    for (uint64_t i = heap->edge_begins[node]; i < heap->edge_begins[node + 1]; i++) {
        if (!is_field(heap, i)) continue;
        if (count++ == FIELDS_MOST) {
            mc_text_append_string(&self->text, ", …");
            break;
        }
        mc_text_append_string(&self->text, count > 1 ? ", " : "");
        mc_v8_file_append_string(&heap->file, heap->edges[i].label, NAME_MOST, &self->text);
    }
    mc_text_append_string(&self->text, "}");
}

static uint32_t find_plain_type(typer *self, uint32_t node) {
    static const char file[] = "(objects)";
    uint64_t hash;
    uint32_t count = hash_interface(self->heap, node, &hash);
    interface *of = count > 0 && count <= FIELDS_KNOWN ? find_interface(self, hash, node) : NULL;
    if (!of || of->count < 2) return add_named(self, file, "Object", MC_OBJECT_PROGRAM);
    if (of->type != MC_NONE) return of->type;
    mc_text_clear(&self->text);
    append_interface(self, of->node);
    if (self->text.failed) return MC_NONE;
    of->type = add_type(self, file, sizeof file - 1, self->text.data, self->text.size, NULL,
                        MC_OBJECT_PROGRAM);
    return of->type;
}

// ---- all others

static uint32_t add_object_type(typer *self, uint32_t node, uint32_t file, bool is_context) {
    const mc_v8_heap *heap = self->heap;
    mc_text_clear(&self->text);
    if (heap->detached[node]) mc_text_append_string(&self->text, "Detached ");
    size_t begin = self->text.size;
    mc_v8_file_append_string(&heap->file, heap->node_names[node], NAME_MOST, &self->text);
    if (self->text.size == begin) mc_text_append_string(&self->text, "(object)");
    if (self->text.failed) return MC_NONE;
    if (strncmp(self->text.data + begin, "Detached ", 9) == 0 && begin > 0) {
        memmove(self->text.data, self->text.data + begin, self->text.size - begin);
        self->text.size -= begin;
    }
    // Elements of a page by their tags.
    const char *blank = memchr(self->text.data, '<', self->text.size);
    if (blank) blank = memchr(blank, ' ', self->text.size - (size_t)(blank - self->text.data));
    if (blank) {
        self->text.size = (size_t)(blank - self->text.data);
        mc_text_append_string(&self->text, ">");
    }
    return add_in_file(self, file, is_context ? "closure scope" : NULL, MC_OBJECT_LASTING);
}

static uint32_t find_object_type(typer *self, uint32_t node) {
    const mc_v8_heap *heap = self->heap;
    if (is_plain(heap, node)) return find_plain_type(self, node);
    if (self->contexts[node] != MC_NONE) {
        const uint32_t script = mc_v8_heap_find_script(heap, self->contexts[node]);
        return add_object_type(self, node, find_file(self, script), true);
    }
    known_class class = {.name = heap->node_names[node],
                         .file = find_class_file(self, node),
                         .is_detached = heap->detached[node],
                         .is_set = true};
    const uint64_t hash =
        mc_hash_u64((uint64_t) class.name << 32 | class.file, (uint64_t) class.is_detached);
    known_class *known = &self->classes[hash % CLASSES_KNOWN];
    if (known->is_set && known->name == class.name && known->file == class.file &&
        known->is_detached == class.is_detached)
        return known->type;
    class.type = add_object_type(self, node, class.file, false);
    *known = class;
    return class.type;
}

static uint32_t find_closure_type(typer *self, uint32_t node) {
    const mc_v8_heap *heap = self->heap;
    uint32_t file = find_file(self, mc_v8_heap_find_script(heap, node));
    mc_text_clear(&self->text);
    mc_v8_file_append_string(&heap->file, heap->node_names[node], NAME_MOST, &self->text);
    if (self->text.size == 0 || !is_own_file(self, file)) {
        mc_text_clear(&self->text);
        mc_text_append_string(&self->text, "(closure)"); // the engine's own are one group
    } else {
        mc_text_append_string(&self->text, "()");
    }
    return self->text.failed ? MC_NONE : add_in_file(self, file, NULL, 0);
}

static uint32_t find_array_type(typer *self, uint32_t node) {
    mc_text_clear(&self->text);
    mc_v8_file_append_string(&self->heap->file, self->heap->node_names[node], NAME_MOST,
                             &self->text);
    if (self->text.size == 0 || *mc_text_get(&self->text) != '(') {
        mc_text_clear(&self->text);
        mc_text_append_string(&self->text, "(array)");
    }
    return self->text.failed ? MC_NONE
                             : add_type(self, built_in, sizeof built_in - 1, self->text.data,
                                        self->text.size, NULL, MC_OBJECT_ARRAY);
}

static uint32_t find_native_type(typer *self, uint32_t node) {
    mc_text_clear(&self->text);
    mc_v8_file_append_string(&self->heap->file, self->heap->node_names[node], NAME_MOST,
                             &self->text);
    if (self->text.size == 0) mc_text_append_string(&self->text, "(native)");
    return self->text.failed
               ? MC_NONE
               : add_type(self, "(native)", 8, self->text.data, self->text.size, NULL, 0);
}

static uint32_t find_type(typer *self, uint32_t node) {
    switch (self->heap->node_kinds[node]) {
    case MC_V8_OBJECT: return find_object_type(self, node);
    case MC_V8_CLOSURE: return find_closure_type(self, node);
    case MC_V8_ARRAY: return find_array_type(self, node);
    case MC_V8_NATIVE: return find_native_type(self, node);
    case MC_V8_STRING: return add_named(self, built_in, "(string)", 0);
    case MC_V8_CONCATENATED: return add_named(self, built_in, "(concatenated string)", 0);
    case MC_V8_SLICED: return add_named(self, built_in, "(sliced string)", 0);
    case MC_V8_NUMBER: return add_named(self, built_in, "(number)", 0);
    case MC_V8_SYMBOL: return add_named(self, built_in, "(symbol)", 0);
    case MC_V8_BIGINT: return add_named(self, built_in, "(bigint)", 0);
    case MC_V8_REGEXP: return add_named(self, built_in, "RegExp", 0);
    case MC_V8_CODE: return add_named(self, of_engine, "(compiled code)", 0);
    case MC_V8_SHAPE: return add_named(self, of_engine, "(object shape)", 0);
    case MC_V8_WASM: return add_named(self, built_in, "(wasm object)", 0);
    default: return add_named(self, of_engine, "(system)", 0);
    }
}

// Many nodes are of a type that their kind, or their name, says alone.
static uint32_t *find_known(typer *self, uint32_t node, uint32_t *of_kind) {
    const mc_v8_heap *heap = self->heap;
    switch (heap->node_kinds[node]) {
    case MC_V8_OBJECT:
    case MC_V8_CLOSURE: return NULL;
    case MC_V8_ARRAY:
    case MC_V8_NATIVE:
        return heap->node_names[node] < heap->file.string_count
                   ? &self->by_name[heap->node_names[node]]
                   : NULL;
    default: return &of_kind[heap->node_kinds[node]];
    }
}

static bool find_all(typer *self, uint32_t *types) {
    uint32_t of_kind[MC_V8_NODE_KIND_COUNT + 1] = {0};
    for (uint32_t i = 0; i < self->heap->node_count; i++) {
        types[i] = MC_NONE;
        if (self->heap->node_kinds[i] == MC_V8_SYNTHETIC) continue;
        uint32_t *known = find_known(self, i, of_kind);
        uint32_t kind = self->heap->node_kinds[i] == MC_V8_ARRAY;
        // A name may be that of an array and of something native.
        if (known && *known != 0 && (*known & 1) == kind) {
            types[i] = (*known >> 1) - 1;
            continue;
        }
        types[i] = find_type(self, i);
        if (types[i] == MC_NONE) return false;
        if (known && types[i] < MC_NONE / 4) *known = (types[i] + 1) << 1 | kind;
    }
    return true;
}

bool mc_v8_find_types(const mc_v8_heap *heap, const uint32_t *contexts, mc_object_heap *objects,
                      uint32_t *types) {
    typer self = {.heap = heap, .contexts = contexts, .objects = objects};
    self.files = mc_alloc_zero((size_t)heap->node_count + 1, sizeof *self.files);
    self.by_name = mc_alloc_zero((size_t)heap->file.string_count + 1, sizeof *self.by_name);
    self.classes = mc_alloc_zero(CLASSES_KNOWN, sizeof *self.classes);
    bool is_done = self.files && self.by_name && self.classes;
    if (is_done) count_interfaces(&self);
    is_done = is_done && find_all(&self, types);
    mc_free(self.classes);
    mc_free(self.files);
    mc_free(self.by_name);
    mc_free(self.interfaces);
    mc_slots_deinit(&self.slots);
    mc_text_deinit(&self.text);
    return is_done;
}
