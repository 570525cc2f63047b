#include "engine/import/hprof/hprof_count.h"

#include "engine/base/memory.h"
#include <stdlib.h>

#define SAMPLES_PER_BATCH 64 // arrays that the models are tried on
#define SHIFT_GUESS 3

typedef struct counter {
    mc_hprof_file *file;
    const mc_hprof_batch *batches;
    size_t batch_count;
    mc_hprof_crew *crew;
    bool has_ids;
    uint64_t stack_class;
    uint32_t shift;
    atomic_bool is_shift_wrong;
    mc_hprof_tallies *workers; // one a worker
    mc_hprof_span *spans;
} counter;

// The object before the current one, as far as it matters.
typedef struct predecessor {
    uint64_t id;
    uint32_t tally; // MC_NONE: no instance
    uint32_t width; // of an array's elements; 0: no array
    uint64_t count;
} predecessor;

void mc_hprof_tallies_deinit(mc_hprof_tallies *tallies) {
    mc_free(tallies->items);
    mc_free(tallies->arrays);
    mc_free(tallies->class_records);
    mc_free(tallies->spans);
    mc_hprof_table_deinit(&tallies->by_class);
    mc_hprof_ids_deinit(&tallies->ids);
    memset(tallies, 0, sizeof *tallies);
}

// The class's entry, MC_NONE if memory is out.
static uint32_t find_tally(mc_hprof_tallies *self, uint64_t class_id) {
    uint64_t *value = mc_hprof_table_put(&self->by_class, class_id);
    if (!value) return MC_NONE;
    if (*value != MC_HPROF_NO_VALUE) return (uint32_t)*value;
    if (!mc_reserve(&self->items, &self->capacity, self->count + 1, sizeof *self->items)) {
        *value = 0; // the caller gives up
        return MC_NONE;
    }
    self->items[self->count] =
        (mc_hprof_tally){.class_id = class_id, .least_distance = UINT64_MAX, .array = MC_NONE};
    *value = self->count;
    return (uint32_t)self->count++;
}

static mc_hprof_array_count *find_arrays(mc_hprof_tallies *self, uint32_t tally) {
    uint32_t *array = &self->items[tally].array;
    if (*array == MC_NONE) {
        if (!mc_reserve(&self->arrays, &self->array_capacity, self->array_count + 1,
                        sizeof *self->arrays))
            return NULL;
        self->arrays[self->array_count] = (mc_hprof_array_count){.count = 0};
        *array = (uint32_t)self->array_count++;
    }
    return &self->arrays[*array];
}

static void count_array(mc_hprof_array_count *arrays, uint32_t element_count) {
    arrays->count++;
    arrays->elements += element_count;
    arrays->by_remainder[element_count % MC_HPROF_REMAINDERS]++;
}

uint64_t mc_hprof_measure_arrays(const mc_hprof_array_count *arrays, uint32_t head, uint32_t width,
                                 uint32_t alignment) {
    uint64_t size = width * arrays->elements;
    for (uint32_t i = 0; i < MC_HPROF_REMAINDERS; i++)
        size += arrays->by_remainder[i] *
                (mc_hprof_align(head + (uint64_t)width * i, alignment) - (uint64_t)width * i);
    return size;
}

// ---- one batch

// Which models explain that the object after an array is `distance` away from it?
static void try_models(mc_hprof_tallies *self, const predecessor *before, uint64_t distance) {
    for (uint32_t i = 0; i < self->model_count; i++) {
        const mc_hprof_model *model = &self->models[i];
        uint32_t width = before->width == MC_NONE ? model->reference_size : before->width;
        uint64_t size = mc_hprof_measure_array(model, width, before->count, 8);
        self->fitting[i] += size == distance;
        self->overlapping[i] += size > distance;
    }
}

typedef struct count_walk {
    mc_hprof_tallies *self;
    predecessor before;
    mc_hprof_recent recent; // tallies
    uint64_t part;          // mc_hprof_get_part()
    uint32_t tally, samples;
    mc_hprof_span span;
} count_walk;

static inline void note_distance(count_walk *walk, uint64_t id) {
    const predecessor *before = &walk->before;
    uint64_t distance = id - before->id; // huge if it comes before
    if (before->tally != MC_NONE) {
        mc_hprof_tally *tally = &walk->self->items[before->tally];
        if (distance < tally->least_distance) tally->least_distance = distance;
    } else if (before->width > 0 && walk->samples > 0 && distance < UINT32_MAX) {
        walk->samples--;
        try_models(walk->self, before, distance);
    }
}

static inline bool change_class(count_walk *walk, uint64_t class_id) {
    uint32_t *tally;
    if (!mc_hprof_recent_get(&walk->recent, class_id, &tally))
        *tally = find_tally(walk->self, class_id);
    walk->tally = *tally;
    return walk->tally != MC_NONE;
}

static void count_stack(mc_hprof_tallies *self, const mc_hprof_item *item) {
    for (uint32_t i = 0; i < MC_HPROF_STACK_INTS && (i + 1) * 4 <= item->data_size; i++) {
        uint32_t words = mc_hprof_read_u4(item->data + (size_t)i * 4);
        count_array(&self->stacks[i][0], mc_hprof_count_stack_words(words, true));
        count_array(&self->stacks[i][1], mc_hprof_count_stack_words(words, false));
    }
}

static bool count_item(count_walk *walk, mc_hprof_kind kind, const mc_hprof_item *item,
                       const unsigned char *data) {
    mc_hprof_tallies *self = walk->self;
    predecessor after = {.id = item->id, .tally = MC_NONE};
    if (kind == MC_HPROF_INSTANCE) {
        if (!change_class(walk, item->class_id)) return false;
        mc_hprof_tally *tally = &self->items[walk->tally];
        tally->instance_count++;
        tally->parts |= walk->part;
        tally->field_size += item->data_size;
        if (item->data_size > tally->most_size) tally->most_size = item->data_size;
        if (item->class_id == self->stack_class && self->stack_class != 0) count_stack(self, item);
        after.tally = walk->tally;
    } else if (kind == MC_HPROF_OBJECTS) {
        if (!change_class(walk, item->class_id)) return false;
        mc_hprof_array_count *arrays = find_arrays(self, walk->tally);
        if (!arrays) return false;
        count_array(arrays, item->count);
        after.width = MC_NONE; // as wide as a reference
        after.count = item->count;
    } else if (kind == MC_HPROF_PRIMITIVES) {
        count_array(&self->primitives[item->type], item->count);
        after.width = mc_hprof_measure_type(item->type, 0);
        after.count = item->count;
    } else {
        if (!mc_reserve(&self->class_records, &self->record_capacity, self->record_count + 1,
                        sizeof *self->class_records))
            return false;
        self->class_records[self->record_count++] = (uint64_t)(item->begin - data);
    }
    note_distance(walk, item->id);
    walk->before = after;
    self->object_count++;
    walk->span.object_count++;
    self->all_ids |= item->id;
    if (item->id < walk->span.first) walk->span.first = item->id;
    if (item->id > walk->span.last) walk->span.last = item->id;
    return true;
}

static mc_result count_range(counter *self, mc_hprof_range *range, count_walk *walk) {
    const unsigned char *data = self->file->data;
    mc_hprof_cursor cursor = {data + range->begin, data + range->end, self->file->id_size};
    mc_hprof_tallies *tallies = walk->self;
    mc_hprof_item item;
    for (;;) {
        mc_hprof_kind kind = mc_hprof_next(&cursor, &item);
        if (kind == MC_HPROF_END) return MC_OK;
        if (kind == MC_HPROF_ROOT) continue;
        if (kind == MC_HPROF_CUT || kind == MC_HPROF_BAD) {
            uint64_t at = (uint64_t)(cursor.at - data);
            mc_hprof_damage damage = {.kind = kind == MC_HPROF_CUT ? MC_HPROF_DAMAGE_CUT
                                                                   : MC_HPROF_DAMAGE_TAG,
                                      .offset = at,
                                      .lost_size = range->end - at,
                                      .count = 1};
            mc_hprof_damage_add(&tallies->damage, &damage);
            range->end = at;
            return MC_OK;
        }
        if (!count_item(walk, kind, &item, data) ||
            (self->has_ids && !mc_hprof_ids_add(&tallies->ids, item.id)))
            return MC_ERROR_OUT_OF_MEMORY;
    }
}

static mc_result count_batch(void *user, uint32_t worker, size_t task) {
    counter *self = user;
    const mc_hprof_batch *batch = &self->batches[task];
    mc_hprof_tallies *tallies = &self->workers[worker];
    count_walk walk = {.self = tallies,
                       .before = {.tally = MC_NONE},
                       .part = mc_hprof_get_part(task, self->batch_count),
                       .tally = MC_NONE,
                       .samples = SAMPLES_PER_BATCH,
                       .span = {.first = UINT64_MAX}};
    mc_result result = MC_OK;
    if (atomic_load(&self->is_shift_wrong)) return MC_OK; // it will be done again
    for (size_t i = 0; i < batch->range_count && result == MC_OK; i++)
        result = count_range(self, &self->file->ranges[batch->first_range + i], &walk);
    self->spans[task] = walk.span;
    if (self->has_ids && (tallies->ids.all & ((UINT64_C(1) << self->shift) - 1)) != 0)
        atomic_store(&self->is_shift_wrong, true);
    mc_hprof_file_end_batch(self->file, batch, self->crew);
    return result;
}

// ---- all of them

static void add_arrays(mc_hprof_array_count *sum, const mc_hprof_array_count *arrays) {
    sum->count += arrays->count;
    sum->elements += arrays->elements;
    for (uint32_t i = 0; i < MC_HPROF_REMAINDERS; i++)
        sum->by_remainder[i] += arrays->by_remainder[i];
}

static bool add_tally(mc_hprof_tallies *sum, const mc_hprof_tallies *worker,
                      const mc_hprof_tally *tally) {
    uint32_t index = find_tally(sum, tally->class_id);
    if (index == MC_NONE) return false;
    mc_hprof_tally *into = &sum->items[index];
    into->instance_count += tally->instance_count;
    into->field_size += tally->field_size;
    into->parts |= tally->parts;
    if (into->most_size < tally->most_size) into->most_size = tally->most_size;
    if (into->least_distance > tally->least_distance) into->least_distance = tally->least_distance;
    if (tally->array == MC_NONE) return true;
    mc_hprof_array_count *arrays = find_arrays(sum, index);
    if (arrays) add_arrays(arrays, &worker->arrays[tally->array]);
    return arrays != NULL;
}

static bool add_worker(mc_hprof_tallies *sum, const mc_hprof_tallies *worker) {
    for (size_t i = 0; i < worker->count; i++)
        if (!add_tally(sum, worker, &worker->items[i])) return false;
    for (uint32_t i = 0; i < MC_HPROF_TYPE_COUNT; i++)
        add_arrays(&sum->primitives[i], &worker->primitives[i]);
    for (uint32_t i = 0; i < MC_HPROF_STACK_INTS; i++) {
        add_arrays(&sum->stacks[i][0], &worker->stacks[i][0]);
        add_arrays(&sum->stacks[i][1], &worker->stacks[i][1]);
    }
    for (uint32_t i = 0; i < sum->model_count; i++) {
        sum->fitting[i] += worker->fitting[i];
        sum->overlapping[i] += worker->overlapping[i];
    }
    if (!mc_reserve(&sum->class_records, &sum->record_capacity,
                    sum->record_count + worker->record_count, sizeof *sum->class_records))
        return false;
    if (worker->record_count > 0)
        memcpy(sum->class_records + sum->record_count, worker->class_records,
               worker->record_count * sizeof *worker->class_records);
    sum->record_count += worker->record_count;
    sum->all_ids |= worker->all_ids;
    sum->object_count += worker->object_count;
    mc_hprof_damage_add(&sum->damage, &worker->damage);
    return true;
}

static int compare_offsets(const void *a, const void *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

static mc_result merge(counter *self, mc_hprof_tallies *tallies, mc_error *error) {
    mc_hprof_ids sets[MC_HPROF_THREADS_MAX];
    uint32_t count = self->crew->worker_count;
    for (uint32_t i = 0; i < count; i++) {
        if (!add_worker(tallies, &self->workers[i])) return mc_error_out_of_memory(error);
    }
    if (tallies->record_count > 1)
        qsort(tallies->class_records, tallies->record_count, sizeof *tallies->class_records,
              compare_offsets);
    mc_hprof_damage_add(&self->file->damage, &tallies->damage);
    if (!self->has_ids) return MC_OK;
    for (uint32_t i = 0; i < count; i++) {
        sets[i] = self->workers[i].ids;
        self->workers[i].ids = (mc_hprof_ids){.shift = self->shift};
    }
    mc_result result = mc_hprof_ids_merge(&tallies->ids, sets, count, error);
    for (uint32_t i = 0; i < count; i++)
        mc_hprof_ids_deinit(&sets[i]);
    return result;
}

static uint64_t find_stack_class(const mc_hprof_file *file) {
    const mc_hprof_table *names = &file->class_names;
    const size_t wanted = sizeof MC_HPROF_STACK_CLASS - 1;
    for (size_t i = 0; i < names->slot_count; i++) {
        const mc_hprof_slot *slot = &names->slots[i];
        if (slot->value == MC_HPROF_NO_VALUE) continue;
        size_t size = 0;
        const char *name = mc_hprof_file_get_string(file, slot->value, &size);
        if (name && size == wanted && memcmp(name, MC_HPROF_STACK_CLASS, wanted) == 0)
            return slot->key;
    }
    return 0;
}

static void prepare_worker(const counter *self, mc_hprof_tallies *worker) {
    // Ranges are shortened once only, and what was wrong with them is found but then.
    uint64_t all_ids = worker->all_ids;
    mc_hprof_damage damage = worker->damage;
    mc_hprof_tallies_deinit(worker);
    worker->all_ids = all_ids;
    worker->damage = damage;
    worker->ids.shift = self->shift;
    worker->stack_class = self->stack_class;
    worker->model_count = mc_hprof_list_models(self->file->id_size, worker->models);
}

static mc_result count_all(counter *self, size_t batch_count, mc_error *error) {
    mc_result result;
    do {
        uint64_t all = 0, done = atomic_load(&self->crew->done);
        for (uint32_t i = 0; i < self->crew->worker_count; i++) {
            all |= self->workers[i].all_ids;
            prepare_worker(self, &self->workers[i]);
        }
        while (self->shift > 0 && (all & ((UINT64_C(1) << self->shift) - 1)) != 0) {
            self->shift--;
            for (uint32_t i = 0; i < self->crew->worker_count; i++)
                self->workers[i].ids.shift = self->shift;
        }
        atomic_store(&self->is_shift_wrong, false);
        result = mc_hprof_crew_run(self->crew, batch_count, count_batch, self, error);
        if (atomic_load(&self->is_shift_wrong)) atomic_store(&self->crew->done, done);
    } while (result == MC_OK && atomic_load(&self->is_shift_wrong));
    return result;
}

mc_result mc_hprof_count(mc_hprof_file *file, const mc_hprof_batch *batches, size_t batch_count,
                         bool has_ids, mc_hprof_crew *crew, mc_hprof_tallies *tallies,
                         mc_error *error) {
    counter self = {.file = file,
                    .batches = batches,
                    .batch_count = batch_count,
                    .crew = crew,
                    .has_ids = has_ids,
                    .shift = SHIFT_GUESS};
    self.workers = mc_alloc_zero_scattered(crew->worker_count, sizeof *self.workers);
    tallies->spans = self.spans = mc_alloc_zero_scattered(batch_count + 1, sizeof *self.spans);
    if (!self.workers || !self.spans) {
        mc_free(self.workers);
        return mc_error_out_of_memory(error);
    }
    tallies->model_count = mc_hprof_list_models(file->id_size, tallies->models);
    tallies->stack_class = self.stack_class = find_stack_class(file);
    mc_result result = count_all(&self, batch_count, error);
    if (result == MC_OK) result = merge(&self, tallies, error);
    for (uint32_t i = 0; i < crew->worker_count; i++)
        mc_hprof_tallies_deinit(&self.workers[i]);
    mc_free(self.workers);
    return result;
}
