#include "engine/import/hprof/hprof_objects.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_open.h"
#include "engine/import/hprof/hprof_roots.h"

typedef struct root_entry {
    uint64_t id;
    uint32_t kind;
} root_entry;

typedef struct finder_worker {
    root_entry *roots;
    size_t root_count, root_capacity;
    mc_hprof_recent recent;
    mc_hprof_hint hint;
} finder_worker;

typedef struct finder {
    mc_hprof_objects *objects;
    mc_hprof_dump *dump;
    finder_worker *workers;
    bool has_roots, has_kinds;
} finder;

void mc_hprof_objects_deinit(mc_hprof_objects *objects) {
    mc_hprof_table_deinit(&objects->roots);
    mc_free(objects->numbers);
    mc_free(objects->kinds);
    mc_free(objects->bytes_below);
    mc_free(objects->dominators);
    mc_free(objects->number_kinds);
    mc_free(objects->addresses);
    *objects = (mc_hprof_objects){.numbers = NULL};
}

// ---- by a walk over the dump

static bool note_root(finder_worker *worker, const mc_hprof_item *item, uint32_t id_size) {
    mc_root_kind kind;
    if (!mc_hprof_get_root_kind(*item->begin, &kind)) return true;
    if (!mc_reserve(&worker->roots, &worker->root_capacity, worker->root_count + 1,
                    sizeof *worker->roots))
        return false;
    worker->roots[worker->root_count++] =
        (root_entry){mc_hprof_read_id(item->begin + 1, id_size), (uint32_t)kind};
    return true;
}

// Of two objects with one id one is taken, whoever comes last.
static void note_kind(const finder *self, finder_worker *worker, mc_hprof_kind record,
                      const mc_hprof_item *item) {
    const mc_hprof_dump *dump = self->dump;
    uint32_t class, object = mc_hprof_ids_find(&dump->tallies.ids, item->id, &worker->hint);
    uint32_t kind = mc_hprof_kinds_find(&dump->kinds, &dump->classes, &dump->file, &worker->recent,
                                        record, item, &class);
    if (object != MC_NONE && kind != MC_HPROF_KIND_UNKNOWN)
        __atomic_store_n(&self->objects->kinds[object], kind, __ATOMIC_RELAXED);
}

static mc_result read_batch(void *user, uint32_t thread, size_t task) {
    const finder *self = user;
    finder_worker *worker = &self->workers[thread];
    const mc_hprof_file *file = &self->dump->file;
    const mc_hprof_batch *batch = &self->dump->batches[task];
    bool is_done = true;
    mc_hprof_walk walk = mc_hprof_walk_begin(file, batch);
    mc_hprof_item item;
    mc_hprof_kind kind;
    while (is_done && mc_hprof_walk_next(&walk, &kind, &item)) {
        if (kind == MC_HPROF_ROOT)
            is_done = !self->has_roots || note_root(worker, &item, file->id_size);
        else if (self->has_kinds)
            note_kind(self, worker, kind, &item);
    }
    mc_hprof_file_end_batch(file, batch, &self->dump->crew);
    return is_done ? MC_OK : MC_ERROR_OUT_OF_MEMORY;
}

static bool gather_roots(const finder *self) {
    bool is_done = true;
    for (uint32_t i = 0; i < self->dump->crew.worker_count; i++)
        for (size_t k = 0; k < self->workers[i].root_count && is_done; k++) {
            const root_entry *root = &self->workers[i].roots[k];
            uint64_t *kinds = mc_hprof_table_put(&self->objects->roots, root->id);
            is_done = kinds != NULL;
            if (!is_done) break;
            if (*kinds == MC_HPROF_NO_VALUE) *kinds = 0;
            *kinds |= UINT64_C(1) << root->kind;
        }
    return is_done;
}

static mc_result walk(finder *self, mc_error *error) {
    mc_hprof_dump *dump = self->dump;
    const uint32_t worker_count = dump->crew.worker_count;
    self->workers = mc_alloc_zero_scattered(worker_count, sizeof *self->workers);
    if (self->has_kinds)
        self->objects->kinds = mc_alloc_zero_scattered((size_t)dump->tallies.ids.object_count + 1,
                                                       sizeof *self->objects->kinds);
    if (!self->workers || (self->has_kinds && !self->objects->kinds))
        return mc_error_out_of_memory(error);
    mc_result result = mc_hprof_crew_run(&dump->crew, dump->batch_count, read_batch, self, error);
    if (result == MC_OK && !gather_roots(self)) result = mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < worker_count; i++)
        mc_free(self->workers[i].roots);
    return result;
}

// ---- by the graph

static void read_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const finder *self = user;
    const mc_hprof_dump *dump = self->dump;
    const mc_graph *graph = &dump->heap.graph;
    mc_hprof_objects *objects = self->objects;
    uint32_t object = mc_graph_get_first_vertex(graph, begin), hint = 0;
    (void)thread;
    for (uint32_t at = begin; at < end; at = mc_graph_skip(graph, at), object++) {
        uint32_t number = mc_graph_get_number(graph, at);
        objects->numbers[object] = number;
        if (objects->number_kinds) objects->number_kinds[number] = mc_graph_get_kind(graph, at);
        if (objects->addresses)
            objects->addresses[number] = object < dump->tallies.ids.object_count
                                             ? mc_hprof_ids_get(&dump->tallies.ids, object, &hint)
                                             : 0; // the root
    }
}

static bool make_columns(mc_hprof_objects *objects, const mc_hprof_dump *dump,
                         const mc_hprof_columns *columns) {
    const size_t count = (size_t)dump->heap.tree.count + 1;
    bool has_bytes = mc_hprof_columns_has(columns, MC_HPROF_COLUMN_RETAINED);
    bool has_address = mc_hprof_columns_has(columns, MC_HPROF_COLUMN_DOMINATOR);
    bool has_class = mc_hprof_columns_has(columns, MC_HPROF_COLUMN_DOMINATOR_CLASS);
    objects->numbers = mc_alloc_scattered(count, sizeof *objects->numbers);
    if (has_bytes) objects->bytes_below = mc_alloc_scattered(count, sizeof *objects->bytes_below);
    if (has_address) objects->addresses = mc_alloc_scattered(count, sizeof *objects->addresses);
    if (has_class) objects->number_kinds = mc_alloc_scattered(count, sizeof *objects->number_kinds);
    if (has_address || has_class)
        objects->dominators = mc_dominator_tree_list_parents(&dump->heap.tree);
    return objects->numbers && (!has_bytes || objects->bytes_below) &&
           (!has_address || objects->addresses) && (!has_class || objects->number_kinds) &&
           (!(has_address || has_class) || objects->dominators);
}

static void sum_bytes(mc_hprof_objects *objects, const mc_hprof_dump *dump) {
    uint64_t sum = 0;
    if (!objects->bytes_below) return;
    for (uint32_t i = 0; i < dump->heap.tree.count; i++) {
        objects->bytes_below[i] = sum;
        sum += mc_vertex_sizes_get(&dump->heap.sizes, i);
    }
    objects->bytes_below[dump->heap.tree.count] = sum;
}

static mc_result link_heap(finder *self, const mc_hprof_columns *columns, mc_error *error) {
    mc_hprof_dump *dump = self->dump;
    dump->keeps_ids = true;
    dump->keeps_leaves = mc_grouping_has(&dump->grouping, MC_GROUP_STRUCTURE);
    dump->has_notes = false; // references are counted by nobody
    mc_result result = mc_hprof_dump_link(dump, error);
    if (result != MC_OK) return result;
    mc_free(dump->heap.group_of);
    dump->heap.group_of = NULL;
    if (!make_columns(self->objects, dump, columns)) return mc_error_out_of_memory(error);
    mc_graph_scan(&dump->heap.graph, dump->crew.worker_count, read_range, self);
    mc_graph_deinit(&dump->heap.graph);
    mc_hprof_root_records_deinit(&dump->roots);
    sum_bytes(self->objects, dump);
    mc_vertex_sizes_deinit(&dump->heap.sizes);
    return MC_OK;
}

mc_result mc_hprof_objects_find(mc_hprof_objects *objects, mc_hprof_dump *dump,
                                const mc_hprof_columns *columns, mc_error *error) {
    mc_grouping grouping;
    mc_heap_desc desc = {.grouping = NULL};
    finder self = {.objects = objects,
                   .dump = dump,
                   .has_roots = mc_hprof_columns_has(columns, MC_HPROF_COLUMN_ROOT)};
    *objects = (mc_hprof_objects){.numbers = NULL};
    mc_hprof_columns_get_desc(columns, &grouping, &desc);
    for (uint32_t i = 0; i < columns->count; i++)
        if (columns->items[i].end == 1 && mc_hprof_column_is_of_class(&columns->items[i]))
            self.has_kinds = true;
    mc_result result = MC_OK;
    if (self.has_roots || self.has_kinds) {
        dump->crew.total += dump->walk_size;
        result = walk(&self, error);
        mc_free(self.workers);
    }
    return result == MC_OK && desc.has_graph ? link_heap(&self, columns, error) : result;
}
