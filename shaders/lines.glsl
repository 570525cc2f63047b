// lines.glsl - which face of a box a pixel centre sees, by the lines between the box's corners in
// the picture, just as triangle hardware decides.
#ifndef MC_LINES_GLSL
#define MC_LINES_GLSL

#include "shaders/bounds.glsl"
#include "shaders/box.glsl"

#define MC_AXIS_NONE 3u

// Each is positive on the face's side.
struct face_lines {
    // From the near roof corner: between the roof and the wall along x, the roof and the wall along
    // z, the two walls. Then the outer ones.
    vec3 roof_z, roof_x, walls;
    vec3 roof_far_x, roof_far_z, wall_z_far, wall_z_low, wall_x_far, wall_x_low;
};

// Is positive on the right of the line from a to b (`side` 1; -1: on the left), y being down; never
// 0: whether what lies on the line belongs to it is decided as triangle hardware does, top and left
// lines do. Whole numbers up to 2^23, and so exact. x and y per pixel, then the value at the first
// one.
vec3 get_line(vec2 a, vec2 b, float side) {
    vec2 normal = vec2(a.y - b.y, b.x - a.x) * side;
    bool is_inside = normal.x > 0.0 || (normal.x == 0.0 && normal.y > 0.0);
    return vec3(normal * subpixels, (is_inside ? 0.5 : -0.5) - dot(normal, a));
}

float evaluate(vec3 line, vec2 at) { return line.x * at.x + (line.y * at.y + line.z); }

// `origin` is the pixel from which places are counted, `center` the box's as seen from the eye.
face_lines get_face_lines(corner_box corners, vec2 origin, vec3 center) {
    vec4 x = corners.roof_x - origin.x * subpixels, y = corners.roof_y - origin.y * subpixels;
    vec3 u = corners.ground_x - origin.x * subpixels;
    vec3 v = corners.ground_y - origin.y * subpixels;
    float side = (center.x < 0.0) == (center.z < 0.0) ? 1.0 : -1.0; // mirrored?
    face_lines lines;
    lines.roof_z = get_line(vec2(x.x, y.x), vec2(x.y, y.y), side);
    lines.roof_x = get_line(vec2(x.z, y.z), vec2(x.x, y.x), side);
    lines.walls = get_line(vec2(x.x, y.x), vec2(u.x, v.x), side);
    lines.roof_far_x = get_line(vec2(x.y, y.y), vec2(x.w, y.w), side);
    lines.roof_far_z = get_line(vec2(x.w, y.w), vec2(x.z, y.z), side);
    lines.wall_z_far = get_line(vec2(u.y, v.y), vec2(x.y, y.y), side);
    lines.wall_z_low = get_line(vec2(u.x, v.x), vec2(u.y, v.y), side);
    lines.wall_x_far = get_line(vec2(x.z, y.z), vec2(u.z, v.z), side);
    lines.wall_x_low = get_line(vec2(u.z, v.z), vec2(u.x, v.x), side);
    return lines;
}

// The axis of the face at a pixel. No line is ever 0 at one, so that sign bits tell on which side it
// is: they are put together faster than numbers are compared.
uint find_face(face_lines lines, vec2 at) {
    int on_roof_z = floatBitsToInt(evaluate(lines.roof_z, at));
    int on_roof_x = floatBitsToInt(evaluate(lines.roof_x, at));
    int on_walls = floatBitsToInt(evaluate(lines.walls, at));
    int roof = on_roof_z | on_roof_x | floatBitsToInt(evaluate(lines.roof_far_x, at)) |
               floatBitsToInt(evaluate(lines.roof_far_z, at));
    int z = ~on_roof_z | on_walls | floatBitsToInt(evaluate(lines.wall_z_far, at)) |
            floatBitsToInt(evaluate(lines.wall_z_low, at));
    int x = ~on_roof_x | ~on_walls | floatBitsToInt(evaluate(lines.wall_x_far, at)) |
            floatBitsToInt(evaluate(lines.wall_x_low, at));
    return roof >= 0 ? MC_AXIS_Y : z >= 0 ? MC_AXIS_Z : x >= 0 ? MC_AXIS_X : MC_AXIS_NONE;
}

#endif
