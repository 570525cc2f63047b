#include "engine/import/hprof/hprof_graph_references.h"

#include "engine/base/memory.h"

// What references of vertices of a kind are.
typedef struct kind_links {
    uint32_t leaf;
    uint32_t link;      // of the first slot
    uint32_t kept_slot; // the class, which is a field only; MC_NONE: none
} kind_links;

typedef struct follower {
    mc_hprof_reference_counter counter;
    uint32_t source; // number of the vertex that is read
    bool is_out_of_memory;
} follower;

typedef struct finder {
    mc_hprof_heap *heap;
    mc_graph *graph;
    kind_links *kinds;
    uint32_t *leaf_of_group; // where leaves are divided; else NULL
    // A vertex's word: its leaf if they are divided, then referrers, each plus 1.
    uint32_t width, begin, end; // in bits: of each, and where referrers begin and end
    mc_heap_seen seen;
    follower *workers;
} finder;

// ---- words

static void prepare_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const finder *self = user;
    uint32_t *words = self->graph->words;
    (void)thread;
    for (uint32_t at = begin; at < end; at = mc_graph_skip(self->graph, at)) {
        uint32_t group = self->leaf_of_group ? self->heap->group_of[words[at]] : MC_NONE;
        words[at] = group == MC_NONE ? 0 : self->leaf_of_group[group] + 1;
    }
}

static uint32_t get_leaf(const finder *self, uint32_t position) {
    if (!self->leaf_of_group) return self->kinds[mc_graph_get_kind(self->graph, position)].leaf;
    uint64_t word = __atomic_load_n(&self->graph->words[position], __ATOMIC_RELAXED);
    return (uint32_t)(word & ((UINT64_C(1) << self->width) - 1)) - 1;
}

// Notes in the vertex's word that `leaf` references it. False: there is no room.
static bool set_source(const finder *self, uint32_t position, uint32_t leaf, bool *is_new) {
    uint32_t *at = &self->graph->words[position], wanted;
    uint32_t word = __atomic_load_n(at, __ATOMIC_RELAXED);
    do {
        uint32_t shift =
            mc_hprof_find_referrer(word, self->begin, self->end, self->width, leaf, is_new);
        if (shift == self->end || !*is_new) return shift < self->end;
        wanted = word | (leaf + 1) << shift;
    } while (
        !__atomic_compare_exchange_n(at, &word, wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return true;
}

// ---- references

static bool count(finder *self, follower *worker, uint32_t leaf, uint32_t link, uint32_t position) {
    mc_hprof_reference reference = {
        .leaf = leaf, .source = worker->source, .link = link, .target = get_leaf(self, position)};
    bool is_new = false;
    if (reference.target == MC_NONE) return true; // a class that nothing is known of
    if (!set_source(self, position, leaf, &is_new) &&
        !mc_hprof_note_referrer(&worker->counter, &self->seen, position, leaf, &is_new))
        return false;
    return mc_hprof_count_reference(&worker->counter, &reference, is_new);
}

static bool count_class(finder *self, follower *worker, uint32_t leaf, uint32_t link,
                        uint32_t position) {
    uint32_t target = get_leaf(self, position);
    return target == MC_NONE || mc_hprof_count_link(&worker->counter, leaf, link, target);
}

static bool follow_edges(finder *self, follower *worker, uint32_t position, uint32_t leaf,
                         mc_graph_ahead *ahead) {
    const kind_links *kind = &self->kinds[mc_graph_get_kind(self->graph, position)];
    mc_graph_edges edges = mc_graph_begin_edges(self->graph, position);
    bool is_done = true;
    while (is_done && mc_graph_next_edge(&edges)) {
        if (edges.at) mc_graph_fetch(self->graph, ahead, (uint32_t)(edges.at - self->graph->words));
        is_done = edges.slot == kind->kept_slot
                      ? count_class(self, worker, leaf, kind->link + edges.slot, edges.target)
                      : count(self, worker, leaf, kind->link + edges.slot, edges.target);
    }
    return is_done;
}

// By which link a vertex that has a weak reference has it.
static uint32_t get_weak_link(const finder *self, uint32_t position) {
    const mc_hprof_graph *graph = &self->heap->graph;
    uint32_t kind = mc_graph_get_kind(self->graph, position);
    return self->kinds[kind].link + mc_hprof_find_weak_slot(&self->heap->classes, &self->heap->file,
                                                            graph->kinds[kind].class);
}

static void follow_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    finder *self = user;
    follower *worker = &self->workers[thread];
    const mc_hprof_graph_notes *notes = &self->heap->notes;
    const mc_graph *graph = self->graph;
    size_t weak = mc_hprof_graph_notes_find_weak(notes, begin);
    mc_graph_ahead ahead = {.at = begin, .end = end};
    bool is_done = !worker->is_out_of_memory;
    for (uint32_t at = begin, next; at < end && is_done; at = next) {
        uint32_t leaf = get_leaf(self, at);
        next = mc_graph_skip(graph, at);
        mc_graph_fetch(graph, &ahead, at);
        worker->source++;
        if (leaf != MC_NONE) is_done = follow_edges(self, worker, at, leaf, &ahead);
        for (; weak < notes->weak_count && notes->weak[weak].source == at; weak++)
            is_done =
                is_done && (leaf == MC_NONE || count(self, worker, leaf, get_weak_link(self, at),
                                                     notes->weak[weak].target));
    }
    worker->is_out_of_memory = !is_done;
}

// ---- all of it

static uint32_t get_link(const mc_hprof_links *links, const mc_hprof_graph_kind *kind) {
    switch (kind->what) {
    case MC_HPROF_VERTEX_INSTANCE: return links->classes[kind->class].instance;
    case MC_HPROF_VERTEX_OBJECTS: return links->classes[kind->class].array;
    case MC_HPROF_VERTEX_CLASS: return links->classes[kind->class].object;
    default: return 0; // they reference nothing
    }
}

static bool list_kinds(finder *self, const mc_hprof_links *links) {
    const mc_hprof_graph *graph = &self->heap->graph;
    self->kinds = mc_alloc((size_t)graph->kind_count + 1, sizeof *self->kinds);
    for (uint32_t i = 0; self->kinds && i < graph->kind_count; i++) {
        const mc_hprof_graph_kind *kind = &graph->kinds[i];
        const mc_hprof_class *class =
            kind->what == MC_HPROF_VERTEX_INSTANCE ? &self->heap->classes.items[kind->class] : NULL;
        self->kinds[i] =
            (kind_links){.leaf = kind->leaf,
                         .link = get_link(links, kind),
                         .kept_slot = class && class->is_kept ? class->reference_count : MC_NONE};
    }
    return self->kinds != NULL;
}

static bool list_leaves(finder *self) {
    const mc_hprof_heap *heap = self->heap;
    const uint32_t count = heap->leaves.count;
    self->width = mc_hprof_measure_leaf(count);
    self->end = 32 / self->width * self->width;
    if (!heap->leaves.own_objects) return true;
    self->begin = self->width;
    self->leaf_of_group = mc_alloc_zero((size_t)mc_heap_groups_get_group_count(heap->groups) + 1,
                                        sizeof *self->leaf_of_group);
    for (uint32_t i = 0; self->leaf_of_group && i < count; i++)
        self->leaf_of_group[mc_heap_groups_get_group(heap->groups, i)] = i;
    return self->leaf_of_group != NULL;
}

static bool init(finder *self, const mc_hprof_links *links) {
    uint32_t worker_count = self->heap->crew.worker_count;
    bool is_done = mc_heap_seen_init(&self->seen) && list_kinds(self, links) && list_leaves(self);
    self->workers = mc_alloc_zero(worker_count, sizeof *self->workers);
    for (uint32_t i = 0; self->workers && i < worker_count; i++)
        is_done =
            mc_hprof_reference_counter_init(&self->workers[i].counter, self->heap->leaves.count) &&
            is_done;
    return is_done && self->workers;
}

static void deinit(finder *self) {
    for (uint32_t i = 0; self->workers && i < self->heap->crew.worker_count; i++)
        mc_hprof_reference_counter_deinit(&self->workers[i].counter);
    mc_free(self->workers);
    mc_free(self->kinds);
    mc_free(self->leaf_of_group);
    mc_heap_seen_deinit(&self->seen);
}

static bool add_roots(const finder *self, mc_hprof_references *references) {
    const mc_hprof_graph_notes *notes = &self->heap->notes;
    bool is_done = true;
    for (size_t i = 0; i < notes->root_count && is_done; i++) {
        uint32_t leaf = get_leaf(self, notes->roots[i].target);
        is_done =
            leaf == MC_NONE || mc_hprof_root_notes_add(&references->roots, notes->roots[i].record,
                                                       self->heap->file.id_size, leaf);
    }
    return is_done;
}

mc_result mc_hprof_find_graph_references(mc_hprof_references *references, mc_hprof_heap *heap,
                                         const mc_hprof_links *links, mc_error *error) {
    finder self = {.heap = heap, .graph = &heap->graph.graph};
    const uint32_t worker_count = heap->crew.worker_count;
    bool is_done = init(&self, links);
    if (is_done) {
        mc_graph_scan(self.graph, worker_count, prepare_range, &self);
        mc_graph_scan(self.graph, worker_count, follow_range, &self);
        atomic_fetch_add(&heap->crew.done, heap->walk_size);
    }
    for (uint32_t i = 0; i < worker_count && is_done; i++)
        is_done = !self.workers[i].is_out_of_memory &&
                  mc_hprof_reference_counter_end(&self.workers[i].counter, references);
    is_done = is_done && add_roots(&self, references);
    references->report.dangling_count += heap->notes.dangling_count;
    mc_hprof_references_sort(references);
    deinit(&self);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}
