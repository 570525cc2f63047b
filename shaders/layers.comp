// Puts translucent boxes into the layers of the pixels that see them, in any order: one invocation
// a box tests every pixel centre within its bounds. Of larger boxes each tile's part is left to
// layers_parts.comp.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#include "shaders/layers_append.glsl"
#include "shaders/lines.glsl"

// Of the uniforms, once for several boxes; see get_rays().
struct layer_view {
    mat4 matrix;
    vec3 eye;
    float near;
    vec2 size;
    ray_fan rays;
    layer_words words;
    layer_room room;
    float pixel_limit;
    bool with_edges;
};

void list_parts(uint index, vec4 bounds, uint capacity) {
    ivec2 first = ivec2(bounds.xz) / MC_LAYER_TILE;
    ivec2 size = ivec2(bounds.yw) / MC_LAYER_TILE - first + 1;
    uint count = uint(size.x * size.y), slot = atomicAdd(head.part_count, count);
    uint last = min(slot + count, capacity);
    if (last > slot)
        atomicMax(head.group_count, (last + MC_SPLAT_GROUP_SIZE - 1u) / MC_SPLAT_GROUP_SIZE);
    ivec2 at = ivec2(0);
    for (uint i = slot; i < last; i++) {
        nodes[capacity + i] = uvec4(index, uvec2(first + at), 0u);
        at = at.x + 1 < size.x ? ivec2(at.x + 1, at.y) : ivec2(0, at.y + 1);
    }
}

void add_box(uint index, layer_view view) {
    seen_box box = load_box(index, view.eye);
    if (!(box.height > 0.0 && box.opacity > 0.0 && box.opacity < 1.0)) return;
    corner_box corners = get_corners(view.matrix, view.near, view.size, box.low, box.high);
    vec4 all = get_pixel_bounds(corners, 0.0);
    vec4 bounds = clip_pixel_bounds(all, view.size);
    if (corners.is_near) bounds = vec4(0.0, view.size.x - 1.0, 0.0, view.size.y - 1.0);
    vec2 size = max(bounds.yw - bounds.xz + 1.0, 0.0), all_size = all.yw - all.xz + 1.0;
    if (size.x * size.y <= 0.0 || (corners.is_near && corners.is_behind)) return;
    if (corners.is_near || all_size.x * all_size.y > view.pixel_limit) {
        list_parts(index, bounds, view.room.node_capacity);
        return;
    }

    vec2 origin = bounds.xz;
    vec3 center = box.low + box.high;
    box_look look = get_layer_look(box, load_color(index), view.with_edges);
    face_lines lines = get_face_lines(corners, origin, center);
    vec3 factor = view.rays.depth.y / mix(box.low, box.high, lessThan(center, vec3(0.0)));
    int count = int(size.x * size.y);
    int first = int(origin.y) * view.words.width + int(origin.x);
    vec2 at = vec2(0.0);
    for (int i = 0; i < count; i++) {
        uint axis = find_face(lines, at);
        vec3 ray = get_ray(view.rays, origin + at), near = ray * factor;
        float depth = axis == MC_AXIS_Y ? near.y : axis == MC_AXIS_Z ? near.z : near.x;
        depth = clamp(view.rays.depth.x + depth, 0.0, 1.0);
        int pixel = first + int(at.y) * view.words.width + int(at.x);
        if (axis != MC_AXIS_NONE && !is_hidden(view.room, pixel, depth))
            append(view.room, view.words, pixel,
                   shade_layer(view.rays, look, box, axis, ray, with_outlines), depth);
        at = at.x + 1.0 < size.x ? vec2(at.x + 1.0, at.y) : vec2(0.0, at.y + 1.0);
    }
}

void main() {
    if (gl_GlobalInvocationID.x == 0u) head.one = head.one_more = 1u;
    layer_view view = layer_view(frame.view_projection, frame.eye.xyz, frame.eye.w,
                                 frame.viewport.xy, get_rays(frame),
                                 get_layer_words(frame.viewport.xy), get_room(),
                                 float(draw.pixel_limit), (frame.marks.z & MC_FRAME_EDGES) != 0u);
    uint first = gl_WorkGroupID.x * (MC_SPLAT_GROUP_SIZE * MC_SPLAT_BOXES) + gl_LocalInvocationID.x;
    uint count = draw.box_count;
    for (uint i = 0u; i < MC_SPLAT_BOXES; i++) {
        uint index = first + i * MC_SPLAT_GROUP_SIZE;
        if (index < count) add_box(index, view);
    }
}
