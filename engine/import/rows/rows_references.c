#include "engine/import/rows/rows_references.h"

#include "engine/base/memory.h"
#include <inttypes.h>

#define HELD_MOST ((size_t)1 << 19) // rows
#define ASK_ROWS 4096u              // between two questions whether to go on

struct mc_rows_references {
    mc_rows_reader *reader;
    mc_rows_sorter *sorter;
    const mc_rows_row *next; // NULL: there are no more
};

static mc_result advance(mc_rows_references *self, mc_error *error) {
    const void *record;
    mc_result result = mc_rows_sorter_next(self->sorter, &record, error);
    self->next = record;
    return result;
}

static mc_result read_all(mc_rows_references *self, mc_import_watch *watch, mc_error *error) {
    const mc_rows_row *row;
    mc_result result = MC_OK;
    for (uint64_t count = 1; result == MC_OK; count++) {
        if (count % ASK_ROWS == 0 && mc_import_watch_should_stop(watch))
            return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        result = mc_rows_reader_next(self->reader, &row, error);
        if (result != MC_OK || !row) break;
        result = mc_rows_sorter_add(self->sorter, row, error);
    }
    if (result == MC_OK) result = mc_rows_sorter_sort(self->sorter, error);
    return result == MC_OK ? advance(self, error) : result;
}

mc_result mc_rows_references_create(const mc_rows_references_desc *desc,
                                    mc_rows_references **references, mc_error *error) {
    mc_rows_references *self = mc_alloc_zero(1, sizeof *self);
    mc_rows_sorter_desc sorter = {.record_size =
                                      offsetof(mc_rows_row, values) + 2 * sizeof(uint64_t),
                                  .most = desc->most > 0 ? desc->most : HELD_MOST,
                                  .folder = desc->folder};
    *references = NULL;
    if (!self) return mc_error_out_of_memory(error);
    mc_result result = mc_rows_reader_create(&desc->reader, &self->reader, error);
    if (result == MC_OK) result = mc_rows_sorter_create(&sorter, &self->sorter, error);
    if (result == MC_OK) result = read_all(self, desc->reader.source.watch, error);
    if (result == MC_OK)
        *references = self;
    else
        mc_rows_references_destroy(self);
    return result;
}

void mc_rows_references_destroy(mc_rows_references *self) {
    if (!self) return;
    mc_rows_sorter_destroy(self->sorter);
    mc_rows_reader_destroy(self->reader);
    mc_free(self);
}

static mc_result fail_time(const mc_rows_references *self, mc_error *error) {
    mc_error_set(error, MC_ERROR_BAD_DATA, self->next->line,
                 "no rows have the time %" PRId64 " of these references", self->next->time_ms);
    return mc_error_prepend(error, mc_rows_reader_get_name(self->reader));
}

static mc_result fail_group(const mc_rows_references *self, bool is_from, mc_error *error) {
    mc_error_set(error, MC_ERROR_BAD_DATA, self->next->line,
                 "expected a group that has a row of the time %" PRId64
                 ", found another one that references %s",
                 self->next->time_ms, is_from ? "come from" : "go to");
    return mc_error_prepend(error, mc_rows_reader_get_name(self->reader));
}

// One row says a pair of either map; one without groups that there is such a map.
static mc_result take_row(const mc_rows_references *self, const mc_rows_steps *steps,
                          mc_reference_map maps[2], bool has[2], mc_error *error) {
    const mc_rows_row *row = self->next;
    uint32_t from = mc_rows_steps_get_entry(steps, row->node);
    uint32_t to = mc_rows_steps_get_entry(steps, row->to);
    if (from == MC_NONE || to == MC_NONE) return fail_group(self, from == MC_NONE, error);
    for (int i = 0; i < 2; i++) {
        uint64_t count = row->values[i];
        if (count == MC_COUNT_UNKNOWN) continue;
        has[i] = true;
        if (row->node == 0 && row->to == 0 && count == 0) continue;
        bool is_points_to = i == MC_POINTS_TO;
        mc_reference_entry entry = {.outer_offset = is_points_to ? from : to,
                                    .inner_offset = is_points_to ? to : from,
                                    .count = count,
                                    .source_offset = row->line};
        if (!mc_reference_map_add(&maps[i], entry)) return mc_error_out_of_memory(error);
    }
    return MC_OK;
}

mc_result mc_rows_references_take(mc_rows_references *self, const mc_rows_steps *steps,
                                  int64_t time_ms, mc_reference_map maps[2], bool has[2],
                                  mc_error *error) {
    for (int i = 0; i < 2; i++) {
        mc_reference_map_reset(&maps[i]);
        maps[i].time_ms = time_ms;
        maps[i].is_by_node = true;
        has[i] = false;
    }
    if (self->next && self->next->time_ms < time_ms) return fail_time(self, error);
    while (self->next && self->next->time_ms == time_ms) {
        mc_result result = take_row(self, steps, maps, has, error);
        if (result == MC_OK) result = advance(self, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

mc_result mc_rows_references_finish(mc_rows_references *self, mc_error *error) {
    return self->next ? fail_time(self, error) : MC_OK;
}
