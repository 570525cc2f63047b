// Large translucent boxes, a tile's part of one each invocation: the pixels' rays are held against
// the box itself, so that it may also lie across the near plane.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#include "shaders/layers_append.glsl"

void main() {
    uint part = gl_GlobalInvocationID.x;
    if (part >= min(head.part_count, draw.node_capacity)) return;
    uvec4 node = nodes[draw.node_capacity + part];
    layer_words words_of = get_layer_words(frame.viewport.xy);
    seen_box box = load_box(node.x, frame.eye.xyz);
    box_look look = get_layer_look(box, load_color(node.x),
                                   (frame.marks.z & MC_FRAME_EDGES) != 0u);
    ivec2 origin = ivec2(node.yz) * MC_LAYER_TILE;
    ivec2 size = min(ivec2(frame.viewport.xy) - origin, ivec2(MC_LAYER_TILE));
    int count = size.x * size.y;
    ivec2 at = origin;
    ray_fan rays = get_rays(frame);
    layer_room room = get_room();
    float nearest = frame.eye.w;
    for (int i = 0; i < count; i++) {
        // Along an axis it may be 0, and what is divided by that may be anything.
        vec3 ray = get_ray(rays, vec2(at)) + 1e-30;
        vec3 to_low = box.low / ray, to_high = box.high / ray;
        vec3 enter = min(to_low, to_high), leave = max(to_low, to_high);
        float first = max(enter.x, max(enter.y, enter.z));
        float last = min(leave.x, min(leave.y, leave.z));
        uint axis = first == enter.y ? MC_AXIS_Y : first == enter.x ? MC_AXIS_X : MC_AXIS_Z;
        float depth = clamp(rays.depth.x + rays.depth.y / first, 0.0, 1.0);
        int pixel = at.y * words_of.width + at.x;
        if (first < last && first > nearest && !is_hidden(room, pixel, depth))
            append(room, words_of, pixel,
                   shade_layer(rays, look, box, axis, ray, with_outlines), depth);
        at = at.x + 1 < origin.x + size.x ? ivec2(at.x + 1, at.y) : ivec2(origin.x, at.y + 1);
    }
}
