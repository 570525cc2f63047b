// Puts translucent boxes into the layers of the pixels that see them, in any order: one invocation
// a box tests every pixel centre within its bounds. Larger boxes are listed by tile.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#include "shaders/boxes.glsl"
#include "shaders/lines.glsl"
#include "shaders/seen_layer.glsl"

layout(local_size_x = MC_SPLAT_GROUP_SIZE) in;

layout(push_constant, std430) uniform Push { mc_splat_draw draw; };
layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_VISIBLE_TEXELS) uniform utextureBuffer visible;
layout(set = 0, binding = MC_BINDING_LAYERS, std430) writeonly buffer Layers { uint64_t layers[]; };
layout(set = 0, binding = MC_BINDING_LAYER_HEADS, std430) buffer Heads {
    mc_layer_head head;
    uint words[];
};
layout(set = 0, binding = MC_BINDING_LAYER_NODES, std430) writeonly buffer Nodes { uvec4 nodes[]; };

void push(int word, uvec2 value) {
    uint node = atomicAdd(head.node_count, 1u);
    if (node >= draw.node_capacity) return;
    nodes[node] = uvec4(value, atomicExchange(words[word], node + 1u), 0u);
}

// Into the lists of all tiles that its bounds touch.
void list_box(uint index, vec4 bounds, layer_words words_of) {
    ivec2 first = ivec2(bounds.xz) / MC_LAYER_TILE, last = ivec2(bounds.yw) / MC_LAYER_TILE;
    ivec2 size = last - first + 1;
    bool is_wide = size.x * size.y > MC_LAYER_TILE_LIMIT;
    if (is_wide) {
        first = ivec2(bounds.xz) / MC_LAYER_WIDE_TILE;
        size = ivec2(bounds.yw) / MC_LAYER_WIDE_TILE - first + 1;
    }
    int count = size.x * size.y;
    atomicAdd(head.tile_node_count, uint(count));
    ivec2 at = ivec2(0);
    for (int i = 0; i < count; i++) {
        ivec2 tile = first + at;
        push(is_wide ? get_wide_word(words_of, tile) : get_tile_word(words_of, tile),
             uvec2(index, 0u));
        at = at.x + 1 < size.x ? ivec2(at.x + 1, at.y) : ivec2(0, at.y + 1);
    }
}

void main() {
    uint index = gl_GlobalInvocationID.x;
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
    layer_words words_of = get_layer_words(frame.viewport.xy);
    if (corners.is_near || all_size.x * all_size.y > float(draw.pixel_limit)) {
        list_box(index, bounds, words_of);
        return;
    }

    vec2 origin = bounds.xz;
    vec3 low = box.low, high = box.high, center = low + high;
    vec4 color = load_color(index);
    bool is_hovered = index == frame.marks.x;
    face_lines lines = get_face_lines(corners, origin, center);
    vec3 factor = frame.ray_x.w / mix(low, high, lessThan(center, vec3(0.0)));
    int count = int(size.x * size.y);
    int first = int(origin.y) * words_of.width + int(origin.x);
    vec2 at = vec2(0.0);
    for (int i = 0; i < count; i++) {
        uint axis = find_face(lines, at);
        if (axis != MC_AXIS_NONE) {
            vec3 ray = get_ray(frame, origin + at), near = ray * factor;
            float depth = axis == MC_AXIS_Y ? near.y : axis == MC_AXIS_Z ? near.z : near.x;
            depth = clamp(frame.ray_origin.w + depth, 0.0, 1.0);
            uint packed = shade_layer(frame, axis, low, high, color, is_hovered, ray);
            uvec2 item = uvec2(packed, floatBitsToUint(depth));
            int pixel = first + int(at.y) * words_of.width + int(at.x);
            uint slot = atomicAdd(words[pixel], 1u);
            if (slot < draw.slot_count)
                layers[uint(pixel) * draw.slot_count + slot] = packUint2x32(item);
            else
                push(get_list_word(words_of, pixel), item);
        }
        at = at.x + 1.0 < size.x ? vec2(at.x + 1.0, at.y) : vec2(0.0, at.y + 1.0);
    }
}
