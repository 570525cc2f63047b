// From a part's step into the file: what its objects are held by, and other names.
#include "engine/base/memory.h"
#include "engine/store/merge/merge_state.h"
#include <stdlib.h>
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

// ---- references

static int compare_pairs(const void *a, const void *b) {
    const mc_merge_pair *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static mc_result copy_pairs(mc_merge_copier *self, uint32_t step, uint32_t from,
                            mc_merge_pair **pairs, uint32_t *count, mc_error *error) {
    mc_reference_columns all = {0};
    mc_result result = mc_trace_read_references(self->trace, from, &all, error);
    if (result != MC_OK || all.count == 0) return result;
    mc_merge_pair *more = mc_realloc(*pairs, (size_t)*count + all.count, sizeof *more);
    if (more) *pairs = more;
    for (uint32_t i = 0; i < all.count && more; i++) {
        if (!is_chosen(self, all.from[i], step, from)) continue;
        mc_merge_pair pair = {get_node(self, all.from[i]), get_node(self, all.to[i]),
                              all.points_to[i], all.pointed_from[i]};
        note_root(self, all.from[i]);
        note_root(self, all.to[i]);
        if (pair.from == MC_NONE || pair.to == MC_NONE) continue;
        note_own(self, pair.from);
        note_own(self, pair.to);
        more[(*count)++] = pair;
    }
    mc_reference_columns_deinit(&all);
    return more ? MC_OK : mc_error_out_of_memory(error);
}

// ---- fields and roots

static mc_result copy_fields(mc_merge_copier *self, uint32_t step, uint32_t from,
                             mc_holders *holders, mc_error *error) {
    mc_field_columns all = {0};
    mc_result result = mc_trace_read_fields(self->trace, from, &all, error);
    if (result != MC_OK || all.count == 0) return result;
    mc_field_count *more =
        mc_realloc(holders->fields, (size_t)holders->field_count + all.count, sizeof *more);
    if (more) holders->fields = more;
    if (!more) result = mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < all.count && result == MC_OK; i++) {
        if (!is_chosen(self, all.from[i], step, from)) continue;
        mc_field_count field = {.from = get_node(self, all.from[i]),
                                .to = get_node(self, all.to[i]),
                                .is_weak = all.is_weak[i],
                                .count = all.counts[i]};
        note_root(self, all.from[i]);
        note_root(self, all.to[i]);
        if (field.from == MC_NONE || field.to == MC_NONE) continue;
        note_own(self, field.from);
        note_own(self, field.to);
        result = mc_merge_get_string(self, all.name[i], &field.name, error);
        more[holders->field_count++] = field;
    }
    mc_field_columns_deinit(&all);
    return result;
}

static mc_result copy_roots(mc_merge_copier *self, uint32_t step, uint32_t from,
                            mc_holders *holders, mc_error *error) {
    mc_root_columns all = {0};
    mc_result result = mc_trace_read_roots(self->trace, from, &all, error);
    if (result != MC_OK || all.count == 0) return result;
    mc_root_count *more =
        mc_realloc(holders->roots, (size_t)holders->root_count + all.count, sizeof *more);
    if (more) holders->roots = more;
    if (!more) result = mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < all.count && result == MC_OK; i++) {
        if (!is_chosen(self, all.node[i], step, from)) continue;
        mc_root_count root = {.node = get_node(self, all.node[i]),
                              .kind = all.kind[i],
                              .name = MC_NONE,
                              .count = all.counts[i]};
        note_root(self, all.node[i]);
        if (root.node == MC_NONE) continue;
        note_own(self, root.node);
        if (all.name[i] != MC_NONE)
            result = mc_merge_get_string(self, all.name[i], &root.name, error);
        more[holders->root_count++] = root;
    }
    mc_root_columns_deinit(&all);
    return result;
}

// Different names of a step stay different ones, but for strings that the file has twice; see
// mc_merge_file_add_string().
static void sort_holders(mc_holders *holders) {
    if (holders->field_count > 0)
        qsort(holders->fields, holders->field_count, sizeof *holders->fields,
              mc_field_count_compare);
    if (holders->root_count > 0)
        qsort(holders->roots, holders->root_count, sizeof *holders->roots, mc_root_count_compare);
}

// ---- other names

static mc_result copy_renames(mc_merge_copier *self, uint32_t step, uint32_t from,
                              mc_rename **renames, uint32_t *count, mc_error *error) {
    mc_rename *all = NULL;
    uint32_t all_count = 0;
    mc_result result = mc_trace_read_renames(self->trace, from, &all, &all_count, error);
    if (result != MC_OK || all_count == 0) return result;
    mc_rename *more = mc_realloc(*renames, (size_t)*count + all_count, sizeof *more);
    if (more) *renames = more;
    if (!more) result = mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < all_count && result == MC_OK; i++) {
        mc_rename rename = all[i];
        if (rename.node == 0 || !is_chosen(self, rename.node, step, from)) continue;
        rename.node = get_node(self, all[i].node);
        if (rename.node == MC_NONE) continue;
        rename.role = all[i].role == MC_NONE ? MC_NONE : self->role_of[all[i].role];
        result = mc_merge_get_string(self, all[i].name, &rename.name, error);
        more[(*count)++] = rename;
    }
    mc_free(all);
    return result;
}

// ---- retaining paths

static mc_result copy_path(mc_merge_copier *self, const mc_retaining_path *path, uint32_t *index,
                           mc_error *error) {
    mc_retaining_path made = {
        .parent = path->parent == MC_NONE ? MC_NONE : self->path_of[path->parent],
        .field = MC_NONE,
        .place = path->place == MC_NONE ? MC_NONE : get_node(self, path->place)};
    mc_result result = MC_OK;
    if (path->field != MC_NONE) result = mc_merge_get_string(self, path->field, &made.field, error);
    if (result == MC_OK) result = mc_merge_get_string(self, path->class, &made.class, error);
    return result == MC_OK ? mc_merge_file_add_path(self->merge->file, &made, index, error)
                           : result;
}

mc_result mc_merge_copy_paths(mc_merge_copier *self, mc_error *error) {
    uint32_t count;
    const mc_retaining_path *all = mc_trace_get_paths(self->trace, &count);
    mc_result result = MC_OK;
    if (!mc_trace_has_paths(self->trace)) return MC_OK;
    self->path_of = mc_alloc((size_t)count + 1, sizeof *self->path_of);
    if (!self->path_of) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        result = copy_path(self, &all[i], &self->path_of[i], error);
    return result;
}

static mc_result copy_sums(mc_merge_copier *self, uint32_t step, uint32_t from, mc_path_sum **sums,
                           uint32_t *count, mc_error *error) {
    mc_path_sums all = {0};
    mc_result result = mc_trace_read_paths(self->trace, from, &all, error);
    if (result != MC_OK || all.count == 0) return result;
    mc_path_sum *more = mc_realloc(*sums, (size_t)*count + all.count, sizeof *more);
    if (more) *sums = more;
    for (uint32_t i = 0; i < all.count && more; i++) {
        mc_path_sum sum = all.items[i];
        if (!is_chosen(self, sum.node, step, from)) continue;
        sum.node = get_node(self, sum.node);
        if (sum.node == MC_NONE) continue; // the whole's, of which there are several
        if (sum.path != MC_NONE) sum.path = self->path_of[sum.path];
        more[(*count)++] = sum;
    }
    mc_path_sums_deinit(&all);
    return more ? MC_OK : mc_error_out_of_memory(error);
}

// ---- all of a step

typedef struct links {
    mc_merge_pair *pairs;
    mc_holders holders;
    mc_rename *renames;
    mc_path_sum *sums;
    uint32_t pair_count, rename_count, sum_count;
} links;

static mc_result copy_from(mc_merge_copier *self, uint32_t step, uint32_t from, links *all,
                           mc_error *error) {
    mc_result result = copy_pairs(self, step, from, &all->pairs, &all->pair_count, error);
    if (result == MC_OK) result = copy_fields(self, step, from, &all->holders, error);
    if (result == MC_OK) result = copy_roots(self, step, from, &all->holders, error);
    if (result == MC_OK)
        result = copy_renames(self, step, from, &all->renames, &all->rename_count, error);
    return result == MC_OK ? copy_sums(self, step, from, &all->sums, &all->sum_count, error)
                           : result;
}

static mc_result put(mc_merge_copier *self, uint32_t step, links *all, mc_error *error) {
    mc_merge_file *file = self->merge->file;
    if (all->pair_count > 0) qsort(all->pairs, all->pair_count, sizeof *all->pairs, compare_pairs);
    sort_holders(&all->holders);
    if (all->rename_count > 0)
        qsort(all->renames, all->rename_count, sizeof *all->renames, mc_rename_compare);
    if (all->sum_count > 0)
        qsort(all->sums, all->sum_count, sizeof *all->sums, mc_path_sum_compare);
    mc_result result = mc_merge_file_add_pairs(file, step, all->pairs, all->pair_count, error);
    if (result == MC_OK) result = mc_merge_file_add_holders(file, step, &all->holders, error);
    if (result == MC_OK)
        result = mc_merge_file_add_renames(file, step, all->renames, all->rename_count, error);
    if (result == MC_OK)
        result = mc_merge_file_add_sums(file, step, all->sums, all->sum_count, error);
    return result;
}

mc_result mc_merge_copy_links(mc_merge_copier *self, uint32_t step, mc_error *error) {
    links all = {0};
    mc_result result = MC_OK;
    // Each of the part's steps is read once, whichever of its members need it.
    for (uint32_t from = 0; from < self->source->step_count && result == MC_OK; from++) {
        bool any = false;
        for (uint32_t i = 0; i < self->source->member_count && !any; i++) {
            const mc_merge_choice *choice = &mc_merge_get_choices(self, i)[step];
            any = choice->first != MC_NONE && choice->chosen == from;
        }
        if (any) result = copy_from(self, step, from, &all, error);
    }
    if (result == MC_OK) result = put(self, step, &all, error);
    mc_free(all.pairs);
    mc_holders_deinit(&all.holders);
    mc_free(all.renames);
    mc_free(all.sums);
    return result;
}
