// What a step gets behind its values: references, and by what its objects are held.
#include "engine/base/memory.h"
#include "engine/store/mct/mct_holders.h"
#include "engine/store/mct/mct_paths.h"
#include <inttypes.h>

// ---- references

static mc_result write_pairs(mc_mct_writer *self, const mc_seen_step *step, int64_t step_key,
                             mc_error *error) {
    uint32_t count = step->pair_count;
    if (!mc_reserve(&self->scratch, &self->scratch_capacity, count, sizeof *self->scratch))
        return mc_error_out_of_memory(error);
    mc_mct_field row[6] = {{.number = step_key}, {.number = count}};
    uint64_t *values = self->scratch;
    mc_result result = MC_OK;
    for (int column = 0; column < 4 && result == MC_OK; column++) {
        for (uint32_t i = 0; i < count; i++)
            values[i] = column == 0   ? step->pairs[i].from
                        : column == 1 ? step->pairs[i].to
                        : column == 2 ? step->pairs[i].points_to
                                      : step->pairs[i].pointed_from;
        result = mc_mct_writer_encode(self, column, values, count,
                                      column < 2 ? MC_MCT_CHAIN : MC_MCT_NO_BASE,
                                      &row[MC_MCT_REFERENCES_FROM + column], error);
    }
    return result == MC_OK ? mc_mct_writer_put_row(self, MC_MCT_REFERENCES, row, error) : result;
}

// Leaves that references and roots name may turn out to be inner nodes in another step.
static mc_result write_own_of_links(mc_mct_writer *self, const mc_seen_step *step,
                                    mc_error *error) {
    uint32_t count = 0;
    const mc_holders *holders = &step->holders;
    if (!mc_mct_writer_reserve_columns(self, self->builder->node_count))
        return mc_error_out_of_memory(error);
    uint8_t *is_new = self->marks;
    for (uint32_t i = 0; step->pairs && i < step->pair_count; i++)
        is_new[step->pairs[i].from] = is_new[step->pairs[i].to] = 1;
    for (uint32_t i = 0; i < holders->field_count; i++)
        is_new[holders->fields[i].from] = is_new[holders->fields[i].to] = 1;
    for (uint32_t i = 0; i < holders->root_count; i++)
        is_new[holders->roots[i].node] = 1;
    for (uint32_t node = 0; node < step->seen_count; node++) {
        if (is_new[node] && !self->is_own[node]) self->scratch[count++] = node;
        is_new[node] = 0;
    }
    mc_result result = mc_mct_writer_put_own(self, self->scratch, count, error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        self->is_own[self->scratch[i]] = 1;
    return result;
}

static mc_result write_references(mc_mct_writer *self, const mc_seen_step *step, mc_error *error) {
    int64_t step_key = step - self->builder->steps + 1;
    mc_result result = write_pairs(self, step, step_key, error);
    if (result == MC_OK) result = write_own_of_links(self, step, error);
    if (result == MC_OK) result = mc_mct_writer_put_step(self, step, step_key, error);
    return result == MC_OK ? mc_mct_writer_put_trace(self, false, error) : result;
}

// The builder adds to the pairs of the other direction, which are only in the file.
static mc_result load_pairs(mc_mct_writer *self, mc_seen_step *step, mc_error *error) {
    if (!step || step->pair_count == 0) return MC_OK;
    int64_t step_key = step - self->builder->steps + 1;
    return mc_mct_read_pairs(&self->file, &self->codec, step_key, step->seen_count,
                             step->pair_count, &step->pairs, error);
}

static mc_result fail_old_step(int64_t time_ms, mc_error *error) {
    return mc_error_set(
        error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
        "the step at time %" PRId64 " was there before: it can't get references any more", time_ms);
}

mc_result mc_mct_writer_add_references(mc_mct_writer *self, const mc_reference_map *map,
                                       mc_reference_direction direction, mc_error *error) {
    uint32_t index;
    if (!mc_builder_find_step(self->builder, map->time_ms, &index))
        return mc_error_out_of_memory(error);
    mc_seen_step *step = index == MC_NONE ? NULL : &self->builder->steps[index];
    if (step && !step->present) return fail_old_step(map->time_ms, error);
    mc_result result = mc_mct_writer_begin(self, error);
    if (result != MC_OK) return result;
    result = load_pairs(self, step, error);
    if (result != MC_OK) return mc_mct_writer_fail(self, result);
    result = mc_trace_builder_add_references(self->builder, map, direction, error);
    if (result == MC_OK) {
        assert(step); // or the builder had nothing to add to
        result = write_references(self, step, error);
        if (result != MC_OK) mc_mct_writer_fail(self, result);
    }
    if (step) {
        mc_free(step->pairs);
        step->pairs = NULL;
    }
    return result;
}

// ---- fields and roots

static mc_result write_holders(mc_mct_writer *self, const mc_seen_step *step, mc_error *error) {
    int64_t step_key = step - self->builder->steps + 1;
    mc_result result = mc_mct_writer_put_strings(self, error);
    if (result == MC_OK) result = mc_mct_write_holders(self, &step->holders, step_key, error);
    if (result == MC_OK) result = write_own_of_links(self, step, error);
    return result == MC_OK ? mc_mct_writer_put_trace(self, false, error) : result;
}

mc_result mc_mct_writer_add_holders(mc_mct_writer *self, const mc_step_holders *holders,
                                    mc_error *error) {
    uint32_t index;
    if (!mc_builder_find_step(self->builder, holders->time_ms, &index))
        return mc_error_out_of_memory(error);
    mc_seen_step *step = index == MC_NONE ? NULL : &self->builder->steps[index];
    if (step && !step->present) return fail_old_step(holders->time_ms, error);
    mc_result result = mc_mct_writer_begin(self, error);
    if (result == MC_OK) result = mc_trace_builder_add_holders(self->builder, holders, error);
    if (result != MC_OK) return result;
    assert(step); // or the builder had nothing to add to
    result = write_holders(self, step, error);
    mc_holders_deinit(&step->holders);
    return result == MC_OK ? MC_OK : mc_mct_writer_fail(self, result);
}

// ---- retaining paths

static mc_result write_paths(mc_mct_writer *self, const mc_seen_step *step, mc_error *error) {
    int64_t step_key = step - self->builder->steps + 1;
    mc_result result = mc_mct_writer_put_strings(self, error);
    if (result == MC_OK) result = mc_mct_write_paths(self, step, step_key, error);
    return result == MC_OK ? mc_mct_writer_put_trace(self, false, error) : result;
}

mc_result mc_mct_writer_add_paths(mc_mct_writer *self, const mc_step_paths *paths,
                                  mc_error *error) {
    uint32_t index;
    if (!mc_builder_find_step(self->builder, paths->time_ms, &index))
        return mc_error_out_of_memory(error);
    mc_seen_step *step = index == MC_NONE ? NULL : &self->builder->steps[index];
    if (step && !step->present) return fail_old_step(paths->time_ms, error);
    mc_result result = mc_mct_writer_begin(self, error);
    if (result == MC_OK) result = mc_trace_builder_add_paths(self->builder, paths, error);
    if (result != MC_OK) return result;
    assert(step); // or the builder had nothing to add to
    result = write_paths(self, step, error);
    mc_free(step->sums);
    step->sums = NULL;
    return result == MC_OK ? MC_OK : mc_mct_writer_fail(self, result);
}
