// glass_pass.h - turns to glass what stands before the buildings that matter: those that grew the
// most, what is selected, and the stops of a walk to a root cause.
//
// Two compute dispatches: where those boxes are in the picture, then for each building whether it
// is before one of them. What is glass is marked in the frame's list, whose places are behind it
// (draw_lists.h), so that the cull pass's compaction keeps the painter's order. Opacities of boxes
// and colours are overwritten, all others being opaque (MC_UPDATE_GLASS). Threads: the renderer's.
#pragma once
#include "engine/render/city/box_windows.h"
#include "engine/render/city/draw_lists.h"
#include "engine/scene/scene.h"

typedef struct mc_glass_pass {
    mc_pipeline *marks, *choose;
} mc_glass_pass;

mc_result mc_glass_pass_create(mc_glass_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                               const mc_box_windows *windows, mc_error *error);
void mc_glass_pass_destroy(mc_glass_pass *pass);

// What the pass reads and writes for a city (NULL: an empty one). On failure `buffer` is zeroed.
mc_result mc_glass_buffer_create(mc_gpu *gpu, const mc_city *city, mc_buffer *buffer,
                                 mc_error *error);

// Which boxes are to be seen, in the frame's uniforms.
void mc_glass_set_boxes(mc_frame_uniforms *uniforms, const mc_scene *scene,
                        const mc_draw_lists *lists);

// Outside rendering, after the update pass and the reset of the kept boxes, with the frame's set
// bound for compute; for a plan that says it has glass.
void mc_glass_pass_record(const mc_glass_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                          const mc_box_windows *windows, const mc_buffer *buffer,
                          const mc_update_params *params, const mc_frame *frame);
