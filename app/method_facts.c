#include "app/method_facts.h"

#include "app/format.h"
#include "engine/analyze/top_n.h"
#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/trace/regroup/sliding_window.h"
#include <string.h>

#define CALLS "calls"

typedef struct columns {
    uint32_t *nodes, *names;
    uint64_t *threads, *calls, *steady;
} columns;

// What the trace lacks is not known.
static mc_result read_one(const mc_trace *trace, uint32_t step, const char *key,
                          const uint32_t *nodes, uint32_t count, uint64_t *values,
                          mc_error *error) {
    mc_metric metric = mc_trace_find_metric(trace, key);
    for (uint32_t i = 0; i < count; i++)
        values[i] = MC_COUNT_UNKNOWN;
    if (metric == MC_NONE || count == 0) return MC_OK;
    return mc_trace_read_values(trace, step, metric, nodes, count, values, error);
}

static mc_result read_columns(const mc_trace *trace, uint32_t step, uint32_t count, columns *to,
                              mc_error *error) {
    mc_result result =
        mc_trace_read_longest_threads(trace, step, to->nodes, count, to->names, error);
    if (result == MC_OK)
        result = read_one(trace, step, mc_metric_threads, to->nodes, count, to->threads, error);
    if (result == MC_OK) result = read_one(trace, step, CALLS, to->nodes, count, to->calls, error);
    if (result == MC_OK)
        result = read_one(trace, step, mc_metric_steady, to->nodes, count, to->steady, error);
    return result;
}

static void take_columns(const mc_trace *trace, const columns *from, mc_method_facts *found,
                         uint32_t count) {
    const mc_trace *base = mc_trace_get_base(trace);
    const mc_metric_info *steady =
        mc_trace_get_metric(trace, mc_trace_find_metric(trace, mc_metric_steady));
    for (uint32_t i = 0; i < count; i++) {
        size_t size;
        found[i].threads = from->threads[i];
        found[i].calls = from->calls[i];
        found[i].steady = mc_metric_get_number(steady, from->steady[i]);
        found[i].thread[0] = '\0';
        if (from->names[i] == MC_NONE) continue;
        const char *name = mc_trace_get_string(base, from->names[i], &size);
        mc_printable_copy(found[i].thread, sizeof found[i].thread, name, size);
    }
}

mc_result mc_method_facts_find(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               uint32_t root, mc_method_facts *found, uint32_t most,
                               uint32_t *count, mc_error *error) {
    size_t room = (size_t)most + 1;
    mc_top_n *highest = mc_alloc(room, sizeof *highest);
    columns read = {mc_alloc(room, sizeof *read.nodes), mc_alloc(room, sizeof *read.names),
                    mc_alloc(room, sizeof *read.threads), mc_alloc(room, sizeof *read.calls),
                    mc_alloc(room, sizeof *read.steady)};
    bool fits = highest && read.nodes && read.names && read.threads && read.calls && read.steady;
    *count = 0;
    mc_result result =
        fits ? mc_top_n_find(trace, step_index, metric, root, highest, most, count, error)
             : mc_error_out_of_memory(error);
    for (uint32_t i = 0; result == MC_OK && i < *count; i++) {
        read.nodes[i] = found[i].node = highest[i].node;
        found[i].value = highest[i].value;
    }
    if (result == MC_OK) result = read_columns(trace, step_index, *count, &read, error);
    if (result == MC_OK) take_columns(trace, &read, found, *count);
    mc_free(highest);
    mc_free(read.nodes);
    mc_free(read.names);
    mc_free(read.threads);
    mc_free(read.calls);
    mc_free(read.steady);
    return result;
}

// ---- in words

void mc_method_facts_append(const mc_method_facts *method, mc_text *text) {
    char number[MC_FORMAT_SIZE];
    if (method->steady >= MC_METHOD_STEADY_LEAST) mc_text_append_string(text, "steady · ");
    if (method->threads == 1)
        mc_text_append_string(text, method->thread[0] ? method->thread : "1 thread");
    else
        mc_text_append_string(text, mc_format_counted(number, method->threads, "thread"));
    if (method->threads > 1 && method->thread[0])
        mc_text_format(text, ", longest %s", method->thread);
    if (method->calls != MC_COUNT_UNKNOWN)
        mc_text_format(text, " · %s", mc_format_counted(number, method->calls, "call"));
}
