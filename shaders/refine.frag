// A picture's pixels, weighed: added to the mean of some others, or shown.
#version 450
#extension GL_EXT_samplerless_texture_functions : require

layout(set = 0, binding = 0) uniform texture2D picture;
layout(push_constant, std430) uniform Push { float weight; };
layout(location = 0) out vec4 out_color;

void main() {
    vec3 color = texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb;
    out_color = vec4(color, 1.0) * weight;
}
