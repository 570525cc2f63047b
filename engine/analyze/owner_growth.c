#include "engine/analyze/owner_growth.h"

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

mc_result mc_owner_growth_find(const mc_trace *trace, mc_step_range window,
                               mc_owner_growth items[MC_CAUSES_MOST_OWNED], uint32_t *count,
                               mc_error *error) {
    mc_owner_series series;
    mc_owner_findings findings = {0};
    *count = 0;
    mc_result result = mc_owner_series_read(trace, window, &series, error);
    if (result == MC_OK && series.point_count > 1)
        result = mc_owner_findings_find(&series, trace, &findings, error);
    for (size_t i = 0; i < findings.count && i < MC_CAUSES_MOST_OWNED; i++) {
        const mc_owner_finding *finding = &findings.items[i];
        uint32_t node = mc_owner_series_find_place(&series, finding->content);
        if (node != MC_NONE && finding->growth > 0)
            add(items, count, node, (uint64_t)finding->growth);
    }
    if (*count > 1) qsort(items, *count, sizeof *items, compare);
    mc_owner_findings_deinit(&findings);
    mc_owner_series_deinit(&series);
    return result;
}
