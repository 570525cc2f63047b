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
#define MC_MAT4(name) float name[16]
#define MC_VEC4(name) float name[4]
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
#define MC_BINDING_COUNT 7

// Descriptor set 1 of the UI pass.
#define MC_BINDING_UI_VERTICES 0
#define MC_BINDING_UI_TEXTURE 1

// A box is drawn as the three faces that can face the eye.
#define MC_BOX_VERTEX_COUNT 7
#define MC_BOX_INDEX_COUNT 18

// Which boxes a draw of the city pass takes.
#define MC_DRAW_OPAQUE 0u      // opacity 1
#define MC_DRAW_TRANSLUCENT 1u // opacity below 1
#define MC_DRAW_DISTRICTS 2u

#define MC_FRAME_EDGES 1u // frame flags

// Positions are relative to the eye before the matrix is applied: a city is wide and its smallest
// buildings are tiny. The ray through a pixel is ray_origin + x * ray_x + y * ray_y with x, y in
// pixels, of such a length that it spans one unit of view depth.
MC_STRUCT(mc_frame_uniforms) {
    MC_MAT4(view_projection);
    MC_VEC4(eye);
    MC_VEC4(ray_origin);
    MC_VEC4(ray_x);
    MC_VEC4(ray_y);
    MC_VEC4(background_top); // all colours sRGB-encoded
    MC_VEC4(background_bottom);
    MC_VEC4(district_root);
    MC_VEC4(district_deepest);
    MC_VEC4(selection);
    MC_VEC4(viewport); // width, height, 1 / width, 1 / height
    MC_UVEC4(marks);   // hovered box, selected box (MC_NONE: none), flags, count of buildings
}
MC_STRUCT_END(mc_frame_uniforms);

// Push constants of the city pass.
MC_STRUCT(mc_city_draw) {
    MC_UINT first;    // index of the first box, or of its entry in the list
    MC_UINT use_list; // 0 or 1
    MC_UINT kind;     // MC_DRAW_*
    MC_UINT reserved;
}
MC_STRUCT_END(mc_city_draw);

// Push constants of the shadow pass.
MC_STRUCT(mc_shadow_draw) {
    MC_UINT first;    // box
    MC_FLOAT reach;   // share of the box's mean side
    MC_FLOAT opacity; // at the wall of an opaque box
    MC_FLOAT bias;    // towards the eye, share of the distance
}
MC_STRUCT_END(mc_shadow_draw);

// Push constants of the outline pass.
MC_STRUCT(mc_outline_draw) {
    MC_UINT box;
    MC_FLOAT width;   // pixels
    MC_FLOAT opacity; // 0 to 1
    MC_FLOAT bias;    // towards the eye, share of the distance
    mc_color color;
}
MC_STRUCT_END(mc_outline_draw);

#endif
