// The colour of a box's face; see box.glsl.
#version 450
#include "shaders/box.glsl"
#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(location = 0) flat in vec4 in_footprint;
layout(location = 1) flat in uvec4 in_rest;
layout(location = 0) out vec4 out_color;

void main() {
    vec4 color = unpackUnorm4x8(in_rest.z);
    surface s = surface(in_footprint, uintBitsToFloat(in_rest.x), uintBitsToFloat(in_rest.y),
                        decode_srgb(color.rgb), in_rest.w & 3u, in_rest.w >> 2);
    vec3 ray = frame.ray_origin.xyz + gl_FragCoord.x * frame.ray_x.xyz +
               gl_FragCoord.y * frame.ray_y.xyz;
    bool with_edges = (frame.marks.z & MC_FRAME_EDGES) != 0u;
    vec3 shaded = shade(s, ray, frame.ray_x.xyz, frame.ray_y.xyz, with_edges);
    out_color = vec4(shaded, 1.0) * color.a;
}
