// Turns to glass what stands before a marked box, and back what no longer does: by how far the
// rectangles around both overlap in the picture, so that it changes smoothly with the camera. Marks
// glass in the frame's list, as cull.comp does.
#version 450
#include "shaders/box_window.glsl"
#include "shaders/boxes.glsl"
#include "shaders/glass.glsl"

layout(local_size_x = MC_CULL_GROUP_SIZE) in;

layout(push_constant, std430) uniform Push { mc_cull_draw cull; };
layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_LISTS, std430) readonly buffer Lists { uint list[]; };
layout(set = 0, binding = MC_BINDING_SCAN, std430) buffer Scan { uint scan[]; };
layout(set = 0, binding = MC_BINDING_GLASS, std430) writeonly buffer Glass {
    mc_glass_mark marks[MC_GLASS_MARK_MOST];
    mc_glass_tile tiles[MC_GLASS_COLUMNS * MC_GLASS_ROWS];
    mc_glass_group groups[];
};
MC_COLUMN(uvec4, glass, 0, utextureBuffer, MC_BINDING_GLASS_TEXELS, MC_BINDING_GLASS)

const int texels_of_mark = 4, texels_of_marks = texels_of_mark * MC_GLASS_MARK_MOST;
const int texels_before_groups = texels_of_marks + MC_GLASS_COLUMNS * MC_GLASS_ROWS;
shared uint may_be_any, is_any;

// Of the uniforms, once for several boxes; see get_rays() in visible.glsl.
struct glass_view {
    mat4 matrix;
    vec3 x, y, z; // clip x, y and w by world x, y and z
    vec3 eye;
    float near, tile, scale, most_side;
    vec2 size;
};

// Where a box is by the sphere around it.
struct glass_place {
    int tile;
    float nearest, farthest;  // view depth
    bool is_small, is_beyond; // beyond what tiles are for: it may be in any
};

glass_place get_place(seen_box box, glass_view view) {
    vec3 center = 0.5 * (box.low + box.high);
    float radius = length(box.high - center);
    vec3 clip = view.x * center.x + view.y * center.y + view.z * center.z;
    float nearest = clip.z - radius;
    float reach = radius * view.scale, tile = view.tile * nearest;
    bool is_beyond = nearest <= view.near || reach > tile * glass_large_reach;
    vec2 pixel = (0.5 + 0.5 * clip.xy / clip.z) * view.size;
    ivec2 at = is_beyond ? ivec2(0) : get_glass_place(pixel, view.tile);
    return glass_place(at.y * MC_GLASS_COLUMNS + at.x, nearest, clip.z + radius,
                       reach <= tile * glass_small_reach, is_beyond);
}

bool may_be_before(seen_box box, glass_view view) {
    glass_place place = get_place(box, view);
    uvec4 tile = load_glass(texels_of_marks + place.tile);
    float farthest = uintBitsToFloat(place.is_small ? tile.x : tile.y);
    return place.farthest > view.near && (place.is_beyond || place.nearest < farthest);
}

// 1: nothing of the mark can hide the box, which is on the eye's side of it; 0: the other way round.
// On the way between it fades, as the rectangles overlap before the boxes themselves do.
float get_before(mc_plot box, mc_plot mark, vec2 eye) {
    vec4 beyond = vec4(box.x1 <= mark.x0 ? eye.x - box.x1 : -1.0,
                       box.x0 >= mark.x1 ? box.x0 - eye.x : -1.0,
                       box.z1 <= mark.z0 ? eye.y - box.z1 : -1.0,
                       box.z0 >= mark.z1 ? box.z0 - eye.y : -1.0);
    float most_beyond = max(max(beyond.x, beyond.y), max(beyond.z, beyond.w));
    vec2 ways = abs(0.5 * vec2(mark.x0 + mark.x1, mark.z0 + mark.z1) - eye);
    return 1.0 - smoothstep(0.0, 0.02 * (ways.x + ways.y) + 1e-20, most_beyond);
}

bool is_within(mc_plot a, mc_plot b) {
    return a.x0 >= b.x0 && a.x1 <= b.x1 && a.z0 >= b.z0 && a.z1 <= b.z1;
}

// How much a mark makes glass of what is there in the picture: nothing unless it reaches in.
float get_overlap(int texel, glass_bounds bounds, float most_side) {
    vec4 low = uintBitsToFloat(load_glass(texel));
    vec4 high = uintBitsToFloat(load_glass(texel + 1));
    vec4 shares = min(bounds.high - low, high - bounds.low) / min(high - low, most_side);
    float share = min(min(shares.x, shares.y), min(shares.z, shares.w));
    return smoothstep(glass_first, glass_all, share) *
           uintBitsToFloat(load_glass(texel + 3).x);
}

// By the marks of `bits`, from `first` on. One of them itself stays solid, also before another:
// below 0.
float get_glass(uint index, uint bits, uint first, mc_plot plot, glass_bounds bounds,
                glass_view view) {
    float most_glass = 0.0;
    while (bits != 0u) {
        int texel = (int(first) + findLSB(bits)) * texels_of_mark;
        bits &= bits - 1u;
        vec4 ground = uintBitsToFloat(load_glass(texel + 2));
        mc_plot footprint = mc_plot(ground.x, ground.y, ground.z, ground.w);
        float glass = get_overlap(texel, bounds, view.most_side);
        if (is_within(plot, footprint)) glass = 0.0;
        most_glass = max(most_glass, glass * get_before(plot, footprint, view.eye.xz));
        uvec2 own = load_glass(texel + 3).xy; // weight and box
        if (own.y == index && own.x != 0u) most_glass = -1.0;
        if (most_glass < 0.0) bits = 0u;
    }
    return most_glass;
}

float get_opacity(uint index, seen_box box, glass_view view) {
    corner_box corners = get_corners(view.matrix, view.near, view.size, box.low, box.high);
    glass_bounds bounds = get_glass_bounds(corners);
    if (corners.is_near) bounds = get_whole_bounds(view.size);
    mc_plot plot = mc_plot(box.low.x + view.eye.x, box.low.z + view.eye.z,
                           box.high.x + view.eye.x, box.high.z + view.eye.z);
    glass_place place = get_place(box, view);
    uvec2 bits = load_glass(texels_of_marks + place.tile).zw;
    if (place.is_beyond) bits = uvec2(0xffffffffu); // there is no weight in those beyond the last
    float glass = get_glass(index, bits.x, 0u, plot, bounds, view);
    float more = get_glass(index, bits.y, 32u, plot, bounds, view);
    bool is_solid = min(glass, more) < 0.0 || max(glass, more) < 0.004;
    return is_solid ? 1.0 : mix(1.0, MC_GLASS_OPACITY, max(glass, more));
}

void set_opacity(uint index, glass_view view) {
    seen_box box = load_box(index, view.eye);
    float opacity = get_opacity(index, box, view);
    if (opacity != box.opacity) {
        boxes[index - cull.first].opacity = opacity;
        colors[index - cull.first].opacity = opacity;
    }
    if (opacity >= 1.0) return;
    is_any = 1u;
    uint slot = list[cull.count + index];
    atomicAdd(scan[slot / MC_CULL_BLOCK], 1u);
    atomicOr(scan[cull.block_count + slot / 32u], 1u << (slot & 31u));
}

// Neighbours in memory, as in splat.comp.
uint get_index(uint i) {
    uint run = gl_LocalInvocationID.x / MC_SPLAT_RUN * MC_SPLAT_BOXES + i;
    return cull.first + gl_WorkGroupID.x * (MC_CULL_GROUP_SIZE * MC_SPLAT_BOXES) + run * MC_SPLAT_RUN +
           gl_LocalInvocationID.x % MC_SPLAT_RUN;
}

// Each invocation looks at one mark: whether it is in the picture where something of the group may
// be.
bool may_be_before_mark(glass_view view, mc_glass_group group) {
    vec3 low = vec3(group.low_x, group.low_y, group.low_z) - view.eye;
    vec3 high = vec3(group.high_x, group.high_y, group.high_z) - view.eye;
    corner_box corners = get_corners(view.matrix, view.near, view.size, low, high);
    glass_bounds bounds = get_glass_bounds(corners);
    if (corners.is_near) bounds = get_whole_bounds(view.size);
    int texel = int(gl_LocalInvocationIndex) * texels_of_mark;
    return !(corners.is_near && corners.is_behind) &&
           get_overlap(texel, bounds, view.most_side) > 0.0;
}

mc_glass_group load_group(uint index) {
    uvec4 low = load_glass(texels_before_groups + int(index) * 2);
    uvec4 high = load_glass(texels_before_groups + int(index) * 2 + 1);
    return mc_glass_group(uintBitsToFloat(low.x), uintBitsToFloat(low.y), uintBitsToFloat(low.z),
                          low.w, uintBitsToFloat(high.x), uintBitsToFloat(high.y),
                          uintBitsToFloat(high.z), 0u);
}

void main() {
    mat4 matrix = frame.view_projection;
    float scale = 0.5 * max(length(vec3(matrix[0].x, matrix[1].x, matrix[2].x)) * frame.viewport.x,
                            length(vec3(matrix[0].y, matrix[1].y, matrix[2].y)) * frame.viewport.y);
    glass_view view =
        glass_view(matrix, matrix[0].xyw, matrix[1].xyw, matrix[2].xyw, frame.eye.xyz, frame.eye.w,
                   get_glass_tile(frame.viewport.xy), scale,
                   glass_most_side * frame.frustum_look.y, frame.viewport.xy);
    uint group_index = cull.first / (MC_CULL_GROUP_SIZE * MC_SPLAT_BOXES) + gl_WorkGroupID.x;
    mc_glass_group group = load_group(group_index);
    if (gl_LocalInvocationIndex == 0u) may_be_any = is_any = 0u;
    barrier();
    if (cull.is_in_transition != 0u || may_be_before_mark(view, group)) may_be_any = 1u;
    barrier();
    // A software driver runs both sides of a branch, but no loop that all are done with.
    uint steps = may_be_any + group.has_glass > 0u ? MC_SPLAT_BOXES : 0u;
    uint count = cull.count, bits = 0u;
    for (uint i = 0u; i < steps; i++) {
        uint index = get_index(i);
        seen_box box = load_box(index < count ? index : 0u, view.eye);
        bool is_glass = box.opacity < 1.0 || may_be_before(box, view);
        if (index < count && box.height > 0.0 && is_glass) bits |= 1u << i;
    }
    // Seldom: once for all of them.
    while (bits != 0u) {
        set_opacity(get_index(uint(findLSB(bits))), view);
        bits &= bits - 1u;
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u && steps > 0u) groups[group_index].has_glass = is_any;
}
