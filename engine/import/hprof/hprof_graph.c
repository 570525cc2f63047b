#include "engine/import/hprof/hprof_graph.h"

#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_wasted_bytes.h"
#include <string.h>

#define WINDOW 128 // references whose memory is fetched at a time

typedef struct window_entry {
    mc_hprof_search search;
    uint32_t object;
    uint32_t edge; // position of its word
} window_entry;

// What is to be known of a class to read its instances, where they need nothing special.
typedef struct instance_plan {
    uint64_t class_id;
    const uint32_t *offsets; // of references
    uint32_t count, end;     // end: as many bytes have them all
    uint32_t kind;           // of the vertices; of MASKED packing
    bool is_known, is_plain;
    bool is_wasteful; // may be, of plain ones
} instance_plan;

#define PLANS 256 // at hand; a power of two

typedef struct late_edges {
    mc_graph_late_edge *items;
    size_t count, capacity;
} late_edges;

typedef struct builder_worker {
    mc_hprof_recent recent;
    mc_hprof_hint hint, root_hint, weak_hint;
    window_entry window[WINDOW];
    uint32_t window_count;
    instance_plan plans[PLANS];
    // The references of the object that is read, by slot.
    uint64_t *ids;
    size_t id_count, id_capacity;
    mc_heap_weak_edges weak;
    late_edges late[MC_GRAPH_LATE_MAX];
    mc_hprof_root_records roots;
    uint64_t dangling_count;
    bool is_out_of_memory;
} builder_worker;

typedef struct builder {
    mc_hprof_dump *dump;
    mc_graph *graph;
    _Atomic uint64_t *roots, *lasting_roots; // a bit an object
    uint32_t first_late, root;               // vertices
    builder_worker *workers;
    mc_hprof_waste *waste; // counted while lengths are told; NULL: it is not
    bool has_notes;
    bool is_putting; // else lengths are told
} builder;

// ---- objects

static bool reserve_slots(builder_worker *worker, size_t count) {
    if (count <= worker->id_capacity ||
        mc_reserve(&worker->ids, &worker->id_capacity, count, sizeof *worker->ids))
        return true;
    worker->is_out_of_memory = true;
    return false;
}

static bool take_slot(void *user, uint32_t slot, uint64_t id) {
    builder_worker *worker = user;
    (void)slot;
    if (!reserve_slots(worker, worker->id_count + 1)) return false;
    worker->ids[worker->id_count++] = id;
    return true;
}

static bool take_instance(builder_worker *worker, const mc_hprof_classes *classes,
                          const mc_hprof_class *class, uint32_t weak_slot,
                          const mc_hprof_item *item, uint32_t id_size) {
    const uint32_t count = class->reference_count;
    const uint32_t *offsets = classes->references + class->reference_begin;
    const unsigned char *data = item->data;
    const uint64_t size = item->data_size;
    if (!reserve_slots(worker, (size_t)count + 1)) return false;
    uint64_t *ids = worker->ids;
    for (uint32_t i = 0; i < count; i++) {
        bool is_there = (uint64_t)offsets[i] + id_size <= size && i != weak_slot;
        ids[i] = is_there ? mc_hprof_read_id(data + offsets[i], id_size) : 0;
    }
    ids[count] = class->id;
    worker->id_count = (size_t)count + class->is_kept;
    return true;
}

static uint32_t count_elements(const mc_hprof_item *item, uint32_t id_size) {
    uint32_t count = 0;
    for (uint64_t i = 0; i < item->data_size; i += id_size)
        count += mc_hprof_read_id(item->data + i, id_size) != 0;
    return count;
}

static uint32_t count_slots(const builder_worker *worker, uint32_t *mask) {
    const uint64_t *ids = worker->ids;
    const size_t id_count = worker->id_count;
    uint32_t count = 0, found = 0;
    for (size_t i = 0; i < id_count; i++) {
        const uint32_t is_there = ids[i] != 0;
        if (i < 32) found |= is_there << i;
        count += is_there;
    }
    *mask = found;
    return count;
}

// An object's class and what it is as a vertex, but for its size, and, but for arrays, its
// references by slot.
static bool read_object(const builder *self, builder_worker *worker, mc_hprof_kind kind,
                        const mc_hprof_item *item, uint32_t *class, mc_graph_entry *entry) {
    const mc_hprof_dump *dump = self->dump;
    const uint32_t id_size = dump->file.id_size;
    mc_hprof_class_record record;
    worker->id_count = 0;
    entry->kind = mc_hprof_kinds_find(&dump->kinds, &dump->classes, &dump->file, &worker->recent,
                                      kind, item, class);
    if (entry->kind == MC_HPROF_KIND_UNKNOWN) return false;
    if (kind == MC_HPROF_PRIMITIVES) return true;
    if (kind == MC_HPROF_OBJECTS) {
        entry->edge_count = count_elements(item, id_size);
        return true;
    }
    if (kind == MC_HPROF_INSTANCE) {
        const mc_hprof_class *known = &dump->classes.items[*class];
        const uint32_t weak_slot = dump->kinds.classes[*class].weak_slot;
        if (!take_instance(worker, &dump->classes, known, weak_slot, item, id_size)) return false;
    } else {
        (void)mc_hprof_parse_class(item->begin + 1, dump->file.data + dump->file.size, id_size,
                                   &record);
        mc_hprof_visit_class_slots(&dump->file, &record, take_slot, worker);
    }
    entry->edge_count = count_slots(worker, &entry->mask);
    return true;
}

// ---- putting

// Each step of the search needs memory that the one before names. All entries take a step before
// the next one, so that their cache misses overlap.
static void empty_window(const builder *self, builder_worker *worker) {
    const mc_hprof_ids *ids = &self->dump->tallies.ids;
    mc_graph *graph = self->graph;
    window_entry *end = worker->window + worker->window_count;
    for (window_entry *entry = worker->window; entry < end; entry++)
        mc_hprof_ids_go_on(ids, &entry->search);
    for (window_entry *entry = worker->window; entry < end; entry++) {
        entry->object = mc_hprof_ids_end(ids, &entry->search);
        if (entry->object != MC_NONE)
            __builtin_prefetch((const void *)&graph->places[entry->object]);
    }
    for (window_entry *entry = worker->window; entry < end; entry++) {
        if (entry->object != MC_NONE)
            graph->words[entry->edge] |= mc_graph_get_place(graph, entry->object);
        else
            worker->dangling_count++;
    }
    worker->window_count = 0;
}

static inline void put_edge(const builder *self, builder_worker *worker, uint64_t id,
                            uint32_t edge) {
    const mc_hprof_ids *ids = &self->dump->tallies.ids;
    uint64_t place = id >> ids->shift;
    if (id == 0) return;
    if (id != place << ids->shift) {
        worker->dangling_count++;
        return;
    }
    worker->window[worker->window_count++] =
        (window_entry){.search = mc_hprof_ids_begin(ids, place), .edge = edge};
    if (worker->window_count == WINDOW) empty_window(self, worker);
}

static void put_object(const builder *self, builder_worker *worker, uint32_t object,
                       const mc_graph_entry *entry, mc_hprof_kind kind, const mc_hprof_item *item) {
    mc_graph *graph = self->graph;
    if (!mc_graph_put(graph, object, entry) || entry->edge_count == 0) return;
    const uint32_t id_size = self->dump->file.id_size;
    const uint32_t edges = mc_graph_get_place(graph, object) + MC_GRAPH_HEAD;
    const uint32_t room = mc_graph_get_place(graph, object + 1) - edges;
    uint32_t at = 0;
    if (kind == MC_HPROF_OBJECTS) {
        // The file may have changed since they were counted.
        for (uint64_t i = 0; i < item->data_size && at < room; i += id_size) {
            uint64_t id = mc_hprof_read_id(item->data + i, id_size);
            if (id != 0) put_edge(self, worker, id, edges + at++);
        }
        return;
    }
    bool is_by_slot = graph->kinds[entry->kind].packing == MC_GRAPH_PACKED_INDEXED;
    for (uint32_t i = 0; i < worker->id_count; i++) {
        if (worker->ids[i] == 0) continue;
        uint32_t place = is_by_slot ? i : at++;
        if (place < room) put_edge(self, worker, worker->ids[i], edges + place);
    }
}

// ---- notes

static bool add_late(builder_worker *worker, mc_heap_region region, uint32_t from, uint32_t to) {
    late_edges *edges = &worker->late[region - 1];
    if (!mc_reserve(&edges->items, &edges->capacity, edges->count + 1, sizeof *edges->items))
        return false;
    edges->items[edges->count++] = (mc_graph_late_edge){from, to};
    return true;
}

// Of an instance of this class.
static void note_weak_reference(const builder *self, builder_worker *worker, uint32_t object,
                                uint32_t class, const mc_hprof_item *item) {
    const mc_hprof_classes *classes = &self->dump->classes;
    const mc_graph *graph = self->graph;
    const mc_hprof_class_kinds *kinds = &self->dump->kinds.classes[class];
    const uint32_t slot = kinds->weak_slot, id_size = self->dump->file.id_size;
    if (slot == MC_NONE || (!self->has_notes && kinds->region == MC_HEAP_STRONG)) return;
    uint32_t offset = classes->references[classes->items[class].reference_begin + slot];
    if ((uint64_t)offset + id_size > item->data_size) return;
    uint64_t id = mc_hprof_read_id(item->data + offset, id_size);
    if (id == 0) return;
    uint32_t target = mc_hprof_ids_find(&self->dump->tallies.ids, id, &worker->weak_hint);
    if (target == MC_NONE) {
        worker->dangling_count++;
        return;
    }
    const uint32_t from = mc_graph_get_place(graph, object), to = mc_graph_get_place(graph, target);
    if ((self->has_notes &&
         !mc_heap_weak_edges_add(&worker->weak, (mc_heap_weak_edge){from, to, slot})) ||
        (kinds->region != MC_HEAP_STRONG && !add_late(worker, kinds->region, from, to)))
        worker->is_out_of_memory = true;
}

static mc_result gather_notes(const builder *self, mc_error *error) {
    mc_hprof_dump *dump = self->dump;
    for (uint32_t i = 0; i < dump->crew.worker_count; i++) {
        const builder_worker *worker = &self->workers[i];
        if (self->has_notes) dump->dangling_count += worker->dangling_count;
        if (!mc_heap_weak_edges_merge(&dump->heap.weak, &worker->weak) ||
            !mc_hprof_root_records_merge(&dump->roots, &worker->roots))
            return mc_error_out_of_memory(error);
    }
    return MC_OK;
}

// ---- plain instances

static void make_plan(const builder *self, uint64_t class_id, instance_plan *plan) {
    const mc_hprof_dump *dump = self->dump;
    const uint32_t index = mc_hprof_classes_find(&dump->classes, class_id);
    *plan = (instance_plan){.class_id = class_id, .is_known = true};
    if (index == MC_NONE) return;
    const mc_hprof_class *class = &dump->classes.items[index];
    const mc_hprof_class_kinds *kinds = &dump->kinds.classes[index];
    plan->kind = kinds->instance;
    plan->count = class->reference_count;
    if (plan->count > 0) plan->offsets = dump->classes.references + class->reference_begin;
    plan->is_plain = kinds->instance != MC_HPROF_KIND_UNKNOWN && kinds->weak_slot == MC_NONE &&
                     !class->is_kept &&
                     self->graph->kinds[plan->kind].packing == MC_GRAPH_PACKED_MASKED;
    plan->is_wasteful = self->waste && mc_hprof_waste_asks(self->waste, index);
    for (uint32_t i = 0; i < plan->count; i++) {
        const uint64_t end = (uint64_t)plan->offsets[i] + dump->file.id_size;
        if (end > plan->end) plan->end = (uint32_t)end;
        if (end > UINT32_MAX) plan->is_plain = false;
    }
}

static inline const instance_plan *get_plan(const builder *self, builder_worker *worker,
                                            uint64_t class_id) {
    instance_plan *plan = &worker->plans[(class_id >> 3 ^ class_id >> 10) & (PLANS - 1)];
    if (!plan->is_known || plan->class_id != class_id) make_plan(self, class_id, plan);
    return plan;
}

static void tell_length(const builder *self, uint32_t object, uint32_t length) {
    // Of two with one id the first counts; these are read by one thread.
    if (mc_graph_get_place(self->graph, object) == 0)
        atomic_store_explicit(&self->graph->places[object], length, memory_order_relaxed);
}

// False: it is none.
static inline bool read_plain(const builder *self, builder_worker *worker,
                              const instance_plan *plan, const mc_hprof_item *item) {
    const uint32_t id_size = self->dump->file.id_size, count = plan->count;
    const uint32_t *offsets = plan->offsets;
    const unsigned char *data = item->data;
    if (!plan->is_plain || item->data_size < plan->end) return false;
    uint32_t object = mc_hprof_ids_find(&self->dump->tallies.ids, item->id, &worker->hint);
    if (object == MC_NONE) return true;
    uint32_t mask = 0, edge_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t is_there = mc_hprof_read_id(data + offsets[i], id_size) != 0;
        mask |= is_there << i;
        edge_count += is_there;
    }
    if (!self->is_putting) {
        tell_length(self, object, MC_GRAPH_HEAD + edge_count);
        return true;
    }
    uint32_t edge = mc_graph_put_masked(self->graph, object, plan->kind, mask, edge_count);
    for (; edge != 0 && mask != 0; mask &= mask - 1)
        put_edge(self, worker,
                 mc_hprof_read_id(data + offsets[(uint32_t)__builtin_ctz(mask)], id_size), edge++);
    return true;
}

// ---- items

static void read_item(const builder *self, builder_worker *worker, mc_hprof_kind kind,
                      const mc_hprof_item *item) {
    mc_graph *graph = self->graph;
    uint32_t class, object = mc_hprof_ids_find(&self->dump->tallies.ids, item->id, &worker->hint);
    mc_graph_entry entry = {0};
    if (object == MC_NONE || !read_object(self, worker, kind, item, &class, &entry)) return;
    if (self->is_putting) {
        if (graph->kinds[entry.kind].size == MC_GRAPH_VARIES)
            entry.size = mc_hprof_classes_measure(&self->dump->classes, kind, class, item);
        if (kind == MC_HPROF_INSTANCE) note_weak_reference(self, worker, object, class, item);
        put_object(self, worker, object, &entry, kind, item);
        return;
    }
    tell_length(self, object, mc_graph_measure(&graph->kinds[entry.kind], entry.edge_count));
}

// ---- roots

static bool is_root(uint8_t tag) {
    // 90 says that nothing reaches the object, and FE names a heap.
    return tag != 0x90 && tag != 0xfe;
}

// A stack or a lock, which may hold what just happened to be in use. The rest stays.
static bool is_passing_root(uint8_t tag) {
    return tag == 0x02 || tag == 0x03 || tag == 0x04 || tag == 0x06 || tag == 0x07 || tag == 0x8e;
}

// Threads and what they hold for a while are noted in any case: what goes if a thread does is known
// by that.
static bool is_wanted(const builder *self, uint8_t tag) {
    if (!self->is_putting) return is_root(tag);
    return self->has_notes ? tag != 0xfe : tag == MC_HPROF_ROOT_THREAD || is_passing_root(tag);
}

static void note_root(const builder *self, builder_worker *worker, const mc_hprof_item *item) {
    uint64_t id = mc_hprof_read_id(item->begin + 1, self->dump->file.id_size);
    if (!is_wanted(self, *item->begin)) return;
    uint32_t object = mc_hprof_ids_find(&self->dump->tallies.ids, id, &worker->root_hint);
    if (object == MC_NONE) return;
    if (self->is_putting) {
        uint32_t position = mc_graph_get_place(self->graph, object);
        if (!mc_hprof_root_records_add(&worker->roots, item->begin, self->dump->file.id_size,
                                       position))
            worker->is_out_of_memory = true;
        return;
    }
    atomic_fetch_or_explicit(&self->roots[object >> 6], UINT64_C(1) << (object & 63),
                             memory_order_relaxed);
    if (!is_passing_root(*item->begin))
        atomic_fetch_or_explicit(&self->lasting_roots[object >> 6], UINT64_C(1) << (object & 63),
                                 memory_order_relaxed);
}

static void count_roots(builder *self) {
    uint64_t object_count = self->dump->tallies.ids.object_count;
    for (uint64_t i = 0; i <= object_count >> 6; i++) {
        self->dump->heap.root_count += mc_count_bits(atomic_load(&self->roots[i]));
        self->dump->heap.lasting_root_count += mc_count_bits(atomic_load(&self->lasting_roots[i]));
    }
    uint64_t count = self->dump->heap.root_count > 0 ? self->dump->heap.root_count : object_count;
    atomic_store(&self->graph->places[self->root], MC_GRAPH_HEAD + (uint32_t)count);
}

// References that may be edges of a late root.
static uint32_t count_late(const builder *self, mc_heap_region region) {
    const mc_hprof_classes *classes = &self->dump->classes;
    uint64_t count = 0;
    for (uint32_t i = 0; i < classes->count; i++)
        if (self->dump->kinds.classes[i].region == region)
            count += classes->items[i].tally.instance_count;
    return (uint32_t)count; // objects have 32 bits
}

static void measure_late_roots(const builder *self) {
    for (uint32_t i = 0; i < MC_GRAPH_LATE_MAX; i++)
        atomic_store(&self->graph->places[self->first_late + i],
                     MC_GRAPH_HEAD + count_late(self, (mc_heap_region)(i + 1)));
}

static mc_result put_late_root(const builder *self, uint32_t index, mc_error *error) {
    const uint32_t worker_count = self->dump->crew.worker_count;
    const mc_graph_entry entry = {.kind = MC_HPROF_KIND_LATE_ROOTS + index,
                                  .edge_count = count_late(self, (mc_heap_region)(index + 1))};
    late_edges all = {NULL, 0, 0};
    mc_graph_put(self->graph, self->first_late + index, &entry);
    for (uint32_t i = 0; i < worker_count; i++)
        all.capacity += self->workers[i].late[index].count;
    all.items = mc_alloc_scattered(all.capacity + 1, sizeof *all.items);
    if (!all.items) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < worker_count; i++) {
        const late_edges *part = &self->workers[i].late[index];
        if (part->count > 0)
            memcpy(all.items + all.count, part->items, part->count * sizeof *part->items);
        all.count += part->count;
    }
    // The file may have changed since they were counted.
    if (all.count > entry.edge_count) all.count = entry.edge_count;
    mc_result result =
        mc_graph_add_late_root(self->graph, self->first_late + index, all.items, all.count, error);
    mc_free(all.items);
    return result;
}

static uint64_t get_word(_Atomic uint64_t *bits, uint32_t i) {
    return atomic_load_explicit(&bits[i], memory_order_relaxed);
}

static void put_root(const builder *self) {
    mc_graph *graph = self->graph;
    uint32_t object_count = (uint32_t)self->dump->tallies.ids.object_count, at = 0;
    bool has_roots = self->dump->heap.root_count > 0;
    mc_graph_entry entry = {.kind = MC_HPROF_KIND_ROOT,
                            .edge_count =
                                has_roots ? (uint32_t)self->dump->heap.root_count : object_count};
    uint32_t *edges = mc_graph_put(graph, self->root, &entry);
    for (int pass = 0; edges && pass < 2; pass++)
        for (uint32_t i = 0; i <= object_count >> 6; i++) {
            uint64_t lasting = get_word(self->lasting_roots, i);
            uint64_t all = has_roots ? get_word(self->roots, i) : UINT64_MAX;
            for (uint64_t left = all & (pass == 0 ? lasting : ~lasting); left; left &= left - 1) {
                uint32_t object = (i << 6) + (uint32_t)__builtin_ctzll(left);
                if (object < object_count && at < entry.edge_count)
                    edges[at++] |= mc_graph_get_place(graph, object);
            }
        }
}

// ---- all of it

static mc_result read_batch(void *user, uint32_t worker_index, size_t task) {
    const builder *self = user;
    builder_worker *worker = &self->workers[worker_index];
    const mc_hprof_batch *batch = &self->dump->batches[task];
    const mc_hprof_file *file = &self->dump->file;
    mc_hprof_walk walk = mc_hprof_walk_begin(file, batch);
    mc_hprof_item item;
    mc_hprof_kind kind;
    while (mc_hprof_walk_next(&walk, &kind, &item)) {
        if (kind == MC_HPROF_ROOT) {
            note_root(self, worker, &item);
            continue;
        }
        if (kind == MC_HPROF_INSTANCE) {
            const instance_plan *plan = get_plan(self, worker, item.class_id);
            if (!read_plain(self, worker, plan, &item)) read_item(self, worker, kind, &item);
            if (plan->is_plain && !plan->is_wasteful) continue;
        } else {
            read_item(self, worker, kind, &item);
        }
        if (self->waste && !mc_hprof_waste_add(self->waste, worker_index, kind, &item))
            worker->is_out_of_memory = true;
    }
    empty_window(self, worker);
    mc_hprof_file_end_batch(file, batch, &self->dump->crew);
    return worker->is_out_of_memory ? MC_ERROR_OUT_OF_MEMORY : MC_OK;
}

// In the file's order where that decides which of two objects with one id counts.
static mc_result walk(builder *self, mc_error *error) {
    mc_hprof_crew *crew = &self->dump->crew;
    uint32_t worker_count = crew->worker_count;
    if (self->dump->tallies.ids.repeated_count > 0) crew->worker_count = 1;
    mc_result result = mc_hprof_crew_run(crew, self->dump->batch_count, read_batch, self, error);
    crew->worker_count = worker_count;
    return result;
}

static mc_result init(builder *self, mc_error *error) {
    const mc_heap *heap = &self->dump->heap;
    mc_result result =
        mc_graph_init(self->graph, self->root + 1, heap->graph_kinds, heap->kind_count, error);
    if (result != MC_OK) return result;
    size_t words = (size_t)(self->dump->tallies.ids.object_count >> 6) + 1;
    self->roots = mc_alloc_zero_scattered(words, sizeof *self->roots);
    self->lasting_roots = mc_alloc_zero_scattered(words, sizeof *self->lasting_roots);
    self->workers = mc_alloc_zero_scattered(self->dump->crew.worker_count, sizeof *self->workers);
    return self->roots && self->lasting_roots && self->workers ? MC_OK
                                                               : mc_error_out_of_memory(error);
}

static void deinit(builder *self) {
    for (uint32_t i = 0; self->workers && i < self->dump->crew.worker_count; i++) {
        mc_free(self->workers[i].ids);
        mc_free(self->workers[i].weak.items);
        for (uint32_t k = 0; k < MC_GRAPH_LATE_MAX; k++)
            mc_free(self->workers[i].late[k].items);
        mc_hprof_root_records_deinit(&self->workers[i].roots);
    }
    mc_free(self->workers);
    mc_free((void *)self->roots);
    mc_free((void *)self->lasting_roots);
}

// Where each object's edges are to be, and what is wasted.
static mc_result measure(builder *self, mc_error *error) {
    mc_hprof_dump *dump = self->dump;
    mc_result result = MC_OK;
    if (dump->has_waste) result = mc_hprof_waste_begin(&self->waste, dump, error);
    if (result == MC_OK) result = walk(self, error);
    if (result == MC_OK && self->waste) {
        result = mc_hprof_waste_end(self->waste, &dump->wasted, error);
        atomic_fetch_add(&dump->crew.done, dump->walk_size);
    }
    mc_hprof_waste_destroy(self->waste);
    self->waste = NULL;
    return result;
}

mc_result mc_hprof_build_graph(mc_hprof_dump *dump, bool has_notes, mc_error *error) {
    mc_graph *graph = &dump->heap.graph;
    builder self = {.dump = dump, .graph = graph, .has_notes = has_notes};
    self.first_late = (uint32_t)dump->tallies.ids.object_count;
    self.root = self.first_late + MC_GRAPH_LATE_MAX;
    mc_result result = init(&self, error);
    if (result == MC_OK) result = measure(&self, error);
    if (result == MC_OK) {
        count_roots(&self);
        measure_late_roots(&self);
        result = mc_graph_place(graph, dump->crew.worker_count, error);
    }
    if (result == MC_OK) {
        self.is_putting = true;
        result = walk(&self, error);
    }
    if (result == MC_OK) result = gather_notes(&self, error);
    for (uint32_t i = 0; i < MC_GRAPH_LATE_MAX && result == MC_OK; i++)
        result = put_late_root(&self, i, error);
    if (result == MC_OK) {
        put_root(&self);
        result = mc_graph_set_root(graph, self.root, error);
    }
    deinit(&self);
    return result;
}
