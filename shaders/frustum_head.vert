// Arrowheads where references end, flat towards the eye: a dark one a little larger, and one in the
// reference's colour on it.
#version 450
#include "shaders/frustum.glsl"
#include "shaders/color.glsl"

layout(location = 0) flat out vec4 out_color; // linear; w: opacity

void main() {
    mc_frustum f = frustums[gl_InstanceIndex];
    frustum_path path = get_path(f, false);
    vec3 tip = get_point(path, path.tip), tangent = get_tangent(path, path.tip);
    float pixel = get_pixel(tip), unit = frame.frustum_look.y;
    path.high = path.tip;
    float length_ = get_head(path), wide = 0.46 * length_;
    vec3 facing = tangent * dot(tip, tangent) - tip;
    float away = length(facing);
    facing = away > 1e-6 ? facing / away : get_across(tangent);
    vec3 side = cross(tangent, facing);
    bool is_rim = gl_VertexIndex < 3;
    float rim = is_rim ? 1.3 * unit * pixel : 0.0;
    uint corner = uint(gl_VertexIndex) % 3u;
    vec3 position = tip + tangent * 2.2 * rim;
    if (corner > 0u)
        position = tip - tangent * (length_ + rim) +
                   side * (corner == 1u ? -1.0 : 1.0) * (wide + 1.6 * rim);
    vec4 color = get_color(f);
    out_color = vec4(is_rim ? vec3(0.01, 0.012, 0.02) : decode_srgb(color.rgb) * 0.9,
                     color.w * (is_rim ? 0.8 : 1.0) * get_presence(path, f, tip));
    // Before the roof that it lies on, and the rim behind the head.
    float near = max(path.to.w, pixel) * 3.0 + length_ * (is_rim ? 0.0 : 0.05);
    bool belongs = path.is_drawn && path.has_head;
    gl_Position = belongs ? get_clip(position, near) : vec4(0.0, 0.0, 0.0, 1.0);
}
