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

const int sun_steps = 16, sky_steps = 8;
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
    vec2 texel = (at - map.origin) * map.scale, inside = clamp(texel, vec2(0.0), map.size - 0.5);
    float height = load_height(int(inside.y) * int(map.size.x) + int(inside.x));
    return texel == inside ? height : 0.0; // nothing stands beyond the city
}

// The steepest way up along `direction`, beginning `first` away and ending at `last`.
float find_slope(light_map map, vec3 place, vec2 direction, float first, float last, int steps,
                 float shift) {
    float growth = pow(last / first, 1.0 / float(steps));
    float at = first * mix(1.0, growth, shift), slope = 0.0;
    for (int i = 0; i < steps; i++) {
        float height = look_up(map, place.xz + direction * at) - place.y;
        slope = max(slope, height / at);
        at *= growth;
    }
    return slope;
}

float get_noise(vec2 pixel, float salt) {
    return fract(52.9829189 * fract(dot(pixel + salt * 5.588238, vec2(0.06711056, 0.00583715))));
}

// How much of the light that comes to a face along `axis` at `place` (world units) arrives there:
// 1 where nothing is in the way.
float get_arriving(light_map map, vec3 place, vec3 normal, float light, vec2 pixel) {
    vec3 from = place + normal * map.texel * 1.25;
    from.y = place.y + map.texel * 0.25;
    bool is_roof = normal.y > 0.5;
    float sun = normal.z > 0.5 ? sun_part.z : is_roof ? sun_part.y : normal.x < -0.5 ? sun_part.x : 0.0;
    float noise = get_noise(pixel, 0.0), other_noise = get_noise(pixel, 1.0);
    float facing = atan(normal.z, normal.x), above = max(map.top - from.y, map.texel);
    float lit = 0.0, seen = 0.0;
    for (float i = 0.0; i < map.count; i++) {
        float ray = map.drawing * map.count + i;
        float u = fract(ray * 0.618034 + noise), v = fract(ray * 0.754878 + other_noise);
        float w = get_noise(pixel, 2.0 + ray);
        float turn = sun_azimuth + (u - 0.5) * 2.0 * sun_width;
        float tangent = MC_SUN_TANGENT * (1.0 + (v - 0.5) * 2.0 * sun_width);
        float first = map.texel * 1.5, last = max(above / tangent, first * 2.0);
        float slope =
            find_slope(map, from, vec2(cos(turn), sin(turn)), first, last, sun_steps, w);
        lit += slope > tangent ? 0.0 : 1.0;
        // Of a roof all around it, of a wall before it, most often straight ahead.
        float around = is_roof ? 2.0 * pi * u : facing + asin(2.0 * u - 1.0);
        float reach = max(min(above * 1.5, sky_reach * map.top), first * 2.0);
        float horizon =
            find_slope(map, from, vec2(cos(around), sin(around)), first, reach, sky_steps, v);
        float share = 1.0 / (1.0 + horizon * horizon);
        seen += is_roof ? share : 1.0 - (2.0 / pi) * (atan(horizon) + horizon * share);
    }
    float sky = mix(least_sky, 1.0, seen / map.count);
    return ((light - sun) * sky + sun * lit / map.count) / light;
}

#endif
