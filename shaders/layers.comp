// Puts translucent boxes into the layers of the pixels that see them, in any order: one invocation
// a box tests every pixel centre within its bounds. Of larger boxes each tile's part is left to
// layers_parts.comp.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#include "shaders/layers_append.glsl"
#include "shaders/lines.glsl"

void list_parts(uint index, vec4 bounds) {
    ivec2 first = ivec2(bounds.xz) / MC_LAYER_TILE;
    ivec2 size = ivec2(bounds.yw) / MC_LAYER_TILE - first + 1;
    uint count = uint(size.x * size.y), slot = atomicAdd(head.part_count, count);
    uint last = min(slot + count, draw.node_capacity);
    if (last > slot)
        atomicMax(head.group_count, (last + MC_SPLAT_GROUP_SIZE - 1u) / MC_SPLAT_GROUP_SIZE);
    ivec2 at = ivec2(0);
    for (uint i = slot; i < last; i++) {
        nodes[draw.node_capacity + i] = uvec4(index, uvec2(first + at), 0u);
        at = at.x + 1 < size.x ? ivec2(at.x + 1, at.y) : ivec2(0, at.y + 1);
    }
}

void main() {
    uint index = gl_GlobalInvocationID.x;
    if (index == 0u) head.one = head.one_more = 1u;
    if (index >= draw.box_count) return;
    seen_box box = load_box(index, frame.eye.xyz);
    if (!(box.height > 0.0 && box.opacity > 0.0 && box.opacity < 1.0)) return;
    corner_box corners =
        get_corners(frame.view_projection, frame.eye.w, frame.viewport.xy, box.low, box.high);
    vec4 all = get_pixel_bounds(corners, 0.0);
    vec4 bounds = clip_pixel_bounds(all, frame.viewport.xy);
    if (corners.is_near) bounds = vec4(0.0, frame.viewport.x - 1.0, 0.0, frame.viewport.y - 1.0);
    vec2 size = max(bounds.yw - bounds.xz + 1.0, 0.0), all_size = all.yw - all.xz + 1.0;
    if (size.x * size.y <= 0.0 || (corners.is_near && corners.is_behind)) return;
    if (corners.is_near || all_size.x * all_size.y > float(draw.pixel_limit)) {
        list_parts(index, bounds);
        return;
    }

    layer_words words_of = get_layer_words(frame.viewport.xy);
    vec2 origin = bounds.xz;
    vec3 center = box.low + box.high;
    box_look look = get_layer_look(frame, box, load_color(index));
    face_lines lines = get_face_lines(corners, origin, center);
    vec3 factor = frame.ray_x.w / mix(box.low, box.high, lessThan(center, vec3(0.0)));
    int count = int(size.x * size.y);
    int first = int(origin.y) * words_of.width + int(origin.x);
    vec2 at = vec2(0.0);
    for (int i = 0; i < count; i++) {
        uint axis = find_face(lines, at);
        vec3 ray = get_ray(frame, origin + at), near = ray * factor;
        float depth = axis == MC_AXIS_Y ? near.y : axis == MC_AXIS_Z ? near.z : near.x;
        depth = clamp(frame.ray_origin.w + depth, 0.0, 1.0);
        int pixel = first + int(at.y) * words_of.width + int(at.x);
        if (axis != MC_AXIS_NONE && !is_hidden(pixel, depth))
            append(words_of, pixel, shade_layer(frame, look, box, axis, ray), depth);
        at = at.x + 1.0 < size.x ? vec2(at.x + 1.0, at.y) : vec2(0.0, at.y + 1.0);
    }
}
