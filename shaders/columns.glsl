// columns.glsl - how shaders read a column: as texels, or as the elements of a storage buffer.
//
// A software driver fetches a texel's four components at once, but a struct's members in a storage
// buffer one by one, for each invocation: texels take a third of the time. Vectors in a storage
// buffer, as here, take as long as texels where boxes are drawn, and a tenth longer in the update
// pass; on a GPU there is no difference. Vulkan promises only 65,536 texels a buffer, so where a
// device has too few of them, every shader reads storage buffers. Both are bound; what a shader does
// not read holds nothing.
#ifndef MC_COLUMNS_GLSL
#define MC_COLUMNS_GLSL

#include "shaders/shared/device_types.h"

layout(constant_id = MC_CONSTANT_READS_TEXELS) const bool reads_texels = true;

// Declares load_NAME(int): an element, of TYPE, from the bindings of a set. TEXTURE: textureBuffer
// or utextureBuffer, with as many components as TYPE or more.
#define MC_COLUMN(TYPE, NAME, SET, TEXTURE, TEXELS, ELEMENTS)                                      \
    layout(set = SET, binding = TEXELS) uniform TEXTURE NAME##_texels;                             \
    layout(set = SET, binding = ELEMENTS, std430) readonly buffer NAME##_column {                  \
        TYPE NAME##_elements[];                                                                    \
    };                                                                                             \
    TYPE load_##NAME(int index) {                                                                  \
        if (reads_texels) return TYPE(texelFetch(NAME##_texels, index));                           \
        return NAME##_elements[index];                                                             \
    }

#endif
