#include "engine/import/objects/object_heap.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/base/progress_part.h"
#include "engine/base/utf8.h"
#include <stdlib.h>
#include <string.h>

#define NAMED_MAX 256u   // names of an object that are told apart
#define SHAPES_MAX 4096u // of a type
#define KINDS_MAX (1u << 22)
#define READING_PHASES 3u     // objects, edges, the end
#define LINK_PHASES 3u        // of finding dominators
#define PROGRESS_MASK 0xffffu // objects between two reports
#define KIND_UNKNOWN 0u
#define KIND_ROOT 1u
#define KIND_LATE 2u // and the next one
#define FIRST_KIND (KIND_LATE + MC_GRAPH_LATE_MAX)

mc_result mc_object_heap_init(mc_object_heap *self, const char *const *classifiers,
                              uint32_t level_count, uint32_t thread_count, mc_error *error) {
    self->heap.words = &mc_object_words;
    self->heap.reader = self;
    self->heap.thread_count = thread_count > 0 ? thread_count : 1;
    mc_result result = mc_heap_groups_create(classifiers, level_count, &self->heap.groups, error);
    if (result != MC_OK) return result;
    uint32_t none = mc_object_heap_add_text(self, "", 0);
    bool is_done = none != MC_NONE &&
                   mc_object_heap_find_label(self, none, MC_HEAP_LINK_FIELD, true) != MC_NONE;
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}

void mc_object_heap_unlink(mc_object_heap *self) {
    mc_heap_unlink(&self->heap);
}

void mc_object_heap_deinit(mc_object_heap *self) {
    mc_heap_deinit(&self->heap);
    mc_text_deinit(&self->classifiers);
    mc_strings_deinit(&self->texts);
    mc_strings_deinit(&self->type_keys);
    mc_text_deinit(&self->scratch);
    mc_free(self->types);
    mc_free(self->labels);
    mc_slots_deinit(&self->label_slots);
    mc_free(self->object_types);
    mc_free(self->object_sizes);
    mc_free(self->object_ids);
    mc_free(self->edge_begins);
    mc_free(self->edges);
    mc_free(self->roots);
    mc_object_births_deinit(&self->births);
    mc_free(self->object_kinds);
    mc_free(self->kind_types);
    mc_free(self->link_labels);
    mc_slots_deinit(&self->shapes);
    mc_free(self->leaf_objects);
    mc_free(self->leaf_bytes);
    memset(self, 0, sizeof *self);
}

// ---- adding

static void append_valid(mc_text *text, const char *bytes, size_t size) {
    const unsigned char *at = (const unsigned char *)bytes, *end = at + size;
    while (at < end) {
        const unsigned char *begin = at;
        for (size_t length; at < end && (length = mc_utf8_measure(at, (size_t)(end - at))) > 0;)
            at += length;
        mc_text_append(text, (const char *)begin, (size_t)(at - begin));
        if (at == end) return;
        mc_text_append_string(text, "\xef\xbf\xbd");
        at++;
    }
}

uint32_t mc_object_heap_add_text(mc_object_heap *self, const char *bytes, size_t size) {
    if (size == 0 || mc_utf8_is_valid(bytes, size))
        return mc_strings_intern(&self->texts, size > 0 ? bytes : "", size);
    mc_text_clear(&self->scratch);
    append_valid(&self->scratch, bytes, size);
    return self->scratch.failed
               ? MC_NONE
               : mc_strings_intern(&self->texts, self->scratch.data, self->scratch.size);
}

static uint32_t add_type(mc_object_heap *self, uint32_t leaf, uint32_t title, uint32_t flags) {
    if (self->type_count == MC_NONE ||
        !mc_reserve(&self->types, &self->type_capacity, (size_t)self->type_count + 1,
                    sizeof *self->types))
        return MC_NONE;
    self->types[self->type_count] =
        (mc_object_type){.leaf = leaf, .title = title, .flags = flags, .last_kind = MC_NONE};
    return self->type_count++;
}

static void append_part(mc_text *text, mc_heap_key part) {
    mc_text_append(text, (const char *)&part.size, sizeof part.size);
    if (part.size > 0) mc_text_append(text, part.text, part.size);
}

static uint32_t find_leaf(mc_object_heap *self, const mc_heap_key *keys, uint32_t level_count) {
    mc_heap_key valid[MC_HEAP_LEVELS_MAX];
    size_t ends[MC_HEAP_LEVELS_MAX];
    mc_text_clear(&self->scratch);
    mc_text_append_string(&self->scratch, ""); // so that it has data
    for (uint32_t i = 0; i < level_count; i++) {
        append_valid(&self->scratch, keys[i].text ? keys[i].text : "", keys[i].size);
        ends[i] = self->scratch.size;
    }
    if (self->scratch.failed) return MC_NONE;
    for (uint32_t i = 0; i < level_count; i++) {
        const size_t begin = i > 0 ? ends[i - 1] : 0;
        valid[i] = (mc_heap_key){mc_text_get(&self->scratch) + begin, ends[i] - begin};
    }
    return mc_heap_groups_find(self->heap.groups, valid);
}

uint32_t mc_object_heap_find_type(mc_object_heap *self, const mc_heap_key *keys, mc_heap_key title,
                                  uint32_t flags) {
    const uint32_t level_count = mc_heap_groups_get_level_count(self->heap.groups);
    mc_text *key = &self->scratch;
    mc_text_clear(key);
    mc_text_append(key, (const char *)&flags, sizeof flags);
    for (uint32_t i = 0; i < level_count; i++)
        append_part(key, keys[i]);
    append_part(key, title);
    const uint32_t type =
        key->failed ? MC_NONE : mc_strings_intern(&self->type_keys, key->data, key->size);
    if (type == MC_NONE || type < self->type_count) return type;
    const uint32_t leaf = find_leaf(self, keys, level_count);
    const uint32_t text = mc_object_heap_add_text(self, title.text, title.size);
    return leaf == MC_NONE || text == MC_NONE ? MC_NONE : add_type(self, leaf, text, flags);
}

uint32_t mc_object_heap_find_label(mc_object_heap *self, uint32_t text, mc_heap_link_kind kind,
                                   bool is_whole) {
    const uint64_t key = (uint64_t)text << 3 | (uint64_t)kind << 1 | is_whole;
    const uint32_t hash = (uint32_t)mc_hash_u64(key, 0);
    for (uint32_t at = hash, i; (i = mc_slots_find(&self->label_slots, hash, &at)) != MC_NONE;)
        if (self->labels[i].text == text && self->labels[i].kind == kind &&
            self->labels[i].is_whole == is_whole)
            return i;
    if (!mc_reserve(&self->labels, &self->label_capacity, (size_t)self->label_count + 1,
                    sizeof *self->labels) ||
        !mc_slots_add(&self->label_slots, hash, self->label_count))
        return MC_NONE;
    self->labels[self->label_count] =
        (mc_object_label){.text = text, .kind = kind, .is_whole = is_whole};
    return self->label_count++;
}

bool mc_object_heap_add_root(mc_object_heap *self, uint32_t object, mc_root_kind kind,
                             uint32_t name) {
    if (!mc_reserve(&self->roots, &self->root_capacity, self->root_count + 1, sizeof *self->roots))
        return false;
    self->roots[self->root_count++] = (mc_object_root){object, 0, kind, name, MC_NONE};
    return true;
}

mc_result mc_object_heap_report(const mc_object_heap *self, uint32_t phase, uint64_t done,
                                uint64_t total, mc_error *error) {
    return mc_progress_report(self->heap.progress, phase * total + (done < total ? done : total),
                              READING_PHASES * total)
               ? MC_OK
               : mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
}

// ---- kinds

// What an object's edges are, sorted: those with a name of their own, the list's, weak ones.
typedef struct sorter {
    mc_object_heap *self;
    mc_object_edge *scratch;
    uint32_t *weak_labels;
    size_t capacity, weak_capacity;
    uint32_t named_count, strong_count, weak_label_count;
    uint32_t list_label; // MC_NONE: no list
} sorter;

static bool is_weak(const mc_object_heap *self, const mc_object_edge *edge) {
    return self->labels[edge->label].kind == MC_HEAP_LINK_WEAK;
}

enum { SEEN_ONCE, SEEN_AGAIN };

// Which labels come once, which again; how many edges have a name.
static uint32_t note_labels(const sorter *s, uint32_t object, const mc_object_edge *edges,
                            size_t count) {
    mc_object_label *labels = s->self->labels;
    uint32_t named = 0;
    for (size_t i = 0; i < count; i++) {
        mc_object_label *label = &labels[edges[i].label];
        label->seen_kind = label->seen == object + 1 ? SEEN_AGAIN : SEEN_ONCE;
        label->seen = object + 1;
        named += edges[i].label != 0 && label->kind == MC_HEAP_LINK_FIELD;
    }
    return named;
}

static bool has_labels(const mc_object_edge *edges, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (edges[i].label != 0) return true;
    return false;
}

static void sort_edges(sorter *s, uint32_t object, mc_object_edge *edges, size_t count) {
    const mc_object_heap *self = s->self;
    const mc_object_type *type = &self->types[self->object_types[object]];
    s->named_count = s->weak_label_count = 0;
    if (!has_labels(edges, count)) {
        s->strong_count = (uint32_t)count;
        s->list_label = count > 0 ? 0 : MC_NONE;
        return;
    }
    const uint32_t named = note_labels(s, object, edges, count);
    const bool is_map = named > NAMED_MAX || type->kind_count >= SHAPES_MAX;
    size_t listed = 0, weak = 0;
    s->list_label = MC_NONE;
    for (size_t i = 0; i < count; i++) {
        mc_object_label *label = &self->labels[edges[i].label];
        bool has_slot = edges[i].label != 0 && label->seen_kind == SEEN_ONCE &&
                        (!is_map || label->kind == MC_HEAP_LINK_STATIC);
        if (label->kind == MC_HEAP_LINK_WEAK || !has_slot) continue;
        s->scratch[s->named_count++] = edges[i];
    }
    for (size_t i = 0; i < count; i++) {
        mc_object_label *label = &self->labels[edges[i].label];
        bool has_slot = edges[i].label != 0 && label->seen_kind == SEEN_ONCE &&
                        (!is_map || label->kind == MC_HEAP_LINK_STATIC);
        if (label->kind == MC_HEAP_LINK_WEAK || has_slot) continue;
        s->scratch[s->named_count + listed++] = edges[i];
        if (s->list_label == MC_NONE)
            s->list_label = edges[i].label;
        else if (s->list_label != edges[i].label)
            s->list_label = 0;
    }
    if (is_map && s->list_label != MC_NONE) s->list_label = 0;
    s->strong_count = s->named_count + (uint32_t)listed;
    for (size_t i = 0; i < count; i++) {
        mc_object_label *label = &self->labels[edges[i].label];
        if (label->kind != MC_HEAP_LINK_WEAK) continue;
        s->scratch[s->strong_count + weak++] = edges[i];
        if (label->seen == 0) continue; // its slot is there
        label->seen = 0;
        s->weak_labels[s->weak_label_count++] = edges[i].label;
    }
    if (count > 0) memcpy(edges, s->scratch, count * sizeof *edges);
}

static uint32_t hash_shape(const sorter *s, uint32_t type, const mc_object_edge *edges) {
    uint64_t hash = mc_hash_u64((uint64_t)type << 32 | s->list_label, 0);
    for (uint32_t i = 0; i < s->named_count; i++)
        hash = mc_hash_u64(hash ^ edges[i].label, 0);
    for (uint32_t i = 0; i < s->weak_label_count; i++)
        hash = mc_hash_u64(hash ^ ~(uint64_t)s->weak_labels[i], 0);
    return (uint32_t)hash;
}

static bool is_of_kind(const sorter *s, uint32_t kind, uint32_t type, const mc_object_edge *edges) {
    const mc_object_heap *self = s->self;
    const mc_heap_kind *of = &self->heap.kinds[kind];
    const uint32_t *labels = self->link_labels + of->first_link;
    if (self->kind_types[kind] != type ||
        of->slot_count != s->named_count + 1 + s->weak_label_count)
        return false;
    for (uint32_t i = 0; i < s->named_count; i++)
        if (labels[i] != edges[i].label) return false;
    if (labels[s->named_count] != s->list_label) return false;
    for (uint32_t i = 0; i < s->weak_label_count; i++)
        if (labels[s->named_count + 1 + i] != s->weak_labels[i]) return false;
    return true;
}

static uint32_t add_kind(mc_object_heap *self, mc_graph_kind graph, uint32_t leaf, uint32_t type,
                         uint32_t weak_count) {
    uint32_t kind = mc_heap_add_kind(&self->heap, graph, leaf, MC_NONE);
    if (kind == MC_NONE) return MC_NONE;
    mc_heap_add_weak_links(&self->heap, weak_count);
    if (self->heap.link_count >= MC_NONE ||
        !mc_reserve(&self->kind_types, &self->kind_capacity, self->heap.kind_count,
                    sizeof *self->kind_types) ||
        !mc_reserve(&self->link_labels, &self->link_capacity, (size_t)self->heap.link_count + 1,
                    sizeof *self->link_labels))
        return MC_NONE;
    self->kind_types[kind] = type;
    for (uint32_t i = 0; i < self->heap.kinds[kind].slot_count; i++)
        self->link_labels[self->heap.kinds[kind].first_link + i] = 0;
    return kind;
}

static uint32_t find_kind(sorter *s, uint32_t type_index, const mc_object_edge *edges) {
    mc_object_heap *self = s->self;
    const uint32_t hash = hash_shape(s, type_index, edges);
    for (uint32_t at = hash, kind; (kind = mc_slots_find(&self->shapes, hash, &at)) != MC_NONE;)
        if (is_of_kind(s, kind, type_index, edges)) return kind;
    mc_graph_kind graph = {
        .size = MC_GRAPH_VARIES, .slot_count = s->named_count + 1, .layout = MC_GRAPH_MIXED};
    uint32_t kind =
        add_kind(self, graph, self->types[type_index].leaf, type_index, s->weak_label_count);
    if (kind == MC_NONE || kind >= KINDS_MAX || !mc_slots_add(&self->shapes, hash, kind))
        return MC_NONE;
    uint32_t *labels = self->link_labels + self->heap.kinds[kind].first_link;
    for (uint32_t i = 0; i < s->named_count; i++)
        labels[i] = edges[i].label;
    labels[s->named_count] = s->list_label;
    for (uint32_t i = 0; i < s->weak_label_count; i++)
        labels[s->named_count + 1 + i] = s->weak_labels[i];
    self->types[type_index].kind_count++;
    return kind;
}

static bool make_room(sorter *s, size_t count) {
    return mc_reserve(&s->scratch, &s->capacity, count + 1, sizeof *s->scratch) &&
           mc_reserve(&s->weak_labels, &s->weak_capacity, count + 1, sizeof *s->weak_labels);
}

// NULL: there are none at all.
static mc_object_edge *get_edges(const mc_object_heap *self, uint32_t object) {
    return self->edges ? self->edges + self->edge_begins[object] : NULL;
}

// Whether the edges are the slots of a kind, in this order, and nothing else: as those of most
// objects are those of the last one of their type.
static bool are_slots_of(const mc_object_heap *self, uint32_t kind, const mc_object_edge *edges,
                         size_t count) {
    const mc_heap_kind *of = &self->heap.kinds[kind];
    const uint32_t *labels = self->link_labels + of->first_link;
    if (of->slot_count != count + 1 || self->heap.graph_kinds[kind].slot_count != count + 1 ||
        labels[count] != MC_NONE)
        return false;
    for (size_t i = 0; i < count; i++)
        if (labels[i] != edges[i].label) return false;
    return true;
}

static bool set_kind(sorter *s, uint32_t object) {
    mc_object_heap *self = s->self;
    mc_object_type *type = &self->types[self->object_types[object]];
    mc_object_edge *edges = get_edges(self, object);
    size_t count = (size_t)(self->edge_begins[object + 1] - self->edge_begins[object]);
    if (type->last_kind != MC_NONE && type->kind_count < SHAPES_MAX &&
        are_slots_of(self, type->last_kind, edges, count)) {
        self->object_kinds[object] = type->last_kind;
        self->edge_count += count;
        return true;
    }
    if (!make_room(s, count)) return false;
    sort_edges(s, object, edges, count);
    type->last_kind = self->object_kinds[object] = find_kind(s, self->object_types[object], edges);
    self->weak_count += count - s->strong_count;
    self->edge_count += s->strong_count;
    return self->object_kinds[object] != MC_NONE;
}

static mc_result find_kinds(mc_object_heap *self, mc_error *error) {
    sorter s = {.self = self};
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < self->object_count && result == MC_OK; i++) {
        if (!set_kind(&s, i))
            result = mc_error_out_of_memory(error);
        else if ((i & PROGRESS_MASK) == 0)
            result = mc_object_heap_report(self, READING_PHASES - 1, i, self->object_count, error);
    }
    mc_free(s.scratch);
    mc_free(s.weak_labels);
    return result;
}

static bool add_plain_kinds(mc_object_heap *self) {
    const mc_graph_kind list = {.size = 0, .layout = MC_GRAPH_LIST};
    for (uint32_t i = 0; i < FIRST_KIND; i++)
        if (add_kind(self, list, MC_NONE, MC_NONE, 0) == MC_NONE) return false;
    return true;
}

static mc_result sum_up(mc_object_heap *self, mc_error *error) {
    const uint32_t leaf_count = mc_heap_groups_get_count(self->heap.groups);
    self->leaf_objects =
        mc_alloc_zero_scattered((size_t)leaf_count + 1, sizeof *self->leaf_objects);
    self->leaf_bytes = mc_alloc_zero_scattered((size_t)leaf_count + 1, sizeof *self->leaf_bytes);
    if (!self->leaf_objects || !self->leaf_bytes) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < self->object_count; i++) {
        const mc_object_type *type = &self->types[self->object_types[i]];
        if (type->leaf == MC_NONE) continue;
        self->leaf_objects[type->leaf]++;
        if (self->object_sizes[i] > INT64_MAX - self->leaf_bytes[type->leaf])
            return mc_fail(error, MC_ERROR_BAD_DATA,
                           "all objects together are more than 2^63 - 1 bytes");
        self->leaf_bytes[type->leaf] += self->object_sizes[i];
    }
    self->heap.leaves = (mc_heap_leaves){
        .count = leaf_count, .objects = self->leaf_objects, .bytes = self->leaf_bytes};
    return MC_OK;
}

mc_result mc_object_heap_end(mc_object_heap *self, mc_error *error) {
    self->object_kinds =
        mc_alloc_scattered((size_t)self->object_count + 1, sizeof *self->object_kinds);
    if (!self->edges) self->edges = mc_alloc(1, sizeof *self->edges); // there are none
    if (!self->object_kinds || !self->edges || !add_plain_kinds(self))
        return mc_error_out_of_memory(error);
    mc_result result = find_kinds(self, error);
    mc_slots_deinit(&self->shapes);
    if (result == MC_OK) result = sum_up(self, error);
    if (result == MC_OK && !mc_heap_list_parents(&self->heap))
        result = mc_error_out_of_memory(error);
    return result;
}

// ---- the graph

// A stack or a lock, which may hold what just happened to be in use.
static bool is_passing(mc_root_kind kind) {
    switch (kind) {
    case MC_ROOT_STACK:
    case MC_ROOT_JNI_LOCAL:
    case MC_ROOT_NATIVE_STACK:
    case MC_ROOT_THREAD_BLOCK:
    case MC_ROOT_MONITOR:
    case MC_ROOT_JNI_MONITOR: return true;
    default: return false;
    }
}

static uint32_t get_region(mc_root_kind kind) {
    return kind == MC_ROOT_SOFT         ? MC_HEAP_SOFT
           : kind == MC_ROOT_FINALIZING ? MC_HEAP_FINALIZING
                                        : MC_HEAP_STRONG;
}

enum { RANK_LASTING, RANK_PASSING, RANK_LATE };

static uint32_t rank_root(const mc_object_root *root) {
    if (get_region(root->kind) != MC_HEAP_STRONG) return RANK_LATE;
    return is_passing(root->kind) ? RANK_PASSING : RANK_LASTING;
}

static int compare_roots(const void *a, const void *b) {
    const mc_object_root *x = a, *y = b;
    if (x->object != y->object) return x->object < y->object ? -1 : 1;
    uint32_t rank_x = rank_root(x), rank_y = rank_root(y);
    if (rank_x != rank_y) return rank_x < rank_y ? -1 : 1;
    bool is_thread_x = x->kind == MC_ROOT_THREAD, is_thread_y = y->kind == MC_ROOT_THREAD;
    if (is_thread_x != is_thread_y) return is_thread_x ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

typedef struct builder {
    mc_object_heap *self;
    mc_graph *graph;
    uint32_t first_late, root;
    uint32_t late_counts[MC_GRAPH_LATE_MAX];
    uint32_t *positions; // by object; NULL: not listed
} builder;

#define CHUNK (1u << 16)

static uint32_t count_strong(const mc_object_heap *self, uint32_t object) {
    uint64_t begin = self->edge_begins[object], end = self->edge_begins[object + 1];
    while (end > begin && is_weak(self, &self->edges[end - 1]))
        end--;
    return (uint32_t)(end - begin);
}

static uint32_t get_chunk_end(const builder *b, uint32_t part) {
    uint64_t end = ((uint64_t)part + 1) * CHUNK;
    return end < b->self->object_count ? (uint32_t)end : b->self->object_count;
}

static void measure_chunk(void *user, uint32_t part, uint32_t thread) {
    const builder *b = user;
    (void)thread;
    for (uint32_t i = part * CHUNK; i < get_chunk_end(b, part); i++)
        atomic_store_explicit(&b->graph->places[i], MC_GRAPH_HEAD + count_strong(b->self, i),
                              memory_order_relaxed);
}

static void put_chunk(void *user, uint32_t part, uint32_t thread) {
    const builder *b = user;
    const mc_object_heap *self = b->self;
    (void)thread;
    for (uint32_t i = part * CHUNK; i < get_chunk_end(b, part); i++) {
        const mc_graph_entry entry = {.kind = self->object_kinds[i],
                                      .edge_count = count_strong(self, i),
                                      .size = self->object_sizes[i]};
        const mc_object_edge *edges = get_edges(self, i);
        uint32_t *words = mc_graph_put(b->graph, i, &entry);
        for (uint32_t k = 0; words && k < entry.edge_count; k++)
            words[k] |= mc_graph_get_place(b->graph, edges[k].target);
    }
}

static void run_chunks(builder *b, void (*run)(void *user, uint32_t part, uint32_t thread)) {
    mc_parallel_run((b->self->object_count + CHUNK - 1) / CHUNK, b->self->heap.thread_count, run,
                    b);
}

// Of roots that are sorted by object.
static bool is_first(const mc_object_heap *self, size_t i) {
    return i == 0 || self->roots[i - 1].object != self->roots[i].object;
}

static void count_roots(builder *b) {
    mc_object_heap *self = b->self;
    self->heap.root_count = self->heap.lasting_root_count = 0;
    for (size_t i = 0; i < self->root_count; i++) {
        uint32_t rank = rank_root(&self->roots[i]);
        if (rank == RANK_LATE) b->late_counts[get_region(self->roots[i].kind) - 1]++;
        if (!is_first(self, i) || rank == RANK_LATE) continue;
        self->heap.root_count++;
        self->heap.lasting_root_count += rank == RANK_LASTING;
    }
}

static void measure_roots(const builder *b) {
    const mc_object_heap *self = b->self;
    uint64_t count = self->heap.root_count > 0 ? self->heap.root_count : self->object_count;
    for (uint32_t i = 0; i < MC_GRAPH_LATE_MAX; i++)
        atomic_store(&b->graph->places[b->first_late + i], MC_GRAPH_HEAD + b->late_counts[i]);
    atomic_store(&b->graph->places[b->root], MC_GRAPH_HEAD + (uint32_t)count);
}

static void put_root(const builder *b) {
    const mc_object_heap *self = b->self;
    const bool has_roots = self->heap.root_count > 0;
    const mc_graph_entry entry = {.kind = KIND_ROOT,
                                  .edge_count = has_roots ? (uint32_t)self->heap.root_count
                                                          : self->object_count};
    uint32_t *words = mc_graph_put(b->graph, b->root, &entry), at = 0;
    if (!words) return;
    for (uint32_t i = 0; !has_roots && i < self->object_count; i++)
        words[at++] |= mc_graph_get_place(b->graph, i);
    for (uint32_t rank = RANK_LASTING; rank <= RANK_PASSING; rank++)
        for (size_t i = 0; has_roots && i < self->root_count; i++)
            if (is_first(self, i) && rank_root(&self->roots[i]) == rank)
                words[at++] |= mc_graph_get_place(b->graph, self->roots[i].object);
}

// What a late root names is there in any case: if anything is reached.
static mc_result put_late_root(const builder *b, uint32_t index, mc_error *error) {
    const mc_object_heap *self = b->self;
    const mc_graph_entry entry = {.kind = KIND_LATE + index, .edge_count = b->late_counts[index]};
    mc_graph_late_edge *edges = mc_alloc_scattered((size_t)entry.edge_count + 1, sizeof *edges);
    uint32_t condition = 0, count = 0;
    if (!edges) return mc_error_out_of_memory(error);
    for (size_t i = 0; i < self->root_count && condition == 0; i++)
        if (rank_root(&self->roots[i]) != RANK_LATE)
            condition = mc_graph_get_place(b->graph, self->roots[i].object);
    for (size_t i = 0; i < self->root_count && condition != 0; i++)
        if (get_region(self->roots[i].kind) == index + 1)
            edges[count++] = (mc_graph_late_edge){
                condition, mc_graph_get_place(b->graph, self->roots[i].object)};
    mc_graph_put(b->graph, b->first_late + index, &entry);
    mc_result result = mc_graph_add_late_root(b->graph, b->first_late + index, edges, count, error);
    mc_free(edges);
    return result;
}

// An object has an edge of each weak label of its kind, so that this takes no longer than those.
static void note_weak_slots(const mc_object_heap *self, uint32_t kind) {
    const mc_heap_kind *of = &self->heap.kinds[kind];
    for (uint32_t i = self->heap.graph_kinds[kind].slot_count; i < of->slot_count; i++)
        self->labels[self->link_labels[of->first_link + i]].seen_kind = i;
}

static bool list_weak(const builder *b) {
    const mc_object_heap *self = b->self;
    for (uint32_t i = 0; i < self->object_count && self->weak_count > 0; i++) {
        note_weak_slots(self, self->object_kinds[i]);
        for (uint64_t k = self->edge_begins[i + 1]; k > self->edge_begins[i]; k--) {
            const mc_object_edge *edge = &self->edges[k - 1];
            if (!is_weak(self, edge)) break;
            mc_heap_weak_edge weak = {mc_graph_get_place(b->graph, i),
                                      mc_graph_get_place(b->graph, edge->target),
                                      self->labels[edge->label].seen_kind};
            if (!mc_heap_weak_edges_add(&b->self->heap.weak, weak)) return false;
        }
    }
    return true;
}

// Of a film, where each object lies in the graph, while that is known.
static bool list_positions(builder *b) {
    const mc_object_heap *self = b->self;
    if (self->births.moment_count < 2) return true;
    b->positions = mc_alloc((size_t)self->object_count + 1, sizeof *b->positions);
    for (uint32_t i = 0; b->positions && i < self->object_count; i++)
        b->positions[i] = mc_graph_get_place(b->graph, i);
    return b->positions != NULL;
}

static mc_result build(builder *b, mc_error *error) {
    mc_object_heap *self = b->self;
    mc_result result =
        mc_graph_init(b->graph, b->root + 1, self->heap.graph_kinds, self->heap.kind_count, error);
    if (result != MC_OK) return result;
    run_chunks(b, measure_chunk);
    count_roots(b);
    measure_roots(b);
    result = mc_graph_place(b->graph, self->heap.thread_count, error);
    if (result != MC_OK) return result;
    run_chunks(b, put_chunk);
    for (size_t i = 0; i < self->root_count; i++)
        self->roots[i].position = mc_graph_get_place(b->graph, self->roots[i].object);
    if (!list_weak(b) || !list_positions(b)) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < MC_GRAPH_LATE_MAX && result == MC_OK; i++)
        result = put_late_root(b, i, error);
    if (result != MC_OK) return result;
    put_root(b);
    return mc_graph_set_root(b->graph, b->root, error);
}

static mc_result list_new(mc_object_heap *self, const uint32_t *positions, mc_error *error) {
    const mc_object_births *births = &self->births;
    bool *is_new = self->heap.is_new = mc_alloc_zero(self->heap.tree.count, sizeof *is_new);
    if (!is_new) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < self->object_count; i++)
        is_new[mc_graph_get_number(&self->heap.graph, positions[i])] =
            births->births[i] > births->moments[0].last_birth;
    return MC_OK;
}

mc_result mc_object_heap_link(mc_object_heap *self, mc_error *error) {
    builder b = {.self = self, .graph = &self->heap.graph, .first_late = self->object_count};
    b.root = b.first_late + MC_GRAPH_LATE_MAX;
    if (self->root_count > 1)
        qsort(self->roots, self->root_count, sizeof *self->roots, compare_roots);
    mc_result result = build(&b, error);
    mc_free(self->edges);
    mc_free(self->edge_begins);
    mc_free(self->object_kinds);
    self->edges = NULL;
    self->edge_begins = NULL;
    self->object_kinds = NULL;
    mc_progress_phases phases = {.whole = self->heap.progress, .count = LINK_PHASES};
    const mc_progress progress = mc_progress_phases_get(&phases);
    if (result == MC_OK) result = mc_heap_link(&self->heap, &progress, error);
    if (result == MC_OK && b.positions) result = list_new(self, b.positions, error);
    mc_free(b.positions);
    return result == MC_OK ? mc_heap_list_groups(&self->heap, error) : result;
}
