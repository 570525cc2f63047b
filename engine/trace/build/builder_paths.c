// How a step's groups are held, in the builder's numbers.
#include "engine/base/memory.h"
#include "engine/trace/build/builder_state.h"
#include <inttypes.h>
#include <stdlib.h>

// What a step's paths are taken over with.
typedef struct taker {
    mc_trace_builder *builder;
    const mc_seen_step *step;
    const mc_step_paths *given;
    uint32_t *names; // by the given ones: strings of the builder
    uint32_t *paths; // by the given ones: the builder's
    mc_path_sum *sums;
    mc_error *error;
} taker;

static mc_result fail(const taker *self, const char *what) {
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                        "the retaining paths of the step of time %" PRId64 ": %s",
                        self->given->time_ms, what);
}

static mc_result take_names(taker *self) {
    const mc_strings *names = &self->given->names;
    self->names = mc_alloc((size_t)names->count + 1, sizeof *self->names);
    return self->names && mc_strings_intern_all(&self->builder->strings, names, self->names)
               ? MC_OK
               : mc_error_out_of_memory(self->error);
}

static mc_result get_node(const taker *self, uint32_t entry, uint32_t *node) {
    const mc_trace_builder *builder = self->builder;
    if (entry >= builder->step_node_count) return fail(self, "a node that is none");
    *node = builder->step_nodes[entry];
    return MC_OK;
}

static mc_result take_path(const taker *self, uint32_t index) {
    const mc_retaining_path *given = &self->given->paths[index];
    uint32_t name_count = self->given->names.count;
    mc_retaining_path path = *given;
    if (given->parent != MC_NONE && given->parent >= index)
        return fail(self, "a path before the one that it goes on from");
    if (given->class >= name_count || (given->field != MC_NONE && given->field >= name_count))
        return fail(self, "a path without a name");
    if (given->parent != MC_NONE) path.parent = self->paths[given->parent];
    if (given->field != MC_NONE) path.field = self->names[given->field];
    path.class = self->names[given->class];
    if (given->place != MC_NONE) {
        mc_result result = get_node(self, given->place, &path.place);
        if (result != MC_OK) return result;
    }
    self->paths[index] = mc_strings_intern(&self->builder->paths, (const char *)&path, sizeof path);
    return self->paths[index] == MC_NONE ? mc_error_out_of_memory(self->error) : MC_OK;
}

static mc_result take_paths(taker *self) {
    mc_result result = MC_OK;
    self->paths = mc_alloc(self->given->path_count + 1, sizeof *self->paths);
    if (!self->paths) return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < self->given->path_count && result == MC_OK; i++)
        result = take_path(self, i);
    return result;
}

static mc_result take_sums(taker *self) {
    size_t count = self->given->sum_count;
    mc_result result = MC_OK;
    self->sums = mc_alloc(count + 1, sizeof *self->sums);
    if (!self->sums) return mc_error_out_of_memory(self->error);
    for (size_t i = 0; i < count && result == MC_OK; i++) {
        mc_path_sum *sum = &self->sums[i];
        *sum = self->given->sums[i];
        if (sum->path != MC_NONE && sum->path >= self->given->path_count)
            result = fail(self, "objects on no path");
        else if (sum->path != MC_NONE)
            sum->path = self->paths[sum->path];
        if (result == MC_OK) result = get_node(self, sum->node, &sum->node);
    }
    if (result != MC_OK) return result;
    qsort(self->sums, count, sizeof *self->sums, mc_path_sum_compare);
    for (size_t i = 1; i < count; i++)
        if (mc_path_sum_compare(&self->sums[i - 1], &self->sums[i]) == 0)
            return fail(self, "one path is there twice");
    return MC_OK;
}

static mc_result check(const taker *self) {
    const mc_step_paths *given = self->given;
    const mc_trace_builder *builder = self->builder;
    if (!self->step || builder->latest_step == MC_NONE ||
        self->step != &builder->steps[builder->latest_step])
        return mc_error_set(self->error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                            "no step that was just added has the time %" PRId64
                            " of these retaining paths",
                            given->time_ms);
    if (self->step->info.has_paths) return fail(self, "they are there already");
    if (given->path_count < MC_NONE / 4 && given->sum_count < MC_NONE / 4) return MC_OK;
    return mc_error_set(self->error, MC_ERROR_UNSUPPORTED, MC_ERROR_NO_OFFSET,
                        "too many retaining paths in one step");
}

// Paths that were entered stay if it fails: they are no more than names.
mc_result mc_trace_builder_add_paths(mc_trace_builder *builder, const mc_step_paths *paths,
                                     mc_error *error) {
    uint32_t index;
    if (!mc_builder_find_step(builder, paths->time_ms, &index))
        return mc_error_out_of_memory(error);
    mc_seen_step *step = index == MC_NONE ? NULL : &builder->steps[index];
    taker self = {.builder = builder, .step = step, .given = paths, .error = error};
    mc_result result = check(&self);
    if (result == MC_OK) result = take_names(&self);
    if (result == MC_OK) result = take_paths(&self);
    if (result == MC_OK) result = take_sums(&self);
    mc_free(self.names);
    mc_free(self.paths);
    if (result != MC_OK) {
        mc_free(self.sums);
        return result;
    }
    assert(step); // or the check would have failed
    step->sums = self.sums;
    step->sum_count = (uint32_t)paths->sum_count;
    step->info.has_paths = true;
    builder->has_paths = true;
    return MC_OK;
}
