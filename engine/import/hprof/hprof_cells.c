#include "engine/import/hprof/hprof_cells.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_texts.h"

typedef struct cell_op {
    mc_hprof_column_kind kind;
    uint32_t *of_kinds; // of columns on the class: the word of each kind
    uint32_t *words;
    uint64_t *long_words;
} cell_op;

typedef struct cell_worker {
    mc_hprof_recent recent;
} cell_worker;

typedef struct cell_reader {
    mc_hprof_dump *dump;
    cell_op ops[MC_HPROF_COLUMNS_MAX];
    uint32_t op_count;
    uint64_t *begins; // of each batch's rows, and where the last one's end
    uint64_t *ends;   // as far as there are rows
    cell_worker *workers;
    atomic_bool is_too_wide;
} cell_reader;

bool mc_hprof_cells_can(const mc_hprof_columns *columns) {
    if (columns->is_references) return false;
    for (uint32_t i = 0; i < columns->count; i++) {
        const mc_hprof_column *column = &columns->items[i];
        if (!mc_hprof_column_is_of_class(column) && column->kind != MC_HPROF_COLUMN_ADDRESS &&
            column->kind != MC_HPROF_COLUMN_BYTES && column->kind != MC_HPROF_COLUMN_LENGTH)
            return false;
    }
    return true;
}

uint64_t mc_hprof_cells_count_rows(const mc_hprof_dump *dump) {
    return dump->tallies.object_count;
}

// ---- columns

static bool prepare_ops(cell_reader *self, const mc_hprof_columns *columns, mc_hprof_cells *cells) {
    for (uint32_t i = 0; i < columns->count; i++) {
        const mc_hprof_column *column = &columns->items[i];
        if (!cells->words[i] && !cells->long_words[i]) continue;
        cell_op *op = &self->ops[self->op_count++];
        *op = (cell_op){
            .kind = column->kind, .words = cells->words[i], .long_words = cells->long_words[i]};
        if (!mc_hprof_column_is_of_class(column)) continue;
        op->of_kinds =
            mc_alloc_scattered((size_t)self->dump->heap.kind_count + 1, sizeof *op->of_kinds);
        if (!op->of_kinds ||
            !mc_hprof_texts_intern_kinds(self->dump, column, cells->strings, op->of_kinds))
            return false;
    }
    return true;
}

static bool prepare(cell_reader *self, const mc_hprof_columns *columns, mc_hprof_cells *cells) {
    const mc_hprof_dump *dump = self->dump;
    self->begins = mc_alloc_scattered(dump->batch_count + 1, sizeof *self->begins);
    self->ends = mc_alloc_scattered(dump->batch_count + 1, sizeof *self->ends);
    self->workers = mc_alloc_zero_scattered(dump->crew.worker_count, sizeof *self->workers);
    if (!self->begins || !self->ends || !self->workers) return false;
    self->begins[0] = 0;
    for (size_t i = 0; i < dump->batch_count; i++)
        self->begins[i + 1] = self->begins[i] + dump->tallies.spans[i].object_count;
    assert(self->begins[dump->batch_count] <= cells->capacity);
    return prepare_ops(self, columns, cells);
}

static void deinit(cell_reader *self) {
    for (uint32_t i = 0; i < self->op_count; i++)
        mc_free(self->ops[i].of_kinds);
    mc_free(self->begins);
    mc_free(self->ends);
    mc_free(self->workers);
}

// ---- rows

// Words are short, and the last one is nothing.
static inline uint32_t narrow(uint64_t number, bool *is_too_wide) {
    if (number >= MC_NONE) *is_too_wide = true;
    return (uint32_t)number;
}

static inline void put_row(const cell_reader *self, uint64_t row, uint32_t kind, uint32_t class,
                           mc_hprof_kind record, const mc_hprof_item *item, bool *is_too_wide) {
    for (uint32_t i = 0; i < self->op_count; i++) {
        const cell_op *op = &self->ops[i];
        switch (op->kind) {
        case MC_HPROF_COLUMN_ADDRESS: op->long_words[row] = item->id; break;
        case MC_HPROF_COLUMN_BYTES:
            op->words[row] = narrow(
                mc_hprof_classes_measure(&self->dump->classes, record, class, item), is_too_wide);
            break;
        case MC_HPROF_COLUMN_LENGTH:
            op->words[row] = record == MC_HPROF_OBJECTS || record == MC_HPROF_PRIMITIVES
                                 ? narrow(item->count, is_too_wide)
                                 : MC_NONE;
            break;
        default: op->words[row] = op->of_kinds[kind];
        }
    }
}

static mc_result read_batch(void *user, uint32_t thread, size_t task) {
    cell_reader *self = user;
    const mc_hprof_dump *dump = self->dump;
    const mc_hprof_batch *batch = &dump->batches[task];
    mc_hprof_recent *recent = &self->workers[thread].recent;
    mc_hprof_walk walk = mc_hprof_walk_begin(&dump->file, batch);
    mc_hprof_item item;
    mc_hprof_kind record;
    uint64_t row = self->begins[task];
    bool is_too_wide = false;
    while (mc_hprof_walk_next(&walk, &record, &item)) {
        if (record == MC_HPROF_ROOT) continue;
        uint32_t class, kind = mc_hprof_kinds_find(&dump->kinds, &dump->classes, &dump->file,
                                                   recent, record, &item, &class);
        if (kind == MC_HPROF_KIND_UNKNOWN) continue;
        if (row == self->begins[task + 1]) break; // what is read again may have changed
        put_row(self, row++, kind, class, record, &item, &is_too_wide);
    }
    self->ends[task] = row;
    if (is_too_wide) atomic_store(&self->is_too_wide, true);
    mc_hprof_file_end_batch(&dump->file, batch, &self->dump->crew);
    return MC_OK;
}

// Closes gaps that batches have left.
static uint64_t join_rows(const cell_reader *self) {
    uint64_t count = 0;
    for (size_t i = 0; i < self->dump->batch_count; i++) {
        uint64_t begin = self->begins[i], size = self->ends[i] - begin;
        for (uint32_t k = 0; k < self->op_count && begin > count; k++) {
            const cell_op *op = &self->ops[k];
            if (op->words) memmove(op->words + count, op->words + begin, size * sizeof *op->words);
            if (op->long_words)
                memmove(op->long_words + count, op->long_words + begin,
                        size * sizeof *op->long_words);
        }
        count += size;
    }
    return count;
}

mc_result mc_hprof_cells_read(mc_hprof_dump *dump, const mc_hprof_columns *columns,
                              mc_hprof_cells *cells, mc_error *error) {
    cell_reader self = {.dump = dump};
    mc_result result = MC_OK;
    if (!prepare(&self, columns, cells)) result = mc_error_out_of_memory(error);
    if (result == MC_OK) {
        dump->crew.total += dump->walk_size;
        result = mc_hprof_crew_run(&dump->crew, dump->batch_count, read_batch, &self, error);
    }
    if (result == MC_OK) {
        cells->row_count = join_rows(&self);
        cells->is_too_wide = atomic_load(&self.is_too_wide);
    }
    deinit(&self);
    return result;
}
