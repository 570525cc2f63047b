// The nearest pieces of strands at each pixel of a tile, without the triangle hardware, which would
// test blocks of pixels for each of two triangles a piece, of which few are inside. One invocation a
// column of a tile, so that neighbours do the same and nobody writes what another one reads. What
// covers a pixel wholly and what is there at all are kept apart, so that an outline lies over what
// is behind.
#version 450
#include "shaders/columns.glsl"
#include "shaders/strands.glsl"

layout(local_size_x = MC_STRAND_GROUP_SIZE) in;

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
MC_COLUMN(vec4, piece, 0, textureBuffer, MC_BINDING_STRAND_PIECE_TEXELS, MC_BINDING_STRAND_PIECES)
MC_COLUMN(uint, word, 0, utextureBuffer, MC_BINDING_STRAND_WORD_TEXELS, MC_BINDING_STRAND_WORDS)
layout(push_constant, std430) uniform Push { mc_frustum_draw draw; };
layout(set = 0, binding = MC_BINDING_STRAND_PIXELS, std430) writeonly buffer Pixels {
    uvec4 pixels[];
};

const int head_words = 8;
const int rows = MC_STRAND_TILE, part_count = rows / 4;
const uint tiles = MC_STRAND_GROUP_SIZE / MC_STRAND_TILE;

const int batch = 8; // pieces, after which it is asked whether others can be seen

int get_word(int index) { return int(load_word(head_words + index)); }

// Four pixels of a column.
struct column_part {
    float x;
    vec4 y;
    vec4 inside, outline; // depths
    uvec4 inside_piece, outline_piece;
};

column_part make_part(vec2 center) {
    return column_part(center.x, center.y + vec4(0.0, 1.0, 2.0, 3.0), vec4(-1.0), vec4(-1.0),
                       uvec4(no_strand), uvec4(no_strand));
}

// As find_strand_place() in strands.frag has it.
void add_piece(inout column_part part, uint piece, strand_line line) {
    float x = part.x - line.from.x;
    vec4 y = part.y - line.from.y, along = x * line.ahead.x + y * line.ahead.y;
    vec4 away = line.ahead.x * y - line.ahead.y * x;
    vec4 on = max(along, vec4(0.0)), before = (along - on) * line.round;
    vec4 outer = line.outer.x + line.outer.y * on, depth = line.depth.x + line.depth.y * on;
    vec4 square = away * away + before * before;
    vec4 least = outer - strand_least, full = outer - 1.0;
    // Where it isn't it is as far away as can be.
    vec4 here = mix(vec4(-1.0), depth, lessThanEqual(along, vec4(line.high)));
    vec4 touched = mix(vec4(-1.0), here, lessThanEqual(square, least * least));
    vec4 filled = mix(vec4(-1.0), here, lessThanEqual(square, full * full));
    part.outline_piece = mix(part.outline_piece, uvec4(piece), greaterThan(touched, part.outline));
    part.inside_piece = mix(part.inside_piece, uvec4(piece), greaterThan(filled, part.inside));
    part.outline = max(part.outline, touched);
    part.inside = max(part.inside, filled);
}

void keep_pixel(column_part part, int row, ivec2 pixel, ivec2 size) {
    if (pixel.y < size.y)
        pixels[pixel.y * size.x + pixel.x] =
            uvec4(part.inside_piece[row], part.outline_piece[row],
                  floatBitsToUint(part.inside[row]), floatBitsToUint(part.outline[row]));
}

void main() {
    // Neighbouring tiles go to different groups, as one may have much more to do than another.
    uint slot = gl_LocalInvocationID.x / uint(rows) * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (slot * 6u >= load_word(0)) return;
    ivec2 size = ivec2(frame.viewport.xy);
    strand_words words_of = get_strand_words(frame.viewport.xy);
    int tile = get_word(words_of.list + int(slot));
    ivec2 pixel = ivec2(tile % words_of.tiles.x, tile / words_of.tiles.x) * rows;
    strand_slices slices = get_strand_slices(frame, draw.top);
    set_tile(slices, vec2(pixel) + 0.5 * float(rows));
    pixel.x += int(gl_LocalInvocationID.x) % rows;
    vec2 center = vec2(pixel) + 0.5;

    column_part parts[part_count];
    for (int i = 0; i < part_count; i++)
        parts[i] = make_part(center + vec2(0.0, 4.0 * float(i)));
    int last = min(get_word((tile + 1) * MC_STRAND_SLICES - 1), int(draw.capacity));
    int item = min(get_word(words_of.begins + tile), last - 1); // no room: another tile's
    float least, limit;
    // A loop that may not be gone through at all costs a software driver once more.
    do {
        int end = min(item + batch, last);
        do {
            int piece = get_word(words_of.items + item) & MC_STRAND_PIECE_MASK, first = piece * 2;
            strand_line line = get_strand_line(load_piece(first), load_piece(first + 1));
            for (int i = 0; i < part_count; i++)
                add_piece(parts[i], uint(piece), line);
            item++;
        } while (item < end);
        vec4 by_row = parts[0].inside;
        for (int i = 1; i < part_count; i++)
            by_row = min(by_row, parts[i].inside);
        least = min(min(by_row.x, by_row.y), min(by_row.z, by_row.w));
        uint next = uint(get_word(words_of.items + min(item, last - 1)));
        limit = get_strand_limit(slices, int(next >> MC_STRAND_PIECE_BITS));
    } while (item < last && least < limit);
    if (pixel.x >= size.x) return;
    for (int i = 0; i < rows; i++)
        keep_pixel(parts[i / 4], i % 4, pixel + ivec2(0, i), size);
}
