// Finds how high the shadows of one point of the sun reach: a line of texels an invocation, away from
// the sun, each with what those before it throw on it. See light.glsl.
#version 450
#include "shaders/columns.glsl"
#include "shaders/shared/frame_types.h"

layout(local_size_x = MC_UPDATE_GROUP_SIZE) in;

layout(push_constant, std430) uniform Push { mc_sun_draw draw; };
layout(set = 0, binding = MC_BINDING_HEIGHTS, std430) writeonly buffer Shadows { float shadows[]; };
MC_COLUMN(float, height, 0, textureBuffer, MC_BINDING_HEIGHT_TEXELS, MC_BINDING_HEIGHTS)

void main() {
    int line = int(gl_GlobalInvocationID.x) + draw.first_line;
    int first = draw.first + line * draw.minor, major = draw.major, minor = draw.minor;
    float slope = draw.slope, drop = draw.drop, shadow = 0.0;
    // The part of the line that is in the map, and as much more as it takes to turn aside by half a
    // texel, which is left out below.
    float enter = (float(slope > 0.0 ? 0 : MC_HEIGHT_SIDE) - float(line)) / slope;
    float leave = (float(slope > 0.0 ? MC_HEIGHT_SIDE : 0) - float(line)) / slope;
    float margin = 2.0 + 0.5 / abs(slope);
    int i = int(clamp(enter - margin, 0.0, float(MC_HEIGHT_SIDE)));
    int end = int(clamp(leave + margin, 0.0, float(MC_HEIGHT_SIDE)));
    for (; i < end; i++) {
        int aside = int(floor(float(i) * slope + 0.5));
        if (line + aside < 0 || line + aside >= MC_HEIGHT_SIDE) continue;
        int index = first + i * major + aside * minor;
        shadows[MC_HEIGHT_SHADOWS + index] = shadow;
        shadow = max(shadow, load_height(index)) - drop;
    }
}
