#include "engine/import/graph/graph_reader.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/import/graph/graph_part.h"
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#define SLICE_SIZE ((size_t)1 << 20) // of data that a thread reads at a time
#define SLICES_LEAST 16u             // of small data, so that it is read in the same way
#define SORTERS_MOST 4u              // threads, each of which looks at all references
#define OBJECTS_MOST (MC_NONE / 4)

// Lines that are read as a whole, twice: objects, then references.
typedef struct slice {
    const char *begin;
    mc_graph_section section; // above its lines
    bool has_references;      // or roots
} slice;

// A slice as it was read.
typedef struct piece {
    mc_graph_part part;
    size_t slice;
    size_t at; // of all objects, or references: its first one
} piece;

typedef struct reader {
    mc_object_heap *heap;
    mc_graph_rows rows;
    const mc_heap_desc *desc;
    mc_graph_ids ids;
    slice *slices; // and one more, where the last one ends
    size_t slice_count, slice_capacity;
    piece *pieces; // of a round
    uint32_t piece_count, thread_count;
    _Atomic uint32_t valid_count; // of a round: up to the first one behind which rows are others
    const mc_graph_ids *found;    // NULL: objects are read
    size_t type_capacity, size_capacity, id_capacity;
    // References as they come.
    uint32_t *sources;
    size_t edge_count, edge_room; // edge_room: rows of references
    size_t source_capacity, edge_capacity;
    uint64_t dangling_count;
} reader;

bool mc_graph_detect(const void *data, size_t size) {
    const size_t length = sizeof MC_GRAPH_ROWS_MAGIC - 1;
    return size >= length && memcmp(data, MC_GRAPH_ROWS_MAGIC, length) == 0;
}

static bool begin_pieces(reader *self) {
    self->thread_count = self->desc->thread_count > 0 ? self->desc->thread_count : 1;
    self->piece_count = self->thread_count * 4;
    self->pieces = mc_alloc_zero(self->piece_count, sizeof *self->pieces);
    return self->pieces != NULL;
}

static void deinit(reader *self) {
    for (uint32_t i = 0; self->pieces && i < self->piece_count; i++)
        mc_graph_part_deinit(&self->pieces[i].part);
    mc_free(self->pieces);
    mc_free(self->slices);
    mc_free(self->sources);
    mc_graph_ids_deinit(&self->ids);
    mc_graph_rows_deinit(&self->rows);
}

static bool add_slice(reader *self, const char *begin) {
    if (!mc_reserve(&self->slices, &self->slice_capacity, self->slice_count + 2,
                    sizeof *self->slices))
        return false;
    self->slices[self->slice_count++] = (slice){.begin = begin};
    return true;
}

static mc_result list_slices(reader *self, mc_error *error) {
    const char *at = self->rows.begin, *end = self->rows.end;
    const size_t part = (size_t)(end - at) / SLICES_LEAST;
    const size_t size = part < SLICE_SIZE ? part : SLICE_SIZE;
    while (at < end) {
        if (!add_slice(self, at)) return mc_error_out_of_memory(error);
        const char *line =
            (size_t)(end - at) > size ? memchr(at + size, '\n', (size_t)(end - at) - size) : NULL;
        at = line ? line + 1 : end;
    }
    if (!mc_reserve(&self->slices, &self->slice_capacity, self->slice_count + 1,
                    sizeof *self->slices))
        return mc_error_out_of_memory(error);
    self->slices[self->slice_count] = (slice){.begin = end};
    return MC_OK;
}

// ---- what pieces have found

static uint32_t make_word(mc_object_heap *heap, const mc_graph_word *word) {
    if (word->kind == MC_GRAPH_WORD_TYPE)
        return mc_object_heap_find_type(heap, word->keys, word->title, word->flags);
    const mc_heap_key text = word->keys[0];
    const uint32_t added = mc_object_heap_add_text(heap, text.text, text.size);
    if (added == MC_NONE || word->kind == MC_GRAPH_WORD_ROOT) return added;
    return mc_object_heap_find_label(heap, added, (mc_heap_link_kind)word->flags, true);
}

// In the order of the file, so that the heap has them in that order, too.
static bool make_words(mc_object_heap *heap, mc_graph_part *part) {
    if (!mc_reserve(&part->map, &part->map_capacity, (size_t)part->words.count + 1,
                    sizeof *part->map))
        return false;
    for (uint32_t i = 0; i < part->words.count; i++) {
        const mc_graph_word word = mc_graph_part_get_word(part, i);
        part->map[i] = make_word(heap, &word);
        if (part->map[i] == MC_NONE) return false;
    }
    return true;
}

// Where the row of an object begins.
static mc_result find_row(const reader *self, uint32_t object, uint64_t *offset, mc_error *error) {
    const mc_graph_section none = {.column_count = 0};
    mc_graph_rows rows;
    mc_result result = MC_OK;
    mc_graph_rows_init_part(&rows, &self->rows, self->rows.begin, self->rows.end, &none);
    for (uint32_t i = 0; i <= object && result == MC_OK; i++)
        result = mc_graph_rows_next(&rows, 1u << MC_GRAPH_ROW_NODE, error);
    *offset = (uint64_t)(rows.row - rows.begin);
    mc_graph_rows_deinit(&rows);
    return result;
}

static mc_result fail_object(const reader *self, uint32_t object, const char *what,
                             mc_error *error) {
    uint64_t offset;
    mc_result result = find_row(self, object, &offset, error);
    return result == MC_OK ? mc_error_set(error, MC_ERROR_BAD_DATA, offset, "%s", what) : result;
}

// Of all objects so far.
static mc_result build_ids(reader *self, mc_error *error) {
    uint32_t twice;
    if (!mc_graph_ids_build(&self->ids, self->heap, &twice)) return mc_error_out_of_memory(error);
    return twice == MC_NONE ? MC_OK : fail_object(self, twice, "two objects have one id", error);
}

static void copy_piece(void *user, uint32_t index, uint32_t thread) {
    const reader *self = user;
    const mc_object_heap *heap = self->heap;
    const piece *of = &self->pieces[index];
    const mc_graph_part *part = &of->part;
    (void)thread;
    if (!self->found) {
        for (uint32_t i = 0; i < part->object_count; i++) {
            heap->object_ids[of->at + i] = part->ids[i];
            heap->object_sizes[of->at + i] = part->sizes[i];
            heap->object_types[of->at + i] = part->map[part->types[i]];
        }
        return;
    }
    for (uint32_t i = 0; i < part->edge_count; i++) {
        const uint32_t label = part->labels[i];
        self->sources[of->at + i] = part->sources[i];
        heap->edges[of->at + i] =
            (mc_object_edge){part->targets[i], label == MC_NONE ? 0 : part->map[label]};
    }
}

static mc_result add_objects(reader *self, uint32_t count, mc_error *error) {
    mc_object_heap *heap = self->heap;
    size_t sum = heap->object_count;
    for (uint32_t i = 0; i < count; i++) {
        self->pieces[i].at = sum;
        sum += self->pieces[i].part.object_count;
    }
    if (!mc_reserve(&heap->object_ids, &self->id_capacity, sum + 1, sizeof *heap->object_ids) ||
        !mc_reserve(&heap->object_types, &self->type_capacity, sum + 1,
                    sizeof *heap->object_types) ||
        !mc_reserve(&heap->object_sizes, &self->size_capacity, sum + 1, sizeof *heap->object_sizes))
        return mc_error_out_of_memory(error);
    mc_parallel_run(count, self->thread_count, copy_piece, self);
    heap->object_count = (uint32_t)(sum < OBJECTS_MOST ? sum : OBJECTS_MOST - 1);
    if (sum < OBJECTS_MOST) return MC_OK;
    mc_result result = build_ids(self, error);
    if (result != MC_OK) return result;
    return fail_object(self, heap->object_count, "too many objects: more than 2^30", error);
}

static bool add_roots(mc_object_heap *heap, const mc_graph_part *part) {
    for (uint32_t i = 0; i < part->root_count; i++) {
        const mc_graph_part_root *root = &part->roots[i];
        const uint32_t name = root->name == MC_NONE ? MC_NONE : part->map[root->name];
        if (!mc_object_heap_add_root(heap, root->object, root->kind, name)) return false;
    }
    return true;
}

static bool reserve_edges(reader *self, size_t count) {
    mc_object_heap *heap = self->heap;
    return mc_reserve(&self->sources, &self->source_capacity, count + 1, sizeof *self->sources) &&
           mc_reserve(&heap->edges, &self->edge_capacity, count + 1, sizeof *heap->edges);
}

static mc_result add_references(reader *self, uint32_t count, mc_error *error) {
    mc_object_heap *heap = self->heap;
    for (uint32_t i = 0; i < count; i++) {
        const mc_graph_part *part = &self->pieces[i].part;
        self->pieces[i].at = self->edge_count;
        self->edge_count += part->edge_count;
        self->dangling_count += part->dangling_count;
        if (!add_roots(heap, part)) return mc_error_out_of_memory(error);
    }
    if (!reserve_edges(self, self->edge_count)) return mc_error_out_of_memory(error);
    mc_parallel_run(count, self->thread_count, copy_piece, self);
    return MC_OK;
}

// ---- rounds of pieces

static void read_piece(void *user, uint32_t index, uint32_t thread) {
    reader *self = user;
    piece *of = &self->pieces[index];
    slice *from = &self->slices[of->slice];
    (void)thread;
    if (index >= atomic_load(&self->valid_count)) return;
    mc_graph_part_read(&of->part, &self->rows, from[0].begin, from[1].begin, &from->section,
                       self->found);
    if (self->found || mc_graph_section_equals(&from->section, &of->part.rows.section)) return;
    uint32_t count = atomic_load(&self->valid_count);
    while (index + 1 < count &&
           !atomic_compare_exchange_weak(&self->valid_count, &count, index + 1))
        continue;
}

// Reads the slices behind *next, as many as there are pieces, and fewer where a section ends.
// Objects: what is above a slice follows from those before it, and mostly is what is above them.
static uint32_t read_round(reader *self, size_t *next, mc_graph_section *section) {
    uint32_t count = 0;
    for (; *next < self->slice_count && count < self->piece_count; ++*next) {
        slice *from = &self->slices[*next];
        if (self->found && !from->has_references) continue;
        if (!self->found) from->section = *section;
        self->pieces[count++].slice = *next;
    }
    atomic_store(&self->valid_count, count);
    mc_parallel_run(count, self->thread_count, read_piece, self);
    const uint32_t valid_count = atomic_load(&self->valid_count);
    if (valid_count < count) *next = self->pieces[valid_count].slice;
    if (valid_count > 0) *section = self->pieces[valid_count - 1].part.rows.section;
    return valid_count;
}

// The first of the pieces that are wrong; `count`: none is. What stands behind it counts no more.
static uint32_t find_wrong(const reader *self, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (self->pieces[i].part.result != MC_OK) return i;
    return count;
}

// What was seen of a slice while its objects were read.
static void note_rows(reader *self, const piece *of) {
    const mc_graph_rows *rows = &of->part.rows;
    const uint64_t *counts = rows->counts;
    if (rows->time_ms >= 0) self->rows.time_ms = rows->time_ms;
    self->slices[of->slice].has_references =
        counts[MC_GRAPH_ROW_EDGE] > 0 || counts[MC_GRAPH_ROW_ROOT] > 0;
    self->edge_room += (size_t)counts[MC_GRAPH_ROW_EDGE];
}

static mc_result end_round(reader *self, uint32_t count, mc_error *error) {
    const uint32_t wrong = find_wrong(self, count), used = wrong < count ? wrong + 1 : count;
    mc_result result;
    for (uint32_t i = 0; i < used; i++) {
        mc_graph_part *part = &self->pieces[i].part;
        if (!self->found) note_rows(self, &self->pieces[i]);
        if (!make_words(self->heap, part)) return mc_error_out_of_memory(error);
    }
    result = self->found ? add_references(self, used, error) : add_objects(self, used, error);
    if (result != MC_OK || wrong == count) return result;
    if (!self->found) result = build_ids(self, error); // what is wrong before that row
    if (result != MC_OK) return result;
    *error = self->pieces[wrong].part.error;
    return self->pieces[wrong].part.result;
}

static mc_result read_slices(reader *self, mc_error *error) {
    mc_graph_section section = {.column_count = 0};
    const uint64_t size = (uint64_t)(self->rows.end - self->rows.begin);
    mc_result result = MC_OK;
    for (size_t next = 0; next < self->slice_count && result == MC_OK;) {
        const uint32_t count = read_round(self, &next, &section);
        result = end_round(self, count, error);
        const uint64_t at = (uint64_t)(self->slices[next].begin - self->rows.begin);
        if (result == MC_OK)
            result = mc_object_heap_report(self->heap, self->found ? 1 : 0, at, size, error);
    }
    return result;
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

static mc_result read_all(reader *self, mc_error *error) {
    // What objects are grouped by is above or in the row of the first one.
    mc_result result = mc_graph_rows_next(&self->rows, 1u << MC_GRAPH_ROW_NODE, error);
    if (result == MC_OK) result = begin_groups(self, error);
    if (result == MC_OK && !begin_pieces(self)) result = mc_error_out_of_memory(error);
    if (result == MC_OK) result = list_slices(self, error);
    if (result == MC_OK) result = read_slices(self, error);
    if (result == MC_OK) result = build_ids(self, error);
    if (result != MC_OK) return result;
    self->found = &self->ids;
    if (!reserve_edges(self, self->edge_room)) return mc_error_out_of_memory(error);
    result = read_slices(self, error);
    if (result == MC_OK && self->heap->object_count == 0)
        return mc_error_set(error, MC_ERROR_BAD_DATA, 0, "there is no row of an object");
    return result;
}

// ---- by their sources, else in the order in which they came

typedef struct sorter {
    const reader *self;
    mc_object_edge *sorted;
    uint32_t range_count;
} sorter;

// Each thread counts, and moves, what begins in a range of objects of its own.
static void get_range(const sorter *s, uint32_t range, uint32_t *begin, uint32_t *end) {
    const uint64_t count = s->self->heap->object_count;
    *begin = (uint32_t)(count * range / s->range_count);
    *end = (uint32_t)(count * (range + 1) / s->range_count);
}

// The count of object i goes to place i + 2.
static void count_range(void *user, uint32_t range, uint32_t thread) {
    const sorter *s = user;
    const uint32_t *restrict sources = s->self->sources;
    const size_t edge_count = s->self->edge_count;
    uint64_t *restrict counts = s->self->heap->edge_begins + 2;
    uint32_t begin, end;
    (void)thread;
    get_range(s, range, &begin, &end);
    for (size_t i = 0; i < edge_count; i++)
        if (sources[i] >= begin && sources[i] < end) counts[sources[i]]++;
}

// Place i + 1 is where object i's begin; then where they end.
static void move_range(void *user, uint32_t range, uint32_t thread) {
    const sorter *s = user;
    const uint32_t *restrict sources = s->self->sources;
    const size_t edge_count = s->self->edge_count;
    const mc_object_edge *restrict edges = s->self->heap->edges;
    mc_object_edge *restrict sorted = s->sorted;
    uint64_t *restrict next = s->self->heap->edge_begins + 1;
    uint32_t begin, end;
    (void)thread;
    get_range(s, range, &begin, &end);
    for (size_t i = 0; i < edge_count; i++)
        if (sources[i] >= begin && sources[i] < end) sorted[next[sources[i]]++] = edges[i];
}

static bool is_sorted(const reader *self) {
    for (size_t i = 1; i < self->edge_count; i++)
        if (self->sources[i] < self->sources[i - 1]) return false;
    return true;
}

static mc_result sort_edges(reader *self, mc_error *error) {
    mc_object_heap *heap = self->heap;
    const size_t count = heap->object_count;
    sorter s = {.self = self, .range_count = self->thread_count};
    if (s.range_count > SORTERS_MOST) s.range_count = SORTERS_MOST;
    heap->edge_begins = mc_alloc_zero(count + 2, sizeof *heap->edge_begins);
    if (!heap->edge_begins) return mc_error_out_of_memory(error);
    mc_parallel_run(s.range_count, s.range_count, count_range, &s);
    for (size_t i = 2; i < count + 2; i++)
        heap->edge_begins[i] += heap->edge_begins[i - 1];
    if (is_sorted(self)) {
        memmove(heap->edge_begins, heap->edge_begins + 1, (count + 1) * sizeof *heap->edge_begins);
        return MC_OK;
    }
    s.sorted = mc_alloc(self->edge_count + 1, sizeof *s.sorted);
    if (!s.sorted) return mc_error_out_of_memory(error);
    mc_parallel_run(s.range_count, s.range_count, move_range, &s);
    mc_free(heap->edges);
    heap->edges = s.sorted;
    return MC_OK;
}

static mc_result read_graph(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                            mc_object_heap *heap, mc_text *damage, mc_error *error) {
    reader self = {.heap = heap, .desc = desc};
    mc_graph_rows_init(&self.rows, data, size);
    mc_result result = read_all(&self, error);
    mc_graph_ids_deinit(&self.ids);
    if (result == MC_OK) result = sort_edges(&self, error);
    heap->time_ms = self.rows.time_ms;
    const uint64_t dangling_count = self.dangling_count;
    deinit(&self);
    if (result == MC_OK) result = mc_object_heap_end(heap, error);
    if (result == MC_OK && dangling_count > 0)
        mc_text_format(damage, "%" PRIu64 " references lead to objects that it lacks",
                       dangling_count);
    return result;
}

const mc_object_reader mc_graph_reader = {.read = read_graph};
