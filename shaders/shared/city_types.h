// city_types.h - the structs that the CPU and the shaders share; read by C and by GLSL alike.
//
// Every field is a 4-byte scalar and every struct a multiple of 16 bytes, so that C's layout,
// std430 and scalar agree.
#ifndef MC_CITY_TYPES_H
#define MC_CITY_TYPES_H

#ifdef __cplusplus
#error "C and GLSL only"
#elif defined(MC_GLSL)
#define MC_UINT uint
#define MC_FLOAT float
#define MC_STRUCT(name) struct name
#define MC_STRUCT_END(name)
#else
#include <stdint.h>
#define MC_UINT uint32_t
#define MC_FLOAT float
#define MC_STRUCT(name) typedef struct name
#define MC_STRUCT_END(name) name
#endif

#define MC_UPDATE_GROUP_SIZE 64

// update parameters: flags
#define MC_UPDATE_COLOR_BY_GROWTH 1u
#define MC_UPDATE_OPACITY_BY_GROWTH 2u

// A rectangle on the ground, x0 <= x1, z0 <= z1, world units.
MC_STRUCT(mc_plot) {
    MC_FLOAT x0, z0, x1, z1;
}
MC_STRUCT_END(mc_plot);

// Everything about a building that never changes with time. Counts are 64-bit as two words, so that
// a device without 64-bit integers subtracts them exactly.
MC_STRUCT(mc_building_static) {
    mc_plot plot;
    MC_FLOAT base;
    MC_UINT growth_rank;
    MC_UINT max_low, max_high;
    MC_UINT first_low, first_high;
    MC_UINT reserved0, reserved1;
}
MC_STRUCT_END(mc_building_static);

// A count of one building at one step.
MC_STRUCT(mc_count) {
    MC_UINT low, high;
}
MC_STRUCT_END(mc_count);

// What the update pass writes and every drawing pass reads. height 0: not drawn.
MC_STRUCT(mc_box) {
    mc_plot footprint;
    MC_FLOAT base, height;
    MC_FLOAT opacity;
    MC_UINT selected; // 0 or 1
}
MC_STRUCT_END(mc_box);

// sRGB-encoded, 0 to 1, not multiplied by opacity. Shading decodes it.
MC_STRUCT(mc_color) {
    MC_FLOAT r, g, b, opacity;
}
MC_STRUCT_END(mc_color);

// What an update depends on beside the columns and the two steps' counts.
MC_STRUCT(mc_update_params) {
    MC_UINT building_count;
    MC_UINT scaling; // mc_scaling
    MC_UINT flags;
    MC_UINT opaque_count;   // the N that grew the most stay opaque
    MC_FLOAT opacity;       // of the others, 0 to 1
    MC_FLOAT blend;         // 0: shapes of the step shown before, 1: of the step now
    MC_FLOAT growth_scale;  // 1 / largest growth; 0: nothing grew
    MC_FLOAT jump;          // how far the selected buildings are lifted, world units
    MC_UINT selected_first; // the selected buildings
    MC_UINT selected_count;
    MC_UINT reserved0, reserved1;
    mc_color gradient[3]; // no growth, medium, strong
    mc_color selection;   // the selected buildings' colour
}
MC_STRUCT_END(mc_update_params);

#endif
