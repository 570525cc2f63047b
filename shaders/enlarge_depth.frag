// A picture of half the size as one of the whole: the nearest depth, and no colour yet. Both at
// once take a software driver much longer.
#version 450

layout(set = 0, binding = 1) uniform sampler2D depths;
layout(location = 0) noperspective in vec2 in_at;
layout(location = 0) out vec4 out_color;

void main() {
    out_color = vec4(0.0);
    gl_FragDepth = texture(depths, in_at).x;
}
