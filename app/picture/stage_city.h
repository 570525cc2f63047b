// stage_city.h - the part of a stage (stage.h) that is for cities: what stands out, the camera.
#pragma once
#include "app/picture/stage_state.h"

// Once the city is laid out. Returns MC_EXIT_OK, or the exit code after saying why not.
int mc_stage_begin_city(mc_stage *stage);
