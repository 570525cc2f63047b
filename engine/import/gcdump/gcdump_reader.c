#include "engine/import/gcdump/gcdump_reader.h"

#include "engine/base/memory.h"
#include "engine/import/gcdump/gcdump_file.h"
#include <string.h>

#define LEVELS 2
#define PROGRESS_MASK ((1u << 16) - 1) // nodes between two reports

static const char *const classifiers[LEVELS] = {"Namespace", "Type"};

// A node that stands for roots.
typedef struct root_node {
    uint32_t node, name; // name: of texts; MC_NONE: its children are no roots of their own
    mc_root_kind kind;
} root_node;

typedef struct reader {
    mc_object_heap *heap;
    const mc_heap_desc *desc;
    mc_error *error;
    mc_gcdump_file file;
    uint32_t *numbers;    // of objects, by node; MC_NONE: it is none
    uint32_t *heap_types; // by the file's types; MC_NONE: not found yet
    mc_text text;         // scratch
    root_node *roots;
    size_t root_count, root_capacity;
    uint64_t edge_count, root_edge_count;
} reader;

static bool begins_with(mc_span text, const char *prefix) {
    size_t size = strlen(prefix);
    return text.size >= size && memcmp(text.at, prefix, size) == 0;
}

// ---- roots

static bool is_root_node(const reader *self, const mc_gcdump_node *node) {
    const mc_gcdump_type *type = &self->file.types[node->type];
    return begins_with(type->name, "[") && type->module.size == 0 && node->size == 0;
}

// "[strong Handles]" without its brackets.
static mc_span strip(mc_span name, size_t front) {
    name = (mc_span){name.at + front, name.size - front};
    if (name.size > 0 && name.at[name.size - 1] == ']') name.size--;
    return name;
}

// Within the node `parent`; the file's root is in none.
static bool name_root(reader *self, mc_span name, mc_span parent, root_node *root) {
    static const char variable[] = "[static var ";
    const bool is_variable = begins_with(name, variable);
    mc_span plain = strip(name, is_variable ? sizeof variable - 1 : 1);
    mc_text text = {0};
    root->kind = is_variable                        ? MC_ROOT_GLOBAL
                 : begins_with(name, "[local vars") ? MC_ROOT_STACK
                 : begins_with(name, "[finalizer ") ? MC_ROOT_FINALIZING
                                                    : MC_ROOT_HANDLE;
    if (is_variable)
        mc_text_append_string(&text,
                              begins_with(parent, "[thread static") ? "thread static " : "static ");
    if (root->kind == MC_ROOT_STACK)
        mc_text_append_string(&text, "local variables");
    else
        mc_text_append(&text, plain.at, plain.size);
    root->name =
        text.failed ? MC_NONE : mc_object_heap_add_text(self->heap, mc_text_get(&text), text.size);
    mc_text_deinit(&text);
    return root->name != MC_NONE;
}

static mc_result push_root(reader *self, const mc_gcdump_node *node, const mc_gcdump_node *parent) {
    root_node root = {.node = node->index};
    const mc_gcdump_type *types = self->file.types;
    mc_span around = parent ? types[parent->type].name : (mc_span){NULL, 0};
    if (!name_root(self, types[node->type].name, around, &root) ||
        !mc_reserve(&self->roots, &self->root_capacity, self->root_count + 1, sizeof root))
        return mc_error_out_of_memory(self->error);
    self->roots[self->root_count++] = root;
    self->numbers[node->index] = MC_NONE;
    return MC_OK;
}

// Nodes that share their bytes could have more children than there is memory or time for.
static mc_result count_children(reader *self, uint64_t *sum, const mc_gcdump_node *node) {
    *sum += node->child_count;
    if (*sum <= self->file.blob_size && *sum < MC_NONE / 2) return MC_OK;
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, (uint64_t)(node->at - self->file.data),
                        ".gcdump: expected no more references than bytes of nodes");
}

// The root and those of its kind that it leads to: each becomes MC_NONE in `numbers`.
static mc_result find_root_nodes(reader *self) {
    mc_gcdump_node node, inner;
    mc_result result = mc_gcdump_read_node(&self->file, self->file.root, &node, self->error);
    if (result == MC_OK && is_root_node(self, &node)) result = push_root(self, &node, NULL);
    for (size_t i = 0; i < self->root_count && result == MC_OK; i++) {
        result = mc_gcdump_read_node(&self->file, self->roots[i].node, &node, self->error);
        if (result == MC_OK) result = count_children(self, &self->root_edge_count, &node);
        for (uint32_t left = node.child_count; left > 0 && result == MC_OK; left--) {
            uint32_t child;
            result = mc_gcdump_read_child(&self->file, &node, &child, self->error);
            if (result != MC_OK || self->numbers[child] == MC_NONE) continue;
            result = mc_gcdump_read_node(&self->file, child, &inner, self->error);
            if (result == MC_OK && is_root_node(self, &inner))
                result = push_root(self, &inner, &node);
        }
    }
    return result;
}

static mc_result add_root(reader *self, uint32_t object, mc_root_kind kind, uint32_t name) {
    return mc_object_heap_add_root(self->heap, object, kind, name)
               ? MC_OK
               : mc_error_out_of_memory(self->error);
}

static mc_result add_roots(reader *self) {
    mc_result result = MC_OK;
    for (size_t i = 0; i < self->root_count && result == MC_OK; i++) {
        const root_node *root = &self->roots[i];
        mc_gcdump_node node;
        result = mc_gcdump_read_node(&self->file, root->node, &node, self->error);
        for (uint32_t left = node.child_count; left > 0 && result == MC_OK; left--) {
            uint32_t child;
            result = mc_gcdump_read_child(&self->file, &node, &child, self->error);
            if (result == MC_OK && self->numbers[child] != MC_NONE)
                result = add_root(self, self->numbers[child], root->kind, root->name);
        }
    }
    uint32_t first = self->numbers[self->file.root];
    if (result == MC_OK && first != MC_NONE)
        result = add_root(self, first, MC_ROOT_UNKNOWN, MC_NONE);
    return result;
}

// ---- objects

// Up to the last dot that stands before type arguments: of "System.Lazy<Shop.Cart>" 6.
static size_t find_namespace_size(mc_span name) {
    size_t size = 0;
    for (size_t i = 0; i < name.size && !strchr("<[,+(", name.at[i]); i++)
        if (name.at[i] == '.' && i > 0) size = i;
    return size + 1 < name.size ? size : 0;
}

static bool is_runtime(mc_span space) {
    static const char *const names[] = {"System", "Microsoft", "Internal", "Interop", "MS", NULL};
    for (const char *const *name = names; *name; name++) {
        size_t size = strlen(*name);
        if (begins_with(space, *name) && (space.size == size || space.at[size] == '.')) return true;
    }
    return false;
}

// What a type is called on paths: "Dictionary<System.String,Shop.Cart>" is a
// "Dictionary<String,Cart>".
static void append_title(mc_text *text, mc_span name) {
    size_t begin = 0;
    for (size_t i = 0; i <= name.size; i++) {
        if (i < name.size && name.at[i] == '.' && i + 1 < name.size) begin = i + 1;
        if (i < name.size && !strchr("<>[],+& ", name.at[i])) continue;
        mc_text_append(text, name.at + begin, i - begin + (i < name.size));
        begin = i + 1;
    }
}

static uint32_t find_type(reader *self, uint32_t index) {
    if (self->heap_types[index] != MC_NONE) return self->heap_types[index];
    mc_span name = self->file.types[index].name;
    if (name.size == 0) name = (mc_span){"(unknown)", 9};
    size_t space = find_namespace_size(name), begin = space > 0 ? space + 1 : 0;
    const mc_heap_key keys[LEVELS] = {space > 0 ? (mc_heap_key){name.at, space}
                                                : (mc_heap_key){"(none)", 6},
                                      {name.at + begin, name.size - begin}};
    mc_text_clear(&self->text);
    append_title(&self->text, name);
    if (self->text.failed) return MC_NONE;
    const mc_heap_key title = {mc_text_get(&self->text), self->text.size};
    bool is_array = name.at[name.size - 1] == ']';
    bool is_structure = begins_with(name, "System.Collections.");
    bool is_own = !is_runtime((mc_span){name.at, space}) && !is_array;
    return self->heap_types[index] =
               mc_object_heap_find_type(self->heap, keys, title,
                                        (is_own ? MC_OBJECT_PROGRAM : 0u) |
                                            (is_array || is_structure ? MC_OBJECT_ARRAY : 0u));
}

// One that was referenced, and never described.
static bool is_undefined(const reader *self, const mc_gcdump_node *node) {
    const mc_gcdump_type *type = &self->file.types[node->type];
    return node->size == 0 && type->module.size == 0 && type->name.size == 9 &&
           memcmp(type->name.at, "UNDEFINED", 9) == 0;
}

static mc_result read_objects(reader *self) {
    mc_object_heap *heap = self->heap;
    const size_t room = (size_t)self->file.node_count + 1;
    heap->object_types = mc_alloc(room, sizeof *heap->object_types);
    heap->object_sizes = mc_alloc(room, sizeof *heap->object_sizes);
    heap->object_ids = mc_alloc(room, sizeof *heap->object_ids);
    if (!heap->object_types || !heap->object_sizes || !heap->object_ids)
        return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < self->file.node_count; i++) {
        mc_gcdump_node node;
        mc_result result = MC_OK;
        if ((i & PROGRESS_MASK) == 0)
            result = mc_object_heap_report(heap, 0, i, self->file.node_count, self->error);
        if (result == MC_OK) result = mc_gcdump_read_node(&self->file, i, &node, self->error);
        if (result != MC_OK) return result;
        const bool is_root = self->numbers[i] == MC_NONE;
        self->numbers[i] = MC_NONE;
        if (is_root || is_undefined(self, &node)) continue;
        const uint32_t object = self->numbers[i] = heap->object_count++;
        const uint64_t address = mc_gcdump_get_address(&self->file, i);
        heap->object_types[object] = find_type(self, node.type);
        heap->object_sizes[object] = node.size;
        heap->object_ids[object] = address > 0 ? address : i;
        if (heap->object_types[object] == MC_NONE) return mc_error_out_of_memory(self->error);
        result = count_children(self, &self->edge_count, &node);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

static mc_result read_references(reader *self) {
    mc_object_heap *heap = self->heap;
    const bool has_none = self->desc->has_counts_only;
    heap->edges = mc_alloc(has_none ? 1 : (size_t)self->edge_count + 1, sizeof *heap->edges);
    heap->edge_begins = mc_alloc_zero((size_t)heap->object_count + 2, sizeof *heap->edge_begins);
    if (!heap->edges || !heap->edge_begins) return mc_error_out_of_memory(self->error);
    uint64_t count = 0;
    for (uint32_t i = 0; i < self->file.node_count && !has_none; i++) {
        mc_gcdump_node node;
        mc_result result = MC_OK;
        if ((i & PROGRESS_MASK) == 0)
            result = mc_object_heap_report(heap, 1, i, self->file.node_count, self->error);
        if (result != MC_OK) return result;
        if (self->numbers[i] == MC_NONE) continue;
        result = mc_gcdump_read_node(&self->file, i, &node, self->error);
        heap->edge_begins[self->numbers[i]] = count;
        for (uint32_t left = node.child_count; left > 0 && result == MC_OK; left--) {
            uint32_t child;
            result = mc_gcdump_read_child(&self->file, &node, &child, self->error);
            if (result == MC_OK && self->numbers[child] != MC_NONE)
                heap->edges[count++] = (mc_object_edge){self->numbers[child], 0};
        }
        if (result != MC_OK) return result;
    }
    heap->edge_begins[heap->object_count] = count;
    return MC_OK;
}

// ---- all of it

static mc_result prepare(reader *self) {
    const mc_gcdump_file *file = &self->file;
    self->numbers = mc_alloc_zero((size_t)file->node_count + 1, sizeof *self->numbers);
    self->heap_types = mc_alloc((size_t)file->type_count + 1, sizeof *self->heap_types);
    if (!self->numbers || !self->heap_types) return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < file->type_count; i++)
        self->heap_types[i] = MC_NONE;
    // NaN is no sample either.
    if (file->count_multiplier > 1.0f && self->desc->path)
        mc_log_write(self->desc->log, MC_LOG_WARNING,
                     "%s: it is a sample: each object stands for %.1f on average", self->desc->path,
                     (double)file->count_multiplier);
    return MC_OK;
}

static mc_result read_dump(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                           mc_object_heap *heap, mc_text *damage, mc_error *error) {
    reader self = {.heap = heap, .desc = desc, .error = error};
    mc_result result = mc_object_heap_init(heap, classifiers, LEVELS, desc->thread_count, error);
    if (result == MC_OK) result = mc_gcdump_file_read(data, size, &self.file, error);
    if (result == MC_OK) result = prepare(&self);
    if (result == MC_OK) result = find_root_nodes(&self);
    if (result == MC_OK) result = read_objects(&self);
    if (result == MC_OK && heap->object_count == 0)
        result = mc_error_set(error, MC_ERROR_BAD_DATA, size, "it has no object");
    if (result == MC_OK) result = read_references(&self);
    if (result == MC_OK && !desc->has_counts_only) result = add_roots(&self);
    if (result == MC_OK && self.file.is_cut)
        mc_text_append_string(damage, "it is cut off behind its objects");
    mc_gcdump_file_deinit(&self.file);
    mc_free(self.numbers);
    mc_free(self.heap_types);
    mc_free(self.roots);
    mc_text_deinit(&self.text);
    return result == MC_OK ? mc_object_heap_end(heap, error) : result;
}

const mc_object_reader mc_gcdump_reader = {.read = read_dump};
