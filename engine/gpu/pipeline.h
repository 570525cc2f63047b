// pipeline.h - pipelines from SPIR-V words, with the settings that all of memcity's passes share.
//
// A pipeline is built when it is bound first: drivers take 1 to 40 ms for one, and a picture needs
// a fifth of all. What can fail while commands are recorded is told afterwards, by
// mc_pipelines_check(). Threads: the one that owns the mc_gpu.
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
    mc_shader_code vertex, fragment; // no words of a fragment shader: depth alone is written
    VkPipelineLayout layout;
    VkFormat color_format, depth_format; // VK_FORMAT_UNDEFINED: none
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

typedef struct mc_pipeline mc_pipeline;

// `push_size` bytes of push constants, for the same stages; 0: none.
mc_result mc_pipeline_create_layout(mc_gpu *gpu, const VkDescriptorSetLayout *sets,
                                    uint32_t set_count, VkShaderStageFlags stages,
                                    uint32_t push_size, const char *name, VkPipelineLayout *layout,
                                    mc_error *error);
// Words of shaders, the layout and the name have to live as long as the pipeline; constants are
// copied. MC_ERROR_OUT_OF_MEMORY is all that can go wrong so early.
mc_result mc_pipeline_create_graphics(mc_gpu *gpu, const mc_graphics_desc *desc,
                                      mc_pipeline **pipeline, mc_error *error);
mc_result mc_pipeline_create_compute(mc_gpu *gpu, mc_shader_code code, VkPipelineLayout layout,
                                     const char *name, mc_pipeline **pipeline, mc_error *error);
// With specialization constants 0, 1, ...
mc_result mc_pipeline_create_variant(mc_gpu *gpu, mc_shader_code code, const uint32_t *constants,
                                     uint32_t constant_count, VkPipelineLayout layout,
                                     const char *name, mc_pipeline **pipeline, mc_error *error);
void mc_pipeline_destroy(mc_pipeline *pipeline); // NULL is fine

// Builds it if need be; if that fails nothing is bound.
void mc_pipeline_record_bind(mc_pipeline *pipeline, VkCommandBuffer commands);
// Why a pipeline could not be built, from the first failure on. Commands that were recorded without
// it must not be submitted.
mc_result mc_pipelines_check(const mc_gpu *gpu, mc_error *error);
// Builds it if that was not tried yet. Returns whether there was something to build; a failure is
// left to who binds it. NULL is fine.
bool mc_pipeline_build(mc_pipeline *pipeline);
// Builds one of the device's that was not needed yet, while there is nothing else to do; false:
// there was none. A failure is left to who binds it.
bool mc_pipelines_build_next(mc_gpu *gpu);

// How many invocations in groups of that size one dispatch may have along one axis.
uint32_t mc_pipeline_get_most_invocations(const mc_gpu *gpu, uint32_t group_size);
