// The calm gradient of shaders/background.frag.
#include "shaders/color.glsl"

uniform vec3 top, bottom;
uniform float height;
out vec4 color;

void main() {
    float down = 1.0 - gl_FragCoord.y / height;
    vec3 light = mix(decode_srgb(top), decode_srgb(bottom), down * down * (3.0 - 2.0 * down));
    color = vec4(encode_srgb(light) + dither(gl_FragCoord.xy) / 255.0, 1.0);
}
