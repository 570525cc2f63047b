#include "engine/import/v8/v8_heap.h"

#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MOST 200 // bytes of a name that are told

typedef struct mc_v8_line {
    uint32_t node, line, column;
} mc_v8_line;

void mc_v8_heap_deinit(mc_v8_heap *heap) {
    mc_v8_file_deinit(&heap->file);
    mc_free(heap->node_kinds);
    mc_free(heap->detached);
    mc_free(heap->node_names);
    mc_free(heap->node_ids);
    mc_free(heap->node_sizes);
    mc_free(heap->edge_begins);
    mc_free(heap->edge_kinds);
    mc_free(heap->edges);
    mc_free(heap->lines);
    memset(heap, 0, sizeof *heap);
}

// ---- columns

static uint32_t clamp(uint64_t value) {
    return value < MC_NONE ? (uint32_t)value : MC_NONE - 1;
}

// Runs the body for those of `values` that stand at a place of their rows, `row` being their
// numbers; the first value is the `first` of all.
#define EACH_AT(place, field_count, body)                                                \
    for (uint64_t at_ = ((place) + (field_count)-first % (field_count)) % (field_count), \
                  row = (first + at_) / (field_count);                                   \
         at_ < count; at_ += (field_count), row++) {                                     \
        const uint64_t value = values[at_];                                              \
        body;                                                                            \
    }

static void store_nodes(void *user, uint64_t first, const uint64_t *values, size_t count) {
    mc_v8_heap *heap = user;
    const mc_v8_file *file = &heap->file;
    const uint32_t fields = file->node_field_count;
    for (uint32_t place = 0; place < fields; place++) {
        switch (file->node_fields[place]) {
        case MC_V8_NODE_TYPE:
            EACH_AT(place, fields,
                    heap->node_kinds[row] =
                        value < MC_V8_KINDS_MAX ? file->node_kinds[value] : MC_V8_NODE_KIND_COUNT)
            break;
        case MC_V8_NODE_NAME: EACH_AT(place, fields, heap->node_names[row] = clamp(value)) break;
        case MC_V8_NODE_ID: EACH_AT(place, fields, heap->node_ids[row] = value) break;
        case MC_V8_NODE_SIZE: EACH_AT(place, fields, heap->node_sizes[row] = value) break;
        case MC_V8_NODE_EDGES: EACH_AT(place, fields, heap->edge_begins[row + 1] = value) break;
        case MC_V8_NODE_DETACHED: EACH_AT(place, fields, heap->detached[row] = value == 2) break;
        default: break;
        }
    }
}

static void store_edges(void *user, uint64_t first, const uint64_t *values, size_t count) {
    mc_v8_heap *heap = user;
    const mc_v8_file *file = &heap->file;
    const uint32_t fields = file->edge_field_count, node_fields = file->node_field_count;
    for (uint32_t place = 0; place < fields; place++) {
        switch (file->edge_fields[place]) {
        case MC_V8_EDGE_TYPE:
            EACH_AT(place, fields,
                    heap->edge_kinds[row] =
                        value < MC_V8_KINDS_MAX ? file->edge_kinds[value] : MC_V8_EDGE_KIND_COUNT)
            break;
        case MC_V8_EDGE_NAME: EACH_AT(place, fields, heap->edges[row].label = clamp(value)) break;
        case MC_V8_EDGE_TARGET:
            EACH_AT(place, fields,
                    heap->edges[row].target =
                        value % node_fields == 0 ? clamp(value / node_fields) : MC_NONE)
            break;
        default: break;
        }
    }
}

static mc_result read_ints(mc_v8_heap *heap, const mc_v8_ints *ints, uint32_t thread_count,
                           mc_v8_store store, mc_error *error) {
    const char *wrong;
    mc_result result = mc_v8_ints_read(ints, thread_count, store, heap, &wrong);
    if (result == MC_ERROR_OUT_OF_MEMORY) return mc_error_out_of_memory(error);
    return result == MC_OK
               ? MC_OK
               : mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(wrong - heap->file.data),
                              "no heap snapshot of V8: expected a number");
}

static bool allocate(mc_v8_heap *heap) {
    const size_t nodes = (size_t)heap->node_count + 2, edges = (size_t)heap->edge_count + 1;
    heap->node_kinds = mc_alloc_scattered(nodes, 1);
    heap->detached = mc_alloc_zero_scattered(nodes, 1);
    heap->node_names = mc_alloc_scattered(nodes, sizeof *heap->node_names);
    heap->node_ids = mc_alloc_scattered(nodes, sizeof *heap->node_ids);
    heap->node_sizes = mc_alloc_scattered(nodes, sizeof *heap->node_sizes);
    heap->edge_begins = mc_alloc_zero_scattered(nodes, sizeof *heap->edge_begins);
    heap->edge_kinds = mc_alloc_scattered(edges, 1);
    heap->edges = mc_alloc_scattered(edges, sizeof *heap->edges);
    return heap->node_kinds && heap->detached && heap->node_names && heap->node_ids &&
           heap->node_sizes && heap->edge_begins && heap->edge_kinds && heap->edges;
}

static mc_result fail(const mc_v8_heap *heap, const char *at, const char *what, mc_error *error) {
    return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(at - heap->file.data),
                        "no heap snapshot of V8: %s", what);
}

static mc_result check(mc_v8_heap *heap, mc_error *error) {
    const mc_v8_file *file = &heap->file;
    uint64_t *begins = heap->edge_begins;
    for (uint32_t i = 0; i < heap->node_count; i++) {
        if (begins[i + 1] > heap->edge_count - begins[i])
            return fail(heap, file->edges.begin, "its nodes have more edges than there are", error);
        begins[i + 1] += begins[i];
        if (heap->node_sizes[i] > INT64_MAX)
            return fail(heap, file->nodes.begin, "a node is larger than 2^63 - 1 bytes", error);
    }
    if (begins[heap->node_count] != heap->edge_count)
        return fail(heap, file->edges.begin, "its nodes have fewer edges than there are", error);
    for (uint32_t i = 0; i < heap->edge_count; i++)
        if (heap->edges[i].target >= heap->node_count)
            return fail(heap, file->edges.begin, "an edge leads to no node", error);
    return MC_OK;
}

// ---- lines of functions

typedef struct line_reader {
    mc_v8_heap *heap;
    mc_v8_line *lines;
} line_reader;

static void store_locations(void *user, uint64_t first, const uint64_t *values, size_t count) {
    const line_reader *self = user;
    const mc_v8_file *file = &self->heap->file;
    for (size_t i = 0; i < count; i++) {
        const uint64_t entry = (first + i) / file->location_field_count;
        const uint32_t place = (uint32_t)((first + i) % file->location_field_count);
        if (place == file->location_object)
            self->lines[entry].node = clamp(values[i] / file->node_field_count);
        else if (place == file->location_line)
            self->lines[entry].line = clamp(values[i]) + 1;
        else if (place == file->location_column)
            self->lines[entry].column = clamp(values[i]);
    }
}

static int compare_lines(const void *a, const void *b) {
    const mc_v8_line *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

// What is wrong with them does no harm.
static mc_result read_lines(mc_v8_heap *heap, uint32_t thread_count, mc_error *error) {
    const mc_v8_file *file = &heap->file;
    if (file->locations.count == 0 || file->location_field_count == 0 ||
        file->location_object == MC_NONE || file->location_line == MC_NONE)
        return MC_OK;
    const uint64_t count = file->locations.count / file->location_field_count;
    heap->lines = mc_alloc_zero((size_t)count + 1, sizeof *heap->lines);
    if (!heap->lines) return mc_error_out_of_memory(error);
    line_reader self = {heap, heap->lines};
    const char *wrong;
    mc_result result =
        mc_v8_ints_read(&file->locations, thread_count, store_locations, &self, &wrong);
    if (result == MC_ERROR_OUT_OF_MEMORY) return mc_error_out_of_memory(error);
    if (result != MC_OK) return MC_OK;
    heap->line_count = (size_t)count;
    if (count > 1) qsort(heap->lines, heap->line_count, sizeof *heap->lines, compare_lines);
    return MC_OK;
}

static const mc_v8_line *find_location(const mc_v8_heap *heap, uint32_t closure) {
    size_t low = 0, high = heap->line_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (heap->lines[middle].node < closure)
            low = middle + 1;
        else
            high = middle;
    }
    return low < heap->line_count && heap->lines[low].node == closure ? &heap->lines[low] : NULL;
}

uint32_t mc_v8_heap_find_line(const mc_v8_heap *heap, uint32_t closure) {
    const mc_v8_line *at = find_location(heap, closure);
    return at ? at->line : 0;
}

uint64_t mc_v8_heap_find_position(const mc_v8_heap *heap, uint32_t closure) {
    const mc_v8_line *at = find_location(heap, closure);
    return at ? (uint64_t)at->line << 32 | at->column : 0;
}

// ---- names

static void find_names(mc_v8_heap *heap) {
    const struct {
        const char *text;
        uint32_t *name;
    } wanted[] = {{"shared", &heap->names.shared},
                  {"context", &heap->names.context},
                  {"script_or_debug_info", &heap->names.script},
                  {"script", &heap->names.old_script},
                  {"__proto__", &heap->names.proto},
                  {"constructor", &heap->names.constructor}};
    const size_t count = sizeof wanted / sizeof *wanted;
    for (size_t k = 0; k < count; k++)
        *wanted[k].name = MC_NONE;
    for (uint32_t i = 0; i < heap->file.string_count; i++) {
        size_t size;
        const char *text = heap->file.data + heap->file.strings[i];
        // Most are longer, or others.
        if (heap->file.end - text < 7 || !strchr("sc_", *text)) continue;
        text = mc_v8_file_get_raw(&heap->file, i, &size);
        for (size_t k = 0; k < count; k++)
            if (*wanted[k].name == MC_NONE && strlen(wanted[k].text) == size &&
                memcmp(text, wanted[k].text, size) == 0)
                *wanted[k].name = i;
    }
}

mc_result mc_v8_heap_init(mc_v8_heap *heap, const unsigned char *data, uint64_t size,
                          uint32_t thread_count, bool is_mapped, mc_error *error) {
    memset(heap, 0, sizeof *heap);
    mc_result result = mc_v8_file_init(&heap->file, data, size, thread_count, error);
    if (result != MC_OK) return result;
    heap->node_count = (uint32_t)(heap->file.nodes.count / heap->file.node_field_count);
    heap->edge_count = (uint32_t)(heap->file.edges.count / heap->file.edge_field_count);
    if (is_mapped) heap->file.nodes.mapping = heap->file.edges.mapping = heap->file.data;
    if (!allocate(heap)) return mc_error_out_of_memory(error);
    result = read_ints(heap, &heap->file.nodes, thread_count, store_nodes, error);
    if (result == MC_OK)
        result = read_ints(heap, &heap->file.edges, thread_count, store_edges, error);
    if (result == MC_OK) result = check(heap, error);
    if (result == MC_OK) result = read_lines(heap, thread_count, error);
    if (result == MC_OK) find_names(heap);
    return result;
}

// ---- asking

uint32_t mc_v8_heap_find_target(const mc_v8_heap *heap, uint32_t node, mc_v8_edge_kind kind,
                                uint32_t name) {
    if (name == MC_NONE) return MC_NONE;
    for (uint64_t i = heap->edge_begins[node]; i < heap->edge_begins[node + 1]; i++)
        if (heap->edge_kinds[i] == kind && heap->edges[i].label == name)
            return heap->edges[i].target;
    return MC_NONE;
}

uint32_t mc_v8_heap_find_script(const mc_v8_heap *heap, uint32_t closure) {
    uint32_t shared = mc_v8_heap_find_target(heap, closure, MC_V8_INTERNAL, heap->names.shared);
    if (shared == MC_NONE) return MC_NONE;
    uint32_t script = mc_v8_heap_find_target(heap, shared, MC_V8_INTERNAL, heap->names.script);
    if (script == MC_NONE)
        script = mc_v8_heap_find_target(heap, shared, MC_V8_INTERNAL, heap->names.old_script);
    if (script == MC_NONE) return MC_NONE;
    size_t size;
    (void)mc_v8_file_get_raw(&heap->file, heap->node_names[script], &size);
    return size > 0 && heap->node_kinds[script] == MC_V8_CODE ? script : MC_NONE;
}

// The last part of a path, but all of a module's and of the engine's own.
static const char *shorten(const char *path) {
    const char *module = strstr(path, "node_modules/"), *slash = strrchr(path, '/');
    if (module) return module;
    return slash && slash[1] != '\0' && strncmp(path, "node:", 5) != 0 ? slash + 1 : path;
}

void mc_v8_heap_append_function(const mc_v8_heap *heap, uint32_t closure, mc_text *text) {
    const uint32_t script = mc_v8_heap_find_script(heap, closure);
    const uint32_t line = mc_v8_heap_find_line(heap, closure);
    const size_t begin = text->size;
    mc_text path = {0};
    mc_v8_file_append_string(&heap->file, heap->node_names[closure], NAME_MOST, text);
    if (text->size == begin) mc_text_append_string(text, "a function");
    if (script != MC_NONE)
        mc_v8_file_append_string(&heap->file, heap->node_names[script], NAME_MOST, &path);
    mc_text_append_string(text, " (");
    mc_text_append_string(text, script == MC_NONE ? "native" : shorten(mc_text_get(&path)));
    if (script != MC_NONE && line > 0) mc_text_format(text, ":%" PRIu32, line);
    mc_text_append_string(text, ")");
    text->failed |= path.failed;
    mc_text_deinit(&path);
}
