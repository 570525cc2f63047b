// Draws buildings into the map of heights: an invocation a building writes the texels whose centres
// it covers. What covers many is left to heights_large.comp.
#version 450
#include "shaders/boxes.glsl"
#include "shaders/heights.glsl"

void main() {
    uint index = draw.first + gl_GlobalInvocationID.x;
    seen_box box = load_box(min(index, draw.count - 1u), vec3(0.0));
    if (index >= draw.count || !(box.height > 0.0 && box.opacity > 0.5)) return;
    ivec4 texels = get_texels(box.low.xz, box.high.xz);
    int width = texels.z - texels.x + 1, count = width * (texels.w - texels.y + 1);
    if (width <= 0 || count <= 0) return;
    if (count > MC_HEIGHT_TEXELS_MOST) {
        uint slot = atomicAdd(heights[MC_HEIGHT_LARGE_COUNT], 1u);
        if (slot < MC_HEIGHT_LARGE_MOST) heights[MC_HEIGHT_LARGE_COUNT + 1u + slot] = index;
        return;
    }
    uint top = floatBitsToUint(box.high.y);
    ivec2 at = texels.xy;
    for (int i = 0; i < count; i++) {
        atomicMax(heights[at.x * MC_HEIGHT_SIDE + at.y], top);
        at = at.y < texels.w ? ivec2(at.x, at.y + 1) : ivec2(at.x + 1, texels.y);
    }
}
