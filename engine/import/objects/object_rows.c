#include "engine/import/objects/object_rows.h"

#include "engine/base/memory.h"
#include "engine/base/progress_part.h"
#include <inttypes.h>

#define PASS_SIZE ((size_t)1 << 20) // bytes that are passed on at once
#define PROGRESS_MASK 0x3fffu       // objects between two reports

typedef struct writer {
    const mc_object_heap *heap;
    const mc_hprof_columns *columns;
    mc_row_form form;
    mc_output_sink sink;
    uint32_t *positions; // by number: where its object is in the graph
    uint32_t *parents;   // by number: its immediate dominator
    uint32_t *objects;   // by number: the object
    uint64_t *sums;      // by number: what all of lower numbers take
    mc_text text, scratch;
} writer;

// What a row is of.
typedef struct row {
    uint32_t objects[2], positions[2]; // objects: numbers
    uint32_t kind, slot;
    bool is_weak;
} row;

static uint32_t find_object(const writer *self, uint32_t position) {
    return mc_graph_find_position(self->positions, self->heap->object_count, position);
}

static bool prepare(writer *self) {
    const mc_heap *heap = &self->heap->heap;
    self->positions = mc_graph_list_positions(&heap->graph, self->heap->object_count);
    if (!self->positions) return false;
    if (mc_hprof_columns_has(self->columns, MC_HPROF_COLUMN_DOMINATOR) ||
        mc_hprof_columns_has(self->columns, MC_HPROF_COLUMN_DOMINATOR_CLASS)) {
        self->parents = mc_dominator_tree_list_parents(&heap->tree);
        self->objects =
            mc_alloc_zero_scattered((size_t)heap->tree.count + 1, sizeof *self->objects);
        if (!self->parents || !self->objects) return false;
        for (uint32_t i = 0; i < self->heap->object_count; i++)
            self->objects[mc_graph_get_number(&heap->graph, self->positions[i])] = i;
    }
    if (!mc_hprof_columns_has(self->columns, MC_HPROF_COLUMN_RETAINED)) return true;
    self->sums = mc_alloc_scattered((size_t)heap->tree.count + 1, sizeof *self->sums);
    for (uint32_t i = 0; self->sums && i <= heap->tree.count; i++)
        self->sums[i] = i == 0 ? 0 : self->sums[i - 1] + mc_vertex_sizes_get(&heap->sizes, i - 1);
    return self->sums != NULL;
}

// ---- fields

static void put_text(writer *self, const char *bytes, size_t size) {
    mc_row_append_text(&self->text, self->form, bytes, size);
}

static void put_null(writer *self) {
    mc_text_append_string(&self->text, mc_row_get_null(self->form));
}

static void put_scratch(writer *self) {
    self->text.failed |= self->scratch.failed;
    put_text(self, mc_text_get(&self->scratch), self->scratch.size);
}

static uint64_t get_id(const writer *self, uint32_t object) {
    return self->heap->object_ids ? self->heap->object_ids[object] : object;
}

static void put_class(writer *self, uint32_t position) {
    mc_text_clear(&self->scratch);
    mc_object_words.append_kind(self->heap, mc_graph_get_kind(&self->heap->heap.graph, position),
                                MC_HEAP_WORDS_FULL, &self->scratch);
    put_scratch(self);
}

// The outermost group's key, or the leaf's own.
static void put_group(writer *self, uint32_t position, bool is_outermost) {
    const mc_heap *heap = &self->heap->heap;
    uint32_t leaf = mc_heap_get_leaf(heap, position), above;
    if (leaf == MC_NONE) {
        put_null(self);
        return;
    }
    uint32_t group = mc_heap_groups_get_group(heap->groups, leaf);
    while (is_outermost && (above = mc_heap_groups_get_parent(heap->groups, group)) != 0 &&
           above != MC_NONE)
        group = above;
    size_t size;
    const char *key = mc_heap_groups_get_key(heap->groups, group, &size);
    put_text(self, key, size);
}

static void put_roots(writer *self, uint32_t position) {
    const mc_object_heap *heap = self->heap;
    const mc_object_root *root = mc_object_find_root(heap, position);
    uint32_t kinds = 0;
    if (!root) {
        put_null(self);
        return;
    }
    for (; root < heap->roots + heap->root_count && root->position == position; root++)
        kinds |= 1u << root->kind;
    mc_text_clear(&self->scratch);
    for (uint32_t i = 0; i < MC_ROOT_COUNT; i++)
        if (kinds >> i & 1)
            mc_text_format(&self->scratch, "%s%s", self->scratch.size > 0 ? ", " : "",
                           mc_root_kind_names[i]);
    put_scratch(self);
}

static bool is_reached(const writer *self, uint32_t number) {
    return number < self->heap->heap.tree.reachable;
}

static void put_retained(writer *self, uint32_t number, bool is_bytes) {
    const mc_dominator_tree *tree = &self->heap->heap.tree;
    uint64_t value = 0;
    if (is_reached(self, number))
        value = is_bytes ? self->sums[mc_dominator_tree_get_end(tree, number)] - self->sums[number]
                         : tree->sizes[number];
    mc_text_format(&self->text, "%" PRIu64, value);
}

static void put_dominator(writer *self, uint32_t number, bool is_class) {
    const uint32_t parent = self->parents[number];
    mc_heap_region region =
        is_reached(self, number) ? mc_heap_get_region(&self->heap->heap, number) : MC_HEAP_STRONG;
    bool is_root = parent == mc_heap_get_region_root(&self->heap->heap, region);
    const char *text = parent == MC_NONE              ? "(none)"
                       : !is_root                     ? NULL
                       : region == MC_HEAP_SOFT       ? "(soft references)"
                       : region == MC_HEAP_FINALIZING ? "(pending finalizers)"
                                                      : "(roots)";
    uint32_t object = text ? 0 : self->objects[parent];
    if (text && is_class)
        mc_text_append_string(&self->text, text);
    else if (text)
        put_null(self);
    else if (is_class)
        put_class(self, self->positions[object]);
    else
        mc_text_format(&self->text, "%" PRIu64, get_id(self, object));
}

static void put_field(writer *self, const mc_hprof_column *column, const row *of) {
    const mc_heap *heap = &self->heap->heap;
    const uint32_t position = of->positions[column->end], object = of->objects[column->end];
    const uint32_t number = mc_graph_get_number(&heap->graph, position);
    switch (column->kind) {
    case MC_HPROF_COLUMN_TIME: mc_text_format(&self->text, "%" PRId64, self->heap->time_ms); break;
    case MC_HPROF_COLUMN_ADDRESS:
        mc_text_format(&self->text, "%" PRIu64, get_id(self, object));
        break;
    case MC_HPROF_COLUMN_KIND: mc_text_append_string(&self->text, "object"); break;
    case MC_HPROF_COLUMN_CLASS: put_class(self, position); break;
    case MC_HPROF_COLUMN_PACKAGE: put_group(self, position, true); break;
    case MC_HPROF_COLUMN_TYPE: put_group(self, position, false); break;
    case MC_HPROF_COLUMN_BYTES:
        mc_text_format(&self->text, "%" PRIu64, self->heap->object_sizes[object]);
        break;
    case MC_HPROF_COLUMN_ROOT: put_roots(self, position); break;
    case MC_HPROF_COLUMN_RETAINED: put_retained(self, number, true); break;
    case MC_HPROF_COLUMN_RETAINED_OBJECTS: put_retained(self, number, false); break;
    case MC_HPROF_COLUMN_DOMINATOR: put_dominator(self, number, false); break;
    case MC_HPROF_COLUMN_DOMINATOR_CLASS: put_dominator(self, number, true); break;
    case MC_HPROF_COLUMN_FIELD:
        mc_text_clear(&self->scratch);
        (void)mc_object_words.append_link(self->heap, of->kind, of->slot, MC_HEAP_WORDS_FULL,
                                          &self->scratch);
        put_scratch(self);
        break;
    case MC_HPROF_COLUMN_WEAK: mc_text_append_string(&self->text, of->is_weak ? "1" : "0"); break;
    default: put_null(self); break;
    }
}

// ---- rows

static bool pass_on(writer *self, size_t least) {
    if (self->text.failed) return false;
    if (self->text.size < least || self->text.size == 0) return true;
    bool is_done = self->sink.write(self->sink.user, self->text.data, self->text.size);
    mc_text_clear(&self->text);
    return is_done;
}

static bool put_row(writer *self, const row *of) {
    const char separator = mc_row_get_separator(self->form);
    for (uint32_t i = 0; i < self->columns->count; i++) {
        mc_text_append(&self->text, &separator, i > 0);
        put_field(self, &self->columns->items[i], of);
    }
    mc_text_append(&self->text, "\n", 1);
    return pass_on(self, PASS_SIZE);
}

static bool put_references(writer *self, row *of, size_t *next_weak) {
    const mc_heap *heap = &self->heap->heap;
    mc_graph_edges edges = mc_graph_begin_edges(&heap->graph, of->positions[0]);
    of->is_weak = false;
    while (mc_graph_next_edge(&edges)) {
        of->slot = edges.slot;
        of->positions[1] = edges.target;
        of->objects[1] = find_object(self, edges.target);
        if (!put_row(self, of)) return false;
    }
    of->is_weak = true;
    for (; *next_weak < heap->weak.count && heap->weak.items[*next_weak].source == of->positions[0];
         ++*next_weak) {
        const mc_heap_weak_edge *edge = &heap->weak.items[*next_weak];
        of->slot = edge->slot;
        of->positions[1] = edge->target;
        of->objects[1] = find_object(self, edge->target);
        if (!put_row(self, of)) return false;
    }
    return true;
}

static bool put_all(writer *self, bool *is_cancelled) {
    const uint64_t count = self->heap->object_count;
    size_t next_weak = 0;
    *is_cancelled = false;
    for (uint32_t i = 0; i < self->heap->object_count; i++) {
        row of = {.objects = {i}, .positions = {self->positions[i]}};
        of.kind = mc_graph_get_kind(&self->heap->heap.graph, of.positions[0]);
        bool is_done = self->columns->is_references ? put_references(self, &of, &next_weak)
                                                    : put_row(self, &of);
        if (!is_done) return false;
        *is_cancelled = (i & PROGRESS_MASK) == 0 &&
                        !mc_progress_report(self->heap->heap.progress, count + i, 2 * count);
        if (*is_cancelled) return false;
    }
    return pass_on(self, 0);
}

mc_result mc_object_rows_write(mc_object_heap *heap, const mc_hprof_columns *columns,
                               mc_row_form form, mc_output_sink sink, mc_error *error) {
    writer self = {.heap = heap, .columns = columns, .form = form, .sink = sink};
    const mc_progress *whole = heap->heap.progress;
    mc_progress_part part = {.whole = whole, .share = 0.5};
    const mc_progress progress = mc_progress_part_get(&part);
    bool is_cancelled;
    heap->heap.progress = &progress;
    mc_result result = mc_object_heap_link(heap, error);
    heap->heap.progress = whole;
    if (result == MC_OK && !prepare(&self)) result = mc_error_out_of_memory(error);
    if (result == MC_OK && !put_all(&self, &is_cancelled))
        result = is_cancelled       ? mc_fail(error, MC_ERROR_CANCELLED, "cancelled")
                 : self.text.failed ? mc_error_out_of_memory(error)
                                    : mc_fail(error, MC_ERROR_IO, "can't write the output");
    mc_free(self.positions);
    mc_free(self.parents);
    mc_free(self.objects);
    mc_free(self.sums);
    mc_text_deinit(&self.text);
    mc_text_deinit(&self.scratch);
    return result;
}
