#include "engine/gpu/pipeline.h"

#include "engine/base/memory.h"
#include "engine/gpu/device.h"
#include "shaders/shared/device_types.h"
#include <string.h>

enum { LARGEST_CONSTANT_COUNT = 4 };

// The recipe, until it is built.
struct mc_pipeline {
    mc_gpu *gpu;
    VkPipeline handle; // VK_NULL_HANDLE: not built
    bool has_failed;
    mc_graphics_desc desc;  // of compute: layout, constants and name
    mc_shader_code compute; // size 0: graphics
    uint32_t constants[LARGEST_CONSTANT_COUNT];
    mc_pipeline *previous, *next; // of the device's
};

static mc_result create_module(const mc_gpu *gpu, mc_shader_code code, const char *name,
                               VkShaderModule *module, mc_error *error) {
    mc_result result = MC_OK;
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = code.size,
        .pCode = code.words,
    };
    MC_VK(vkCreateShaderModule(gpu->device, &info, NULL, module));
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_SHADER_MODULE, MC_HANDLE(*module), "%s shader", name);
fail:
    return result;
}

// The fixed states, with viewport and scissor set while recording.
static mc_result create_from_stages(const mc_gpu *gpu, const mc_graphics_desc *desc,
                                    const VkPipelineShaderStageCreateInfo stages[2],
                                    VkPipeline *pipeline, mc_error *error) {
    mc_result result = MC_OK;
    bool has_depth = desc->depth_format != VK_FORMAT_UNDEFINED;
    uint32_t color_count = desc->color_format != VK_FORMAT_UNDEFINED ? 1 : 0;
    VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1};
    VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .polygonMode = VK_POLYGON_MODE_FILL,
        .cullMode = desc->cull_back ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE,
        .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
        .depthBiasEnable = desc->depth_slope != 0.0f,
        .depthBiasSlopeFactor = desc->depth_slope,
        .lineWidth = 1.0f};
    VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = (VkSampleCountFlagBits)desc->samples};
    VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = desc->depth_test,
        .depthWriteEnable = desc->depth_write,
        .depthCompareOp = desc->depth_behind   ? VK_COMPARE_OP_LESS
                          : desc->depth_before ? VK_COMPARE_OP_GREATER
                                               : VK_COMPARE_OP_GREATER_OR_EQUAL};
    VkPipelineColorBlendAttachmentState attachment = {
        .blendEnable = desc->blend,
        .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .colorBlendOp = VK_BLEND_OP_ADD,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .alphaBlendOp = VK_BLEND_OP_ADD,
        .colorWriteMask = desc->fragment.size == 0
                              ? 0
                              : VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                                    VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT};
    VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = color_count,
        .pAttachments = &attachment};
    VkDynamicState dynamics[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 2,
        .pDynamicStates = dynamics};
    VkPipelineRenderingCreateInfo rendering = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .colorAttachmentCount = color_count,
                                               .pColorAttachmentFormats = &desc->color_format,
                                               .depthAttachmentFormat = desc->depth_format};
    VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &rendering,
        .stageCount = desc->fragment.size == 0 ? 1 : 2,
        .pStages = stages,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewport,
        .pRasterizationState = &raster,
        .pMultisampleState = &multisample,
        .pDepthStencilState = has_depth ? &depth : NULL,
        .pColorBlendState = &blend,
        .pDynamicState = &dynamic,
        .layout = desc->layout,
    };
    MC_VK(vkCreateGraphicsPipelines(gpu->device, VK_NULL_HANDLE, 1, &info, NULL, pipeline));
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_PIPELINE, MC_HANDLE(*pipeline), "%s", desc->name);
fail:
    return result;
}

// The pass's own and what every shader may ask of the device.
typedef struct shader_constants {
    uint32_t values[LARGEST_CONSTANT_COUNT + MC_DEVICE_CONSTANT_COUNT];
    VkSpecializationMapEntry entries[LARGEST_CONSTANT_COUNT + MC_DEVICE_CONSTANT_COUNT];
} shader_constants;

// `all` has to live as long as the result.
static VkSpecializationInfo get_constants(const mc_gpu *gpu, const uint32_t *constants,
                                          uint32_t count, shader_constants *all) {
    assert(count <= LARGEST_CONSTANT_COUNT);
    uint32_t total = count + MC_DEVICE_CONSTANT_COUNT, ids[MC_DEVICE_CONSTANT_COUNT];
    ids[0] = MC_CONSTANT_READS_TEXELS;
    ids[1] = MC_CONSTANT_SUBPIXELS;
    all->values[count] = gpu->reads_texels;
    memcpy(&all->values[count + 1], &gpu->subpixels, sizeof gpu->subpixels);
    for (uint32_t i = 0; i < total; i++) {
        if (i < count) all->values[i] = constants[i];
        uint32_t id = i < count ? i : ids[i - count];
        all->entries[i] = (VkSpecializationMapEntry){id, i * 4, 4};
    }
    return (VkSpecializationInfo){total, all->entries, (size_t)total * 4, all->values};
}

mc_result mc_pipeline_create_layout(mc_gpu *gpu, const VkDescriptorSetLayout *sets,
                                    uint32_t set_count, VkShaderStageFlags stages,
                                    uint32_t push_size, const char *name, VkPipelineLayout *layout,
                                    mc_error *error) {
    mc_result result = MC_OK;
    VkPushConstantRange push = {.stageFlags = stages, .size = push_size};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = set_count,
                                       .pSetLayouts = sets,
                                       .pushConstantRangeCount = push_size > 0,
                                       .pPushConstantRanges = &push};
    MC_VK(vkCreatePipelineLayout(gpu->device, &info, NULL, layout));
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_PIPELINE_LAYOUT, MC_HANDLE(*layout), "%s pipeline layout",
                    name);
fail:
    return result;
}

static mc_result build_graphics(mc_pipeline *self, mc_error *error) {
    mc_result result = MC_OK;
    const mc_gpu *gpu = self->gpu;
    const mc_graphics_desc *desc = &self->desc;
    VkShaderModule vertex = VK_NULL_HANDLE, fragment = VK_NULL_HANDLE;
    MC_TRY(create_module(gpu, desc->vertex, desc->name, &vertex, error));
    if (desc->fragment.size > 0)
        MC_TRY(create_module(gpu, desc->fragment, desc->name, &fragment, error));
    shader_constants all;
    VkSpecializationInfo constants =
        get_constants(gpu, desc->constants, desc->constant_count, &all);
    VkPipelineShaderStageCreateInfo stages[] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = vertex,
         .pName = "main",
         .pSpecializationInfo = &constants},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = fragment,
         .pName = "main",
         .pSpecializationInfo = &constants},
    };
    MC_TRY(create_from_stages(gpu, desc, stages, &self->handle, error));
fail:
    if (vertex) vkDestroyShaderModule(gpu->device, vertex, NULL);
    if (fragment) vkDestroyShaderModule(gpu->device, fragment, NULL);
    return result;
}

static mc_result build_compute(mc_pipeline *self, mc_error *error) {
    mc_result result = MC_OK;
    const mc_gpu *gpu = self->gpu;
    const mc_graphics_desc *desc = &self->desc;
    VkShaderModule module = VK_NULL_HANDLE;
    MC_TRY(create_module(gpu, self->compute, desc->name, &module, error));
    shader_constants all;
    VkSpecializationInfo constants =
        get_constants(gpu, desc->constants, desc->constant_count, &all);
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = desc->layout,
    };
    MC_VK(vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &info, NULL, &self->handle));
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_PIPELINE, MC_HANDLE(self->handle), "%s", desc->name);
fail:
    if (module) vkDestroyShaderModule(gpu->device, module, NULL);
    return result;
}

static mc_result build(mc_pipeline *self, mc_error *error) {
    mc_result result =
        self->compute.size > 0 ? build_compute(self, error) : build_graphics(self, error);
    self->has_failed = result != MC_OK;
    return result;
}

static mc_result create(mc_gpu *gpu, const mc_graphics_desc *desc, mc_shader_code compute,
                        mc_pipeline **pipeline, mc_error *error) {
    assert(desc->constant_count <= LARGEST_CONSTANT_COUNT);
    mc_pipeline *self = mc_alloc(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    *self = (mc_pipeline){.gpu = gpu, .desc = *desc, .compute = compute, .next = gpu->pipelines};
    if (desc->constant_count > 0)
        memcpy(self->constants, desc->constants, desc->constant_count * sizeof *self->constants);
    self->desc.constants = self->constants;
    if (self->next) self->next->previous = self;
    gpu->pipelines = self;
    *pipeline = self;
    return MC_OK;
}

mc_result mc_pipeline_create_graphics(mc_gpu *gpu, const mc_graphics_desc *desc,
                                      mc_pipeline **pipeline, mc_error *error) {
    return create(gpu, desc, (mc_shader_code){0}, pipeline, error);
}

mc_result mc_pipeline_create_compute(mc_gpu *gpu, mc_shader_code code, VkPipelineLayout layout,
                                     const char *name, mc_pipeline **pipeline, mc_error *error) {
    return mc_pipeline_create_variant(gpu, code, NULL, 0, layout, name, pipeline, error);
}

mc_result mc_pipeline_create_variant(mc_gpu *gpu, mc_shader_code code, const uint32_t *constants,
                                     uint32_t constant_count, VkPipelineLayout layout,
                                     const char *name, mc_pipeline **pipeline, mc_error *error) {
    const mc_graphics_desc desc = {
        .layout = layout, .constants = constants, .constant_count = constant_count, .name = name};
    return create(gpu, &desc, code, pipeline, error);
}

void mc_pipeline_destroy(mc_pipeline *self) {
    if (!self) return;
    if (self->handle) vkDestroyPipeline(self->gpu->device, self->handle, NULL);
    if (self->next) self->next->previous = self->previous;
    *(self->previous ? &self->previous->next : &self->gpu->pipelines) = self->next;
    mc_free(self);
}

void mc_pipeline_record_bind(mc_pipeline *self, VkCommandBuffer commands) {
    mc_gpu *gpu = self->gpu;
    if (!self->handle && gpu->pipeline_error.code == MC_OK) (void)build(self, &gpu->pipeline_error);
    if (!self->handle) return;
    vkCmdBindPipeline(commands,
                      self->compute.size > 0 ? VK_PIPELINE_BIND_POINT_COMPUTE
                                             : VK_PIPELINE_BIND_POINT_GRAPHICS,
                      self->handle);
}

mc_result mc_pipelines_check(const mc_gpu *gpu, mc_error *error) {
    if (gpu->pipeline_error.code != MC_OK && error) *error = gpu->pipeline_error;
    return gpu->pipeline_error.code;
}

bool mc_pipeline_build(mc_pipeline *self) {
    if (!self || self->handle || self->has_failed) return false;
    (void)build(self, &(mc_error){0});
    return true;
}

bool mc_pipelines_build_next(mc_gpu *gpu) {
    for (mc_pipeline *one = gpu->pipelines; one; one = one->next)
        if (mc_pipeline_build(one)) return !one->has_failed;
    return false;
}

uint32_t mc_pipeline_get_most_invocations(const mc_gpu *gpu, uint32_t group_size) {
    uint64_t most = (uint64_t)gpu->limits.maxComputeWorkGroupCount[0] * group_size;
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX - UINT32_MAX % group_size;
}
