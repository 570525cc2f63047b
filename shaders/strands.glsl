// strands.glsl - where a pixel meets a piece of a strand, which is a thin frustum as the picture sees
// it.
#ifndef MC_STRANDS_GLSL
#define MC_STRANDS_GLSL

// What a pixel meets: how far along the piece, 0 to 1; pixels from the middle, on which side; from
// there to the outline.
struct strand_place {
    float along, away, outer;
};

// `ends` is x and y of both, `outers` their radii; `rest` 1 / square of its length.
strand_place find_strand_place(vec4 ends, vec2 outers, float rest, vec2 pixel) {
    vec2 way = ends.zw - ends.xy, at = pixel - ends.xy;
    strand_place place;
    place.along = clamp(dot(at, way) * rest, 0.0, 1.0);
    place.away = (way.x * at.y - way.y * at.x) * sqrt(rest);
    place.outer = mix(outers.x, outers.y, place.along);
    return place;
}

// What is hardly there doesn't hide what is behind.
const float strand_least = 0.25;

#endif
