#include "engine/analyze/owner_series.h"

#include "engine/analyze/class_names.h"
#include "engine/base/memory.h"
#include <string.h>

void mc_owner_series_deinit(mc_owner_series *series) {
    mc_free(series->rows);
    mc_free(series->steps);
    mc_free(series->times_ms);
    mc_free(series->retained);
    mc_free(series->least);
    mc_owner_way_rows_deinit(&series->ways);
    memset(series, 0, sizeof *series);
}

uint32_t mc_owner_series_find(const mc_owner_series *series, uint32_t owner) {
    uint32_t low = 0, high = series->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (series->rows[middle].owner < owner)
            low = middle + 1;
        else
            high = middle;
    }
    return low < series->count && series->rows[low].owner == owner ? low : MC_NONE;
}

bool mc_owner_series_is_inside(const mc_owner_series *series, uint32_t row, uint32_t around) {
    while (row != MC_NONE && row > around)
        row = series->rows[row].parent;
    return row == around;
}

uint32_t mc_owner_series_find_place(const mc_owner_series *series, uint32_t row) {
    for (; row != MC_NONE; row = series->rows[row].parent) {
        uint32_t place = mc_owner_series_get(series, row)->place;
        if (place != MC_NONE && place > 0) return place;
    }
    return MC_NONE;
}

// ---- which steps

static uint32_t count_known(const mc_trace *trace, mc_step_range window) {
    uint32_t count = 0;
    for (uint32_t step = window.first_step; step <= window.last_step; step++)
        count += mc_trace_get_step(trace, step)->has_owners;
    return count;
}

// Evenly spread, the first and the last among them.
static mc_result choose_points(const mc_trace *trace, mc_step_range window, mc_owner_series *series,
                               mc_error *error) {
    uint32_t all = count_known(trace, window), seen = 0;
    uint32_t most = all < MC_OWNER_MOST_POINTS ? all : MC_OWNER_MOST_POINTS;
    series->steps = mc_alloc(most, sizeof *series->steps);
    series->times_ms = mc_alloc(most, sizeof *series->times_ms);
    series->least = mc_alloc(most, sizeof *series->least);
    if (!series->steps || !series->times_ms || !series->least) return mc_error_out_of_memory(error);
    for (uint32_t step = window.first_step; step <= window.last_step; step++) {
        const mc_step_info *info = mc_trace_get_step(trace, step);
        if (!info->has_owners) continue;
        uint32_t next = series->point_count;
        uint32_t wanted =
            next == 0 ? 0 : (uint32_t)((uint64_t)next * (all - 1) / (most > 1 ? most - 1 : 1));
        if (seen++ != wanted) continue;
        series->steps[next] = step;
        series->times_ms[next] = info->time_ms;
        series->point_count++;
    }
    return MC_OK;
}

// ---- rows

static bool is_part_name(const char *name, size_t size) {
    static const char *const ends[] = {"[]",       "$Node",      "$Entry", "$TreeNode",
                                       "$Segment", "$HashEntry", "$Index", "$HashIterator"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t length = strlen(ends[i]);
        if (size >= length && memcmp(name + size - length, ends[i], length) == 0) return true;
    }
    return false;
}

// "ThreadLocal com.acme.Requests.CONTEXT": a static field of the program that has it.
static bool is_program_local(const mc_trace *trace, uint32_t field) {
    static const char before[] = "ThreadLocal ";
    size_t size, length = sizeof before - 1;
    const char *name = mc_trace_get_string(trace, field, &size);
    return size > length && memcmp(name, before, length) == 0 &&
           !mc_class_is_library_name(name + length, size - length);
}

static void find_kind(const mc_trace *trace, const mc_owner *owner, mc_owner_row *row) {
    size_t size;
    const char *name = mc_trace_get_string(trace, owner->class, &size);
    bool is_library = mc_class_is_library_of(trace, name, size);
    row->is_rest = size > 0 && name[0] == '(' && !is_library;
    bool is_class = size > 6 && memcmp(name, "class ", 6) == 0; // a class object
    row->is_library = is_class || row->is_rest || is_library;
    row->is_part = row->is_library && is_part_name(name, size);
    if (owner->field == MC_NONE) return;
    if (owner->parent != MC_NONE) {
        row->is_program_root = is_program_local(trace, owner->field);
        return;
    }
    if (owner->root >= MC_ROOT_COUNT) return;
    name = mc_trace_get_string(trace, owner->field, &size);
    row->is_program_root = mc_class_is_program_root((mc_root_kind)owner->root, name, size);
}

static void link_rows(mc_owner_series *series) {
    for (uint32_t i = series->count; i-- > 0;) {
        mc_owner_row *row = &series->rows[i];
        uint32_t parent = mc_owner_series_get(series, i)->parent;
        row->parent = parent == MC_NONE ? MC_NONE : mc_owner_series_find(series, parent);
        if (row->parent == MC_NONE) continue;
        row->next = series->rows[row->parent].child;
        series->rows[row->parent].child = i;
    }
}

static mc_result make_rows(const mc_trace *trace, const mc_owner_rows *sums,
                           mc_owner_series *series, mc_error *error) {
    series->rows = mc_alloc_zero((size_t)sums->count + 1, sizeof *series->rows);
    if (!series->rows) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < sums->count; i++) {
        const mc_owner_sum *sum = &sums->items[i];
        series->rows[i] = (mc_owner_row){.owner = sum->owner,
                                         .parent = MC_NONE,
                                         .child = MC_NONE,
                                         .next = MC_NONE,
                                         .example = sum->example,
                                         .objects = sum->objects,
                                         .retained_bytes = sum->retained_bytes,
                                         .retained_objects = sum->retained_objects,
                                         .program_objects = sum->program_objects,
                                         .first_point = series->point_count - 1,
                                         .first_objects = sum->objects};
        find_kind(trace, &series->owners[sum->owner], &series->rows[i]);
    }
    series->count = sums->count;
    link_rows(series);
    return MC_OK;
}

// ---- values

static void take_point(mc_owner_series *series, uint32_t point, const mc_owner_rows *sums) {
    uint64_t least = MC_COUNT_MAX;
    for (uint32_t i = 0; i < sums->count; i++)
        if (sums->items[i].retained_bytes < least) least = sums->items[i].retained_bytes;
    series->least[point] = sums->count > 0 ? least : 0;
    for (uint32_t row = 0, i = 0; row < series->count; row++) {
        while (i < sums->count && sums->items[i].owner < series->rows[row].owner)
            i++;
        bool is_known = i < sums->count && sums->items[i].owner == series->rows[row].owner;
        uint64_t value = is_known ? sums->items[i].retained_bytes : MC_COUNT_UNKNOWN;
        series->retained[(size_t)row * series->point_count + point] = value;
        if (!is_known || point >= series->rows[row].first_point) continue;
        series->rows[row].first_point = point;
        series->rows[row].first_objects = sums->items[i].objects;
    }
}

// What is not known is below what is kept then, and no more than what comes to be known next.
static void fill_gaps(mc_owner_series *series) {
    for (uint32_t row = 0; row < series->count; row++) {
        uint64_t *values = series->retained + (size_t)row * series->point_count;
        uint64_t next = values[series->point_count - 1];
        for (uint32_t i = series->point_count; i-- > 0;) {
            if (values[i] == MC_COUNT_UNKNOWN)
                values[i] = series->least[i] < next ? series->least[i] : next;
            next = values[i];
        }
        series->rows[row].growth = (int64_t)(values[series->point_count - 1] - values[0]);
    }
}

static mc_result read_points(const mc_trace *trace, mc_owner_series *series, mc_error *error) {
    mc_owner_rows sums = {0};
    uint32_t last = series->point_count - 1;
    mc_result result = mc_trace_read_owners(trace, series->steps[last], &sums, error);
    if (result == MC_OK) result = make_rows(trace, &sums, series, error);
    if (result == MC_OK) {
        series->retained =
            mc_alloc(((size_t)series->count + 1) * series->point_count, sizeof *series->retained);
        if (!series->retained) result = mc_error_out_of_memory(error);
    }
    if (result == MC_OK) take_point(series, last, &sums);
    for (uint32_t i = 0; i < last && result == MC_OK; i++) {
        result = mc_trace_read_owners(trace, series->steps[i], &sums, error);
        if (result == MC_OK) take_point(series, i, &sums);
    }
    mc_owner_rows_deinit(&sums);
    if (result == MC_OK) fill_gaps(series);
    return result;
}

mc_result mc_owner_series_read(const mc_trace *trace, mc_step_range window, mc_owner_series *series,
                               mc_error *error) {
    uint32_t owner_count;
    memset(series, 0, sizeof *series);
    series->owners = mc_trace_get_owners(trace, &owner_count);
    if (!mc_trace_get_step(trace, window.last_step)->has_owners) return MC_OK;
    mc_result result = choose_points(trace, window, series, error);
    if (result == MC_OK) result = read_points(trace, series, error);
    if (result == MC_OK)
        result = mc_trace_read_owner_ways(trace, window.last_step, &series->ways, error);
    series->heap = mc_trace_get_step(trace, window.last_step)->bytes;
    if (result != MC_OK) mc_owner_series_deinit(series);
    return result;
}
