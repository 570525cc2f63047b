#include "engine/analyze/suspects.h"

#include "engine/analyze/class_names.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define SUSPECT_SHARE 0.001 // of the heap, for what keeps growing
#define STOPPED_SHARE 0.01  // … for what does no more
#define SHORT_SHARE 0.02    // … in a window of too few steps
#define HEAP_SHARE 0.005    // … for all of it: then groups count that are small beside it
#define SEVERAL 2           // places in which a runtime may keep as much as makes no finding
#define SMALL_SHARE 0.02    // of the first of those
#define MOST_BY_GROWTH 256u // leaves that are judged however small they are
#define BY_CHANCE ((mc_growth_kind)(MC_GROWTH_GOES_ON + 1)) // here alone
#define FALSE_RATE 0.01 // of what is named, how much may be chance

typedef struct candidate {
    int64_t growth; // of a window of one step: the value
    uint32_t node;
} candidate;

typedef struct finder {
    const mc_trace *trace;
    mc_metric metric;
    mc_step_range window;
    uint32_t district;
    bool is_one;            // a leaf: it is judged whatever its size
    uint64_t *first, *last; // per node; first MC_COUNT_UNKNOWN: its growth is not known
    double total;           // of the heap
    candidate *candidates;
    uint32_t count, all_count; // that are judged; that grew or are large
} finder;

void mc_suspects_deinit(mc_suspects *suspects) {
    mc_free(suspects->items);
    memset(suspects, 0, sizeof *suspects);
}

bool mc_suspects_are_of_sums(const mc_trace *trace, mc_step_range window) {
    const mc_metric metric = mc_trace_find_metric(trace, MC_METRIC_AT_PEAK);
    uint64_t first, last;
    return metric != MC_NONE && mc_trace_get_step_count(trace) == 2 && window.first_step == 0 &&
           window.last_step == 1 && mc_trace_read_total(trace, 0, metric, &first, NULL) == MC_OK &&
           mc_trace_read_total(trace, 1, metric, &last, NULL) == MC_OK && first == 1 && last == 0;
}

mc_heap_verdict mc_suspects_get_verdict(const mc_suspects *suspects) {
    bool is_withheld = suspects->is_byte_clock && suspects->verdict == MC_HEAP_GROWS;
    return is_withheld ? MC_HEAP_UNKNOWN : suspects->verdict;
}

static uint32_t count_steps(mc_step_range window) {
    return window.last_step - window.first_step + 1;
}

static bool is_short(mc_step_range window) {
    return count_steps(window) < MC_GROWTH_LEAST_POINTS;
}

// 0 where it is not known. Counts are at most MC_COUNT_MAX.
static int64_t get_growth(const finder *f, uint32_t node) {
    return f->first[node] == MC_COUNT_UNKNOWN ? 0 : (int64_t)(f->last[node] - f->first[node]);
}

// ---- which leaves are judged

// Whether the leaf is below the district, which comes before it.
static bool is_below(const mc_node_columns *nodes, uint32_t node, uint32_t district) {
    while (node > district)
        node = nodes->parent[node];
    return node == district;
}

static int compare_candidates(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->growth != y->growth) return x->growth > y->growth ? -1 : 1;
    return x->node < y->node ? -1 : 1;
}

// What grew from the first step to the last, by how much; of what is a saw-tooth only the large.
static mc_result choose_candidates(finder *f, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(f->trace);
    bool is_single = count_steps(f->window) == 1;
    uint32_t all = 0, kept = 0;
    f->candidates = mc_alloc((size_t)nodes->leaf_count + 1, sizeof *f->candidates);
    if (!f->candidates) return mc_error_out_of_memory(error);
    for (uint32_t node = f->district; node < nodes->count; node++) {
        if (nodes->child_count[node] > 0 || f->last[node] == 0) continue;
        int64_t growth = is_single ? (int64_t)f->last[node] : get_growth(f, node);
        bool is_large = (double)f->last[node] >= SUSPECT_SHARE * f->total;
        if ((growth > 0 || is_large) && is_below(nodes, node, f->district))
            f->candidates[all++] = (candidate){growth, node};
    }
    if (all > 0) qsort(f->candidates, all, sizeof *f->candidates, compare_candidates);
    uint32_t most = is_single ? MC_SUSPECTS_SINGLE_COUNT : MOST_BY_GROWTH;
    for (uint32_t i = 0; i < all; i++) {
        bool is_large = (double)f->last[f->candidates[i].node] >= SUSPECT_SHARE * f->total;
        if (i < most || (is_large && !is_single)) f->candidates[kept++] = f->candidates[i];
    }
    f->count = kept;
    f->all_count = all;
    return MC_OK;
}

// Where the whole has no value of its own, the largest part stands for it.
static double get_total(const finder *f) {
    const mc_node_columns *nodes = mc_trace_get_nodes(f->trace);
    uint64_t total = f->last[0];
    bool is_additive = mc_trace_get_metric(f->trace, f->metric)->is_additive;
    for (uint32_t node = 0; !is_additive && f->last[0] == 0 && node < nodes->count; node++)
        if (f->last[node] > total) total = f->last[node];
    return (double)total;
}

static mc_result read_ends(finder *f, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(f->trace)->count;
    f->first = mc_alloc(count, sizeof *f->first);
    f->last = mc_alloc(count, sizeof *f->last);
    if (!f->first || !f->last) return mc_error_out_of_memory(error);
    const mc_metric_info *info = mc_trace_get_metric(f->trace, f->metric);
    mc_result result =
        mc_trace_read_column(f->trace, f->window.first_step, f->metric, f->first, error);
    if (result == MC_OK)
        result = mc_trace_read_column(f->trace, f->window.last_step, f->metric, f->last, error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        bool is_known = f->first[i] != MC_COUNT_UNKNOWN && f->last[i] != MC_COUNT_UNKNOWN;
        f->first[i] = is_known ? mc_metric_get_count(info, f->first[i]) : MC_COUNT_UNKNOWN;
        f->last[i] = mc_metric_get_count(info, f->last[i]);
    }
    f->total = result == MC_OK ? get_total(f) : 0;
    return result;
}

// ---- the judgement

// Of a few steps: none lets it shrink.
static mc_result rises(const finder *f, uint32_t node, bool *result, mc_error *error) {
    uint64_t before = 0;
    *result = true;
    for (uint32_t step = f->window.first_step; step <= f->window.last_step && *result; step++) {
        uint64_t value;
        mc_result code = mc_trace_read_value(f->trace, step, f->metric, node, &value, error);
        if (code != MC_OK) return code;
        if (value == MC_COUNT_UNKNOWN) continue;
        value = mc_metric_get_count(mc_trace_get_metric(f->trace, f->metric), value);
        *result = value >= before;
        before = value;
    }
    return MC_OK;
}

static mc_result judge_short(const finder *f, mc_suspects *suspects, mc_error *error) {
    for (uint32_t i = 0; i < f->count; i++) {
        const candidate *one = &f->candidates[i];
        bool never_falls = false;
        if (one->growth <= 0) continue;
        if (!f->is_one && (double)one->growth < SHORT_SHARE * f->total) continue;
        mc_result result = rises(f, one->node, &never_falls, error);
        if (result != MC_OK) return result;
        if (never_falls)
            suspects->items[suspects->count++] =
                (mc_suspect){.node = one->node, .growth = one->growth};
    }
    suspects->growing_count = suspects->count;
    suspects->verdict = suspects->count > 0 ? MC_HEAP_GROWS : MC_HEAP_STEADY;
    return MC_OK;
}

static int compare_suspects(const void *a, const void *b) {
    const mc_suspect *x = a, *y = b;
    if (x->trend.growth.kind != y->trend.growth.kind)
        return x->trend.growth.kind == MC_GROWTH_GOES_ON ? -1 : 1;
    if (x->trend.growth.amount != y->trend.growth.amount)
        return x->trend.growth.amount > y->trend.growth.amount ? -1 : 1;
    return x->node < y->node ? -1 : 1;
}

static bool goes_on(const mc_suspect *suspect) {
    return suspect->trend.growth.kind == MC_GROWTH_GOES_ON;
}

static bool is_suspect(const finder *f, const mc_trend *trend, bool heap_grows) {
    double amount = (double)trend->growth.amount;
    switch (trend->growth.kind) {
    case MC_GROWTH_GOES_ON: return f->is_one || heap_grows || amount >= SUSPECT_SHARE * f->total;
    case MC_GROWTH_STOPPED: return f->is_one || amount >= STOPPED_SHARE * f->total;
    default: return false;
    }
}

// Sorted; if the heap grows by many small groups, without those that are small beside the first.
static void sort_out(const finder *f, mc_suspects *suspects) {
    uint32_t kept = 0;
    if (suspects->count == 0) return;
    qsort(suspects->items, suspects->count, sizeof *suspects->items, compare_suspects);
    double least = SMALL_SHARE * (double)suspects->items[0].trend.growth.amount;
    if (least > SUSPECT_SHARE * f->total) least = SUSPECT_SHARE * f->total;
    for (uint32_t i = 0; i < suspects->count; i++) {
        if ((double)suspects->items[i].trend.growth.amount < least) continue;
        suspects->growing_count += goes_on(&suspects->items[i]);
        suspects->items[kept++] = suspects->items[i];
    }
    suspects->count = kept;
}

static mc_result find_trend(const finder *f, uint32_t node, mc_trend *trend, mc_error *error) {
    return mc_trend_compute_nodes(f->trace, f->metric, f->window, &node, 1, trend, NULL, error);
}

static uint32_t find_main_child(const finder *f, uint32_t district) {
    const mc_node_columns *nodes = mc_trace_get_nodes(f->trace);
    int64_t growth = get_growth(f, district);
    for (uint32_t i = 0; i < nodes->child_count[district]; i++) {
        uint32_t child = nodes->first_child[district] + i;
        if (nodes->child_count[child] > 0 && get_growth(f, child) > growth / 2) return child;
    }
    return MC_NONE;
}

// The heap grows by ever new leaves, each of which is there at once, or by many small ones in turn:
// the smallest district that keeps growing and has most of the growth.
static mc_result add_district(const finder *f, mc_trend trend, mc_suspects *suspects,
                              mc_error *error) {
    uint32_t district = f->district;
    for (uint32_t child = find_main_child(f, district); child != MC_NONE;
         child = find_main_child(f, district)) {
        mc_trend inner;
        mc_result result = find_trend(f, child, &inner, error);
        if (result != MC_OK) return result;
        if (inner.growth.kind != MC_GROWTH_GOES_ON) break;
        district = child;
        trend = inner;
    }
    memmove(suspects->items + 1, suspects->items, suspects->count++ * sizeof *suspects->items);
    suspects->items[0] = (mc_suspect){district, get_growth(f, district), trend};
    suspects->growing_count = 1;
    return MC_OK;
}

// Whether most that the district grew by is in groups that were there before and are large enough
// to be judged by themselves, which do not keep growing: then the district does by chance.
static bool is_in_large_groups(const finder *f) {
    double growth = (double)get_growth(f, f->district), large = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        double amount = (double)f->candidates[i].growth;
        if (f->first[f->candidates[i].node] > 0 && amount >= STOPPED_SHARE * f->total)
            large += amount;
    }
    return large > growth / 2;
}

// What is not known at the window's ends grew by what its trend says.
static int64_t get_suspect_growth(const finder *f, uint32_t candidate_index,
                                  const mc_trend *trend) {
    const candidate *one = &f->candidates[candidate_index];
    return f->first[one->node] == MC_COUNT_UNKNOWN ? trend->growth.amount : one->growth;
}

// Groups that are too small to be named, or change too seldom, whatever they do, are not tried
// (Tarone 1990).
static bool is_tried(const finder *f, uint32_t candidate_index, bool heap_grows) {
    uint32_t node = f->candidates[candidate_index].node;
    return heap_grows || (double)f->last[node] >= SUSPECT_SHARE * f->total;
}

static bool is_of_runtime(const finder *f, const mc_growth *growth) {
    return f->metric == MC_METRIC_BYTES && mc_trace_has_owners(f->trace) &&
           growth->amount < SEVERAL * mc_class_get_runtime_bytes(f->trace);
}

// Marks what keeps growing by no more than one of as many groups does by chance. The district's own
// evidence is the last.
static mc_result find_chance(const finder *f, mc_trend *trends, const mc_chance_evidence *evidence,
                             bool *heap_grows, mc_error *error) {
    double *chances = mc_alloc((size_t)f->count + 1, sizeof *chances);
    if (!chances) return mc_error_out_of_memory(error);
    mc_chance_shares shares = mc_chance_learn(evidence, f->count);
    *heap_grows = *heap_grows && mc_chance_compute(&evidence[f->count], &shares) <= FALSE_RATE;
    uint32_t count = 0, tried = *heap_grows ? f->all_count - f->count : 0;
    for (uint32_t i = 0; i < f->count; i++) {
        if (!is_tried(f, i, *heap_grows)) continue;
        tried += evidence[i].change_count >= MC_GROWTH_LEAST_RISES;
        if (trends[i].growth.kind == MC_GROWTH_GOES_ON)
            chances[count++] = mc_chance_compute(&evidence[i], &shares);
    }
    double limit = mc_chance_find_limit(chances, count, tried, FALSE_RATE);
    for (uint32_t i = 0; i < f->count && !f->is_one; i++)
        if (is_tried(f, i, *heap_grows) && trends[i].growth.kind == MC_GROWTH_GOES_ON &&
            mc_chance_compute(&evidence[i], &shares) > limit)
            trends[i].growth.kind = BY_CHANCE;
    mc_free(chances);
    return MC_OK;
}

// Behind the others.
static void note_chance(const finder *f, const mc_trend *trends, mc_suspects *suspects) {
    for (uint32_t i = 0; i < f->count; i++) {
        if (trends[i].growth.kind != BY_CHANCE) continue;
        mc_suspect *one = &suspects->items[suspects->count + suspects->chance_count++];
        *one = (mc_suspect){f->candidates[i].node, get_suspect_growth(f, i, &trends[i]), trends[i]};
        one->trend.growth.kind = MC_GROWTH_GOES_ON;
    }
}

static mc_result judge_long(const finder *f, const mc_progress *progress, mc_suspects *suspects,
                            mc_error *error) {
    // The district is judged as well, last.
    uint32_t *nodes = mc_alloc((size_t)f->count + 1, sizeof *nodes);
    mc_trend *trends = mc_alloc((size_t)f->count + 1, sizeof *trends);
    mc_chance_evidence *evidence = mc_alloc((size_t)f->count + 1, sizeof *evidence);
    mc_result result = nodes && trends && evidence ? MC_OK : mc_error_out_of_memory(error);
    bool heap_grows = false;
    if (result == MC_OK) {
        for (uint32_t i = 0; i < f->count; i++)
            nodes[i] = f->candidates[i].node;
        nodes[f->count] = f->district;
        result = mc_trend_weigh_nodes(f->trace, f->metric, f->window, nodes, f->count + 1, trends,
                                      evidence, progress, error);
    }
    if (result == MC_OK) {
        const mc_growth *heap = &trends[f->count].growth;
        heap_grows = heap->kind == MC_GROWTH_GOES_ON &&
                     (double)heap->amount >= HEAP_SHARE * f->total && !is_of_runtime(f, heap);
        result = find_chance(f, trends, evidence, &heap_grows, error);
    }
    if (result == MC_OK) {
        for (uint32_t i = 0; i < f->count; i++)
            if (is_suspect(f, &trends[i], heap_grows))
                suspects->items[suspects->count++] =
                    (mc_suspect){nodes[i], get_suspect_growth(f, i, &trends[i]), trends[i]};
        sort_out(f, suspects);
    }
    if (result == MC_OK && heap_grows && suspects->growing_count == 0 && !is_in_large_groups(f))
        result = add_district(f, trends[f->count], suspects, error);
    if (result == MC_OK) note_chance(f, trends, suspects);
    mc_free(nodes);
    mc_free(trends);
    mc_free(evidence);
    suspects->verdict = suspects->growing_count > 0 ? MC_HEAP_GROWS
                        : suspects->count > 0       ? MC_HEAP_STOPPED
                                                    : MC_HEAP_STEADY;
    return result;
}

// Of a clock that counts no time.
static void forget_durations(mc_suspects *suspects) {
    for (uint32_t i = 0; i < suspects->count + suspects->chance_count; i++)
        suspects->items[i].trend.look_again_s = 0;
}

static mc_result judge(finder *f, const mc_progress *progress, mc_suspects *suspects,
                       mc_error *error) {
    mc_result result = read_ends(f, error);
    if (result == MC_OK) result = choose_candidates(f, error);
    if (result != MC_OK) return result;
    suspects->items = mc_alloc((size_t)f->count + 2, sizeof *suspects->items);
    if (!suspects->items) return mc_error_out_of_memory(error);
    if (count_steps(f->window) > 1) {
        bool is_clock = mc_trace_find_metric(f->trace, MC_METRIC_BYTE_CLOCK) != MC_NONE;
        suspects->is_byte_clock = is_clock;
        suspects->is_short = is_short(f->window);
        if (suspects->is_short) return judge_short(f, suspects, error);
        mc_result judged = judge_long(f, progress, suspects, error);
        suspects->is_short = is_clock && suspects->verdict == MC_HEAP_GROWS;
        if (is_clock) forget_durations(suspects);
        return judged;
    }
    suspects->verdict = MC_HEAP_SINGLE;
    for (uint32_t i = 0; i < f->count; i++)
        suspects->items[suspects->count++] =
            (mc_suspect){.node = f->candidates[i].node, .growth = f->candidates[i].growth};
    return MC_OK;
}

mc_result mc_suspects_find(const mc_trace *trace, mc_metric metric, mc_step_range window,
                           uint32_t district, const mc_progress *progress, mc_suspects *suspects,
                           mc_error *error) {
    finder f = {.trace = trace,
                .metric = metric,
                .window = window,
                .district = district,
                .is_one = mc_trace_get_nodes(trace)->child_count[district] == 0};
    mc_suspects_deinit(suspects);
    // What is allocated rises in any program: that makes no suspects.
    suspects->verdict = MC_HEAP_STEADY;
    if (mc_trace_find_metric(trace, MC_METRIC_ALLOCATED_SO_FAR) == metric) return MC_OK;
    if (mc_suspects_are_of_sums(trace, window)) {
        suspects->verdict = MC_HEAP_UNKNOWN;
        return MC_OK;
    }
    mc_result result = judge(&f, progress, suspects, error);
    mc_free(f.first);
    mc_free(f.last);
    mc_free(f.candidates);
    if (result != MC_OK) mc_suspects_deinit(suspects);
    return result;
}
