// By what a step's objects are held, in the builder's numbers.
#include "engine/base/memory.h"
#include "engine/trace/build/builder_state.h"
#include <inttypes.h>
#include <stdlib.h>

// What a step's holders are taken over with.
typedef struct taker {
    mc_trace_builder *builder;
    const mc_seen_step *step;
    const mc_step_holders *given;
    uint32_t *names; // by the given ones: strings of the builder
    mc_holders *holders;
    mc_error *error;
} taker;

static mc_result fail(const taker *self, const char *what) {
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                        "the fields and roots of the step of time %" PRId64 ": %s",
                        self->given->time_ms, what);
}

static mc_result take_names(taker *self) {
    const mc_strings *names = &self->given->names;
    self->names = mc_alloc((size_t)names->count + 1, sizeof *self->names);
    return self->names && mc_strings_intern_all(&self->builder->strings, names, self->names)
               ? MC_OK
               : mc_error_out_of_memory(self->error);
}

static mc_result get_leaf(const taker *self, uint32_t node, uint32_t *leaf) {
    return mc_builder_get_leaf(self->builder, self->step, node, leaf, self->error);
}

static mc_result take_field(const taker *self, const mc_field_count *given, mc_field_count *field) {
    *field = *given;
    if (given->name >= self->given->names.count) return fail(self, "a field without a name");
    field->name = self->names[given->name];
    mc_result result = get_leaf(self, given->from, &field->from);
    return result == MC_OK ? get_leaf(self, given->to, &field->to) : result;
}

static mc_result take_root(const taker *self, const mc_root_count *given, mc_root_count *root) {
    *root = *given;
    if (given->kind >= MC_ROOT_COUNT) return fail(self, "a root of no kind");
    if (given->name != MC_NONE && given->name >= self->given->names.count)
        return fail(self, "a root without a name");
    if (given->name != MC_NONE) root->name = self->names[given->name];
    return get_leaf(self, given->node, &root->node);
}

static mc_result take_fields(taker *self) {
    size_t count = self->given->field_count;
    mc_holders *holders = self->holders;
    mc_result result = MC_OK;
    if (count == 0) return MC_OK;
    holders->fields = mc_alloc(count, sizeof *holders->fields);
    if (!holders->fields) return mc_error_out_of_memory(self->error);
    for (size_t i = 0; i < count && result == MC_OK; i++)
        result = take_field(self, &self->given->fields[i], &holders->fields[i]);
    if (result != MC_OK) return result;
    qsort(holders->fields, count, sizeof *holders->fields, mc_field_count_compare);
    for (size_t i = 1; i < count; i++)
        if (mc_field_count_compare(&holders->fields[i - 1], &holders->fields[i]) == 0)
            return fail(self, "one field is there twice");
    holders->field_count = (uint32_t)count;
    return MC_OK;
}

static mc_result take_roots(taker *self) {
    size_t count = self->given->root_count;
    mc_holders *holders = self->holders;
    mc_result result = MC_OK;
    if (count == 0) return MC_OK;
    holders->roots = mc_alloc(count, sizeof *holders->roots);
    if (!holders->roots) return mc_error_out_of_memory(self->error);
    for (size_t i = 0; i < count && result == MC_OK; i++)
        result = take_root(self, &self->given->roots[i], &holders->roots[i]);
    if (result != MC_OK) return result;
    qsort(holders->roots, count, sizeof *holders->roots, mc_root_count_compare);
    for (size_t i = 1; i < count; i++)
        if (mc_root_count_compare(&holders->roots[i - 1], &holders->roots[i]) == 0)
            return fail(self, "one root is there twice");
    holders->root_count = (uint32_t)count;
    return MC_OK;
}

static mc_result check(const taker *self) {
    const mc_step_holders *given = self->given;
    if (!self->step)
        return mc_error_set(self->error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                            "no step has the time %" PRId64 " of these fields and roots",
                            given->time_ms);
    if (self->step->info.has_holders) return fail(self, "they are there already");
    if (given->field_count < MC_NONE / 2 && given->root_count < MC_NONE / 2) return MC_OK;
    return mc_error_set(self->error, MC_ERROR_UNSUPPORTED, MC_ERROR_NO_OFFSET,
                        "too many fields or roots in one step");
}

mc_result mc_trace_builder_add_holders(mc_trace_builder *builder, const mc_step_holders *holders,
                                       mc_error *error) {
    uint32_t index;
    if (!mc_builder_find_step(builder, holders->time_ms, &index))
        return mc_error_out_of_memory(error);
    mc_seen_step *step = index == MC_NONE ? NULL : &builder->steps[index];
    mc_holders taken = {.fields = NULL};
    taker self = {
        .builder = builder, .step = step, .given = holders, .holders = &taken, .error = error};
    mc_result result = check(&self);
    if (result == MC_OK) result = take_names(&self);
    if (result == MC_OK) result = take_fields(&self);
    if (result == MC_OK) result = take_roots(&self);
    mc_free(self.names);
    if (result != MC_OK) {
        mc_holders_deinit(&taken);
        return result;
    }
    assert(step); // or the check would have failed
    step->holders = taken;
    step->info.has_holders = true;
    builder->has_holders = true;
    return MC_OK;
}
