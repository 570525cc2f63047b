// Where the marked boxes are in the picture: one group, an invocation a mark.
#version 450
#include "shaders/boxes.glsl"
#include "shaders/glass.glsl"
#include "shaders/statics.glsl"

layout(local_size_x = MC_GLASS_MARK_MOST) in;

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_GLASS, std430) buffer Glass {
    mc_glass_mark marks[MC_GLASS_MARK_MOST];
    mc_glass_tile tiles[];
};
MC_COLUMN(uvec2, from, 0, utextureBuffer, MC_BINDING_FROM_TEXELS, MC_BINDING_FROM)
MC_COLUMN(uvec2, to, 0, utextureBuffer, MC_BINDING_TO_TEXELS, MC_BINDING_TO)

bool is_more(uvec2 count, uvec2 first) {
    return count.y > first.y || (count.y == first.y && count.x > first.x);
}

// Of one that is marked because it grew: whether it has, at the two steps.
float get_weight(uint index) {
    uvec2 first = load_third(int(index) * 3 + 2).xy;
    float before = float(is_more(load_from(int(index)), first));
    return mix(before, float(is_more(load_to(int(index)), first)), frame.frustum_look.z);
}

float view_most_side() { return glass_most_side * frame.frustum_look.y; }

void main() {
    uint me = gl_LocalInvocationIndex;
    uint index = frame.glass_boxes[me >> 2][me & 3u];
    bool is_there = me < frame.marks.x;
    if (!is_there) index = 0u;
    seen_box box = load_box(index, frame.eye.xyz);
    corner_box corners =
        get_corners(frame.view_projection, frame.eye.w, frame.viewport.xy, box.low, box.high);
    glass_bounds bounds = get_glass_bounds(corners);
    if (corners.is_near) bounds = get_whole_bounds(frame.viewport.xy);
    vec3 depths = vec3(frame.view_projection[0].w, frame.view_projection[1].w,
                       frame.view_projection[2].w);
    is_there = is_there && box.height > 0.0 && !(corners.is_near && corners.is_behind) &&
               bounds.high.x > 0.0 && bounds.high.y > 0.0 && bounds.low.x < frame.viewport.x &&
               bounds.low.y < frame.viewport.y;
    float weight = !is_there ? 0.0 : me < frame.marks.y ? 1.0 : get_weight(index);
    vec3 eye = frame.eye.xyz;
    mc_glass_mark mark;
    mark.low_x = bounds.low.x;
    mark.low_y = bounds.low.y;
    mark.low_down = bounds.low.z;
    mark.low_up = bounds.low.w;
    mark.high_x = bounds.high.x;
    mark.high_y = bounds.high.y;
    mark.high_down = bounds.high.z;
    mark.high_up = bounds.high.w;
    mark.footprint = mc_plot(box.low.x + eye.x, box.low.z + eye.z, box.high.x + eye.x,
                             box.high.z + eye.z);
    mark.weight = weight;
    mark.box = index;
    mark.reserved0 = mark.reserved1 = 0u;
    marks[me] = mark;
    if (weight <= 0.0) return;
    uint farthest = floatBitsToUint(dot(max(depths * box.low, depths * box.high), vec3(1.0)));
    float tile = get_glass_tile(frame.viewport.xy), reach = tile * glass_large_reach;
    ivec2 first = get_glass_place(bounds.low.xy - reach, tile);
    ivec2 last = get_glass_place(bounds.high.xy + reach, tile);
    // What reaches in by less than that stays as it is.
    vec2 inset = tile * glass_small_reach -
                 glass_first * min(bounds.high.xy - bounds.low.xy, view_most_side());
    ivec2 small_first = get_glass_place(bounds.low.xy - inset, tile);
    ivec2 small_last = get_glass_place(bounds.high.xy + inset, tile);
    ivec2 size = last - first + 1, at = ivec2(0);
    for (int i = 0; i < size.x * size.y; i++) {
        ivec2 place = first + at;
        int tile_index = place.y * MC_GLASS_COLUMNS + place.x;
        atomicMax(tiles[tile_index].farthest, farthest);
        if (all(greaterThanEqual(place, small_first)) && all(lessThanEqual(place, small_last)))
            atomicMax(tiles[tile_index].farthest_of_small, farthest);
        if (me < 32u)
            atomicOr(tiles[tile_index].low_marks, 1u << me);
        else
            atomicOr(tiles[tile_index].high_marks, 1u << (me - 32u));
        at = at.x + 1 < size.x ? ivec2(at.x + 1, at.y) : ivec2(0, at.y + 1);
    }
}
