// The buildings of many texels, a group each.
#version 450
#include "shaders/boxes.glsl"
#include "shaders/heights.glsl"

void main() {
    uint large_count = min(heights[MC_HEIGHT_LARGE_COUNT], uint(MC_HEIGHT_LARGE_MOST));
    for (uint i = gl_WorkGroupID.x; i < large_count; i += gl_NumWorkGroups.x) {
        seen_box box = load_box(heights[MC_HEIGHT_LARGE_COUNT + 1u + i], vec3(0.0));
        ivec4 texels = get_texels(box.low.xz, box.high.xz);
        int depth = texels.w - texels.y + 1, count = (texels.z - texels.x + 1) * depth;
        uint top = floatBitsToUint(box.high.y);
        for (int k = int(gl_LocalInvocationIndex); k < count; k += MC_UPDATE_GROUP_SIZE) {
            ivec2 at = texels.xy + ivec2(k / depth, k % depth);
            atomicMax(heights[at.x * MC_HEIGHT_SIDE + at.y], top);
        }
    }
}
