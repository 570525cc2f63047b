// Which tiles of the picture a piece lies in, one invocation a piece: first what covers a tile, then
// how many lie in it, then which ones, but for those that are hidden in all of it.
#version 450
#include "shaders/columns.glsl"
#include "shaders/strands.glsl"

layout(constant_id = 0) const uint purpose = MC_STRAND_COUNT;
layout(constant_id = 1) const bool are_wide = true; // some may cover a tile
layout(local_size_x = MC_STRAND_GROUP_SIZE) in;

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
MC_COLUMN(vec4, piece, 0, textureBuffer, MC_BINDING_STRAND_PIECE_TEXELS, MC_BINDING_STRAND_PIECES)
layout(set = 0, binding = MC_BINDING_STRAND_WORDS, std430) buffer Words {
    mc_strand_head head;
    uint words[];
};
layout(push_constant, std430) uniform Push { mc_frustum_draw draw; };

const float side = float(MC_STRAND_TILE);
const float half_side = 0.5 * side - 0.5; // between the outermost pixels' centres

void main() {
    uint index = gl_GlobalInvocationID.x;
    if (index >= draw.count) return;
    strand_words words_of = get_strand_words(frame.viewport.xy);
    int first = int(index) * 2;
    strand_line line = get_strand_line(load_piece(first), load_piece(first + 1));
    float end = -line.outer.x / max(line.round, 1e-3); // with what is before it
    vec2 outers = line.outer.x + line.outer.y * vec2(0.0, line.high), ahead = line.ahead;
    float most = max(outers.x, outers.y);
    vec2 from = line.from + ahead * end, to = line.from + ahead * line.high;
    vec2 aside = vec2(-ahead.y, ahead.x);
    vec2 low = min(from, to) - most, high = max(from, to) + most;
    ivec2 begin = ivec2(clamp(low / side, vec2(0.0), vec2(words_of.tiles)));
    ivec2 last = min(ivec2(floor(min(high, frame.viewport.xy) / side)), words_of.tiles - 1);
    float half_away = half_side * (abs(ahead.x) + abs(ahead.y)), half_along = half_away;
    if (line.outer.x <= 0.0 || (purpose == MC_STRAND_HIDE && most < 1.0 + half_away)) last.y = -1;
    float steep = abs(ahead.y) > 1e-4 ? ahead.x / ahead.y : 0.0;
    strand_slices slices = get_strand_slices(frame, draw.top);
    uint capacity = draw.capacity;
    float right_end = frame.viewport.x;
    // A loop that may not be gone through at all costs a software driver once more.
    int y = begin.y;
    do {
        // Where its middle is while it is about in these lines.
        vec2 lines = vec2(y, y + 1) * side + vec2(-most, most);
        vec2 cut = abs(ahead.y) > 1e-4 ? from.x + (lines - from.y) * steep : vec2(-1e9, 1e9);
        float left = max(min(cut.x, cut.y) - most, low.x);
        float right = min(max(cut.x, cut.y) + most, high.x);
        int x = int(clamp(left / side, 0.0, float(words_of.tiles.x)));
        int end_x = min(int(floor(min(right, right_end) / side)), last.x);
        do {
            vec2 at = vec2(x, y) * side + 0.5 * side - line.from;
            float along = dot(at, ahead), away = abs(dot(at, aside));
            float spread = abs(line.depth.y) * half_along;
            float middle = line.depth.x + line.depth.y * along;
            bool is_there = x <= end_x && y <= last.y;
            int tile = y * words_of.tiles.x + x;
            if (purpose == MC_STRAND_HIDE) {
                float least = line.outer.x + line.outer.y * along -
                              abs(line.outer.y) * half_along - 1.0;
                bool covers = away + half_away <= least && along - half_along >= 0.0 &&
                              along + half_along <= line.high;
                if (is_there && covers)
                    atomicMax(words[words_of.covers + tile],
                              floatBitsToUint(clamp(middle - spread, 0.0, 1.0)));
            } else {
                float nearest = clamp(middle + spread, 0.0, 1.0);
                bool is_in = is_there && away - half_away <= most && along + half_along >= end &&
                             along - half_along <= line.high;
                if (are_wide)
                    is_in = is_in && floatBitsToUint(nearest) >= words[words_of.covers + tile];
                set_tile(slices, vec2(x, y) * side + 0.5 * side);
                uint slice = uint(get_strand_slice(slices, nearest));
                if (is_in) {
                    uint slot = atomicAdd(words[uint(tile * MC_STRAND_SLICES) + slice], 1u);
                    if (purpose == MC_STRAND_FILL && slot < capacity)
                        words[words_of.items + int(slot)] = slice << MC_STRAND_PIECE_BITS | index;
                }
            }
            x++;
        } while (x <= end_x);
        y++;
    } while (y <= last.y);
}
