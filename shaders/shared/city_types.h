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
#define MC_INT int
#define MC_FLOAT float
#define MC_STRUCT(name) struct name
#define MC_STRUCT_END(name)
#else
#include <stdint.h>
#define MC_UINT uint32_t
#define MC_INT int32_t
#define MC_FLOAT float
#define MC_STRUCT(name) typedef struct name
#define MC_STRUCT_END(name) name
#endif

#define MC_UPDATE_GROUP_SIZE 64

// update parameters: flags
#define MC_UPDATE_COLOR_BY_GROWTH 1u
#define MC_UPDATE_OPACITY_BY_GROWTH 2u
// Those below need a style per building; without styles the renderer ignores them.
#define MC_UPDATE_COLOR_BY_SHARE 4u // gradient at the style's share, instead of by growth
#define MC_UPDATE_COLOR_BY_CLASS 8u // class_colors at the style's class
#define MC_UPDATE_DIM_UNMARKED 16u  // marked ones are opaque, all others have dim_opacity
#define MC_UPDATE_HEIGHT_BY_CLASS 32u
#define MC_UPDATE_FADE_FALLEN \
    64u // opacity by the style's `standing`, an outline of what is demolished
#define MC_UPDATE_UNKNOWN 128u // styles say of which buildings something is not known
#define MC_UPDATE_STYLE_FLAGS 252u
// Solid but for what stands before a marked building, which the glass pass finds out; only those
// that grew the most have growth's colours, the others a hint of them.
#define MC_UPDATE_GLASS 256u
#define MC_GLASS_TINT 0.35f    // of growth's colour, where it is a hint
#define MC_GLASS_OPACITY 0.18f // of what stands before a marked building

#define MC_CLASS_COUNT 8           // colours of classes
#define MC_SLAB_SLENDERNESS 0.06f  // height of what is not known, of the plot's side
#define MC_SCALING_IS_ELEVATION 4u // mc_scaling, which the shaders lack
#define MC_HEIGHT_CLASS_COUNT 5

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

// What highlights beyond growth need to know of a building; engine/city/style.h fills it.
#define MC_STYLE_MARKED 1u
#define MC_STYLE_DEMOLISHED 2u
// Not known at the step now: what the city shows (a flat slab on the whole plot), what the colour
// says (the colour of what is not known), what the height says (a slab).
#define MC_STYLE_UNKNOWN 4u
#define MC_STYLE_UNKNOWN_COLOR 8u
#define MC_STYLE_UNKNOWN_HEIGHT 16u
#define MC_STYLE_UNKNOWN_BITS 28u
#define MC_STYLE_CLASSED 32u   // has the colour of its class also where others have the gradient
#define MC_STYLE_MOVED 64u     // of two traces: the other one has it elsewhere
#define MC_STYLE_CLASS_SHIFT 8 // index into class_colors
#define MC_STYLE_CLASS_MASK 7u
#define MC_STYLE_FROM_HEIGHT_SHIFT 16 // class of height at the step shown before
#define MC_STYLE_TO_HEIGHT_SHIFT 20   // and at the step now
#define MC_STYLE_HEIGHT_MASK 7u

MC_STRUCT(mc_building_style) {
    MC_UINT bits;
    MC_FLOAT from_share, to_share; // of the gradient, 0 to 1, at the two steps; below 0 of the
                                   // other one
    MC_FLOAT standing;             // 0 to 1: the part that nothing takes with it
}
MC_STRUCT_END(mc_building_style);

// A drawn reference: a cone between two roofs, from the referencing end to the referenced one.
#define MC_FRUSTUM_INCOMING 0u   // keeps the selected structure alive
#define MC_FRUSTUM_OUTGOING 1u   // is kept alive by it
#define MC_FRUSTUM_CHAIN 2u      // a part of the walk to a root cause
#define MC_FRUSTUM_ROOT 3u       // from the marker of a GC root
#define MC_FRUSTUM_STREET 4u     // flat on the ground: how roots hold the selected structure
#define MC_FRUSTUM_NEW_STREET 5u // one that was not there at first
#define MC_FRUSTUM_KIND_COUNT 6

// Radius at an end over half its height, where all of its objects are involved.
#define MC_FRUSTUM_RADIUS_SHARE 0.175f
// Radius of the thicker end, pixels at a scale of 1: however near or far, it is so thick, and the
// other one as much thicker or thinner as it is in truth.
#define MC_FRUSTUM_LEAST_THICK 1.3f
#define MC_FRUSTUM_MOST_THICK 7.0f
// On a building an end lies at the roof's edge towards the other end, and to one side, the other
// side being for the way back: by shares of the way to the edge, and of the roof's shorter half
// side.
#define MC_FRUSTUM_AHEAD_SHARE 0.92f
#define MC_FRUSTUM_ASIDE_SHARE 0.45f

#define MC_FRUSTUM_EMPHASISED 1u
#define MC_FRUSTUM_FADED 2u

MC_STRUCT(mc_frustum) {
    MC_UINT from_box, to_box; // a building, or the number of buildings plus a district
    MC_UINT kind, flags;
    MC_FLOAT from_share, to_share; // of the end's objects that are involved, 0 to 1; of a street
                                   // its half width in world units
    MC_FLOAT arc;                  // how far its middle is raised, world units; 0: not at all
    MC_FLOAT reveal; // 0 to 1: the part that is drawn, from the selected structure outwards
    // A district's end is above its tallest building: how far above the district's roof, at the
    // step shown before and at the step now. Of buildings: how tall they are then, or 0; how finely
    // they are drawn follows from it.
    MC_FLOAT from_top0, from_top1, to_top0, to_top1;
    MC_UINT link;                     // the caller's: which of its links this is
    MC_UINT first_piece, piece_count; // the strand pass's
    MC_FLOAT sway; // how far its middle is aside, world units: to the right, from its first end; in
                   // a bundle
}
MC_STRUCT_END(mc_frustum);

// What of a demolished building, and of one that has fallen with another, is still seen.
#define MC_OUTLINE_OPACITY 0.05f
#define MC_FALLEN_SHARE 0.12f // of its opacity

// sRGB-encoded, 0 to 1, not multiplied by opacity. Shading decodes it. An opacity below 0: as much
// above, but the edges, which are drawn opaque.
MC_STRUCT(mc_color) {
    MC_FLOAT r, g, b, opacity;
}
MC_STRUCT_END(mc_color);

#define MC_MORE_SELECTED_MOST 32 // with the same in another city beside this one

// Buildings one after another.
MC_STRUCT(mc_building_range) {
    MC_UINT first, count;
}
MC_STRUCT_END(mc_building_range);

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
    MC_UINT selected_first; // the selected buildings; what is selected beside them comes last
    MC_UINT selected_count;
    MC_FLOAT dim_opacity; // of unmarked buildings
    MC_FLOAT transition;  // 0: everything is where it was before, 1: where it belongs
    MC_UINT box_count;    // buildings, and districts if they transition; the renderer's
    MC_FLOAT unknown_red, unknown_green, unknown_blue; // the colour of what is not known
    mc_color gradient[3];                              // no growth, medium, strong
    mc_color shrinking[2]; // below no growth, where styles' shares are: medium, strong
    mc_color class_colors[MC_CLASS_COUNT];
    MC_UINT more_selected_count;
    MC_FLOAT full_height; // of MC_SCALING_ELEVATION: of a building at its maximum, world units
    MC_UINT reserved1, reserved2;
    mc_building_range more_selected[MC_MORE_SELECTED_MOST];
}
MC_STRUCT_END(mc_update_params);

#endif
