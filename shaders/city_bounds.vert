// Translucent boxes as the upright rectangles around their pixels: two triangles instead of six,
// and no block of pixels is shaded for each of them anew. Where a pixel's ray meets the box is left
// to the fragments.
#version 450
#include "shaders/bounds.glsl"
#include "shaders/box.glsl"
#include "shaders/boxes.glsl"
#include "shaders/visible.glsl"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_LISTS, std430) readonly buffer Lists { uint list[]; };
layout(set = 0, binding = MC_BINDING_KEPT, std430) readonly buffer Kept { uint kept[]; };
layout(push_constant, std430) uniform Push { mc_city_draw draw; };

layout(location = 0) noperspective out vec4 out_ray; // through the pixel, to view depth 1; depth
layout(location = 1) flat out vec4 out_low;          // as seen from the eye; reach
layout(location = 2) flat out vec4 out_high;         // opacity; below 0: an outline
layout(location = 3) flat out vec4 out_share;        // 1 / size; view depth of the near plane
layout(location = 4) flat out vec4 out_color;        // linear; edge
layout(location = 5) flat out vec4 out_light;        // by axis; the depth infinitely far away

void main() {
    uint slot = uint(gl_VertexIndex) / MC_BOX_VERTEX_COUNT;
    uint corner = uint(gl_VertexIndex) - slot * MC_BOX_VERTEX_COUNT;
    uint index = draw.first + slot;
    index = draw.source == MC_SOURCE_KEPT ? kept[index] : list[index];
    seen_box box = load_box(index, frame.eye.xyz);
    corner_box corners =
        get_corners(frame.view_projection, frame.eye.w, frame.viewport.xy, box.low, box.high);
    vec4 all = vec4(0.0, frame.viewport.x - 1.0, 0.0, frame.viewport.y - 1.0);
    vec4 bounds = corners.is_near
                      ? all
                      : clip_pixel_bounds(get_pixel_bounds(corners, 2.0), frame.viewport.xy);
    bool belongs = box.height > 0.0 && box.opacity > 0.0 && box.opacity < 1.0 &&
                   !corners.is_behind && !is_outside(frame.view_projection, box.low, box.high) &&
                   bounds.y >= bounds.x && bounds.w >= bounds.z;
    vec2 pixel = vec2((corner & 1u) == 0u ? bounds.x : bounds.y + 1.0,
                      corner < 2u ? bounds.z : bounds.w + 1.0);
    gl_Position = belongs ? vec4(pixel * frame.viewport.zw * 2.0 - 1.0, 0.5, 1.0)
                          : vec4(0.0, 0.0, 0.0, 1.0);
    ray_fan rays = get_rays(frame);
    vec4 color = load_color(index);
    box_look look = get_look(box.low + box.high, box.high - box.low, color.rgb, color.a, false,
                             (frame.marks.z & MC_FRAME_EDGES) != 0u);
    out_ray = vec4(get_ray(rays, pixel - 0.5), rays.depth.y);
    out_low = vec4(box.low, look.reach);
    out_high = vec4(box.high, look.opacity);
    out_share = vec4(1.0 / (box.high - box.low), frame.eye.w);
    out_color = vec4(look.color, look.edge);
    out_light = vec4(look.light, rays.depth.x);
}
