#include "app/session/series.h"

#include "app/pair.h"
#include "app/session/methods.h"
#include "app/session/metrics.h"
#include "app/session/why.h"
#include "app/why_text.h"
#include "engine/analyze/cause_finder.h"
#include "engine/analyze/node_facts.h"
#include "engine/base/memory.h"
#include "engine/scene/style_source.h"
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define CHART_NICENESS 10

static mc_metric get_column(const mc_session *session) {
    return session->shown->metric;
}

// As shares of the largest, which is returned; what is not known is 0.
static uint64_t normalize(const mc_metric_info *info, const uint64_t *values, uint32_t count,
                          float *shares) {
    double largest = 0;
    uint64_t most = mc_metric_get_word(info, 0);
    for (uint32_t i = 0; i < count; i++) {
        double number = mc_metric_get_number(info, values[i]);
        if (!(number > largest)) continue;
        largest = number;
        most = values[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        double value = mc_metric_get_number(info, values[i]);
        shares[i] = largest > 0 ? (float)(value / largest) : 0;
    }
    return most;
}

// Of objects and bytes totals are known without reading.
static bool knows_totals(const mc_session *session) {
    return get_column(session) < MC_METRIC_FIRST_OWN;
}

static void get_totals(const mc_session *session, mc_metric metric) {
    for (uint32_t i = 0; i < mc_trace_get_step_count(session->trace); i++) {
        const mc_step_info *info = mc_trace_get_step(session->trace, i);
        session->charts.scratch[i] = metric == MC_METRIC_BYTES ? info->bytes : info->objects;
    }
}

// ---- values of nodes over all steps, read beside the window

// What was read last: of a recording that goes on only what came since is read.
typedef struct mc_series_known {
    uint64_t recording, numbering; // of the dataset
    mc_metric metric;
    uint32_t nodes[MC_SELECTION_CAPACITY];
    uint32_t node_count, step_count;
    uint64_t *values; // step by step
    size_t capacity;
} mc_series_known;

typedef struct series_task {
    mc_dataset *dataset; // held
    const mc_trace *trace;
    uint64_t recording, numbering;
    mc_series_known *known;
    mc_metric metric;
    mc_step_range window;
    bool judges; // the nodes are those of the suspects below `root`
    uint32_t root;
    mc_causes causes; // below a district there are none, only suspects
    mc_suspect suspects[MC_SESSION_SUSPECT_COUNT];
    uint32_t nodes[MC_SELECTION_CAPACITY]; // of the suspects, or of the selection
    uint32_t node_count;
    uint64_t *values; // step by step
    // Late, of nodes that have other numbers by now; some of which are no more.
    bool is_renumbered, is_lost;
} series_task;

static void destroy_task(void *context) {
    series_task *task = context;
    mc_causes_deinit(&task->causes);
    mc_dataset_release(task->dataset);
    mc_free(task->values);
    mc_free(task);
}

static mc_result find_nodes(series_task *task, const mc_progress *progress, mc_error *error) {
    mc_causes_desc desc = {.metric = task->metric, .window = task->window};
    mc_result result = task->root == 0
                           ? mc_causes_find(task->trace, &desc, progress, &task->causes, error)
                           : mc_suspects_find(task->trace, task->metric, task->window, task->root,
                                              progress, &task->causes.suspects, error);
    if (result != MC_OK) return result;
    task->node_count = mc_causes_list(&task->causes, task->suspects, MC_SESSION_SUSPECT_COUNT);
    for (uint32_t i = 0; i < task->node_count; i++)
        task->nodes[i] = task->suspects[i].node;
    return MC_OK;
}

// The whole heap is the first node, however others are numbered.
static bool goes_on(const mc_series_known *known, const series_task *task) {
    bool is_whole = task->node_count == 1 && task->nodes[0] == 0;
    bool is_same =
        is_whole ? known->recording == task->recording : known->numbering == task->numbering;
    return is_same && known->metric == task->metric && known->node_count == task->node_count &&
           memcmp(known->nodes, task->nodes, task->node_count * sizeof *task->nodes) == 0;
}

// Into what is known, where what is there already stays, also if this is cancelled.
static mc_result read_more(series_task *task, uint32_t step_count, const mc_progress *progress,
                           mc_error *error) {
    mc_series_known *known = task->known;
    if (!goes_on(known, task)) {
        known->step_count = 0;
        known->metric = task->metric;
        known->node_count = task->node_count;
        memcpy(known->nodes, task->nodes, task->node_count * sizeof *task->nodes);
    }
    known->recording = task->recording;
    known->numbering = task->numbering;
    if (!mc_reserve(&known->values, &known->capacity, (size_t)task->node_count * step_count + 1,
                    sizeof *known->values))
        return mc_error_out_of_memory(error);
    while (known->step_count < step_count) {
        uint32_t step = known->step_count;
        uint64_t *values = known->values + (size_t)step * task->node_count;
        mc_result result = mc_trace_read_values(task->trace, step, task->metric, task->nodes,
                                                task->node_count, values, error);
        if (result != MC_OK) return result;
        known->step_count++;
        if (!mc_progress_report(progress, step, step_count))
            return mc_error_set(error, MC_ERROR_CANCELLED, MC_ERROR_NO_OFFSET, "cancelled");
        // A file is read by one thread at a time: the picture's and the panels' turn.
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    }
    return MC_OK;
}

static mc_result run_task(void *context, void **state, const mc_progress *progress,
                          mc_error *error) {
    series_task *task = context;
    (void)state;
    uint32_t step_count = mc_trace_get_step_count(task->trace);
    // Charts can wait: a software driver wants all cores for the first pictures. If that is not
    // allowed, they merely come slower.
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), CHART_NICENESS);
    mc_result result = task->judges ? find_nodes(task, progress, error) : MC_OK;
    if (result != MC_OK) return result;
    result = read_more(task, step_count, progress, error);
    if (result != MC_OK) return result;
    size_t count = (size_t)task->node_count * step_count;
    task->values = mc_alloc(count + 1, sizeof *task->values);
    if (!task->values) return mc_error_out_of_memory(error);
    if (count > 0) memcpy(task->values, task->known->values, count * sizeof *task->values);
    return MC_OK;
}

static bool requests_differ(const void *a, const void *b) {
    return *(const uint32_t *)a != *(const uint32_t *)b;
}

static void ask(mc_session_series *series) {
    series->request++;
    mc_slot_want(series->slot, &series->request);
}

// The values of nodes, or, if there are none, the suspects and theirs. While a recording goes on,
// what runs is awaited.
static void start_many(mc_session *session, mc_session_series *series, const mc_selection *nodes) {
    ask(series);
    series_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) return; // there will be no charts
    task->dataset = mc_dataset_hold(session->dataset);
    task->trace = session->trace;
    task->recording = session->dataset->recording;
    task->numbering = session->dataset->numbering;
    task->known = series->known;
    task->metric = session->shown->metric;
    task->window = session->shown->window;
    task->judges = nodes->count == 0;
    task->root = session->shown->root_node;
    task->node_count = nodes->count;
    memcpy(task->nodes, nodes->nodes, nodes->count * sizeof *nodes->nodes);
    if (session->charts.is_going_on)
        mc_slot_start_behind(series->slot, session->dataset, task);
    else
        mc_slot_start(series->slot, session->dataset, task);
}

static void start(mc_session *session, mc_session_series *series, uint32_t node) {
    mc_selection nodes = mc_selection_of(node);
    start_many(session, series, &nodes);
}

// Nodes of the task are numbered anew by now; its causes keep the old numbers.
static void renumber_task(const mc_session *session, series_task *task) {
    uint32_t kept = 0;
    mc_text key = {0};
    for (uint32_t i = 0; i < task->node_count; i++) {
        mc_text_clear(&key);
        mc_trace_append_full_key(task->trace, task->nodes[i], &key);
        uint32_t node =
            key.failed ? MC_NONE : mc_trace_find_node(session->trace, key.data, key.size);
        task->nodes[i] = task->suspects[i].node = node;
        kept += node != MC_NONE;
    }
    mc_text_deinit(&key);
    task->is_renumbered = true;
    if (kept < task->node_count) task->is_lost = true;
}

// The values that were asked for last, or, while a recording goes on, before; NULL: not yet, or
// they can't be read.
static series_task *take(const mc_session *session, mc_session_series *series) {
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome = mc_slot_take(series->slot, &taken, &error);
    series_task *task = taken;
    if (outcome == MC_SLOT_LATE) {
        bool is_same = task->recording == session->dataset->recording &&
                       task->metric == session->shown->metric;
        if (is_same && task->numbering != session->dataset->numbering) renumber_task(session, task);
        if (is_same && !task->is_lost) return task;
    }
    if (outcome == MC_SLOT_FOUND) return task;
    if (task) destroy_task(task);
    return NULL;
}

// Steps that came since it was read are as the last one that was.
static uint64_t get_value(const series_task *task, uint32_t step, uint32_t index) {
    uint32_t count = mc_trace_get_step_count(task->trace);
    return task->values[(size_t)(step < count ? step : count - 1) * task->node_count + index];
}

// One node's values, out of all.
static void get_series(const mc_session *session, const series_task *task, uint32_t index) {
    for (uint32_t step = 0; step < mc_trace_get_step_count(session->trace); step++)
        session->charts.scratch[step] = get_value(task, step, index);
}

mc_result mc_session_begin_series(mc_session *session, mc_error *error) {
    static const mc_slot_kind kind = {sizeof(uint32_t), requests_differ, run_task, destroy_task,
                                      NULL};
    void (*wake)(void) = session->desc->host.wake;
    mc_session_series *all[3] = {&session->charts.suspect_series, &session->charts.selection_series,
                                 &session->charts.total_series};
    mc_result result = MC_OK;
    for (int i = 0; i < 3 && result == MC_OK; i++) {
        all[i]->known = mc_alloc_zero(1, sizeof *all[i]->known);
        result = all[i]->known ? mc_slot_create(&kind, &all[i]->request, wake, &all[i]->slot, error)
                               : mc_error_out_of_memory(error);
    }
    return result;
}

void mc_session_forget_series(mc_session *session) {
    mc_slot_reset(session->charts.suspect_series.slot);
    mc_slot_reset(session->charts.selection_series.slot);
    mc_slot_reset(session->charts.total_series.slot);
}

void mc_session_forget_selection_series(mc_session *session) {
    mc_slot_reset(session->charts.selection_series.slot);
    session->charts.has_selection = false;
}

static uint64_t normalize_series(const mc_session *session, mc_metric metric, float *shares) {
    return normalize(mc_trace_get_metric(session->trace, metric), session->charts.scratch,
                     mc_trace_get_step_count(session->trace), shares);
}

static void place_steps(mc_session *session) {
    uint32_t count = mc_trace_get_step_count(session->trace);
    int64_t first = mc_trace_get_step(session->trace, 0)->time_ms;
    int64_t last = mc_trace_get_step(session->trace, count - 1)->time_ms;
    for (uint32_t i = 0; i < count; i++)
        session->charts.step_places[i] = (float)mc_time_axis_place(
            first, last, mc_trace_get_step(session->trace, i)->time_ms, i, count);
}

mc_metric mc_session_get_other_metric(const mc_session *session) {
    return get_column(session) == MC_METRIC_BYTES ? MC_METRIC_OBJECTS : MC_METRIC_BYTES;
}

static void show_totals(mc_session *session) {
    uint32_t count = mc_trace_get_step_count(session->trace);
    memcpy(session->charts.totals, session->charts.scratch, count * sizeof *session->charts.totals);
    session->charts.has_totals = true;
    session->charts.total_most =
        normalize_series(session, get_column(session), session->charts.total_values);
}

// Of objects or bytes of a side; returns the largest.
static uint64_t get_side_totals(const mc_session *session, mc_versus_side side, mc_metric metric,
                                uint64_t *totals) {
    const mc_trace *from = mc_versus_get_side(session->trace, side);
    uint64_t most = 0;
    for (uint32_t i = 0; i < mc_trace_get_step_count(session->trace); i++) {
        const mc_step_info *info =
            mc_trace_get_step(from, mc_versus_get_step(session->trace, side, i));
        totals[i] = metric == MC_METRIC_BYTES ? info->bytes : info->objects;
        if (totals[i] > most) most = totals[i];
    }
    return most;
}

// Of two traces, what each is, both of one scale: the second one's before the first one's.
static void compute_pair_totals(mc_session *session, mc_metric metric) {
    uint32_t count = mc_trace_get_step_count(session->trace);
    uint64_t most = get_side_totals(session, MC_BEFORE, metric, session->charts.scratch);
    uint64_t after = get_side_totals(session, MC_AFTER, metric, session->charts.totals);
    if (after > most) most = after;
    for (uint32_t i = 0; i < count && most > 0; i++) {
        session->charts.other_values[i] =
            (float)((double)session->charts.scratch[i] / (double)most);
        session->charts.total_values[i] = (float)((double)session->charts.totals[i] / (double)most);
    }
    ask(&session->charts.total_series); // what is on its way is of another metric
    session->charts.total_most = session->charts.other_most = most;
    session->charts.has_totals = true;
}

// The heap's totals, and those by another metric.
static void compute_totals(mc_session *session) {
    mc_metric plain = mc_pair_get_plain(session->trace, get_column(session));
    if (mc_trace_is_versus(session->trace) && plain < MC_METRIC_FIRST_OWN) {
        compute_pair_totals(session, plain);
        return;
    }
    mc_metric other = mc_session_get_other_metric(session);
    get_totals(session, other);
    session->charts.other_most = normalize_series(session, other, session->charts.other_values);
    ask(&session->charts
             .total_series); // what is on its way is of another metric, or of fewer steps
    session->charts.has_totals = session->charts.has_totals && session->charts.is_going_on;
    if (!knows_totals(session)) {
        start(session, &session->charts.total_series, 0);
        return;
    }
    get_totals(session, get_column(session));
    show_totals(session);
}

// What is the larger of two traces grows for no cause of its own.
static void leave_unjudged(mc_session *session) {
    ask(&session->charts.suspect_series); // what is on its way is of another metric
    mc_session_forget_suspects(session);
    session->suspects.verdict = MC_HEAP_STEADY;
    mc_text_append_string(&session->suspects.text,
                          "Alt+V shows A and B by themselves, and what grows in either.");
    session->suspects.has_verdict = true;
}

// `rows` of `before` values each, as rows of `count`; further ones are as the last. NULL: out of
// memory. Of `before` 0 all are 0.
static float *extend(float *values, uint32_t rows, uint32_t before, uint32_t count) {
    float *made = mc_alloc_zero((size_t)rows * count, sizeof *made);
    for (uint32_t row = 0; made && before > 0 && row < rows; row++)
        for (uint32_t step = 0; step < count; step++)
            made[(size_t)row * count + step] =
                values[(size_t)row * before + (step < before ? step : before - 1)];
    mc_free(values);
    return made;
}

static bool make_room(mc_session *session) {
    uint32_t count = mc_trace_get_step_count(session->trace), before = session->charts.capacity;
    if (!session->charts.is_going_on || before > count) before = 0;
    session->charts.capacity = 0;
    session->charts.total_values = extend(session->charts.total_values, 1, before, count);
    session->charts.selection_values = extend(session->charts.selection_values, 1, before, count);
    session->charts.member_values =
        extend(session->charts.member_values, MC_FACT_MEMBER_MOST, before, count);
    session->charts.suspect_values =
        extend(session->charts.suspect_values, MC_SESSION_SUSPECT_COUNT, before, count);
    if (before == 0) session->charts.member_count = 0;
    uint64_t *totals = mc_alloc_zero(count, sizeof *totals);
    for (uint32_t step = 0; totals && before > 0 && step < count; step++)
        totals[step] = session->charts.totals[step < before ? step : before - 1];
    mc_free(session->charts.totals);
    mc_free(session->charts.other_values);
    mc_free(session->charts.scratch);
    mc_free(session->charts.step_places);
    session->charts.totals = totals;
    session->charts.other_values = mc_alloc_zero(count, sizeof(float));
    session->charts.scratch = mc_alloc_zero(count, sizeof *session->charts.scratch);
    session->charts.step_places = mc_alloc_zero(count, sizeof(float));
    if (!session->charts.total_values || !session->charts.selection_values ||
        !session->charts.member_values || !session->charts.suspect_values || !totals ||
        !session->charts.other_values || !session->charts.scratch || !session->charts.step_places)
        return false;
    session->charts.capacity = count;
    return true;
}

bool mc_session_compute_series(mc_session *session) {
    uint32_t count = mc_trace_get_step_count(session->trace);
    if (!make_room(session)) return false;
    place_steps(session);
    compute_totals(session);
    session->charts.freed_step = mc_step_range_find_release(session->trace, session->shown->metric);
    if (mc_session_has_methods(session)) {
        session->charts.freed_step = MC_NONE; // nothing is freed of them
        return mc_session_extend_methods(session);
    }
    // The suspects stay until others are known, without their charts unless these go on.
    for (uint32_t i = 0; i < session->suspects.count; i++)
        session->suspects.items[i].values =
            session->charts.is_going_on && session->suspects.items[i].values
                ? session->charts.suspect_values + (size_t)session->suspects.items[i].row * count
                : NULL;
    if (mc_style_is_of_pair(session->trace, session->shown->metric))
        leave_unjudged(session);
    else
        start(session, &session->charts.suspect_series, MC_NONE);
    return true;
}

// The selection's own largest value follows from the same values.
static void show_selection(mc_session *session) {
    mc_step_range window = session->shown->window;
    const mc_metric_info *info = mc_session_get_metric(session);
    normalize_series(session, get_column(session), session->charts.selection_values);
    mc_node_facts facts = mc_node_facts_of_series(info, session->charts.scratch + window.first_step,
                                                  window.last_step - window.first_step + 1);
    session->charts.selection_max = facts.max;
    session->charts.selection_sum = facts.sum;
    session->charts.has_selection = true;
    if (!mc_session_has_group(session))
        mc_session_judge_selection(session, mc_session_get_focus(session), session->charts.scratch);
}

// By their largest value in the window; the rest of a task's nodes have no line.
static void choose_members(mc_session *session, const series_task *task, uint32_t *indices) {
    const mc_metric_info *info = mc_session_get_metric(session);
    uint64_t largest[MC_SELECTION_CAPACITY] = {0};
    mc_step_range window = session->shown->window;
    session->charts.member_count = 0;
    for (uint32_t i = 0; i < task->node_count; i++) {
        for (uint32_t step = window.first_step; step <= window.last_step; step++) {
            uint64_t value = get_value(task, step, i);
            uint64_t count = value == MC_COUNT_UNKNOWN ? 0 : mc_metric_get_count(info, value);
            if (count > largest[i]) largest[i] = count;
        }
        uint32_t at = session->charts.member_count;
        if (at == MC_FACT_MEMBER_MOST && largest[i] <= largest[indices[at - 1]]) continue;
        if (at < MC_FACT_MEMBER_MOST) session->charts.member_count++;
        if (at == MC_FACT_MEMBER_MOST) at--;
        for (; at > 0 && largest[i] > largest[indices[at - 1]]; at--)
            indices[at] = indices[at - 1];
        indices[at] = i;
    }
}

// The sum over several, and the lines of the largest in its measure.
static void show_group(mc_session *session, const series_task *task) {
    const mc_metric_info *info = mc_session_get_metric(session);
    uint32_t indices[MC_FACT_MEMBER_MOST], step_count = mc_trace_get_step_count(session->trace);
    double most = 0;
    for (uint32_t step = 0; step < step_count; step++) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < task->node_count; i++) {
            uint64_t value = get_value(task, step, i);
            if (value != MC_COUNT_UNKNOWN) sum += mc_metric_get_count(info, value);
        }
        session->charts.scratch[step] = mc_metric_get_word(info, sum);
        most = fmax(most, mc_metric_get_number(info, session->charts.scratch[step]));
    }
    choose_members(session, task, indices);
    for (uint32_t k = 0; k < session->charts.member_count; k++) {
        float *shares = session->charts.member_values + (size_t)k * step_count;
        session->charts.members[k] = task->nodes[indices[k]];
        for (uint32_t step = 0; step < step_count; step++) {
            uint64_t value = get_value(task, step, indices[k]);
            double number = mc_metric_get_number(info, value);
            shares[step] = most > 0 ? (float)(number / most) : 0;
        }
    }
}

void mc_session_compute_selection_series(mc_session *session) {
    uint32_t node = mc_session_get_focus(session);
    session->charts.has_selection = session->charts.has_selection && session->charts.is_going_on;
    ask(&session->charts.selection_series); // what is on its way is of another selection
    if (mc_session_has_group(session)) {
        mc_selection outer = mc_session_get_outer(session);
        start_many(session, &session->charts.selection_series, &outer);
        return;
    }
    if (node > 0 || !knows_totals(session)) {
        start(session, &session->charts.selection_series, node);
        return;
    }
    get_totals(session, get_column(session));
    show_selection(session);
}

void mc_session_forget_suspects(mc_session *session) {
    session->suspects.count = 0;
    session->suspects.has_verdict = session->methods.is_known = false;
    mc_session_forget_methods(session);
    mc_text_clear(&session->suspects.text);
    mc_session_drop_causes(session);
}

// The cause that explains the node; of one step who holds it, on the way from what is largest.
static uint32_t find_reason(const mc_causes *causes, uint32_t node) {
    const mc_walk *walk = &causes->largest;
    const mc_cause *cause = mc_causes_get(causes, node);
    uint32_t found = walk->count > 0 ? mc_walk_get_found(walk) : 0;
    for (uint32_t i = 0; i < found; i++)
        if (walk->stops[i].node == node) return walk->stops[found].node;
    return cause && cause->node != node ? cause->node : MC_NONE;
}

static void show_suspects(mc_session *session, series_task *task) {
    uint32_t count = mc_trace_get_step_count(session->trace);
    mc_session_forget_suspects(session);
    session->suspects.has_verdict = true;
    session->suspects.verdict = task->causes.suspects.verdict;
    session->suspects.count = task->node_count;
    for (uint32_t i = 0; i < task->node_count; i++) {
        const mc_suspect *from = &task->suspects[i];
        float *values = session->charts.suspect_values + (size_t)i * count;
        session->suspects.items[i] = (mc_session_suspect){
            from->node,
            from->growth,
            from->trend,
            values,
            task->is_renumbered ? MC_NONE : find_reason(&task->causes, from->node),
            i};
        get_series(session, task, i);
        normalize_series(session, get_column(session), values);
    }
    task->causes.desc = (mc_causes_desc){.metric = task->metric, .window = task->window};
    mc_why why = {.trace = task->trace,
                  .causes = &task->causes,
                  .limit = mc_why_get_limit(task->trace, task->window)};
    mc_why_append_summary(&why, &session->suspects.text);
    if (task->is_renumbered) return; // others are on their way
    mc_session_take_causes(session, &task->causes);
    // What is to be said of the selection follows from the causes as well.
    session->charts.is_going_on = true;
    mc_session_compute_selection_series(session);
    session->charts.is_going_on = false;
}

void mc_session_take_series(mc_session *session) {
    series_task *task = take(session, &session->charts.selection_series);
    if (task) {
        get_series(session, task, 0);
        session->charts.member_count = 0;
        if (mc_session_has_group(session)) show_group(session, task);
        show_selection(session);
        destroy_task(task);
        mc_session_redraw_found(session);
    }
    task = take(session, &session->charts.total_series);
    if (task) {
        get_series(session, task, 0);
        show_totals(session);
        destroy_task(task);
        mc_session_redraw_found(session);
    }
    task = take(session, &session->charts.suspect_series);
    if (!task) return;
    show_suspects(session, task);
    destroy_task(task);
    mc_session_redraw_found(session);
}

static void end_one(mc_session_series *series) {
    mc_slot_destroy(series->slot);
    if (series->known) mc_free(series->known->values);
    mc_free(series->known);
}

void mc_session_end_series(mc_session *session) {
    end_one(&session->charts.suspect_series);
    end_one(&session->charts.selection_series);
    end_one(&session->charts.total_series);
    mc_free(session->charts.total_values);
    mc_free(session->charts.other_values);
    mc_free(session->charts.selection_values);
    mc_free(session->charts.suspect_values);
    mc_free(session->charts.member_values);
    mc_text_deinit(&session->group_name);
    mc_free(session->charts.scratch);
    mc_free(session->charts.totals);
    mc_free(session->charts.step_places);
    mc_text_deinit(&session->suspects.text);
    mc_session_end_why(session);
}
