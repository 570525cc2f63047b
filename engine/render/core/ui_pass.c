#include "engine/render/core/ui_pass.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"
#include "engine/render/core/target.h"
#include <string.h>

#include "ui.frag.inc"
#include "ui.vert.inc"

_Static_assert(sizeof(mc_ui_vertex) == 20, "as struct ui_vertex in shaders/ui.vert");

static mc_result create_sets(mc_ui_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                             mc_error *error) {
    mc_result result = MC_OK;
    VkDescriptorSetLayoutBinding items[] = {
        {.binding = MC_BINDING_UI_VERTICES,
         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
         .descriptorCount = 1,
         .stageFlags = VK_SHADER_STAGE_VERTEX_BIT},
        {.binding = MC_BINDING_UI_TEXTURE,
         .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
         .descriptorCount = 1,
         .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
         .pImmutableSamplers = &pass->sampler},
    };
    MC_TRY(mc_descriptor_sets_create(gpu, items, 2, MC_FRAME_COUNT, "ui", &pass->sets, error));
    MC_TRY(mc_bindings_extend(bindings, gpu, pass->sets.layout, "ui", &pass->layout, error));
fail:
    return result;
}

static mc_result create_texture(mc_ui_pass *pass, mc_gpu *gpu, const uint8_t *coverage,
                                uint32_t width, uint32_t height, mc_error *error) {
    mc_result result = MC_OK;
    mc_image_desc desc = {.width = width,
                          .height = height,
                          .samples = 1,
                          .format = VK_FORMAT_R8_UNORM,
                          .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                          .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                          .name = "font atlas"};
    MC_TRY(mc_image_create(gpu, &desc, &pass->texture, error));
    MC_TRY(mc_image_upload(gpu, &pass->texture, coverage, (size_t)width * height, error));
fail:
    return result;
}

mc_result mc_ui_pass_create(mc_ui_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                            mc_error *error) {
    mc_result result = MC_OK;
    MC_TRY(mc_sampler_create(gpu, VK_FILTER_LINEAR, "ui", &pass->sampler, error));
    MC_TRY(create_sets(pass, gpu, bindings, error));
    mc_graphics_desc desc = {.vertex = MC_SHADER_CODE(ui_vert),
                             .fragment = MC_SHADER_CODE(ui_frag),
                             .layout = pass->layout,
                             .color_format = MC_TARGET_PLAIN_FORMAT,
                             .samples = 1,
                             .blend = true,
                             .name = "ui"};
    MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->pipeline, error));
    // Until an atlas comes every triangle is plain.
    uint8_t full = 255;
    MC_TRY(create_texture(pass, gpu, &full, 1, 1, error));
    return MC_OK;
fail:
    mc_ui_pass_destroy(pass, gpu);
    return result;
}

void mc_ui_pass_destroy(mc_ui_pass *pass, const mc_gpu *gpu) {
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++) {
        mc_buffer_destroy(gpu, &pass->vertices[i]);
        mc_buffer_destroy(gpu, &pass->indices[i]);
    }
    mc_image_destroy(gpu, &pass->texture);
    mc_pipeline_destroy(pass->pipeline);
    if (pass->layout) vkDestroyPipelineLayout(gpu->device, pass->layout, NULL);
    mc_descriptor_sets_destroy(&pass->sets, gpu);
    if (pass->sampler) vkDestroySampler(gpu->device, pass->sampler, NULL);
    *pass = (mc_ui_pass){0};
}

mc_result mc_ui_pass_set_texture(mc_ui_pass *pass, mc_frames *frames, const uint8_t *coverage,
                                 uint32_t width, uint32_t height, mc_error *error) {
    mc_image old = pass->texture;
    pass->texture = (mc_image){0};
    mc_result result = create_texture(pass, frames->gpu, coverage, width, height, error);
    if (result != MC_OK) {
        mc_image_destroy(frames->gpu, &pass->texture);
        pass->texture = old;
        return result;
    }
    mc_frames_retire_image(frames, &old);
    return MC_OK;
}

// Grows by half, so that a window whose panels change slowly settles.
static mc_result reserve(mc_buffer *buffer, mc_frames *frames, VkDeviceSize size,
                         VkBufferUsageFlags usage, const char *name, mc_error *error) {
    if (buffer->handle && buffer->size >= size) return MC_OK;
    VkDeviceSize grown = buffer->size + buffer->size / 2;
    mc_frames_retire_buffer(frames, buffer);
    return mc_buffer_create(frames->gpu, size > grown ? size : grown, usage, MC_MEMORY_DYNAMIC,
                            name, buffer, error);
}

mc_result mc_ui_pass_prepare(mc_ui_pass *pass, mc_frames *frames, const mc_frame *frame,
                             const mc_ui_draw *ui, mc_error *error) {
    mc_result result = MC_OK;
    mc_gpu *gpu = frames->gpu;
    mc_buffer *vertices = &pass->vertices[frame->index], *indices = &pass->indices[frame->index];
    size_t vertex_size = ui->vertex_count * sizeof *ui->vertices;
    size_t index_size = ui->index_count * sizeof *ui->indices;
    MC_TRY(reserve(vertices, frames, vertex_size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "ui vertices",
                   error));
    MC_TRY(reserve(indices, frames, index_size, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "ui indices",
                   error));
    if (vertex_size > 0) memcpy(vertices->mapped, ui->vertices, vertex_size);
    if (index_size > 0) memcpy(indices->mapped, ui->indices, index_size);
    VkDescriptorBufferInfo buffer = {.buffer = vertices->handle, .range = VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = pass->sets.items[frame->index],
                                  .dstBinding = MC_BINDING_UI_VERTICES,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = &buffer};
    vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
    mc_descriptor_sets_write_image(&pass->sets, gpu, frame->index, MC_BINDING_UI_TEXTURE,
                                   VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, pass->texture.view,
                                   VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
fail:
    return result;
}

static float clamp(float value, float high) {
    return value > 0.0f ? (value < high ? value : high) : 0.0f;
}

void mc_ui_pass_record(const mc_ui_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                       const mc_frame *frame, const mc_ui_draw *ui, uint32_t width,
                       uint32_t height) {
    VkCommandBuffer commands = frame->commands;
    mc_gpu_begin_label(gpu, commands, "ui");
    VkDescriptorSet sets[] = {bindings->sets.items[frame->index], pass->sets.items[frame->index]};
    mc_pipeline_record_bind(pass->pipeline, commands);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pass->layout, 0, 2, sets, 0,
                            NULL);
    vkCmdBindIndexBuffer(commands, pass->indices[frame->index].handle, 0, VK_INDEX_TYPE_UINT16);
    for (uint32_t i = 0; i < ui->command_count; i++) {
        const mc_ui_command *command = &ui->commands[i];
        float x0 = clamp(command->clip_x0, (float)width);
        float y0 = clamp(command->clip_y0, (float)height);
        float x1 = clamp(command->clip_x1, (float)width);
        float y1 = clamp(command->clip_y1, (float)height);
        if (x1 <= x0 || y1 <= y0 || command->index_count == 0) continue;
        VkRect2D scissor = {{(int32_t)x0, (int32_t)y0},
                            {(uint32_t)x1 - (uint32_t)x0, (uint32_t)y1 - (uint32_t)y0}};
        vkCmdSetScissor(commands, 0, 1, &scissor);
        vkCmdDrawIndexed(commands, command->index_count, 1, command->first_index,
                         (int32_t)command->vertex_offset, 0);
    }
    mc_gpu_end_label(gpu, commands);
}
