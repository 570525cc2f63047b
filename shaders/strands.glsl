// strands.glsl - thin frustums as the picture sees them: pieces that are straight in it, and the
// tiles of the picture that they lie in.
//
// A piece begins at its first end, before which there is still half of an ellipse, as the picture
// sees what is round: of the frustum's own end, or of what joins two pieces. It is `round` times as
// far across as along. The piece ends at `high`, in pixels along its way.
#ifndef MC_STRANDS_GLSL
#define MC_STRANDS_GLSL

#include "shaders/shared/frame_types.h"

// `outer` and `depth` at the first end, and per pixel.
struct strand_line {
    vec2 from, ahead, outer, depth;
    float high, round;
};

// Its two texels.
strand_line get_strand_line(vec4 place, vec4 shape) {
    strand_line line;
    line.from = place.xy;
    line.depth = place.zw;
    line.ahead = unpackSnorm2x16(floatBitsToUint(shape.x));
    line.outer = unpackHalf2x16(floatBitsToUint(shape.y));
    line.high = shape.z;
    line.round = shape.w;
    return line;
}

// What is hardly there doesn't hide what is behind.
const float strand_least = 0.25;

// Where the words of tiles begin: how many pieces are in each slice of a tile, then where the next
// one goes, and so where the slice ends; where a tile's pieces begin; how near a piece is that
// covers the tile, as bits; numbers of tiles that have any; pieces.
struct strand_words {
    ivec2 tiles;
    int count, begins, covers, list, items;
};

strand_words get_strand_words(vec2 viewport) {
    ivec2 tiles = (ivec2(viewport) + MC_STRAND_TILE - 1) / MC_STRAND_TILE;
    int count = tiles.x * tiles.y, begins = count * MC_STRAND_SLICES;
    return strand_words(tiles, count, begins, begins + count, begins + 2 * count,
                        begins + 3 * count);
}

// Seen from above what is nearer is higher up. From one slice to the next it is a third lower: most
// strands are near the ground, where they end.
const float strand_fall = 0.66;

// Across a tile: view depths and heights depend on one another.
struct strand_slices {
    vec3 falls;  // of rays, per view depth: at the picture's corner, and per pixel
    float eye, top;
    vec2 depth; // at the view depth d: depth.x + depth.y / d
    float fall;
};

// Before a loop: a software driver fetches uniforms anew wherever they are used.
strand_slices get_strand_slices(mc_frame_uniforms frame, float top) {
    vec3 falls = vec3(frame.ray_origin.y, frame.ray_x.y, frame.ray_y.y);
    vec2 depth = vec2(frame.ray_origin.w, frame.ray_x.w);
    return strand_slices(falls, frame.eye.y, top, depth, 0.0);
}

void set_tile(inout strand_slices slices, vec2 center) {
    slices.fall = min(dot(slices.falls, vec3(1.0, center)), -1e-3);
}

// Of what is as near as `depth`.
int get_strand_slice(strand_slices slices, float depth) {
    float away = slices.depth.y / max(depth - slices.depth.x, 1e-9);
    float height = slices.eye + slices.fall * away;
    float lower = log2(max(height / slices.top, 1e-6)) / log2(strand_fall);
    return int(clamp(lower, 0.0, float(MC_STRAND_SLICES) - 1.0));
}

// No nearer than this is what is in the slice, or in those after it; of the first one, nearer than
// anything.
float get_strand_limit(strand_slices slices, int slice) {
    float height = slices.top * pow(strand_fall, float(slice));
    if (slice == 0) return 2.0;
    return slices.depth.x + slices.depth.y * slices.fall / min(height - slices.eye, -1e-9);
}

const uint no_strand = 0xffffffffu;

#endif
