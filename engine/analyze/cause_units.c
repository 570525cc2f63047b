#include "engine/analyze/cause_units.h"

#include "engine/analyze/unit_name.h"
#include "engine/base/memory.h"

#define LEAST_OF_RETAINED 0.5 // of what a cause retains more than before: its unit
#define MOST_OF_RETAINED 1.1
#define LEAST_SHARED 0.5 // of a group's growth, that units bring: it is no cause of its own

// Who holds it is known, or may be: ways from GC roots are looked for later.
static bool has_way(const mc_trace *trace, const mc_cause *cause) {
    const mc_walk *walk = &cause->walk;
    if (cause->is_unit || (walk->count > 0 && mc_trace_has_roots(trace))) return true;
    return walk->count > 0 && walk->cause_index != MC_NONE && walk->cause_index + 1 < walk->count;
}

static mc_explained *find_explained(mc_cause *cause, uint32_t node) {
    for (uint32_t i = 0; i < cause->explained_count; i++)
        if (cause->explained[i].node == node) return &cause->explained[i];
    return NULL;
}

static mc_result add_explained(mc_cause *cause, uint32_t node, double share, mc_error *error) {
    if (node == cause->node) return MC_OK;
    if (find_explained(cause, node)) return MC_OK;
    mc_explained *more =
        mc_realloc(cause->explained, (size_t)cause->explained_count + 1, sizeof *more);
    if (!more) return mc_error_out_of_memory(error);
    cause->explained = more;
    more[cause->explained_count++] = (mc_explained){node, share};
    return MC_OK;
}

static void remove_cause(mc_causes *causes, uint32_t index) {
    mc_cause_deinit(&causes->items[index]);
    causes->count--;
    for (uint32_t i = index; i < causes->count; i++)
        causes->items[i] = causes->items[i + 1];
}

// The first of the unit's causes for which it is known who holds it, or the first at all.
static uint32_t find_of_unit(const mc_trace *trace, const mc_causes *causes, uint32_t unit) {
    uint32_t found = MC_NONE;
    for (uint32_t i = 0; i < causes->count; i++) {
        if (causes->items[i].unit_index != unit) continue;
        if (has_way(trace, &causes->items[i])) return i;
        if (found == MC_NONE) found = i;
    }
    return found;
}

// ---- causes of one unit

static mc_result merge(mc_causes *causes, uint32_t from, uint32_t into, mc_error *error) {
    mc_cause *a = &causes->items[from], *b = &causes->items[into];
    mc_result result = add_explained(b, a->node, 1, error);
    for (uint32_t i = 0; i < a->explained_count && result == MC_OK; i++)
        result = add_explained(b, a->explained[i].node, a->explained[i].share, error);
    if (result == MC_OK) remove_cause(causes, from);
    return result;
}

static mc_result merge_units(const mc_trace *trace, mc_causes *causes, mc_error *error) {
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < causes->count && result == MC_OK;) {
        const mc_cause *cause = &causes->items[i];
        uint32_t first =
            cause->unit_index == MC_NONE ? i : find_of_unit(trace, causes, cause->unit_index);
        bool is_known = cause->walk.count == 0 || has_way(trace, &causes->items[first]);
        if (first == i || has_way(trace, cause) || !is_known)
            i++;
        else
            result = merge(causes, i, first, error);
    }
    return result;
}

// References tell what comes together, but does not belong together: then the unit says nothing of
// either.
static void part_units(mc_causes *causes) {
    for (uint32_t unit = 0; unit < causes->units.count; unit++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < causes->count; i++)
            count += causes->items[i].unit_index == unit;
        for (uint32_t i = 0; i < causes->count && count > 1; i++)
            if (causes->items[i].unit_index == unit) causes->items[i].unit_index = MC_NONE;
    }
}

// Nothing but numbers tells of it: then a unit has a better name than the group that grew the most.
static mc_result rename_causes(const mc_trace *trace, mc_causes *causes, mc_error *error) {
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < causes->count && result == MC_OK; i++) {
        mc_cause *cause = &causes->items[i];
        if (cause->unit_index == MC_NONE || cause->walk.count > 0 || cause->is_unit) continue;
        uint32_t old = cause->node;
        cause->node = mc_unit_choose_name(trace, &causes->units.items[cause->unit_index]);
        mc_explained *itself = find_explained(cause, cause->node);
        if (itself)
            *itself = (mc_explained){old, 1};
        else
            result = add_explained(cause, old, 1, error);
    }
    return result;
}

// ---- what several units bring

static double sum_shares(const mc_trace *trace, const mc_causes *causes, uint32_t node) {
    double sum = 0;
    for (uint32_t i = 0; i < causes->units.count; i++) {
        const mc_growth_unit *unit = &causes->units.items[i];
        for (uint32_t k = unit->own_count; k < unit->part_count; k++)
            if (unit->parts[k].node == node && find_of_unit(trace, causes, i) != MC_NONE)
                sum += unit->parts[k].share;
    }
    return sum;
}

static void drop_shared(const mc_trace *trace, mc_causes *causes) {
    for (uint32_t i = 0; i < causes->count;) {
        const mc_cause *cause = &causes->items[i];
        if (cause->walk.count == 0 && !cause->is_unit && cause->unit_index == MC_NONE &&
            sum_shares(trace, causes, cause->node) >= LEAST_SHARED)
            remove_cause(causes, i);
        else
            i++;
    }
}

static bool is_suspect(const mc_causes *causes, uint32_t node) {
    for (uint32_t i = 0; i < causes->suspects.growing_count; i++)
        if (causes->suspects.items[i].node == node) return true;
    return false;
}

static bool is_explained_by_another(const mc_causes *causes, const mc_cause *cause, uint32_t node) {
    const mc_cause *other = mc_causes_get(causes, node);
    return other && other != cause;
}

// What the cause explains: all of its unit that no other cause is or explains. Where references
// were followed, only suspects, and if it is known who holds the cause.
static mc_result explain_parts(const mc_trace *trace, mc_causes *causes, uint32_t cause_index,
                               mc_error *error) {
    mc_cause *cause = &causes->items[cause_index];
    mc_result result = MC_OK;
    bool is_followed = cause->walk.count > 0;
    if (is_followed && !has_way(trace, cause)) return MC_OK;
    if (cause->unit_index == MC_NONE ||
        find_of_unit(trace, causes, cause->unit_index) != cause_index)
        return MC_OK;
    const mc_growth_unit *unit = &causes->units.items[cause->unit_index];
    for (uint32_t i = 0; i < unit->part_count && result == MC_OK; i++) {
        const mc_unit_part *part = &unit->parts[i];
        bool is_own = i < unit->own_count;
        if (is_own && is_explained_by_another(causes, cause, part->node)) continue;
        if (is_followed && !is_suspect(causes, part->node)) continue;
        if (!is_own && is_followed && mc_causes_get(causes, part->node)) continue;
        result = add_explained(cause, part->node, part->share, error);
    }
    return result;
}

// ---- suspects that were left out

// Where there are no references, nothing is followed, and what units explain leaves room.
static mc_result add_left_out(const mc_trace *trace, uint32_t most, mc_causes *causes,
                              mc_error *error) {
    const mc_suspects *suspects = &causes->suspects;
    mc_result result = MC_OK;
    if (mc_trace_has_references(trace)) return MC_OK;
    for (uint32_t i = 0; i < suspects->growing_count && result == MC_OK; i++) {
        uint32_t node = suspects->items[i].node;
        if (mc_causes_get(causes, node) || causes->count >= most) continue;
        if (sum_shares(trace, causes, node) >= LEAST_SHARED) continue;
        uint32_t unit = mc_units_get_own(&causes->units, node), added = causes->count++;
        causes->items[added] = (mc_cause){
            .node = node,
            .walk = {.cause_index = MC_NONE, .unit.node = MC_NONE},
            .unit_index = unit,
        };
        if (unit != MC_NONE) result = explain_parts(trace, causes, added, error);
    }
    return result;
}

static void count_left_out(mc_causes *causes) {
    causes->left_out_count = 0;
    for (uint32_t i = 0; i < causes->suspects.growing_count; i++)
        causes->left_out_count += !mc_causes_get(causes, causes->suspects.items[i].node);
}

// ----

mc_result mc_cause_units_find(const mc_trace *trace, uint32_t most, const mc_progress *progress,
                              mc_causes *causes, mc_error *error) {
    mc_result result = mc_units_find(trace, causes->desc.window, progress, &causes->units, error);
    if (result != MC_OK) return result;
    for (uint32_t i = 0; i < causes->count; i++)
        causes->items[i].unit_index = mc_units_get_own(&causes->units, causes->items[i].node);
    result = merge_units(trace, causes, error);
    part_units(causes);
    for (uint32_t i = 0; i < causes->count && result == MC_OK; i++)
        result = explain_parts(trace, causes, i, error);
    if (result == MC_OK) result = add_left_out(trace, most, causes, error);
    if (result == MC_OK) drop_shared(trace, causes);
    for (uint32_t i = 0; i < causes->count && result == MC_OK; i++)
        result = explain_parts(trace, causes, i, error);
    if (result == MC_OK) result = rename_causes(trace, causes, error);
    if (result == MC_OK) count_left_out(causes);
    return result;
}

// The unit of a cause, unless another one's group is a part of it as well: they come together, but
// are kept by different owners.
static uint32_t find_unit_of_one(const mc_causes *causes, uint32_t index) {
    uint32_t unit = mc_units_get_own(&causes->units, causes->items[index].node);
    for (uint32_t i = 0; i < causes->count; i++)
        if (i != index && mc_units_get_own(&causes->units, causes->items[i].node) == unit)
            return MC_NONE;
    return unit;
}

mc_result mc_cause_units_add_to_owned(const mc_trace *trace, const mc_progress *progress,
                                      mc_causes *causes, mc_error *error) {
    for (uint32_t i = 0; i < causes->count; i++)
        causes->items[i].unit_index = MC_NONE;
    if (causes->suspects.verdict != MC_HEAP_GROWS) return MC_OK;
    mc_result result = mc_units_find(trace, causes->desc.window, progress, &causes->units, error);
    for (uint32_t i = 0; i < causes->count && result == MC_OK; i++) {
        mc_cause *cause = &causes->items[i];
        uint32_t unit = find_unit_of_one(causes, i);
        double bytes = unit != MC_NONE ? (double)causes->units.items[unit].bytes : 0;
        if (bytes >= LEAST_OF_RETAINED * (double)cause->growth &&
            bytes <= MOST_OF_RETAINED * (double)cause->growth)
            cause->unit_index = unit;
    }
    part_units(causes);
    return result;
}
