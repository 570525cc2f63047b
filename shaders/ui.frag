// Encoded colours blended as they are: UI toolkits and their fonts are made for that.
#version 450
#include "shaders/shared/frame_types.h"

layout(set = 1, binding = MC_BINDING_UI_TEXTURE) uniform sampler2D atlas;
layout(location = 0) in vec2 in_uv;
layout(location = 1) in vec4 in_color;
layout(location = 0) out vec4 out_color;

void main() {
    float alpha = in_color.a * texture(atlas, in_uv).r;
    out_color = vec4(in_color.rgb * alpha, alpha);
}
