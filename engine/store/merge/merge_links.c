// From a part's step into the file: what its objects are held by, and other names.
#include "engine/base/memory.h"
#include "engine/store/merge/merge_state.h"
#include <string.h>

// The file's number of a node, or of the one whose own share it is; MC_NONE: it is not there, or
// the root.
static uint32_t get_node(const mc_merge_copier *self, uint32_t node) {
    if (self->nodes->flags[node] & MC_NODE_SELF) node = self->nodes->parent[node];
    uint32_t place = self->place[node];
    return place == MC_NONE ? MC_NONE : self->begin + place;
}

// Of the member that the node belongs to, `from` is the step that is taken.
static bool is_chosen(const mc_merge_copier *self, uint32_t node, uint32_t step, uint32_t from) {
    const mc_merge_choice *choice = &mc_merge_get_choices(self, self->member_of[node])[step];
    return choice->first != MC_NONE && choice->chosen == from;
}

// Side by side the root's own share is of several parts: what it references is no part's.
static void note_root(mc_merge_copier *self, uint32_t node) {
    if (self->nodes->flags[node] & MC_NODE_SELF) node = self->nodes->parent[node];
    if (node == 0 && self->place[0] == MC_NONE) self->merge->root_links++;
}

static void note_own(mc_merge_copier *self, uint32_t node) {
    self->is_own[node - self->begin] = 1;
}

// ---- rows

// Whether the row's node is in the result and of a member that takes this step; the rest of the row
// is then translated.
static mc_result copy_row(mc_merge_copier *self, mc_side_table table, void *row, bool *is_copied,
                          mc_error *error) {
    const mc_side_desc *desc = &mc_side_tables[table];
    mc_result result = MC_OK;
    *is_copied = true;
    for (int i = 0; i < desc->column_count; i++) {
        const mc_side_column *column = &desc->columns[i];
        uint32_t *number = (uint32_t *)row + column->offset / sizeof(uint32_t);
        bool is_leaf = column->kind == MC_COLUMN_LEAF;
        if (!is_leaf && column->kind != MC_COLUMN_NODE) continue;
        if (column->may_lack && *number == MC_NONE) continue;
        if (is_leaf) note_root(self, *number);
        *number = get_node(self, *number);
        *is_copied &= *number != MC_NONE || column->may_lack;
    }
    for (int i = 0; i < desc->column_count && *is_copied && result == MC_OK; i++) {
        const mc_side_column *column = &desc->columns[i];
        uint32_t *number = (uint32_t *)row + column->offset / sizeof(uint32_t);
        if (column->may_lack && *number == MC_NONE) continue;
        if (column->kind == MC_COLUMN_LEAF) note_own(self, *number);
        if (column->kind == MC_COLUMN_PATH) *number = self->path_of[*number];
        if (column->kind == MC_COLUMN_CLASSIFIER) *number = self->role_of[*number];
        if (column->kind == MC_COLUMN_STRING)
            result = mc_merge_get_string(self, *number, number, error);
    }
    return result;
}

// Appends what a step of the part has in a table to what others had.
static mc_result copy_rows(mc_merge_copier *self, uint32_t step, uint32_t from, mc_side_table table,
                           mc_side_rows *rows, mc_error *error) {
    const mc_side_desc *desc = &mc_side_tables[table];
    mc_side_rows all = {.rows = NULL};
    mc_result result = mc_trace_read_side(self->trace, from, table, &all, error);
    if (result != MC_OK || all.count == 0) return result;
    void *more = mc_realloc(rows->rows, (size_t)rows->count + all.count, desc->row_size);
    if (more) rows->rows = more;
    if (!more) result = mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < all.count && result == MC_OK; i++) {
        void *row = mc_side_rows_get(table, &all, i);
        uint32_t node = *(const uint32_t *)row; // the first column of each table
        bool is_copied = false;
        if (!is_chosen(self, node, step, from) || (node == 0 && table == MC_SIDE_RENAMES)) continue;
        result = copy_row(self, table, row, &is_copied, error);
        if (is_copied) memcpy(mc_side_rows_get(table, rows, rows->count++), row, desc->row_size);
    }
    mc_side_rows_deinit(&all);
    return result;
}

// ---- retaining paths

mc_result mc_merge_copy_paths(mc_merge_copier *self, mc_error *error) {
    uint32_t count;
    const mc_retaining_path *all = mc_trace_get_paths(self->trace, &count);
    mc_result result = MC_OK;
    if (!mc_trace_has_paths(self->trace)) return MC_OK;
    self->path_of = mc_alloc((size_t)count + 1, sizeof *self->path_of);
    if (!self->path_of) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        mc_retaining_path path = all[i];
        bool is_copied;
        result = copy_row(self, MC_SIDE_PATHS, &path, &is_copied, error);
        if (result == MC_OK)
            result = mc_merge_file_add_path(self->merge->file, &path, &self->path_of[i], error);
    }
    return result;
}

// ---- owners

static mc_result copy_strings(mc_merge_copier *self, mc_side_table table, void *row,
                              mc_error *error) {
    const mc_side_desc *desc = &mc_side_tables[table];
    mc_result result = MC_OK;
    for (int i = 0; i < desc->column_count && result == MC_OK; i++) {
        const mc_side_column *column = &desc->columns[i];
        uint32_t *number = (uint32_t *)row + column->offset / sizeof(uint32_t);
        if (column->may_lack && *number == MC_NONE) continue;
        if (column->kind == MC_COLUMN_STRING)
            result = mc_merge_get_string(self, *number, number, error);
        if (column->kind == MC_COLUMN_OWNER) *number = self->owner_of[*number];
    }
    return result;
}

mc_result mc_merge_copy_owners(mc_merge_copier *self, mc_error *error) {
    uint32_t count;
    const mc_owner *all = mc_trace_get_owners(self->trace, &count);
    mc_result result = MC_OK;
    if (!mc_trace_has_owners(self->trace)) return MC_OK;
    self->owner_of = mc_alloc((size_t)count + 1, sizeof *self->owner_of);
    if (!self->owner_of) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        mc_owner owner = all[i];
        if (owner.place != MC_NONE) owner.place = get_node(self, owner.place);
        // Side by side the part's root is the file's.
        if (owner.place == MC_NONE && all[i].place != MC_NONE) owner.place = 0;
        result = copy_strings(self, MC_SIDE_OWNERS, &owner, error);
        if (result == MC_OK)
            result = mc_merge_file_add_owner(self->merge->file, &owner, &self->owner_of[i], error);
    }
    return result;
}

static mc_result copy_step_owners(mc_merge_copier *self, uint32_t step, mc_error *error) {
    static const mc_side_table tables[] = {MC_SIDE_OWNER_SUMS, MC_SIDE_OWNER_WAYS};
    uint32_t chosen = mc_merge_get_chosen(self, step);
    mc_result result = MC_OK;
    if (chosen == MC_NONE || !self->owner_of) return MC_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && result == MC_OK; i++) {
        mc_side_rows rows = {.rows = NULL};
        result = mc_trace_read_side(self->trace, chosen, tables[i], &rows, error);
        for (uint32_t k = 0; k < rows.count && result == MC_OK; k++)
            result = copy_strings(self, tables[i], mc_side_rows_get(tables[i], &rows, k), error);
        if (result == MC_OK)
            result = mc_merge_file_add_owner_rows(self->merge->file, step, tables[i], &rows, error);
        mc_side_rows_deinit(&rows);
    }
    return result;
}

// ---- all of a step

mc_result mc_merge_copy_links(mc_merge_copier *self, uint32_t step, mc_error *error) {
    mc_side_rows rows[MC_SIDE_HELD] = {{NULL, 0}};
    mc_result result = copy_step_owners(self, step, error);
    // Each of the part's steps is read once, whichever of its members need it.
    for (uint32_t from = 0; from < self->source->step_count && result == MC_OK; from++) {
        bool any = false;
        for (uint32_t i = 0; i < self->source->member_count && !any; i++) {
            const mc_merge_choice *choice = &mc_merge_get_choices(self, i)[step];
            any = choice->first != MC_NONE && choice->chosen == from;
        }
        for (int table = 0; table < MC_SIDE_HELD && any && result == MC_OK; table++)
            result = copy_rows(self, step, from, (mc_side_table)table, &rows[table], error);
    }
    for (int table = 0; table < MC_SIDE_HELD; table++) {
        // Different names of a step stay different ones, but for strings that the file has twice;
        // see mc_merge_file_add_string().
        mc_side_rows_sort((mc_side_table)table, &rows[table]);
        if (result == MC_OK)
            result = mc_merge_file_add_rows(self->merge->file, step, (mc_side_table)table,
                                            &rows[table], error);
        mc_side_rows_deinit(&rows[table]);
    }
    return result;
}
