#include "app/view_state.h"

#include "engine/base/memory.h"

static mc_column get_column(const mc_view *view) {
    return mc_metric_get_column(view->city->desc.metric);
}

// As shares of the largest.
static void normalize(const uint64_t *values, uint32_t count, float *shares) {
    uint64_t largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (values[i] > largest) largest = values[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        shares[i] = largest > 0 ? (float)((double)values[i] / (double)largest) : 0;
    }
}

static void read_series(mc_view *view, uint32_t node, float *shares) {
    uint32_t count = mc_trace_get_step_count(view->trace);
    for (uint32_t i = 0; i < count; i++) {
        view->series[i] = mc_view_read_value(view, i, get_column(view), node);
    }
    normalize(view->series, count, shares);
}

static void find_suspects(mc_view *view) {
    const mc_city *city = view->city;
    uint32_t found[MC_VIEW_SUSPECT_COUNT], count = mc_trace_get_step_count(view->trace);
    for (uint32_t i = 0; i < MC_VIEW_SUSPECT_COUNT; i++) {
        found[i] = MC_NONE;
    }
    for (uint32_t i = 0; i < city->building_count; i++) {
        uint32_t rank = city->building_growth_rank[i];
        if (rank < MC_VIEW_SUSPECT_COUNT) found[rank] = i;
    }
    view->suspect_count = 0;
    for (uint32_t rank = 0; rank < MC_VIEW_SUSPECT_COUNT && found[rank] != MC_NONE; rank++) {
        uint32_t building = found[rank], node = city->building_node[building];
        uint64_t last =
            mc_view_read_value(view, city->desc.window.last_step, get_column(view), node);
        int64_t growth = (int64_t)(last - city->building_first[building]);
        if (growth <= 0) break;
        mc_view_suspect *suspect = &view->suspects[view->suspect_count];
        *suspect = (mc_view_suspect){
            .node = node,
            .building = building,
            .growth = growth,
            .values = view->suspect_values + (size_t)view->suspect_count * count,
        };
        read_series(view, node, suspect->values);
        view->suspect_count++;
    }
}

bool mc_view_compute_series(mc_view *view) {
    uint32_t count = mc_trace_get_step_count(view->trace);
    mc_free(view->total_values);
    mc_free(view->selection_values);
    mc_free(view->suspect_values);
    mc_free(view->series);
    view->total_values = mc_alloc_zero(count, sizeof(float));
    view->selection_values = mc_alloc_zero(count, sizeof(float));
    view->suspect_values = mc_alloc_zero((size_t)count * MC_VIEW_SUSPECT_COUNT, sizeof(float));
    view->series = mc_alloc_zero(count, sizeof *view->series);
    if (!view->total_values || !view->selection_values || !view->suspect_values || !view->series) {
        return false;
    }
    read_series(view, 0, view->total_values);
    view->freed_step = mc_window_find_release(view->trace, view->city->desc.metric);
    find_suspects(view);
    return true;
}

void mc_view_compute_selection_series(mc_view *view) {
    uint32_t node = view->selected_node == MC_NONE ? 0 : view->selected_node;
    read_series(view, node, view->selection_values);
    view->selection_max = 0;
    mc_window window = view->city->desc.window;
    for (uint32_t i = window.first_step; i <= window.last_step; i++) {
        if (view->series[i] > view->selection_max) view->selection_max = view->series[i];
    }
}
