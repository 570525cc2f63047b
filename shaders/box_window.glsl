// box_window.glsl - boxes and colours to be written: those from the push constants' first one on.
#ifndef MC_BOX_WINDOW_GLSL
#define MC_BOX_WINDOW_GLSL

#include "shaders/shared/frame_types.h"

layout(set = 1, binding = MC_BINDING_WINDOW_BOXES, std430) writeonly buffer Boxes {
    mc_box boxes[];
};
layout(set = 1, binding = MC_BINDING_WINDOW_COLORS, std430) writeonly buffer Colors {
    mc_color colors[];
};

#endif
