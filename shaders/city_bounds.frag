// What a pixel sees of a box, by the box's slabs.
#version 450
#include "shaders/box.glsl"

layout(location = 0) noperspective in vec3 in_ray;
layout(location = 1) flat in vec4 in_low;
layout(location = 2) flat in vec4 in_high;
layout(location = 3) flat in vec4 in_color;
layout(location = 4) flat in vec4 in_depth;
layout(location = 0) out vec4 out_color;

void main() {
    vec3 by_x = dFdx(in_ray), by_y = dFdy(in_ray);
    vec3 low = in_low.xyz, high = in_high.xyz, ahead = 1.0 / in_ray;
    vec3 to_low = low * ahead, to_high = high * ahead;
    vec3 enter = min(to_low, to_high), leave = max(to_low, to_high);
    float first = max(enter.x, max(enter.y, enter.z));
    float last = min(leave.x, min(leave.y, leave.z));
    if (!(first < last && first > in_depth.x)) discard;
    gl_FragDepth = clamp(in_depth.y + in_depth.z / first, 0.0, 1.0);

    uint axis = first == enter.y ? MC_AXIS_Y : first == enter.x ? MC_AXIS_X : MC_AXIS_Z;
    vec3 along = vec3(axis == MC_AXIS_X, axis == MC_AXIS_Y, axis == MC_AXIS_Z);
    vec3 share = 1.0 / (high - low);
    vec3 at = clamp((in_ray * first - low) * share, vec3(0.0), vec3(1.0));
    float along_ray = dot(ahead, along);
    vec3 span = abs(by_x - in_ray * (dot(by_x, along) * along_ray)) +
                abs(by_y - in_ray * (dot(by_y, along) * along_ray));
    span *= first * share * (1.0 - along);

    box_look look;
    look.color = in_color.rgb;
    look.light = get_light(low + high);
    look.opacity = in_high.w;
    look.edge = in_color.w;
    look.reach = in_low.w;
    face f = get_face(look, axis);
    if (f.opacity < 0.0) f.opacity = mix(-f.opacity, 0.8, get_edge(f, at, span, 0.0, 1.35));
    out_color = vec4(shade_pixel(f, at, span), 1.0) * f.opacity;
}
