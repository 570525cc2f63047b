// bounds.glsl - a box's corners in the picture, on the grid to which triangle hardware snaps them,
// and the pixel centres that lie between them.
#ifndef MC_BOUNDS_GLSL
#define MC_BOUNDS_GLSL

#include "shaders/least.glsl"
#include "shaders/shared/device_types.h"

layout(constant_id = MC_CONSTANT_SUBPIXELS) const float subpixels = 256.0;

// The seven corners that can be seen from above: of the roof the one nearest the eye, along x and
// along z from it, and the far one; of the ground the first three of them. Coordinates are in steps
// of the grid; pixel centres are at whole multiples of `subpixels`.
struct corner_box {
    vec4 roof_x, roof_y;
    vec3 ground_x, ground_y;
    bool is_near;   // some corner is in front of the near plane: coordinates mean nothing
    bool is_behind; // all are
    float nearest;  // view depth
};

float least_of(vec4 a, vec3 b) {
    return least(least(least(a.x, a.y), least(a.z, a.w)), least_of(b));
}

float most_of(vec4 a, vec3 b) {
    return most(most(most(a.x, a.y), most(a.z, a.w)), most_of(b));
}

// `low` and `high` are as seen from the eye, `matrix` has no translation but in depth, `near` is
// the near plane's view depth, `viewport` width and height in pixels.
corner_box get_corners(mat4 matrix, float near, vec2 viewport, vec3 low, vec3 high) {
    vec3 center = low + high;
    vec2 near_side = mix(low.xz, high.xz, lessThan(center.xz, vec2(0.0)));
    vec2 far_side = mix(high.xz, low.xz, lessThan(center.xz, vec2(0.0)));
    vec3 near_x = matrix[0].xyw * near_side.x, near_z = matrix[2].xyw * near_side.y;
    vec3 far_x = matrix[0].xyw * far_side.x, far_z = matrix[2].xyw * far_side.y;
    vec3 top = matrix[1].xyw * high.y, bottom = matrix[1].xyw * low.y;
    vec3 a = near_x + top + near_z, b = far_x + top + near_z, c = near_x + top + far_z;
    vec3 d = far_x + top + far_z;
    vec3 e = near_x + bottom + near_z, f = far_x + bottom + near_z, g = near_x + bottom + far_z;

    corner_box box;
    vec4 roof_w = vec4(a.z, b.z, c.z, d.z);
    vec3 ground_w = vec3(e.z, f.z, g.z);
    // Of all eight corners: sums of the least and of the most are the least and the most of sums.
    float nearest = least(near_x.z, far_x.z) + least(top.z, bottom.z) + least(near_z.z, far_z.z);
    float farthest = most(near_x.z, far_x.z) + most(top.z, bottom.z) + most(near_z.z, far_z.z);
    box.nearest = nearest;
    box.is_near = !(nearest > near);
    box.is_behind = !(farthest > near);
    // From -1 .. 1 to pixels, counted by their centres, to the grid.
    vec2 scale = 0.5 * viewport * subpixels, shift = (0.5 * viewport - 0.5) * subpixels;
    vec4 roof_share = 1.0 / roof_w;
    vec3 ground_share = 1.0 / ground_w;
    box.roof_x = round(vec4(a.x, b.x, c.x, d.x) * roof_share * scale.x + shift.x);
    box.roof_y = round(vec4(a.y, b.y, c.y, d.y) * roof_share * scale.y + shift.y);
    box.ground_x = round(vec3(e.x, f.x, g.x) * ground_share * scale.x + shift.x);
    box.ground_y = round(vec3(e.y, f.y, g.y) * ground_share * scale.y + shift.y);
    return box;
}

// Pixels, whose centres lie between the corners, `slack` steps added on all sides: first and last
// of a row, first and last row. None if the last is before the first.
vec4 get_pixel_bounds(corner_box box, float slack) {
    float left = least_of(box.roof_x, box.ground_x), right = most_of(box.roof_x, box.ground_x);
    float top = least_of(box.roof_y, box.ground_y), bottom = most_of(box.roof_y, box.ground_y);
    return vec4(ceil((left - slack) / subpixels), floor((right + slack) / subpixels),
                ceil((top - slack) / subpixels), floor((bottom + slack) / subpixels));
}

// Whether the rectangle around a box may have a pixel centre of the picture in it, also if it lies
// across the near plane: by how far the box's corners are from its centre along each axis of the
// picture. In a third of the time that its corners take.
bool may_have_pixels(mat4 matrix, float near, vec2 viewport, vec3 low, vec3 high) {
    vec3 center = 0.5 * (low + high), reach = high - center;
    vec3 at = matrix[0].xyw * center.x + matrix[1].xyw * center.y + matrix[2].xyw * center.z;
    vec3 span = abs(matrix[0].xyw) * reach.x + abs(matrix[1].xyw) * reach.y +
                abs(matrix[2].xyw) * reach.z;
    float nearest = at.z - span.z;
    vec2 place = at.xy / at.z;
    // Two steps of the grid, and what rounding may add.
    vec2 pixel = (0.5 * place + 0.5) * viewport - 0.5;
    vec2 slack = 0.5 * viewport * (span.xy + abs(place) * span.z) / nearest + 2.0 / subpixels;
    slack += 1e-5 * viewport;
    vec2 first = max(ceil(pixel - slack), vec2(0.0));
    vec2 last = min(floor(pixel + slack), viewport - 1.0);
    // What is not a number is not smaller.
    return !(nearest > near) || !(last.x < first.x || last.y < first.y);
}

// Is all of a box beyond one of the picture's sides? Also of one that lies across the near plane.
bool is_outside(mat4 matrix, vec3 low, vec3 high) {
    vec3 x = vec3(matrix[0].x, matrix[1].x, matrix[2].x);
    vec3 y = vec3(matrix[0].y, matrix[1].y, matrix[2].y);
    vec3 w = vec3(matrix[0].w, matrix[1].w, matrix[2].w);
    vec3 sides[4] = vec3[](w - x, w + x, w - y, w + y);
    bool is = false;
    for (int i = 0; i < 4; i++)
        is = is || dot(max(sides[i] * low, sides[i] * high), vec3(1.0)) < 0.0;
    return is;
}

// The part of it that is in the picture.
vec4 clip_pixel_bounds(vec4 bounds, vec2 viewport) {
    return vec4(max(bounds.x, 0.0), min(bounds.y, viewport.x - 1.0), max(bounds.z, 0.0),
                min(bounds.w, viewport.y - 1.0));
}

#endif
