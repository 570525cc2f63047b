#include "engine/import/v8/v8_reader.h"

#include "engine/base/ascii.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/import/v8/v8_births.h"
#include "engine/import/v8/v8_types.h"
#include <string.h>

#define NAME_MOST 200 // bytes of a name that are told
#define LABEL_UNKNOWN MC_NONE
#define EDGES_AT_ONCE (1u << 16)
#define PROGRESS_MASK 0xffffu // nodes between two reports

typedef struct reader {
    mc_v8_heap v8;
    mc_object_heap *objects;
    uint32_t *contexts; // by node: a function, then its text
    uint32_t *numbers;  // by node: the object; MC_NONE: it is a root
    bool *is_global;    // by node: it is the object of global variables
    bool *lasts;        // by node: something else than the engine's work reaches it; or NULL
    uint32_t *field_labels, *weak_labels; // by string: of edges; LABEL_UNKNOWN
    uint32_t weak_label, weak_map_label;  // of edges without a name of their own
    mc_text text;
    mc_error *error;
} reader;

static mc_result out_of_memory(const reader *self) {
    return mc_error_out_of_memory(self->error);
}

// ---- roots

static const struct {
    const char *name;
    mc_root_kind kind;
} roots[] = {{"(Stack roots)", MC_ROOT_STACK},
             {"(Handle scope)", MC_ROOT_JNI_LOCAL},
             {"(Global handles)", MC_ROOT_HANDLE},
             {"(Eternal handles)", MC_ROOT_HANDLE},
             {"(Traced handles)", MC_ROOT_HANDLE},
             {"C++ roots", MC_ROOT_HANDLE},
             {"C++ cross-thread roots", MC_ROOT_HANDLE},
             {"Node / Environment", MC_ROOT_HANDLE},
             {"(Internalized strings)", MC_ROOT_INTERNED_STRING}};

static mc_root_kind find_root_kind(const char *name) {
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (strcmp(roots[i].name, name) == 0) return roots[i].kind;
    return MC_ROOT_VM_INTERNAL;
}

static bool is_kept(uint8_t edge_kind, uint32_t node) {
    return edge_kind != MC_V8_WEAK && (edge_kind != MC_V8_SHORTCUT || node == 0);
}

// "124 / IdentityMapBase": what a function that is just being optimized refers to. It ends with
// that.
static bool is_of_compiler(const mc_v8_heap *v8, uint64_t edge) {
    static const char end[] = "/ IdentityMapBase";
    size_t size, length = sizeof end - 1;
    if (v8->edge_kinds[edge] != MC_V8_INTERNAL) return false;
    const char *name = mc_v8_file_get_raw(&v8->file, v8->edges[edge].label, &size);
    return size > length && memcmp(name + size - length, end, length) == 0;
}

static bool is_of_handles(const mc_v8_heap *v8, uint32_t node) {
    static const char name[] = "(Handle scope)";
    size_t size;
    if (v8->node_kinds[node] != MC_V8_SYNTHETIC) return false;
    const char *text = mc_v8_file_get_raw(&v8->file, v8->node_names[node], &size);
    return size == sizeof name - 1 && memcmp(text, name, size) == 0;
}

// What the engine has in hand while it compiles or calls is no owner of what others hold: finds
// what is reached without it. False: out of memory.
static bool find_lasting(reader *self) {
    const mc_v8_heap *v8 = &self->v8;
    uint32_t *queue = mc_alloc((size_t)v8->node_count + 1, sizeof *queue), count = 1;
    bool *lasts = self->lasts = mc_alloc_zero((size_t)v8->node_count + 1, sizeof *lasts);
    if (!queue || !lasts) {
        mc_free(queue);
        return false;
    }
    queue[0] = 0;
    lasts[0] = true;
    while (count > 0) {
        const uint32_t node = queue[--count];
        if (is_of_handles(v8, node)) continue;
        for (uint64_t i = v8->edge_begins[node]; i < v8->edge_begins[node + 1]; i++) {
            const uint32_t target = v8->edges[i].target;
            if (lasts[target] || !is_kept(v8->edge_kinds[i], node)) continue;
            if (v8->node_kinds[node] == MC_V8_SYNTHETIC && is_of_compiler(v8, i)) continue;
            lasts[target] = true;
            queue[count++] = target;
        }
    }
    mc_free(queue);
    return true;
}

static mc_result add_roots_of(reader *self, uint32_t node, uint32_t *queue, uint32_t *count,
                              bool *is_seen) {
    const mc_v8_heap *v8 = &self->v8;
    static const char owner[] = "V8's ";
    mc_text_clear(&self->text);
    mc_text_append_string(&self->text, owner);
    mc_v8_file_append_string(&v8->file, v8->node_names[node], NAME_MOST, &self->text);
    if (self->text.failed) return out_of_memory(self);
    const char *name = mc_text_get(&self->text) + strlen(owner);
    if (*name == '\0') name = "the snapshot's root";
    const mc_root_kind kind = find_root_kind(name);
    if (name[0] == '(') name = mc_text_get(&self->text); // "V8's (Strong roots)"
    const bool is_of_handle = kind == MC_ROOT_JNI_LOCAL;
    if (kind == MC_ROOT_STACK || kind == MC_ROOT_JNI_LOCAL) name = "a function that runs";
    uint32_t text = mc_object_heap_add_text(self->objects, name, strlen(name));
    uint32_t global = mc_object_heap_add_text(self->objects, "the global object", 17);
    if (text == MC_NONE || global == MC_NONE) return out_of_memory(self);
    for (uint64_t i = v8->edge_begins[node]; i < v8->edge_begins[node + 1]; i++) {
        const uint32_t target = v8->edges[i].target;
        if (!is_kept(v8->edge_kinds[i], node)) continue;
        if (self->numbers[target] == MC_NONE) {
            if (!is_seen[target]) queue[(*count)++] = target;
            is_seen[target] = true;
            continue;
        }
        const bool is_global = v8->edge_kinds[i] == MC_V8_SHORTCUT;
        const bool is_passing = is_of_handle || is_of_compiler(v8, i);
        if (is_passing && !self->lasts && !find_lasting(self)) return out_of_memory(self);
        if (is_passing && self->lasts[target]) continue;
        if (is_global) self->is_global[target] = true;
        const mc_root_kind kept_by = is_global    ? MC_ROOT_GLOBAL
                                     : is_passing ? MC_ROOT_JNI_LOCAL
                                                  : kind;
        if (!mc_object_heap_add_root(self->objects, self->numbers[target], kept_by,
                                     is_global ? global : text))
            return out_of_memory(self);
    }
    return MC_OK;
}

// Those that node 0 reaches by way of synthetic nodes alone.
static mc_result add_roots(reader *self) {
    const size_t nodes = (size_t)self->v8.node_count + 1;
    uint32_t *queue = mc_alloc(nodes, sizeof *queue), count = 1;
    bool *is_seen = mc_alloc_zero(nodes, sizeof *is_seen);
    self->is_global = mc_alloc_zero(nodes, sizeof *self->is_global);
    mc_result result = queue && is_seen && self->is_global ? MC_OK : out_of_memory(self);
    if (result == MC_OK) {
        queue[0] = 0;
        is_seen[0] = true;
    }
    for (uint32_t i = 0; result == MC_OK && i < count; i++)
        result = add_roots_of(self, queue[i], queue, &count, is_seen);
    mc_free(queue);
    mc_free(is_seen);
    mc_free(self->lasts);
    self->lasts = NULL;
    return result;
}

// ---- labels

static uint32_t find_label(reader *self, const char *text, mc_heap_link_kind kind, bool is_whole) {
    uint32_t index = mc_object_heap_add_text(self->objects, text, strlen(text));
    return index == MC_NONE ? MC_NONE
                            : mc_object_heap_find_label(self->objects, index, kind, is_whole);
}

static bool is_number(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (!mc_is_digit(text[i])) return false;
    return size > 0;
}

static bool begins_with_digit(const mc_v8_heap *v8, uint32_t string) {
    return string < v8->file.string_count && mc_is_digit(v8->file.data[v8->file.strings[string]]);
}

// "12 / part of key (Object @3) -> value (Session @5) pair in WeakMap (table @7)": the table's id.
static bool is_of_weak_map(const char *text, size_t size, uint64_t *table) {
    static const char part[] = " / part of key (", before[] = "(table @";
    size_t at = 0;
    while (at < size && mc_is_digit(text[at]))
        at++;
    if (at == 0 || size - at < sizeof part + sizeof before ||
        memcmp(text + at, part, sizeof part - 1) != 0 || text[size - 1] != ')')
        return false;
    size_t end = size - 1, begin = end;
    while (begin > at && mc_is_digit(text[begin - 1]))
        begin--;
    const size_t length = sizeof before - 1;
    if (begin == end || end - begin > 18 || begin < at + length ||
        memcmp(text + begin - length, before, length) != 0)
        return false;
    *table = 0;
    for (size_t i = begin; i < end; i++)
        *table = *table * 10 + (uint64_t)(text[i] - '0');
    return true;
}

// What it was before the label of a string was known.
static uint32_t make_label(reader *self, uint32_t string, mc_heap_link_kind kind) {
    size_t size;
    const char *raw = mc_v8_file_get_raw(&self->v8.file, string, &size);
    if (is_number(raw, size)) return kind == MC_HEAP_LINK_WEAK ? self->weak_label : 0;
    mc_text_clear(&self->text);
    mc_v8_file_append_string(&self->v8.file, string, NAME_MOST, &self->text);
    if (self->text.failed) return MC_NONE;
    return find_label(self, mc_text_get(&self->text), kind, false);
}

static uint32_t find_known_label(reader *self, uint32_t string, mc_heap_link_kind kind) {
    uint32_t *labels = kind == MC_HEAP_LINK_WEAK ? self->weak_labels : self->field_labels;
    if (string >= self->v8.file.string_count)
        return kind == MC_HEAP_LINK_WEAK ? self->weak_label : 0;
    if (labels[string] == LABEL_UNKNOWN) labels[string] = make_label(self, string, kind);
    return labels[string];
}

// "closure variable cache of handle (leak.js:6)", "global.store".
static uint32_t find_variable(reader *self, uint32_t node, uint32_t string) {
    const mc_v8_heap *v8 = &self->v8;
    mc_text_clear(&self->text);
    if (self->is_global[node]) {
        size_t size;
        const char *name = mc_v8_file_get_raw(&v8->file, v8->node_names[node], &size);
        bool is_window = size >= 6 && memcmp(name, "Window", 6) == 0;
        mc_text_append_string(&self->text, is_window ? "window." : "global.");
        mc_v8_file_append_string(&v8->file, string, NAME_MOST, &self->text);
    } else {
        mc_text_append_string(&self->text, "closure variable ");
        mc_v8_file_append_string(&v8->file, string, NAME_MOST, &self->text);
        if (self->contexts[node] != MC_NONE) {
            size_t size;
            const char *function =
                mc_strings_get(&self->objects->texts, self->contexts[node], &size);
            mc_text_append_string(&self->text, " of ");
            mc_text_append(&self->text, function, size);
        }
    }
    if (self->text.failed) return MC_NONE;
    return find_label(self, mc_text_get(&self->text), MC_HEAP_LINK_STATIC, true);
}

// The label of an edge; MC_NONE: out of memory. *is_left_out: it is none.
static uint32_t label_edge(reader *self, uint32_t node, uint64_t edge, bool *is_left_out) {
    const mc_v8_heap *v8 = &self->v8;
    const uint32_t string = v8->edges[edge].label;
    *is_left_out = false;
    switch (v8->edge_kinds[edge]) {
    case MC_V8_CONTEXT: return find_variable(self, node, string);
    case MC_V8_PROPERTY:
        return self->is_global[node] ? find_variable(self, node, string)
                                     : find_known_label(self, string, MC_HEAP_LINK_FIELD);
    case MC_V8_INTERNAL: {
        size_t size;
        uint64_t table;
        if (!begins_with_digit(v8, string))
            return find_known_label(self, string, MC_HEAP_LINK_FIELD);
        const char *raw = mc_v8_file_get_raw(&v8->file, string, &size);
        if (!is_of_weak_map(raw, size, &table))
            return find_known_label(self, string, MC_HEAP_LINK_FIELD);
        *is_left_out = table == v8->node_ids[node]; // its key has the other one
        return self->weak_map_label;
    }
    case MC_V8_SHORTCUT:
    case MC_V8_WEAK: return find_known_label(self, string, MC_HEAP_LINK_WEAK);
    default: return 0;
    }
}

static mc_result prepare_labels(reader *self) {
    const size_t size = ((size_t)self->v8.file.string_count + 1) * sizeof *self->field_labels;
    self->field_labels = mc_alloc(size, 1);
    self->weak_labels = mc_alloc(size, 1);
    self->weak_label = find_label(self, "weak reference", MC_HEAP_LINK_WEAK, true);
    self->weak_map_label = find_label(self, "value in a WeakMap", MC_HEAP_LINK_FIELD, true);
    if (!self->field_labels || !self->weak_labels || self->weak_label == MC_NONE ||
        self->weak_map_label == MC_NONE)
        return out_of_memory(self);
    memset(self->field_labels, 0xff, size);
    memset(self->weak_labels, 0xff, size);
    return MC_OK;
}

// ---- objects

static mc_result number_objects(reader *self) {
    mc_v8_heap *v8 = &self->v8;
    uint32_t count = 0;
    v8->node_kinds[0] = MC_V8_SYNTHETIC; // the root, whatever it is
    self->numbers = mc_alloc((size_t)v8->node_count + 1, sizeof *self->numbers);
    if (!self->numbers) return out_of_memory(self);
    for (uint32_t i = 0; i < v8->node_count; i++)
        self->numbers[i] = v8->node_kinds[i] == MC_V8_SYNTHETIC ? MC_NONE : count++;
    self->objects->object_count = count;
    return MC_OK;
}

// While their edges are where they were.
static mc_result name_contexts(reader *self) {
    for (uint32_t i = 0; i < self->v8.node_count; i++) {
        if (self->contexts[i] == MC_NONE) continue;
        mc_text_clear(&self->text);
        mc_v8_heap_append_function(&self->v8, self->contexts[i], &self->text);
        if (!self->text.failed)
            self->contexts[i] =
                mc_object_heap_add_text(self->objects, self->text.data, self->text.size);
        if (self->text.failed || self->contexts[i] == MC_NONE) return out_of_memory(self);
    }
    return MC_OK;
}

static void number_targets(void *user, uint32_t begin, uint32_t end, uint32_t thread) {
    const reader *self = user;
    (void)thread;
    for (uint32_t i = begin; i < end; i++)
        self->v8.edges[i].target = self->numbers[self->v8.edges[i].target];
}

// Of nodes those that are objects, in the same columns: none is moved to behind where it was.
static mc_result move_edges(reader *self) {
    mc_v8_heap *v8 = &self->v8;
    uint64_t to = 0, begin = 0;
    mc_parallel_run_ranges(v8->edge_count, EDGES_AT_ONCE, self->objects->heap.thread_count,
                           number_targets, self);
    for (uint32_t i = 0; i < v8->node_count; i++) {
        const uint64_t end = v8->edge_begins[i + 1];
        const uint32_t object = self->numbers[i];
        if (object != MC_NONE) v8->edge_begins[object] = to;
        for (; begin < end && object != MC_NONE; begin++) {
            const uint32_t target = v8->edges[begin].target;
            bool is_left_out;
            uint32_t label = label_edge(self, i, begin, &is_left_out);
            if (label == MC_NONE) return out_of_memory(self);
            if (target == MC_NONE || is_left_out) continue;
            v8->edges[to++] = (mc_object_edge){target, label};
        }
        begin = end;
        if ((i & PROGRESS_MASK) != 0) continue;
        mc_result result = mc_object_heap_report(self->objects, 1, i, v8->node_count, self->error);
        if (result != MC_OK) return result;
    }
    v8->edge_begins[self->objects->object_count] = to;
    return MC_OK;
}

static void move_columns(reader *self, uint32_t *types) {
    mc_v8_heap *v8 = &self->v8;
    for (uint32_t i = 0; i < v8->node_count; i++) {
        const uint32_t object = self->numbers[i];
        if (object == MC_NONE) continue;
        types[object] = types[i];
        v8->node_sizes[object] = v8->node_sizes[i];
        v8->node_ids[object] = v8->node_ids[i];
    }
    self->objects->object_types = types;
    self->objects->object_sizes = v8->node_sizes;
    self->objects->object_ids = v8->node_ids;
    self->objects->edge_begins = v8->edge_begins;
    self->objects->edges = v8->edges;
    v8->edge_begins = NULL;
    v8->node_sizes = NULL;
    v8->node_ids = NULL;
    v8->edges = NULL;
}

static mc_result fill(reader *self, const mc_heap_desc *desc) {
    mc_v8_heap *v8 = &self->v8;
    uint32_t *types = mc_alloc((size_t)v8->node_count + 1, sizeof *types);
    self->contexts = mc_v8_list_contexts(v8);
    mc_result result = types && self->contexts ? number_objects(self) : out_of_memory(self);
    if (result == MC_OK)
        result = mc_v8_births_read(v8, self->numbers, self->objects->object_count, desc,
                                   &self->objects->births, self->error);
    if (result == MC_OK && !mc_v8_find_types(v8, self->contexts, self->objects, types))
        result = out_of_memory(self);
    if (result == MC_OK) result = add_roots(self);
    if (result == MC_OK) result = prepare_labels(self);
    if (result == MC_OK) result = name_contexts(self);
    if (result == MC_OK) result = move_edges(self);
    if (result == MC_OK)
        move_columns(self, types);
    else
        mc_free(types);
    return result;
}

static void free_all(reader *self) {
    mc_v8_heap_deinit(&self->v8);
    mc_free(self->contexts);
    mc_free(self->numbers);
    mc_free(self->is_global);
    mc_free(self->field_labels);
    mc_free(self->weak_labels);
    mc_text_deinit(&self->text);
}

static mc_result read_snapshot(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                               mc_object_heap *heap, mc_text *damage, mc_error *error) {
    reader self = {.objects = heap, .error = error};
    mc_result result =
        mc_object_heap_init(heap, mc_v8_classifiers, MC_V8_LEVELS, desc->thread_count, error);
    if (result == MC_OK)
        result = mc_v8_heap_init(&self.v8, data, size, desc->thread_count, desc->is_mapped, error);
    if (result == MC_OK) result = mc_object_heap_report(heap, 0, 1, 1, error);
    if (result == MC_OK) result = fill(&self, desc);
    if (result == MC_OK && heap->object_count == 0)
        result = mc_error_set(error, MC_ERROR_BAD_DATA, 0, "it has no object");
    if (result == MC_OK && self.v8.file.is_cut)
        mc_text_append_string(damage, "it ends in its texts, so that names are missing");
    free_all(&self);
    return result == MC_OK ? mc_object_heap_end(heap, error) : result;
}

const mc_object_reader mc_v8_reader = {.read = read_snapshot, .has_stable_ids = true};
