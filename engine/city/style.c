#include "engine/city/style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

const char *const mc_color_mode_names[] = {"growth", "step",  "trend", "level",
                                           "role",   "value", "first", NULL};
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

void mc_styles_mark(mc_styles *styles, const mc_city *city, const uint32_t *nodes, uint32_t count) {
    for (uint32_t i = 0; i < styles->count; i++)
        styles->items[i].bits &= ~MC_STYLE_MARKED;
    styles->is_marking = nodes != NULL;
    styles->marked_count = 0;
    for (uint32_t i = 0; nodes && i < count; i++) {
        uint32_t first, marked;
        get_buildings(city, nodes[i], &first, &marked);
        for (uint32_t b = first; marked > 0; b++, marked--) {
            styles->marked_count += !(styles->items[b].bits & MC_STYLE_MARKED);
            styles->items[b].bits |= MC_STYLE_MARKED;
        }
    }
}

void mc_styles_mark_bits(mc_styles *styles, const mc_city *city, const uint8_t *node_flags,
                         uint32_t flag) {
    styles->is_marking = true;
    styles->marked_count = 0;
    for (uint32_t i = 0; i < styles->count; i++) {
        bool is_marked = (node_flags[city->building_node[i]] & flag) != 0;
        uint32_t *bits = &styles->items[i].bits;
        *bits = is_marked ? *bits | MC_STYLE_MARKED : *bits & ~MC_STYLE_MARKED;
        styles->marked_count += is_marked;
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
    styles->color_mode = mode;
    styles->full_share = 0;
    styles->class_count = 0;
    styles->has_other_classes = false;
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
    styles->full_share = (double)largest;
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

void mc_styles_color_by_pin(mc_styles *styles, uint32_t pin, const uint64_t *pinned,
                            const uint64_t *now, bool is_first) {
    is_first = is_first || styles->color_mode != MC_COLOR_MODE_PIN;
    begin_colors(styles, MC_COLOR_MODE_PIN);
    styles->pin = pin;
    for (uint32_t i = 0; i < styles->count; i++)
        styles->full_share = fmax(styles->full_share, fabs(get_change(pinned[i], now[i])));
    for (uint32_t i = 0; i < styles->count; i++) {
        mc_building_style *style = &styles->items[i];
        double change = get_change(pinned[i], now[i]);
        float share = styles->full_share > 0 ? (float)(change / styles->full_share) : 0.0f;
        style->from_share = is_first ? share : style->to_share;
        style->to_share = share;
    }
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

typedef struct role_count {
    uint32_t role, count;
} role_count;

static int compare_roles(const void *a, const void *b) {
    const role_count *x = a, *y = b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return x->role < y->role ? -1 : x->role > y->role;
}

mc_result mc_styles_color_by_role(mc_styles *styles, const mc_city *city,
                                  const mc_node_columns *nodes, mc_error *error) {
    uint32_t role_limit = 0;
    for (uint32_t i = 0; i < styles->count; i++) {
        uint32_t role = nodes->role[city->building_node[i]];
        if (role != MC_NONE && role >= role_limit) role_limit = role + 1;
    }
    // The last entry counts the buildings without a role.
    role_count *roles = mc_alloc_zero((size_t)role_limit + 1, sizeof *roles);
    uint32_t *classes = mc_alloc((size_t)role_limit + 1, sizeof *classes);
    if (!roles || !classes) {
        mc_free(roles);
        mc_free(classes);
        return mc_error_out_of_memory(error);
    }
    begin_colors(styles, MC_COLOR_MODE_ROLE);
    for (uint32_t r = 0; r <= role_limit; r++)
        roles[r].role = r;
    for (uint32_t i = 0; i < styles->count; i++) {
        uint32_t role = nodes->role[city->building_node[i]];
        roles[role < role_limit ? role : role_limit].count++;
    }
    qsort(roles, (size_t)role_limit + 1, sizeof *roles, compare_roles);
    for (uint32_t r = 0; r <= role_limit; r++) {
        bool is_other = r >= MC_CLASS_COUNT;
        classes[roles[r].role] = is_other ? MC_CLASS_COUNT - 1 : r;
        if (roles[r].count == 0) continue;
        styles->has_other_classes |= is_other;
        if (is_other) continue;
        styles->classes[r] = roles[r].role < role_limit ? roles[r].role : MC_NONE;
        styles->class_count = r + 1;
    }
    for (uint32_t i = 0; i < styles->count; i++) {
        uint32_t role = nodes->role[city->building_node[i]];
        set_class(&styles->items[i], classes[role < role_limit ? role : role_limit]);
    }
    mc_free(roles);
    mc_free(classes);
    return MC_OK;
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
