// statics.glsl - what never changes of a building, as a column of four words.
#ifndef MC_STATICS_GLSL
#define MC_STATICS_GLSL

#include "shaders/columns.glsl"
#include "shaders/shared/frame_types.h"

// Three a building.
MC_COLUMN(uvec4, third, 0, utextureBuffer, MC_BINDING_STATIC_TEXELS, MC_BINDING_STATICS)

mc_plot load_plot(uint index) {
    vec4 plot = uintBitsToFloat(load_third(int(index) * 3));
    return mc_plot(plot.x, plot.y, plot.z, plot.w);
}

#endif
