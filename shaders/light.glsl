// light.glsl - the light of arriving.glsl with the map of heights that heights.comp draws.
#ifndef MC_LIGHT_GLSL
#define MC_LIGHT_GLSL

#include "shaders/columns.glsl"
#include "shaders/shared/frame_types.h"

MC_COLUMN(float, height, 0, textureBuffer, MC_BINDING_HEIGHT_TEXELS, MC_BINDING_HEIGHTS)

#include "shaders/arriving.glsl"

light_map get_light_map(mc_frame_uniforms frame) {
    return light_map(frame.light_place.xy, frame.light_place.zw, frame.light_map.xx,
                     frame.light_map.y, frame.light_map.z, frame.light.x, frame.light.y);
}

#endif
