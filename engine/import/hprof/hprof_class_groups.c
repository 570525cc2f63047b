#include "engine/import/hprof/hprof_class_groups.h"

#include "engine/base/memory.h"

// ---- leaves

static uint32_t find_leaf(mc_heap_groups *groups, const mc_hprof_origins *origins,
                          uint64_t loader_id, const char *name, size_t size) {
    mc_class_place place = {.name = name, .name_size = size};
    mc_hprof_origins_add(origins, loader_id, &place);
    return mc_class_groups_find(groups, &origins->grouping, &place);
}

static bool has_objects(const mc_hprof_class *class) {
    return class->tally.instance_count > 0 || class->tally.array != MC_NONE;
}

static bool find_leaves(mc_hprof_classes *self, const mc_hprof_tallies *tallies,
                        const mc_hprof_origins *origins, mc_heap_groups *groups) {
    static const char class_name[] = "java/lang/Class";
    static const char codes[MC_HPROF_TYPE_COUNT + 1] = "    ZCFDBSIJ";
    bool has_class_objects = tallies->record_count > 0;
    self->class_leaf = has_class_objects
                           ? find_leaf(groups, origins, 0, class_name, sizeof class_name - 1)
                           : MC_NONE;
    if (has_class_objects && self->class_leaf == MC_NONE) return false;
    for (uint32_t i = MC_HPROF_TYPE_BOOLEAN; i < MC_HPROF_TYPE_COUNT; i++) {
        char name[2] = {'[', codes[i]};
        self->primitive_leaves[i] = MC_NONE;
        if (tallies->primitives[i].count == 0) continue;
        self->primitive_leaves[i] = find_leaf(groups, origins, 0, name, sizeof name);
        if (self->primitive_leaves[i] == MC_NONE) return false;
    }
    for (uint32_t i = 0; i < self->count; i++) {
        mc_hprof_class *class = &self->items[i];
        if (!has_objects(class)) continue;
        class->leaf = find_leaf(groups, origins, class->loader_id, class->name, class->name_size);
        if (class->leaf == MC_NONE) return false;
        class->is_kept = class->record != MC_HPROF_NO_VALUE &&
                         mc_hprof_origins_may_go(origins, class->loader_id);
    }
    return true;
}

static void add_to_leaf(mc_hprof_classes *self, uint32_t leaf, uint64_t objects, uint64_t bytes) {
    if (objects == 0) return;
    self->objects[leaf] += objects;
    self->bytes[leaf] += bytes;
}

static void find_stacks(mc_hprof_classes *self, const mc_hprof_file *file,
                        const mc_hprof_tallies *tallies) {
    self->stack_class =
        tallies->stack_class != 0 ? mc_hprof_classes_find(self, tallies->stack_class) : MC_NONE;
    if (self->stack_class == MC_NONE) return;
    self->stack_field =
        mc_hprof_find_own_field(file, &self->items[self->stack_class], MC_HPROF_STACK_FIELD);
    if (self->stack_field / 4 >= MC_HPROF_STACK_INTS) self->stack_class = MC_NONE;
}

// Instances are of one size, but for those with a stack behind their fields.
static uint64_t measure_all_instances(const mc_hprof_classes *self, const mc_hprof_tallies *tallies,
                                      uint32_t index) {
    const mc_hprof_class *class = &self->items[index];
    if (index != self->stack_class) return class->tally.instance_count * class->size;
    const mc_hprof_array_count *stacks = tallies->stacks[self->stack_field / 4];
    return mc_hprof_measure_arrays(self->model.reference_size == 4 ? &stacks[0] : &stacks[1],
                                   (uint32_t) class->size, 8, self->alignment);
}

static void sum_up_class(mc_hprof_classes *self, const mc_hprof_tallies *tallies,
                         const mc_hprof_class *class) {
    const mc_hprof_tally *tally = &class->tally;
    add_to_leaf(self, class->leaf, tally->instance_count,
                measure_all_instances(self, tallies, (uint32_t)(class - self->items)));
    if (!class->is_whole) self->undescribed_count += tally->instance_count;
    if (tally->array != MC_NONE) {
        const mc_hprof_array_count *arrays = &tallies->arrays[tally->array];
        uint32_t width = self->model.reference_size;
        add_to_leaf(self, class->leaf, arrays->count,
                    mc_hprof_measure_arrays(arrays, mc_hprof_get_array_head(&self->model, width),
                                            width, self->alignment));
    }
    if (class->record != MC_HPROF_NO_VALUE)
        add_to_leaf(self, self->class_leaf, 1,
                    mc_hprof_align(self->class_object_size + class->static_size, self->alignment));
}

static void sum_up_primitives(mc_hprof_classes *self, const mc_hprof_tallies *tallies) {
    for (uint32_t i = MC_HPROF_TYPE_BOOLEAN; i < MC_HPROF_TYPE_COUNT; i++) {
        uint32_t width = mc_hprof_measure_type((uint8_t)i, 0);
        add_to_leaf(self, self->primitive_leaves[i], tallies->primitives[i].count,
                    mc_hprof_measure_arrays(&tallies->primitives[i],
                                            mc_hprof_get_array_head(&self->model, width), width,
                                            self->alignment));
    }
}

static bool sum_up(mc_hprof_classes *self, const mc_hprof_file *file,
                   const mc_hprof_tallies *tallies, const mc_heap_groups *groups) {
    static const char class_name[] = "java/lang/Class";
    self->leaf_count = mc_heap_groups_get_count(groups);
    self->objects = mc_alloc_zero_scattered((size_t)self->leaf_count + 1, sizeof *self->objects);
    self->bytes = mc_alloc_zero_scattered((size_t)self->leaf_count + 1, sizeof *self->bytes);
    if (!self->objects || !self->bytes) return false;
    find_stacks(self, file, tallies);
    self->class_object_size = self->model.header_size;
    for (uint32_t i = 0; i < self->count; i++) {
        const mc_hprof_class *class = &self->items[i];
        if (mc_hprof_is_text(class->name, class->name_size, class_name))
            self->class_object_size = class->size;
    }
    for (uint32_t i = 0; i < self->count; i++)
        sum_up_class(self, tallies, &self->items[i]);
    sum_up_primitives(self, tallies);
    return true;
}

// ---- references

static bool add_reference(mc_hprof_classes *self, uint64_t offset, uint32_t class, uint32_t index) {
    size_t count = self->reference_count + 1;
    if (!mc_reserve(&self->references, &self->reference_capacity, count,
                    sizeof *self->references) ||
        !mc_reserve(&self->declarations, &self->declaration_capacity, count,
                    sizeof *self->declarations))
        return false;
    self->references[count - 1] = (uint32_t)offset;
    self->declarations[count - 1] = (mc_hprof_declaration){class, index};
    self->reference_count = count;
    return true;
}

// Where in an instance its references are: own fields come first, then the superclass's. Only as
// far as there are instances that long, so that the lists are no longer than what was read.
static bool list_references(mc_hprof_classes *self, const mc_hprof_file *file,
                            mc_hprof_class *class) {
    uint64_t offset = 0, most = class->tally.most_size;
    class->reference_begin = self->reference_count;
    for (const mc_hprof_class *at = class; offset < most;) {
        for (uint32_t i = 0; i < at->own_field_count && offset < most; i++) {
            uint8_t type = mc_hprof_get_field_type(file, at->own_fields, i);
            bool is_there = offset + file->id_size <= most;
            if (type == MC_HPROF_TYPE_OBJECT && is_there &&
                !add_reference(self, offset, (uint32_t)(at - self->items), i))
                return false;
            offset += mc_hprof_measure_type(type, file->id_size);
        }
        if (at->ancestor == MC_NONE) break;
        at = &self->items[at->ancestor];
    }
    class->reference_count = (uint32_t)(self->reference_count - class->reference_begin);
    return true;
}

static bool list_statics(mc_hprof_classes *self, const mc_hprof_file *file, mc_hprof_class *class) {
    const uint32_t id_size = file->id_size;
    const unsigned char *end = file->data + file->size;
    mc_hprof_class_record record;
    class->static_begin = self->static_count;
    if (class->record == MC_HPROF_NO_VALUE) return true;
    (void)mc_hprof_file_parse_class(file, class->record, &record);
    const unsigned char *at = record.constants;
    // A file that has changed since may end anywhere.
    for (uint32_t i = 0; i < record.constant_count && end - at > (ptrdiff_t)id_size + 2; i++) {
        class->constant_count += at[2] == MC_HPROF_TYPE_OBJECT;
        at += 3 + mc_hprof_measure_type(at[2], id_size);
    }
    at = record.statics;
    for (uint32_t i = 0; i < record.static_count && end - at > 2 * (ptrdiff_t)id_size; i++) {
        uint8_t type = at[id_size];
        if (type == MC_HPROF_TYPE_OBJECT) {
            if (!mc_reserve(&self->statics, &self->static_capacity, self->static_count + 1,
                            sizeof *self->statics))
                return false;
            self->statics[self->static_count++] =
                (uint32_t)((uint64_t)(at - file->data) - class->record);
        }
        at += id_size + 1 + mc_hprof_measure_type(type, id_size);
    }
    class->static_count = (uint32_t)(self->static_count - class->static_begin);
    return true;
}

mc_result mc_hprof_classes_group(mc_hprof_classes *self, const mc_hprof_file *file,
                                 const mc_hprof_tallies *tallies, const mc_hprof_origins *origins,
                                 mc_heap_groups *groups, bool has_references, mc_error *error) {
    bool is_done =
        find_leaves(self, tallies, origins, groups) && sum_up(self, file, tallies, groups);
    for (uint32_t i = 0; has_references && i < self->count && is_done; i++) {
        if (self->items[i].tally.instance_count > 0)
            is_done = list_references(self, file, &self->items[i]);
        is_done = is_done && list_statics(self, file, &self->items[i]);
    }
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}
