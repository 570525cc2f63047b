#include "app/session/series.h"

#include "app/pair.h"
#include "app/session/metrics.h"
#include "app/session/pairing.h"
#include "app/session/why.h"
#include "app/why_text.h"
#include "engine/analyze/node_facts.h"
#include "engine/base/memory.h"
#include "engine/scene/style_source.h"
#include "engine/trace/versus/versus.h"
#include <math.h>
#include <string.h>

static mc_metric get_column(const mc_session *session) {
    return session->shown->metric;
}

// A selection's, which has one trace's values in a pair, too.
static mc_metric get_told_column(const mc_session *session) {
    return mc_session_get_told_metric(session, get_column(session));
}

static uint32_t get_step_count(const mc_session *session) {
    return mc_trace_get_step_count(session->trace);
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

static uint64_t normalize_scratch(const mc_session *session, mc_metric metric, float *shares) {
    return normalize(mc_trace_get_metric(session->trace, metric), session->charts.scratch,
                     get_step_count(session), shares);
}

// Of objects and bytes totals are known without reading.
static bool knows_totals(mc_metric metric) {
    return metric < MC_METRIC_FIRST_OWN;
}

static mc_metric get_asked_column(const mc_session *session, mc_session_query query) {
    return query == MC_QUERY_SELECTION_SERIES ? get_told_column(session) : get_column(session);
}

static void get_totals(const mc_session *session, mc_metric metric) {
    for (uint32_t i = 0; i < get_step_count(session); i++) {
        const mc_step_info *info = mc_trace_get_step(session->trace, i);
        session->charts.scratch[i] = metric == MC_METRIC_BYTES ? info->bytes : info->objects;
    }
}

// ---- values of nodes over all steps, read in the background

// What is on its way is of another metric or selection, and nothing takes its place.
static void want_nothing(mc_session *session, mc_session_query query) {
    mc_asked_want(session->asked[query], session->dataset, mc_question_series.nothing);
}

// The values of nodes, or, if there are none, the suspects and theirs. While a recording goes on,
// what runs is awaited. True: they are known already.
static bool want(mc_session *session, mc_session_query query, const mc_selection *nodes) {
    const mc_layout *shown = session->shown;
    mc_asked *asked = session->asked[query];
    mc_series_key key = {.nodes = *nodes,
                         .judges = nodes->count == 0,
                         .metric = get_asked_column(session, query),
                         .recording = session->dataset->recording,
                         .numbering = session->dataset->numbering,
                         .step_count = get_step_count(session)};
    if (key.judges) {
        key.root = shown->root_node;
        key.window = shown->window;
    }
    mc_asked_request request = {.dataset = session->dataset, .waits = session->charts.is_going_on};
    return !mc_asked_want_so(asked, &request, &key) && mc_asked_is_answered(asked);
}

static bool is_renumbered(const mc_session *session, const mc_series *series) {
    return series->dataset->numbering != session->dataset->numbering;
}

// False: some of the nodes are no more.
static bool renumber(const mc_session *session, const mc_trace *before, mc_selection *nodes) {
    mc_text key = {0};
    bool fits = true;
    for (uint32_t i = 0; i < nodes->count && fits; i++) {
        mc_text_clear(&key);
        mc_trace_append_full_key(before, nodes->nodes[i], &key);
        nodes->nodes[i] =
            key.failed ? MC_NONE : mc_trace_find_node(session->trace, key.data, key.size);
        fits = nodes->nodes[i] != MC_NONE;
    }
    mc_text_deinit(&key);
    return fits;
}

// The values that were asked for last, or, while a recording goes on, before, and their nodes as
// they are numbered now. NULL: they are of something else by now.
static const mc_series *get_answer(const mc_session *session, mc_session_query query,
                                   mc_selection *nodes) {
    const mc_asked *asked = session->asked[query];
    const mc_series_key *key = mc_asked_get_key(asked);
    const mc_series *series = mc_asked_get_answer(asked);
    if (key->recording != session->dataset->recording ||
        key->metric != get_asked_column(session, query))
        return NULL;
    *nodes = series->nodes;
    bool fits = !is_renumbered(session, series) || renumber(session, series->dataset->trace, nodes);
    return fits ? series : NULL;
}

// One node's values, out of all.
static void get_series(const mc_session *session, const mc_series *series, uint32_t index) {
    for (uint32_t step = 0; step < get_step_count(session); step++)
        session->charts.scratch[step] = mc_series_get(series, step, index);
}

// ---- totals

static void place_steps(mc_session *session) {
    uint32_t count = get_step_count(session);
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
    mc_session_charts *charts = &session->charts;
    memcpy(charts->totals, charts->scratch, get_step_count(session) * sizeof *charts->totals);
    charts->has_totals = true;
    charts->total_most = normalize_scratch(session, get_column(session), charts->total_values);
}

void mc_session_take_total_series(mc_session *session, const mc_error *error) {
    mc_selection nodes;
    const mc_series *series = error ? NULL : get_answer(session, MC_QUERY_TOTAL_SERIES, &nodes);
    if (!series) return;
    get_series(session, series, 0);
    show_totals(session);
    mc_session_redraw_found(session);
}

// Of objects or bytes of a side; returns the largest.
static uint64_t get_side_totals(const mc_session *session, mc_versus_side side, mc_metric metric,
                                uint64_t *totals) {
    const mc_trace *from = mc_versus_get_side(session->trace, side);
    uint64_t most = 0;
    for (uint32_t i = 0; i < get_step_count(session); i++) {
        const mc_step_info *info =
            mc_trace_get_step(from, mc_versus_get_step(session->trace, side, i));
        totals[i] = metric == MC_METRIC_BYTES ? info->bytes : info->objects;
        if (totals[i] > most) most = totals[i];
    }
    return most;
}

// Of two traces, what each is, both of one scale: the second one's before the first one's.
static void compute_pair_totals(mc_session *session, mc_metric metric) {
    uint32_t count = get_step_count(session);
    uint64_t most = get_side_totals(session, MC_BEFORE, metric, session->charts.scratch);
    uint64_t after = get_side_totals(session, MC_AFTER, metric, session->charts.totals);
    if (after > most) most = after;
    for (uint32_t i = 0; i < count && most > 0; i++) {
        session->charts.other_values[i] =
            (float)((double)session->charts.scratch[i] / (double)most);
        session->charts.total_values[i] = (float)((double)session->charts.totals[i] / (double)most);
    }
    want_nothing(session, MC_QUERY_TOTAL_SERIES);
    session->charts.total_most = session->charts.other_most = most;
    session->charts.has_totals = true;
}

// The heap's totals, and those by another metric.
static void compute_totals(mc_session *session) {
    mc_session_charts *charts = &session->charts;
    mc_metric plain = mc_pair_get_plain(session->trace, get_column(session));
    if (mc_trace_is_versus(session->trace) && plain < MC_METRIC_FIRST_OWN) {
        compute_pair_totals(session, plain);
        return;
    }
    mc_metric other = mc_session_get_other_metric(session);
    get_totals(session, other);
    charts->other_most = normalize_scratch(session, other, charts->other_values);
    charts->has_totals = charts->has_totals && charts->is_going_on;
    if (knows_totals(get_column(session))) {
        want_nothing(session, MC_QUERY_TOTAL_SERIES);
        get_totals(session, get_column(session));
        show_totals(session);
    } else {
        mc_selection whole = mc_selection_of(0);
        if (want(session, MC_QUERY_TOTAL_SERIES, &whole))
            mc_session_take_total_series(session, NULL);
    }
}

// ---- room for all

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

// Of methods the last result stays until the next one is found.
static bool keeps_suspects(const mc_session *session) {
    return session->charts.is_going_on || mc_session_has_methods(session);
}

static bool make_room(mc_session *session) {
    mc_session_charts *charts = &session->charts;
    uint32_t count = get_step_count(session), before = charts->capacity;
    if (before > count) before = 0;
    charts->suspect_values = extend(charts->suspect_values, MC_SESSION_SUSPECT_COUNT,
                                    keeps_suspects(session) ? before : 0, count);
    if (!charts->is_going_on) before = 0;
    charts->capacity = 0;
    charts->total_values = extend(charts->total_values, 1, before, count);
    charts->selection_values = extend(charts->selection_values, 1, before, count);
    charts->member_values = extend(charts->member_values, MC_FACT_MEMBER_MOST, before, count);
    if (before == 0) charts->member_count = 0;
    uint64_t *totals = mc_alloc_zero(count, sizeof *totals);
    for (uint32_t step = 0; totals && before > 0 && step < count; step++)
        totals[step] = charts->totals[step < before ? step : before - 1];
    mc_free(charts->totals);
    mc_free(charts->other_values);
    mc_free(charts->scratch);
    mc_free(charts->step_places);
    charts->totals = totals;
    charts->other_values = mc_alloc_zero(count, sizeof(float));
    charts->scratch = mc_alloc_zero(count, sizeof *charts->scratch);
    charts->step_places = mc_alloc_zero(count, sizeof(float));
    if (!charts->total_values || !charts->selection_values || !charts->member_values ||
        !charts->suspect_values || !totals || !charts->other_values || !charts->scratch ||
        !charts->step_places)
        return false;
    charts->capacity = count;
    return true;
}

// ---- the selection

// The selection's own largest value follows from the same values.
static void show_selection(mc_session *session) {
    mc_session_charts *charts = &session->charts;
    mc_step_range window = session->shown->window;
    const mc_metric_info *info = mc_session_get_metric(session);
    normalize_scratch(session, get_told_column(session), charts->selection_values);
    mc_node_facts facts = mc_node_facts_of_series(info, charts->scratch + window.first_step,
                                                  window.last_step - window.first_step + 1);
    charts->selection_max = facts.max;
    charts->selection_sum = facts.sum;
    charts->has_selection = true;
    if (!mc_session_has_group(session))
        mc_session_judge_selection(session, mc_session_get_focus(session), charts->scratch);
}

// By their largest value in the window; the rest of the nodes have no line.
static uint32_t choose_members(const mc_session *session, const mc_series *series,
                               uint32_t indices[MC_FACT_MEMBER_MOST]) {
    const mc_metric_info *info = mc_session_get_metric(session);
    uint64_t largest[MC_SELECTION_CAPACITY] = {0};
    mc_step_range window = session->shown->window;
    uint32_t count = 0;
    for (uint32_t i = 0; i < series->nodes.count; i++) {
        for (uint32_t step = window.first_step; step <= window.last_step; step++) {
            uint64_t value = mc_series_get(series, step, i);
            uint64_t amount = value == MC_COUNT_UNKNOWN ? 0 : mc_metric_get_count(info, value);
            if (amount > largest[i]) largest[i] = amount;
        }
        uint32_t at = count;
        if (at == MC_FACT_MEMBER_MOST && largest[i] <= largest[indices[at - 1]]) continue;
        if (at < MC_FACT_MEMBER_MOST) count++;
        if (at == MC_FACT_MEMBER_MOST) at--;
        for (; at > 0 && largest[i] > largest[indices[at - 1]]; at--)
            indices[at] = indices[at - 1];
        indices[at] = i;
    }
    return count;
}

// The sum over several, and the lines of the largest in its measure.
static void show_group(mc_session *session, const mc_series *series, const mc_selection *nodes) {
    mc_session_charts *charts = &session->charts;
    const mc_metric_info *info = mc_session_get_metric(session);
    uint32_t indices[MC_FACT_MEMBER_MOST], step_count = get_step_count(session);
    double most = 0;
    for (uint32_t step = 0; step < step_count; step++) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < nodes->count; i++) {
            uint64_t value = mc_series_get(series, step, i);
            if (value != MC_COUNT_UNKNOWN) sum += mc_metric_get_count(info, value);
        }
        charts->scratch[step] = mc_metric_get_word(info, sum);
        most = fmax(most, mc_metric_get_number(info, charts->scratch[step]));
    }
    charts->member_count = choose_members(session, series, indices);
    for (uint32_t k = 0; k < charts->member_count; k++) {
        float *shares = charts->member_values + (size_t)k * step_count;
        charts->members[k] = nodes->nodes[indices[k]];
        for (uint32_t step = 0; step < step_count; step++) {
            double number = mc_metric_get_number(info, mc_series_get(series, step, indices[k]));
            shares[step] = most > 0 ? (float)(number / most) : 0;
        }
    }
}

void mc_session_take_selection_series(mc_session *session, const mc_error *error) {
    mc_selection nodes;
    const mc_series *series = error ? NULL : get_answer(session, MC_QUERY_SELECTION_SERIES, &nodes);
    if (!series) return;
    session->charts.member_count = 0;
    if (mc_session_has_group(session))
        show_group(session, series, &nodes);
    else
        get_series(session, series, 0);
    show_selection(session);
    mc_session_redraw_found(session);
}

void mc_session_compute_selection_series(mc_session *session) {
    if (mc_session_is_pictured(session)) return;
    mc_session_charts *charts = &session->charts;
    mc_selection nodes = mc_session_has_group(session)
                             ? mc_session_get_outer(session)
                             : mc_selection_of(mc_session_get_focus(session));
    charts->has_selection = charts->has_selection && charts->is_going_on;
    if (nodes.count == 1 && nodes.nodes[0] == 0 && knows_totals(get_told_column(session))) {
        want_nothing(session, MC_QUERY_SELECTION_SERIES);
        get_totals(session, get_told_column(session));
        show_selection(session);
    } else if (want(session, MC_QUERY_SELECTION_SERIES, &nodes)) {
        mc_session_take_selection_series(session, NULL);
    }
}

// ---- the suspects

void mc_session_forget_suspects(mc_session *session) {
    session->suspects.count = 0;
    session->suspects.has_verdict = session->methods.is_known = false;
    mc_text_clear(&session->suspects.text);
    mc_session_drop_causes(session);
}

// What is the larger of two traces grows for no cause of its own.
static void leave_unjudged(mc_session *session) {
    const mc_differences *found = mc_session_get_differences(session);
    mc_text *out = &session->suspects.text;
    want_nothing(session, MC_QUERY_SUSPECT_SERIES);
    mc_session_forget_suspects(session);
    session->suspects.verdict = MC_HEAP_STEADY;
    if (found->sentence.size > 0) mc_text_format(out, "%s ", found->sentence.data);
    mc_text_append_string(out, "Alt+V shows A and B by themselves, and what grows in either.");
    session->suspects.has_verdict = true;
}

static bool shows_difference(const mc_session *session) {
    return mc_style_is_of_pair(session->trace, session->shown->metric);
}

void mc_session_tell_differences(mc_session *session) {
    bool is_judged =
        session->shown && !mc_session_is_pictured(session) && !mc_session_has_methods(session);
    if (is_judged && shows_difference(session)) leave_unjudged(session);
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

// Rows are suspects in the order of the answer, but the cause that stands first comes first.
static mc_session_suspect get_suspect(const mc_series *series, uint32_t index, bool is_other) {
    const mc_suspect *from = &series->suspects[index];
    const mc_cause *cause = index < series->causes.count ? &series->causes.items[index] : NULL;
    return (mc_session_suspect){.growth = from->growth,
                                .trend = from->trend,
                                .cause = is_other ? NULL : cause,
                                .because =
                                    is_other ? MC_NONE : find_reason(&series->causes, from->node)};
}

static void list_suspects(mc_session *session, const mc_series *series, const mc_selection *nodes,
                          uint32_t first) {
    bool is_other = is_renumbered(session, series);
    session->suspects.count = nodes->count;
    for (uint32_t row = 0; row < nodes->count; row++) {
        uint32_t index = mc_session_get_cause_index(first, row);
        mc_session_suspect *to = &session->suspects.items[row];
        float *values = session->charts.suspect_values + (size_t)row * get_step_count(session);
        *to = get_suspect(series, index, is_other);
        to->node = nodes->nodes[index];
        to->values = values;
        to->row = row;
        get_series(session, series, index);
        normalize_scratch(session, series->metric, values);
    }
    session->suspects.metric = series->metric;
}

// Which cause stands first, and the sentence that says it; one that just ceased to grow is kept for
// a moment.
static uint32_t write_headline(mc_session *session, const mc_series *series, mc_text *before) {
    const mc_trace *trace = series->dataset->trace;
    const mc_causes *causes = &series->causes;
    mc_headline *headline = &session->suspects.headline;
    mc_text *out = &session->suspects.text;
    bool goes_on = session->follow.is_on && session->follow.is_live;
    uint32_t first =
        mc_headline_choose(headline, trace, causes, series->dataset->recording, goes_on);
    if (first >= series->nodes.count) first = 0;
    const mc_why why = {
        .trace = trace, .causes = causes, .limit = mc_why_get_limit(trace, causes->desc.window)};
    if (headline->is_kept && before->size > 0)
        mc_text_append(out, before->data, before->size);
    else if (causes->count > 0)
        mc_why_append_sentence(&why, &causes->items[first], out);
    else if (mc_versus_is_before(trace, causes->desc.metric) &&
             causes->suspects.verdict == MC_HEAP_GROWS)
        mc_text_append_string(out,
                              "What grows in A is listed by its numbers. Who holds it, A tells "
                              "when it is opened alone.");
    else
        mc_why_append_headline(&why, out);
    return first;
}

void mc_session_take_suspect_series(mc_session *session, const mc_error *error) {
    mc_selection nodes;
    if (error) return;
    mc_session_drop_causes(session); // they went with the answer before
    const mc_series *series = get_answer(session, MC_QUERY_SUSPECT_SERIES, &nodes);
    if (!series) return;
    mc_text before = session->suspects.text;
    session->suspects.text = (mc_text){0};
    mc_session_forget_suspects(session);
    session->suspects.has_verdict = true;
    session->suspects.verdict = mc_suspects_get_verdict(&series->causes.suspects);
    uint32_t first = write_headline(session, series, &before);
    mc_text_deinit(&before);
    list_suspects(session, series, &nodes, first);
    mc_session_redraw_found(session);
    if (is_renumbered(session, series)) return; // others are on their way
    mc_session_take_causes(session, &series->causes, first);
    // What is to be said of the selection follows from the causes as well.
    session->charts.is_going_on = true;
    mc_session_compute_selection_series(session);
    session->charts.is_going_on = false;
}

float *mc_session_set_suspect_values(mc_session *session, uint32_t row, const float *values,
                                     uint32_t value_count) {
    uint32_t count = get_step_count(session);
    float *to = session->charts.suspect_values + (size_t)row * count;
    for (uint32_t step = 0; step < count; step++)
        to[step] = values[step < value_count ? step : value_count - 1];
    return to;
}

// The suspects stay until others are known, without their charts unless these go on.
static void keep_suspects(mc_session *session) {
    for (uint32_t i = 0; i < session->suspects.count; i++) {
        mc_session_suspect *suspect = &session->suspects.items[i];
        bool goes_on = suspect->values && keeps_suspects(session);
        size_t first = (size_t)suspect->row * get_step_count(session);
        suspect->values = goes_on ? session->charts.suspect_values + first : NULL;
    }
}

bool mc_session_compute_series(mc_session *session) {
    static const mc_selection none = {.count = 0};
    bool has_methods = mc_session_has_methods(session);
    if (mc_session_is_pictured(session)) return true;
    if (!make_room(session)) return false;
    place_steps(session);
    compute_totals(session);
    keep_suspects(session);
    // Of methods nothing is freed.
    session->charts.freed_step =
        has_methods ? MC_NONE : mc_step_range_find_release(session->trace, session->shown->metric);
    if (has_methods) return true;
    if (shows_difference(session))
        leave_unjudged(session);
    else if (want(session, MC_QUERY_SUSPECT_SERIES, &none))
        mc_session_take_suspect_series(session, NULL);
    return true;
}

void mc_session_end_series(mc_session *session) {
    mc_session_charts *charts = &session->charts;
    mc_free(charts->total_values);
    mc_free(charts->other_values);
    mc_free(charts->selection_values);
    mc_free(charts->suspect_values);
    mc_free(charts->member_values);
    mc_text_deinit(&session->group_name);
    mc_free(charts->scratch);
    mc_free(charts->totals);
    mc_free(charts->step_places);
    mc_text_deinit(&session->suspects.text);
    mc_headline_deinit(&session->suspects.headline);
    mc_session_end_why(session);
}
