// Of one colour.
#version 450

layout(location = 0) flat in vec4 in_color;
layout(location = 0) out vec4 out_color;

void main() { out_color = vec4(in_color.rgb, 1.0) * in_color.w; }
