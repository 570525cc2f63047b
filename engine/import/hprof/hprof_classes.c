#include "engine/import/hprof/hprof_classes.h"

#include "engine/base/memory.h"
#include <stdlib.h>

void mc_hprof_classes_deinit(mc_hprof_classes *classes) {
    mc_free(classes->items);
    mc_free(classes->supers_first);
    mc_free(classes->references);
    mc_free(classes->declarations);
    mc_free(classes->statics);
    mc_free(classes->objects);
    mc_free(classes->bytes);
    mc_hprof_table_deinit(&classes->by_id);
    memset(classes, 0, sizeof *classes);
}

// ---- which classes there are

// NULL if memory is out.
static mc_hprof_class *add_class(mc_hprof_classes *self, uint64_t id, const mc_hprof_file *file) {
    uint64_t *value = mc_hprof_table_put(&self->by_id, id);
    if (!value) return NULL;
    if (*value != MC_HPROF_NO_VALUE) return &self->items[*value];
    *value = self->count;
    if (self->count >= MC_NONE - 1 ||
        !mc_reserve(&self->items, &self->capacity, (size_t)self->count + 1, sizeof *self->items))
        return NULL;
    mc_hprof_class *added = &self->items[self->count++];
    *added = (mc_hprof_class){.id = id,
                              .record = MC_HPROF_NO_VALUE,
                              .super = MC_NONE,
                              .ancestor = MC_NONE,
                              .leaf = MC_NONE,
                              .tally = {.least_distance = UINT64_MAX, .array = MC_NONE}};
    added->name = mc_hprof_file_get_class_name(file, id, &added->name_size);
    return added;
}

static int compare_tallies(const void *a, const void *b) {
    const mc_hprof_tally *x = a, *y = b;
    return x->class_id < y->class_id ? -1 : x->class_id > y->class_id;
}

// Classes that are described come in the file's order, the others by id: so no order depends on
// which worker was faster.
static bool add_tallies(mc_hprof_classes *self, const mc_hprof_file *file,
                        const mc_hprof_tallies *tallies) {
    if (tallies->count == 0) return true;
    mc_hprof_tally *sorted = mc_alloc_scattered(tallies->count, sizeof *sorted);
    if (!sorted) return false;
    memcpy(sorted, tallies->items, tallies->count * sizeof *sorted);
    qsort(sorted, tallies->count, sizeof *sorted, compare_tallies);
    bool is_done = true;
    for (size_t i = 0; i < tallies->count && is_done; i++) {
        mc_hprof_class *class = add_class(self, sorted[i].class_id, file);
        is_done = class != NULL;
        if (class) class->tally = sorted[i];
    }
    mc_free(sorted);
    return is_done;
}

static bool add_classes(mc_hprof_classes *self, const mc_hprof_file *file,
                        const mc_hprof_tallies *tallies) {
    mc_hprof_class_record record;
    for (size_t i = 0; i < tallies->record_count; i++) {
        (void)mc_hprof_file_parse_class(file, tallies->class_records[i], &record);
        mc_hprof_class *class = add_class(self, record.id, file);
        if (!class) return false;
        if (class->record != MC_HPROF_NO_VALUE) continue; // the first description holds
        class->record = tallies->class_records[i];
        class->loader_id = record.loader_id;
        class->own_fields = record.fields;
        class->own_field_count = record.field_count;
        for (uint32_t k = 0; k < record.field_count; k++)
            class->own_size += mc_hprof_measure_type(
                mc_hprof_get_field_type(file, record.fields, k), file->id_size);
    }
    return add_tallies(self, file, tallies);
}

// ---- superclasses

// Finds each class's superclass; *is_root: it says that it has none.
static uint32_t find_super(const mc_hprof_classes *self, const mc_hprof_file *file,
                           const mc_hprof_class *class, bool *is_root) {
    mc_hprof_class_record record;
    *is_root = false;
    if (class->record == MC_HPROF_NO_VALUE) return MC_NONE;
    (void)mc_hprof_file_parse_class(file, class->record, &record);
    *is_root = record.super_id == 0;
    return *is_root ? MC_NONE : mc_hprof_classes_find(self, record.super_id);
}

static void inherit(mc_hprof_classes *self, uint32_t index) {
    mc_hprof_class *class = &self->items[index];
    class->field_size = class->own_size;
    if (class->super == MC_NONE) return;
    const mc_hprof_class *super = &self->items[class->super];
    class->is_whole = super->is_whole && class->record != MC_HPROF_NO_VALUE;
    class->field_size += super->field_size;
    class->ancestor = super->own_field_count > 0 ? class->super : super->ancestor;
}

// Breadth first, from the classes that have no superclass. What that does not reach goes in circles
// and is cut loose.
static void walk_subclasses(mc_hprof_classes *self, const uint32_t *first, const uint32_t *next,
                            bool *is_reached) {
    uint32_t count = 0, at = 0, *order = self->supers_first;
    for (uint32_t i = 0; i < self->count; i++)
        if (self->items[i].super == MC_NONE) order[count++] = i;
    for (uint32_t loose = 0; at < count || loose < self->count;) {
        if (at == count) {
            uint32_t class = loose++;
            if (is_reached[class]) continue;
            self->items[class].super = MC_NONE;
            self->items[class].is_whole = false;
            order[count++] = class;
        }
        uint32_t class = order[at++];
        is_reached[class] = true;
        inherit(self, class);
        for (uint32_t i = first[class]; i != MC_NONE; i = next[i])
            if (!is_reached[i]) order[count++] = i;
    }
}

static bool order_classes(mc_hprof_classes *self, const mc_hprof_file *file) {
    if (self->count == 0) return true;
    uint32_t *first = mc_alloc_scattered(self->count, sizeof *first);
    uint32_t *next = mc_alloc_scattered(self->count, sizeof *next);
    bool *is_reached = mc_alloc_zero_scattered(self->count, sizeof *is_reached);
    self->supers_first = mc_alloc_scattered(self->count, sizeof *self->supers_first);
    bool is_done = first && next && is_reached && self->supers_first;
    for (uint32_t i = 0; i < self->count && is_done; i++)
        first[i] = next[i] = MC_NONE;
    for (uint32_t i = 0; i < self->count && is_done; i++) {
        mc_hprof_class *class = &self->items[i];
        class->super = find_super(self, file, class, &class->is_whole);
        if (class->super == MC_NONE) continue;
        next[i] = first[class->super];
        first[class->super] = i;
    }
    if (is_done) walk_subclasses(self, first, next, is_reached);
    mc_free(first);
    mc_free(next);
    mc_free(is_reached);
    return is_done;
}

// ---- sizes

static void add_field(mc_hprof_field_counts *counts, uint8_t type) {
    switch (mc_hprof_measure_type(type, 0)) {
    case 8: counts->of_8++; break;
    case 4: counts->of_4++; break;
    case 2: counts->of_2++; break;
    case 1: counts->of_1++; break;
    default: counts->references++;
    }
}

static const char *get_field_name(const mc_hprof_file *file, const mc_hprof_class *class,
                                  uint32_t i, size_t *size) {
    const unsigned char *field = class->own_fields + (size_t)i * (file->id_size + 1);
    return mc_hprof_file_get_string(file, mc_hprof_read_id(field, file->id_size), size);
}

uint32_t mc_hprof_find_own_field(const mc_hprof_file *file, const mc_hprof_class *class,
                                 const char *name) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < class->own_field_count; i++) {
        size_t size = 0;
        const char *own = get_field_name(file, class, i, &size);
        if (mc_hprof_is_text(own, size, name)) return at;
        at += mc_hprof_measure_type(mc_hprof_get_field_type(file, class->own_fields, i),
                                    file->id_size);
    }
    return MC_NONE;
}

// The class of this name that the bootstrap loader has, as all of the JDK's base; MC_NONE: none.
static uint32_t find_base_class(const mc_hprof_classes *self, const char *name) {
    for (uint32_t i = 0; i < self->count; i++) {
        const mc_hprof_class *class = &self->items[i];
        if (class->loader_id == 0 && class->record != MC_HPROF_NO_VALUE &&
            mc_hprof_is_text(class->name, class->name_size, name))
            return i;
    }
    return MC_NONE;
}

// What was asked for is remembered: a heap may have as many classes of these names as it likes.
#define ANSWERS_MAX 64
typedef struct schema {
    const mc_hprof_classes *classes;
    const mc_hprof_file *file;
    struct answer {
        const char *class, *field;
        bool is_there;
    } answers[ANSWERS_MAX];
    uint32_t count;
} schema;

static bool look_up(const schema *self, const char *name, const char *field) {
    uint32_t index = find_base_class(self->classes, name);
    if (index == MC_NONE || !field) return index != MC_NONE;
    return mc_hprof_find_own_field(self->file, &self->classes->items[index], field) != MC_NONE;
}

// The names are those of a table that stays.
static bool has(void *user, const char *name, const char *field) {
    schema *self = user;
    for (uint32_t i = 0; i < self->count; i++) {
        const struct answer *answer = &self->answers[i];
        if (answer->class == name && answer->field == field) return answer->is_there;
    }
    bool is_there = look_up(self, name, field);
    if (self->count < ANSWERS_MAX)
        self->answers[self->count++] = (struct answer){name, field, is_there};
    return is_there;
}

static void count_fields(const mc_hprof_schema *known, const mc_hprof_file *file,
                         const mc_hprof_class *class, mc_hprof_own_fields *fields) {
    const char *name = class->loader_id == 0 ? class->name : NULL;
    bool has_padded = mc_hprof_has_padded_fields(name, class->name_size);
    fields->plain = mc_hprof_get_injected_fields(known, name, class->name_size);
    fields->padded = (mc_hprof_field_counts){0};
    fields->is_padded = mc_hprof_is_padded_class(known, name, class->name_size);
    for (uint32_t i = 0; i < class->own_field_count; i++) {
        size_t size = 0;
        const char *field = has_padded ? get_field_name(file, class, i, &size) : NULL;
        bool is_padded =
            field && mc_hprof_is_padded_field(known, name, class->name_size, field, size);
        add_field(is_padded ? &fields->padded : &fields->plain,
                  mc_hprof_get_field_type(file, class->own_fields, i));
    }
}

// Sizes of all classes' instances under a model. `layouts` has room for one each.
static void measure_instances(mc_hprof_classes *self, const mc_hprof_own_fields *fields,
                              const mc_hprof_model *model, uint32_t alignment,
                              mc_hprof_layout *layouts) {
    for (uint32_t i = 0; i < self->count; i++) {
        uint32_t index = self->supers_first[i];
        mc_hprof_class *class = &self->items[index];
        layouts[index] =
            class->super == MC_NONE ? mc_hprof_layout_begin(model) : layouts[class->super];
        mc_hprof_layout_add(&layouts[index], model, &fields[index]);
        // Where something is missing, the dump's own size is the best there is.
        uint64_t size =
            class->is_whole ? layouts[index].end : model->header_size + class->tally.most_size;
        class->size = mc_hprof_align(size, alignment);
    }
}

// How well a model explains the distances between objects: the more ends of objects are beginnings
// of others, the better; one object that reaches into another counts against many of them.
static int64_t rate_model(const mc_hprof_classes *self, const mc_hprof_tallies *tallies,
                          uint32_t model) {
    const int64_t weight = 8;
    int64_t score =
        (int64_t)tallies->fitting[model] - weight * (int64_t)tallies->overlapping[model];
    for (uint32_t i = 0; i < self->count; i++) {
        const mc_hprof_class *class = &self->items[i];
        if (class->tally.instance_count == 0 || !class->is_whole) continue;
        score += class->size == class->tally.least_distance;
        if (class->size > class->tally.least_distance) score -= weight;
    }
    return score;
}

static uint32_t choose_model(mc_hprof_classes *self, const mc_hprof_file *file,
                             const mc_hprof_tallies *tallies, const mc_hprof_own_fields *fields,
                             mc_hprof_layout *layouts) {
    uint32_t best = 0;
    int64_t best_score = INT64_MIN;
    for (uint32_t i = 0; i < tallies->model_count; i++) {
        measure_instances(self, fields, &tallies->models[i], self->alignment, layouts);
        int64_t score = rate_model(self, tallies, i);
        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    if (best_score >= 0 || file->id_size == 4) return best;
    // These ids are no addresses, or somebody else's: what is certain is only that no array reaches
    // into the next object.
    return tallies->overlapping[0] > 0 ? 1 : 0;
}

// Objects begin at multiples of this (-XX:ObjectAlignmentInBytes).
static uint32_t find_alignment(const mc_hprof_tallies *tallies) {
    const uint64_t least_count = 64; // fewer may be at such places by chance
    uint32_t alignment = 8;
    if (tallies->object_count < least_count) return alignment;
    while (alignment < 256 && (tallies->all_ids & alignment) == 0)
        alignment *= 2;
    return alignment;
}

static void measure_statics(mc_hprof_classes *self, const mc_hprof_file *file) {
    mc_hprof_class_record record;
    for (uint32_t i = 0; i < self->count; i++) {
        mc_hprof_class *class = &self->items[i];
        if (class->record == MC_HPROF_NO_VALUE) continue;
        (void)mc_hprof_file_parse_class(file, class->record, &record);
        mc_hprof_field_counts counts = {0};
        const unsigned char *at = record.statics;
        for (uint32_t k = 0; k < record.static_count; k++) {
            if (file->data + file->size - at <= (ptrdiff_t)file->id_size) break; // it has changed
            size_t name_size = 0;
            const char *name =
                mc_hprof_file_get_string(file, mc_hprof_read_id(at, file->id_size), &name_size);
            uint8_t type = at[file->id_size];
            // What HotSpot keeps elsewhere comes as a field, too: "<resolved_references>".
            if (name_size == 0 || name[0] != '<') add_field(&counts, type);
            at += file->id_size + 1 + mc_hprof_measure_type(type, file->id_size);
        }
        class->static_size = mc_hprof_measure_statics(&self->model, &counts);
    }
}

static bool measure_classes(mc_hprof_classes *self, const mc_hprof_file *file,
                            const mc_hprof_tallies *tallies) {
    self->alignment = find_alignment(tallies);
    self->model = tallies->models[0];
    if (self->count == 0) return true;
    mc_hprof_layout *layouts = mc_alloc_scattered(self->count, sizeof *layouts);
    mc_hprof_own_fields *fields = mc_alloc_scattered(self->count, sizeof *fields);
    schema seen = {.classes = self, .file = file};
    const mc_hprof_schema known = {has, &seen};
    if (layouts && fields) {
        for (uint32_t i = 0; i < self->count; i++)
            count_fields(&known, file, &self->items[i], &fields[i]);
        self->model = tallies->models[choose_model(self, file, tallies, fields, layouts)];
        measure_instances(self, fields, &self->model, self->alignment, layouts);
        measure_statics(self, file);
    }
    bool is_done = layouts && fields;
    mc_free(layouts);
    mc_free(fields);
    return is_done;
}

uint64_t mc_hprof_classes_measure(const mc_hprof_classes *self, mc_hprof_kind kind, uint32_t class,
                                  const mc_hprof_item *item) {
    uint32_t width = self->model.reference_size;
    uint64_t size;
    switch (kind) {
    case MC_HPROF_CLASS:
        return mc_hprof_align(self->class_object_size + self->items[class].static_size,
                              self->alignment);
    case MC_HPROF_INSTANCE:
        size = self->items[class].size;
        if (class != self->stack_class || self->stack_field + 4 > item->data_size) return size;
        return mc_hprof_align(
            size + 8 * mc_hprof_count_stack_words(mc_hprof_read_u4(item->data + self->stack_field),
                                                  width == 4),
            self->alignment);
    case MC_HPROF_PRIMITIVES: width = mc_hprof_measure_type(item->type, 0); break;
    default: break;
    }
    return mc_hprof_measure_array(&self->model, width, item->count, self->alignment);
}

mc_result mc_hprof_classes_init(mc_hprof_classes *self, const mc_hprof_file *file,
                                const mc_hprof_tallies *tallies, mc_error *error) {
    bool is_done = add_classes(self, file, tallies) && order_classes(self, file) &&
                   measure_classes(self, file, tallies);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}
