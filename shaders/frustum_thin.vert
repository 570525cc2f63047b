// The same as frustum.vert for what is a few pixels thick: of each station only the two silhouettes,
// and what lies between them follows from how far across it is. It has no ends.
#version 450
#include "shaders/frustum.glsl"
#include "shaders/box.glsl"

// Which arrow it is; how far back its wings are; across, -1 to 1 as seen; pixels from the middle to
// the outline.
layout(location = 0) out vec4 out_at;
layout(location = 1) out vec3 out_light; // what is added to the light aside and in the middle; how
                                          // much of it is seen
layout(location = 2) flat out vec4 out_color; // linear; w: opacity
layout(location = 3) flat out float out_arrow; // how strong arrows are

void main() {
    mc_frustum f = frustums[gl_InstanceIndex];
    uint station = uint(gl_VertexIndex) >> 1;
    float across = (gl_VertexIndex & 1) == 0 ? -1.0 : 1.0;
    frustum_path path = get_path(f, false);
    float t = mix(path.low, path.high, float(station) / float(draw.segment_count));
    vec3 position = get_point(path, t), tangent = get_tangent(path, t);
    float pixel = get_pixel(position);
    float radius = get_radius(path, t, pixel), outer = radius + 1.3 * pixel;
    float widening = (path.high_radius - path.low_radius) / max(path.shown, 1e-6);

    float depth = dot(position, tangent);
    vec3 facing = tangent * depth - position;
    float away = length(facing);
    facing = away > 1e-6 ? facing / away : get_across(tangent);
    vec3 side = cross(tangent, facing);
    float ahead = clamp((outer - widening * depth) / max(away, 1e-6), -1.0, 1.0);
    position += outer * (ahead * facing + sqrt(1.0 - ahead * ahead) * across * side);

    vec2 arrows = get_arrows(path);
    out_at = vec4(path.span * t * arrows.x, 1.1 * radius * arrows.x, across, outer / pixel);
    out_light = vec3(dot(side, light_ahead), dot(facing, light_ahead),
                     get_presence(path, f, position));
    vec4 color = get_color(f);
    out_color = vec4(decode_srgb(color.rgb), color.w);
    out_arrow = arrows.y;
    // As near as its middle, which is in front of what its ends lie on.
    gl_Position = path.is_drawn ? get_clip(position, outer) : vec4(0.0, 0.0, 0.0, 1.0);
}
