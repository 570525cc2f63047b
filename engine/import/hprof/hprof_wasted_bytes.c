#include "engine/import/hprof/hprof_wasted_bytes.h"

#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_collections.h"
#include <pthread.h>
#include <string.h>

#define PARTS 64   // of the set of contents, locked apart from each other
#define WAITING 32 // arrays of a part that are looked up together

typedef struct content {
    uint64_t low; // 0: a free slot
    uint32_t high;
    uint32_t object; // the first one with it; 0 if leaves depend on types alone
} content;
_Static_assert(sizeof(content) == 16, "one for each different array of a heap");

typedef struct content_part {
    pthread_mutex_t mutex;
    content *slots;
    size_t slot_count, count;
} content_part;

typedef struct class_role {
    mc_hprof_emptiness emptiness;
    mc_hprof_builder builder;
    bool is_boxed, is_builder;
} class_role;

// An array whose content is to be looked up.
typedef struct waiting_array {
    content key;
    uint32_t class_leaf;
    uint64_t size; // in the JVM's memory
} waiting_array;

typedef struct waiting_list {
    waiting_array items[WAITING];
    uint32_t count;
} waiting_list;

typedef struct waste_worker {
    mc_group_sum *sums;
    waiting_list *waiting; // a list a part
    mc_hprof_recent recent;
    mc_hprof_hint line_hint;
    mc_hprof_table builders; // as of the finder, while they are looked for
} waste_worker;

typedef struct mc_hprof_waste {
    const mc_hprof_dump *dump;
    mc_hprof_crew *crew;
    class_role *roles; // by class
    // Arrays of builders: id -> how many characters are in use << 1 | they are of 16 bits.
    mc_hprof_table builders;
    uint64_t builder_parts; // of the batches (mc_hprof_get_part())
    bool is_looking_for_builders;
    waste_worker *workers;
    content_part parts[PARTS];
    uint32_t part_count; // that have a mutex
    uint64_t seeds[2];
} mc_hprof_waste;

// ---- contents that were seen

static content *find_content(content *slots, size_t slot_count, content key) {
    for (size_t i = (size_t)key.high;; i++) {
        content *slot = &slots[i & (slot_count - 1)];
        if (slot->low == 0 || (slot->low == key.low && slot->high == key.high)) return slot;
    }
}

static bool grow_part(content_part *part) {
    size_t count = part->slot_count > 0 ? 2 * part->slot_count : 256;
    content *slots = mc_alloc_zero_scattered(count, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < part->slot_count; i++)
        if (part->slots[i].low != 0) *find_content(slots, count, part->slots[i]) = part->slots[i];
    mc_free(part->slots);
    part->slots = slots;
    part->slot_count = count;
    return true;
}

// Whether this content has been seen. *object becomes the one that is wasted, this or the one
// before.
static bool see_content(content_part *part, content key, uint32_t *object) {
    content *slot = find_content(part->slots, part->slot_count, key);
    if (slot->low == 0) {
        *slot = key;
        part->count++;
        return false;
    }
    if (slot->object > key.object) {
        *object = slot->object;
        slot->object = key.object;
    }
    return true;
}

// ---- objects

// The object's number; 0 if leaves depend on classes alone.
static uint32_t find_object(const mc_hprof_waste *self, waste_worker *worker,
                            const mc_hprof_item *item) {
    if (!self->dump->heap.leaves.own_objects) return 0;
    return mc_hprof_ids_find(&self->dump->tallies.ids, item->id, &worker->line_hint);
}

static uint32_t find_leaf(const mc_hprof_waste *self, uint32_t object, uint32_t class_leaf) {
    if (!self->dump->heap.leaves.own_objects || class_leaf == MC_NONE) return class_leaf;
    return object == MC_NONE ? MC_NONE : self->dump->heap.leaves.of[object];
}

static uint32_t find_class(const mc_hprof_waste *self, waste_worker *worker, uint64_t class_id) {
    return mc_hprof_classes_find_again(&self->dump->classes, &worker->recent, class_id);
}

static void add(waste_worker *worker, uint32_t leaf, mc_heap_waste kind, uint64_t count,
                uint64_t size) {
    if (leaf == MC_NONE) return; // the file has changed
    mc_group_sum *sum = &worker->sums[(size_t)leaf * MC_HEAP_WASTE_COUNT + kind];
    sum->count += count;
    sum->size += size;
}

// ---- arrays that wait

static void look_up(const mc_hprof_waste *self, waste_worker *worker, content_part *part,
                    const waiting_list *list) {
    for (uint32_t i = 0; i < list->count; i++)
        __builtin_prefetch(&part->slots[list->items[i].key.high & (part->slot_count - 1)], 1);
    for (uint32_t i = 0; i < list->count; i++) {
        const waiting_array *array = &list->items[i];
        uint32_t object = array->key.object;
        if (see_content(part, array->key, &object))
            add(worker, find_leaf(self, object, array->class_leaf), MC_HEAP_WASTE_DUPLICATES, 1,
                array->size);
    }
}

// False if memory is out.
static bool end_waiting(mc_hprof_waste *self, waste_worker *worker, uint32_t index) {
    content_part *part = &self->parts[index];
    waiting_list *list = &worker->waiting[index];
    bool has_room = true;
    pthread_mutex_lock(&part->mutex);
    // three quarters full at most
    while (has_room && 4 * (part->count + list->count) > 3 * part->slot_count)
        has_room = grow_part(part);
    if (has_room) look_up(self, worker, part, list);
    pthread_mutex_unlock(&part->mutex);
    list->count = 0;
    return has_room;
}

static bool end_all_waiting(mc_hprof_waste *self) {
    bool is_done = true;
    for (uint32_t i = 0; i < self->crew->worker_count; i++)
        for (uint32_t part = 0; part < PARTS && is_done; part++)
            if (self->workers[i].waiting[part].count > 0)
                is_done = end_waiting(self, &self->workers[i], part);
    return is_done;
}

// A lock is taken, and slots are fetched, for many arrays at once.
static bool wait(mc_hprof_waste *self, waste_worker *worker, waiting_array array) {
    uint32_t part = (uint32_t)(array.key.low >> 58);
    waiting_list *list = &worker->waiting[part];
    list->items[list->count++] = array;
    return list->count < WAITING || end_waiting(self, worker, part);
}

// ---- collections

static bool is_empty(const mc_hprof_item *item, const mc_hprof_emptiness *emptiness) {
    if (emptiness->first == MC_NONE || emptiness->first + 4 > item->data_size) return false;
    uint32_t first = mc_hprof_read_u4(item->data + emptiness->first), second = 0;
    if (emptiness->second != MC_NONE && emptiness->second + 4 <= item->data_size)
        second = mc_hprof_read_u4(item->data + emptiness->second);
    return first == second;
}

// ---- builders of strings

static bool put_builder(mc_hprof_table *builders, uint64_t array, uint64_t used) {
    uint64_t *known = array == 0 ? NULL : mc_hprof_table_put(builders, array);
    if (known && (*known == MC_HPROF_NO_VALUE || *known < used)) *known = used;
    return known || array == 0;
}

static bool read_builder(mc_hprof_waste *self, waste_worker *worker, const mc_hprof_item *item) {
    const uint32_t id_size = self->dump->file.id_size;
    uint32_t class = find_class(self, worker, item->class_id);
    if (class == MC_NONE || !self->roles[class].is_builder) return true;
    const mc_hprof_builder *builder = &self->roles[class].builder;
    bool has_coder = builder->coder != MC_NONE;
    if ((uint64_t)builder->value + id_size > item->data_size ||
        (uint64_t)builder->count + 4 > item->data_size ||
        (has_coder && builder->coder >= item->data_size))
        return true;
    uint64_t used = (uint64_t)mc_hprof_read_u4(item->data + builder->count) << 1;
    bool is_wide = has_coder && item->data[builder->coder] == 1;
    return put_builder(&worker->builders, mc_hprof_read_id(item->data + builder->value, id_size),
                       used | is_wide);
}

static void add_unused(const mc_hprof_waste *self, waste_worker *worker, const mc_hprof_item *item,
                       uint64_t used) {
    uint64_t width = mc_hprof_measure_type(item->type, 0);
    uint64_t size = item->count * width, used_size = (used >> 1) * (used & 1 ? 2 : width);
    if (used_size < size)
        add(worker,
            find_leaf(self, find_object(self, worker, item),
                      self->dump->classes.primitive_leaves[item->type]),
            MC_HEAP_WASTE_BUILDERS, 1, size - used_size);
}

// ---- items

static bool read_primitives(mc_hprof_waste *self, waste_worker *worker, const mc_hprof_item *item) {
    const mc_hprof_classes *classes = &self->dump->classes;
    uint32_t class_leaf = classes->primitive_leaves[item->type];
    uint64_t size = (uint64_t)item->count * mc_hprof_measure_type(item->type, 0);
    uint64_t used = mc_hprof_table_get(&self->builders, item->id);
    if (used != MC_HPROF_NO_VALUE) {
        if (class_leaf != MC_NONE) add_unused(self, worker, item, used);
        return true;
    }
    // Android leaves elements out: nothing is known of those.
    if (class_leaf == MC_NONE || item->data_size != size) return true;
    uint32_t object = find_object(self, worker, item);
    if (object == MC_NONE) return true;
    const uint64_t type = (uint64_t)item->type << 56;
    const uint64_t seeds[2] = {self->seeds[0] ^ type, self->seeds[1] ^ type};
    uint64_t hashes[2];
    mc_hash_bytes_twice(item->data, (size_t)item->data_size, seeds, hashes);
    content key = {.low = hashes[0] | 1, .high = (uint32_t)hashes[1], .object = object};
    waiting_array array = {key, class_leaf,
                           mc_hprof_classes_measure(classes, MC_HPROF_PRIMITIVES, MC_NONE, item)};
    return wait(self, worker, array);
}

static void read_elements(const mc_hprof_waste *self, waste_worker *worker, uint32_t class_leaf,
                          const mc_hprof_item *item) {
    const uint32_t id_size = self->dump->file.id_size;
    uint64_t empty = 0;
    for (uint64_t i = 0; i < item->data_size; i += id_size)
        empty += mc_hprof_read_id(item->data + i, id_size) == 0;
    if (empty > 0)
        add(worker, find_leaf(self, find_object(self, worker, item), class_leaf),
            MC_HEAP_WASTE_EMPTY_SLOTS, empty, empty * self->dump->classes.model.reference_size);
}

static void read_instance(const mc_hprof_waste *self, waste_worker *worker, uint32_t class,
                          const mc_hprof_item *item) {
    const class_role *role = &self->roles[class];
    const mc_hprof_classes *classes = &self->dump->classes;
    bool is_wasted = is_empty(item, &role->emptiness);
    if (!role->is_boxed && !is_wasted) return;
    uint32_t leaf = find_leaf(self, find_object(self, worker, item), classes->items[class].leaf);
    add(worker, leaf, role->is_boxed ? MC_HEAP_WASTE_BOXED : MC_HEAP_WASTE_EMPTY_COLLECTIONS, 1,
        mc_hprof_classes_measure(classes, MC_HPROF_INSTANCE, class, item));
}

static bool read_item(mc_hprof_waste *self, waste_worker *worker, mc_hprof_kind kind,
                      const mc_hprof_item *item) {
    const mc_hprof_classes *classes = &self->dump->classes;
    if (self->is_looking_for_builders)
        return kind != MC_HPROF_INSTANCE || read_builder(self, worker, item);
    if (kind == MC_HPROF_PRIMITIVES) return read_primitives(self, worker, item);
    if (kind != MC_HPROF_INSTANCE && kind != MC_HPROF_OBJECTS) return true;
    uint32_t class = find_class(self, worker, item->class_id);
    if (class == MC_NONE || classes->items[class].leaf == MC_NONE) return true;
    if (kind == MC_HPROF_OBJECTS)
        read_elements(self, worker, classes->items[class].leaf, item);
    else
        read_instance(self, worker, class, item);
    return true;
}

static mc_result read_batch(void *user, uint32_t worker_index, size_t task) {
    mc_hprof_waste *self = user;
    waste_worker *worker = &self->workers[worker_index];
    const mc_hprof_file *file = &self->dump->file;
    const mc_hprof_batch *batch = &self->dump->batches[task];
    const uint64_t part = mc_hprof_get_part(task, self->dump->batch_count);
    bool is_done = true, is_wanted = !self->is_looking_for_builders || self->builder_parts & part;
    mc_hprof_walk walk = mc_hprof_walk_begin(file, batch);
    mc_hprof_item item;
    mc_hprof_kind kind;
    while (is_done && is_wanted && mc_hprof_walk_next(&walk, &kind, &item))
        is_done = read_item(self, worker, kind, &item);
    mc_hprof_file_end_batch(file, batch, self->crew);
    return is_done ? MC_OK : MC_ERROR_OUT_OF_MEMORY;
}

// ---- all of it

static bool is_boxed(const mc_hprof_class *class) {
    static const char *const names[] = {
        "java/lang/Boolean", "java/lang/Character", "java/lang/Float",   "java/lang/Double",
        "java/lang/Byte",    "java/lang/Short",     "java/lang/Integer", "java/lang/Long"};
    for (size_t i = 0; class->name && i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == class->name_size &&
            memcmp(names[i], class->name, class->name_size) == 0)
            return true;
    return false;
}

static void init_role(mc_hprof_waste *self, uint32_t index) {
    const mc_hprof_classes *classes = &self->dump->classes;
    const mc_hprof_class *class = &classes->items[index];
    class_role *role = &self->roles[index];
    const class_role *above = class->super == MC_NONE ? NULL : &self->roles[class->super];
    role->emptiness =
        mc_hprof_get_emptiness(class, &self->dump->file, above ? &above->emptiness : NULL);
    role->builder = mc_hprof_get_builder(class, &self->dump->file, above ? &above->builder : NULL);
    role->is_boxed = is_boxed(class);
    role->is_builder = class->tally.instance_count > 0 && role->builder.value != MC_NONE &&
                       role->builder.count != MC_NONE;
    if (role->is_builder) self->builder_parts |= class->tally.parts;
}

static bool init(mc_hprof_waste *self, uint32_t leaf_count) {
    const mc_hprof_classes *classes = &self->dump->classes;
    self->seeds[0] = mc_hash_u64(mc_clock_now_ns(), (uint64_t)(uintptr_t)self);
    self->seeds[1] = mc_hash_u64(self->seeds[0], 1);
    while (self->part_count < PARTS &&
           pthread_mutex_init(&self->parts[self->part_count].mutex, NULL) == 0)
        self->part_count++;
    self->roles = mc_alloc_scattered((size_t)classes->count + 1, sizeof *self->roles);
    self->workers = mc_alloc_zero_scattered(self->crew->worker_count, sizeof *self->workers);
    if (!self->roles || !self->workers || self->part_count < PARTS) return false;
    for (uint32_t i = 0; i < classes->count; i++)
        init_role(self, classes->supers_first[i]);
    for (uint32_t i = 0; i < self->crew->worker_count; i++) {
        self->workers[i].sums = mc_alloc_zero_scattered(
            ((size_t)leaf_count + 1) * MC_HEAP_WASTE_COUNT, sizeof(mc_group_sum));
        self->workers[i].waiting = mc_alloc_zero(PARTS, sizeof *self->workers[i].waiting);
        if (!self->workers[i].sums || !self->workers[i].waiting) return false;
    }
    return true;
}

static mc_result find_builders(mc_hprof_waste *self, mc_error *error) {
    mc_hprof_crew *crew = self->crew;
    if (self->builder_parts == 0) return MC_OK;
    self->is_looking_for_builders = true;
    mc_result result = mc_hprof_crew_run(crew, self->dump->batch_count, read_batch, self, error);
    self->is_looking_for_builders = false;
    for (uint32_t i = 0; i < crew->worker_count; i++) {
        mc_hprof_table *found = &self->workers[i].builders;
        for (size_t k = 0; k < found->slot_count && result == MC_OK; k++)
            if (found->slots[k].value != MC_HPROF_NO_VALUE &&
                !put_builder(&self->builders, found->slots[k].key, found->slots[k].value))
                result = mc_error_out_of_memory(error);
        mc_hprof_table_deinit(found);
    }
    return result;
}

mc_result mc_hprof_waste_begin(mc_hprof_waste **waste, mc_hprof_dump *dump, mc_error *error) {
    mc_hprof_waste *self = *waste = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->dump = dump;
    self->crew = &dump->crew;
    if (!init(self, dump->heap.leaves.count)) return mc_error_out_of_memory(error);
    return find_builders(self, error);
}

bool mc_hprof_waste_add(mc_hprof_waste *self, uint32_t worker, mc_hprof_kind kind,
                        const mc_hprof_item *item) {
    return read_item(self, &self->workers[worker], kind, item);
}

bool mc_hprof_waste_asks(const mc_hprof_waste *self, uint32_t class) {
    return self->roles[class].is_boxed || self->roles[class].emptiness.first != MC_NONE;
}

mc_result mc_hprof_waste_end(mc_hprof_waste *self, mc_group_sum **sums, mc_error *error) {
    const size_t count = ((size_t)self->dump->heap.leaves.count + 1) * MC_HEAP_WASTE_COUNT;
    *sums = end_all_waiting(self) ? mc_alloc_zero_scattered(count, sizeof **sums) : NULL;
    if (!*sums) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < self->crew->worker_count; i++)
        for (size_t k = 0; k < count; k++) {
            (*sums)[k].count += self->workers[i].sums[k].count;
            (*sums)[k].size += self->workers[i].sums[k].size;
        }
    return MC_OK;
}

void mc_hprof_waste_destroy(mc_hprof_waste *self) {
    if (!self) return;
    for (uint32_t i = 0; self->workers && i < self->crew->worker_count; i++) {
        mc_free(self->workers[i].sums);
        mc_free(self->workers[i].waiting);
    }
    mc_hprof_table_deinit(&self->builders);
    for (uint32_t i = 0; i < self->part_count; i++) {
        mc_free(self->parts[i].slots);
        pthread_mutex_destroy(&self->parts[i].mutex);
    }
    mc_free(self->workers);
    mc_free(self->roles);
    mc_free(self);
}

mc_result mc_hprof_count_wasted_bytes(mc_hprof_dump *dump, mc_group_sum **sums, mc_error *error) {
    mc_hprof_waste *waste;
    *sums = NULL;
    mc_result result = mc_hprof_waste_begin(&waste, dump, error);
    if (result == MC_OK)
        result = mc_hprof_crew_run(&dump->crew, dump->batch_count, read_batch, waste, error);
    if (result == MC_OK) result = mc_hprof_waste_end(waste, sums, error);
    mc_hprof_waste_destroy(waste);
    return result;
}
