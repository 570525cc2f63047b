#include "app/page/page_values.h"

#include "app/node_text.h"
#include "engine/base/memory.h"
#include "engine/trace/versus/versus.h"
#include <string.h>

#define MOST_SHARED 255u // bytes of a name that are the same as before

// ---- values

typedef struct table {
    uint32_t *rows; // of the plan
    uint32_t count, building_count;
    uint32_t step_count;
    uint64_t *values;       // step by step
    unsigned char *unknown; // a bit for each, in planes of eight steps
    bool has_unknown;
} table;

static void table_deinit(table *t) {
    mc_free(t->rows);
    mc_free(t->values);
    mc_free(t->unknown);
}

static bool table_init(table *t, const mc_page_plan *plan, uint32_t step_count, bool of_districts) {
    t->rows = mc_alloc((size_t)plan->count + 1, sizeof *t->rows);
    if (!t->rows) return false;
    for (uint32_t i = 0; i < plan->count; i++)
        if (plan->child_count[i] == 0) t->rows[t->count++] = i;
    t->building_count = t->count;
    for (uint32_t i = 0; of_districts && i < plan->count; i++)
        if (plan->child_count[i] > 0) t->rows[t->count++] = i;
    t->step_count = step_count;
    t->values = mc_alloc((size_t)t->count * step_count + 1, sizeof *t->values);
    t->unknown = mc_alloc_zero((size_t)t->count * ((step_count + 7) / 8) + 1, 1);
    return t->values && t->unknown;
}

static mc_result read(table *t, const mc_trace *trace, const mc_page_plan *plan,
                      const mc_page_values *desc, const mc_progress *progress, mc_error *error) {
    const mc_metric_info *info = mc_trace_get_metric(trace, desc->metric);
    uint64_t *column = mc_alloc(mc_trace_get_nodes(trace)->count, sizeof *column);
    if (!column) return mc_error_out_of_memory(error);
    mc_result result = MC_OK;
    for (uint32_t step = 0; step < desc->steps.count && result == MC_OK; step++) {
        uint64_t *values = t->values + (size_t)step * t->count;
        unsigned char *unknown = t->unknown + (size_t)step / 8 * t->count;
        result = mc_trace_read_column(trace, desc->steps.items[step], desc->metric, column, error);
        for (uint32_t row = 0; row < t->count && result == MC_OK; row++) {
            uint64_t word = column[plan->node[t->rows[row]]];
            values[row] = mc_metric_get_count(info, word);
            if (word != MC_COUNT_UNKNOWN) continue;
            unknown[row] |= (unsigned char)(1u << step % 8);
            t->has_unknown = true;
        }
        if (result == MC_OK && !mc_progress_report(progress, step + 1, desc->steps.count))
            result = mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
    mc_free(column);
    return result;
}

static uint64_t get_value(const table *t, uint32_t row, uint32_t step) {
    return t->values[(size_t)step * t->count + row];
}

// By how much the city's maximum exceeds what is there.
static uint64_t get_beyond(const table *t, const mc_page_plan *plan, uint32_t row) {
    uint64_t most = 0, max = plan->city->building_max[plan->structure[t->rows[row]]];
    for (uint32_t step = 0; step < t->step_count; step++) {
        uint64_t value = get_value(t, row, step);
        if (value > most) most = value;
    }
    return max > most ? max - most : 0;
}

static void add_changes(const table *t, const mc_page_values *desc, mc_page_columns *out) {
    size_t plane_count = (t->step_count + 6) / 8, change_count = 0, done = 0;
    unsigned char *changed = mc_alloc_zero(plane_count * t->count + 1, 1);
    for (uint32_t step = 1; step < t->step_count && changed; step++) {
        unsigned char *plane = changed + (size_t)(step - 1) / 8 * t->count;
        for (uint32_t row = 0; row < t->count; row++) {
            if (get_value(t, row, step) == get_value(t, row, step - 1)) continue;
            plane[row] |= (unsigned char)(1u << (step - 1) % 8);
            change_count++;
        }
    }
    uint64_t *changes = mc_alloc(change_count + 1, sizeof *changes);
    out->bytes.failed |= !changed || !changes;
    for (uint32_t row = 0; row < t->count && !out->bytes.failed; row++)
        for (uint32_t step = 1; step < t->step_count; step++) {
            uint64_t before = get_value(t, row, step - 1), now = get_value(t, row, step);
            if (now != before) changes[done++] = mc_page_fold_sign((int64_t)(now - before));
        }
    if (!out->bytes.failed) {
        mc_page_columns_add_bytes(out, desc->names[1], changed, plane_count * t->count);
        mc_page_columns_add(out, desc->names[2], changes, change_count);
    }
    mc_free(changed);
    mc_free(changes);
}

static bool add_beyond(const table *t, const mc_page_plan *plan, const char *name,
                       mc_page_columns *out) {
    uint64_t *beyond = mc_alloc((size_t)t->building_count + 1, sizeof *beyond);
    for (uint32_t row = 0; beyond && row < t->building_count; row++)
        beyond[row] = get_beyond(t, plan, row);
    if (beyond) mc_page_columns_add(out, name, beyond, t->building_count);
    mc_free(beyond);
    return beyond != NULL;
}

mc_result mc_page_values_append(const mc_trace *trace, const mc_page_plan *plan,
                                const mc_page_values *desc, const mc_progress *progress,
                                mc_page_columns *out, mc_error *error) {
    table t = {0};
    mc_result result = table_init(&t, plan, desc->steps.count, desc->of_districts)
                           ? read(&t, trace, plan, desc, progress, error)
                           : mc_error_out_of_memory(error);
    if (result == MC_OK) {
        mc_page_columns_add(out, desc->names[0], t.values, t.count);
        add_changes(&t, desc, out);
        if (desc->beyond) out->bytes.failed |= !add_beyond(&t, plan, desc->beyond, out);
        if (desc->unknown && t.has_unknown)
            mc_page_columns_add_bytes(out, desc->unknown, t.unknown,
                                      (size_t)t.count * ((t.step_count + 7) / 8));
        if (out->bytes.failed) result = mc_error_out_of_memory(error);
    }
    table_deinit(&t);
    return result;
}

mc_result mc_page_states_append(const mc_trace *trace, const mc_page_plan *plan,
                                mc_page_columns *out, mc_error *error) {
    uint32_t count = 0;
    unsigned char *states = mc_alloc((size_t)plan->count + 1, 1);
    if (!states) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < plan->count; i++) {
        if (plan->child_count[i] > 0) continue;
        bool is_new = !mc_versus_has_node(trace, MC_BEFORE, plan->node[i]);
        bool is_gone = !mc_versus_has_node(trace, MC_AFTER, plan->node[i]);
        states[count++] = is_new ? 1 : is_gone ? 2 : 0;
    }
    mc_page_columns_add_bytes(out, "state", states, count);
    mc_free(states);
    return out->bytes.failed ? mc_error_out_of_memory(error) : MC_OK;
}

// ---- names

static size_t count_shared(const mc_text *before, const mc_text *now) {
    size_t shared = 0;
    while (shared < MOST_SHARED && shared < before->size && shared < now->size &&
           before->data[shared] == now->data[shared])
        shared++;
    return shared;
}

// What is the same as before, and the rest, for which `rests` counts the bytes.
static void append_names(const mc_trace *trace, const mc_page_plan *plan, unsigned char *shared,
                         uint64_t *rests, mc_text *rest) {
    mc_text texts[2] = {{0}, {0}};
    for (uint32_t i = 0; i < plan->count; i++) {
        mc_text *before = &texts[i % 2], *now = &texts[(i + 1) % 2];
        mc_text_clear(now);
        mc_node_append_name_line(trace, plan->node[i], now);
        rest->failed |= now->failed;
        if (rest->failed) break;
        size_t same = count_shared(before, now);
        shared[i] = (unsigned char)same;
        rests[i] = now->size - same;
        if (now->size > same) mc_text_append(rest, now->data + same, now->size - same);
    }
    mc_text_deinit(&texts[0]);
    mc_text_deinit(&texts[1]);
}

mc_result mc_page_names_append(const mc_trace *trace, const mc_page_plan *plan,
                               mc_page_columns *out, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    unsigned char *shared = mc_alloc((size_t)plan->count + 1, 1);
    uint64_t *numbers = mc_alloc((size_t)plan->count + 1, sizeof *numbers);
    mc_text rest = {.failed = !shared || !numbers};
    if (!rest.failed) {
        for (uint32_t i = 0; i < plan->count; i++) {
            uint32_t role = nodes->role[plan->node[i]];
            numbers[i] = role == MC_NONE ? 0 : (uint64_t)role + 1;
        }
        mc_page_columns_add(out, "role", numbers, plan->count);
        append_names(trace, plan, shared, numbers, &rest);
    }
    if (!rest.failed) {
        mc_page_columns_add_bytes(out, "shared", shared, plan->count);
        mc_page_columns_add(out, "rest", numbers, plan->count);
        mc_page_columns_add_bytes(out, "text", rest.data, rest.size);
    }
    bool has_failed = rest.failed || out->bytes.failed;
    mc_free(shared);
    mc_free(numbers);
    mc_text_deinit(&rest);
    return has_failed ? mc_error_out_of_memory(error) : MC_OK;
}
