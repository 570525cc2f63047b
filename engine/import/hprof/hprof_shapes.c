#include "engine/import/hprof/hprof_shapes.h"

#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_texts.h"
#include <stdlib.h>

#define RECENT 1024u // a power of two

typedef struct shape {
    uint64_t bytes, length; // MC_HPROF_NO_VALUE: it is no array, or nobody asks
    uint32_t kind;
    uint64_t object_count;
} shape;

typedef struct shape_worker {
    shape *items;
    size_t count, capacity;
    mc_slots slots;
    uint64_t seed;
    uint32_t recent[RECENT]; // what came lately, by hash; MC_NONE: nothing
    mc_hprof_recent classes;
} shape_worker;

typedef struct shape_reader {
    mc_hprof_dump *dump;
    bool has_bytes, has_length;
    shape_worker *workers;
    atomic_bool is_too_many;
} shape_reader;

void mc_hprof_shapes_deinit(mc_hprof_shapes *shapes) {
    mc_free(shapes->words);
    *shapes = (mc_hprof_shapes){.words = NULL};
}

bool mc_hprof_shapes_can(const mc_hprof_columns *columns) {
    for (uint32_t i = 0; i < columns->count; i++)
        if (!mc_hprof_column_is_of_class(&columns->items[i]) &&
            columns->items[i].kind != MC_HPROF_COLUMN_BYTES &&
            columns->items[i].kind != MC_HPROF_COLUMN_LENGTH)
            return false;
    return !columns->is_references;
}

// ---- a worker's

static bool is_alike(const shape *a, const shape *b) {
    return a->kind == b->kind && a->bytes == b->bytes && a->length == b->length;
}

// Seeded, so that an input can't be crafted to collide.
static uint32_t hash_shape(const shape *key, uint64_t seed) {
    uint64_t hash = mc_hash_u64(key->bytes ^ mc_hash_u64(key->length, seed), seed ^ key->kind);
    return (uint32_t)(hash >> 32 ^ hash);
}

// The entry; NULL: out of memory.
static shape *find(shape_worker *self, const shape *key) {
    const uint32_t hash = hash_shape(key, self->seed);
    uint32_t *recent = &self->recent[hash & (RECENT - 1)];
    if (*recent != MC_NONE && is_alike(&self->items[*recent], key)) return &self->items[*recent];
    for (uint32_t at = hash, found; (found = mc_slots_find(&self->slots, hash, &at)) != MC_NONE;)
        if (is_alike(&self->items[found], key)) {
            *recent = found;
            return &self->items[found];
        }
    if (!mc_reserve(&self->items, &self->capacity, self->count + 1, sizeof *self->items) ||
        !mc_slots_add(&self->slots, hash, (uint32_t)self->count))
        return NULL;
    self->items[self->count] = *key;
    self->items[self->count].object_count = 0;
    *recent = (uint32_t)self->count;
    return &self->items[self->count++];
}

static bool add(shape_worker *self, const shape *key) {
    shape *found = find(self, key);
    if (!found) return false;
    found->object_count += key->object_count;
    return true;
}

static mc_result read_batch(void *user, uint32_t thread, size_t task) {
    shape_reader *self = user;
    const mc_hprof_dump *dump = self->dump;
    const mc_hprof_batch *batch = &dump->batches[task];
    shape_worker *worker = &self->workers[thread];
    mc_hprof_walk walk = mc_hprof_walk_begin(&dump->file, batch);
    mc_hprof_item item;
    mc_hprof_kind record;
    while (mc_hprof_walk_next(&walk, &record, &item)) {
        if (record == MC_HPROF_ROOT) continue;
        bool is_array = record == MC_HPROF_OBJECTS || record == MC_HPROF_PRIMITIVES;
        shape key = {.length = self->has_length && is_array ? item.count : MC_HPROF_NO_VALUE,
                     .object_count = 1};
        uint32_t class;
        key.kind = mc_hprof_kinds_find(&dump->kinds, &dump->classes, &dump->file, &worker->classes,
                                       record, &item, &class);
        if (key.kind == MC_HPROF_KIND_UNKNOWN) continue;
        if (self->has_bytes)
            key.bytes = mc_hprof_classes_measure(&dump->classes, record, class, &item);
        if (!add(worker, &key)) return MC_ERROR_OUT_OF_MEMORY;
    }
    if (worker->count > MC_HPROF_SHAPES_MOST) {
        atomic_store(&self->is_too_many, true);
        atomic_store(&self->dump->crew.should_stop, true);
    }
    mc_hprof_file_end_batch(&dump->file, batch, &self->dump->crew);
    return MC_OK;
}

// ---- all of them

// So that they come in the same order each time.
static int compare_shapes(const void *a, const void *b) {
    const shape *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? -1 : 1;
    return x->length < y->length ? -1 : x->length > y->length;
}

static bool tell_column(const shape_reader *self, const mc_hprof_column *column, size_t at,
                        size_t width, mc_hprof_shapes *shapes) {
    const shape_worker *all = &self->workers[0];
    uint32_t *of_kinds = NULL;
    bool is_done = true;
    if (mc_hprof_column_is_of_class(column)) {
        of_kinds = mc_alloc_scattered((size_t)self->dump->heap.kind_count + 1, sizeof *of_kinds);
        is_done =
            of_kinds && mc_hprof_texts_intern_kinds(self->dump, column, shapes->strings, of_kinds);
    }
    for (size_t i = 0; i < all->count && is_done; i++) {
        const shape *item = &all->items[i];
        uint64_t number = column->kind == MC_HPROF_COLUMN_BYTES ? item->bytes : item->length;
        shapes->words[i * width + at] = of_kinds ? of_kinds[item->kind] : number;
    }
    mc_free(of_kinds);
    return is_done;
}

static bool join(shape_reader *self, const mc_hprof_columns *columns, mc_hprof_shapes *shapes) {
    shape_worker *all = &self->workers[0];
    const size_t width = (size_t)columns->count + 1;
    bool is_done = true;
    for (uint32_t i = 1; i < self->dump->crew.worker_count; i++)
        for (size_t k = 0; k < self->workers[i].count && is_done; k++)
            is_done = add(all, &self->workers[i].items[k]);
    if (!is_done) return false;
    if (all->count > 1) qsort(all->items, all->count, sizeof *all->items, compare_shapes);
    shapes->words = mc_alloc_scattered(all->count + 1, width * sizeof *shapes->words);
    if (!shapes->words) return false;
    shapes->count = all->count;
    for (uint32_t i = 0; i < columns->count && is_done; i++)
        is_done = tell_column(self, &columns->items[i], i, width, shapes);
    for (size_t i = 0; i < all->count; i++)
        shapes->words[i * width + width - 1] = all->items[i].object_count;
    return is_done;
}

mc_result mc_hprof_shapes_read(mc_hprof_dump *dump, const mc_hprof_columns *columns,
                               mc_hprof_shapes *shapes, mc_error *error) {
    shape_reader self = {.dump = dump,
                         .has_bytes = mc_hprof_columns_has(columns, MC_HPROF_COLUMN_BYTES),
                         .has_length = mc_hprof_columns_has(columns, MC_HPROF_COLUMN_LENGTH)};
    const uint32_t worker_count = dump->crew.worker_count;
    self.workers = mc_alloc_zero_scattered(worker_count, sizeof *self.workers);
    if (!self.workers) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < worker_count; i++)
        self.workers[i].seed = mc_clock_now_ns() ^ (uint64_t)(uintptr_t)self.workers;
    for (uint32_t i = 0; i < worker_count; i++)
        memset(self.workers[i].recent, 0xff, sizeof self.workers[i].recent); // MC_NONE
    dump->crew.total += dump->walk_size;
    mc_result result = mc_hprof_crew_run(&dump->crew, dump->batch_count, read_batch, &self, error);
    shapes->is_too_many = atomic_load(&self.is_too_many);
    if (result == MC_OK && !shapes->is_too_many && !join(&self, columns, shapes))
        result = mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < worker_count; i++) {
        mc_free(self.workers[i].items);
        mc_slots_deinit(&self.workers[i].slots);
    }
    mc_free(self.workers);
    return result;
}
