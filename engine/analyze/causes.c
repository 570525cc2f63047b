#include "engine/analyze/causes.h"

#include "engine/base/memory.h"
#include <string.h>

void mc_cause_deinit(mc_cause *cause) {
    mc_walk_deinit(&cause->walk);
    mc_free(cause->explained);
    mc_free(cause->owner.hops);
}

void mc_causes_deinit(mc_causes *causes) {
    for (uint32_t i = 0; i < causes->count; i++)
        mc_cause_deinit(&causes->items[i]);
    mc_free(causes->items);
    mc_walk_deinit(&causes->largest);
    mc_suspects_deinit(&causes->suspects);
    mc_units_deinit(&causes->units);
    memset(causes, 0, sizeof *causes);
}

const mc_growth_unit *mc_causes_get_unit(const mc_causes *causes, const mc_cause *cause) {
    if (cause->unit_index >= causes->units.count) return NULL;
    const mc_growth_unit *unit = &causes->units.items[cause->unit_index];
    return unit->part_count > 1 ? unit : NULL;
}

const mc_cause *mc_causes_find_explaining(const mc_causes *causes, uint32_t node, double *share) {
    for (uint32_t i = 0; i < causes->count; i++) {
        const mc_cause *cause = &causes->items[i];
        for (uint32_t k = 0; k < cause->explained_count; k++) {
            if (cause->explained[k].node != node) continue;
            *share = cause->explained[k].share;
            return cause;
        }
    }
    return NULL;
}

const mc_cause *mc_causes_get(const mc_causes *causes, uint32_t node) {
    double share;
    for (uint32_t i = 0; i < causes->count; i++)
        if (causes->items[i].node == node) return &causes->items[i];
    return mc_causes_find_explaining(causes, node, &share);
}

static const mc_suspect *find_suspect(const mc_causes *causes, uint32_t node) {
    for (uint32_t i = 0; i < causes->suspects.count; i++)
        if (causes->suspects.items[i].node == node) return &causes->suspects.items[i];
    return NULL;
}

static mc_suspect get_suspect(const mc_causes *causes, const mc_cause *cause) {
    const mc_suspect *suspect = find_suspect(causes, cause->node);
    if (suspect) return *suspect;
    bool is_unit = causes->desc.metric == causes->unit;
    return (mc_suspect){cause->node, is_unit ? cause->own_growth : cause->growth_objects,
                        cause->trend};
}

// Of one step: who holds what is largest, if that is the program's; NULL: nobody knows.
static const mc_suspect *find_owner(const mc_causes *causes) {
    const mc_walk *walk = &causes->largest;
    if (walk->count == 0) return NULL;
    return find_suspect(causes, walk->stops[mc_walk_get_found(walk)].node);
}

uint32_t mc_causes_list(const mc_causes *causes, mc_suspect *list, uint32_t most) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < causes->count && count < most; i++)
        list[count++] = get_suspect(causes, &causes->items[i]);
    const mc_suspect *owner = find_owner(causes);
    if (owner && count < most) list[count++] = *owner;
    for (uint32_t i = 0; i < causes->suspects.count && count < most; i++) {
        const mc_suspect *suspect = &causes->suspects.items[i];
        const mc_cause *cause = mc_causes_get(causes, suspect->node);
        if (suspect != owner && (!cause || cause->node != suspect->node)) list[count++] = *suspect;
    }
    return count;
}

double mc_causes_get_seconds_left(const mc_causes *causes, uint64_t limit) {
    if (causes->heap >= limit) return 0;
    if (causes->heap_per_s <= 0) return MC_SECONDS_NEVER;
    if (!(causes->heap_per_s_low > 0) ||
        causes->heap_per_s_high > MC_SURE_RATES * causes->heap_per_s_low)
        return MC_SECONDS_NOT_SURE;
    return (double)(limit - causes->heap) / causes->heap_per_s;
}
