// Darkest at the wall, nothing at the end of its reach.
#version 450

layout(location = 0) in vec2 in_at;
layout(location = 1) flat in vec4 in_area;
layout(location = 2) flat in float in_opacity;
layout(location = 0) out vec4 out_color;

void main() {
    vec2 away = max(abs(in_at) - in_area.xy, 0.0) * in_area.zw;
    float near = max(1.0 - length(away), 0.0);
    out_color = vec4(0.0, 0.0, 0.0, near * near * in_opacity);
}
