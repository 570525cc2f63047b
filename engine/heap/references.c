#include "engine/heap/references.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"

typedef struct follower {
    mc_heap_reference_counter counter;
    uint32_t source; // number of the vertex that is read
    bool is_out_of_memory;
    char apart[MC_PARALLEL_APART]; // from the next thread's
} follower;

typedef struct finder {
    mc_heap *heap;
    mc_graph *graph;
    bool is_divided;  // leaves are by object
    uint32_t *leaves; // by kind, else
    // A vertex's word: its leaf if they are divided, then referrers, each plus 1.
    uint32_t width, begin, end; // in bits: of each, and where referrers begin and end
    mc_heap_seen seen;
    follower *workers;
} finder;

// ---- words

static void prepare_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const finder *self = user;
    (void)thread;
    for (uint32_t at = begin; at < end; at = mc_graph_skip(self->graph, at))
        self->graph->words[at] = self->is_divided ? mc_heap_get_leaf(self->heap, at) + 1 : 0;
}

static inline uint32_t get_leaf(const finder *self, uint32_t position) {
    if (!self->is_divided) return self->leaves[mc_graph_get_kind(self->graph, position)];
    uint64_t word = __atomic_load_n(&self->graph->words[position], __ATOMIC_RELAXED);
    return (uint32_t)(word & ((UINT64_C(1) << self->width) - 1)) - 1;
}

// Notes in the vertex's word that `leaf` references it. False: there is no room.
static bool set_source(const finder *self, uint32_t position, uint32_t leaf, bool *is_new) {
    uint32_t *at = &self->graph->words[position], wanted;
    uint32_t word = __atomic_load_n(at, __ATOMIC_RELAXED);
    do {
        uint32_t shift =
            mc_heap_find_referrer(word, self->begin, self->end, self->width, leaf, is_new);
        if (shift == self->end || !*is_new) return shift < self->end;
        wanted = word | (leaf + 1) << shift;
    } while (
        !__atomic_compare_exchange_n(at, &word, wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return true;
}

// ---- references

static inline bool is_first_source(const finder *self, uint32_t position, uint32_t leaf) {
    const uint32_t word = __atomic_load_n(&self->graph->words[position], __ATOMIC_RELAXED);
    return mc_heap_is_first_referrer(word, self->begin, self->end, self->width, leaf);
}

// Inline at any price: it runs for each reference.
__attribute__((always_inline)) static inline bool
count(finder *self, follower *worker, uint32_t leaf, uint32_t link, uint32_t position) {
    mc_heap_reference reference = {
        .leaf = leaf, .source = worker->source, .link = link, .target = get_leaf(self, position)};
    bool is_new = false;
    if (reference.target == MC_NONE) return true; // a class that nothing is known of
    if (!is_first_source(self, position, leaf) && !set_source(self, position, leaf, &is_new) &&
        !mc_heap_note_referrer(&worker->counter, &self->seen, position, leaf, &is_new))
        return false;
    return mc_heap_count_reference(
        &worker->counter, mc_heap_hash_link(leaf, link, reference.target), &reference, is_new);
}

static bool count_class(finder *self, follower *worker, uint32_t leaf, uint32_t link,
                        uint32_t position) {
    uint32_t target = get_leaf(self, position);
    return target == MC_NONE || mc_heap_count_link(&worker->counter, leaf, link, target);
}

static bool follow_edges(finder *self, follower *worker, uint32_t position, uint32_t leaf,
                         mc_graph_ahead *ahead) {
    const mc_heap_kind *kind = &self->heap->kinds[mc_graph_get_kind(self->graph, position)];
    mc_graph_edges edges = mc_graph_begin_edges(self->graph, position);
    bool is_done = true;
    while (is_done && mc_graph_next_edge(&edges)) {
        if (edges.at) mc_graph_fetch(self->graph, ahead, (uint32_t)(edges.at - self->graph->words));
        is_done = edges.slot == kind->class_slot
                      ? count_class(self, worker, leaf, kind->first_link + edges.slot, edges.target)
                      : count(self, worker, leaf, kind->first_link + edges.slot, edges.target);
    }
    return is_done;
}

static bool count_weak(finder *self, follower *worker, uint32_t leaf,
                       const mc_heap_weak_edge *edge) {
    uint32_t kind = mc_graph_get_kind(self->graph, edge->source);
    return leaf == MC_NONE ||
           count(self, worker, leaf, self->heap->kinds[kind].first_link + edge->slot, edge->target);
}

// The first weak edge of a vertex at `position` or behind it.
static size_t find_weak(const mc_heap_weak_edges *edges, uint32_t position) {
    size_t low = 0, high = edges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (edges->items[middle].source < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void follow_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    finder *self = user;
    follower *worker = &self->workers[thread];
    const mc_heap_weak_edges *edges = &self->heap->weak;
    const mc_graph *graph = self->graph;
    size_t weak = find_weak(edges, begin);
    mc_graph_ahead ahead = {.at = begin, .end = end};
    bool is_done = !worker->is_out_of_memory;
    for (uint32_t at = begin, next; at < end && is_done; at = next) {
        uint32_t leaf = get_leaf(self, at);
        next = mc_graph_skip(graph, at);
        mc_graph_fetch(graph, &ahead, at);
        worker->source++;
        if (leaf != MC_NONE) is_done = follow_edges(self, worker, at, leaf, &ahead);
        for (; weak < edges->count && edges->items[weak].source == at; weak++)
            is_done = is_done && count_weak(self, worker, leaf, &edges->items[weak]);
    }
    worker->is_out_of_memory = !is_done;
}

// ---- all of it

static bool init(finder *self) {
    const mc_heap *heap = self->heap;
    self->width = mc_heap_measure_leaf(heap->leaves.count);
    self->end = 32 / self->width * self->width;
    if (self->is_divided) self->begin = self->width;
    bool is_done = mc_heap_seen_init(&self->seen);
    self->leaves = mc_alloc_scattered((size_t)heap->kind_count + 1, sizeof *self->leaves);
    for (uint32_t i = 0; self->leaves && i < heap->kind_count; i++)
        self->leaves[i] = heap->kinds[i].leaf;
    self->workers = mc_alloc_zero_scattered(heap->thread_count, sizeof *self->workers);
    for (uint32_t i = 0; self->workers && i < heap->thread_count; i++)
        is_done = mc_heap_reference_counter_init(&self->workers[i].counter, heap->leaves.count) &&
                  is_done;
    return is_done && self->leaves && self->workers;
}

mc_result mc_heap_count_references(mc_heap *heap, mc_heap_references *references, mc_error *error) {
    finder self = {
        .heap = heap, .graph = &heap->graph, .is_divided = heap->leaves.own_objects != NULL};
    bool is_done = init(&self);
    if (is_done) {
        mc_graph_scan(self.graph, heap->thread_count, prepare_range, &self);
        mc_graph_scan(self.graph, heap->thread_count, follow_range, &self);
    }
    for (uint32_t i = 0; self.workers && i < heap->thread_count; i++) {
        is_done = is_done && !self.workers[i].is_out_of_memory &&
                  mc_heap_reference_counter_end(&self.workers[i].counter, references);
        mc_heap_reference_counter_deinit(&self.workers[i].counter);
    }
    is_done = is_done && mc_heap_references_sort(references);
    mc_free(self.workers);
    mc_free(self.leaves);
    mc_heap_seen_deinit(&self.seen);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}
