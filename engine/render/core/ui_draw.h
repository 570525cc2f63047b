// ui_draw.h - the triangles that a UI toolkit passes to the renderer, to be drawn over the picture.
//
// Read by C and C++ alike. Positions and clips in framebuffer pixels, colours sRGB-encoded and not
// multiplied by alpha, one texture (the font atlas, one byte of coverage a pixel).
#pragma once
#include <stdint.h>

typedef struct mc_ui_vertex {
    float x, y, u, v;
    uint32_t color; // RGBA8, R in the lowest byte
} mc_ui_vertex;

typedef struct mc_ui_command {
    float clip_x0, clip_y0, clip_x1, clip_y1;
    uint32_t first_index, index_count, vertex_offset;
} mc_ui_command;

// Valid until the toolkit's next frame.
typedef struct mc_ui_draw {
    const mc_ui_vertex *vertices;
    const uint16_t *indices;
    const mc_ui_command *commands;
    uint32_t vertex_count, index_count, command_count;
} mc_ui_draw;
