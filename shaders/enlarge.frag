// A picture of half the size as one of the whole: colours between its pixels.
#version 450

layout(set = 0, binding = 0) uniform sampler2D colors; // as encoded
layout(location = 0) noperspective in vec2 in_at;
layout(location = 0) out vec4 out_color;

void main() { out_color = texture(colors, in_at); }
