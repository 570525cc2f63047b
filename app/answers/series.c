#include "app/answers/series.h"
#include "app/answers/slot.h"

#include "engine/analyze/cause_finder.h"
#include "engine/analyze/old_objects.h"
#include "engine/base/memory.h"
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define CHART_NICENESS 10

// What was read last.
typedef struct series_memory {
    uint64_t recording, numbering;
    mc_metric metric;
    mc_selection nodes;
    uint32_t step_count;
    uint64_t *values; // step by step
    size_t capacity;
} series_memory;

static void forget(void *kept) {
    series_memory *memory = kept;
    mc_free(memory->values);
    mc_free(memory);
}

static mc_result find_suspects(const mc_ask *ask, const mc_series_key *key, mc_series *series,
                               mc_error *error) {
    mc_causes *causes = &series->causes;
    mc_causes_desc desc = {.metric = key->metric, .window = key->window};
    // Samples are judged by the whole heap, whatever district is shown.
    bool is_whole = key->root == 0 || mc_old_objects_speak(ask->trace, key->metric);
    mc_result result = is_whole ? mc_causes_find(ask->trace, &desc, ask->progress, causes, error)
                                : mc_suspects_find(ask->trace, key->metric, key->window, key->root,
                                                   ask->progress, &causes->suspects, error);
    if (result != MC_OK) return result;
    if (!is_whole) causes->desc = desc;
    series->nodes.count = mc_causes_list(causes, series->suspects, MC_SERIES_SUSPECT_MOST);
    for (uint32_t i = 0; i < series->nodes.count; i++)
        series->nodes.nodes[i] = series->suspects[i].node;
    return MC_OK;
}

// The whole heap is the first node, however others are numbered.
static bool goes_on(const series_memory *memory, const mc_series_key *key, mc_metric metric,
                    const mc_selection *nodes) {
    bool is_whole = nodes->count == 1 && nodes->nodes[0] == 0;
    bool is_same =
        is_whole ? memory->recording == key->recording : memory->numbering == key->numbering;
    return is_same && memory->metric == metric && mc_selection_equals(&memory->nodes, nodes);
}

// What is there already stays, also if this is cancelled.
static mc_result read_more(const mc_ask *ask, const mc_series_key *key, mc_metric metric,
                           const mc_selection *nodes, series_memory *memory, mc_error *error) {
    if (!goes_on(memory, key, metric, nodes)) memory->step_count = 0;
    memory->recording = key->recording;
    memory->numbering = key->numbering;
    memory->metric = metric;
    memory->nodes = *nodes;
    if (!mc_reserve(&memory->values, &memory->capacity, (size_t)nodes->count * key->step_count + 1,
                    sizeof *memory->values))
        return mc_error_out_of_memory(error);
    while (memory->step_count < key->step_count) {
        uint32_t step = memory->step_count;
        uint64_t *values = memory->values + (size_t)step * nodes->count;
        mc_result result = mc_trace_read_values(ask->trace, step, metric, nodes->nodes,
                                                nodes->count, values, error);
        if (result != MC_OK) return result;
        memory->step_count++;
        if (!mc_progress_report(ask->progress, step, key->step_count))
            return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        // A file is read by one thread at a time: the picture's and the panels' turn.
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    }
    return MC_OK;
}

static mc_result ask_series(const mc_ask *ask, const void *asked, void *answer, mc_error *error) {
    const mc_series_key *key = asked;
    mc_series *series = answer;
    if (!*ask->memory) *ask->memory = mc_alloc_zero(1, sizeof(series_memory));
    series_memory *memory = *ask->memory;
    if (!memory) return mc_error_out_of_memory(error);
    // Charts can wait: a software driver wants all cores for the first pictures. If that is not
    // allowed, they merely come slower.
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), CHART_NICENESS);
    series->dataset = mc_dataset_hold(ask->dataset);
    series->nodes = key->nodes;
    series->step_count = key->step_count;
    mc_result result = key->judges ? find_suspects(ask, key, series, error) : MC_OK;
    // Suspects have the metric in which they were judged.
    series->metric = key->judges && result == MC_OK ? series->causes.desc.metric : key->metric;
    if (result == MC_OK)
        result = read_more(ask, key, series->metric, &series->nodes, memory, error);
    if (result != MC_OK) return result;
    size_t count = (size_t)series->nodes.count * key->step_count;
    series->values = mc_alloc(count + 1, sizeof *series->values);
    if (!series->values) return mc_error_out_of_memory(error);
    if (count > 0) memcpy(series->values, memory->values, count * sizeof *series->values);
    return MC_OK;
}

static bool differ(const void *first, const void *second) {
    const mc_series_key *a = first, *b = second;
    return !mc_selection_equals(&a->nodes, &b->nodes) || a->judges != b->judges ||
           a->root != b->root || a->window.first_step != b->window.first_step ||
           a->window.last_step != b->window.last_step || a->metric != b->metric ||
           a->recording != b->recording || a->numbering != b->numbering ||
           a->step_count != b->step_count;
}

static void deinit(void *answer) {
    mc_series *series = answer;
    mc_causes_deinit(&series->causes);
    mc_dataset_release(series->dataset);
    mc_free(series->values);
}

static const mc_series_key nothing;

const mc_question mc_question_series = {
    .name = "series",
    .key_size = MC_SIZE_OF_KEY(mc_series_key),
    .answer_size = sizeof(mc_series),
    .nothing = &nothing,
    .differ = differ,
    .ask = ask_series,
    .deinit = deinit,
    .forget = forget,
    .keeps_memory = true,
};

uint64_t mc_series_get(const mc_series *series, uint32_t step, uint32_t index) {
    uint32_t last = series->step_count - 1;
    return series->values[(size_t)(step < last ? step : last) * series->nodes.count + index];
}
