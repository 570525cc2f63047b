// The colour of a box's face, as shaders/city.frag has it.
#include "shaders/box.glsl"

in vec3 out_at;
flat in vec4 out_color;
flat in vec4 out_face;
out vec4 color;

void main() {
    face f = face(out_color.rgb, 1.0, out_face.xy, out_face.z, out_face.w, 1.0);
    // What glass covers is blended as it is encoded: it takes a little more light than by its share to come near what linear light does.
    color = vec4(encode_srgb(shade_pixel(f, out_at, fwidth(out_at))) * pow(out_color.a, 0.9), out_color.a);
}
