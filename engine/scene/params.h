// params.h - converts the appearance settings to parameters of the update pass, and to a scene.
//
// For the window and for pictures alike. Pure. Threads: any.
#pragma once
#include "engine/city/evaluate.h"
#include "engine/scene/camera.h"
#include "engine/scene/look.h"
#include "engine/scene/scene.h"

// What moves (blend, transition, jump) is left at rest, and styles are for mc_legend_apply().
mc_update_params mc_scene_get_params(const mc_look *look, const mc_city *city,
                                     mc_structure selected); // may be MC_STRUCTURE_NONE

// What is selected beside that, as many as MC_MORE_SELECTED_MOST.
void mc_scene_select_more(mc_update_params *params, const mc_city *city, const mc_structure *more,
                          uint32_t count);

// Frustums may be NULL: none; they are not copied.
mc_scene mc_scene_make(const mc_look *look, const mc_camera *camera, const mc_update_params *params,
                       mc_structure hovered, mc_structure selected, const mc_frustums *frustums);
