// bindings.h - the descriptor set shared by all passes over the city, two for each frame in flight:
// one for the picture, one for a smaller picture of the same scene (with other mc_frame_uniforms).
//
// Numbers of bindings: shaders/shared/frame_types.h. Threads: the renderer's.
#pragma once
#include "engine/gpu/buffer.h"
#include "engine/gpu/descriptors.h"
#include "engine/gpu/frame.h"
#include "engine/gpu/pipeline.h"
#include "shaders/shared/frame_types.h"

typedef struct mc_bindings {
    mc_descriptor_sets sets;
    // A little of each kind of texels, for what is bound and not read.
    mc_buffer no_floats, no_words;
    VkPipelineLayout layout; // with the largest push constants, for every stage
} mc_bindings;

mc_result mc_bindings_init(mc_bindings *bindings, mc_gpu *gpu, mc_error *error);
void mc_bindings_deinit(mc_bindings *bindings, const mc_gpu *gpu); // zeroed is fine

// A pipeline layout with another set, 1, beside the shared one, which stays bound, as do push
// constants.
mc_result mc_bindings_extend(const mc_bindings *bindings, mc_gpu *gpu, VkDescriptorSetLayout set_1,
                             const char *name, VkPipelineLayout *layout, mc_error *error);

// Which of a frame's sets; without `is_small` it is the frame's index.
static inline uint32_t mc_bindings_get_set(const mc_frame *frame, bool is_small) {
    return frame->index + (is_small ? MC_FRAME_COUNT : 0);
}

// Points a frame's set, which the GPU must not be using, to `buffers`, by binding. NULL and those
// without a handle: there is none now, and nothing reads it.
void mc_bindings_write(const mc_bindings *bindings, const mc_gpu *gpu, uint32_t set,
                       const mc_buffer *const buffers[MC_BINDING_COUNT]);

// What all pipelines have in common that draw the city into a target: the formats, and a test
// against its depth. What they write, blend or cull, and the name, is up to the pass.
mc_graphics_desc mc_bindings_get_pipeline(const mc_bindings *bindings, uint32_t samples,
                                          mc_shader_code vertex, mc_shader_code fragment);

// Sets the first `size` bytes of the push constants.
void mc_bindings_record_push(const mc_bindings *bindings, VkCommandBuffer commands,
                             const void *constants, uint32_t size);
