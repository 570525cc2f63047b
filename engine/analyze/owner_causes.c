#include "engine/analyze/owner_causes.h"

#include "engine/analyze/cause_facts.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define LEAST_EXPLAINED 0.3 // of a suspect's growth, for it to be because of a cause
#define LARGE_SHARE 0.5     // of the first cause's growth: a suspect that nothing explains

typedef struct finder {
    const mc_trace *trace;
    mc_causes *causes;
    mc_owner_series series;
    mc_owner_findings findings;
    uint64_t *values;                   // scratch: a series
    uint64_t *first, *last;             // objects, per node
    uint64_t *first_bytes, *last_bytes; // likewise
    double *shares;                     // per suspect: what is explained of it
} finder;

static const mc_walk no_walk = {.cause_index = MC_NONE, .unit.node = MC_NONE};

static const mc_owner_row *get_row(const finder *f, uint32_t row) {
    return &f->series.rows[row];
}

// ---- the way from the root

static mc_cause_hop make_hop(const finder *f, uint32_t row) {
    const mc_owner_row *r = get_row(f, row);
    return (mc_cause_hop){.owner = r->owner,
                          .example = r->example,
                          .objects = r->objects,
                          .retained_bytes = r->retained_bytes,
                          .is_library = r->is_library,
                          .is_part = r->is_part};
}

static mc_result find_hops(const finder *f, const mc_owner_finding *finding, mc_cause_owner *owner,
                           mc_error *error) {
    for (uint32_t row = finding->content; row != MC_NONE; row = get_row(f, row)->parent)
        owner->count++;
    owner->hops = mc_alloc(owner->count, sizeof *owner->hops);
    if (!owner->hops) return mc_error_out_of_memory(error);
    uint32_t at = owner->count;
    for (uint32_t row = finding->content; row != MC_NONE; row = get_row(f, row)->parent) {
        owner->hops[--at] = make_hop(f, row);
        if (row == finding->top) owner->top = at;
    }
    return MC_OK;
}

static void find_below(const finder *f, const mc_owner_finding *finding, mc_cause_owner *owner) {
    for (uint32_t i = get_row(f, finding->content)->child; i != MC_NONE; i = get_row(f, i)->next) {
        mc_cause_hop one = make_hop(f, i);
        uint32_t at = owner->below_count;
        if (at < MC_CAUSE_MOST_BELOW) owner->below_count++;
        for (; at > 0 && owner->below[at - 1].retained_bytes < one.retained_bytes; at--)
            if (at < MC_CAUSE_MOST_BELOW) owner->below[at] = owner->below[at - 1];
        if (at < MC_CAUSE_MOST_BELOW) owner->below[at] = one;
    }
}

// The first place, from the last hop upward, that several owners keep alive; MC_NONE: none is.
static uint32_t find_shared(const finder *f, uint32_t row) {
    for (; row != MC_NONE; row = get_row(f, row)->parent) {
        const mc_owner *owner = mc_owner_series_get(&f->series, row);
        if (owner->parent == MC_NONE && owner->root == MC_OWNER_SHARED) return row;
    }
    return MC_NONE;
}

static uint32_t get_root_owner(const finder *f, uint32_t owner) {
    while (f->series.owners[owner].parent != MC_NONE)
        owner = f->series.owners[owner].parent;
    return owner;
}

static bool is_below(const finder *f, uint32_t owner, uint32_t around) {
    while (owner != MC_NONE && owner > around)
        owner = f->series.owners[owner].parent;
    return owner == around;
}

static bool is_same_root(const finder *f, const mc_sharer *a, const mc_sharer *b) {
    const mc_owner *x = &f->series.owners[a->root], *y = &f->series.owners[b->root];
    if (x->root == MC_OWNER_SHARED || y->root == MC_OWNER_SHARED) return a->field == b->field;
    return x->root == y->root && x->field == y->field;
}

// One of each root; the ways are sorted, the most references first.
static void find_sharers(const finder *f, uint32_t row, mc_sharers *sharers) {
    uint32_t shared = find_shared(f, row);
    const mc_owner_way_rows *ways = &f->series.ways;
    for (uint32_t i = 0; i < ways->count && shared != MC_NONE; i++) {
        const mc_owner_way *way = &ways->items[i];
        if (way->owner != get_row(f, shared)->owner) continue;
        mc_sharer one = {way->from, get_root_owner(f, way->from), way->field, way->references};
        // What they reference among themselves keeps none of them alive.
        bool is_known = is_below(f, way->from, way->owner);
        for (uint32_t k = 0; k < sharers->count; k++)
            is_known |= is_same_root(f, &sharers->items[k], &one);
        if (is_known) continue;
        sharers->all_count++;
        if (sharers->count < MC_SHARERS_MOST) sharers->items[sharers->count++] = one;
    }
}

// ---- which group stands for it

// What is named, or, where no group is known that has it, what holds it.
static uint32_t find_node(const finder *f, uint32_t row) {
    uint32_t place = mc_owner_series_find_place(&f->series, row);
    const mc_suspects *suspects = &f->causes->suspects;
    if (place != MC_NONE) return place;
    return suspects->count > 0 ? suspects->items[0].node : 0;
}

// ---- what it explains

static mc_result read_columns(finder *f, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(f->trace)->count;
    mc_step_range window = f->causes->desc.window;
    f->first = mc_alloc(count, sizeof *f->first);
    f->last = mc_alloc(count, sizeof *f->last);
    f->first_bytes = mc_alloc(count, sizeof *f->first_bytes);
    f->last_bytes = mc_alloc(count, sizeof *f->last_bytes);
    f->shares = mc_alloc_zero((size_t)f->causes->suspects.count + 1, sizeof *f->shares);
    if (!f->first || !f->last || !f->first_bytes || !f->last_bytes || !f->shares)
        return mc_error_out_of_memory(error);
    const struct {
        uint32_t step;
        mc_metric metric;
        uint64_t *values;
    } reads[] = {{window.first_step, MC_METRIC_OBJECTS, f->first},
                 {window.last_step, MC_METRIC_OBJECTS, f->last},
                 {window.first_step, MC_METRIC_BYTES, f->first_bytes},
                 {window.last_step, MC_METRIC_BYTES, f->last_bytes}};
    mc_result result = MC_OK;
    for (int i = 0; i < 4 && result == MC_OK; i++)
        result =
            mc_trace_read_counts(f->trace, reads[i].step, reads[i].metric, reads[i].values, error);
    return result;
}

static double get_own_growth(const finder *f, uint32_t row) {
    double own = (double)get_row(f, row)->growth;
    for (uint32_t i = get_row(f, row)->child; i != MC_NONE; i = get_row(f, i)->next)
        own -= (double)get_row(f, i)->growth;
    return own;
}

static bool is_of_finding(const finder *f, const mc_owner_finding *finding, uint32_t row) {
    uint32_t top = finding->top;
    if (finding->alike > 0 && mc_owner_series_is_inside(&f->series, row, get_row(f, top)->parent))
        return true;
    // What holds it grows with it: arrays and tables.
    return mc_owner_series_is_inside(&f->series, row, top) ||
           (get_row(f, row)->is_library && mc_owner_series_is_inside(&f->series, top, row));
}

// The share of a group's growth that lies in the finding's places.
static double find_share(const finder *f, const mc_owner_finding *finding, uint32_t node) {
    const mc_node_columns *nodes = mc_trace_get_nodes(f->trace);
    double objects = 0, bytes = 0;
    for (uint32_t row = 0; row < f->series.count; row++) {
        const mc_owner_row *r = get_row(f, row);
        uint32_t place = mc_owner_series_get(&f->series, row)->place;
        if (place == MC_NONE || !mc_nodes_is_inside(nodes, place, node)) continue;
        if (!is_of_finding(f, finding, row)) continue;
        objects += (double)r->objects - (r->first_point == 0 ? (double)r->first_objects : 0);
        double own = get_own_growth(f, row);
        if (own > 0) bytes += own;
    }
    double more = (double)f->last[node] - (double)f->first[node];
    double more_bytes = (double)f->last_bytes[node] - (double)f->first_bytes[node];
    double share = more > 0 ? objects / more : 0;
    if (more_bytes > 0 && bytes / more_bytes > share) share = bytes / more_bytes;
    return share < 1 ? share : 1;
}

static mc_result explain(finder *f, const mc_owner_finding *finding, mc_cause *cause,
                         mc_error *error) {
    const mc_suspects *suspects = &f->causes->suspects;
    cause->explained = mc_alloc((size_t)suspects->growing_count + 1, sizeof *cause->explained);
    if (!cause->explained) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < suspects->growing_count; i++) {
        uint32_t node = suspects->items[i].node;
        double share = find_share(f, finding, node);
        for (size_t k = f->findings.count; k < f->findings.listed_count; k++)
            if (f->findings.items[k].into == finding->top)
                share += find_share(f, &f->findings.items[k], node);
        if (share > 1) share = 1;
        f->shares[i] += share;
        if (node == cause->node || share < LEAST_EXPLAINED) continue;
        cause->explained[cause->explained_count++] = (mc_explained){node, share};
    }
    return MC_OK;
}

// ---- how much

static mc_result measure(finder *f, const mc_owner_finding *finding, mc_cause *cause,
                         mc_error *error) {
    const mc_owner_series *series = &f->series;
    uint32_t count = series->point_count, first = f->causes->desc.window.first_step;
    cause->growth = finding->growth;
    cause->growth_objects = finding->more_objects;
    cause->retained_bytes = finding->retained_bytes;
    cause->trend = finding->trend;
    if (count == 1) return MC_OK;
    int64_t *values = mc_alloc(count, sizeof *values);
    if (!values) return mc_error_out_of_memory(error);
    mc_owner_finding_sum(series, finding, f->values);
    for (uint32_t i = 0; i < count; i++)
        values[i] = (int64_t)f->values[i];
    mc_change_point *change = &cause->change;
    mc_result result = mc_change_point_find(values, count, change, error);
    uint32_t since = change->since;
    mc_slope slope =
        mc_trend_estimate_slope(series->times_ms + since, f->values + since, count - since);
    cause->growth_per_s = slope.per_s;
    cause->growth_per_s_low = slope.low;
    cause->growth_per_s_high = slope.high;
    cause->since_step = change->is_found ? series->steps[change->since] : first;
    cause->since_early = change->is_found ? series->steps[change->early] : first;
    cause->since_late = change->is_found ? series->steps[change->late] : first;
    change->since = cause->since_step - first;
    change->early = cause->since_early - first;
    change->late = cause->since_late - first;
    cause->trend.growth.since = series->steps[cause->trend.growth.since] - first;
    cause->trend.growth.until = series->steps[cause->trend.growth.until] - first;
    mc_free(values);
    return result;
}

static mc_result add_owner(const finder *f, const mc_owner_finding *finding, mc_cause *cause,
                           mc_error *error) {
    mc_cause_owner *owner = &cause->owner;
    owner->kind = finding->kind;
    owner->alike = finding->alike;
    owner->is_library = finding->is_library;
    owner->more_objects = finding->more_objects;
    owner->is_about = finding->is_about;
    owner->content_growth = finding->content_growth;
    owner->retained_bytes = finding->retained_bytes;
    mc_result result = find_hops(f, finding, owner, error);
    if (result != MC_OK) return result;
    find_below(f, finding, owner);
    find_sharers(f, finding->content, &owner->sharers);
    return MC_OK;
}

static mc_result add_cause(finder *f, const mc_owner_finding *finding, mc_error *error) {
    mc_cause *cause = &f->causes->items[f->causes->count++];
    *cause = (mc_cause){.node = find_node(f, finding->content), .walk = no_walk};
    mc_result result = add_owner(f, finding, cause, error);
    if (result == MC_OK) result = measure(f, finding, cause, error);
    if (result == MC_OK) result = explain(f, finding, cause, error);
    return result;
}

// ---- what no owner explains

// The cause that is located at the same place.
static uint32_t find_located(const finder *f, uint32_t owner) {
    for (uint32_t i = 0; i < f->causes->count; i++) {
        const mc_cause_owner *one = &f->causes->items[i].owner;
        if (one->is_located && one->hops[one->top].owner == owner) return i;
    }
    return MC_NONE;
}

static mc_result add_to(mc_cause *cause, uint32_t node, mc_error *error) {
    mc_explained *more =
        mc_realloc(cause->explained, (size_t)cause->explained_count + 1, sizeof *more);
    if (!more) return mc_error_out_of_memory(error);
    cause->explained = more;
    if (node != cause->node) more[cause->explained_count++] = (mc_explained){node, 1};
    return MC_OK;
}

// Who has most of what came, if anybody has.
static mc_result add_located(finder *f, uint32_t suspect, mc_error *error) {
    mc_causes *causes = f->causes;
    uint32_t node = causes->suspects.items[suspect].node;
    mc_owner_finding finding;
    double more = (double)f->last[node] - (double)f->first[node];
    bool is_found = mc_owner_findings_locate(&f->series, f->trace, node, more, &finding);
    uint32_t known = is_found ? find_located(f, get_row(f, finding.top)->owner) : MC_NONE;
    if (known != MC_NONE) return add_to(&causes->items[known], node, error);
    mc_cause *cause = &causes->items[causes->count++];
    *cause = (mc_cause){.node = is_found ? find_node(f, finding.content) : node, .walk = no_walk};
    if (!is_found) return add_to(cause, node, error);
    mc_result result = add_owner(f, &finding, cause, error);
    cause->owner.is_located = true;
    return result == MC_OK ? add_to(cause, node, error) : result;
}

// Whether loaders of classes lead: all else that grows is theirs.
static bool piles_up_loaders(const finder *f) {
    static const char end[] = "ClassLoader";
    size_t size;
    const mc_owner *owner = mc_owner_series_get(&f->series, f->findings.items[0].content);
    const char *name = mc_trace_get_string(f->trace, owner->class, &size);
    return size >= sizeof end - 1 &&
           memcmp(name + size - (sizeof end - 1), end, sizeof end - 1) == 0;
}

// What grows by as much as the first cause, and hangs on no place that does.
static mc_result add_unexplained(finder *f, mc_error *error) {
    mc_causes *causes = f->causes;
    const mc_suspects *suspects = &causes->suspects;
    bool is_of_loaders = causes->count > 0 && piles_up_loaders(f);
    double least = causes->count > 0 ? LARGE_SHARE * (double)causes->items[0].growth : 0;
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < suspects->growing_count && result == MC_OK; i++) {
        if (f->shares[i] >= LEAST_EXPLAINED || is_of_loaders) continue;
        bool is_large = (double)suspects->items[i].growth * (1 - f->shares[i]) >= least;
        if (is_large && causes->count < MC_CAUSES_MOST_OWNED)
            result = add_located(f, i, error);
        else
            causes->left_out_count++;
    }
    return result;
}

// ---- all of it

// What the language's library keeps by itself does not lead where the program keeps more that came.
static void lead_with_program(mc_causes *causes) {
    if (causes->count == 0 || !causes->items[0].owner.is_library) return;
    for (uint32_t i = 1; i < causes->count; i++) {
        const mc_cause one = causes->items[i];
        if (!one.owner.is_located || one.owner.is_library || one.growth <= causes->items[0].growth)
            continue;
        memmove(causes->items + 1, causes->items, i * sizeof one);
        causes->items[0] = one;
        return;
    }
}

static mc_result collect(finder *f, mc_error *error) {
    mc_causes *causes = f->causes;
    size_t count = f->findings.count;
    if (count > MC_CAUSES_MOST_OWNED) count = MC_CAUSES_MOST_OWNED;
    causes->items = mc_alloc_zero(MC_CAUSES_MOST_OWNED, sizeof *causes->items);
    if (!causes->items) return mc_error_out_of_memory(error);
    mc_result result = read_columns(f, error);
    for (size_t i = 0; i < count && result == MC_OK; i++)
        result = add_cause(f, &f->findings.items[i], error);
    causes->left_out_count = (uint32_t)(f->findings.all_count - count);
    bool is_single = causes->suspects.verdict == MC_HEAP_SINGLE;
    causes->jvm_bytes = is_single ? f->findings.jvm_bytes : 0;
    if (is_single) causes->heap = f->series.heap;
    if (result != MC_OK || is_single) return result;
    if (count > 0) causes->suspects.verdict = MC_HEAP_GROWS;
    if (causes->suspects.verdict != MC_HEAP_GROWS) return MC_OK;
    result = add_unexplained(f, error);
    if (result == MC_OK) result = mc_cause_facts_measure(f->trace, causes, error);
    if (result == MC_OK) result = mc_cause_facts_find_begun(f->trace, causes, error);
    if (result == MC_OK) lead_with_program(causes);
    return result;
}

static void deinit(finder *f) {
    mc_owner_findings_deinit(&f->findings);
    mc_owner_series_deinit(&f->series);
    mc_free(f->values);
    mc_free(f->first);
    mc_free(f->last);
    mc_free(f->first_bytes);
    mc_free(f->last_bytes);
    mc_free(f->shares);
}

mc_result mc_owner_causes_find(const mc_trace *trace, const mc_progress *progress,
                               mc_causes *causes, bool *is_owned, mc_error *error) {
    mc_step_range window = causes->desc.window;
    finder f = {.trace = trace, .causes = causes};
    mc_result result = mc_owner_series_read(trace, window, &f.series, error);
    uint32_t points = f.series.point_count;
    *is_owned = points > 1 || (points == 1 && window.first_step == window.last_step);
    if (result == MC_OK && *is_owned) {
        if (f.series.heap > 0) causes->unit = MC_METRIC_BYTES; // of what owners retain
        f.values = mc_alloc(points, sizeof *f.values);
        result = f.values ? MC_OK : mc_error_out_of_memory(error);
        if (result == MC_OK)
            result = mc_suspects_find(trace, causes->desc.metric, window, 0, progress,
                                      &causes->suspects, error);
        if (result == MC_OK) result = mc_owner_findings_find(&f.series, trace, &f.findings, error);
        if (result == MC_OK) result = collect(&f, error);
    }
    deinit(&f);
    return result;
}
