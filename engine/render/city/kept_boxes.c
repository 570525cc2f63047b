#include "engine/render/city/kept_boxes.h"

#include "engine/base/memory.h"
#include "engine/gpu/device.h"
#include <stddef.h>

_Static_assert(offsetof(mc_indirect_head, opaque_count) == 0, "reset alone");
_Static_assert(sizeof(mc_indirect_draw) == sizeof(VkDrawIndexedIndirectCommand), "read by Vulkan");

static uint32_t get_draw_count(uint32_t box_count) {
    return (box_count + MC_DRAW_CHUNK - 1) / MC_DRAW_CHUNK;
}

mc_kept_draws mc_kept_boxes_get_opaque(const mc_kept_boxes *kept) {
    return (mc_kept_draws){.draw_count = get_draw_count(kept->box_count)};
}

mc_kept_draws mc_kept_boxes_get_translucent(const mc_kept_boxes *kept) {
    return (mc_kept_draws){.first_draw = get_draw_count(kept->box_count),
                           .draw_count = get_draw_count(kept->building_count),
                           .first_box = kept->box_count};
}

static VkDeviceSize get_scan_size(uint32_t building_count) {
    VkDeviceSize blocks = (building_count + MC_CULL_BLOCK - 1) / MC_CULL_BLOCK;
    return blocks * (1 + MC_CULL_BLOCK / 32) * sizeof(uint32_t);
}

static mc_result upload_none(mc_kept_boxes *kept, mc_gpu *gpu, uint32_t draw_count,
                             mc_error *error) {
    mc_result result = MC_OK;
    uint32_t opaque_count = get_draw_count(kept->box_count);
    mc_indirect_draw *draws = mc_alloc_zero((size_t)draw_count + 1, sizeof *draws);
    if (!draws) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < draw_count; i++) {
        uint32_t chunk = i < opaque_count ? i : i - opaque_count;
        draws[i].instance_count = 1;
        draws[i].first_vertex = chunk * MC_DRAW_CHUNK * MC_BOX_VERTEX_COUNT;
    }
    mc_indirect_head head = {0};
    MC_TRY(mc_buffer_upload(gpu, &kept->none, 0, &head, sizeof head, error));
    MC_TRY(
        mc_buffer_upload(gpu, &kept->none, sizeof head, draws, draw_count * sizeof *draws, error));
fail:
    mc_free(draws);
    return result;
}

static void destroy(mc_kept_boxes *kept, const mc_gpu *gpu) {
    mc_buffer_destroy(gpu, &kept->list);
    mc_buffer_destroy(gpu, &kept->draws);
    mc_buffer_destroy(gpu, &kept->none);
    mc_buffer_destroy(gpu, &kept->scan);
    *kept = (mc_kept_boxes){0};
}

mc_result mc_kept_boxes_init(mc_kept_boxes *kept, mc_gpu *gpu, uint32_t building_count,
                             uint32_t district_count, mc_error *error) {
    mc_result result = MC_OK;
    *kept = (mc_kept_boxes){.box_count = building_count + district_count,
                            .building_count = building_count};
    uint32_t draw_count = get_draw_count(kept->box_count) + get_draw_count(building_count);
    VkDeviceSize draws_size =
        sizeof(mc_indirect_head) + (VkDeviceSize)draw_count * sizeof(mc_indirect_draw);
    VkDeviceSize list_count = (VkDeviceSize)kept->box_count + building_count;
    MC_TRY(mc_buffer_create(gpu, list_count * sizeof(uint32_t), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                            MC_MEMORY_DEVICE, "kept boxes", &kept->list, error));
    MC_TRY(mc_buffer_create(gpu, draws_size,
                            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            MC_MEMORY_DEVICE, "kept draws", &kept->draws, error));
    MC_TRY(mc_buffer_create(gpu, draws_size,
                            VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            MC_MEMORY_DEVICE, "no draws", &kept->none, error));
    MC_TRY(mc_buffer_create(gpu, get_scan_size(building_count),
                            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            MC_MEMORY_DEVICE, "kept scan", &kept->scan, error));
    MC_TRY(upload_none(kept, gpu, draw_count, error));
    return MC_OK;
fail:
    destroy(kept, gpu);
    return result;
}

void mc_kept_boxes_retire(mc_kept_boxes *kept, mc_frames *frames) {
    mc_frames_retire_buffer(frames, &kept->list);
    mc_frames_retire_buffer(frames, &kept->draws);
    mc_frames_retire_buffer(frames, &kept->none);
    mc_frames_retire_buffer(frames, &kept->scan);
    *kept = (mc_kept_boxes){0};
}

void mc_kept_boxes_record_reset(const mc_kept_boxes *kept, bool keeps_translucent,
                                VkCommandBuffer commands) {
    mc_buffer_record_barrier(
        commands, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
        VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        VK_ACCESS_2_TRANSFER_WRITE_BIT);
    const VkDeviceSize first = sizeof(mc_indirect_head);
    VkDeviceSize opaque_size = get_draw_count(kept->box_count) * sizeof(mc_indirect_draw);
    const VkBufferCopy all = {.size = kept->draws.size};
    const VkBufferCopy opaque[] = {{.size = sizeof(uint32_t)},
                                   {.srcOffset = first, .dstOffset = first, .size = opaque_size}};
    if (keeps_translucent) {
        vkCmdCopyBuffer(commands, kept->none.handle, kept->draws.handle, 2, opaque);
    } else {
        vkCmdCopyBuffer(commands, kept->none.handle, kept->draws.handle, 1, &all);
        vkCmdFillBuffer(commands, kept->scan.handle, 0, VK_WHOLE_SIZE, 0);
    }
    // Nor may a list be overwritten while it is drawn.
    mc_buffer_record_barrier(
        commands, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,
        VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
}

void mc_kept_boxes_record_finish(VkCommandBuffer commands) {
    mc_buffer_record_barrier(
        commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
        VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
            VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_SHADER_READ_BIT);
}
