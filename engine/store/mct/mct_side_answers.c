// The tables that answer in SQL by what objects are held: fields, roots, retaining paths and owners
// of the first and of the last step, as plain numbers and texts.
#include "engine/base/memory.h"
#include "engine/store/mct/mct_side.h"
#include "engine/store/mct/mct_writer_state.h"
#include <stdlib.h>
#include <string.h>

// A table in SQL has the key's columns, then some numbers of the first step, then those of the
// last.
typedef struct answer {
    mc_side_table table;
    int number_count;
    const char *insert; // NULL: it is filled in a way of its own
} answer;

static const answer answers[] = {
    {MC_SIDE_FIELDS, 1,
     "INSERT INTO node_field(from_node, to_node, field, weak, first, last) "
     "VALUES(?, ?, ?, ?, ?, ?)"},
    {MC_SIDE_ROOTS, 1,
     "INSERT INTO node_root(node, kind, name, first, last) VALUES(?, ?, ?, ?, ?)"},
    {MC_SIDE_SUMS, 2,
     "INSERT INTO node_path(node, path, objects_first, bytes_first, objects_last, bytes_last) "
     "VALUES(?, ?, ?, ?, ?, ?)"},
    {MC_SIDE_OWNER_SUMS, 0, NULL}};

typedef struct asker {
    mc_mct_writer *writer;
    const uint8_t *has_children; // of the trace, a byte per node
    uint32_t steps[2];           // the first and the last one, the builder's
    mc_side_rows rows[2];        // of these
    bool is_known[2];
    bool *is_used; // by path
    sqlite3_stmt *statement;
    mc_error *error;
} asker;

static mc_result prepare(asker *self, const char *sql) {
    sqlite3_finalize(self->statement);
    self->statement = NULL;
    int code = sqlite3_prepare_v2(self->writer->file.db, sql, -1, &self->statement, NULL);
    return code == SQLITE_OK ? MC_OK : mc_mct_file_fail(&self->writer->file, code, self->error);
}

static mc_result step(asker *self) {
    int code = sqlite3_step(self->statement);
    sqlite3_reset(self->statement);
    sqlite3_clear_bindings(self->statement);
    return code == SQLITE_DONE ? MC_OK : mc_mct_file_fail(&self->writer->file, code, self->error);
}

static void bind_text(asker *self, int index, uint32_t string) {
    size_t size;
    const char *text = mc_strings_get(&self->writer->builder->strings, string, &size);
    sqlite3_bind_text64(self->statement, index, text, size, SQLITE_STATIC, SQLITE_UTF8);
}

// A column of a row; what it lacks stays NULL.
static void bind_column(asker *self, int index, const mc_side_column *column, const void *row) {
    assert(row);
    uint32_t number = ((const uint32_t *)row)[column->offset / sizeof(uint32_t)];
    if (column->may_lack && number == MC_NONE) return;
    if (column->kind == MC_COLUMN_STRING)
        bind_text(self, index, number);
    else if (column->kind == MC_COLUMN_ROOT_KIND)
        sqlite3_bind_text(self->statement, index, mc_root_kind_names[number], -1, SQLITE_STATIC);
    else if (column->kind == MC_COLUMN_LEAF && self->has_children[number])
        // In the table `node`: the share of a node that is a leaf in another step.
        sqlite3_bind_int64(self->statement, index, -1 - (int64_t)number);
    else
        sqlite3_bind_int64(self->statement, index, number);
}

static void bind_columns(asker *self, int index, mc_side_table table, int count, const void *row) {
    for (int i = 0; i < count; i++)
        bind_column(self, index + i, &mc_side_tables[table].columns[i], row);
}

// What a step does not have is 0; NULL if the step's are not known.
static void bind_numbers(asker *self, int index, const answer *to, bool is_known, const void *row) {
    const mc_side_desc *desc = &mc_side_tables[to->table];
    int first = desc->column_count - 1;
    while (desc->columns[first - 1].kind == MC_COLUMN_NUMBER)
        first--;
    for (int i = 0; i < to->number_count && is_known; i++) {
        int64_t number = 0;
        if (row)
            memcpy(&number, (const unsigned char *)row + desc->columns[first + i].offset,
                   sizeof number);
        sqlite3_bind_int64(self->statement, index + i, number);
    }
}

// Both steps' rows are sorted: those of one key become one.
static mc_result write_rows(asker *self, const answer *to) {
    int keys = mc_side_tables[to->table].key_count;
    mc_side_compare *compare = mc_side_get_compare(to->table);
    const mc_side_rows *a = &self->rows[0], *b = &self->rows[1];
    mc_result result = prepare(self, to->insert);
    for (uint32_t i = 0, k = 0; (i < a->count || k < b->count) && result == MC_OK;) {
        const void *x = i < a->count ? mc_side_rows_get(to->table, a, i) : NULL;
        const void *y = k < b->count ? mc_side_rows_get(to->table, b, k) : NULL;
        int order = !x ? 1 : !y ? -1 : compare(x, y);
        bind_columns(self, 1, to->table, keys, order <= 0 ? x : y);
        bind_numbers(self, keys + 1, to, self->is_known[0], order <= 0 ? x : NULL);
        bind_numbers(self, keys + 1 + to->number_count, to, self->is_known[1],
                     order >= 0 ? y : NULL);
        result = step(self);
        i += order <= 0;
        k += order >= 0;
    }
    return result;
}

// ---- retaining paths

static mc_retaining_path get_path(const asker *self, uint32_t index) {
    mc_retaining_path path;
    size_t size;
    memcpy(&path, mc_strings_get(&self->writer->builder->paths, index, &size), sizeof path);
    return path;
}

// To each sum, what is below it: a node has the paths above those that it has, and they have lower
// numbers, but for the GC roots, which come last.
static void add_up(const asker *self, mc_side_rows *rows) {
    mc_path_sum *sums = rows->rows;
    for (uint32_t begin = 0, end; begin < rows->count; begin = end) {
        for (end = begin + 1; end < rows->count && sums[end].node == sums[begin].node;)
            end++;
        for (uint32_t i = begin; i < end; i++) {
            sums[i].objects += sums[i].rest_objects;
            sums[i].bytes += sums[i].rest_bytes;
        }
        for (uint32_t i = end; i-- > begin;) {
            if (sums[i].path == MC_NONE) continue;
            mc_path_sum key = {.node = sums[i].node, .path = get_path(self, sums[i].path).parent};
            mc_path_sum *above =
                bsearch(&key, sums + begin, end - begin, sizeof *sums, mc_path_sum_compare);
            if (!above) continue; // not of an input that is as it should be
            above->objects += sums[i].objects;
            above->bytes += sums[i].bytes;
        }
    }
}

static mc_result write_used_paths(asker *self) {
    mc_result result = prepare(self, "INSERT INTO held_path(id, parent, field, class, place) "
                                     "VALUES(?, ?, ?, ?, ?)");
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < self->rows[i].count; k++) {
            uint32_t at = ((const mc_path_sum *)self->rows[i].rows)[k].path;
            for (; at != MC_NONE && !self->is_used[at]; at = get_path(self, at).parent)
                self->is_used[at] = true;
        }
    for (uint32_t i = 0; i < self->writer->builder->paths.count && result == MC_OK; i++) {
        if (!self->is_used[i]) continue;
        mc_retaining_path path = get_path(self, i);
        sqlite3_bind_int64(self->statement, 1, i);
        bind_columns(self, 2, MC_SIDE_PATHS, mc_side_tables[MC_SIDE_PATHS].column_count, &path);
        result = step(self);
    }
    return result;
}

// ---- owners

static void bind_owner(asker *self, uint32_t index) {
    mc_owner owner;
    mc_builder_get_owner(self->writer->builder, index, &owner);
    const char *kind = owner.root == MC_OWNER_SHARED ? "shared" : mc_root_kind_names[owner.root];
    sqlite3_bind_int64(self->statement, 1, index);
    if (owner.parent != MC_NONE)
        sqlite3_bind_int64(self->statement, 2, owner.parent);
    else
        sqlite3_bind_text(self->statement, 3, kind, -1, SQLITE_STATIC);
    if (owner.field != MC_NONE) bind_text(self, 4, owner.field);
    bind_text(self, 5, owner.class);
    if (owner.place != MC_NONE) sqlite3_bind_int64(self->statement, 6, owner.place);
}

// Both steps' rows are sorted by owner, and have the owners above those that they have.
static mc_result write_owners(asker *self) {
    mc_result result = prepare(
        self, "INSERT INTO heap_owner(id, parent, kind, field, class, place, objects_first, "
              "retained_first, bytes_first, objects_last, retained_last, bytes_last) "
              "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    uint32_t at[2] = {0};
    while (result == MC_OK) {
        uint32_t owner = MC_NONE;
        const mc_owner_sum *sums[2];
        for (int i = 0; i < 2; i++) {
            bool is_left = at[i] < self->rows[i].count;
            sums[i] = is_left ? (const mc_owner_sum *)self->rows[i].rows + at[i] : NULL;
            if (sums[i] && sums[i]->owner < owner) owner = sums[i]->owner;
        }
        if (owner == MC_NONE) break;
        bind_owner(self, owner);
        for (int i = 0; i < 2; i++) {
            bool is_there = sums[i] && sums[i]->owner == owner;
            const mc_owner_sum none = {0}, *sum = is_there ? sums[i] : &none;
            at[i] += is_there;
            if (!self->is_known[i]) continue;
            sqlite3_bind_int64(self->statement, 7 + 3 * i, (int64_t)sum->objects);
            sqlite3_bind_int64(self->statement, 8 + 3 * i, (int64_t)sum->retained_objects);
            sqlite3_bind_int64(self->statement, 9 + 3 * i, (int64_t)sum->retained_bytes);
        }
        result = step(self);
    }
    return result;
}

// ---- all

static bool has_table(const mc_step_info *info, mc_side_table table) {
    if (table == MC_SIDE_OWNER_SUMS) return info->has_owners;
    return table == MC_SIDE_SUMS ? info->has_paths : info->has_referrers;
}

static mc_result write_answer(asker *self, const answer *to) {
    mc_mct_writer *writer = self->writer;
    mc_result result = MC_OK;
    for (int i = 0; i < 2 && result == MC_OK; i++) {
        const mc_seen_step *of = &writer->builder->steps[self->steps[i]];
        mc_mct_limits limits = {.node_count = of->seen_count,
                                .string_count = writer->builder->strings.count,
                                .path_count = writer->builder->paths.count,
                                .owner_count = writer->builder->owners.count};
        self->is_known[i] = has_table(&of->info, to->table);
        if (!self->is_known[i]) continue;
        result =
            mc_mct_read_side(&writer->file, &writer->codec, to->table, (int64_t)self->steps[i] + 1,
                             limits, MC_NONE, &self->rows[i], self->error);
        if (to->table == MC_SIDE_SUMS) add_up(self, &self->rows[i]);
    }
    if (result == MC_OK && to->table == MC_SIDE_OWNER_SUMS) result = write_owners(self);
    if (result == MC_OK && to->insert) result = write_rows(self, to);
    if (result == MC_OK && to->table == MC_SIDE_SUMS) result = write_used_paths(self);
    for (int i = 0; i < 2; i++)
        mc_side_rows_deinit(&self->rows[i]);
    return result;
}

static bool has_tables(const mc_mct_file *file, mc_side_table table) {
    if (table == MC_SIDE_OWNER_SUMS) return file->has_owners;
    return table == MC_SIDE_SUMS ? file->has_paths : file->has_referrers;
}

mc_result mc_mct_write_side_answers(mc_mct_writer *writer, uint32_t first_step, uint32_t last_step,
                                    const uint8_t *has_children, mc_error *error) {
    const mc_mct_file *file = &writer->file;
    asker self = {.writer = writer,
                  .has_children = has_children,
                  .steps = {first_step, last_step},
                  .error = error};
    self.is_used = mc_alloc_zero((size_t)writer->builder->paths.count + 1, sizeof *self.is_used);
    mc_result result = self.is_used ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK && file->has_referrers)
        result =
            mc_mct_file_run(&writer->file, "DELETE FROM node_field; DELETE FROM node_root", error);
    if (result == MC_OK && file->has_paths)
        result =
            mc_mct_file_run(&writer->file, "DELETE FROM node_path; DELETE FROM held_path", error);
    if (result == MC_OK && file->has_owners)
        result = mc_mct_file_run(&writer->file, "DELETE FROM heap_owner", error);
    if (result == MC_OK) result = mc_mct_file_measure(&writer->file, error);
    for (size_t i = 0; i < sizeof answers / sizeof *answers && result == MC_OK; i++)
        if (has_tables(file, answers[i].table)) result = write_answer(&self, &answers[i]);
    sqlite3_finalize(self.statement);
    mc_free(self.is_used);
    return result;
}
