// What a step says beside its tree, in the builder's numbers: fields, GC roots, retaining paths,
// owners.
#include "engine/base/memory.h"
#include "engine/trace/build/builder_state.h"
#include "engine/trace/build/trace_builder.h"
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// What rows are taken over with.
typedef struct taker {
    mc_trace_builder *builder;
    mc_seen_step *step;
    const char *what; // "fields and roots"
    int64_t time_ms;
    uint32_t *names, *places; // by the given ones: strings, paths or owners of the builder
    uint32_t name_count, place_count;
    mc_error *error;
} taker;

static void taker_deinit(taker *self) {
    mc_free(self->names);
    mc_free(self->places);
}

// What is wrong is said in three parts, of which the middle one may be a table's word.
static mc_result fail(const taker *self, const char *begin, const char *word, const char *end) {
    return mc_fail(self->error, MC_ERROR_BAD_DATA, "the %s of the step of time %" PRId64 ": %s%s%s",
                   self->what, self->time_ms, begin, word, end);
}

// Finds the step, which must be the one that was added last, and takes the names over.
static mc_result begin(taker *self, const mc_strings *names, size_t row_count,
                       bool (*is_there)(const mc_step_info *info)) {
    mc_trace_builder *builder = self->builder;
    uint32_t index;
    if (!mc_builder_find_step(builder, self->time_ms, &index))
        return mc_error_out_of_memory(self->error);
    const mc_step_info *info = index == MC_NONE ? NULL : &builder->steps[index].info;
    if (info && is_there(info)) return fail(self, "they are there already", "", "");
    if (index == MC_NONE || index != builder->latest_step)
        return mc_fail(self->error, MC_ERROR_BAD_DATA,
                       "no step that was just added has the time %" PRId64 " of these %s",
                       self->time_ms, self->what);
    if (row_count >= MC_NONE / 4)
        return mc_fail(self->error, MC_ERROR_UNSUPPORTED, "too many %s in one step", self->what);
    self->step = &builder->steps[index];
    self->name_count = names->count;
    self->names = mc_alloc((size_t)names->count + 1, sizeof *self->names);
    return self->names && mc_strings_intern_all(&builder->strings, names, self->names)
               ? MC_OK
               : mc_error_out_of_memory(self->error);
}

// A number of a column, from the input's to the builder's.
static mc_result take_number(const taker *self, mc_column_kind kind, const char *singular,
                             uint32_t *number) {
    const mc_trace_builder *builder = self->builder;
    switch (kind) {
    case MC_COLUMN_LEAF:
        return mc_builder_get_leaf(builder, self->step, *number, number, self->error);
    case MC_COLUMN_NODE:
        if (*number >= builder->step_node_count) return fail(self, "a node that is none", "", "");
        *number = builder->step_nodes[*number];
        return MC_OK;
    case MC_COLUMN_STRING:
        if (*number >= self->name_count) return fail(self, "a ", singular, " without a name");
        *number = self->names[*number];
        return MC_OK;
    case MC_COLUMN_PATH:
        if (*number >= self->place_count) return fail(self, "objects on no path", "", "");
        *number = self->places[*number];
        return MC_OK;
    case MC_COLUMN_OWNER:
        if (*number >= self->place_count) return fail(self, "an owner that is none", "", "");
        *number = self->places[*number];
        return MC_OK;
    case MC_COLUMN_ROOT_KIND:
        return *number < MC_ROOT_COUNT ? MC_OK : fail(self, "a ", singular, " of no kind");
    case MC_COLUMN_ORIGIN:
        return *number <= MC_OWNER_SHARED ? MC_OK : fail(self, "an ", singular, " of no kind");
    default: return MC_OK;
    }
}

static mc_result take_row(const taker *self, mc_side_table table, void *row) {
    const mc_side_desc *desc = &mc_side_tables[table];
    mc_result result = MC_OK;
    for (int i = 0; i < desc->column_count && result == MC_OK; i++) {
        const mc_side_column *column = &desc->columns[i];
        uint32_t *number = (uint32_t *)row + column->offset / sizeof(uint32_t);
        if (column->size == sizeof *number && !(column->may_lack && *number == MC_NONE))
            result = take_number(self, column->kind, desc->singular, number);
    }
    return result;
}

static mc_result take_rows(const taker *self, mc_side_table table, const void *given, size_t count,
                           mc_side_rows *taken) {
    mc_side_rows from = {(void *)given, (uint32_t)count};
    mc_result result = mc_side_rows_copy(table, &from, taken, self->error);
    for (uint32_t i = 0; i < taken->count && result == MC_OK; i++)
        result = take_row(self, table, mc_side_rows_get(table, taken, i));
    if (result != MC_OK) return result;
    mc_side_rows_sort(table, taken);
    return mc_side_rows_are_distinct(table, taken)
               ? MC_OK
               : fail(self, "one ", mc_side_tables[table].singular, " is there twice");
}

// ---- fields and roots

static bool has_referrers(const mc_step_info *info) {
    return info->has_referrers;
}

mc_result mc_trace_builder_add_referrers(mc_trace_builder *builder,
                                         const mc_step_referrers *referrers, mc_error *error) {
    taker self = {.builder = builder,
                  .what = "fields and roots",
                  .time_ms = referrers->time_ms,
                  .error = error};
    mc_side_rows fields = {.rows = NULL}, roots = {.rows = NULL};
    mc_result result = begin(&self, &referrers->names,
                             referrers->field_count + referrers->root_count, has_referrers);
    if (result == MC_OK)
        result =
            take_rows(&self, MC_SIDE_FIELDS, referrers->fields, referrers->field_count, &fields);
    if (result == MC_OK)
        result = take_rows(&self, MC_SIDE_ROOTS, referrers->roots, referrers->root_count, &roots);
    taker_deinit(&self);
    if (result != MC_OK) {
        mc_side_rows_deinit(&fields);
        mc_side_rows_deinit(&roots);
        return result;
    }
    assert(self.step); // it was found
    self.step->side[MC_SIDE_FIELDS] = fields;
    self.step->side[MC_SIDE_ROOTS] = roots;
    self.step->info.has_referrers = builder->has_referrers = true;
    return MC_OK;
}

// ---- retaining paths

static bool has_paths(const mc_step_info *info) {
    return info->has_paths;
}

static mc_result take_paths(taker *self, const mc_step_paths *given) {
    mc_result result = MC_OK;
    self->places = mc_alloc(given->path_count + 1, sizeof *self->places);
    if (!self->places) return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < given->path_count && result == MC_OK; i++) {
        mc_retaining_path path = given->paths[i];
        if (path.parent != MC_NONE && path.parent >= i)
            return fail(self, "a path before the one that it goes on from", "", "");
        result = take_row(self, MC_SIDE_PATHS, &path);
        if (result != MC_OK) return result;
        self->places[i] =
            mc_strings_intern(&self->builder->paths, (const char *)&path, sizeof path);
        if (self->places[i] == MC_NONE) return mc_error_out_of_memory(self->error);
        self->place_count = i + 1;
    }
    return result;
}

// Paths that were entered stay if it fails: they are no more than names.
mc_result mc_trace_builder_add_paths(mc_trace_builder *builder, const mc_step_paths *paths,
                                     mc_error *error) {
    taker self = {
        .builder = builder, .what = "retaining paths", .time_ms = paths->time_ms, .error = error};
    mc_side_rows sums = {.rows = NULL};
    mc_result result = begin(&self, &paths->names, paths->path_count + paths->sum_count, has_paths);
    if (result == MC_OK) result = take_paths(&self, paths);
    if (result == MC_OK)
        result = take_rows(&self, MC_SIDE_SUMS, paths->sums, paths->sum_count, &sums);
    taker_deinit(&self);
    if (result != MC_OK) {
        mc_side_rows_deinit(&sums);
        return result;
    }
    assert(self.step);
    self.step->side[MC_SIDE_SUMS] = sums;
    self.step->info.has_paths = builder->has_paths = true;
    return MC_OK;
}

// ---- owners

#define OWNER_KEY_SIZE offsetof(mc_owner, place)

static bool has_owners(const mc_step_info *info) {
    return info->has_owners;
}

void mc_builder_get_owner(const mc_trace_builder *builder, uint32_t index, mc_owner *owner) {
    memcpy(owner, mc_strings_get(&builder->owners, index, NULL), OWNER_KEY_SIZE);
    owner->place = builder->owner_places[index];
}

// The nearest node around both.
static uint32_t find_around(const mc_trace_builder *builder, uint32_t a, uint32_t b) {
    if (a == MC_NONE || b == MC_NONE) return MC_NONE;
    while (a != b) {
        // Parents have lower numbers.
        if (a > b)
            a = builder->nodes[a].parent;
        else
            b = builder->nodes[b].parent;
    }
    return a;
}

uint32_t mc_builder_find_or_add_owner(mc_trace_builder *builder, const mc_owner *owner) {
    uint32_t known = builder->owners.count;
    if (!mc_reserve(&builder->owner_places, &builder->owner_place_capacity, (size_t)known + 1,
                    sizeof *builder->owner_places))
        return MC_NONE;
    uint32_t index = mc_strings_intern(&builder->owners, (const char *)owner, OWNER_KEY_SIZE);
    if (index == known)
        builder->owner_places[index] = owner->place;
    else if (index != MC_NONE)
        builder->owner_places[index] =
            find_around(builder, builder->owner_places[index], owner->place);
    return index;
}

static mc_result take_owners(taker *self, const mc_step_owners *given) {
    self->places = mc_alloc(given->owner_count + 1, sizeof *self->places);
    if (!self->places) return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < given->owner_count; i++) {
        mc_owner owner = given->owners[i];
        if (owner.parent != MC_NONE && owner.parent >= i)
            return fail(self, "an owner before its parent", "", "");
        if (owner.parent != MC_NONE && owner.root != 0)
            return fail(self, "an owner that has a parent and is a root", "", "");
        mc_result result = take_row(self, MC_SIDE_OWNERS, &owner);
        if (result != MC_OK) return result;
        self->places[i] = mc_builder_find_or_add_owner(self->builder, &owner);
        if (self->places[i] == MC_NONE) return mc_error_out_of_memory(self->error);
        self->place_count = i + 1;
    }
    return MC_OK;
}

// Rows are sorted by owner.
static mc_result check_parents(const taker *self, const mc_side_rows *rows) {
    const mc_owner_sum *sums = rows->rows;
    for (uint32_t i = 0; i < rows->count; i++) {
        mc_owner owner;
        mc_builder_get_owner(self->builder, sums[i].owner, &owner);
        const mc_owner_sum key = {.owner = owner.parent};
        if (owner.parent != MC_NONE &&
            !bsearch(&key, sums, rows->count, sizeof key, mc_side_get_compare(MC_SIDE_OWNER_SUMS)))
            return fail(self, "an owner whose parent has nothing", "", "");
    }
    return MC_OK;
}

// Owners that were entered stay if it fails: they are no more than names.
mc_result mc_trace_builder_add_owners(mc_trace_builder *builder, const mc_step_owners *owners,
                                      mc_error *error) {
    taker self = {.builder = builder, .what = "owners", .time_ms = owners->time_ms, .error = error};
    mc_side_rows sums = {.rows = NULL}, ways = {.rows = NULL};
    size_t row_count = owners->owner_count + owners->sum_count + owners->way_count;
    mc_result result = begin(&self, &owners->names, row_count, has_owners);
    if (result == MC_OK) result = take_owners(&self, owners);
    if (result == MC_OK)
        result = take_rows(&self, MC_SIDE_OWNER_SUMS, owners->sums, owners->sum_count, &sums);
    if (result == MC_OK) result = check_parents(&self, &sums);
    if (result == MC_OK)
        result = take_rows(&self, MC_SIDE_OWNER_WAYS, owners->ways, owners->way_count, &ways);
    taker_deinit(&self);
    if (result != MC_OK) {
        mc_side_rows_deinit(&sums);
        mc_side_rows_deinit(&ways);
        return result;
    }
    assert(self.step);
    self.step->side[MC_SIDE_OWNER_SUMS] = sums;
    self.step->side[MC_SIDE_OWNER_WAYS] = ways;
    self.step->info.has_owners = builder->has_owners = true;
    return MC_OK;
}
