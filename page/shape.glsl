// What a box is at the moment that is drawn: buildings are shaped as shaders/update.comp does.
#include "shaders/building.glsl"

uniform sampler2D plots;  // x0, z0, x1, z1
uniform sampler2D places; // base; of a district 1 plus how deep it is, 0 to 1; 1: a hint of growth
uniform sampler2D glass;  // how much it is, 0 to 1; then those that are, the farthest first
uniform sampler2D shares; // of the maximum before and now, of the largest growth before and now
uniform int first;
uniform float moment; // 0: the step before, 1: the step now
uniform mat4 to_clip;
uniform vec3 eye;
uniform uint scaling;
uniform float district_height, full_height;

struct shape {
    vec4 plot;
    vec3 low, high; // as seen from the eye
    float growth;   // of the largest; 2: new, 3: gone
    bool is_hint;   // only those that grew the most have its whole colour
    float depth;    // of a district, 0 to 1; of a building -1
    float glass;
};

float get_side_of(float share) { return share > 0.0 ? get_side(scaling, share) : 0.0; }

ivec2 get_texel(int index) { return ivec2(index & 2047, index >> 11); }

shape load_shape(int index) {
    ivec2 texel = get_texel(index);
    vec3 place = texelFetch(places, texel, 0).xyz;
    shape box;
    box.plot = texelFetch(plots, texel, 0);
    box.depth = place.y - 1.0;
    box.is_hint = place.z > 0.0;
    vec2 half_side = 0.5 * (box.plot.zw - box.plot.xy), center = 0.5 * (box.plot.xy + box.plot.zw);
    float height = district_height;
    box.growth = box.glass = 0.0;
    if (place.y < 1.0) {
        vec4 share = texelFetch(shares, texel, 0);
        box.glass = texelFetch(glass, texel, 0).x;
        vec2 up_and_out = get_up_and_out(get_side_of(share.x), get_side_of(share.y), moment);
        float side = 2.0 * sqrt(half_side.x * half_side.y);
        height = usual_slenderness * side * up_and_out.x;
        if (scaling == MC_SCALING_IS_ELEVATION) {
            height = max(MC_SLAB_SLENDERNESS * side, full_height * blend(share.x, share.y, ease(moment)));
            up_and_out.y = 1.0;
        }
        half_side *= up_and_out.y;
        box.growth = blend(share.z, share.w, ease(moment));
    }
    box.low = vec3(center - half_side, place.x).xzy - eye;
    box.high = vec3(center + half_side, place.x + height).xzy - eye;
    return box;
}
