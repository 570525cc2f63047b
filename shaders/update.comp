// Columns and counts in, boxes and colours out: one invocation a building. The same operations as
// mc_city_evaluate_building() in engine/city/evaluate.c, where they are explained.
#version 450
#include "shaders/box_window.glsl"
#include "shaders/building.glsl"
#include "shaders/columns.glsl"
#include "shaders/shared/frame_types.h"
#include "shaders/statics.glsl"

layout(local_size_x = MC_UPDATE_GROUP_SIZE) in;

// Not a uniform buffer: lavapipe compiles a shader anew, and keeps it, for every value of a uniform
// that decides a branch. Copied at once: it would load each member again wherever it is used.
layout(set = 0, binding = MC_BINDING_PARAMS, std430) readonly buffer Params {
    mc_update_params given;
};
layout(push_constant, std430) uniform Push { mc_update_draw draw; };
MC_COLUMN(uvec4, style, 0, utextureBuffer, MC_BINDING_STYLE_TEXELS, MC_BINDING_STYLES)
// Two a box.
MC_COLUMN(uvec4, half_before, 0, utextureBuffer, MC_BINDING_BEFORE_TEXELS, MC_BINDING_BEFORE)
// As texels, a narrow count's second word reads as 0.
MC_COLUMN(uvec2, from, 0, utextureBuffer, MC_BINDING_FROM_TEXELS, MC_BINDING_FROM)
MC_COLUMN(uvec2, to, 0, utextureBuffer, MC_BINDING_TO_TEXELS, MC_BINDING_TO)

// Whether styles, gliding and a selection of several are there at all. They take time even where
// nothing uses them: a software driver runs both sides of a branch. The loop over a selection takes
// longer than all the rest.
layout(constant_id = 0) const bool has_styles = true;
layout(constant_id = 1) const bool is_in_transition = true;
layout(constant_id = 2) const bool has_more_selected = true;
layout(set = 0, binding = MC_BINDING_CHANGED, std430) readonly buffer Changed { uint changed[]; };

mc_update_params params; // main() copies it

// The nearest float may be one rounding off: the high word is rounded on its own.
float to_float(uint low, uint high) { return float(high) * 4294967296.0 + float(low); }

float side_scale(mc_count value, float largest) {
    if ((value.low | value.high) == 0) return 0.0;
    float share = min(to_float(value.low, value.high) / largest, 1.0);
    return get_side(params.scaling, share);
}

float growth_share(mc_count value, uint first_low, uint first_high) {
    bool grew = value.high > first_high || (value.high == first_high && value.low > first_low);
    if (!grew) return 0.0;
    uint borrow;
    uint low = usubBorrow(value.low, first_low, borrow);
    uint high = value.high - first_high - borrow;
    return min(to_float(low, high) * params.growth_scale, 1.0);
}

vec3 to_vec3(mc_color color) { return vec3(color.r, color.g, color.b); }

vec3 gradient(float at) {
    bool shrinks = at < 0.0;
    vec3 low = to_vec3(params.gradient[0]);
    vec3 middle = shrinks ? to_vec3(params.shrinking[0]) : to_vec3(params.gradient[1]);
    vec3 high = shrinks ? to_vec3(params.shrinking[1]) : to_vec3(params.gradient[2]);
    return get_gradient(abs(at), low, middle, high);
}

mc_building_static load_static(int index) {
    uvec4 a = load_third(index * 3), b = load_third(index * 3 + 1);
    uvec4 c = load_third(index * 3 + 2);
    vec4 plot = uintBitsToFloat(a);
    return mc_building_static(mc_plot(plot.x, plot.y, plot.z, plot.w), uintBitsToFloat(b.x), b.y,
                              b.z, b.w, c.x, c.y, c.z, c.w);
}

mc_count to_count(uvec2 words) { return mc_count(words.x, words.y); }

float class_height(uint bits, uint shift) {
    const float heights[MC_HEIGHT_CLASS_COUNT] = float[](0.25, 0.5, 1.0, 1.5, 2.0);
    return heights[min(bits >> shift & MC_STYLE_HEIGHT_MASK, MC_HEIGHT_CLASS_COUNT - 1)];
}

mc_building_style get_style(uint index) {
    uvec4 words = load_style(int(index));
    vec4 shares = uintBitsToFloat(words);
    return mc_building_style(words.x, shares.y, shares.z, shares.w);
}

mc_box load_before(uint index) {
    vec4 a = uintBitsToFloat(load_half_before(int(index) * 2));
    uvec4 rest = load_half_before(int(index) * 2 + 1);
    vec4 b = uintBitsToFloat(rest);
    return mc_box(mc_plot(a.x, a.y, a.z, a.w), b.x, b.y, b.z, rest.w);
}

mc_box transition_box(mc_box from_box, mc_box to_box) {
    float t = ease(params.transition);
    if (from_box.height <= 0.0) {
        from_box.footprint = to_box.footprint;
        from_box.base = to_box.base;
    }
    mc_plot a = from_box.footprint, b = to_box.footprint;
    to_box.footprint = mc_plot(blend(a.x0, b.x0, t), blend(a.z0, b.z0, t), blend(a.x1, b.x1, t),
                               blend(a.z1, b.z1, t));
    to_box.base = blend(from_box.base, to_box.base, t);
    to_box.height = blend(from_box.height, to_box.height, t);
    return to_box;
}

// Districts are the same at all times, but for gliding.
void update_district(uint index) {
    mc_box now = load_before(index + params.box_count - params.building_count);
    boxes[index - draw.first] = transition_box(load_before(index), now);
}

// A slab hides nothing, and is there to be seen.
float get_opacity(uint growth_rank, uint bits, uint unknown) {
    if (has_styles && (params.flags & MC_UPDATE_DIM_UNMARKED) != 0)
        return (bits & MC_STYLE_MARKED) != 0 ? 1.0 : params.dim_opacity;
    if ((unknown & MC_STYLE_UNKNOWN) != 0) return 1.0;
    bool solid =
        (params.flags & MC_UPDATE_OPACITY_BY_GROWTH) == 0 || growth_rank < params.opaque_count;
    return solid ? 1.0 : params.opacity;
}

float fade(mc_building_style style, float opacity) {
    if (!has_styles || (params.flags & MC_UPDATE_FADE_FALLEN) == 0) return opacity;
    if ((style.bits & MC_STYLE_DEMOLISHED) != 0) return MC_OUTLINE_OPACITY;
    return opacity * blend(MC_FALLEN_SHARE, 1.0, style.standing);
}

bool is_outline(mc_building_style style) {
    return has_styles && (params.flags & MC_UPDATE_FADE_FALLEN) != 0 &&
           (style.bits & MC_STYLE_DEMOLISHED) != 0;
}

bool is_selected(uint index) {
    bool selected = index - params.selected_first < params.selected_count;
    for (uint i = 0; has_more_selected && i < params.more_selected_count; i++) {
        mc_building_range range = given.more_selected[i];
        selected = selected || index - range.first < range.count;
    }
    return selected;
}

void main() {
    params = given;
    uint index = draw.first + gl_GlobalInvocationID.x;
    if (draw.is_list != 0u) index = index < draw.count ? changed[index] : 0xffffffffu;
    if (index >= params.building_count) {
        if (is_in_transition && index < params.box_count) update_district(index);
        return;
    }
    mc_building_static building = load_static(int(index));
    mc_building_style style = mc_building_style(0, 0.0, 0.0, 0.0);
    uint flags = params.flags;
    if (!has_styles) flags &= ~MC_UPDATE_STYLE_FLAGS;
    if (has_styles && (flags & MC_UPDATE_STYLE_FLAGS) != 0) style = get_style(index);
    float largest = to_float(building.max_low, building.max_high);
    mc_count old_count = to_count(load_from(int(index)));
    mc_count new_count = to_count(load_to(int(index)));
    float old_side = side_scale(old_count, largest);
    float new_side = side_scale(new_count, largest);

    vec2 up_and_out = get_up_and_out(old_side, new_side, params.blend);
    float up = up_and_out.x, outward = up_and_out.y;

    uint unknown = 0;
    if (has_styles && (flags & MC_UPDATE_UNKNOWN) != 0) unknown = style.bits & MC_STYLE_UNKNOWN_BITS;
    if ((unknown & MC_STYLE_UNKNOWN) != 0) {
        up = 1.0;
        outward = 1.0;
    }

    bool rises = params.scaling == MC_SCALING_IS_ELEVATION;
    if (rises) outward = 1.0;

    float width = building.plot.x1 - building.plot.x0, depth = building.plot.z1 - building.plot.z0;
    float half_x = 0.5 * width * outward, half_z = 0.5 * depth * outward;
    float x = 0.5 * (building.plot.x0 + building.plot.x1);
    float z = 0.5 * (building.plot.z0 + building.plot.z1);
    float slenderness = usual_slenderness;
    if (has_styles && (flags & MC_UPDATE_HEIGHT_BY_CLASS) != 0)
        slenderness = blend(class_height(style.bits, MC_STYLE_FROM_HEIGHT_SHIFT),
                            class_height(style.bits, MC_STYLE_TO_HEIGHT_SHIFT), ease(params.blend));
    if ((unknown & (MC_STYLE_UNKNOWN | MC_STYLE_UNKNOWN_HEIGHT)) != 0)
        slenderness = MC_SLAB_SLENDERNESS;
    bool selected = is_selected(index);

    mc_box box;
    box.footprint = mc_plot(x - half_x, z - half_z, x + half_x, z + half_z);
    box.base = selected ? building.base + params.jump : building.base;
    box.height = slenderness * sqrt(width * depth) * up;
    if (rises) {
        float slab = MC_SLAB_SLENDERNESS * sqrt(width * depth);
        float old_share = min(to_float(old_count.low, old_count.high) / largest, 1.0);
        float new_share = min(to_float(new_count.low, new_count.high) / largest, 1.0);
        float height = max(slab, params.full_height * blend(old_share, new_share, ease(params.blend)));
        bool is_flat = (unknown & (MC_STYLE_UNKNOWN | MC_STYLE_UNKNOWN_HEIGHT)) != 0;
        box.height = is_flat ? slab : height;
    }
    box.opacity = selected ? 1.0 : get_opacity(building.growth_rank, style.bits, unknown);
    box.opacity = fade(style, box.opacity);
    box.selected = selected ? 1 : 0;
    if (is_in_transition) box = transition_box(load_before(index), box);
    boxes[index - draw.first] = box;

    float growth = 0.0;
    if (has_styles && (flags & MC_UPDATE_COLOR_BY_SHARE) != 0)
        growth = blend(style.from_share, style.to_share, ease(params.blend));
    else if ((flags & MC_UPDATE_COLOR_BY_GROWTH) != 0)
        growth = blend(growth_share(old_count, building.first_low, building.first_high),
                       growth_share(new_count, building.first_low, building.first_high),
                       ease(params.blend));
    vec3 color = gradient(growth);
    bool is_hint = (flags & MC_UPDATE_GLASS) != 0 && (flags & MC_UPDATE_COLOR_BY_SHARE) == 0 &&
                   building.growth_rank >= params.opaque_count;
    if (is_hint)
        color = to_vec3(params.gradient[0]) * (1.0 - MC_GLASS_TINT) + color * MC_GLASS_TINT;
    bool is_classed = (flags & MC_UPDATE_COLOR_BY_CLASS) != 0 ||
                      ((flags & MC_UPDATE_COLOR_BY_SHARE) != 0 &&
                       (style.bits & MC_STYLE_CLASSED) != 0);
    if (has_styles && is_classed)
        color = to_vec3(
            given.class_colors[style.bits >> MC_STYLE_CLASS_SHIFT & MC_STYLE_CLASS_MASK]);
    bool by_growth = (flags & (MC_UPDATE_COLOR_BY_SHARE | MC_UPDATE_COLOR_BY_CLASS)) == 0 &&
                     (flags & MC_UPDATE_COLOR_BY_GROWTH) != 0;
    if ((unknown & (MC_STYLE_UNKNOWN | MC_STYLE_UNKNOWN_COLOR)) != 0 ||
        (by_growth && (building.first_low & building.first_high) == 0xffffffffu))
        color = vec3(params.unknown_red, params.unknown_green, params.unknown_blue);
    colors[index - draw.first] =
        mc_color(color.r, color.g, color.b, is_outline(style) ? -box.opacity : box.opacity);
}
