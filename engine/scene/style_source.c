#include "engine/scene/style_source.h"

#include "engine/analyze/owner_growth.h"
#include "engine/analyze/trend.h"
#include "engine/base/memory.h"
#include "engine/trace/regroup/sliding_window.h"
#include "engine/trace/versus/versus.h"

struct mc_style_source {
    const mc_trace *trace;
    const mc_city *city;
    mc_styles styles;
    mc_color_mode color_mode;
    mc_height_mode height_mode;
    mc_metric color_metric, height_metric; // or MC_NONE
    uint64_t largest;                      // of color_metric
    uint32_t pin;                          // a step, or MC_NONE
    // Of MC_COLOR_MODE_OWNER: the buildings that findings are named by.
    uint32_t leading[MC_CAUSES_MOST_OWNED], leading_count;
    double leading_growth[MC_CAUSES_MOST_OWNED]; // bytes
    uint64_t leading_last[MC_CAUSES_MOST_OWNED]; // of the city's metric, at the window's last step
    uint64_t *node_values;
    uint64_t *previous, *now; // columns over buildings
    double *heights;
    uint8_t *are_unknown; // scratch, also of states
};

static mc_metric find_metric(const mc_trace *trace, const char *name, mc_metric shown,
                             const char **lacking) {
    if (!name[0]) return shown;
    mc_metric metric = mc_trace_find_metric(trace, name);
    if (metric == MC_NONE) *lacking = name;
    return metric;
}

bool mc_style_is_of_pair(const mc_trace *trace, mc_metric shown) {
    return mc_trace_is_versus(trace) &&
           shown == mc_versus_get_metric(trace, shown, MC_VERSUS_LARGER);
}

const char *mc_style_mapping_init(mc_style_mapping *mapping, const mc_look *look,
                                  const mc_trace *trace, mc_metric shown) {
    const char *lacking = NULL;
    *mapping = (mc_style_mapping){(mc_color_mode)look->color_mode,
                                  (mc_height_mode)look->height_mode, MC_NONE, MC_NONE, MC_NONE};
    if (mapping->height_mode == MC_HEIGHT_MODE_VALUE) {
        mapping->height_metric = find_metric(trace, look->height_metric, shown, &lacking);
        if (mapping->height_metric == MC_NONE) mapping->height_mode = MC_HEIGHT_MODE_METRIC;
    }
    if (mapping->color_mode == MC_COLOR_MODE_VALUE) {
        mapping->color_metric = find_metric(trace, look->color_metric, shown, &lacking);
        if (mapping->color_metric == MC_NONE) mapping->color_mode = MC_COLOR_MODE_GROWTH;
    }
    bool is_of_pair = mc_style_is_of_pair(trace, shown);
    bool has_owners = mc_trace_has_owners(trace) && !mc_versus_is_before(trace, shown);
    if (mapping->color_mode == MC_COLOR_MODE_OWNER && (is_of_pair || !has_owners))
        mapping->color_mode = MC_COLOR_MODE_GROWTH;
    if (mapping->color_mode == MC_COLOR_MODE_GROWTH && is_of_pair)
        mapping->color_mode = MC_COLOR_MODE_DIFFERENCE;
    return lacking;
}

// In a frame, what each node has is known.
static bool may_be_unknown(const mc_trace *trace, mc_metric metric) {
    return !mc_trace_get_metric(trace, metric)->is_additive && mc_trace_get_frame_ms(trace) == 0;
}

bool mc_style_mapping_is_needed(const mc_style_mapping *mapping, const mc_trace *trace,
                                mc_metric shown) {
    return mapping->color_mode != MC_COLOR_MODE_GROWTH ||
           mapping->height_mode != MC_HEIGHT_MODE_METRIC || may_be_unknown(trace, shown);
}

bool mc_style_mapping_follows_time(const mc_style_mapping *mapping, const mc_trace *trace,
                                   mc_metric shown) {
    return mapping->color_mode == MC_COLOR_MODE_STEP || mapping->color_mode == MC_COLOR_MODE_PIN ||
           mapping->color_mode == MC_COLOR_MODE_DIFFERENCE ||
           mapping->color_mode == MC_COLOR_MODE_VALUE ||
           mapping->color_mode == MC_COLOR_MODE_OWNER ||
           mapping->height_mode != MC_HEIGHT_MODE_METRIC || may_be_unknown(trace, shown);
}

static mc_result read(mc_style_source *source, uint32_t step, mc_metric column, uint64_t *values,
                      mc_error *error) {
    mc_result result =
        mc_trace_read_counts(source->trace, step, column, source->node_values, error);
    if (result == MC_OK) mc_city_gather(source->city, source->node_values, values);
    return result;
}

// What the step has and says no value of. What it does not have is not there, rather than unknown.
static mc_result note_unknown(mc_style_source *source, uint32_t step, mc_metric metric,
                              uint32_t bit, mc_error *error) {
    const mc_city *city = source->city;
    if (!may_be_unknown(source->trace, metric)) {
        if (source->styles.unknown_bits & bit) mc_styles_note_unknown(&source->styles, bit, NULL);
        return MC_OK;
    }
    mc_result result =
        mc_trace_read_column(source->trace, step, metric, source->node_values, error);
    for (uint32_t i = 0; result == MC_OK && i < city->building_count; i++) {
        uint32_t node = city->building_node[i];
        bool is_unknown = source->node_values[node] == MC_COUNT_UNKNOWN;
        if (is_unknown)
            result = mc_trace_read_presence(source->trace, step, node, &is_unknown, error);
        source->are_unknown[i] = is_unknown;
    }
    if (result == MC_OK) mc_styles_note_unknown(&source->styles, bit, source->are_unknown);
    return result;
}

static mc_result color_by_trend(mc_style_source *source, const mc_progress *progress,
                                mc_error *error) {
    const mc_city *city = source->city;
    uint32_t count = city->building_count;
    mc_trend *trends = mc_alloc((size_t)count + 1, sizeof *trends);
    float *column = mc_alloc((size_t)count + 1, sizeof *column);
    mc_result result =
        trends && column
            ? mc_trend_compute_nodes(source->trace, city->desc.metric, city->desc.window,
                                     city->building_node, count, trends, progress, error)
            : mc_error_out_of_memory(error);
    if (result == MC_OK) {
        for (uint32_t i = 0; i < count; i++)
            column[i] = trends[i].direction > 0 ? (float)trends[i].slope_per_s : 0.0f;
        mc_styles_color_by_trend(&source->styles, column);
    }
    mc_free(trends);
    mc_free(column);
    return result;
}

// A building is seen where it has something of what the city shows.
static mc_result color_by_first(mc_style_source *source, mc_error *error) {
    const mc_city_desc *desc = &source->city->desc;
    uint32_t count = source->city->building_count;
    uint32_t *steps = mc_alloc((size_t)count + 1, sizeof *steps);
    if (!steps) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count; i++)
        steps[i] = desc->window.last_step;
    mc_result result = MC_OK;
    for (uint32_t step = desc->window.last_step + 1;
         step-- > desc->window.first_step && result == MC_OK;) {
        result = read(source, step, desc->metric, source->now, error);
        for (uint32_t i = 0; i < count && result == MC_OK; i++)
            if (source->now[i] > 0) steps[i] = step;
    }
    if (result == MC_OK)
        mc_styles_color_by_first(&source->styles, steps, desc->window.first_step,
                                 desc->window.last_step);
    mc_free(steps);
    return result;
}

// Without findings that this city shows, colours are by each group's own growth.
static mc_result color_by_owner(mc_style_source *source, const mc_progress *progress,
                                mc_error *error) {
    _Static_assert(MC_CAUSES_MOST_OWNED <= MC_STYLE_LEADING_MOST, "styles have room for them");
    mc_owner_growth owners[MC_CAUSES_MOST_OWNED];
    const mc_city_desc *desc = &source->city->desc;
    const mc_causes_desc causes = {.metric = desc->metric, .window = desc->window};
    uint32_t count;
    mc_result result =
        mc_owner_growth_find(source->trace, &causes, progress, owners, &count, error);
    if (result == MC_OK)
        result = read(source, desc->window.last_step, desc->metric, source->now, error);
    for (uint32_t i = 0; result == MC_OK && i < count; i++) {
        uint32_t building = mc_city_find_node(source->city, owners[i].node).building;
        if (building == MC_NONE) continue;
        uint32_t at = source->leading_count++;
        source->leading[at] = building;
        source->leading_growth[at] = (double)owners[i].growth;
        source->leading_last[at] = source->now[building];
    }
    if (result != MC_OK || source->leading_count > 0) return result;
    source->color_mode = MC_COLOR_MODE_GROWTH;
    mc_styles_color_by_growth(&source->styles);
    return MC_OK;
}

static mc_result find_largest(mc_style_source *source, const mc_progress *progress,
                              mc_error *error) {
    mc_max_tree tree = {0};
    mc_result result = mc_max_tree_compute(&tree, source->trace, source->color_metric,
                                           source->city->desc.window, progress, error);
    for (uint32_t i = 0; i < source->city->building_count && result == MC_OK; i++) {
        uint64_t max = tree.max[source->city->building_node[i]];
        if (max > source->largest) source->largest = max;
    }
    mc_max_tree_deinit(&tree);
    return result;
}

// What does not change with time.
static mc_result color(mc_style_source *source, const mc_progress *progress, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(source->trace);
    switch (source->color_mode) {
    case MC_COLOR_MODE_TREND: return color_by_trend(source, progress, error);
    case MC_COLOR_MODE_LEVEL:
        mc_styles_color_by_level(&source->styles, source->city, nodes);
        return MC_OK;
    case MC_COLOR_MODE_ROLE:
        return mc_styles_color_by_role(&source->styles, source->city, nodes, error);
    case MC_COLOR_MODE_PACKAGE:
        return mc_styles_color_by_package(&source->styles, source->city, nodes, error);
    case MC_COLOR_MODE_FIRST: return color_by_first(source, error);
    case MC_COLOR_MODE_VALUE: return find_largest(source, progress, error);
    case MC_COLOR_MODE_OWNER: return color_by_owner(source, progress, error);
    default: mc_styles_color_by_growth(&source->styles); return MC_OK;
    }
}

mc_result mc_style_source_create_mapped(const mc_trace *trace, const mc_city *city,
                                        const mc_style_mapping *mapping,
                                        const mc_progress *progress, mc_style_source **source,
                                        mc_error *error) {
    mc_height_mode height_mode = mapping->height_mode;
    if (mapping->height_metric != MC_NONE)
        height_mode =
            mc_height_mode_of_unit(mc_trace_get_metric(trace, mapping->height_metric)->unit);
    if (height_mode == MC_HEIGHT_MODE_RETAINED &&
        mc_trace_find_metric(trace, mc_metric_retained) == MC_NONE)
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "heights by retained size: the trace has no retained sizes");
    mc_style_source *made = mc_alloc_zero(1, sizeof *made);
    if (!made) return mc_error_out_of_memory(error);
    size_t count = (size_t)city->building_count + 1;
    made->trace = trace;
    made->city = city;
    made->color_mode = mapping->color_mode;
    made->color_metric = mapping->color_metric;
    made->height_metric = mapping->height_metric;
    made->pin = mapping->pin;
    made->height_mode = height_mode;
    made->node_values = mc_alloc(mc_trace_get_nodes(trace)->count, sizeof *made->node_values);
    made->previous = mc_alloc(count, sizeof *made->previous);
    made->now = mc_alloc(count, sizeof *made->now);
    made->heights = mc_alloc(count, sizeof *made->heights);
    made->are_unknown = mc_alloc(count, 1);
    mc_result result =
        made->node_values && made->previous && made->now && made->heights && made->are_unknown
            ? mc_styles_init(&made->styles, city, error)
            : mc_error_out_of_memory(error);
    if (result == MC_OK)
        made->styles.least_full =
            mc_metric_get_least_change(mc_trace_get_metric(trace, city->desc.metric));
    if (result == MC_OK && made->height_metric != MC_NONE)
        made->styles.height_metric = mc_trace_get_metric(trace, made->height_metric);
    if (result == MC_OK) result = color(made, progress, error);
    if (result != MC_OK) {
        mc_style_source_destroy(made);
        return result;
    }
    *source = made;
    return MC_OK;
}

void mc_style_source_destroy(mc_style_source *source) {
    if (!source) return;
    mc_styles_deinit(&source->styles);
    mc_free(source->node_values);
    mc_free(source->previous);
    mc_free(source->now);
    mc_free(source->heights);
    mc_free(source->are_unknown);
    mc_free(source);
}

static mc_result color_step(mc_style_source *source, uint32_t step, bool is_first,
                            mc_error *error) {
    const mc_city_desc *desc = &source->city->desc;
    mc_metric column = desc->metric;
    // Before the window's first step nothing is known.
    uint32_t before = step > desc->window.first_step ? step - 1 : step;
    mc_result result = read(source, before, column, source->previous, error);
    if (result == MC_OK) result = read(source, step, column, source->now, error);
    if (result == MC_OK)
        mc_styles_color_by_step(&source->styles, source->previous, source->now, is_first);
    return result;
}

static mc_result color_pinned(mc_style_source *source, uint32_t step, bool is_first,
                              mc_error *error) {
    mc_metric column = source->city->desc.metric;
    mc_result result = read(source, source->pin, column, source->previous, error);
    if (result == MC_OK) result = read(source, step, column, source->now, error);
    if (result == MC_OK)
        mc_styles_color_by_pin(&source->styles, source->pin, source->previous, source->now,
                               is_first);
    return result;
}

// As far as the group has come on its way from the window's first step to the last.
static float get_progress(const mc_city *city, uint32_t building, uint64_t last, uint64_t now) {
    uint64_t first = city->building_first[building];
    if (first == MC_COUNT_UNKNOWN || last <= first) return 1;
    if (now <= first) return 0;
    return now >= last ? 1.0f : (float)((double)(now - first) / (double)(last - first));
}

static mc_result color_owners(mc_style_source *source, uint32_t step, bool is_first,
                              mc_error *error) {
    const mc_city *city = source->city;
    float shares[MC_CAUSES_MOST_OWNED];
    mc_result result = read(source, step, city->desc.metric, source->now, error);
    if (result != MC_OK) return result;
    for (uint32_t i = 0; i < source->leading_count; i++) {
        uint32_t building = source->leading[i];
        shares[i] = (float)(source->leading_growth[i] / source->leading_growth[0]) *
                    get_progress(city, building, source->leading_last[i], source->now[building]);
    }
    mc_owner_colors owners = {.leading = source->leading,
                              .shares = shares,
                              .count = source->leading_count,
                              .full = source->leading_growth[0],
                              .largest_growth = city->largest_growth};
    mc_styles_color_by_owner(&source->styles, &owners, city->building_first, source->now, is_first);
    return MC_OK;
}

// Also where it has nothing at the step.
static uint8_t get_state(const mc_trace *trace, uint32_t node) {
    bool is_gone = !mc_versus_has_node(trace, MC_AFTER, node);
    if (!mc_versus_has_node(trace, MC_BEFORE, node)) return MC_STYLE_NEW;
    if (is_gone) return MC_STYLE_GONE;
    return mc_versus_find_move(trace, node, NULL) ? MC_STYLE_ELSEWHERE : MC_STYLE_BOTH;
}

static void find_states(mc_style_source *source) {
    for (uint32_t i = 0; i < source->city->building_count; i++)
        source->are_unknown[i] = get_state(source->trace, source->city->building_node[i]);
}

static mc_result color_difference(mc_style_source *source, uint32_t step, bool is_first,
                                  mc_error *error) {
    const mc_trace *trace = source->trace;
    mc_metric metric = source->city->desc.metric;
    mc_result result = read(source, step, mc_versus_get_metric(trace, metric, MC_VERSUS_BEFORE),
                            source->previous, error);
    if (result == MC_OK)
        result = read(source, step, mc_versus_get_metric(trace, metric, MC_VERSUS_AFTER),
                      source->now, error);
    if (result != MC_OK) return result;
    find_states(source);
    mc_styles_color_by_difference(&source->styles, source->are_unknown, source->previous,
                                  source->now, is_first);
    return MC_OK;
}

// In the metric's own unit, as the classes' limits are.
static mc_result raise_by_metric(mc_style_source *source, uint32_t step, bool is_first,
                                 mc_error *error) {
    const mc_metric_info *info = mc_trace_get_metric(source->trace, source->height_metric);
    mc_result result =
        note_unknown(source, step, source->height_metric, MC_STYLE_UNKNOWN_HEIGHT, error);
    if (result == MC_OK) result = read(source, step, source->height_metric, source->now, error);
    if (result != MC_OK) return result;
    for (uint32_t i = 0; i < source->city->building_count; i++)
        source->heights[i] = mc_metric_scale_back(info, (double)source->now[i]);
    mc_styles_height_by(&source->styles, source->height_mode, source->heights, is_first);
    return MC_OK;
}

static mc_result raise(mc_style_source *source, uint32_t step, bool is_first, mc_error *error) {
    mc_metric metric = source->height_mode == MC_HEIGHT_MODE_RETAINED
                           ? mc_trace_find_metric(source->trace, mc_metric_retained)
                       : source->height_mode == MC_HEIGHT_MODE_OBJECTS ? MC_METRIC_OBJECTS
                                                                       : MC_METRIC_BYTES;
    if (source->height_metric != MC_NONE) return raise_by_metric(source, step, is_first, error);
    uint32_t count = source->city->building_count;
    bool is_ratio = source->height_mode == MC_HEIGHT_MODE_OBJECT_SIZE;
    mc_result result = note_unknown(source, step, metric, MC_STYLE_UNKNOWN_HEIGHT, error);
    if (result == MC_OK) result = read(source, step, metric, source->now, error);
    if (result == MC_OK && is_ratio)
        result = read(source, step, MC_METRIC_OBJECTS, source->previous, error);
    if (result != MC_OK) return result;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t objects = is_ratio ? source->previous[i] : 1;
        source->heights[i] = objects > 0 ? (double)source->now[i] / (double)objects : 0;
    }
    mc_styles_height_by(&source->styles, source->height_mode, source->heights, is_first);
    return MC_OK;
}

mc_result mc_style_source_set_step(mc_style_source *source, uint32_t step, bool is_first,
                                   mc_error *error) {
    mc_result result =
        note_unknown(source, step, source->city->desc.metric, MC_STYLE_UNKNOWN, error);
    if (result == MC_OK && source->color_mode == MC_COLOR_MODE_STEP)
        result = color_step(source, step, is_first, error);
    if (result == MC_OK && source->color_mode == MC_COLOR_MODE_PIN)
        result = color_pinned(source, step, is_first, error);
    if (result == MC_OK && source->color_mode == MC_COLOR_MODE_OWNER)
        result = color_owners(source, step, is_first, error);
    if (result == MC_OK && source->color_mode == MC_COLOR_MODE_DIFFERENCE)
        result = color_difference(source, step, is_first, error);
    if (result == MC_OK && source->color_mode == MC_COLOR_MODE_VALUE) {
        result = note_unknown(source, step, source->color_metric, MC_STYLE_UNKNOWN_COLOR, error);
        if (result == MC_OK) result = read(source, step, source->color_metric, source->now, error);
        if (result == MC_OK)
            mc_styles_color_by_value(&source->styles,
                                     mc_trace_get_metric(source->trace, source->color_metric),
                                     source->now, source->largest, is_first);
    }
    if (result == MC_OK && source->height_mode != MC_HEIGHT_MODE_METRIC)
        result = raise(source, step, is_first, error);
    return result;
}

mc_result mc_style_source_demolish(mc_style_source *source, const mc_fallen *fallen,
                                   mc_error *error) {
    bool is_objects = source->city->desc.metric == MC_METRIC_OBJECTS;
    mc_styles_demolish(&source->styles, source->city, NULL, 0, NULL, NULL);
    if (fallen->count == 0) return MC_OK;
    mc_result result = mc_trace_read_counts(source->trace, fallen->step,
                                            is_objects ? MC_METRIC_OBJECTS : MC_METRIC_BYTES,
                                            source->node_values, error);
    if (result == MC_OK)
        mc_styles_demolish(&source->styles, source->city, fallen->demolished, fallen->count,
                           is_objects ? fallen->objects : fallen->bytes, source->node_values);
    return result;
}

mc_styles *mc_style_source_get(mc_style_source *source) {
    return &source->styles;
}
