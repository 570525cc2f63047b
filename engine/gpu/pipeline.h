// pipeline.h - creates pipelines from SPIR-V words, with the settings that all of memcity's passes
// share.
//
// Viewport, scissor and rendering formats are given at draw time or by the desc; no vertex input:
// shaders pull vertices from storage buffers.
#pragma once
#include "engine/gpu/gpu.h"

typedef struct mc_shader_code {
    const uint32_t *words;
    size_t size; // bytes
} mc_shader_code;

#define MC_SHADER_CODE(array) ((mc_shader_code){(array), sizeof(array)})

typedef struct mc_graphics_desc {
    mc_shader_code vertex, fragment;
    VkPipelineLayout layout;
    VkFormat color_format, depth_format; // depth VK_FORMAT_UNDEFINED: none
    uint32_t samples;
    bool depth_test, depth_write; // reversed: greater or equal passes
    bool depth_behind;            // what passes is what is behind something instead
    bool depth_before;            // greater alone passes
    float depth_slope;            // nearer by so many pixels' worth of the triangle's slope
    bool blend;                   // colours multiplied by their alpha already
    bool cull_back;               // front faces are counter-clockwise as seen
    const uint32_t *constants;    // specialization constants 0, 1, ... of both shaders
    uint32_t constant_count;
    const char *name;
} mc_graphics_desc;

// `push_size` bytes of push constants, for the same stages; 0: none.
mc_result mc_pipeline_create_layout(mc_gpu *gpu, const VkDescriptorSetLayout *sets,
                                    uint32_t set_count, VkShaderStageFlags stages,
                                    uint32_t push_size, const char *name, VkPipelineLayout *layout,
                                    mc_error *error);
mc_result mc_pipeline_create_graphics(mc_gpu *gpu, const mc_graphics_desc *desc,
                                      VkPipeline *pipeline, mc_error *error);
mc_result mc_pipeline_create_compute(mc_gpu *gpu, mc_shader_code code, VkPipelineLayout layout,
                                     const char *name, VkPipeline *pipeline, mc_error *error);
// How many invocations in groups of that size one dispatch may have along one axis.
uint32_t mc_pipeline_get_most_invocations(const mc_gpu *gpu, uint32_t group_size);
// With specialization constants 0, 1, ...
mc_result mc_pipeline_create_variant(mc_gpu *gpu, mc_shader_code code, const uint32_t *constants,
                                     uint32_t constant_count, VkPipelineLayout layout,
                                     const char *name, VkPipeline *pipeline, mc_error *error);
