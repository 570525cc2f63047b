#include "engine/city/evaluate.h"

#include <math.h>

// Growth and width of a building take turns: each has 60 % of the time, they overlap in the middle.
#define PHASE_SHARE 0.6f
// A building that appears or vanishes does so as a tower of this part of its side, not as a needle.
#define NEEDLE_SHARE 0.35f

mc_update_params mc_update_params_default(const mc_city *city) {
    return (mc_update_params){
        .building_count = city->building_count,
        .scaling = (uint32_t)city->desc.scaling,
        .flags = MC_UPDATE_COLOR_BY_GROWTH | MC_UPDATE_OPACITY_BY_GROWTH,
        .opaque_count = 10,
        .opacity = 0.4f,
        .blend = 1.0f,
        .growth_scale = city->largest_growth > 0 ? 1.0f / (float)city->largest_growth : 0.0f,
        .gradient = {{0.76f, 0.76f, 0.75f, 1.0f},
                     {0.96f, 0.60f, 0.16f, 1.0f},
                     {0.82f, 0.10f, 0.09f, 1.0f}},
        .shrinking = {{0.36f, 0.62f, 0.80f, 1.0f}, {0.05f, 0.28f, 0.62f, 1.0f}},
        .dim_opacity = 0.12f,
        .transition = 1.0f,
        .full_height = city->full_height,
        .unknown_red = 0.56f,
        .unknown_green = 0.60f,
        .unknown_blue = 0.68f,
    };
}

static float ease(float t) {
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return t * t * (3.0f - 2.0f * t);
}

static float mix(float a, float b, float t) {
    return a * (1.0f - t) + b * t;
}

// sqrt(r): by how much both sides of the plot are scaled.
static float side_scale(uint32_t scaling, uint64_t value, uint64_t max) {
    if (value == 0) return 0.0f;
    float share = (float)value / (float)max;
    if (share > 1.0f) share = 1.0f;
    switch (scaling) {
    case MC_SCALING_SQRT: return sqrtf(sqrtf(share));
    case MC_SCALING_LINEAR: return sqrtf(share);
    case MC_SCALING_UNIFORM:
    case MC_SCALING_ELEVATION: return 1.0f;
    default: return share;
    }
}

static float growth_share(const mc_update_params *params, uint64_t value, uint64_t first) {
    if (value <= first) return 0.0f;
    float growth = (float)(value - first) * params->growth_scale;
    return growth < 1.0f ? growth : 1.0f;
}

mc_color mc_gradient_get(const mc_update_params *params, float at) {
    const mc_color *middle = at < 0.0f ? &params->shrinking[0] : &params->gradient[1];
    const mc_color *end = at < 0.0f ? &params->shrinking[1] : &params->gradient[2];
    at = fabsf(at);
    const mc_color *low = at < 0.5f ? &params->gradient[0] : middle;
    const mc_color *high = at < 0.5f ? middle : end;
    float t = at < 0.5f ? at * 2.0f : at * 2.0f - 1.0f;
    return (mc_color){mix(low->r, high->r, t), mix(low->g, high->g, t), mix(low->b, high->b, t),
                      1.0f};
}

// A building's height by its class, as a multiple of the side of its footprint.
static float class_height(uint32_t bits, uint32_t shift) {
    static const float heights[MC_HEIGHT_CLASS_COUNT] = {0.25f, 0.5f, 1.0f, 1.5f, 2.0f};
    uint32_t height_class = bits >> shift & MC_STYLE_HEIGHT_MASK;
    return heights[height_class < MC_HEIGHT_CLASS_COUNT ? height_class : MC_HEIGHT_CLASS_COUNT - 1];
}

// What the styles say is not known of a building; bits of MC_STYLE_UNKNOWN_BITS.
static uint32_t get_unknown(const mc_update_params *params, uint32_t style_bits) {
    return params->flags & MC_UPDATE_UNKNOWN ? style_bits & MC_STYLE_UNKNOWN_BITS : 0;
}

static float get_opacity(const mc_city *city, const mc_update_params *params,
                         uint32_t building_index, uint32_t style_bits) {
    bool dims = city->styles && (params->flags & MC_UPDATE_DIM_UNMARKED);
    if (dims) return style_bits & MC_STYLE_MARKED ? 1.0f : params->dim_opacity;
    // A slab hides nothing, and is there to be seen.
    if (get_unknown(params, style_bits) & MC_STYLE_UNKNOWN) return 1.0f;
    bool opaque = !(params->flags & MC_UPDATE_OPACITY_BY_GROWTH) ||
                  city->building_growth_rank[building_index] < params->opaque_count;
    return opaque ? 1.0f : params->opacity;
}

// What falls with what is demolished fades.
static float fade(const mc_update_params *params, const mc_building_style *style, float opacity) {
    if (!style || !(params->flags & MC_UPDATE_FADE_FALLEN)) return opacity;
    if (style->bits & MC_STYLE_DEMOLISHED) return MC_OUTLINE_OPACITY;
    return opacity * mix(MC_FALLEN_SHARE, 1.0f, style->standing);
}

static bool is_outline(const mc_update_params *params, const mc_building_style *style) {
    return style && (params->flags & MC_UPDATE_FADE_FALLEN) && (style->bits & MC_STYLE_DEMOLISHED);
}

static bool is_color_unknown(const mc_city *city, const mc_update_params *params,
                             uint32_t building_index, const mc_building_style *style) {
    uint32_t other_flags = style ? MC_UPDATE_COLOR_BY_SHARE | MC_UPDATE_COLOR_BY_CLASS : 0;
    if (style && get_unknown(params, style->bits) & (MC_STYLE_UNKNOWN | MC_STYLE_UNKNOWN_COLOR))
        return true;
    return !(params->flags & other_flags) && params->flags & MC_UPDATE_COLOR_BY_GROWTH &&
           city->building_first[building_index] == MC_COUNT_UNKNOWN;
}

static mc_color get_color(const mc_city *city, const mc_update_params *params,
                          uint32_t building_index, uint64_t from, uint64_t to,
                          const mc_building_style *style) {
    if (is_color_unknown(city, params, building_index, style))
        return (mc_color){params->unknown_red, params->unknown_green, params->unknown_blue, 1.0f};
    uint32_t flags = style ? params->flags : 0;
    if (flags & MC_UPDATE_COLOR_BY_CLASS ||
        (flags & MC_UPDATE_COLOR_BY_SHARE && style->bits & MC_STYLE_CLASSED))
        return params->class_colors[style->bits >> MC_STYLE_CLASS_SHIFT & MC_STYLE_CLASS_MASK];
    float growth = 0.0f;
    if (flags & MC_UPDATE_COLOR_BY_SHARE) {
        growth = mix(style->from_share, style->to_share, ease(params->blend));
    } else if (params->flags & MC_UPDATE_COLOR_BY_GROWTH) {
        uint64_t first = city->building_first[building_index];
        growth = mix(growth_share(params, from, first), growth_share(params, to, first),
                     ease(params->blend));
    }
    mc_color color = mc_gradient_get(params, growth);
    bool is_hint = params->flags & MC_UPDATE_GLASS && !(flags & MC_UPDATE_COLOR_BY_SHARE) &&
                   city->building_growth_rank[building_index] >= params->opaque_count;
    if (!is_hint) return color;
    const mc_color *none = &params->gradient[0];
    return (mc_color){mix(none->r, color.r, MC_GLASS_TINT), mix(none->g, color.g, MC_GLASS_TINT),
                      mix(none->b, color.b, MC_GLASS_TINT), 1.0f};
}

mc_box mc_city_transition_box(mc_box before, mc_box now, float transition) {
    float t = ease(transition);
    if (before.height <= 0.0f) { // it was not there: it rises from its place
        before.footprint = now.footprint;
        before.base = now.base;
    }
    now.footprint.x0 = mix(before.footprint.x0, now.footprint.x0, t);
    now.footprint.z0 = mix(before.footprint.z0, now.footprint.z0, t);
    now.footprint.x1 = mix(before.footprint.x1, now.footprint.x1, t);
    now.footprint.z1 = mix(before.footprint.z1, now.footprint.z1, t);
    now.base = mix(before.base, now.base, t);
    now.height = mix(before.height, now.height, t);
    return now;
}

// Linear in the value; what has none lies as a slab.
static float get_elevation(const mc_update_params *params, uint64_t from, uint64_t to, uint64_t max,
                           float side, uint32_t unknown) {
    float slab = MC_SLAB_SLENDERNESS * side, full = (float)max;
    if (unknown & (MC_STYLE_UNKNOWN | MC_STYLE_UNKNOWN_HEIGHT)) return slab;
    float old_share = fminf((float)from / full, 1.0f), new_share = fminf((float)to / full, 1.0f);
    return fmaxf(slab, params->full_height * mix(old_share, new_share, ease(params->blend)));
}

mc_box mc_city_evaluate_building(const mc_city *city, const mc_update_params *params,
                                 uint32_t building_index, uint64_t from, uint64_t to,
                                 mc_color *color) {
    assert(building_index < city->building_count);
    mc_plot plot = city->building_plot[building_index];
    uint64_t max = city->building_max[building_index];
    const mc_building_style *style = city->styles ? &city->styles[building_index] : NULL;
    uint32_t style_bits = style ? style->bits : 0;
    float old_side = side_scale(params->scaling, from, max);
    float new_side = side_scale(params->scaling, to, max);

    // Growing: first up, then out; shrinking: first in, then down.
    float early = ease(params->blend / PHASE_SHARE);
    float late = ease((params->blend - (1.0f - PHASE_SHARE)) / PHASE_SHARE);
    bool grows = new_side >= old_side;
    float up = mix(old_side, new_side, grows ? early : late);
    float old_width = old_side > 0.0f ? old_side : new_side * NEEDLE_SHARE;
    float new_width = new_side > 0.0f ? new_side : old_side * NEEDLE_SHARE;
    float out = mix(old_width, new_width, grows ? late : early);

    uint32_t unknown = get_unknown(params, style_bits);
    if (unknown & MC_STYLE_UNKNOWN) up = out = 1.0f;
    bool rises = params->scaling == MC_SCALING_ELEVATION;
    if (rises) out = 1.0f;

    float width = plot.x1 - plot.x0, depth = plot.z1 - plot.z0;
    float half_x = 0.5f * width * out, half_z = 0.5f * depth * out;
    float x = 0.5f * (plot.x0 + plot.x1), z = 0.5f * (plot.z0 + plot.z1);
    float slenderness = 2.0f;
    if (style && (params->flags & MC_UPDATE_HEIGHT_BY_CLASS))
        slenderness = mix(class_height(style_bits, MC_STYLE_FROM_HEIGHT_SHIFT),
                          class_height(style_bits, MC_STYLE_TO_HEIGHT_SHIFT), ease(params->blend));
    if (unknown & (MC_STYLE_UNKNOWN | MC_STYLE_UNKNOWN_HEIGHT)) slenderness = MC_SLAB_SLENDERNESS;
    mc_box box = {.footprint = {x - half_x, z - half_z, x + half_x, z + half_z},
                  .base = city->building_base[building_index],
                  .height = slenderness * sqrtf(width * depth) * up};
    if (rises) box.height = get_elevation(params, from, to, max, sqrtf(width * depth), unknown);

    bool selected = mc_update_params_select(params, building_index);
    box.opacity = selected ? 1.0f : get_opacity(city, params, building_index, style_bits);
    box.opacity = fade(params, style, box.opacity);
    box.selected = selected;
    if (selected) box.base += params->jump;
    if (city->before && params->transition < 1.0f)
        box = mc_city_transition_box(city->before[building_index], box, params->transition);
    if (!color) return box;
    *color = get_color(city, params, building_index, from, to, style);
    color->opacity = is_outline(params, style) ? -box.opacity : box.opacity;
    return box;
}

mc_box mc_city_get_district_box(const mc_city *city, uint32_t district_index) {
    return (mc_box){.footprint = city->district_plot[district_index],
                    .base = city->district_base[district_index],
                    .height = city->district_height,
                    .opacity = 1.0f};
}

mc_box mc_city_evaluate_district(const mc_city *city, const mc_update_params *params,
                                 uint32_t district_index) {
    mc_box box = mc_city_get_district_box(city, district_index);
    if (!city->before || params->transition >= 1.0f) return box;
    return mc_city_transition_box(city->before[city->building_count + district_index], box,
                                  params->transition);
}

void mc_city_evaluate(const mc_city *city, const mc_update_params *params, const uint64_t *from,
                      const uint64_t *to, mc_box *boxes, mc_color *colors) {
    for (uint32_t i = 0; i < city->building_count; i++)
        boxes[i] =
            mc_city_evaluate_building(city, params, i, from[i], to[i], colors ? &colors[i] : NULL);
}
