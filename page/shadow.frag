// Darkest at the wall, nothing at the end of its reach.
in vec2 out_at;
flat in vec4 out_area;
flat in float out_opacity;
out vec4 color;

void main() {
    vec2 away = max(abs(out_at) - out_area.xy, 0.0) * out_area.zw;
    float near = max(1.0 - length(away), 0.0);
    color = vec4(0.0, 0.0, 0.0, 1.0 - pow(1.0 - near * near * out_opacity, 0.4545)); // as light is blended
}
