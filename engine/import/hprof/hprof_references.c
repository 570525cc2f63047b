#include "engine/import/hprof/hprof_references.h"

#include "engine/base/memory.h"

#define WINDOW 128 // references whose memory is fetched at a time

// An object a word: its leaf and the first ones that were seen to reference it, as many as there is
// room for, each plus 1, so that zeroed memory means none.
typedef struct object_leaves {
    _Atomic uint64_t *words;
    uint32_t width, end; // in bits: of a leaf, and of all of them
} object_leaves;

typedef struct window_entry {
    mc_hprof_search search;
    uint32_t object;
    uint32_t leaf, source; // who references: leaf, and a number of the object
    uint32_t link;         // by what
    uint32_t target;       // the object's leaf
    uint32_t place;        // mc_heap_hash_link()
} window_entry;

typedef struct follower {
    mc_heap_reference_counter counter;
    mc_hprof_root_notes roots;
    uint32_t source; // number of the object that is being read
    uint32_t leaf;   // its leaf
    mc_hprof_hint line_hint, class_hint, root_hint;
    mc_hprof_recent recent;
    uint32_t class; // its class, but of a class object
    window_entry window[WINDOW];
    uint32_t window_count;
} follower;

typedef struct finder {
    mc_hprof_dump *dump;
    const mc_hprof_file *file;
    const mc_hprof_classes *classes;
    const mc_hprof_class_kinds *kinds; // by class
    const mc_hprof_ids *ids;
    object_leaves objects;
    mc_heap_seen seen;
    follower *workers;
} finder;

static uint32_t get_first_link(const finder *self, uint32_t kind) {
    return self->dump->heap.kinds[kind].first_link;
}

static inline uint32_t find_class_leaf(const finder *self, follower *worker, mc_hprof_kind kind,
                                       const mc_hprof_item *item) {
    switch (kind) {
    case MC_HPROF_CLASS: return self->classes->class_leaf;
    case MC_HPROF_PRIMITIVES: return self->classes->primitive_leaves[item->type];
    default:
        worker->class = mc_hprof_classes_find_again(self->classes, &worker->recent, item->class_id);
        return worker->class == MC_NONE ? MC_NONE : self->classes->items[worker->class].leaf;
    }
}

static inline uint32_t find_leaf(const finder *self, follower *worker, mc_hprof_kind kind,
                                 const mc_hprof_item *item) {
    const uint32_t *of = self->dump->heap.leaves.of;
    uint32_t leaf = find_class_leaf(self, worker, kind, item);
    if (!of || leaf == MC_NONE) return leaf;
    uint32_t object = mc_hprof_ids_find(self->ids, item->id, &worker->line_hint);
    return object == MC_NONE ? MC_NONE : of[object];
}

// ---- objects to leaves

static bool init_objects(object_leaves *objects, uint64_t count, const mc_heap_leaves *leaves) {
    objects->width = mc_heap_measure_leaf(leaves->count);
    objects->end = 64 / objects->width * objects->width;
    objects->words = mc_alloc_zero_scattered((size_t)count + 1, sizeof *objects->words);
    if (!objects->words) return false;
    for (uint64_t i = 0; leaves->of && i < count; i++)
        atomic_store_explicit(&objects->words[i], leaves->of[i] + UINT64_C(1),
                              memory_order_relaxed);
    return true;
}

static uint64_t get_mask(const object_leaves *objects) {
    return (UINT64_C(1) << objects->width) - 1;
}

// An id that is there twice belongs to the lower leaf, whoever comes first. `is_only`: none is.
static void set_leaf(object_leaves *objects, uint32_t object, uint32_t leaf, bool is_only) {
    _Atomic uint64_t *at = &objects->words[object];
    uint64_t known = 0, value = leaf + UINT64_C(1);
    if (is_only) {
        atomic_store_explicit(at, value, memory_order_relaxed);
        return;
    }
    while (!atomic_compare_exchange_weak_explicit(at, &known, value, memory_order_relaxed,
                                                  memory_order_relaxed) &&
           (known == 0 || known > value))
        continue;
}

static uint32_t get_leaf(const object_leaves *objects, uint32_t object) {
    uint64_t word = atomic_load_explicit(&objects->words[object], memory_order_relaxed);
    return (uint32_t)(word & get_mask(objects)) - 1;
}

// Notes in the object's word that `leaf` references it. False: there is no room.
static bool set_source(object_leaves *objects, uint32_t object, uint32_t leaf, bool *is_new) {
    _Atomic uint64_t *at = &objects->words[object];
    uint64_t word = atomic_load_explicit(at, memory_order_relaxed), wanted;
    *is_new = false;
    if (mc_heap_is_first_referrer(word, objects->width, objects->end, objects->width, leaf))
        return true;
    do {
        uint32_t shift =
            mc_heap_find_referrer(word, objects->width, objects->end, objects->width, leaf, is_new);
        if (shift == objects->end || !*is_new) return shift < objects->end;
        wanted = word | (leaf + UINT64_C(1)) << shift;
    } while (!atomic_compare_exchange_weak_explicit(at, &word, wanted, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

static mc_result place_batch(void *user, uint32_t worker_index, size_t task) {
    finder *self = user;
    follower *worker = &self->workers[worker_index];
    const mc_hprof_batch *batch = &self->dump->batches[task];
    const bool is_only = self->ids->repeated_count == 0;
    mc_hprof_walk walk = mc_hprof_walk_begin(self->file, batch);
    mc_hprof_item item;
    mc_hprof_kind kind;
    while (mc_hprof_walk_next(&walk, &kind, &item)) {
        if (kind == MC_HPROF_ROOT) continue;
        uint32_t leaf = find_class_leaf(self, worker, kind, &item);
        uint32_t object = mc_hprof_ids_find(self->ids, item.id, &worker->line_hint);
        if (leaf != MC_NONE && object != MC_NONE) set_leaf(&self->objects, object, leaf, is_only);
    }
    mc_hprof_file_end_batch(self->file, batch, &self->dump->crew);
    return MC_OK;
}

// ---- references

static mc_result count_reference(finder *self, follower *worker, const window_entry *entry) {
    mc_heap_reference reference = {
        .leaf = entry->leaf, .source = entry->source, .link = entry->link, .target = entry->target};
    bool is_new = false;
    if (reference.target == MC_NONE) return MC_OK; // a class that nothing is known of
    if (!set_source(&self->objects, entry->object, entry->leaf, &is_new) &&
        !mc_heap_note_referrer(&worker->counter, &self->seen, entry->object, entry->leaf, &is_new))
        return MC_ERROR_OUT_OF_MEMORY;
    return mc_heap_count_reference(&worker->counter, entry->place, &reference, is_new)
               ? MC_OK
               : MC_ERROR_OUT_OF_MEMORY;
}

// Each step of the search needs memory that the one before names. All entries take a step before
// the next one, so that their cache misses overlap.
static mc_result empty_window(finder *self, follower *worker) {
    const mc_hprof_ids *ids = self->ids;
    mc_result result = MC_OK;
    window_entry *end = worker->window + worker->window_count;
    for (window_entry *entry = worker->window; entry < end; entry++)
        mc_hprof_ids_go_on(ids, &entry->search);
    for (window_entry *entry = worker->window; entry < end; entry++) {
        entry->object = mc_hprof_ids_end(ids, &entry->search);
        if (entry->object != MC_NONE)
            __builtin_prefetch((const void *)&self->objects.words[entry->object], 1);
    }
    for (window_entry *entry = worker->window; entry < end; entry++) {
        if (entry->object == MC_NONE) continue;
        entry->target = get_leaf(&self->objects, entry->object);
        entry->place = mc_heap_hash_link(entry->leaf, entry->link, entry->target);
        __builtin_prefetch(&worker->counter.links[entry->place], 1);
    }
    for (window_entry *entry = worker->window; entry < end && result == MC_OK; entry++) {
        if (entry->object == MC_NONE)
            worker->counter.found.report.dangling_count++;
        else
            result = count_reference(self, worker, entry);
    }
    worker->window_count = 0;
    return result;
}

static inline mc_result add_reference(finder *self, follower *worker, uint64_t id, uint32_t link) {
    const mc_hprof_ids *ids = self->ids;
    uint64_t place = id >> ids->shift;
    if (id == 0) return MC_OK;
    if (id != place << ids->shift) {
        worker->counter.found.report.dangling_count++;
        return MC_OK;
    }
    worker->window[worker->window_count++] =
        (window_entry){.search = mc_hprof_ids_begin(ids, place),
                       .leaf = worker->leaf,
                       .source = worker->source,
                       .link = link};
    return worker->window_count == WINDOW ? empty_window(self, worker) : MC_OK;
}

typedef struct class_visit {
    finder *self;
    follower *worker;
    uint32_t first_link;
    mc_result result;
} class_visit;

static bool add_slot(void *user, uint32_t slot, uint64_t id) {
    class_visit *visit = user;
    visit->result = add_reference(visit->self, visit->worker, id, visit->first_link + slot);
    return visit->result == MC_OK;
}

static mc_result add_class_object(finder *self, follower *worker, const mc_hprof_item *item) {
    mc_hprof_class_record record;
    uint64_t offset = (uint64_t)(item->begin - self->file->data);
    (void)mc_hprof_parse_class(item->begin + 1, self->file->data + self->file->size,
                               self->file->id_size, &record);
    // A class that is described twice is one object.
    uint32_t class = mc_hprof_classes_find(self->classes, record.id);
    if (class == MC_NONE || self->classes->items[class].record != offset) return MC_OK;
    class_visit visit = {.self = self,
                         .worker = worker,
                         .first_link = get_first_link(self, self->kinds[class].object),
                         .result = MC_OK};
    mc_hprof_visit_class_slots(self->file, &record, add_slot, &visit);
    return visit.result;
}

// An object that keeps its class: a field as any to those who ask for fields, and no reference in a
// pointer map.
static bool count_class(finder *self, follower *worker, const mc_hprof_class *class) {
    uint32_t object = mc_hprof_ids_find(self->ids, class->id, &worker->class_hint);
    uint32_t leaf = object == MC_NONE ? MC_NONE : get_leaf(&self->objects, object);
    uint32_t link =
        get_first_link(self, self->kinds[worker->class].instance) + class->reference_count;
    return leaf == MC_NONE || mc_heap_count_link(&worker->counter, worker->leaf, link, leaf);
}

static mc_result add_instance(finder *self, follower *worker, const mc_hprof_item *item) {
    const uint32_t id_size = self->file->id_size;
    const mc_hprof_class *class = &self->classes->items[worker->class];
    mc_result result = MC_OK;
    if (class->is_kept && !count_class(self, worker, class)) return MC_ERROR_OUT_OF_MEMORY;
    if (class->reference_count == 0) return MC_OK;
    const uint32_t *offsets = self->classes->references + class->reference_begin;
    const uint32_t link = get_first_link(self, self->kinds[worker->class].instance);
    for (uint32_t i = 0; i < class->reference_count && result == MC_OK; i++) {
        if ((uint64_t)offsets[i] + id_size > item->data_size) break;
        result = add_reference(self, worker, mc_hprof_read_id(item->data + offsets[i], id_size),
                               link + i);
    }
    return result;
}

static mc_result add_elements(finder *self, follower *worker, const mc_hprof_item *item) {
    const uint32_t id_size = self->file->id_size;
    const uint32_t link = get_first_link(self, self->kinds[worker->class].array);
    mc_result result = MC_OK;
    for (uint64_t i = 0; i < item->data_size && result == MC_OK; i += id_size)
        result = add_reference(self, worker, mc_hprof_read_id(item->data + i, id_size), link);
    return result;
}

static mc_result add_item(finder *self, follower *worker, mc_hprof_kind kind,
                          const mc_hprof_item *item) {
    worker->leaf = find_leaf(self, worker, kind, item);
    if (worker->leaf == MC_NONE) return MC_OK;
    if (++worker->source == 0) { // numbers are used up
        mc_result result = empty_window(self, worker);
        if (result != MC_OK) return result;
        memset(worker->counter.last_source, 0,
               self->dump->heap.leaves.count * sizeof *worker->counter.last_source);
        worker->source = 1;
    }
    switch (kind) {
    case MC_HPROF_CLASS: return add_class_object(self, worker, item);
    case MC_HPROF_INSTANCE: return add_instance(self, worker, item);
    case MC_HPROF_OBJECTS: return add_elements(self, worker, item);
    default: return MC_OK;
    }
}

static mc_result add_root(const finder *self, follower *worker, const mc_hprof_item *item) {
    const uint32_t id_size = self->file->id_size;
    if (*item->begin == 0xfe) return MC_OK; // names a heap
    uint32_t object = mc_hprof_ids_find(self->ids, mc_hprof_read_id(item->begin + 1, id_size),
                                        &worker->root_hint);
    uint32_t leaf = object == MC_NONE ? MC_NONE : get_leaf(&self->objects, object);
    if (leaf == MC_NONE) return MC_OK;
    return mc_hprof_root_notes_add(&worker->roots, item->begin, id_size, leaf)
               ? MC_OK
               : MC_ERROR_OUT_OF_MEMORY;
}

static mc_result follow_batch(void *user, uint32_t worker_index, size_t task) {
    finder *self = user;
    follower *worker = &self->workers[worker_index];
    const mc_hprof_batch *batch = &self->dump->batches[task];
    mc_result result = MC_OK;
    mc_hprof_walk walk = mc_hprof_walk_begin(self->file, batch);
    mc_hprof_item item;
    mc_hprof_kind kind;
    while (result == MC_OK && mc_hprof_walk_next(&walk, &kind, &item)) {
        if (kind == MC_HPROF_ROOT)
            result = add_root(self, worker, &item);
        else if (kind != MC_HPROF_PRIMITIVES)
            result = add_item(self, worker, kind, &item);
    }
    if (result == MC_OK) result = empty_window(self, worker);
    mc_hprof_file_end_batch(self->file, batch, &self->dump->crew);
    return result;
}

// ---- all of it

static bool init(finder *self) {
    const mc_heap_leaves *leaves = &self->dump->heap.leaves;
    const uint32_t worker_count = self->dump->crew.worker_count;
    bool is_done = mc_heap_seen_init(&self->seen) &&
                   init_objects(&self->objects, self->ids->object_count, leaves);
    self->workers = mc_alloc_zero_scattered(worker_count, sizeof *self->workers);
    for (uint32_t i = 0; self->workers && i < worker_count; i++)
        is_done =
            mc_heap_reference_counter_init(&self->workers[i].counter, leaves->count) && is_done;
    return is_done && self->workers;
}

static void deinit(finder *self) {
    for (uint32_t i = 0; self->workers && i < self->dump->crew.worker_count; i++) {
        mc_heap_reference_counter_deinit(&self->workers[i].counter);
        mc_hprof_root_notes_deinit(&self->workers[i].roots);
    }
    mc_free(self->workers);
    mc_free((void *)self->objects.words);
    mc_heap_seen_deinit(&self->seen);
}

mc_result mc_hprof_find_references(mc_hprof_dump *dump, mc_heap_references *references,
                                   mc_hprof_root_notes *roots, mc_error *error) {
    finder self = {.dump = dump,
                   .file = &dump->file,
                   .classes = &dump->classes,
                   .kinds = dump->kinds.classes,
                   .ids = &dump->tallies.ids};
    mc_hprof_crew *crew = &dump->crew;
    mc_result result = init(&self) ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK && !dump->heap.leaves.of)
        result = mc_hprof_crew_run(crew, dump->batch_count, place_batch, &self, error);
    if (result == MC_OK)
        result = mc_hprof_crew_run(crew, dump->batch_count, follow_batch, &self, error);
    for (uint32_t i = 0; i < crew->worker_count && result == MC_OK; i++)
        if (!mc_heap_reference_counter_end(&self.workers[i].counter, references) ||
            !mc_hprof_root_notes_merge(roots, &self.workers[i].roots))
            result = mc_error_out_of_memory(error);
    if (result == MC_OK && !mc_heap_references_sort(references))
        result = mc_error_out_of_memory(error);
    deinit(&self);
    return result;
}
