// The tables that answer in SQL by what objects are held: fields and roots of the first and of the
// last step, as plain numbers and texts.
#include "engine/base/memory.h"
#include "engine/store/mct/mct_holders.h"
#include <string.h>

typedef struct rows {
    mc_mct_writer *writer;
    const uint8_t *has_children;
    mc_holders first, last;
    bool has_first, has_last; // the steps' are known
    sqlite3_stmt *statement;
    mc_error *error;
} rows;

static mc_result read_step(rows *self, uint32_t index, mc_holders *holders, bool *is_known) {
    mc_mct_writer *writer = self->writer;
    const mc_seen_step *step = &writer->builder->steps[index];
    mc_mct_holder_limits limits = {step->seen_count, writer->builder->strings.count};
    *is_known = step->info.has_holders;
    if (!*is_known) return MC_OK;
    mc_result result = mc_mct_read_fields(&writer->file, &writer->codec, (int64_t)index + 1, limits,
                                          &holders->fields, &holders->field_count, self->error);
    return result == MC_OK
               ? mc_mct_read_roots(&writer->file, &writer->codec, (int64_t)index + 1, limits,
                                   &holders->roots, &holders->root_count, self->error)
               : result;
}

static mc_result prepare(rows *self, const char *sql) {
    sqlite3_finalize(self->statement);
    self->statement = NULL;
    int code = sqlite3_prepare_v2(self->writer->file.db, sql, -1, &self->statement, NULL);
    return code == SQLITE_OK ? MC_OK : mc_mct_file_fail(&self->writer->file, code, self->error);
}

// In the table `node`: the row of a leaf, or of the share of a node that is none in another step.
static void bind_node(rows *self, int index, uint32_t node) {
    sqlite3_bind_int64(self->statement, index,
                       self->has_children[node] ? -1 - (int64_t)node : (int64_t)node);
}

static void bind_name(rows *self, int index, uint32_t name) {
    size_t size;
    if (name == MC_NONE) return; // NULL
    const char *text = mc_strings_get(&self->writer->builder->strings, name, &size);
    sqlite3_bind_text64(self->statement, index, text, size, SQLITE_STATIC, SQLITE_UTF8);
}

// What a step does not have is 0; NULL if the step's are not known.
static void bind_count(rows *self, int index, bool is_known, bool is_there, uint64_t count) {
    if (is_known) sqlite3_bind_int64(self->statement, index, is_there ? (int64_t)count : 0);
}

static mc_result step(rows *self) {
    int code = sqlite3_step(self->statement);
    sqlite3_reset(self->statement);
    sqlite3_clear_bindings(self->statement);
    return code == SQLITE_DONE ? MC_OK : mc_mct_file_fail(&self->writer->file, code, self->error);
}

// Which of two sorted lists goes on, by what comparing their next entries gave: < 0: the first one,
// > 0: the last one, 0: both.
static int choose(const void *first, const void *last, int order) {
    return !first ? 1 : !last ? -1 : order;
}

static mc_result write_fields(rows *self) {
    const mc_holders *a = &self->first, *b = &self->last;
    mc_result result = prepare(self, "INSERT INTO node_field(from_node, to_node, field, weak, "
                                     "first, last) VALUES(?, ?, ?, ?, ?, ?)");
    for (uint32_t i = 0, k = 0; (i < a->field_count || k < b->field_count) && result == MC_OK;) {
        const mc_field_count *x = i < a->field_count ? &a->fields[i] : NULL;
        const mc_field_count *y = k < b->field_count ? &b->fields[k] : NULL;
        int order = choose(x, y, x && y ? mc_field_count_compare(x, y) : 0);
        const mc_field_count *field = order <= 0 ? x : y;
        assert(field); // one of both lists goes on
        bind_node(self, 1, field->from);
        bind_node(self, 2, field->to);
        bind_name(self, 3, field->name);
        sqlite3_bind_int64(self->statement, 4, field->is_weak);
        bind_count(self, 5, self->has_first, order <= 0, order <= 0 ? x->count : 0);
        bind_count(self, 6, self->has_last, order >= 0, order >= 0 ? y->count : 0);
        result = step(self);
        i += order <= 0;
        k += order >= 0;
    }
    return result;
}

static mc_result write_roots(rows *self) {
    const mc_holders *a = &self->first, *b = &self->last;
    mc_result result = prepare(self, "INSERT INTO node_root(node, kind, name, first, last) "
                                     "VALUES(?, ?, ?, ?, ?)");
    for (uint32_t i = 0, k = 0; (i < a->root_count || k < b->root_count) && result == MC_OK;) {
        const mc_root_count *x = i < a->root_count ? &a->roots[i] : NULL;
        const mc_root_count *y = k < b->root_count ? &b->roots[k] : NULL;
        int order = choose(x, y, x && y ? mc_root_count_compare(x, y) : 0);
        const mc_root_count *root = order <= 0 ? x : y;
        assert(root);
        bind_node(self, 1, root->node);
        sqlite3_bind_text(self->statement, 2, mc_root_kind_names[root->kind], -1, SQLITE_STATIC);
        bind_name(self, 3, root->name);
        bind_count(self, 4, self->has_first, order <= 0, order <= 0 ? x->count : 0);
        bind_count(self, 5, self->has_last, order >= 0, order >= 0 ? y->count : 0);
        result = step(self);
        i += order <= 0;
        k += order >= 0;
    }
    return result;
}

mc_result mc_mct_write_holder_rows(mc_mct_writer *writer, uint32_t first_step, uint32_t last_step,
                                   const uint8_t *has_children, mc_error *error) {
    rows self = {.writer = writer, .has_children = has_children, .error = error};
    mc_result result =
        mc_mct_file_run(&writer->file, "DELETE FROM node_field; DELETE FROM node_root", error);
    if (result == MC_OK) result = mc_mct_file_measure(&writer->file, error);
    if (result == MC_OK) result = read_step(&self, first_step, &self.first, &self.has_first);
    if (result == MC_OK) result = read_step(&self, last_step, &self.last, &self.has_last);
    if (result == MC_OK) result = write_fields(&self);
    if (result == MC_OK) result = write_roots(&self);
    sqlite3_finalize(self.statement);
    mc_holders_deinit(&self.first);
    mc_holders_deinit(&self.last);
    return result;
}
