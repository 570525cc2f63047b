// frustum_pass.h - draws references as truncated cones from roof to roof, with arrows on them, and
// streets flat on the ground.
//
// A frustum is an instance of a mesh of a few triangles, whose vertices are pulled from the boxes
// at its ends: so it follows them when they move (engine/city/frustum.h is the same on the CPU).
// Only front faces are drawn. Frustums that are thin on the screen get fewer triangles; where there
// are many, they get no more than needed to show the shape, or are drawn as strands
// (strand_pass.h). Parts behind opaque boxes show through faintly. Threads: the renderer's.
#pragma once
#include "engine/render/city/strand_pass.h"
#include "engine/render/core/bindings.h"
#include "engine/render/core/target.h"
#include "engine/scene/scene.h"

#define MC_FRUSTUM_CLASS_COUNT 13 // of frustums that are drawn alike
#define MC_FRUSTUM_CROWD 500u     // from so many on, they cost more than the city

typedef struct mc_frustum_pass {
    mc_pipeline *visible[2],
        *hidden[2];        // where nothing is in front; where something is; 1: thin ones
    mc_pipeline *heads[2]; // of arrows at their ends: where nothing is in front, where something is
    mc_buffer indices;     // of the classes' meshes, one after the other
    mc_buffer buffers[MC_FRAME_COUNT];
    // Of the frame that was prepared last: how many of a class, and each one's.
    uint32_t counts[MC_FRUSTUM_CLASS_COUNT];
    uint8_t *classes;
    size_t class_capacity;
    mc_strand_pass strands;
} mc_frustum_pass;

// What frustums are drawn into.
typedef struct mc_frustum_picture {
    uint32_t width, height; // pixels
    bool by_strands;        // thin ones by a compute shader, if it can and there are many
} mc_frustum_picture;

mc_result mc_frustum_pass_create(mc_frustum_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                 uint32_t samples, mc_error *error);
void mc_frustum_pass_destroy(mc_frustum_pass *pass, const mc_gpu *gpu);

// Copies the scene's frustums into the frame's buffer, which the GPU must not be using. Those whose
// ends are not among `box_count` boxes are left out. `city`: that the boxes are of; NULL: none.
mc_result mc_frustum_pass_prepare(mc_frustum_pass *pass, mc_frames *frames, const mc_frame *frame,
                                  const mc_scene *scene, const mc_city *city, uint32_t box_count,
                                  const mc_frustum_picture *picture, mc_error *error);
const mc_buffer *mc_frustum_pass_get_buffer(const mc_frustum_pass *pass, uint32_t frame_index);

// Outside rendering, with the frame's set bound for compute, once the boxes are made.
void mc_frustum_pass_record_strands(const mc_frustum_pass *pass, const mc_gpu *gpu,
                                    const mc_bindings *bindings, VkCommandBuffer commands);
// Inside rendering into `target`, with the frame's set bound, after all boxes.
void mc_frustum_pass_record(const mc_frustum_pass *pass, const mc_gpu *gpu,
                            const mc_bindings *bindings, const mc_frame *frame,
                            const mc_target *target);
