// flat_types.h - what the flat pass draws: sunbursts and icicles from strips; read by C and by GLSL
// alike.
//
// Every field is a 4-byte scalar and every struct a multiple of 16 bytes, as in city_types.h.
#ifndef MC_FLAT_TYPES_H
#define MC_FLAT_TYPES_H

#include "shaders/shared/city_types.h"

// Descriptor set 1 of the flat pass.
#define MC_BINDING_FLAT_PLANES 0
#define MC_BINDING_FLAT_MARKS 1
#define MC_BINDING_FLAT_SUMS 2  // four floats
#define MC_BINDING_FLAT_SPANS 3 // two floats
#define MC_BINDING_FLAT_COLUMN_COUNT 4
// The last two as texels; see columns.glsl.
#define MC_BINDING_FLAT_SUM_TEXELS 4
#define MC_BINDING_FLAT_SPAN_TEXELS 5
#define MC_BINDING_FLAT_COUNT 6

#define MC_FLAT_SUNBURST 0u
#define MC_FLAT_ICICLE 1u      // the root at the left, a column a level
#define MC_FLAT_ICICLE_DOWN 2u // the root at the top, a row a level
#define MC_FLAT_FORM_COUNT 3
#define MC_FLAT_BENT 3u // on the way from an icicle to a sunburst, and back
#define MC_FLAT_SHAPE_COUNT 4

// One sunburst or icicle in the picture. A pixel has two coordinates in it: across the rows, in
// rows, and along them, from 0 to 1 (a sunburst: clockwise from the top).
MC_STRUCT(mc_flat_plane) {
    MC_FLOAT x0, y0, x1, y1;     // what may be drawn to, pixels
    MC_FLOAT origin_x, origin_y; // the centre of rings; where an icicle begins
    MC_FLOAT row_size;           // pixels across a row
    MC_FLOAT row_length;         // of an icicle: pixels along it; bent: from the origin to the rows
    MC_UINT form;                // MC_FLAT_*
    MC_UINT row_count;
    MC_UINT texel_count;           // of a row
    MC_FLOAT first_row;            // which row begins at the origin
    MC_UINT first_sum, first_span; // of row 0, in their buffers
    MC_FLOAT end_row; // nothing is drawn from here on: on the way to other levels, within a row
    MC_FLOAT bend;    // bent: the angle of the whole; rad
    MC_FLOAT line_r, line_g, line_b; // the ground, also between segments; linear light
    MC_FLOAT opacity;
}
MC_STRUCT_END(mc_flat_plane);

// What is drawn of a plane: first its area, as a rectangle or as a polygon of so many sides around
// the disc, then a band around each end of a row, where pixels lie in two rows. Where rows are
// thinner than MC_FLAT_LEAST_ROW pixels, all is like a band.
#define MC_FLAT_SIDES 64
#define MC_FLAT_AREA_COUNT(form) ((form) == MC_FLAT_SUNBURST ? 3 * MC_FLAT_SIDES : 6)
#define MC_FLAT_BAND_COUNT(form) ((form) == MC_FLAT_SUNBURST ? 6 * MC_FLAT_SIDES : 6)
#define MC_FLAT_LEAST_ROW 32.0
#define MC_FLAT_BAND_HALF 2.0 // pixels

// A ring's sums go on a little beyond its ends, so that a pixel at its seam needs no second look:
// by half of the widest pixel, as a share of the ring. Sums a row has in all, and before its first
// one.
#define MC_FLAT_MOST_HALF 0.03125
#define MC_FLAT_PAD(form, texel_count) ((form) == MC_FLAT_SUNBURST ? (texel_count) / 16 : 0)
#define MC_FLAT_SUM_COUNT(form, texel_count) \
    ((texel_count) + 2 + 2 * MC_FLAT_PAD(form, texel_count))

// A frame around a segment, in a plane's coordinates; what is within keeps its colour. Colours in
// linear light.
MC_STRUCT(mc_flat_mark) {
    MC_FLOAT x0, y0, x1, y1; // what may be drawn to, pixels
    MC_FLOAT origin_x, origin_y;
    MC_FLOAT row_size, row_length;
    MC_FLOAT first_row;
    MC_UINT form;
    MC_FLOAT row;      // its first; it is one row thick
    MC_FLOAT from, to; // along the row
    MC_FLOAT width;    // of the frame, pixels
    MC_FLOAT reserved0, reserved1;
    MC_FLOAT r, g, b, opacity;
}
MC_STRUCT_END(mc_flat_mark);

#endif
