// Columns and counts in, boxes and colours out: one invocation a building. The same operations as
// mc_city_evaluate_building() in engine/city/evaluate.c, where they are explained.
#version 450
#include "shaders/shared/frame_types.h"

layout(local_size_x = MC_UPDATE_GROUP_SIZE) in;

layout(push_constant, std430) uniform Push { mc_update_params params; };
layout(set = 0, binding = MC_BINDING_BOXES, std430) writeonly buffer Boxes { mc_box boxes[]; };
layout(set = 0, binding = MC_BINDING_COLORS, std430) writeonly buffer Colors { mc_color colors[]; };
// As texels; see boxes.glsl.
layout(set = 0, binding = MC_BINDING_STATIC_TEXELS) uniform utextureBuffer statics;
layout(set = 0, binding = MC_BINDING_FROM_TEXELS) uniform utextureBuffer from;
layout(set = 0, binding = MC_BINDING_TO_TEXELS) uniform utextureBuffer to;

const float phase_share = 0.6;
const float needle_share = 0.35;

float ease(float t) {
    t = clamp(t, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

float blend(float a, float b, float t) { return a * (1.0 - t) + b * t; }

// The nearest float may be one rounding off: the high word is rounded on its own.
float to_float(uint low, uint high) { return float(high) * 4294967296.0 + float(low); }

float side_scale(mc_count value, float largest) {
    if ((value.low | value.high) == 0) return 0.0;
    float share = min(to_float(value.low, value.high) / largest, 1.0);
    if (params.scaling == 0) return sqrt(sqrt(share));
    if (params.scaling == 1) return sqrt(share);
    return share;
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
    bool lower = at < 0.5;
    vec3 low = to_vec3(params.gradient[0]), middle = to_vec3(params.gradient[1]);
    vec3 high = to_vec3(params.gradient[2]);
    float t = lower ? at * 2.0 : at * 2.0 - 1.0;
    vec3 a = lower ? low : middle, b = lower ? middle : high;
    return a * (1.0 - t) + b * t;
}

mc_building_static load_static(int index) {
    uvec4 a = texelFetch(statics, index * 3), b = texelFetch(statics, index * 3 + 1);
    uvec4 c = texelFetch(statics, index * 3 + 2);
    vec4 plot = uintBitsToFloat(a);
    return mc_building_static(mc_plot(plot.x, plot.y, plot.z, plot.w), uintBitsToFloat(b.x), b.y,
                              b.z, b.w, c.x, c.y, c.z, c.w);
}

mc_count to_count(uvec4 texel) { return mc_count(texel.x, texel.y); }

void main() {
    uint index = gl_GlobalInvocationID.x;
    if (index >= params.building_count) return;
    mc_building_static building = load_static(int(index));
    float largest = to_float(building.max_low, building.max_high);
    mc_count old_count = to_count(texelFetch(from, int(index)));
    mc_count new_count = to_count(texelFetch(to, int(index)));
    float old_side = side_scale(old_count, largest);
    float new_side = side_scale(new_count, largest);

    float early = ease(params.blend / phase_share);
    float late = ease((params.blend - (1.0 - phase_share)) / phase_share);
    bool grows = new_side >= old_side;
    float up = blend(old_side, new_side, grows ? early : late);
    float old_width = old_side > 0.0 ? old_side : new_side * needle_share;
    float new_width = new_side > 0.0 ? new_side : old_side * needle_share;
    float outward = blend(old_width, new_width, grows ? late : early);

    float width = building.plot.x1 - building.plot.x0, depth = building.plot.z1 - building.plot.z0;
    float half_x = 0.5 * width * outward, half_z = 0.5 * depth * outward;
    float x = 0.5 * (building.plot.x0 + building.plot.x1);
    float z = 0.5 * (building.plot.z0 + building.plot.z1);
    bool selected = index - params.selected_first < params.selected_count;
    bool solid = selected || (params.flags & MC_UPDATE_OPACITY_BY_GROWTH) == 0 ||
                 building.growth_rank < params.opaque_count;

    mc_box box;
    box.footprint = mc_plot(x - half_x, z - half_z, x + half_x, z + half_z);
    box.base = selected ? building.base + params.jump : building.base;
    box.height = 2.0 * sqrt(width * depth) * up;
    box.opacity = solid ? 1.0 : params.opacity;
    box.selected = selected ? 1 : 0;
    boxes[index] = box;

    float growth = 0.0;
    if ((params.flags & MC_UPDATE_COLOR_BY_GROWTH) != 0)
        growth = blend(growth_share(old_count, building.first_low, building.first_high),
                       growth_share(new_count, building.first_low, building.first_high),
                       ease(params.blend));
    vec3 color = selected ? to_vec3(params.selection) : gradient(growth);
    colors[index] = mc_color(color.r, color.g, color.b, box.opacity);
}
