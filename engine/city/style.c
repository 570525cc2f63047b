#include "engine/city/style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

const char *const mc_color_mode_names[] = {"growth", "step",  "trend",   "level", "role",
                                           "value",  "first", "package", "owner", NULL};
const char *const mc_height_mode_names[] = {"metric",   "objects", "bytes", "object-size",
                                            "retained", "value",   NULL};

mc_result mc_styles_init(mc_styles *styles, const mc_city *city, mc_error *error) {
    *styles = (mc_styles){.count = city->building_count};
    styles->items = mc_alloc_zero((size_t)city->building_count + 1, sizeof *styles->items);
    return styles->items ? MC_OK : mc_error_out_of_memory(error);
}

void mc_styles_deinit(mc_styles *styles) {
    mc_free(styles->items);
    *styles = (mc_styles){0};
}

// ---- marks

// The buildings that stand for a node.
static void get_buildings(const mc_city *city, uint32_t node, uint32_t *first, uint32_t *count) {
    mc_structure structure = mc_city_find_node(city, node);
    *first = structure.building;
    *count = structure.building != MC_NONE;
    if (structure.district == MC_NONE) return;
    *first = city->district_building_first[structure.district];
    *count = city->district_building_count[structure.district];
}

static void mark_range(mc_styles *styles, uint32_t first, uint32_t count) {
    for (uint32_t b = first; b < first + count; b++) {
        styles->marked_count += !(styles->items[b].bits & MC_STYLE_MARKED);
        styles->items[b].bits |= MC_STYLE_MARKED;
    }
}

void mc_styles_mark(mc_styles *styles, const mc_city *city, const uint32_t *nodes, uint32_t count) {
    for (uint32_t i = 0; i < styles->count; i++)
        styles->items[i].bits &= ~MC_STYLE_MARKED;
    styles->is_marking = nodes != NULL;
    styles->marked_count = 0;
    for (uint32_t i = 0; nodes && i < count; i++) {
        uint32_t first, marked;
        get_buildings(city, nodes[i], &first, &marked);
        mark_range(styles, first, marked);
        if (marked > 0 && city->half_count > 0 && first >= city->half_count)
            mark_range(styles, first - city->half_count, marked);
    }
}

// ---- what falls

void mc_styles_demolish(mc_styles *styles, const mc_city *city, const uint32_t *demolished,
                        uint32_t count, const uint64_t *freed, const uint64_t *whole) {
    styles->is_fading = count > 0;
    for (uint32_t i = 0; i < styles->count; i++) {
        uint32_t node = city->building_node[i];
        uint64_t all = count > 0 ? whole[node] : 0, goes = all > 0 ? freed[node] : 0;
        styles->items[i].bits &= ~MC_STYLE_DEMOLISHED;
        styles->items[i].standing = goes < all ? (float)(1 - (double)goes / (double)all)
                                    : all > 0  ? 0.0f
                                               : 1.0f;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first, building_count;
        get_buildings(city, demolished[i], &first, &building_count);
        for (uint32_t b = first; b - first < building_count; b++)
            styles->items[b].bits |= MC_STYLE_DEMOLISHED;
    }
}

// ---- colours

static void begin_colors(mc_styles *styles, mc_color_mode mode) {
    for (uint32_t i = 0; i < styles->count && styles->color_mode == MC_COLOR_MODE_DIFFERENCE; i++)
        styles->items[i].bits &= ~(MC_STYLE_CLASSED | MC_STYLE_MOVED);
    styles->color_mode = mode;
    styles->full_share = 0;
    styles->class_count = 0;
    styles->has_other_classes = false;
    styles->leading_count = 0;
}

static void set_full(mc_styles *styles, double largest) {
    styles->full_share = largest > 0 ? fmax(largest, styles->least_full) : 0;
}

void mc_styles_color_by_growth(mc_styles *styles) {
    begin_colors(styles, MC_COLOR_MODE_GROWTH);
}

void mc_styles_color_by_step(mc_styles *styles, const uint64_t *previous, const uint64_t *now,
                             bool is_first) {
    is_first = is_first || styles->color_mode != MC_COLOR_MODE_STEP;
    begin_colors(styles, MC_COLOR_MODE_STEP);
    uint64_t largest = 0;
    for (uint32_t i = 0; i < styles->count; i++)
        if (now[i] > previous[i] && now[i] - previous[i] > largest) largest = now[i] - previous[i];
    set_full(styles, (double)largest);
    for (uint32_t i = 0; i < styles->count; i++) {
        mc_building_style *style = &styles->items[i];
        float share = now[i] > previous[i]
                          ? (float)((double)(now[i] - previous[i]) / styles->full_share)
                          : 0.0f;
        style->from_share = is_first ? share : style->to_share;
        style->to_share = share;
    }
}

static double get_change(uint64_t before, uint64_t now) {
    return now >= before ? (double)(now - before) : -(double)(before - now);
}

static void color_by_change(mc_styles *styles, const uint64_t *pinned, const uint64_t *now,
                            bool is_first) {
    double largest = 0;
    for (uint32_t i = 0; i < styles->count; i++)
        largest = fmax(largest, fabs(get_change(pinned[i], now[i])));
    set_full(styles, largest);
    for (uint32_t i = 0; i < styles->count; i++) {
        mc_building_style *style = &styles->items[i];
        double change = get_change(pinned[i], now[i]);
        float share = styles->full_share > 0 ? (float)(change / styles->full_share) : 0.0f;
        style->from_share = is_first ? share : style->to_share;
        style->to_share = share;
    }
}

void mc_styles_color_by_pin(mc_styles *styles, uint32_t pin, const uint64_t *pinned,
                            const uint64_t *now, bool is_first) {
    is_first = is_first || styles->color_mode != MC_COLOR_MODE_PIN;
    begin_colors(styles, MC_COLOR_MODE_PIN);
    styles->pin = pin;
    color_by_change(styles, pinned, now, is_first);
}

void mc_styles_color_by_trend(mc_styles *styles, const float *column) {
    begin_colors(styles, MC_COLOR_MODE_TREND);
    float largest = 0.0f;
    for (uint32_t i = 0; i < styles->count; i++)
        if (column[i] > largest) largest = column[i];
    styles->full_share = (double)largest;
    for (uint32_t i = 0; i < styles->count; i++) {
        mc_building_style *style = &styles->items[i];
        style->from_share = style->to_share = column[i] > 0.0f ? column[i] / largest : 0.0f;
    }
}

static void set_share(mc_building_style *style, float share, bool is_first) {
    style->from_share = is_first ? share : style->to_share;
    style->to_share = share;
}

void mc_styles_color_by_owner(mc_styles *styles, const mc_owner_colors *owners,
                              const uint64_t *first, const uint64_t *now, bool is_first) {
    is_first = is_first || styles->color_mode != MC_COLOR_MODE_OWNER;
    begin_colors(styles, MC_COLOR_MODE_OWNER);
    styles->full_share = owners->full;
    styles->leading_count = owners->count;
    memcpy(styles->leading, owners->leading, owners->count * sizeof *owners->leading);
    for (uint32_t i = 0; i < styles->count; i++) {
        bool grew = first[i] != MC_COUNT_UNKNOWN && now[i] > first[i] && owners->largest_growth > 0;
        double share =
            grew ? fmin((double)(now[i] - first[i]) / (double)owners->largest_growth, 1) : 0;
        set_share(&styles->items[i], MC_STYLE_OWNED_TINT * (float)share, is_first);
    }
    for (uint32_t i = 0; i < owners->count; i++) {
        mc_building_style *style = &styles->items[owners->leading[i]];
        style->to_share = owners->shares[i];
        if (is_first) style->from_share = style->to_share;
    }
}

void mc_styles_color_by_value(mc_styles *styles, const mc_metric_info *metric, const uint64_t *now,
                              uint64_t largest, bool is_first) {
    is_first = is_first || styles->color_mode != MC_COLOR_MODE_VALUE;
    begin_colors(styles, MC_COLOR_MODE_VALUE);
    styles->color_metric = metric;
    styles->full_share = (double)largest;
    for (uint32_t i = 0; i < styles->count; i++) {
        double share = largest > 0 ? (double)now[i] / (double)largest : 0;
        set_share(&styles->items[i], share < 1 ? (float)share : 1.0f, is_first);
    }
}

void mc_styles_color_by_first(mc_styles *styles, const uint32_t *steps, uint32_t first_step,
                              uint32_t last_step) {
    begin_colors(styles, MC_COLOR_MODE_FIRST);
    styles->full_share = last_step;
    for (uint32_t i = 0; i < styles->count; i++) {
        bool is_later = last_step > first_step && steps[i] > first_step;
        set_share(&styles->items[i],
                  is_later ? (float)(steps[i] - first_step) / (float)(last_step - first_step)
                           : 0.0f,
                  true);
    }
}

static void set_class(mc_building_style *style, uint32_t class_index) {
    style->bits &= ~(MC_STYLE_CLASS_MASK << MC_STYLE_CLASS_SHIFT);
    style->bits |= class_index << MC_STYLE_CLASS_SHIFT;
}

void mc_styles_color_by_difference(mc_styles *styles, const uint8_t *states, const uint64_t *before,
                                   const uint64_t *after, bool is_first) {
    is_first = is_first || styles->color_mode != MC_COLOR_MODE_DIFFERENCE;
    begin_colors(styles, MC_COLOR_MODE_DIFFERENCE);
    color_by_change(styles, before, after, is_first);
    for (uint32_t i = 0; i < styles->count; i++) {
        if (states[i] == MC_STYLE_ELSEWHERE) styles->items[i].bits |= MC_STYLE_MOVED;
        if (states[i] != MC_STYLE_NEW && states[i] != MC_STYLE_GONE) continue;
        set_class(&styles->items[i], states[i] - 1u);
        styles->items[i].bits |= MC_STYLE_CLASSED;
    }
}

void mc_styles_color_by_level(mc_styles *styles, const mc_city *city,
                              const mc_node_columns *nodes) {
    begin_colors(styles, MC_COLOR_MODE_LEVEL);
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t i = 0; i < styles->count; i++) {
        uint32_t level = nodes->level[city->building_node[i]];
        if (level < low) low = level;
        if (level > high) high = level;
    }
    if (styles->count == 0) return;
    // Each level has a class, but for the deepest, which share the last.
    uint32_t count = high - low < MC_CLASS_COUNT ? high - low + 1 : MC_CLASS_COUNT;
    styles->class_count = count;
    styles->has_other_classes = high - low >= MC_CLASS_COUNT;
    for (uint32_t i = 0; i < count; i++)
        styles->classes[i] = low + i;
    for (uint32_t i = 0; i < styles->count; i++) {
        uint32_t level = nodes->level[city->building_node[i]] - low;
        set_class(&styles->items[i], level < count ? level : count - 1);
    }
}

typedef struct group_weight {
    uint32_t group;
    double weight;
} group_weight;

static int compare_groups(const void *a, const void *b) {
    const group_weight *x = a, *y = b;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    return x->group < y->group ? -1 : x->group > y->group;
}

// Classes by the group of each building, a number up to `last`; those that weigh the most have a
// class of their own. `weights` NULL: each building weighs the same.
static mc_result color_by_group(mc_styles *styles, mc_color_mode mode, const uint32_t *groups,
                                uint32_t last, const uint64_t *weights, mc_error *error) {
    group_weight *found = mc_alloc_zero((size_t)last + 1, sizeof *found);
    uint32_t *classes = mc_alloc((size_t)last + 1, sizeof *classes);
    if (!found || !classes) {
        mc_free(found);
        mc_free(classes);
        return mc_error_out_of_memory(error);
    }
    begin_colors(styles, mode);
    for (uint32_t g = 0; g <= last; g++)
        found[g] = (group_weight){g, -1}; // of no building
    for (uint32_t i = 0; i < styles->count; i++) {
        group_weight *group = &found[groups[i]];
        group->weight = fmax(group->weight, 0) + (weights ? (double)weights[i] : 1);
    }
    qsort(found, (size_t)last + 1, sizeof *found, compare_groups);
    for (uint32_t g = 0; g <= last; g++) {
        bool is_other = g >= MC_CLASS_COUNT;
        classes[found[g].group] = is_other ? MC_CLASS_COUNT - 1 : g;
        if (found[g].weight < 0) continue;
        styles->has_other_classes |= is_other;
        if (is_other) continue;
        styles->classes[g] = found[g].group;
        styles->class_count = g + 1;
    }
    for (uint32_t i = 0; i < styles->count; i++)
        set_class(&styles->items[i], classes[groups[i]]);
    mc_free(found);
    mc_free(classes);
    return MC_OK;
}

mc_result mc_styles_color_by_role(mc_styles *styles, const mc_city *city,
                                  const mc_node_columns *nodes, mc_error *error) {
    uint32_t none = 0; // behind the last role: the buildings without one
    for (uint32_t i = 0; i < styles->count; i++) {
        uint32_t role = nodes->role[city->building_node[i]];
        if (role != MC_NONE && role >= none) none = role + 1;
    }
    uint32_t *roles = mc_alloc((size_t)styles->count + 1, sizeof *roles);
    if (!roles) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < styles->count; i++) {
        uint32_t role = nodes->role[city->building_node[i]];
        roles[i] = role < none ? role : none;
    }
    mc_result result = color_by_group(styles, MC_COLOR_MODE_ROLE, roles, none, NULL, error);
    for (uint32_t i = 0; i < styles->class_count && result == MC_OK; i++)
        if (styles->classes[i] == none) styles->classes[i] = MC_NONE;
    mc_free(roles);
    return result;
}

static uint32_t climb(const mc_node_columns *nodes, uint32_t node, uint32_t level) {
    while (nodes->level[node] > level)
        node = nodes->parent[node];
    return node;
}

// What encloses both.
static uint32_t find_common(const mc_node_columns *nodes, uint32_t a, uint32_t b) {
    uint32_t level = nodes->level[a] < nodes->level[b] ? nodes->level[a] : nodes->level[b];
    a = climb(nodes, a, level);
    b = climb(nodes, b, level);
    while (a != b) {
        a = nodes->parent[a];
        b = nodes->parent[b];
    }
    return a;
}

mc_result mc_styles_color_by_package(mc_styles *styles, const mc_city *city,
                                     const mc_node_columns *nodes, mc_error *error) {
    uint32_t common = styles->count > 0 ? city->building_node[0] : 0;
    for (uint32_t i = 1; i < styles->count; i++)
        common = find_common(nodes, common, city->building_node[i]);
    uint32_t *packages = mc_alloc((size_t)styles->count + 1, sizeof *packages);
    if (!packages) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < styles->count; i++)
        packages[i] = climb(nodes, city->building_node[i], nodes->level[common] + 1);
    mc_result result = color_by_group(styles, MC_COLOR_MODE_PACKAGE, packages, nodes->count - 1,
                                      city->building_max, error);
    mc_free(packages);
    return result;
}

bool mc_color_mode_has_classes(mc_color_mode mode) {
    return mode == MC_COLOR_MODE_LEVEL || mode == MC_COLOR_MODE_ROLE ||
           mode == MC_COLOR_MODE_PACKAGE;
}

// ---- heights

mc_height_mode mc_height_mode_of_unit(mc_unit unit) {
    switch (unit) {
    case MC_UNIT_BYTES: return MC_HEIGHT_MODE_BYTES;
    case MC_UNIT_TIME: return MC_HEIGHT_MODE_TIME;
    case MC_UNIT_RATIO: return MC_HEIGHT_MODE_RATIO;
    default: return MC_HEIGHT_MODE_OBJECTS;
    }
}

double mc_height_class_get_limit(mc_height_mode mode, uint32_t height_class) {
    static const double limits[MC_HEIGHT_MODE_ALL][MC_HEIGHT_CLASS_COUNT - 1] = {
        [MC_HEIGHT_MODE_OBJECTS] = {10, 1e3, 1e5, 1e7},
        [MC_HEIGHT_MODE_BYTES] = {1024, 32768, 1048576, 33554432},
        [MC_HEIGHT_MODE_OBJECT_SIZE] = {24, 64, 256, 4096},
        [MC_HEIGHT_MODE_RETAINED] = {1024, 32768, 1048576, 33554432},
        [MC_HEIGHT_MODE_TIME] = {1, 100, 1e4, 6e5},
        [MC_HEIGHT_MODE_RATIO] = {0.2, 0.4, 0.6, 0.8},
    };
    return height_class < MC_HEIGHT_CLASS_COUNT - 1 ? limits[mode][height_class] : INFINITY;
}

uint32_t mc_height_class_get(mc_height_mode mode, double value) {
    uint32_t height_class = 0;
    while (value > mc_height_class_get_limit(mode, height_class))
        height_class++;
    return height_class;
}

void mc_styles_note_unknown(mc_styles *styles, uint32_t bit, const uint8_t *are_unknown) {
    styles->unknown_bits &= ~bit;
    for (uint32_t i = 0; i < styles->count; i++) {
        bool is_unknown = are_unknown && are_unknown[i];
        uint32_t *bits = &styles->items[i].bits;
        *bits = is_unknown ? *bits | bit : *bits & ~bit;
        if (is_unknown) styles->unknown_bits |= bit;
    }
}

void mc_styles_height_by(mc_styles *styles, mc_height_mode mode, const double *values,
                         bool is_first) {
    is_first = is_first || styles->height_mode != mode;
    styles->height_mode = mode;
    const uint32_t from_mask = MC_STYLE_HEIGHT_MASK << MC_STYLE_FROM_HEIGHT_SHIFT;
    const uint32_t to_mask = MC_STYLE_HEIGHT_MASK << MC_STYLE_TO_HEIGHT_SHIFT;
    for (uint32_t i = 0; values && i < styles->count; i++) {
        uint32_t *bits = &styles->items[i].bits,
                 height_class = mc_height_class_get(mode, values[i]);
        uint32_t before = *bits >> MC_STYLE_TO_HEIGHT_SHIFT & MC_STYLE_HEIGHT_MASK;
        if (is_first) before = height_class;
        *bits &= ~(from_mask | to_mask);
        *bits |= before << MC_STYLE_FROM_HEIGHT_SHIFT | height_class << MC_STYLE_TO_HEIGHT_SHIFT;
    }
}
