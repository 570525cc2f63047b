#include "engine/import/graph/graph_reader.h"

#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/import/graph/graph_rows.h"
#include "engine/import/objects/object_ids.h"
#include <inttypes.h>
#include <string.h>

#define PROGRESS_MASK ((1u << 16) - 1) // rows between two reports

typedef struct reader {
    mc_object_heap *heap;
    mc_graph_rows rows;
    const mc_heap_desc *desc;
    mc_object_ids ids;
    size_t type_capacity, size_capacity, id_capacity;
    // References as they come.
    uint32_t *sources;
    size_t edge_count, source_capacity, edge_capacity;
    bool is_sorted; // by source, so far
    uint64_t dangling_count;
    uint64_t row_count;
} reader;

bool mc_graph_detect(const void *data, size_t size) {
    const size_t length = sizeof MC_GRAPH_ROWS_MAGIC - 1;
    return size >= length && memcmp(data, MC_GRAPH_ROWS_MAGIC, length) == 0;
}

static mc_result fail(const reader *self, mc_error *error, const char *what) {
    return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(self->rows.row - self->rows.begin),
                        "%s", what);
}

static mc_result report(reader *self, uint32_t phase, mc_error *error) {
    if ((++self->row_count & PROGRESS_MASK) != 0) return MC_OK;
    uint64_t size = (uint64_t)(self->rows.end - self->rows.begin);
    uint64_t at = (uint64_t)(self->rows.row - self->rows.begin);
    return mc_object_heap_report(self->heap, phase, at, size, error);
}

// ---- objects

// Ids mostly are numbers in a row.
static uint32_t find_object(const reader *self, uint64_t id) {
    const mc_object_heap *heap = self->heap;
    if (heap->object_count == 0) return MC_NONE;
    uint64_t guess = id - heap->object_ids[0];
    if (guess < heap->object_count && heap->object_ids[guess] == id) return (uint32_t)guess;
    return mc_object_ids_find(&self->ids, heap, id);
}

static bool has_flag(mc_heap_key flags, const char *wanted) {
    const size_t size = strlen(wanted);
    for (size_t i = 0; i + size <= flags.size; i++)
        if (memcmp(flags.text + i, wanted, size) == 0) return true;
    return false;
}

static uint32_t find_type(reader *self) {
    const mc_graph_rows *rows = &self->rows;
    const mc_heap_key flags = rows->cells[MC_GRAPH_CELL_FLAGS], *keys = rows->keys;
    const uint32_t level_count = rows->level_count > 0 ? rows->level_count : 1;
    mc_heap_key title = rows->cells[MC_GRAPH_CELL_CLASS];
    if (title.size == 0)
        title = keys[rows->type_level != MC_NONE ? rows->type_level : level_count - 1];
    if (title.size == 0) title = (mc_heap_key){"(unknown)", 9};
    return mc_object_heap_find_type(self->heap, keys, title,
                                    MC_OBJECT_LASTING |
                                        (has_flag(flags, "runtime") ? 0u : MC_OBJECT_PROGRAM) |
                                        (has_flag(flags, "array") ? MC_OBJECT_ARRAY : 0u));
}

static mc_result begin_groups(reader *self, mc_error *error) {
    static const char *const usual[] = {"Type"};
    mc_graph_rows *rows = &self->rows;
    // The names belong to the heap from now on.
    self->heap->classifiers = rows->level_names;
    rows->level_names = (mc_text){NULL, 0, 0, false};
    if (rows->level_count > 0)
        return mc_object_heap_init(self->heap, rows->levels, rows->level_count,
                                   self->desc->thread_count, error);
    return mc_object_heap_init(self->heap, usual, 1, self->desc->thread_count, error);
}

static mc_result add_node(reader *self, mc_error *error) {
    mc_object_heap *heap = self->heap;
    const mc_heap_key *cells = self->rows.cells;
    const size_t count = (size_t)heap->object_count + 1;
    uint64_t id, size = 0;
    if (!mc_graph_cell_get_number(cells[MC_GRAPH_CELL_ID], &id))
        return fail(self, error, "the id of an object is no number from 0 to 2^64 - 1");
    if (cells[MC_GRAPH_CELL_SIZE].size > 0 &&
        (!mc_graph_cell_get_number(cells[MC_GRAPH_CELL_SIZE], &size) || size > INT64_MAX))
        return fail(self, error, "the size of an object is no number of bytes");
    if (count >= MC_NONE / 4) return fail(self, error, "too many objects: more than 2^30");
    if (!mc_reserve(&heap->object_ids, &self->id_capacity, count, sizeof *heap->object_ids) ||
        !mc_reserve(&heap->object_types, &self->type_capacity, count, sizeof *heap->object_types) ||
        !mc_reserve(&heap->object_sizes, &self->size_capacity, count, sizeof *heap->object_sizes) ||
        !mc_object_ids_reserve(&self->ids))
        return mc_error_out_of_memory(error);
    if (mc_object_ids_is_taken(&self->ids, heap, id))
        return fail(self, error, "two objects have one id");
    uint32_t type = find_type(self);
    if (type == MC_NONE) return mc_error_out_of_memory(error);
    heap->object_ids[count - 1] = id;
    heap->object_types[count - 1] = type;
    heap->object_sizes[count - 1] = size;
    mc_object_ids_enter(&self->ids, id, heap->object_count++);
    return MC_OK;
}

static mc_result read_nodes(reader *self, mc_error *error) {
    bool has_begun = false;
    for (;;) {
        mc_result result = mc_graph_rows_next(&self->rows, 1u << MC_GRAPH_ROW_NODE, error);
        if (result != MC_OK) return result;
        const bool is_end = self->rows.kind == MC_GRAPH_ROW_END;
        if (!has_begun) result = begin_groups(self, error);
        has_begun = true;
        if (result != MC_OK || is_end) return result;
        result = add_node(self, error);
        if (result == MC_OK) result = report(self, 0, error);
        if (result != MC_OK) return result;
    }
}

// ---- references

static mc_result find_end(reader *self, mc_graph_cell cell, uint32_t *object, mc_error *error) {
    uint64_t id;
    if (!mc_graph_cell_get_number(self->rows.cells[cell], &id))
        return fail(self, error,
                    "the id of an object that a row refers to is no number from 0 to 2^64 - 1");
    *object = find_object(self, id);
    if (*object == MC_NONE) self->dangling_count++;
    return MC_OK;
}

static bool is_word(mc_heap_key cell, const char *word) {
    return cell.size == strlen(word) && memcmp(cell.text, word, cell.size) == 0;
}

static mc_result find_edge_kind(const reader *self, mc_heap_link_kind *kind, mc_error *error) {
    const mc_heap_key cell = self->rows.cells[MC_GRAPH_CELL_KIND];
    *kind = MC_HEAP_LINK_FIELD;
    if (cell.size == 0 || is_word(cell, "strong")) return MC_OK;
    if (is_word(cell, "weak"))
        *kind = MC_HEAP_LINK_WEAK;
    else if (is_word(cell, "global"))
        *kind = MC_HEAP_LINK_STATIC;
    else
        return fail(self, error, "the kind of a reference is none of strong, weak and global");
    return MC_OK;
}

// 0: it has no name.
static uint32_t find_label(reader *self, mc_heap_link_kind kind) {
    const mc_heap_key field = self->rows.cells[MC_GRAPH_CELL_FIELD];
    if (field.size == 0 && kind == MC_HEAP_LINK_FIELD) return 0;
    uint32_t text = mc_object_heap_add_text(self->heap, field.text ? field.text : "", field.size);
    return text == MC_NONE ? MC_NONE : mc_object_heap_find_label(self->heap, text, kind, true);
}

static mc_result add_edge(reader *self, mc_error *error) {
    mc_object_heap *heap = self->heap;
    uint32_t from = MC_NONE, to = MC_NONE;
    mc_heap_link_kind kind;
    mc_result result = find_end(self, MC_GRAPH_CELL_ID, &from, error);
    if (result == MC_OK) result = find_end(self, MC_GRAPH_CELL_TO, &to, error);
    if (result == MC_OK) result = find_edge_kind(self, &kind, error);
    if (result != MC_OK || from == MC_NONE || to == MC_NONE) return result;
    uint32_t label = find_label(self, kind);
    if (label == MC_NONE ||
        !mc_reserve(&self->sources, &self->source_capacity, self->edge_count + 1,
                    sizeof *self->sources) ||
        !mc_reserve(&heap->edges, &self->edge_capacity, self->edge_count + 1, sizeof *heap->edges))
        return mc_error_out_of_memory(error);
    if (self->edge_count > 0 && from < self->sources[self->edge_count - 1]) self->is_sorted = false;
    self->sources[self->edge_count] = from;
    heap->edges[self->edge_count++] = (mc_object_edge){to, label};
    return MC_OK;
}

// ---- roots

static const struct {
    const char *name;
    mc_root_kind kind;
} more_kinds[] = {{"stack", MC_ROOT_STACK},
                  {"internal", MC_ROOT_VM_INTERNAL},
                  {"soft", MC_ROOT_SOFT},
                  {"finalizer", MC_ROOT_FINALIZING}};

static mc_root_kind find_root_kind(mc_heap_key cell) {
    for (size_t i = 0; i < MC_ROOT_COUNT; i++)
        if (is_word(cell, mc_root_kind_names[i])) return (mc_root_kind)i;
    for (size_t i = 0; i < sizeof more_kinds / sizeof *more_kinds; i++)
        if (is_word(cell, more_kinds[i].name)) return more_kinds[i].kind;
    return MC_ROOT_UNKNOWN;
}

static mc_result add_root(reader *self, mc_error *error) {
    const mc_heap_key name = self->rows.cells[MC_GRAPH_CELL_NAME];
    uint32_t object = MC_NONE, text = MC_NONE;
    mc_result result = find_end(self, MC_GRAPH_CELL_ID, &object, error);
    if (result != MC_OK || object == MC_NONE) return result;
    if (name.size > 0) {
        text = mc_object_heap_add_text(self->heap, name.text, name.size);
        if (text == MC_NONE) return mc_error_out_of_memory(error);
    }
    return mc_object_heap_add_root(self->heap, object,
                                   find_root_kind(self->rows.cells[MC_GRAPH_CELL_KIND]), text)
               ? MC_OK
               : mc_error_out_of_memory(error);
}

static mc_result read_references(reader *self, mc_error *error) {
    const uint32_t kinds = 1u << MC_GRAPH_ROW_EDGE | 1u << MC_GRAPH_ROW_ROOT;
    self->is_sorted = true;
    mc_graph_rows_rewind(&self->rows);
    for (;;) {
        mc_result result = mc_graph_rows_next(&self->rows, kinds, error);
        if (result != MC_OK || self->rows.kind == MC_GRAPH_ROW_END) return result;
        result =
            self->rows.kind == MC_GRAPH_ROW_EDGE ? add_edge(self, error) : add_root(self, error);
        if (result == MC_OK) result = report(self, 1, error);
        if (result != MC_OK) return result;
    }
}

// By their sources, else in the order in which they came.
static mc_result sort_edges(reader *self, mc_error *error) {
    mc_object_heap *heap = self->heap;
    const size_t count = heap->object_count;
    heap->edge_begins = mc_alloc_zero(count + 2, sizeof *heap->edge_begins);
    if (!heap->edge_begins) return mc_error_out_of_memory(error);
    for (size_t i = 0; i < self->edge_count; i++)
        heap->edge_begins[self->sources[i] + 1]++;
    for (size_t i = 0; i < count; i++)
        heap->edge_begins[i + 1] += heap->edge_begins[i];
    if (self->is_sorted) return MC_OK;
    mc_object_edge *sorted = mc_alloc(self->edge_count + 1, sizeof *sorted);
    uint64_t *next = mc_alloc(count + 1, sizeof *next);
    bool is_done = sorted && next;
    if (is_done) memcpy(next, heap->edge_begins, count * sizeof *next);
    for (size_t i = 0; is_done && i < self->edge_count; i++)
        sorted[next[self->sources[i]]++] = heap->edges[i];
    mc_free(next);
    if (!is_done) {
        mc_free(sorted);
        return mc_error_out_of_memory(error);
    }
    mc_free(heap->edges);
    heap->edges = sorted;
    return MC_OK;
}

static mc_result read_graph(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                            mc_object_heap *heap, mc_text *damage, mc_error *error) {
    reader self = {.heap = heap, .desc = desc};
    self.ids.seed = mc_clock_now_ns() ^ (uint64_t)(uintptr_t)&self;
    mc_graph_rows_init(&self.rows, data, size);
    mc_result result = read_nodes(&self, error);
    if (result == MC_OK) result = read_references(&self, error);
    if (result == MC_OK && heap->object_count == 0)
        result = mc_error_set(error, MC_ERROR_BAD_DATA, 0, "there is no row of an object");
    mc_slots_deinit(&self.ids.slots);
    if (result == MC_OK) result = sort_edges(&self, error);
    mc_free(self.sources);
    heap->time_ms = self.rows.time_ms;
    if (result == MC_OK) result = mc_object_heap_end(heap, error);
    if (result == MC_OK && self.dangling_count > 0)
        mc_text_format(damage, "%" PRIu64 " references lead to objects that it lacks",
                       self.dangling_count);
    mc_graph_rows_deinit(&self.rows);
    return result;
}

const mc_object_reader mc_graph_reader = {.read = read_graph};
