// arriving.glsl - how much of the sun and of the sky a place of a city sees.
//
// A city is a height field: rays are marched over a map of its heights, as texels of what part of
// the city can be seen. One ray towards a point of the sun, and one along the horizon in some
// direction, whose steepest sight says what of the sky above it is free. Places differ from pixel to
// pixel and from drawing to drawing, so the mean of several drawings is soft. Who includes this has
// load_height(), a texel of the map.
#ifndef MC_ARRIVING_GLSL
#define MC_ARRIVING_GLSL

#include "shaders/box.glsl"

const int sun_steps = 16, sky_steps = 6;
const float pi = 3.14159265;
const float sun_azimuth = 2.5; // from x towards z
const float sun_width = 0.07;  // how far its points lie apart, rad
const float sky_reach = 0.16;                       // of the highest top
// Of the light by axis (get_light() in box.glsl) what comes from the sun: on a roof, along +z, -x.
const vec3 sun_part = vec3(0.25, 0.33, 0.30);
const float least_sky = 0.3; // what comes from other walls where no sky is seen

// Of the uniforms, once.
struct light_map {
    vec2 origin, scale, size; // world units; texels in one; texels
    float texel;              // world units
    float top;
    float drawing, count; // which of how many, and rays in each
};

float look_up(light_map map, vec2 at) {
    vec2 texel = (at - map.origin) * map.scale;
    vec2 inside = clamp(texel, vec2(0.0), map.size - 0.5);
    float found = load_height(int(inside.x) * int(map.size.x) + int(inside.y));
    return texel == inside ? found : 0.0; // nothing stands beyond the city
}

// The steepest way up along `direction`, beginning `near` away and ending at `last`.
float find_slope(light_map map, vec3 place, vec2 direction, float near, float last, int steps,
                 float shift) {
    float growth = pow(last / near, 1.0 / float(steps));
    float at = near * mix(1.0, growth, shift), slope = 0.0;
    for (int i = 0; i < steps; i++) {
        float up = look_up(map, place.xz + direction * at) - place.y;
        slope = max(slope, up / at);
        at *= growth;
    }
    return slope;
}

float get_noise(vec2 pixel, float salt) {
    return fract(52.9829189 * fract(dot(pixel + salt * 5.588238, vec2(0.06711056, 0.00583715))));
}

// Where rays begin that a place of a face sends out.
vec3 get_start(light_map map, vec3 place, vec3 normal) {
    return place + map.texel * vec3(normal.x * 1.25, 0.25, normal.z * 1.25);
}

// Of the light of a face what comes from the sun.
float get_sun(vec3 normal) {
    return normal.z > 0.5 ? sun_part.z : normal.y > 0.5 ? sun_part.y : normal.x < -0.5 ? sun_part.x : 0.0;
}

// How much of the sky is seen by a ray along the horizon, which way and where it looks being said by
// two numbers from 0 to 1. Of a roof all around it, of a wall before it, most often straight ahead.
float find_sky(light_map map, vec3 from, vec3 normal, float u, float v) {
    bool is_roof = normal.y > 0.5;
    float near = map.texel * 1.5;
    float last = max(min((map.top - from.y) * 1.5, sky_reach * map.top), near * 2.0);
    float aside = 2.0 * u - 1.0;
    vec2 way = is_roof ? vec2(cos(pi * aside), sin(pi * aside))
                       : normal.xz * sqrt(1.0 - aside * aside) + normal.zx * aside;
    float horizon = find_slope(map, from, way, near, last, sky_steps, v);
    float share = 1.0 / (1.0 + horizon * horizon);
    return is_roof ? share : 1.0 - (2.0 / pi) * (atan(horizon) + horizon * share);
}

// How much of the light that comes to a face along `axis` at `place` (world units) arrives there:
// 1 where nothing is in the way.
float get_arriving(light_map map, vec3 place, vec3 normal, float light, vec2 pixel) {
    vec3 from = get_start(map, place, normal);
    float sun = get_sun(normal), lit = 0.0, seen = 0.0;
    float noise = get_noise(pixel, 0.0);
    float other_noise = get_noise(pixel, 1.0);
    for (float i = 0.0; i < map.count; i++) {
        float ray = map.drawing * map.count + i;
        float u = fract(ray * 0.618034 + noise), v = fract(ray * 0.754878 + other_noise);
        float turn = sun_azimuth + (u - 0.5) * 2.0 * sun_width;
        float tangent = MC_SUN_TANGENT * (1.0 + (v - 0.5) * 2.0 * sun_width);
        float near = map.texel * 1.5;
        float last = max((map.top - from.y) / tangent, near * 2.0);
        float slope = find_slope(map, from, vec2(cos(turn), sin(turn)), near, last, sun_steps,
                                 get_noise(pixel, 2.0 + ray));
        lit += slope > tangent ? 0.0 : 1.0;
        seen += find_sky(map, from, normal, u, v);
    }
    return ((light - sun) * mix(least_sky, 1.0, seen / map.count) + sun * lit / map.count) / light;
}

#endif
