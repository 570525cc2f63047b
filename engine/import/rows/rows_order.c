#include "engine/import/rows/rows_order.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/slots.h"
#include <inttypes.h>

#define HELD_MOST ((size_t)1 << 20) // rows
#define ASK_ROWS 4096u              // between two questions whether to go on

typedef enum stage { STAGE_BEGIN, STAGE_HELD, STAGE_READ, STAGE_SORTED } stage;

struct mc_rows_order {
    mc_rows_order_desc desc;
    mc_rows_sorter *sorter;
    stage stage;
    size_t held_at; // the next of those held back
    int64_t *times; // that have been seen
    size_t time_count, time_capacity;
    mc_slots slots;
    uint64_t row_count;
};

mc_result mc_rows_order_create(const mc_rows_order_desc *desc, mc_rows_order **order,
                               mc_error *error) {
    mc_rows_order *self = mc_alloc_zero(1, sizeof *self);
    *order = NULL;
    if (!self) return mc_error_out_of_memory(error);
    self->desc = *desc;
    uint32_t value_count = mc_rows_reader_get_value_count(desc->reader);
    mc_rows_sorter_desc sorter = {.record_size = offsetof(mc_rows_row, values) +
                                                 value_count * sizeof(uint64_t),
                                  .most = desc->most > 0 ? desc->most : HELD_MOST,
                                  .folder = desc->folder};
    mc_result result = mc_rows_sorter_create(&sorter, &self->sorter, error);
    if (result == MC_OK)
        *order = self;
    else
        mc_free(self);
    return result;
}

void mc_rows_order_destroy(mc_rows_order *self) {
    if (!self) return;
    mc_rows_sorter_destroy(self->sorter);
    mc_free(self->times);
    mc_slots_deinit(&self->slots);
    mc_free(self);
}

// ---- times

static bool find_or_add_time(mc_rows_order *self, int64_t time_ms, bool *is_new) {
    uint32_t hash = (uint32_t)(mc_hash_u64((uint64_t)time_ms, 3) >> 32);
    *is_new = false;
    for (uint32_t at = hash, found; (found = mc_slots_find(&self->slots, hash, &at)) != MC_NONE;)
        if (self->times[found] == time_ms) return true;
    *is_new = true;
    if (!mc_reserve(&self->times, &self->time_capacity, self->time_count + 1,
                    sizeof *self->times) ||
        !mc_slots_add(&self->slots, hash, (uint32_t)self->time_count))
        return false;
    self->times[self->time_count++] = time_ms;
    return true;
}

// Whether the row comes where it should, behind those before it.
static mc_result is_in_order(mc_rows_order *self, const mc_rows_row *row, bool *is_fine,
                             mc_error *error) {
    int64_t last = self->time_count > 0 ? self->times[self->time_count - 1] : 0;
    bool is_new;
    *is_fine = self->time_count > 0 && row->time_ms == last;
    if (*is_fine) return MC_OK;
    bool rises = self->time_count == 0 || row->time_ms > last;
    if (!find_or_add_time(self, row->time_ms, &is_new)) return mc_error_out_of_memory(error);
    *is_fine = is_new && (rises || !self->desc.is_rising);
    return MC_OK;
}

// ---- rows

static mc_result read(mc_rows_order *self, const mc_rows_row **row, mc_error *error) {
    if (++self->row_count % ASK_ROWS == 0 && mc_import_watch_should_stop(self->desc.watch))
        return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    return mc_rows_reader_next(self->desc.reader, row, error);
}

// Until there is no room for more, or all have been read; to the end if they are to be sorted.
static mc_result hold(mc_rows_order *self, mc_error *error) {
    const mc_rows_row *row = NULL;
    bool sorts = self->desc.is_unordered;
    while (sorts || !mc_rows_sorter_is_full(self->sorter)) {
        mc_result result = read(self, &row, error);
        bool is_fine = true;
        if (result == MC_OK && row && !sorts) result = is_in_order(self, row, &is_fine, error);
        if (result != MC_OK) return result;
        if (!row) break;
        sorts |= !is_fine;
        result = mc_rows_sorter_add(self->sorter, row, error);
        if (result != MC_OK) return result;
    }
    self->stage = sorts ? STAGE_SORTED : STAGE_HELD;
    return sorts ? mc_rows_sorter_sort(self->sorter, error) : MC_OK;
}

static mc_result fail_order(const mc_rows_order *self, const mc_rows_row *row, mc_error *error) {
    mc_error_set(error, MC_ERROR_BAD_DATA, row->line,
                 "the time %" PRId64 " comes again after others: expected rows ordered by time "
                 "(ORDER BY time, or --unordered sorts them here)",
                 row->time_ms);
    return mc_error_prepend(error, mc_rows_reader_get_name(self->desc.reader));
}

mc_result mc_rows_order_next(mc_rows_order *self, const mc_rows_row **row, mc_error *error) {
    bool is_fine = true;
    const void *record = NULL;
    *row = NULL;
    mc_result result = self->stage == STAGE_BEGIN ? hold(self, error) : MC_OK;
    if (result != MC_OK) return result;
    if (self->stage == STAGE_SORTED) {
        result = mc_rows_sorter_next(self->sorter, &record, error);
        *row = record;
        return result;
    }
    if (self->stage == STAGE_HELD) {
        *row = mc_rows_sorter_get(self->sorter, self->held_at++);
        if (*row) return MC_OK;
        mc_rows_sorter_destroy(self->sorter);
        self->sorter = NULL;
        self->stage = STAGE_READ;
    }
    result = read(self, row, error);
    if (result == MC_OK && *row) result = is_in_order(self, *row, &is_fine, error);
    if (result != MC_OK) return result;
    return is_fine ? MC_OK : fail_order(self, *row, error);
}
