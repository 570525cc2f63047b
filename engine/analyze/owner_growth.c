#include "engine/analyze/owner_growth.h"

#include "engine/analyze/owner_causes.h"
#include <stdlib.h>

static void add(mc_owner_growth *items, uint32_t *count, uint32_t node, uint64_t growth) {
    for (uint32_t i = 0; i < *count; i++) {
        if (items[i].node != node) continue;
        items[i].growth += growth <= MC_COUNT_MAX - items[i].growth ? growth : 0;
        return;
    }
    items[(*count)++] = (mc_owner_growth){node, growth};
}

static int compare(const void *a, const void *b) {
    const mc_owner_growth *x = a, *y = b;
    if (x->growth != y->growth) return x->growth > y->growth ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

uint32_t mc_owner_growth_list(const mc_causes *causes,
                              mc_owner_growth items[MC_CAUSES_MOST_OWNED]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < causes->count && i < MC_CAUSES_MOST_OWNED; i++)
        if (causes->items[i].growth > 0)
            add(items, &count, causes->items[i].node, (uint64_t)causes->items[i].growth);
    if (count > 1) qsort(items, count, sizeof *items, compare);
    return count;
}

mc_result mc_owner_growth_find(const mc_trace *trace, const mc_causes_desc *desc,
                               const mc_progress *progress,
                               mc_owner_growth items[MC_CAUSES_MOST_OWNED], uint32_t *count,
                               mc_error *error) {
    mc_causes causes = {.desc = *desc, .unit = MC_METRIC_BYTES};
    bool is_owned;
    mc_result result = mc_owner_causes_find(trace, progress, &causes, &is_owned, error);
    *count = result == MC_OK ? mc_owner_growth_list(&causes, items) : 0;
    mc_causes_deinit(&causes);
    return result;
}
