// label_places.h - finds the districts and roofs that are large enough in the picture for their
// names, and the names' places.
//
// A district's name is on the rim that faces the eye, in the middle of its visible part; all
// districts use the same rim, so the names are easy to find. A roof's name is in its middle. Names
// fade in with the drawn size. A walk through the treemap's cuts skips what is outside the picture
// or too small, so the cost depends on what is named, however large the city. Threads: any.
#pragma once
#include "engine/city/pick.h"
#include "engine/scene/camera.h"
#include "engine/scene/ground_text.h"
#include "engine/scene/theme.h"

// A city as it is drawn now; everything must live while labels are made.
typedef struct mc_label_scene {
    const mc_city *city;
    const mc_update_params *params;
    const uint64_t *from, *to; // counts, columns over buildings
    const mc_camera *camera;
    float scale;           // of text, 1 on a plain screen
    const mc_theme *theme; // NULL: all names have plates
} mc_label_scene;

#define MC_LABEL_MOST_WIDTH 180 // of a name over a roof that is less wide; at a scale of 1

typedef enum mc_label_rank {
    MC_LABEL_SELECTED,    // whatever else had a name before
    MC_LABEL_WANTED,      // asked for
    MC_LABEL_OUTSTANDING, // of what stands out
    MC_LABEL_SMALL,       // of what does, seen from above as less than a name: beside that
    MC_LABEL_NEAR         // of what is large in the picture; the larger come first
} mc_label_rank;

typedef struct mc_label {
    uint32_t node; // whose name it is
    mc_label_rank rank;
    uint32_t number;  // of a stop of the walk, from 1; 0: it is none
    float x, y;       // the text's centre is above it, or there if `flat`
    float most_width; // of the text
    float over_width; // of the text over its roof, if it is torn on it; 0: it stays there
    float height;     // of the building below that; 0: it is none
    float opacity;    // 0 to 1
    bool strong, flat;
    uint32_t ink, halo;    // RGBA8, of a name without a plate; 0: it has one
    float ink_width;       // of the text, up to which it needs none
    mc_ground_text ground; // how it lies on the ground, if it does
    uint32_t half;         // of two cities side by side: 1 or 2; 0: there is one
    bool is_whole;         // it is all of that one
} mc_label;

enum { MC_LABEL_MOST_NEAR = 256 }; // that are looked at, the largest

typedef struct mc_label_place {
    mc_structure structure;
    float size; // in the picture: the root of its area, pixels
} mc_label_place;

// Whether only translucent buildings stand between the eye and a point of a building or, for
// MC_NONE, of a district's floor. As fast as mc_city_pick().
bool mc_label_is_seen(const mc_label_scene *scene, const double point[3], uint32_t building);

// How wide a text of `height` pixels may be in the middle of a box's roof; pixels. 0: there is no
// room, or no roof in the picture.
double mc_label_get_roof_room(const mc_label_scene *scene, mc_box box, double height);

// How wide the rim of a district is around what stands in it; world units.
double mc_label_get_border(const mc_city *city, uint32_t district);

// Clips the way from `from` to `to` to what is in the picture, and finds the point in the middle of
// its image. False: none of it is in the picture.
bool mc_label_clip(const mc_label_scene *scene, double from[3], double to[3], double middle[3]);

// What is large enough, the largest first. `places` has room for MC_LABEL_MOST_NEAR.
uint32_t mc_label_find_near(const mc_label_scene *scene, bool has_roofs, mc_label_place *places);

// The name of one of them. False: it has no room, or is hidden where it would stand.
bool mc_label_place_name(const mc_label_scene *scene, mc_structure structure, mc_label *label);
