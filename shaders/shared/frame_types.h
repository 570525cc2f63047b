// frame_types.h - what the drawing shaders get per frame and per draw; read by C and by GLSL alike.
//
// The frame's uniforms consist of 16-byte members only, so that C's layout and std140 agree; push
// constants are 4-byte scalars.
#ifndef MC_FRAME_TYPES_H
#define MC_FRAME_TYPES_H

#include "shaders/shared/city_types.h"

#ifdef MC_GLSL
#define MC_MAT4(name) mat4 name
#define MC_VEC4(name) vec4 name
#define MC_UVEC4(name) uvec4 name
#else
#include "engine/base/vector.h"
#define MC_MAT4(name) vec4 name[4]
#define MC_VEC4(name) vec4 name
#define MC_UVEC4(name) uint32_t name[4]
#endif

// Descriptor set 0, the same for all passes over the city.
#define MC_BINDING_FRAME 0
#define MC_BINDING_BOXES 1 // mc_box: buildings, then districts
#define MC_BINDING_COLORS \
    2 // mc_color: likewise; a district's r is 0 for the root to 1 for the deepest
#define MC_BINDING_STATICS 3 // mc_building_static
#define MC_BINDING_FROM 4    // mc_count, the step shown before
#define MC_BINDING_TO 5      // mc_count, the step now
#define MC_BINDING_LISTS 6   // uint: box indices in drawing order
#define MC_BINDING_VISIBLE 7 // 64 bits a pixel: which face of which box is nearest; see splat.comp
#define MC_BINDING_KEPT 8    // uint: boxes that the splat and cull passes leave to the city pass
#define MC_BINDING_DRAWS 9   // mc_indirect_draw: the city pass's draws of kept boxes
#define MC_BINDING_SCAN 10   // uint: scratch memory of the cull pass
#define MC_BINDING_PARAMS 11 // mc_update_params
#define MC_BINDING_STYLES 12 // mc_building_style
#define MC_BINDING_BEFORE 13 // mc_box: buildings and districts before, then districts now
#define MC_BINDING_FRUSTUMS 14
#define MC_BINDING_LAYERS 15        // 64 bits an item: the first few of each pixel; see layers.glsl
#define MC_BINDING_LAYER_HEADS 16   // mc_layer_head, then words by pixel and by tile
#define MC_BINDING_LAYER_NODES 17   // four uints each: what has no place in the others
#define MC_BINDING_STRAND_PIXELS 18 // uvec4 a pixel; see strands.glsl
#define MC_BINDING_STRAND_PIECES 19 // mc_strand_line, then as many mc_strand_look
#define MC_BINDING_STRAND_WORDS 20  // mc_strand_head, then words by tile, and pieces of tiles
#define MC_BINDING_GLASS 21         // marks, tiles, groups; see glass.glsl
#define MC_BINDING_HEIGHTS 22       // the map of heights; see heights.glsl
#define MC_BINDING_CHANGED 23       // uint: buildings whose counts differ, see city_buffers.h
// Some of the above as texels, for shaders that read much: see columns.glsl.
#define MC_BINDING_BOX_TEXELS 24     // two of four floats a box
#define MC_BINDING_COLOR_TEXELS 25   // one of four floats
#define MC_BINDING_VISIBLE_TEXELS 26 // one of two uints a pixel
#define MC_BINDING_STATIC_TEXELS 27  // three of four uints a building
#define MC_BINDING_FROM_TEXELS 28    // one of two uints
#define MC_BINDING_TO_TEXELS 29
#define MC_BINDING_LAYER_TEXELS 30        // two items
#define MC_BINDING_LAYER_WORD_TEXELS 31   // one uint
#define MC_BINDING_STRAND_PIXEL_TEXELS 32 // one of four uints a pixel
#define MC_BINDING_STRAND_PIECE_TEXELS 33 // four of four floats a piece
#define MC_BINDING_STRAND_WORD_TEXELS 34  // one uint
#define MC_BINDING_GLASS_TEXELS 35        // of four uints: four a mark, one a tile, two a group
#define MC_BINDING_HEIGHT_TEXELS 36       // one float
#define MC_BINDING_STYLE_TEXELS 37        // one of four uints a building
#define MC_BINDING_BEFORE_TEXELS 38       // two of four uints a box
#define MC_BINDING_COUNT 39
#define MC_BINDING_FIRST_TEXELS MC_BINDING_BOX_TEXELS

// Descriptor set 1 of what writes boxes: a window of them; see box_windows.h.
#define MC_BINDING_WINDOW_BOXES 0  // mc_box
#define MC_BINDING_WINDOW_COLORS 1 // mc_color
#define MC_BINDING_WINDOW_COUNT 2

// Descriptor set 1 of the UI pass.
#define MC_BINDING_UI_VERTICES 0
#define MC_BINDING_UI_TEXTURE 1

// A box is drawn as the three faces that can face the eye.
#define MC_BOX_VERTEX_COUNT 7
#define MC_BOX_INDEX_COUNT 18
#define MC_BOUNDS_INDEX_COUNT 6 // of the rectangle around it

// Which boxes a draw of the city pass takes.
#define MC_DRAW_OPAQUE 0u      // opacity 1
#define MC_DRAW_TRANSLUCENT 1u // opacity below 1
#define MC_DRAW_DISTRICTS 2u

// Where a draw of the city pass finds its boxes.
#define MC_SOURCE_ALL 0u  // in their own order
#define MC_SOURCE_LIST 1u // in the frame's lists
#define MC_SOURCE_KEPT 2u

// Boxes in one draw. More draws of fewer boxes keep the index buffer small, and also what a
// software driver allocates for a draw's vertices: tens of megabytes at a time would be mapped anew
// each time.
#define MC_DRAW_CHUNK 8192u

// Boxes that the glass pass clears the view of, at most, and the grid of tiles over the picture in
// which it looks for what may be before them.
#define MC_GLASS_MARK_MOST 64
#define MC_GLASS_COLUMNS 192
#define MC_GLASS_ROWS 108
#define MC_GLASS_TILE 8 // pixels a side, or more in a large picture

// Frame flags.
#define MC_FRAME_EDGES 1u
#define MC_FRAME_OUTLINES 2u // some buildings are drawn as outlines
#define MC_FRAME_LIGHT 4u    // rays of light are to come where nothing moves

// Positions are relative to the eye before the matrix is applied: a city is wide and its smallest
// buildings are tiny. The ray through a pixel is ray_origin + x * ray_x + y * ray_y with x, y in
// pixels, of such a length that it spans one unit of view depth; a point at view depth d has depth
// ray_origin.w + ray_x.w / d.
MC_STRUCT(mc_frame_uniforms) {
    MC_MAT4(view_projection);
    MC_VEC4(eye); // w: view depth of the near plane
    MC_VEC4(ray_origin);
    MC_VEC4(ray_x);
    MC_VEC4(ray_y);
    MC_VEC4(background_top); // all colours sRGB-encoded
    MC_VEC4(background_bottom);
    MC_VEC4(district_root);
    MC_VEC4(district_deepest);
    MC_VEC4(district_block); // of a class's methods
    MC_VEC4(frustum_colors[MC_FRUSTUM_KIND_COUNT]);
    MC_VEC4(frustum_look); // seconds, scale of pixels, eased blend, arrows' gray
    MC_VEC4(viewport);     // width, height, 1 / width, 1 / height
    MC_VEC4(shift);        // x, y: how far the drawing is moved, in clip space; see refine_pass.h
    MC_VEC4(light_place);  // of the map of heights: world x and z of its corner, texels in a unit
    MC_VEC4(light_map);    // texels a side, world units of one, the highest top
    MC_VEC4(light);        // which drawing, rays of each, which point of the sun if there is one
    // How many boxes the glass pass clears the view of, how many of them whether they grew or not,
    // flags, count of buildings.
    MC_UVEC4(marks);
    MC_UVEC4(glass_boxes[MC_GLASS_MARK_MOST / 4]);
}
MC_STRUCT_END(mc_frame_uniforms);

// Push constants of the update pass.
MC_STRUCT(mc_update_draw) {
    MC_UINT first;          // box of this dispatch, and of its window
    MC_UINT is_list, count; // only the buildings of the list of those that changed; how many
    MC_UINT reserved0;
}
MC_STRUCT_END(mc_update_draw);

// Push constants of the city pass.
MC_STRUCT(mc_city_draw) {
    MC_UINT first;  // index of the first box, or of its entry in the list
    MC_UINT source; // MC_SOURCE_*
    MC_UINT kind;   // MC_DRAW_*
    MC_UINT last;   // of MC_DRAW_DISTRICTS: index of the last box, which is drawn first
}
MC_STRUCT_END(mc_city_draw);

#define MC_HEIGHT_SIDE 1024        // texels of the map of heights
#define MC_HEIGHT_TEXELS_MOST 256  // of a building that one invocation draws
#define MC_HEIGHT_LARGE_MOST 16384 // buildings of more
#define MC_HEIGHT_LARGE_COUNT (MC_HEIGHT_SIDE * MC_HEIGHT_SIDE) // where their number is

// Behind them: how high the shadows of one point of the sun reach, a texel each.
#define MC_HEIGHT_SHADOWS (MC_HEIGHT_LARGE_COUNT + 1 + MC_HEIGHT_LARGE_MOST)

#define MC_SUN_TANGENT 0.9f // of the sun's height

// How the light of a picture is found; see light.glsl.
#define MC_LIGHT_NONE 0u
#define MC_LIGHT_MARCHED 1u // all rays are marched over the map of heights
#define MC_LIGHT_SWEPT 2u   // one point of the sun a drawing: its shadows are in the map
#define MC_LIGHT_KIND_COUNT 3

// Push constants of what draws the map of heights.
MC_STRUCT(mc_height_draw) {
    MC_FLOAT x, z, scale_x, scale_z; // see `light_place`
    MC_UINT count;                   // of buildings
    MC_UINT first;                   // building of this dispatch
    MC_UINT reserved0, reserved1;
}
MC_STRUCT_END(mc_height_draw);

// Push constants of what finds the shadows: it walks the map in lines, away from the sun. Indices
// are into the map, `major` along the axis that the sun's direction is nearest to.
MC_STRUCT(mc_sun_draw) {
    MC_INT first, major, minor; // where a line begins, and what a step along either axis adds
    MC_INT first_line;          // of the first invocation: where it would be along the other axis
    MC_UINT line_count;
    MC_FLOAT slope; // that a line goes along the other axis with each step
    MC_FLOAT drop;  // by how much shadows are lower after each, world units
    MC_UINT reserved0;
}
MC_STRUCT_END(mc_sun_draw);

// Push constants of the shadow pass.
MC_STRUCT(mc_shadow_draw) {
    MC_UINT first;    // box
    MC_FLOAT reach;   // share of the box's mean side
    MC_FLOAT opacity; // at the wall of an opaque box
    MC_FLOAT bias;    // towards the eye, share of the distance
}
MC_STRUCT_END(mc_shadow_draw);

#define MC_FRUSTUM_END_COUNT 12      // corners of an end
#define MC_FRUSTUM_LEAST_RADIUS 0.7f // pixels, at a scale of 1: of a thin end

// Push constants of the frustum pass.
MC_STRUCT(mc_frustum_draw) {
    MC_UINT segment_count; // along each frustum
    MC_UINT column_count;  // around it
    MC_UINT is_ring;       // 1: columns go all around; 0: what faces the eye
    MC_UINT is_street;     // 1: all are flat on the ground
    MC_FLOAT opacity;
    // Of the strand pass: frustums, or what else there is an invocation for; room for pieces of
    // tiles.
    MC_UINT first, count, piece_count, capacity;
    MC_FLOAT top; // as high as any, world units
}
MC_STRUCT_END(mc_frustum_draw);

// A straight piece of a thin frustum in the picture, pixels: where it is, for all pieces, then how
// it looks; texels of four floats. An end of the frustum is always a piece's first one. See
// strands.glsl.
MC_STRUCT(mc_strand_line) {
    MC_FLOAT x, y, z, z_slope; // its first end; depth, and that per pixel
    MC_UINT ahead;             // its way, of length 1: two signed 16 bits
    MC_UINT outer;             // halves: from the middle to the outline, and that per pixel
    MC_FLOAT high, round;
}
MC_STRUCT_END(mc_strand_line);

// What has two values has them at its ends.
MC_STRUCT(mc_strand_look) {
    MC_FLOAT phase0, phase1;  // which arrow it is
    MC_UINT spans;            // halves: of view depths, the first by the last; 1 by its length
    MC_UINT wings;            // halves: how far back an arrow's wings are
    MC_UINT color;            // bytes, with its opacity
    MC_UINT lights0, lights1; // halves: what is added to the light aside and in the middle
    MC_UINT arrow_end;        // halves: how strong arrows are; light of the end, below 0: not seen
}
MC_STRUCT_END(mc_strand_look);

#define MC_STRAND_GROUP_SIZE 64
#define MC_STRAND_TILE 8   // pixels a side; an invocation of the splat takes a column
#define MC_STRAND_SLICES 8 // of what lies in a tile, from the nearest
// Of a piece in a tile, below its slice.
#define MC_STRAND_PIECE_BITS 29
#define MC_STRAND_PIECE_MASK 0x1fffffff

// As Vulkan reads it (VkDrawIndirectCommand).
MC_STRUCT(mc_indirect_quads) {
    MC_UINT vertex_count, instance_count, first_vertex, first_instance;
}
MC_STRUCT_END(mc_indirect_quads);

// What pieces are sorted for.
#define MC_STRAND_HIDE 0u  // what hides all that is behind it in a tile
#define MC_STRAND_COUNT 1u // how many a tile has
#define MC_STRAND_FILL 2u  // which ones

// What precedes the words of the strand pass in their buffer.
MC_STRUCT(mc_strand_head) {
    mc_indirect_quads draw;             // of tiles
    MC_UINT group_count, one, one_more; // VkDispatchIndirectCommand: of tiles
    MC_UINT item_count;                 // pieces of tiles, also those that there is no room for
}
MC_STRUCT_END(mc_strand_head);

// As Vulkan reads it (VkDrawIndexedIndirectCommand).
MC_STRUCT(mc_indirect_draw) {
    MC_UINT index_count, instance_count, first_index, first_vertex, first_instance;
}
MC_STRUCT_END(mc_indirect_draw);

// What precedes the draws in their buffer: how many boxes the city pass draws in all.
MC_STRUCT(mc_indirect_head) {
    MC_UINT opaque_count, translucent_count;
    MC_UINT part_count; // tiles' parts of translucent ones that are too large for the layer pass
    MC_UINT reserved0;
}
MC_STRUCT_END(mc_indirect_head);

// What a pixel of the visibility buffer holds, from its highest bit: the frame's epoch (what bears
// another one is empty), the depth's bits, the face's axis, the box. The greatest is nearest.
#define MC_VISIBLE_EPOCH_BITS 6
#define MC_VISIBLE_DEPTH_BITS 30 // of a float from 0 to 1
#define MC_VISIBLE_AXIS_BITS 2
#define MC_VISIBLE_BOX_BITS 26

#define MC_SPLAT_GROUP_SIZE 64
#define MC_SPLAT_BOXES 4   // that an invocation of the splat and the layer pass takes
#define MC_SPLAT_SIEVED 16 // of the splat pass, where most are sorted out at once
#define MC_SPLAT_RUN 8     // of them one after another, by as many invocations

// Push constants of the splat and the layer pass, and of what turns their pixels into colours.
MC_STRUCT(mc_splat_draw) {
    MC_UINT box_count; // buildings, then districts; the layer pass: buildings
    MC_UINT epoch;     // of the visibility buffer; the layer pass: 0 if there is nothing in it
    MC_UINT
    pixel_limit; // boxes whose bounds hold more pixels are left to the city pass, or to tiles
    MC_UINT slot_count;           // of the layer pass: items of a pixel that are not in nodes
    MC_FLOAT low_x, low_y, low_z; // around all boxes, as seen from the eye
    MC_FLOAT high_x, high_y, high_z;
    MC_UINT node_capacity; // of the layer pass: items, and as many parts behind them
    MC_UINT reserved0;
}
MC_STRUCT_END(mc_splat_draw);

// Kinds of tiles, by what their pixels see at most: up to four items, up to as many as are not in
// nodes, anything.
#define MC_LAYER_FEW 0
#define MC_LAYER_SOME 1
#define MC_LAYER_ANY 2
#define MC_LAYER_KIND_COUNT 3
#define MC_LAYER_TILE 8          // pixels a side
#define MC_LAYER_PIXEL_LIMIT 256 // a box of more is left to a loop for each tile that it covers

// What precedes the words of the layer pass in their buffer.
MC_STRUCT(mc_layer_head) {
    mc_indirect_quads draws[MC_LAYER_KIND_COUNT]; // of tiles
    MC_UINT group_count, one, one_more;           // VkDispatchIndirectCommand: of parts
    // Also those that there was no room for.
    MC_UINT node_count; // items
    MC_UINT part_count; // tiles' parts of large boxes
    MC_UINT reserved0, reserved1, reserved2;
}
MC_STRUCT_END(mc_layer_head);

// The cull pass: buildings in one block, whose kept ones are counted together. Groups of its scan
// take that many blocks at a time.
#define MC_CULL_BLOCK 256
#define MC_CULL_GROUP_SIZE 64
#define MC_CULL_SCAN_SIZE 128

// Push constants of the cull pass.
MC_STRUCT(mc_cull_draw) {
    MC_UINT count;       // entries of the list
    MC_UINT block_count; // of MC_CULL_BLOCK entries
    MC_UINT first_box;   // where kept boxes go to
    MC_UINT first_draw;
    MC_UINT epoch;           // of the visibility buffer; 0: there is nothing in it
    MC_UINT occlusion_limit; // boxes of more pixels are not looked for behind opaque ones
    MC_UINT pixel_limit;     // boxes of more pixels have parts
    MC_UINT index_count;     // of a box's draw
    MC_UINT first; // entry of this dispatch; of the glass pass: building, and that of its window
    // Of the glass pass: buildings may be outside of what their groups say.
    MC_UINT is_in_transition, reserved0, reserved1;
}
MC_STRUCT_END(mc_cull_draw);

// A box that the glass pass clears the view of: where it is in the picture and on the ground.
MC_STRUCT(mc_glass_mark) {
    MC_FLOAT low_x, low_y, low_down, low_up; // pixels: see glass.glsl
    MC_FLOAT high_x, high_y, high_down, high_up;
    mc_plot footprint;
    MC_FLOAT weight; // 0 to 1: how much it counts
    MC_UINT box;
    MC_UINT reserved0, reserved1;
}
MC_STRUCT_END(mc_glass_mark);

// Which marks a building with its centre in a tile may be before, and the view depth of the
// farthest one: of a building that reaches half a tile around its centre, and of one that reaches
// two tiles.
MC_STRUCT(mc_glass_tile) {
    MC_UINT farthest_of_small, farthest, low_marks, high_marks;
}
MC_STRUCT_END(mc_glass_tile);

// What an invocation group of the glass pass takes lies in here at all times, world units.
MC_STRUCT(mc_glass_group) {
    MC_FLOAT low_x, low_y, low_z;
    MC_UINT has_glass; // 1: some of it was glass
    MC_FLOAT high_x, high_y, high_z;
    MC_UINT reserved0;
}
MC_STRUCT_END(mc_glass_group);

// Push constants of the outline pass.
MC_STRUCT(mc_outline_draw) {
    MC_UINT box;
    MC_FLOAT width;   // pixels
    MC_FLOAT opacity; // 0 to 1
    MC_FLOAT bias;    // towards the eye, share of the distance
    mc_color color;
    MC_FLOAT glow;  // how far it reaches beyond the silhouette, pixels
    MC_FLOAT share; // of the box's height, from its floor
    MC_FLOAT fill;  // opacity over the walls of that part
    MC_UINT reserved0;
}
MC_STRUCT_END(mc_outline_draw);

#define MC_BEACON_GLOW 5.0 // half of its width, in halves of its bright line's

// Push constants of the beacon pass.
MC_STRUCT(mc_beacon_draw) {
    MC_FLOAT x, y, z;    // world units: its foot
    MC_FLOAT half_width; // pixels, of the bright line
    mc_color color;
    MC_FLOAT height; // pixels
}
MC_STRUCT_END(mc_beacon_draw);

#endif
