// What a step gets behind its values: references, fields, GC roots, retaining paths and owners.
#include "engine/base/memory.h"
#include "engine/store/mct/mct_side.h"
#include "engine/store/mct/mct_writer_state.h"
#include <inttypes.h>
#include <string.h>

mc_result mc_mct_writer_put_side(mc_mct_writer *self, mc_side_table table, const mc_side_rows *rows,
                                 int64_t key, mc_error *error) {
    const mc_mct_side *side = &mc_mct_sides[table];
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX] = {{.number = key}, {.number = rows->count}};
    mc_result result = mc_mct_file_add_side(&self->file, table, error);
    if (table == MC_SIDE_SUMS) row[MC_MCT_SUMS_PATH_COUNT].number = self->written.path_count;
    if (table == MC_SIDE_OWNER_SUMS || table == MC_SIDE_OWNER_WAYS)
        row[MC_MCT_OWNER_SUMS_OWNER_COUNT].number = self->written.owner_count;
    if (!mc_reserve(&self->scratch, &self->scratch_capacity, rows->count, sizeof *self->scratch))
        return mc_error_out_of_memory(error);
    for (int column = 0; column < mc_side_tables[table].column_count && result == MC_OK; column++) {
        mc_mct_side_get_column(table, rows, column, self->scratch);
        result = mc_mct_writer_encode(self, column, self->scratch, rows->count,
                                      mc_mct_side_get_base(table, column),
                                      &row[side->first + column], error);
    }
    return result == MC_OK ? mc_mct_file_put(&self->file, side->table, row, error) : result;
}

static mc_result put_of_step(mc_mct_writer *self, mc_side_table table, const mc_seen_step *step,
                             mc_error *error) {
    return mc_mct_writer_put_side(self, table, &step->side[table], step - self->builder->steps + 1,
                                  error);
}

// Leaves that references and roots name may turn out to be inner nodes in another step.
static mc_result write_own_of_links(mc_mct_writer *self, const mc_seen_step *step,
                                    mc_error *error) {
    uint32_t count = 0;
    if (!mc_mct_writer_reserve_columns(self, self->builder->node_count))
        return mc_error_out_of_memory(error);
    uint8_t *is_new = self->marks;
    for (int table = 0; table < MC_SIDE_OF_STEP; table++)
        mc_side_rows_mark_leaves((mc_side_table)table, &step->side[table], is_new);
    for (uint32_t node = 0; node < step->seen_count; node++) {
        if (is_new[node] && !self->is_own[node]) self->scratch[count++] = node;
        is_new[node] = 0;
    }
    mc_result result = mc_mct_writer_put_own(self, self->scratch, count, error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        self->is_own[self->scratch[i]] = 1;
    return result;
}

// The step of this time, in a transaction; NULL: none has it, which the builder says.
static mc_result begin(mc_mct_writer *self, int64_t time_ms, mc_seen_step **step, mc_error *error) {
    uint32_t index;
    if (!mc_builder_find_step(self->builder, time_ms, &index)) return mc_error_out_of_memory(error);
    *step = index == MC_NONE ? NULL : &self->builder->steps[index];
    if (*step && !(*step)->present)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "the step at time %" PRId64
                       " was there before: it can't get references any more",
                       time_ms);
    return mc_mct_writer_begin(self, error);
}

// What is in the file is not held twice; counts stay, as the step's row may be written again.
static void forget_rows(mc_seen_step *step) {
    for (int table = 0; table < MC_SIDE_OF_STEP; table++) {
        mc_free(step->side[table].rows);
        step->side[table].rows = NULL;
    }
}

// ---- references

static mc_result write_references(mc_mct_writer *self, const mc_seen_step *step, mc_error *error) {
    mc_result result = put_of_step(self, MC_SIDE_REFERENCES, step, error);
    if (result == MC_OK) result = write_own_of_links(self, step, error);
    if (result == MC_OK)
        result = mc_mct_writer_put_step(self, step, step - self->builder->steps + 1, error);
    return result == MC_OK ? mc_mct_writer_put_trace(self, false, error) : result;
}

// The builder adds to the pairs of the other direction, which are only in the file.
static mc_result load_references(mc_mct_writer *self, mc_seen_step *step, mc_error *error) {
    if (!step || step->side[MC_SIDE_REFERENCES].count == 0) return MC_OK;
    return mc_mct_read_side(
        &self->file, &self->codec, MC_SIDE_REFERENCES, step - self->builder->steps + 1,
        (mc_mct_limits){.node_count = step->seen_count}, step->side[MC_SIDE_REFERENCES].count,
        &step->side[MC_SIDE_REFERENCES], error);
}

mc_result mc_mct_writer_add_references(mc_mct_writer *self, const mc_reference_map *map,
                                       mc_reference_direction direction, mc_error *error) {
    mc_seen_step *step;
    mc_result result = begin(self, map->time_ms, &step, error);
    if (result != MC_OK) return result;
    result = load_references(self, step, error);
    if (result != MC_OK) return mc_mct_writer_fail(self, result);
    result = mc_trace_builder_add_references(self->builder, map, direction, error);
    if (result == MC_OK) {
        assert(step); // or the builder had nothing to add to
        result = write_references(self, step, error);
        if (result != MC_OK) mc_mct_writer_fail(self, result);
    }
    if (step) forget_rows(step);
    return result;
}

// ---- fields and roots

static mc_result write_referrers(mc_mct_writer *self, const mc_seen_step *step, mc_error *error) {
    mc_result result = mc_mct_writer_put_strings(self, error);
    if (result == MC_OK) result = put_of_step(self, MC_SIDE_FIELDS, step, error);
    if (result == MC_OK) result = put_of_step(self, MC_SIDE_ROOTS, step, error);
    if (result == MC_OK) result = write_own_of_links(self, step, error);
    return result == MC_OK ? mc_mct_writer_put_trace(self, false, error) : result;
}

mc_result mc_mct_writer_add_referrers(mc_mct_writer *self, const mc_step_referrers *referrers,
                                      mc_error *error) {
    mc_seen_step *step;
    mc_result result = begin(self, referrers->time_ms, &step, error);
    if (result == MC_OK) result = mc_trace_builder_add_referrers(self->builder, referrers, error);
    if (result != MC_OK) return result;
    assert(step); // or the builder had nothing to add to
    result = write_referrers(self, step, error);
    forget_rows(step);
    return result == MC_OK ? MC_OK : mc_mct_writer_fail(self, result);
}

// ---- retaining paths

// Those that the file lacks.
static mc_result put_new_paths(mc_mct_writer *self, mc_error *error) {
    const mc_strings *paths = &self->builder->paths;
    uint32_t first = self->written.path_count;
    mc_side_rows added = {.rows = NULL};
    if (paths->count == first) return MC_OK;
    mc_result result = mc_side_rows_allocate(MC_SIDE_PATHS, paths->count - first, &added, error);
    for (uint32_t i = 0; i < added.count; i++) {
        size_t size;
        memcpy(mc_side_rows_get(MC_SIDE_PATHS, &added, i), mc_strings_get(paths, first + i, &size),
               sizeof(mc_retaining_path));
    }
    if (result == MC_OK) result = mc_mct_writer_put_side(self, MC_SIDE_PATHS, &added, first, error);
    if (result == MC_OK) self->written.path_count = paths->count;
    mc_side_rows_deinit(&added);
    return result;
}

static mc_result write_paths(mc_mct_writer *self, const mc_seen_step *step, mc_error *error) {
    mc_result result = mc_mct_writer_put_strings(self, error);
    if (result == MC_OK) result = put_new_paths(self, error);
    if (result == MC_OK) result = put_of_step(self, MC_SIDE_SUMS, step, error);
    return result == MC_OK ? mc_mct_writer_put_trace(self, false, error) : result;
}

mc_result mc_mct_writer_add_paths(mc_mct_writer *self, const mc_step_paths *paths,
                                  mc_error *error) {
    mc_seen_step *step;
    mc_result result = begin(self, paths->time_ms, &step, error);
    if (result == MC_OK) result = mc_trace_builder_add_paths(self->builder, paths, error);
    if (result != MC_OK) return result;
    assert(step); // or the builder had nothing to add to
    result = write_paths(self, step, error);
    forget_rows(step);
    return result == MC_OK ? MC_OK : mc_mct_writer_fail(self, result);
}

// ---- owners

// A place may change: where an owner's objects lie elsewhere at a step, it is the group around
// both.
static bool has_places(const mc_mct_writer *self) {
    const mc_trace_builder *builder = self->builder;
    for (uint32_t i = 0; i < self->written.owner_count; i++)
        if (builder->owner_places[i] != self->owner_places[i]) return false;
    return true;
}

mc_result mc_mct_writer_note_owners(mc_mct_writer *self, mc_error *error) {
    uint32_t count = self->builder->owners.count;
    if (count == 0) return MC_OK;
    if (!mc_reserve(&self->owner_places, &self->owner_place_capacity, count,
                    sizeof *self->owner_places))
        return mc_error_out_of_memory(error);
    memcpy(self->owner_places, self->builder->owner_places, count * sizeof *self->owner_places);
    self->written.owner_count = count;
    return MC_OK;
}

// Those that the file lacks; all of them, if it has other places of some.
static mc_result put_new_owners(mc_mct_writer *self, mc_error *error) {
    uint32_t first = has_places(self) ? self->written.owner_count : 0;
    uint32_t count = self->builder->owners.count;
    mc_side_rows added = {.rows = NULL};
    if (count == first) return MC_OK;
    mc_result result = mc_mct_file_add_owners(&self->file, error);
    if (result == MC_OK && first < self->written.owner_count)
        result = mc_mct_file_run(&self->file, "DELETE FROM owners", error);
    if (result == MC_OK)
        result = mc_side_rows_allocate(MC_SIDE_OWNERS, count - first, &added, error);
    for (uint32_t i = 0; i < added.count; i++)
        mc_builder_get_owner(self->builder, first + i, mc_side_rows_get(MC_SIDE_OWNERS, &added, i));
    if (result == MC_OK)
        result = mc_mct_writer_put_side(self, MC_SIDE_OWNERS, &added, first, error);
    if (result == MC_OK) result = mc_mct_writer_note_owners(self, error);
    mc_side_rows_deinit(&added);
    return result;
}

static mc_result write_owners(mc_mct_writer *self, const mc_seen_step *step, mc_error *error) {
    mc_result result = mc_mct_writer_put_strings(self, error);
    if (result == MC_OK) result = put_new_owners(self, error);
    if (result == MC_OK) result = put_of_step(self, MC_SIDE_OWNER_SUMS, step, error);
    if (result == MC_OK) result = put_of_step(self, MC_SIDE_OWNER_WAYS, step, error);
    return result == MC_OK ? mc_mct_writer_put_trace(self, false, error) : result;
}

mc_result mc_mct_writer_add_owners(mc_mct_writer *self, const mc_step_owners *owners,
                                   mc_error *error) {
    mc_seen_step *step;
    mc_result result = begin(self, owners->time_ms, &step, error);
    if (result == MC_OK) result = mc_trace_builder_add_owners(self->builder, owners, error);
    if (result != MC_OK) return result;
    assert(step); // or the builder had nothing to add to
    result = write_owners(self, step, error);
    forget_rows(step);
    return result == MC_OK ? MC_OK : mc_mct_writer_fail(self, result);
}
