#include "engine/render/core/enlarge_pass.h"

#include "engine/gpu/device.h"

#include "enlarge.frag.inc"
#include "enlarge.vert.inc"
#include "enlarge_depth.frag.inc"

enum { COLORS, DEPTHS, SOURCE_COUNT };

static mc_result create_sets(mc_enlarge_pass *pass, mc_gpu *gpu, mc_error *error) {
    mc_result result = MC_OK;
    VkDescriptorSetLayoutBinding items[SOURCE_COUNT];
    for (uint32_t i = 0; i < SOURCE_COUNT; i++) {
        VkFilter filter = i == COLORS ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
        MC_TRY(mc_sampler_create(gpu, filter, "enlarge", &pass->samplers[i], error));
        items[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                  .descriptorType =
                                                      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                  .pImmutableSamplers = &pass->samplers[i]};
    }
    MC_TRY(mc_descriptor_sets_create(gpu, items, SOURCE_COUNT, MC_FRAME_COUNT, "enlarge",
                                     &pass->sets, error));
fail:
    return result;
}

mc_result mc_enlarge_pass_create(mc_enlarge_pass *pass, mc_gpu *gpu, mc_error *error) {
    mc_result result = MC_OK;
    *pass = (mc_enlarge_pass){0};
    MC_TRY(create_sets(pass, gpu, error));
    MC_TRY(mc_pipeline_create_layout(gpu, &pass->sets.layout, 1, 0, 0, "enlarge", &pass->layout,
                                     error));
    mc_graphics_desc desc = {.vertex = MC_SHADER_CODE(enlarge_vert),
                             .fragment = MC_SHADER_CODE(enlarge_depth_frag),
                             .layout = pass->layout,
                             .depth_format = MC_TARGET_DEPTH_FORMAT,
                             .samples = 1,
                             .depth_test = true,
                             .depth_write = true,
                             .name = "enlarge depth"};
    MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->depth, error));
    desc.fragment = MC_SHADER_CODE(enlarge_frag);
    desc.color_format = MC_TARGET_PLAIN_FORMAT;
    desc.depth_format = VK_FORMAT_UNDEFINED;
    desc.depth_test = desc.depth_write = false;
    desc.name = "enlarge colour";
    MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->color, error));
    return MC_OK;
fail:
    mc_enlarge_pass_destroy(pass, gpu);
    return result;
}

void mc_enlarge_pass_destroy(mc_enlarge_pass *pass, const mc_gpu *gpu) {
    mc_pipeline_destroy(pass->depth);
    mc_pipeline_destroy(pass->color);
    if (pass->layout) vkDestroyPipelineLayout(gpu->device, pass->layout, NULL);
    mc_descriptor_sets_destroy(&pass->sets, gpu);
    for (uint32_t i = 0; i < SOURCE_COUNT; i++)
        if (pass->samplers[i]) vkDestroySampler(gpu->device, pass->samplers[i], NULL);
    *pass = (mc_enlarge_pass){0};
}

static void write_sources(const mc_enlarge_pass *pass, const mc_gpu *gpu, const mc_frame *frame,
                          const mc_target *small) {
    mc_descriptor_sets_write_image(
        &pass->sets, gpu, frame->index, COLORS, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        small->color.second_view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    mc_descriptor_sets_write_image(&pass->sets, gpu, frame->index, DEPTHS,
                                   VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, small->depth.view,
                                   VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL);
}

static void record_draw(const mc_enlarge_pass *pass, const mc_frame *frame, mc_pipeline *pipeline) {
    mc_pipeline_record_bind(pipeline, frame->commands);
    vkCmdBindDescriptorSets(frame->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pass->layout, 0, 1,
                            &pass->sets.items[frame->index], 0, NULL);
    vkCmdDraw(frame->commands, 6, 1, 0, 0);
}

static bool is_whole(const mc_target *target, VkRect2D area) {
    return area.extent.width == target->width && area.extent.height == target->height;
}

void mc_enlarge_pass_record(const mc_enlarge_pass *pass, const mc_gpu *gpu, const mc_frame *frame,
                            const mc_target *small, mc_target *target,
                            const mc_enlarge_areas *areas) {
    VkCommandBuffer commands = frame->commands;
    mc_gpu_begin_label(gpu, commands, "enlarge");
    write_sources(pass, gpu, frame, small);
    if (areas->depth.extent.width > 0) {
        target->area = areas->depth;
        mc_target_record_begin_depth(target, commands);
        record_draw(pass, frame, pass->depth);
        mc_target_record_end(target, commands);
        target->area = (VkRect2D){0};
    }
    if (is_whole(target, areas->color)) {
        mc_target_record_begin_plain(target, commands);
    } else {
        mc_target_record_paste(target, commands, &target->backdrop);
        target->area = areas->color;
        mc_target_record_begin_ui(target, commands); // colours as encoded
    }
    record_draw(pass, frame, pass->color);
    mc_target_record_end(target, commands);
    target->area = (VkRect2D){0};
    mc_gpu_end_label(gpu, commands);
}
