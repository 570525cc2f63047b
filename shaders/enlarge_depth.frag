// A picture of half the size as one of the whole: the nearest depth. With colour at once a software
// driver takes much longer.
#version 450

layout(set = 0, binding = 1) uniform sampler2D depths;
layout(location = 0) noperspective in vec2 in_at;

void main() { gl_FragDepth = texture(depths, in_at).x; }
