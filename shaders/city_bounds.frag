// What a pixel sees of a box, by the box's slabs.
#version 450
#include "shaders/box.glsl"

layout(location = 0) noperspective in vec4 in_ray;
layout(location = 1) flat in vec4 in_low;
layout(location = 2) flat in vec4 in_high;
layout(location = 3) flat in vec4 in_share;
layout(location = 4) flat in vec4 in_color;
layout(location = 5) flat in vec4 in_light;
layout(location = 0) out vec4 out_color;

float choose(vec3 of, bool is_x, bool is_y) { return is_y ? of.y : is_x ? of.x : of.z; }

void main() {
    vec3 ray = in_ray.xyz, by_x = dFdx(ray), by_y = dFdy(ray);
    // Along an axis a ray may be 0, and what is divided by that may be anything.
    vec3 low = in_low.xyz, high = in_high.xyz, share = in_share.xyz, ahead = 1.0 / (ray + 1e-30);
    vec3 to_low = low * ahead, to_high = high * ahead;
    vec3 enter = least(to_low, to_high), leave = most(to_low, to_high);
    float first = most_of(enter), last = least_of(leave);
    if (!(first < last && first > in_share.w)) discard;
    gl_FragDepth = clamp(in_light.w + in_ray.w / first, 0.0, 1.0);

    bool is_y = first == enter.y, is_x = !is_y && first == enter.x;
    vec3 at = clamp((ray * first - low) * share, vec3(0.0), vec3(1.0));
    // Along the axis nothing changes on the face itself.
    float along = choose(ahead, is_x, is_y);
    vec3 span = abs(by_x - ray * (choose(by_x, is_x, is_y) * along)) +
                abs(by_y - ray * (choose(by_y, is_x, is_y) * along));
    span *= first * share;

    face f;
    float light = choose(in_light.xyz, is_x, is_y);
    f.color = in_color.rgb * light * get_tint(light);
    f.opacity = in_high.w;
    f.axis = vec2(is_x, !is_x && !is_y);
    f.edge = -abs(in_color.w); // a building's is never light
    f.reach = is_y ? 1e9 : in_low.w;
    if (f.opacity < 0.0) f.opacity = mix(-f.opacity, 0.8, get_edge(f, at, span, 0.0, 1.35));
    out_color = vec4(shade_pixel(f, at, span), 1.0) * f.opacity;
}
