#include "engine/analyze/retaining_tree.h"

#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include <stdlib.h>

// The rows of a group at one step, in the order of its sums, with the GC roots in the end.
typedef struct step_rows {
    mc_path_sums sums; // of all groups
    const mc_path_sum *own;
    uint32_t own_count;
    mc_retaining_row *rows; // those of sums, then the rests
    uint32_t count;
} step_rows;

static void step_rows_deinit(step_rows *self) {
    mc_path_sums_deinit(&self->sums);
    mc_free(self->rows);
}

// The sum of a path among those of the group; MC_NONE: it has none.
static uint32_t find_sum(const step_rows *self, uint32_t path) {
    if (self->own_count == 0) return MC_NONE;
    mc_path_sum key = {.node = self->own[0].node, .path = path};
    const mc_path_sum *found =
        bsearch(&key, self->own, self->own_count, sizeof *self->own, mc_path_sum_compare);
    return found ? (uint32_t)(found - self->own) : MC_NONE;
}

static void find_own(step_rows *self, uint32_t node) {
    uint32_t begin = 0, end = self->sums.count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (self->sums.items[middle].node < node)
            begin = middle + 1;
        else
            end = middle;
    }
    self->own = self->sums.items ? self->sums.items + begin : NULL;
    while (begin + self->own_count < self->sums.count && self->own[self->own_count].node == node)
        self->own_count++;
}

// The path that a sum goes on from; what a file lacks of them is taken for a root's.
static uint32_t find_above(const step_rows *self, const mc_retaining_path *paths, uint32_t i) {
    for (uint32_t path = self->own[i].path; path != MC_NONE;) {
        path = paths[path].parent;
        uint32_t found = find_sum(self, path);
        if (found != MC_NONE) return found;
    }
    return MC_NONE;
}

static mc_result read_rows(const mc_trace *trace, uint32_t node, uint32_t step, step_rows *self,
                           mc_error *error) {
    uint32_t path_count;
    const mc_retaining_path *paths = mc_trace_get_paths(trace, &path_count);
    mc_result result = mc_trace_read_paths(trace, step, &self->sums, error);
    if (result != MC_OK) return result;
    find_own(self, node);
    self->rows = mc_alloc_zero(2 * (size_t)self->own_count + 1, sizeof *self->rows);
    if (!self->rows) return mc_error_out_of_memory(error);
    assert(self->own || self->own_count == 0);
    bool has_root = self->own_count > 0 && self->own[self->own_count - 1].path == MC_NONE;
    uint32_t root = has_root ? self->own_count - 1 : self->own_count;
    self->count = root + 1;
    self->rows[root] = (mc_retaining_row){.parent = MC_NONE, .path = MC_NONE};
    for (uint32_t i = 0; i < self->own_count; i++) {
        const mc_path_sum *sum = &self->own[i];
        mc_retaining_row *row = &self->rows[i];
        uint32_t above = i == root ? MC_NONE : find_above(self, paths, i);
        *row = (mc_retaining_row){.parent = i == root          ? MC_NONE
                                            : above == MC_NONE ? root
                                                               : above,
                                  .path = sum->path,
                                  .is_folded = sum->is_folded,
                                  .objects = sum->objects,
                                  .bytes = sum->bytes};
        if (sum->rest_objects == 0 && sum->rest_bytes == 0) continue;
        self->rows[self->count++] = (mc_retaining_row){.parent = i,
                                                       .path = MC_NONE,
                                                       .is_rest = true,
                                                       .objects = sum->rest_objects,
                                                       .bytes = sum->rest_bytes};
    }
    return MC_OK;
}

// Rests stand behind the others, and a path behind the one that it goes on from.
static void add_up(step_rows *self) {
    for (uint32_t i = 0; i < self->count; i++) {
        self->rows[i].whole_objects = self->rows[i].objects;
        self->rows[i].whole_bytes = self->rows[i].bytes;
    }
    for (uint32_t i = self->count; i-- > 0;) {
        const mc_retaining_row *row = &self->rows[i];
        if (row->parent == MC_NONE) continue;
        mc_retaining_row *above = &self->rows[row->parent];
        above->whole_objects = mc_add_saturating(above->whole_objects, row->whole_objects);
        above->whole_bytes = mc_add_saturating(above->whole_bytes, row->whole_bytes);
    }
}

// ---- order

typedef struct ranked {
    const mc_retaining_row *row;
    uint32_t index;
} ranked;

static int compare(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    const mc_retaining_row *p = x->row, *q = y->row;
    if (p->parent != q->parent) return p->parent < q->parent ? -1 : 1; // the root comes last
    if (p->is_rest != q->is_rest) return p->is_rest ? 1 : -1;
    if (p->whole_bytes != q->whole_bytes) return p->whole_bytes > q->whole_bytes ? -1 : 1;
    if (p->whole_objects != q->whole_objects) return p->whole_objects > q->whole_objects ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static mc_result sort_rows(step_rows *self, mc_error *error) {
    uint32_t count = self->count, end = 1;
    ranked *order = mc_alloc(count, sizeof *order);
    uint32_t *firsts = mc_alloc(count, sizeof *firsts), *queue = mc_alloc(count, sizeof *queue);
    mc_retaining_row *rows = mc_alloc(count, sizeof *rows);
    bool is_done = order && firsts && queue && rows;
    for (uint32_t i = 0; is_done && i < count; i++) {
        order[i] = (ranked){&self->rows[i], i};
        firsts[i] = MC_NONE;
    }
    if (is_done) {
        qsort(order, count, sizeof *order, compare);
        for (uint32_t i = count - 1; i-- > 0;)
            firsts[order[i].row->parent] = i;
        queue[0] = order[count - 1].index;
        rows[0] = *order[count - 1].row;
        for (uint32_t i = 0; i < end; i++)
            for (uint32_t k = firsts[queue[i]]; k < count - 1 && order[k].row->parent == queue[i];
                 k++) {
                rows[end] = *order[k].row;
                rows[end].parent = i;
                rows[end].depth = rows[i].depth + 1;
                queue[end++] = order[k].index;
            }
        mc_free(self->rows);
        self->rows = rows;
        self->count = end;
        rows = NULL;
    }
    mc_free(order);
    mc_free(firsts);
    mc_free(queue);
    mc_free(rows);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}

static mc_result find_rows(const mc_trace *trace, uint32_t node, uint32_t step, step_rows *self,
                           mc_error *error) {
    mc_result result = read_rows(trace, node, step, self, error);
    if (result != MC_OK) return result;
    add_up(self);
    return sort_rows(self, error);
}

// ---- what is new

typedef struct row_key {
    uint32_t parent, field, class; // parent: a row of the earlier step
} row_key;

static row_key get_key(const mc_retaining_path *paths, const mc_retaining_row *row,
                       uint32_t parent) {
    if (row->path == MC_NONE) return (row_key){parent, MC_NONE, MC_NONE};
    return (row_key){parent, paths[row->path].field, paths[row->path].class};
}

// `same`: of each row its counterpart in the earlier step.
static bool match(const mc_trace *trace, const step_rows *first, step_rows *rows, uint32_t *same) {
    uint32_t path_count;
    const mc_retaining_path *paths = mc_trace_get_paths(trace, &path_count);
    mc_strings keys = {0};
    uint32_t *places = mc_alloc(first->count, sizeof *places);
    bool *has_rest = mc_alloc_zero(first->count, sizeof *has_rest);
    bool is_done = places && has_rest;
    for (uint32_t i = 0; i < first->count && is_done; i++) {
        row_key key = get_key(paths, &first->rows[i], first->rows[i].parent);
        uint32_t count = keys.count;
        uint32_t index = mc_strings_intern(&keys, (const char *)&key, sizeof key);
        is_done = index != MC_NONE;
        if (is_done && index == count) places[index] = i; // two may differ in their places
        if (first->rows[i].is_rest) has_rest[first->rows[i].parent] = true;
    }
    for (uint32_t i = 0; i < rows->count && is_done; i++) {
        mc_retaining_row *row = &rows->rows[i];
        uint32_t parent = row->parent == MC_NONE ? MC_NONE : same[row->parent];
        same[i] = MC_NONE;
        if (i > 0 && parent == MC_NONE) {
            row->is_new = rows->rows[row->parent].is_new && !row->is_rest;
            continue;
        }
        row_key key = get_key(paths, row, parent);
        uint32_t index = mc_strings_find(&keys, (const char *)&key, sizeof key);
        if (index != MC_NONE) {
            same[i] = places[index];
            row->first_objects = first->rows[same[i]].whole_objects;
            row->first_bytes = first->rows[same[i]].whole_bytes;
        } else {
            row->is_new = !row->is_rest && i > 0 && !has_rest[parent];
        }
    }
    mc_strings_deinit(&keys);
    mc_free(places);
    mc_free(has_rest);
    return is_done;
}

static mc_result compare_steps(const mc_trace *trace, uint32_t node, uint32_t first_step,
                               step_rows *rows, mc_error *error) {
    step_rows first = {.count = 0};
    mc_result result = find_rows(trace, node, first_step, &first, error);
    uint32_t *same = mc_alloc(rows->count, sizeof *same);
    if (result == MC_OK && (!same || !match(trace, &first, rows, same)))
        result = mc_error_out_of_memory(error);
    mc_free(same);
    step_rows_deinit(&first);
    return result;
}

void mc_retaining_tree_deinit(mc_retaining_tree *tree) {
    mc_free(tree->rows);
    *tree = (mc_retaining_tree){.count = 0};
}

mc_result mc_retaining_tree_find(const mc_trace *trace, uint32_t node, uint32_t step,
                                 uint32_t first_step, mc_retaining_tree *tree, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    step_rows rows = {.count = 0};
    mc_retaining_tree_deinit(tree);
    if (nodes->flags[node] & MC_NODE_SELF) node = nodes->parent[node];
    if (!mc_trace_get_step(trace, step)->has_paths || !mc_trace_knows_paths(trace, node))
        return MC_OK;
    bool has_first = first_step != MC_NONE && first_step != step &&
                     mc_trace_get_step(trace, first_step)->has_paths;
    mc_result result = find_rows(trace, node, step, &rows, error);
    if (result == MC_OK && has_first) result = compare_steps(trace, node, first_step, &rows, error);
    if (result == MC_OK) {
        *tree = (mc_retaining_tree){rows.rows, rows.count, has_first};
        rows.rows = NULL;
    }
    step_rows_deinit(&rows);
    return result;
}
