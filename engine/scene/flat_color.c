#include "engine/scene/flat_color.h"

#include <math.h>
#include <string.h>

// Of theme.categories, which are in another order: from those that stand apart most.
static const uint32_t hue_order[] = {5, 4, 0, 2, 3, 6, 1};

const char *const mc_flat_color_mode_names[] = {"branch", "growth", "level", "role",  "step",
                                                "trend",  "first",  "owner", "value", NULL};

enum { HUE_COUNT = sizeof hue_order / sizeof *hue_order, HALF_ALPHA = 110, MISS_ALPHA = 46 };

static void mix(const float a[3], const float b[3], float at, float out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = a[i] + (b[i] - a[i]) * at;
}

void mc_flat_color_get_branch(const mc_theme *theme, uint32_t rank, float color[3]) {
    static const float gray[3] = {0.62f, 0.62f, 0.62f};
    const float *hue = theme->categories[hue_order[rank % HUE_COUNT]];
    uint32_t round = rank / HUE_COUNT;
    mix(hue, gray, round == 0 ? 0.0f : round == 1 ? 0.45f : 0.65f, color);
}

static const float light_root[3] = {0.905f, 0.915f, 0.93f}, dark_root[3] = {0.24f, 0.26f, 0.30f};
static const float light_other[3] = {0.76f, 0.77f, 0.78f}, dark_other[3] = {0.40f, 0.41f, 0.43f};
static const float white[3] = {1, 1, 1};

// How far a level is on the way to white.
static float get_lightness(uint32_t level, bool is_odd) {
    float depth = level > 1 ? (float)(level - 1) : 0;
    float lighter = 0.06f + 0.62f * (1 - expf(-0.32f * depth));
    return lighter + (is_odd ? 0.055f : 0);
}

// What the entries of a level have in common.
typedef struct level_colors {
    uint32_t level;
    float lightness[2]; // of even and odd siblings
    double largest;     // of growth or of the column
} level_colors;

static void get_branch_color(const mc_tree *tree, const mc_flat_color_desc *desc,
                             const level_colors *common, uint32_t entry, float color[3]) {
    float hue[3];
    mc_flat_color_get_branch(desc->theme, tree->branch[tree->node[entry]], hue);
    uint32_t place = entry - tree->first_child[tree->parent[entry]];
    mix(hue, white, common->lightness[place & 1], color);
}

static double get_growth(const uint64_t *base, const uint64_t *now, uint32_t entry) {
    return (double)(int64_t)(now[entry] - base[entry]);
}

void mc_flat_color_get_gradient(const mc_theme *theme, double share, float color[3]) {
    float at = (float)fmin(fabs(share), 1) * 2;
    const float(*gradient)[3] = theme->gradient;
    const float *middle = share < 0 ? theme->shrinking[0] : gradient[1];
    const float *end = share < 0 ? theme->shrinking[1] : gradient[2];
    if (at <= 1)
        mix(gradient[0], middle, at, color);
    else
        mix(middle, end, at - 1, color);
}

static double find_largest_growth(const mc_flat_color_desc *desc, mc_node_span span) {
    double largest = 0;
    for (uint32_t i = span.first; i < span.end; i++)
        largest = fmax(largest, get_growth(desc->base, desc->end, i));
    return largest;
}

static double find_largest_value(const mc_tree *tree, const mc_flat_color_desc *desc,
                                 mc_node_span span) {
    double largest = 0;
    for (uint32_t i = span.first; i < span.end; i++)
        if (!mc_tree_is_other(tree, i)) largest = fmax(largest, desc->most[tree->node[i]]);
    return largest;
}

static level_colors get_level_colors(const mc_tree *tree, const mc_flat_color_desc *desc,
                                     uint32_t level, mc_node_span span) {
    level_colors common = {.level = level};
    float share = desc->theme->dark ? 0.7f : 1;
    common.lightness[0] = get_lightness(level, false) * share;
    common.lightness[1] = get_lightness(level, true) * share;
    if (desc->mode == MC_FLAT_COLOR_GROWTH) common.largest = find_largest_growth(desc, span);
    if (desc->mode >= MC_FLAT_COLOR_STEP) common.largest = find_largest_value(tree, desc, span);
    return common;
}

static void get_color(const mc_tree *tree, const mc_flat_color_desc *desc,
                      const level_colors *common, uint32_t entry, float color[3]) {
    const mc_theme *theme = desc->theme;
    double largest = common->largest;
    uint32_t level = common->level, role;
    if (mc_tree_is_other(tree, entry)) {
        memcpy(color, theme->dark ? dark_other : light_other, 3 * sizeof *color);
        return;
    }
    switch (desc->mode) {
    case MC_FLAT_COLOR_DIFFERENCE:
        if (isinf(desc->values[tree->node[entry]])) {
            bool is_new = desc->values[tree->node[entry]] > 0;
            memcpy(color, is_new ? theme->new_color : theme->gone_color, 3 * sizeof *color);
            return;
        }
        mc_flat_color_get_gradient(
            theme, largest > 0 ? desc->values[tree->node[entry]] / largest : 0, color);
        return;
    case MC_FLAT_COLOR_GROWTH:
        mc_flat_color_get_gradient(
            theme, largest > 0 ? fmax(get_growth(desc->base, desc->now, entry), 0) / largest : 0,
            color);
        return;
    case MC_FLAT_COLOR_STEP:
    case MC_FLAT_COLOR_TREND:
    case MC_FLAT_COLOR_FIRST:
    case MC_FLAT_COLOR_OWNER:
    case MC_FLAT_COLOR_VALUE:
    case MC_FLAT_COLOR_PIN:
        mc_flat_color_get_gradient(
            theme, largest > 0 ? desc->values[tree->node[entry]] / largest : 0, color);
        return;
    case MC_FLAT_COLOR_LEVEL:
        memcpy(color, theme->levels[level < MC_CLASS_COUNT ? level : MC_CLASS_COUNT - 1],
               3 * sizeof *color);
        return;
    case MC_FLAT_COLOR_ROLE:
        role = desc->nodes->role ? desc->nodes->role[tree->node[entry]] : MC_NONE;
        memcpy(color, theme->categories[role < MC_CLASS_COUNT - 1 ? role : MC_CLASS_COUNT - 1],
               3 * sizeof *color);
        return;
    default:
        if (level == 0)
            memcpy(color, theme->dark ? dark_root : light_root, 3 * sizeof *color);
        else
            get_branch_color(tree, desc, common, entry, color);
    }
}

static uint32_t get_alpha(const mc_tree *tree, const mc_flat_color_desc *desc, uint32_t entry,
                          bool is_solid) {
    uint32_t alpha = is_solid ? 255 : HALF_ALPHA;
    if (!desc->hits) return alpha;
    // An Other that holds a hit would say so, but what search names is never in one.
    uint8_t hit = mc_tree_is_other(tree, entry) ? MC_FLAT_MISS : desc->hits[tree->node[entry]];
    return hit == MC_FLAT_HIT ? alpha : hit == MC_FLAT_HOLDS_HIT ? alpha * 5 / 8 : MISS_ALPHA;
}

void mc_flat_color(const mc_tree *tree, const mc_flat_color_desc *desc, uint32_t *colors) {
    mc_partition_tree partition = mc_tree_get_partition(tree);
    uint32_t solid_level =
        desc->solid_entry != MC_NONE ? mc_tree_get_level(tree, desc->solid_entry) : 0;
    mc_node_span solid = {0, tree->count};
    for (uint32_t level = 0; level < tree->level_count; level++) {
        mc_node_span span = {tree->level_first[level], tree->level_first[level + 1]};
        if (desc->solid_entry != MC_NONE && level == solid_level)
            solid = (mc_node_span){desc->solid_entry, desc->solid_entry + 1};
        else if (desc->solid_entry != MC_NONE && level > solid_level)
            solid = mc_partition_get_children(&partition, solid);
        level_colors common = get_level_colors(tree, desc, level, span);
        for (uint32_t i = span.first; i < span.end; i++) {
            float color[3];
            get_color(tree, desc, &common, i, color);
            bool is_solid = desc->solid_entry == MC_NONE ||
                            (level >= solid_level && i >= solid.first && i < solid.end);
            colors[i] = mc_theme_pack(color, get_alpha(tree, desc, i, is_solid));
        }
    }
    // The way down to what is solid.
    uint32_t entry = desc->solid_entry;
    while (entry != MC_NONE && (entry = tree->parent[entry]) != MC_NONE)
        colors[entry] |= 0xff000000u;
}

void mc_flat_color_spread_hits(const mc_node_columns *nodes, uint8_t *hits) {
    for (uint32_t node = 0; node < nodes->count; node++)
        hits[node] = hits[node] ? MC_FLAT_HIT : MC_FLAT_MISS;
    for (uint32_t node = nodes->count; node-- > 1;)
        if (hits[node] != MC_FLAT_MISS && hits[nodes->parent[node]] == MC_FLAT_MISS)
            hits[nodes->parent[node]] = MC_FLAT_HOLDS_HIT;
}

bool mc_flat_color_wants_dark_text(const mc_theme *theme, uint32_t color) {
    float alpha = (float)(color >> 24) / 255, luminance = 0;
    static const float weights[3] = {0.2126f, 0.7152f, 0.0722f};
    for (int i = 0; i < 3; i++) {
        float c = (float)(color >> (8 * i) & 255) / 255;
        c = c * alpha + theme->background_bottom[i] * (1 - alpha);
        luminance += weights[i] * powf(c, 2.2f);
    }
    // Where contrast is the same with black and with white text.
    return luminance > 0.19f;
}
