#include "engine/import/hprof/hprof_rows.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_values.h"
#include "engine/import/hprof/hprof_words.h"
#include "engine/trace/step_referrers.h"

#define PASS_SIZE ((size_t)1 << 20)  // bytes that a worker gathers before it tries to pass them on
#define OP_KIND MC_HPROF_COLUMN_KIND // fields that a class tells, one after another

// A field of a row, or several that were written before.
typedef struct row_op {
    mc_hprof_column_kind kind;
    uint32_t end;
    mc_hprof_texts texts; // of kinds, structures, links, of the time
} row_op;

typedef struct object_row {
    uint64_t ids[2];
    uint32_t kinds[2];
    uint32_t class, object, link;
    mc_hprof_kind kind;
    const mc_hprof_item *item;
} object_row;

typedef struct row_worker {
    mc_text text;
    mc_text value, field; // of the row, as it is, and as a field
    size_t next_pass;     // size of the text
    mc_hprof_recent recent;
    mc_hprof_hint hint, target_hint;
    bool has_failed; // the output: nothing more is written
} row_worker;

typedef struct row_writer {
    mc_hprof_dump *dump;
    const mc_hprof_columns *columns;
    mc_row_form form;
    mc_hprof_objects objects;
    bool has_object; // its number is asked for
    bool has_value;
    row_op ops[MC_HPROF_COLUMNS_MAX];
    uint32_t op_count;
    size_t row_size; // of the longest
    bool *is_weak;   // by link
    mc_ordered_output output;
    row_worker *workers;
} row_writer;

void mc_hprof_rows_append_header(const mc_hprof_columns *columns, mc_row_form form, mc_text *text) {
    const char separator = mc_row_get_separator(form);
    for (uint32_t i = 0; i < columns->count; i++) {
        mc_text_append(text, &separator, i > 0);
        mc_hprof_column_append_name(columns, &columns->items[i], text);
    }
    mc_text_append(text, "\n", 1);
}

// ---- what is written before

static bool list_time(const row_writer *self, mc_hprof_texts *texts) {
    mc_text_format(&texts->bytes, "%lld", (long long)self->dump->file.time_ms);
    return mc_hprof_texts_end(texts);
}

// Of each leaf the data structure, which is the outermost criterion.
static bool list_structures(const row_writer *self, mc_hprof_texts *texts) {
    const mc_heap_groups *groups = self->dump->heap.groups;
    bool is_done = true;
    for (uint32_t i = 0; i < self->dump->heap.leaves.count && is_done; i++) {
        uint32_t group = mc_heap_groups_get_group(groups, i), above;
        while ((above = mc_heap_groups_get_parent(groups, group)) != 0 && above != MC_NONE)
            group = above;
        size_t size;
        const char *key = mc_heap_groups_get_key(groups, group, &size);
        mc_row_append_text(&texts->bytes, self->form, key, size);
        is_done = mc_hprof_texts_end(texts);
    }
    // Of an object that nobody knows, as it has the id of another one.
    mc_row_append_text(&texts->bytes, self->form, "(none)", 6);
    return is_done && mc_hprof_texts_end(texts);
}

static bool list_fields(row_writer *self, mc_hprof_texts *texts) {
    const mc_heap *heap = &self->dump->heap;
    mc_text name = {0};
    bool is_done = true;
    for (uint32_t i = 0; i < heap->link_count && is_done; i++) {
        uint32_t slot, kind = mc_heap_find_link(heap, i, &slot);
        mc_text_clear(&name);
        (void)mc_hprof_words.append_link(self->dump, kind, slot, MC_HEAP_WORDS_SHORT, &name);
        if (name.size > 0) mc_row_append_text(&texts->bytes, self->form, name.data, name.size);
        is_done = !name.failed && mc_hprof_texts_end(texts);
    }
    mc_text_deinit(&name);
    return is_done;
}

static bool list_classes(const row_writer *self, mc_hprof_texts *texts) {
    const mc_hprof_column column = {.kind = MC_HPROF_COLUMN_CLASS};
    return mc_hprof_texts_list_kinds(self->dump, &column, 1, self->form, texts);
}

// The longest text of a field that names roots: all kinds.
static size_t measure_roots(void) {
    size_t size = 2;
    for (uint32_t i = 0; i < MC_ROOT_COUNT; i++)
        size += strlen(mc_root_kind_names[i]) + 2;
    return size;
}

// Columns that a class tells become one field as far as they stand together.
static uint32_t count_run(const row_writer *self, uint32_t begin) {
    const mc_hprof_column *columns = self->columns->items;
    uint32_t end = begin;
    while (end < self->columns->count && mc_hprof_column_is_of_class(&columns[end]) &&
           columns[end].end == columns[begin].end)
        end++;
    return end - begin;
}

static bool prepare_op(row_writer *self, const mc_hprof_column *column, uint32_t run, row_op *op) {
    op->kind = run > 0 ? OP_KIND : column->kind;
    op->end = column->end;
    if (run > 0) return mc_hprof_texts_list_kinds(self->dump, column, run, self->form, &op->texts);
    switch (column->kind) {
    case MC_HPROF_COLUMN_TIME: return list_time(self, &op->texts);
    case MC_HPROF_COLUMN_STRUCTURE: return list_structures(self, &op->texts);
    case MC_HPROF_COLUMN_FIELD: return list_fields(self, &op->texts);
    case MC_HPROF_COLUMN_DOMINATOR_CLASS: return list_classes(self, &op->texts);
    default: return true;
    }
}

static bool needs_object(mc_hprof_column_kind kind) {
    return kind == MC_HPROF_COLUMN_STRUCTURE || kind == MC_HPROF_COLUMN_RETAINED ||
           kind == MC_HPROF_COLUMN_RETAINED_OBJECTS || kind == MC_HPROF_COLUMN_DOMINATOR ||
           kind == MC_HPROF_COLUMN_DOMINATOR_CLASS;
}

static bool prepare_ops(row_writer *self) {
    bool is_done = true;
    self->row_size = 1;
    for (uint32_t i = 0; i < self->columns->count && is_done;) {
        row_op *op = &self->ops[self->op_count++];
        uint32_t run = count_run(self, i);
        is_done = prepare_op(self, &self->columns->items[i], run, op);
        size_t size = op->kind == MC_HPROF_COLUMN_ROOT ? measure_roots() : op->texts.longest;
        if (size < MC_ROW_NUMBER_SIZE) size = MC_ROW_NUMBER_SIZE;
        self->row_size += 1 + size;
        self->has_object = self->has_object || needs_object(op->kind);
        self->has_value = self->has_value || op->kind == MC_HPROF_COLUMN_VALUE;
        i += run > 0 ? run : 1;
    }
    return is_done;
}

// ---- a row

static char *put_text(char *out, const mc_hprof_texts *texts, uint32_t index) {
    size_t size;
    const char *bytes = mc_hprof_texts_get(texts, index, &size);
    return mc_row_put(out, bytes, size);
}

static char *put_roots(const row_writer *self, char *out, uint64_t id) {
    uint64_t kinds = mc_hprof_table_get(&self->objects.roots, id);
    if (kinds == MC_HPROF_NO_VALUE) return mc_row_put_null(out, self->form);
    bool is_quoted = self->form == MC_ROW_CSV && (kinds & (kinds - 1)) != 0;
    if (is_quoted) *out++ = '"';
    for (bool is_first = true; kinds != 0; kinds &= kinds - 1, is_first = false) {
        const char *name = mc_root_kind_names[__builtin_ctzll(kinds)];
        if (!is_first) out = mc_row_put(out, ", ", 2);
        out = mc_row_put(out, name, strlen(name));
    }
    if (is_quoted) *out++ = '"';
    return out;
}

static bool is_reached(const row_writer *self, const object_row *row) {
    return row->object != MC_NONE &&
           self->objects.numbers[row->object] < self->dump->heap.tree.reachable;
}

static char *put_retained(const row_writer *self, char *out, const object_row *row, bool is_bytes) {
    if (!is_reached(self, row)) return mc_row_put_number(out, 0);
    uint32_t number = self->objects.numbers[row->object];
    if (!is_bytes) return mc_row_put_number(out, self->dump->heap.tree.sizes[number]);
    const uint64_t *below = self->objects.bytes_below;
    uint32_t end = mc_dominator_tree_get_end(&self->dump->heap.tree, number);
    return mc_row_put_number(out, below[end] - below[number]);
}

static const char *const region_names[MC_HEAP_REGION_COUNT] = {
    [MC_HEAP_STRONG] = "(roots)",
    [MC_HEAP_FINALIZING] = "(pending finalizers)",
    [MC_HEAP_SOFT] = "(soft references)"};

// MC_NONE: none, or the roots, which have number 0.
static uint32_t get_dominator(const row_writer *self, const object_row *row) {
    if (!is_reached(self, row)) return MC_NONE;
    return self->objects.dominators[self->objects.numbers[row->object]];
}

// A root, which is no object.
static bool is_root(const row_writer *self, uint32_t dominator) {
    const mc_dominator_tree *tree = &self->dump->heap.tree;
    for (uint32_t i = 0; i < tree->late_root_count; i++)
        if (tree->late_roots[i] == dominator) return true;
    return dominator == 0;
}

static char *put_dominator(const row_writer *self, char *out, const object_row *row) {
    uint32_t dominator = get_dominator(self, row);
    if (dominator == MC_NONE || is_root(self, dominator)) return mc_row_put_null(out, self->form);
    return mc_row_put_number(out, self->objects.addresses[dominator]);
}

static char *put_dominator_class(const row_writer *self, char *out, const object_row *row,
                                 const mc_hprof_texts *texts) {
    uint32_t dominator = get_dominator(self, row);
    if (dominator == MC_NONE) return mc_row_put(out, "(none)", 6);
    if (is_root(self, dominator)) {
        const char *name = region_names[mc_heap_get_region(&self->dump->heap, dominator)];
        return mc_row_put(out, name, strlen(name));
    }
    return put_text(out, texts, self->objects.number_kinds[dominator]);
}

static inline char *put_field(const row_writer *self, const row_worker *worker, char *out,
                              const row_op *op, const object_row *row) {
    switch (op->kind) {
    case OP_KIND: return put_text(out, &op->texts, row->kinds[op->end]);
    case MC_HPROF_COLUMN_TIME: return put_text(out, &op->texts, 0);
    case MC_HPROF_COLUMN_ADDRESS: return mc_row_put_number(out, row->ids[op->end]);
    case MC_HPROF_COLUMN_BYTES:
        return mc_row_put_number(
            out, mc_hprof_classes_measure(&self->dump->classes, row->kind, row->class, row->item));
    case MC_HPROF_COLUMN_LENGTH:
        return row->kind == MC_HPROF_OBJECTS || row->kind == MC_HPROF_PRIMITIVES
                   ? mc_row_put_number(out, row->item->count)
                   : mc_row_put_null(out, self->form);
    case MC_HPROF_COLUMN_VALUE: return mc_row_put(out, worker->field.data, worker->field.size);
    case MC_HPROF_COLUMN_STRUCTURE:
        return put_text(out, &op->texts,
                        row->object == MC_NONE || !self->dump->heap.leaves.of ||
                                self->dump->heap.leaves.of[row->object] == MC_NONE
                            ? self->dump->heap.leaves.count
                            : self->dump->heap.leaves.of[row->object]);
    case MC_HPROF_COLUMN_ROOT: return put_roots(self, out, row->ids[0]);
    case MC_HPROF_COLUMN_RETAINED: return put_retained(self, out, row, true);
    case MC_HPROF_COLUMN_RETAINED_OBJECTS: return put_retained(self, out, row, false);
    case MC_HPROF_COLUMN_DOMINATOR: return put_dominator(self, out, row);
    case MC_HPROF_COLUMN_DOMINATOR_CLASS: return put_dominator_class(self, out, row, &op->texts);
    case MC_HPROF_COLUMN_FIELD: return put_text(out, &op->texts, row->link);
    default: *out = self->is_weak[row->link] ? '1' : '0'; return out + 1;
    }
}

// The one field that may be of any size.
static bool find_value(const row_writer *self, row_worker *worker, const object_row *row) {
    mc_text_clear(&worker->value);
    mc_text_clear(&worker->field);
    mc_hprof_append_value(&self->dump->classes, &self->dump->file, row->kind, row->class, row->item,
                          &worker->value);
    if (worker->value.size == 0)
        mc_text_append_string(&worker->field, mc_row_get_null(self->form));
    else
        mc_row_append_text(&worker->field, self->form, worker->value.data, worker->value.size);
    return !worker->value.failed && !worker->field.failed;
}

static bool put_row(row_writer *self, row_worker *worker, size_t part, const object_row *row) {
    mc_text *text = &worker->text;
    bool has_value = !self->has_value || find_value(self, worker, row);
    if (!has_value || !mc_reserve(&text->data, &text->capacity,
                                  text->size + self->row_size + worker->field.size, 1)) {
        text->failed = true;
        return mc_ordered_output_fail(&self->output);
    }
    char *out = text->data + text->size;
    const char separator = mc_row_get_separator(self->form);
    for (uint32_t i = 0; i < self->op_count; i++) {
        if (i > 0) *out++ = separator;
        out = put_field(self, worker, out, &self->ops[i], row);
    }
    *out++ = '\n';
    text->size = (size_t)(out - text->data);
    if (text->size < worker->next_pass) return true;
    bool is_done = mc_ordered_output_pass(&self->output, part, text);
    worker->next_pass = text->size + PASS_SIZE;
    return is_done;
}

// ---- references

typedef struct reference_walk {
    row_writer *self;
    row_worker *worker;
    size_t part;
    object_row row;
    uint32_t first_link;
    bool has_failed;
} reference_walk;

static bool put_reference(void *user, uint32_t slot, uint64_t id) {
    reference_walk *walk = user;
    if (id == 0) return true;
    uint32_t target =
        mc_hprof_ids_find(&walk->self->dump->tallies.ids, id, &walk->worker->target_hint);
    if (target == MC_NONE) return true; // the dump does not hold it
    walk->row.ids[1] = id;
    walk->row.kinds[1] = walk->self->objects.kinds ? walk->self->objects.kinds[target] : 0;
    walk->row.link = walk->first_link + slot;
    // What is read again may have changed.
    if (walk->row.link >= walk->self->dump->heap.link_count) return true;
    walk->has_failed = !put_row(walk->self, walk->worker, walk->part, &walk->row);
    return !walk->has_failed;
}

static uint32_t get_first_link(const row_writer *self, uint32_t kind) {
    return self->dump->heap.kinds[kind].first_link;
}

static void put_instance_references(reference_walk *walk) {
    const mc_hprof_classes *classes = &walk->self->dump->classes;
    const mc_hprof_class *class = &classes->items[walk->row.class];
    const mc_hprof_item *item = walk->row.item;
    const uint32_t id_size = walk->self->dump->file.id_size;
    walk->first_link =
        get_first_link(walk->self, walk->self->dump->kinds.classes[walk->row.class].instance);
    for (uint32_t i = 0; i < class->reference_count; i++) {
        uint32_t offset = classes->references[class->reference_begin + i];
        if ((uint64_t)offset + id_size <= item->data_size &&
            !put_reference(walk, i, mc_hprof_read_id(item->data + offset, id_size)))
            return;
    }
}

static bool put_references(row_writer *self, row_worker *worker, size_t part,
                           const object_row *from) {
    reference_walk walk = {.self = self, .worker = worker, .part = part, .row = *from};
    const mc_hprof_file *file = &self->dump->file;
    const mc_hprof_item *item = from->item;
    mc_hprof_class_record record;
    switch (from->kind) {
    case MC_HPROF_INSTANCE: put_instance_references(&walk); break;
    case MC_HPROF_OBJECTS:
        walk.first_link = get_first_link(self, self->dump->kinds.classes[from->class].array);
        for (uint64_t i = 0; i < item->data_size; i += file->id_size)
            if (!put_reference(&walk, 0, mc_hprof_read_id(item->data + i, file->id_size))) break;
        break;
    case MC_HPROF_CLASS:
        walk.first_link = get_first_link(self, self->dump->kinds.classes[from->class].object);
        (void)mc_hprof_parse_class(item->begin + 1, file->data + file->size, file->id_size,
                                   &record);
        mc_hprof_visit_class_slots(file, &record, put_reference, &walk);
        break;
    default: break;
    }
    return !walk.has_failed;
}

// ---- all of it

static bool write_item(row_writer *self, row_worker *worker, size_t part, mc_hprof_kind kind,
                       const mc_hprof_item *item) {
    object_row row = {.ids = {item->id}, .object = MC_NONE, .kind = kind, .item = item};
    const mc_hprof_dump *dump = self->dump;
    row.kinds[0] = mc_hprof_kinds_find(&dump->kinds, &dump->classes, &dump->file, &worker->recent,
                                       kind, item, &row.class);
    if (row.kinds[0] == MC_HPROF_KIND_UNKNOWN) return true;
    if (self->columns->is_references) return put_references(self, worker, part, &row);
    if (self->has_object)
        row.object = mc_hprof_ids_find(&self->dump->tallies.ids, item->id, &worker->hint);
    return put_row(self, worker, part, &row);
}

static mc_result write_batch(void *user, uint32_t thread, size_t task) {
    row_writer *self = user;
    row_worker *worker = &self->workers[thread];
    const mc_hprof_file *file = &self->dump->file;
    const mc_hprof_batch *batch = &self->dump->batches[task];
    bool is_done = true;
    worker->next_pass = PASS_SIZE;
    mc_hprof_walk walk = mc_hprof_walk_begin(file, batch);
    mc_hprof_item item;
    mc_hprof_kind kind;
    while (is_done && mc_hprof_walk_next(&walk, &kind, &item))
        is_done = kind == MC_HPROF_ROOT || write_item(self, worker, task, kind, &item);
    is_done = is_done && mc_ordered_output_end(&self->output, task, &worker->text);
    mc_hprof_file_end_batch(file, batch, &self->dump->crew);
    if (is_done) return MC_OK;
    return worker->text.failed ? MC_ERROR_OUT_OF_MEMORY : MC_ERROR_IO;
}

static mc_result find_weak_links(row_writer *self, mc_error *error) {
    const mc_heap *heap = &self->dump->heap;
    mc_text name = {0};
    self->is_weak = mc_alloc_scattered((size_t)heap->link_count + 1, sizeof *self->is_weak);
    for (uint32_t i = 0; i < heap->link_count && self->is_weak; i++) {
        uint32_t slot, kind = mc_heap_find_link(heap, i, &slot);
        mc_text_clear(&name);
        self->is_weak[i] = mc_hprof_words.append_link(self->dump, kind, slot, MC_HEAP_WORDS_SHORT,
                                                      &name) == MC_HEAP_LINK_WEAK;
    }
    bool is_done = self->is_weak && !name.failed;
    mc_text_deinit(&name);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}

static mc_result prepare(row_writer *self, mc_error *error) {
    mc_hprof_dump *dump = self->dump;
    mc_result result = mc_hprof_objects_find(&self->objects, dump, self->columns, error);
    if (result == MC_OK && self->columns->is_references) result = find_weak_links(self, error);
    if (result != MC_OK) return result;
    self->workers = mc_alloc_zero_scattered(dump->crew.worker_count, sizeof *self->workers);
    return self->workers && prepare_ops(self) ? MC_OK : mc_error_out_of_memory(error);
}

static void deinit_worker(row_worker *worker) {
    mc_text_deinit(&worker->text);
    mc_text_deinit(&worker->value);
    mc_text_deinit(&worker->field);
}

static void deinit(row_writer *self) {
    for (uint32_t i = 0; self->workers && i < self->dump->crew.worker_count; i++)
        deinit_worker(&self->workers[i]);
    mc_free(self->workers);
    for (uint32_t i = 0; i < self->op_count; i++)
        mc_hprof_texts_deinit(&self->ops[i].texts);
    mc_free(self->is_weak);
    mc_hprof_objects_deinit(&self->objects);
}

mc_result mc_hprof_rows_write(mc_hprof_dump *dump, const mc_hprof_columns *columns,
                              mc_row_form form, mc_output_sink sink, mc_error *error) {
    row_writer self = {.dump = dump, .columns = columns, .form = form};
    mc_result result = prepare(&self, error);
    if (result == MC_OK) result = mc_ordered_output_init(&self.output, sink, error);
    if (result == MC_OK) {
        dump->crew.total += dump->walk_size;
        result = mc_hprof_crew_run(&dump->crew, dump->batch_count, write_batch, &self, error);
        mc_ordered_output_deinit(&self.output);
    }
    deinit(&self);
    return result;
}
