// Two triangles over the whole picture, and where they are in it: upright and even, which a
// software driver recognises and copies by rows.
#version 450

layout(location = 0) noperspective out vec2 out_at;

void main() {
    const vec2 corners[6] = vec2[](vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, 1.0),
                                   vec2(1.0, 0.0), vec2(1.0, 1.0));
    out_at = corners[gl_VertexIndex];
    gl_Position = vec4(out_at * 2.0 - 1.0, 0.0, 1.0);
}
