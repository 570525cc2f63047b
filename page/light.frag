// By how much the sun and the sky light what a pixel sees, as shaders/resolve.frag has it: the picture is multiplied by it.
uniform sampler2D depths, heights; // of the picture; of the city from above, as depths, too
uniform mat4 to_clip;
uniform vec3 eye;
uniform vec4 ground; // where the map of heights begins, and its sides
uniform float top;   // of the city

float load_height(int index) {
    return top - top * texelFetch(heights, ivec2(index >> 10, index & 1023), 0).x;
}

#include "shaders/arriving.glsl"

out vec4 color;

float get_depth(vec2 pixel) { return texelFetch(depths, ivec2(pixel), 0).x; }

// As seen from the eye.
vec3 get_place(vec2 pixel, float depth) {
    vec4 seen = inverse(to_clip) * vec4(2.0 * vec3(pixel / vec2(textureSize(depths, 0)), depth) - 1.0, 1.0);
    return seen.xyz / seen.w;
}

// To the pixel on one side or the other, not over a border; what lies deeper than both is a gap that most of the pixel does not see.
vec3 get_way(inout vec3 place, vec2 pixel, vec2 by) {
    float before = get_depth(pixel - by), depth = get_depth(pixel), after = get_depth(pixel + by);
    if (depth > max(before, after)) place = get_place(pixel, max(before, after));
    vec3 from = place - get_place(pixel - by, before), to = get_place(pixel + by, after) - place;
    return dot(from, from) < dot(to, to) ? from : to;
}

void main() {
    vec2 pixel = gl_FragCoord.xy;
    if (get_depth(pixel) == 1.0) discard;
    vec3 place = get_place(pixel, get_depth(pixel)), right = get_way(place, pixel, vec2(1.0, 0.0));
    vec3 steep = abs(cross(right, get_way(place, pixel, vec2(0.0, 1.0))));
    vec3 normal = step(most_of(steep), steep) * -sign(place);
    float texel = max(ground.z, ground.w) / 1024.0;
    light_map map = light_map(ground.xy, 1024.0 / ground.zw, vec2(1024.0), texel, top, 0.0, 8.0);
    color = vec4(vec3(pow(get_arriving(map, eye + place, normal, get_light_at(normal), pixel), 0.4545)), 1.0);
}
