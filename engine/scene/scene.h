// scene.h - one picture as input of the renderer: the camera, what is drawn, and how.
//
// Plain data, made from the settings by the other files of this folder. Threads: any.
#pragma once

#include "engine/base/vector.h"
#include "engine/city/frustum.h"
#include "engine/scene/flat_scene.h"
#include "engine/scene/theme.h"

// Where the eye is: a perspective with its centre at `eye`. Matrices are column-major, clip space
// is Vulkan's (y down, depth 0 at the far plane: reversed z).
typedef struct mc_camera_view {
    vec4 view_projection[4];
    vec3 eye;
} mc_camera_view;

// How finely a window draws its city while the camera moves.
typedef enum mc_moving {
    MC_MOVING_AUTO, // at half the resolution where whole frames take long
    MC_MOVING_FULL,
    MC_MOVING_HALF,
    MC_MOVING_COUNT
} mc_moving;

#define MC_BEACON_CAPACITY 40

// A column of light over a point of the city; sizes are in pixels of the picture (beacons.h).
typedef struct mc_beacon {
    float foot[3]; // world units
    float opacity;
    float color[3]; // sRGB-encoded
} mc_beacon;

typedef struct mc_beacons {
    float half_width, height;
    uint32_t count; // the most important ones first
    mc_beacon items[MC_BEACON_CAPACITY];
} mc_beacons;

#define MC_UNIT_MARK_CAPACITY 32

// A structure that comes with what is selected, or the part of it that does.
typedef struct mc_unit_mark {
    mc_structure structure;
    float share; // of its height; 1: all of it
} mc_unit_mark;

// One frame. `params` is what the update pass gets; the pass runs only if params or counts have
// changed since the last frame.
typedef struct mc_scene {
    mc_camera_view view;
    mc_update_params params;
    mc_theme theme;
    mc_structure hovered;
    mc_structure selected;                             // drawn with a rim that shows through
    mc_structure more_selected[MC_MORE_SELECTED_MOST]; // beside it, likewise
    uint32_t more_selected_count;
    mc_unit_mark unit[MC_UNIT_MARK_CAPACITY]; // drawn with a thin rim
    uint32_t unit_count;
    float pixel_scale; // how wide lines are: rims, thin frustums, arrows; 1 on a plain screen
    bool edges;
    bool light; // shadows of the sun and of the sky, in pictures and where nothing moves
    const mc_frustum *frustums; // engine/city/frustum.h; copied
    uint32_t frustum_count;
    const mc_city_markers *markers; // of GC roots; NULL: none
    const uint32_t *leading;        // buildings that stand out instead of those that grew the most
    uint32_t leading_count;         // 0: those do
    const mc_beacons *beacons;      // over what is too small to be found; NULL: none
    double time_s;                  // arrows along frustums move with it; kept still: they stand
    // Instead of the city: sunbursts and icicles. NULL: the city.
    const mc_flat_scene *flat;
} mc_scene;
