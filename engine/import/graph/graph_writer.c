#include "engine/import/graph/graph_writer.h"

#include "engine/base/memory.h"
#include "engine/base/row_text.h"
#include "engine/import/graph/graph_rows.h"
#include <inttypes.h>
#include <string.h>

#define PASS_SIZE ((size_t)1 << 20) // bytes that are passed on at once
#define PROGRESS_MASK 0x3fffu       // objects between two reports

// Texts that are written often: where each begins, in one.
typedef struct written {
    mc_text bytes;
    size_t *begins;
    uint32_t count;
} written;

typedef struct writer {
    const mc_heap *heap;
    mc_output_sink sink;
    uint32_t object_count;
    uint32_t *positions; // by object
    written kinds;       // flags and class
    written groups;      // by leaf: the levels
    written links;       // a field
    mc_heap_link_kind *link_kinds;
    mc_text text;
    const mc_progress *progress;
    bool has_failed, is_cancelled; // has_failed: the sink
} writer;

// ---- what is written before

static bool begin_texts(written *texts, size_t count) {
    texts->begins = mc_alloc(count + 1, sizeof *texts->begins);
    if (texts->begins) texts->begins[0] = 0;
    return texts->begins != NULL;
}

static void end_text(written *texts) {
    texts->begins[++texts->count] = texts->bytes.size;
}

static void append_cell(mc_text *to, const mc_text *from) {
    to->failed |= from->failed;
    mc_row_append_text(to, MC_ROW_TSV, mc_text_get(from), from->size);
}

static bool write_kinds(writer *self, mc_text *scratch) {
    const mc_heap *heap = self->heap;
    const uint32_t count = heap->kind_count;
    mc_heap_standing *standings = mc_alloc_zero((size_t)count + 1, sizeof *standings);
    mc_heap_role *roles = mc_alloc_zero((size_t)count + 1, sizeof *roles);
    uint32_t *fields = mc_alloc_zero((size_t)heap->link_count + 1, sizeof *fields);
    bool is_done = standings && roles && fields && begin_texts(&self->kinds, count);
    if (is_done && heap->words->list_standings)
        is_done = heap->words->list_standings(heap->reader, standings, NULL) == MC_OK;
    if (is_done && heap->words->list_roles)
        is_done = heap->words->list_roles(heap->reader, roles, fields, NULL) == MC_OK;
    for (uint32_t i = 0; i < count && is_done; i++) {
        mc_text *to = &self->kinds.bytes;
        mc_text_append_string(to, standings[i].is_program ? "" : "runtime");
        if (roles[i].is_array)
            mc_text_append_string(to, standings[i].is_program ? "array" : " array");
        mc_text_append_string(to, "\t");
        mc_text_clear(scratch);
        heap->words->append_kind(heap->reader, i, MC_HEAP_WORDS_FULL, scratch);
        append_cell(to, scratch);
        end_text(&self->kinds);
    }
    mc_free(standings);
    mc_free(roles);
    mc_free(fields);
    return is_done;
}

static bool write_groups(writer *self) {
    const mc_heap_groups *groups = self->heap->groups;
    const uint32_t level_count = mc_heap_groups_get_level_count(groups);
    bool is_done = begin_texts(&self->groups, self->heap->leaves.count);
    for (uint32_t leaf = 0; leaf < self->heap->leaves.count && is_done; leaf++) {
        uint32_t way[MC_HEAP_LEVELS_MAX] = {0}, at = mc_heap_groups_get_group(groups, leaf);
        for (uint32_t i = level_count; i > 0; i--) {
            way[i - 1] = at;
            at = mc_heap_groups_get_parent(groups, at);
        }
        for (uint32_t i = 0; i < level_count; i++) {
            size_t size;
            const char *key = mc_heap_groups_get_key(groups, way[i], &size);
            mc_text_append_string(&self->groups.bytes, "\t");
            mc_row_append_text(&self->groups.bytes, MC_ROW_TSV, key, size);
        }
        end_text(&self->groups);
    }
    return is_done;
}

static bool write_links(writer *self, mc_text *scratch) {
    const mc_heap *heap = self->heap;
    self->link_kinds = mc_alloc((size_t)heap->link_count + 1, sizeof *self->link_kinds);
    bool is_done = self->link_kinds && begin_texts(&self->links, (size_t)heap->link_count);
    for (uint32_t kind = 0; kind < heap->kind_count && is_done; kind++)
        for (uint32_t slot = 0; slot < heap->kinds[kind].slot_count; slot++) {
            mc_heap_link_kind *link_kind = &self->link_kinds[heap->kinds[kind].first_link + slot];
            mc_text_clear(scratch);
            *link_kind =
                heap->words->append_link(heap->reader, kind, slot, MC_HEAP_WORDS_SHORT, scratch);
            if (*link_kind == MC_HEAP_LINK_STATIC) { // it may be a root, which is named in full
                mc_text_clear(scratch);
                (void)heap->words->append_link(heap->reader, kind, slot, MC_HEAP_WORDS_FULL,
                                               scratch);
            }
            append_cell(&self->links.bytes, scratch);
            end_text(&self->links);
        }
    return is_done;
}

static bool list_positions(writer *self) {
    const mc_graph *graph = &self->heap->graph;
    self->object_count = graph->vertex_count - 1 - graph->late_root_count;
    self->positions = mc_graph_list_positions(graph, self->object_count);
    return self->positions != NULL;
}

// ---- rows

static bool pass_on(writer *self) {
    if (self->text.failed || self->has_failed) return false;
    if (self->text.size > 0)
        self->has_failed = !self->sink.write(self->sink.user, self->text.data, self->text.size);
    mc_text_clear(&self->text);
    return !self->has_failed;
}

static bool end_row(writer *self) {
    mc_text_append(&self->text, "\n", 1);
    return self->text.size < PASS_SIZE || pass_on(self);
}

static uint64_t get_id(const writer *self, uint32_t object) {
    const mc_heap_words *words = self->heap->words;
    return words->get_id ? words->get_id(self->heap->reader, object) : (uint64_t)object + 1;
}

// Objects come in phase 0, references in phase 1.
static bool report(writer *self, uint32_t phase, uint32_t object) {
    const uint64_t count = self->object_count;
    self->is_cancelled = (object & PROGRESS_MASK) == 0 &&
                         !mc_progress_report(self->progress, phase * count + object, 2 * count);
    return !self->is_cancelled;
}

static uint32_t find_object(const writer *self, uint32_t position) {
    return mc_graph_find_position(self->positions, self->object_count, position);
}

static void append_number(mc_text *text, uint64_t number) {
    char digits[MC_ROW_NUMBER_SIZE];
    mc_text_append(text, digits, (size_t)(mc_row_put_number(digits, number) - digits));
}

static void append_written(mc_text *text, const written *from, uint64_t index) {
    if (from->bytes.size > 0)
        mc_text_append(text, from->bytes.data + from->begins[index],
                       from->begins[index + 1] - from->begins[index]);
}

static bool write_nodes(writer *self, int64_t time_ms) {
    const mc_heap *heap = self->heap;
    mc_text_append_string(&self->text, MC_GRAPH_ROWS_MAGIC " 1\n");
    if (time_ms > 0) mc_text_format(&self->text, "# time=%" PRId64 "\n", time_ms);
    mc_text_append_string(&self->text, "id\tsize\tflags\tclass");
    for (uint32_t i = 0; i < mc_heap_groups_get_level_count(heap->groups); i++) {
        const char *name = mc_heap_groups_get_classifier(heap->groups, i);
        mc_text_append_string(&self->text, "\t");
        mc_row_append_text(&self->text, MC_ROW_TSV, name, strlen(name));
    }
    mc_text_append(&self->text, "\n", 1);
    for (uint32_t i = 0; i < self->object_count; i++) {
        const uint32_t at = self->positions[i];
        const uint32_t leaf = mc_heap_get_leaf(heap, at);
        if (!report(self, 0, i)) return false;
        if (leaf == MC_NONE) continue; // nothing is known of it
        append_number(&self->text, get_id(self, i));
        mc_text_append(&self->text, "\t", 1);
        append_number(&self->text, mc_graph_get_size(&heap->graph, at));
        mc_text_append(&self->text, "\t", 1);
        append_written(&self->text, &self->kinds, mc_graph_get_kind(&heap->graph, at));
        append_written(&self->text, &self->groups, leaf);
        if (!end_row(self)) return false;
    }
    return true;
}

static bool write_edge(writer *self, uint32_t from, uint32_t target, uint64_t link, bool is_weak) {
    static const char *const kinds[] = {[MC_HEAP_LINK_FIELD] = "\t",
                                        [MC_HEAP_LINK_STATIC] = "\tglobal",
                                        [MC_HEAP_LINK_WEAK] = "\tweak"};
    append_number(&self->text, get_id(self, from));
    mc_text_append(&self->text, "\t", 1);
    append_number(&self->text, get_id(self, find_object(self, target)));
    mc_text_append(&self->text, "\t", 1);
    append_written(&self->text, &self->links, link);
    mc_text_append_string(&self->text, kinds[is_weak ? MC_HEAP_LINK_WEAK : self->link_kinds[link]]);
    return end_row(self);
}

static bool write_edges(writer *self) {
    const mc_heap *heap = self->heap;
    size_t weak = 0;
    mc_text_append_string(&self->text, "from\tto\tfield\tkind\n");
    for (uint32_t i = 0; i < self->object_count; i++) {
        const uint32_t at = self->positions[i];
        const uint32_t first = heap->kinds[mc_graph_get_kind(&heap->graph, at)].first_link;
        mc_graph_edges edges = mc_graph_begin_edges(&heap->graph, at);
        if (!report(self, 1, i)) return false;
        while (mc_graph_next_edge(&edges))
            if (!write_edge(self, i, edges.target, first + edges.slot, false)) return false;
        for (; weak < heap->weak.count && heap->weak.items[weak].source == at; weak++)
            if (!write_edge(self, i, heap->weak.items[weak].target,
                            first + heap->weak.items[weak].slot, true))
                return false;
    }
    return true;
}

// ---- roots

static bool write_root(void *user, uint32_t position, mc_root_kind kind, const char *name,
                       size_t size) {
    writer *self = user;
    append_number(&self->text, get_id(self, find_object(self, position)));
    mc_text_append(&self->text, "\t", 1);
    mc_text_append_string(&self->text, mc_root_kind_names[kind]);
    mc_text_append(&self->text, "\t", 1);
    mc_row_append_text(&self->text, MC_ROW_TSV, name, size);
    return end_row(self);
}

static bool write_told_root(writer *self, const mc_strings *names, uint32_t position,
                            const mc_heap_root *root) {
    size_t size = 0;
    const uint32_t text = root->example != MC_NONE ? root->example : root->name;
    const char *name = text == MC_NONE ? "" : mc_strings_get(names, text, &size);
    return write_root(self, position, root->kind, name, size);
}

// One an object, as its reader tells it.
static mc_result write_told_roots(writer *self, mc_error *error) {
    const mc_heap *heap = self->heap;
    const size_t most = (size_t)heap->root_count + 1;
    mc_strings names = {0};
    uint32_t *positions = mc_alloc(most, sizeof *positions);
    mc_heap_root *roots = mc_alloc(most, sizeof *roots);
    size_t count = 0;
    mc_result result = positions && roots ? MC_OK : mc_error_out_of_memory(error);
    mc_graph_edges edges = mc_graph_begin_edges(&heap->graph, heap->graph.root);
    while (result == MC_OK && count + 1 < most && mc_graph_next_edge(&edges)) {
        roots[count] = (mc_heap_root){MC_ROOT_UNKNOWN, MC_NONE, MC_NONE};
        positions[count++] = edges.target;
    }
    if (result == MC_OK && heap->words->tell_roots && count > 0)
        result = heap->words->tell_roots(heap->reader, positions, count, roots, &names, error);
    for (size_t i = 0; result == MC_OK && i < count; i++)
        if (!write_told_root(self, &names, positions[i], &roots[i]))
            result = mc_error_out_of_memory(error);
    mc_free(positions);
    mc_free(roots);
    mc_strings_deinit(&names);
    return result;
}

static bool write_late_roots(writer *self) {
    static const mc_root_kind kinds[MC_GRAPH_LATE_MAX] = {MC_ROOT_FINALIZING, MC_ROOT_SOFT};
    const mc_graph *graph = &self->heap->graph;
    for (uint32_t i = 0; i < graph->late_root_count && i < MC_GRAPH_LATE_MAX; i++) {
        mc_graph_edges edges = mc_graph_begin_edges(graph, graph->late_roots[i].position);
        while (mc_graph_next_edge(&edges))
            if (!write_root(self, edges.target, kinds[i], "", 0)) return false;
    }
    return true;
}

static mc_result write_roots(writer *self, mc_error *error) {
    const mc_heap *heap = self->heap;
    mc_text_append_string(&self->text, "root\tkind\tname\n");
    if (heap->words->visit_roots)
        return heap->words->visit_roots(heap->reader, write_root, self)
                   ? MC_OK
                   : mc_error_out_of_memory(error);
    mc_result result = heap->root_count > 0 ? write_told_roots(self, error) : MC_OK;
    if (result == MC_OK && !write_late_roots(self)) result = mc_error_out_of_memory(error);
    return result;
}

static bool prepare(writer *self) {
    mc_text scratch = {0};
    bool is_done = list_positions(self) && write_kinds(self, &scratch) && write_groups(self) &&
                   write_links(self, &scratch) && !self->kinds.bytes.failed &&
                   !self->groups.bytes.failed && !self->links.bytes.failed;
    mc_text_deinit(&scratch);
    return is_done;
}

static void deinit_texts(written *texts) {
    mc_text_deinit(&texts->bytes);
    mc_free(texts->begins);
}

mc_result mc_graph_write(const mc_heap *heap, int64_t time_ms, const mc_progress *progress,
                         mc_output_sink sink, mc_error *error) {
    writer self = {.heap = heap, .sink = sink, .progress = progress};
    bool is_done = prepare(&self) && write_nodes(&self, time_ms) && write_edges(&self);
    mc_result result = is_done ? write_roots(&self, error) : mc_error_out_of_memory(error);
    if (result == MC_OK && !pass_on(&self)) result = mc_error_out_of_memory(error);
    if (self.is_cancelled) result = mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    if (self.has_failed) result = mc_fail(error, MC_ERROR_IO, "can't write the output");
    mc_free(self.positions);
    deinit_texts(&self.kinds);
    deinit_texts(&self.groups);
    deinit_texts(&self.links);
    mc_free(self.link_kinds);
    mc_text_deinit(&self.text);
    return result;
}
