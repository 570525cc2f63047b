#include "app/answers/methods.h"
#include "app/answers/slot.h"

#include "engine/base/memory.h"
#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

// Of a chart as wide as a word more can't be seen; each is a frame to be added up.
#define HISTORY_MOST 120
#define CHART_NICENESS 10

// As shares: of 1 where they are shares, else of the largest.
static void scale(mc_methods *methods, const mc_metric_info *info) {
    for (uint32_t i = 0; i < methods->count; i++) {
        float *values = methods->values + (size_t)i * methods->step_count, most = 0;
        for (uint32_t step = 0; step < methods->step_count; step++)
            most = fmaxf(most, values[step]);
        if (info->unit == MC_UNIT_RATIO && most <= 1) most = 1;
        for (uint32_t step = 0; step < methods->step_count && most > 0; step++)
            values[step] /= most;
    }
}

// Between steps that are not read it goes straight.
static mc_result read_history(const mc_ask *ask, mc_metric metric, mc_methods *methods,
                              mc_error *error) {
    const mc_metric_info *info = mc_trace_get_metric(ask->trace, metric);
    uint32_t steps = methods->step_count;
    uint32_t parts = steps - 1 < HISTORY_MOST ? steps - 1 : HISTORY_MOST, before = 0;
    uint32_t nodes[MC_METHODS_MOST];
    uint64_t values[MC_METHODS_MOST];
    for (uint32_t i = 0; i < methods->count; i++)
        nodes[i] = methods->items[i].node;
    methods->values = mc_alloc_zero((size_t)methods->count * steps + 1, sizeof *methods->values);
    if (!methods->values) return mc_error_out_of_memory(error);
    for (uint32_t part = 0; part <= parts; part++) {
        uint32_t step = parts > 0 ? (uint32_t)((uint64_t)(steps - 1) * part / parts) : 0;
        mc_result result =
            mc_trace_read_values(ask->trace, step, metric, nodes, methods->count, values, error);
        if (result != MC_OK) return result;
        if (!mc_progress_report(ask->progress, part, parts + 1))
            return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        for (uint32_t i = 0; i < methods->count; i++) {
            float *row = methods->values + (size_t)i * steps;
            row[step] = (float)mc_metric_get_number(info, values[i]);
            for (uint32_t at = before + 1; at < step; at++)
                row[at] = row[before] +
                          (row[step] - row[before]) * (float)(at - before) / (float)(step - before);
        }
        before = step;
    }
    scale(methods, info);
    return MC_OK;
}

static mc_result ask_methods(const mc_ask *ask, const void *asked, void *answer, mc_error *error) {
    const mc_methods_key *key = asked;
    mc_methods *methods = answer;
    // The picture comes first. If that is not allowed, this merely takes its share.
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), CHART_NICENESS);
    methods->step_count = key->step_count;
    mc_result result =
        mc_method_facts_find(ask->trace, key->step, key->metric, key->root, methods->items,
                             MC_METHODS_MOST, &methods->count, error);
    return result == MC_OK ? read_history(ask, key->metric, methods, error) : result;
}

static bool differ(const void *first, const void *second) {
    const mc_methods_key *a = first, *b = second;
    return a->step != b->step || a->root != b->root || a->metric != b->metric ||
           a->recording != b->recording || a->numbering != b->numbering ||
           a->step_count != b->step_count;
}

static void deinit(void *answer) {
    mc_free(((mc_methods *)answer)->values);
}

const mc_question mc_question_methods = {
    .name = "methods",
    .key_size = MC_SIZE_OF_KEY(mc_methods_key),
    .answer_size = sizeof(mc_methods),
    .nothing = &(const mc_methods_key){.step = MC_NONE},
    .differ = differ,
    .ask = ask_methods,
    .deinit = deinit,
};
