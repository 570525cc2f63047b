// box.glsl - how a box looks: shading that needs nothing but the box and the ray of a pixel.
//
// The raster path and any other path that finds out which face of which box a pixel sees share
// this. Positions are relative to the eye.
#ifndef MC_BOX_GLSL
#define MC_BOX_GLSL

#include "shaders/color.glsl"

#define MC_AXIS_X 0u // a wall that faces along x
#define MC_AXIS_Y 1u // the roof
#define MC_AXIS_Z 2u

#define MC_SURFACE_HOVERED 1u
#define MC_SURFACE_SELECTED 2u
#define MC_SURFACE_DISTRICT 4u

// The face of a box that a pixel shows.
struct surface {
    vec4 footprint; // x0, z0, x1, z1
    float base, top;
    vec3 color; // linear
    uint axis;
    uint flags;
};

// Light that arrives at a face, as a factor of its colour: sky and ground by the normal's height,
// and a sun that stands beside the diagonals, so that any two walls that meet differ.
float face_light(uint axis, vec3 normal) {
    const vec3 sun = normalize(vec3(-0.34, 0.95, 0.62));
    float sky = 0.5 + 0.5 * normal.y;
    float lambert = max(dot(normal, sun), 0.0);
    return mix(0.30, 0.52, sky) + 0.60 * lambert;
}

vec3 shade(surface s, vec3 ray, vec3 ray_x, vec3 ray_y, bool with_edges) {
    vec3 axis = vec3(s.axis == MC_AXIS_X, s.axis == MC_AXIS_Y, s.axis == MC_AXIS_Z);
    vec3 center = vec3(s.footprint.x + s.footprint.z, s.base + s.top,
                       s.footprint.y + s.footprint.w);
    vec3 low = vec3(s.footprint.x, s.base, s.footprint.y);
    vec3 high = vec3(s.footprint.z, s.top, s.footprint.w);
    // The eye is the origin: a wall faces it on the side on which the box's centre is not.
    vec3 normal = axis * -sign(center);
    vec3 corner = mix(low, high, lessThan(center, vec3(0.0)));
    float along = dot(axis, ray);
    float t = dot(axis, corner) / along;
    vec3 position = ray * t;
    vec3 step_x = t * (ray_x - ray * (dot(axis, ray_x) / along));
    vec3 step_y = t * (ray_y - ray * (dot(axis, ray_y) / along));

    // Pixels to the nearest border of the face, in the face's two directions, and its extent.
    vec3 pixel = max(sqrt(step_x * step_x + step_y * step_y), 1e-20);
    vec3 inside = clamp(position, low, high);
    vec3 to_border = min(inside - low, high - inside) / pixel + axis * 1e9;
    if (s.axis != MC_AXIS_Y) to_border.y = (high.y - inside.y) / pixel.y; // no line on the ground
    vec3 extent = (high - low) / pixel + axis * 1e9;

    float light = face_light(s.axis, normal);
    bool district = (s.flags & MC_SURFACE_DISTRICT) != 0;
    float height = s.top - s.base;
    if (s.axis != MC_AXIS_Y && !district) {
        // A contact shadow: walls darken over a part of their height that depends on the width.
        float side = min(s.footprint.z - s.footprint.x, s.footprint.w - s.footprint.y);
        float reach = min(height, 1.2 * side);
        float up = clamp((inside.y - s.base) / reach, 0.0, 1.0);
        light *= 0.62 + 0.38 * up * (2.0 - up);
    }
    vec3 color = s.color * light;
    if ((s.flags & MC_SURFACE_HOVERED) != 0) color = mix(color, vec3(1.0), 0.22);
    if (with_edges) {
        float border = min(to_border.x, min(to_border.y, to_border.z));
        float smallest = min(extent.x, min(extent.y, extent.z));
        float line = clamp(1.35 - border, 0.0, 1.0) * smoothstep(3.0, 14.0, smallest);
        if (district) color = mix(color, mix(color, vec3(1.0), 0.35), line);
        else color *= 1.0 - 0.5 * line;
    }
    return color;
}

#endif
