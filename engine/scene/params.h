// params.h - from what is wished of the looks to the parameters of the update pass.
//
// For the window and for pictures alike. What moves (blend, glide, jump) is left at rest, and
// styles are for mc_legend_apply(). Pure. Threads: any.
#pragma once
#include "engine/city/evaluate.h"
#include "engine/scene/look.h"

mc_update_params mc_scene_get_params(const mc_look *look, const mc_city *city,
                                     mc_structure selected); // may be MC_STRUCTURE_NONE
