// The colour of a box's face, as shaders/city.frag has it.
#include "shaders/box.glsl"

in vec3 out_at;
flat in vec4 out_color;
flat in vec4 out_face;
out vec4 color;

void main() {
    face f = face(out_color.rgb, 1.0, out_face.xy, out_face.z, out_face.w, 1.0);
    color = vec4(encode_srgb(shade_pixel(f, out_at, fwidth(out_at))), 1.0);
}
