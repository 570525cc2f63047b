#include "engine/render/city/strand_pass.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"

#define PIXEL_SIZE (2 * sizeof(uint64_t)) // what is inside, what is on an outline

_Static_assert(sizeof(mc_strand_piece) == 96, "six texels a piece");

static const uint32_t strands_comp[] = {
#include "strands.comp.inc"
};
static const uint32_t strands_vert[] = {
#include "strands.vert.inc"
};
static const uint32_t strands_frag[] = {
#include "strands.frag.inc"
};

mc_result mc_strand_pass_create(mc_strand_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                uint32_t samples, mc_error *error) {
    mc_result result = MC_OK;
    *pass = (mc_strand_pass){0};
    if (samples != 1 || !gpu->has_int64_atomics) return MC_OK;
    MC_TRY(mc_descriptor_sets_create_sampled(gpu, MC_FRAME_COUNT, "strands", &pass->sampler,
                                             &pass->sets, error));
    MC_TRY(mc_bindings_extend(bindings, gpu, pass->sets.layout, "strands pipeline layout",
                              &pass->layout, error));
    mc_graphics_desc desc = mc_bindings_get_pipeline(
        bindings, samples, MC_SHADER_CODE(strands_vert), MC_SHADER_CODE(strands_frag));
    desc.layout = pass->layout;
    desc.depth_format = VK_FORMAT_UNDEFINED;
    desc.depth_test = false;
    desc.blend = true;
    desc.name = "strands resolve";
    MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->resolve, error));
    MC_TRY(mc_pipeline_create_compute(gpu, MC_SHADER_CODE(strands_comp), bindings->layout,
                                      "strands", &pass->splat, error));
    return MC_OK;
fail:
    mc_strand_pass_destroy(pass, gpu);
    return result;
}

void mc_strand_pass_destroy(mc_strand_pass *pass, const mc_gpu *gpu) {
    if (pass->splat) vkDestroyPipeline(gpu->device, pass->splat, NULL);
    if (pass->resolve) vkDestroyPipeline(gpu->device, pass->resolve, NULL);
    if (pass->layout) vkDestroyPipelineLayout(gpu->device, pass->layout, NULL);
    mc_descriptor_sets_destroy(&pass->sets, gpu);
    if (pass->sampler) vkDestroySampler(gpu->device, pass->sampler, NULL);
    mc_buffer_destroy(gpu, &pass->pixels);
    mc_buffer_destroy(gpu, &pass->pieces);
    *pass = (mc_strand_pass){0};
}

static VkDeviceSize get_pixels_size(uint32_t width, uint32_t height) {
    return (VkDeviceSize)width * height * PIXEL_SIZE;
}

bool mc_strand_pass_can_draw(const mc_strand_pass *pass, const mc_gpu *gpu, uint64_t piece_count,
                             uint32_t width, uint32_t height) {
    VkDeviceSize most = mc_buffer_get_largest_storage(gpu);
    uint64_t texel_count = gpu->limits.maxTexelBufferElements;
    return pass->splat && piece_count <= 1u << MC_VISIBLE_BOX_BITS &&
           piece_count / MC_STRAND_GROUP_SIZE < gpu->limits.maxComputeWorkGroupCount[0] &&
           piece_count * sizeof(mc_strand_piece) * 3 / 2 <= most &&
           piece_count * 9 <= texel_count && get_pixels_size(width, height) <= most &&
           (uint64_t)width * height <= texel_count;
}

static mc_result make_room(mc_buffer *buffer, mc_frames *frames, VkDeviceSize size,
                           VkBufferUsageFlags usage, VkFormat format, const char *name,
                           mc_error *error) {
    mc_frames_retire_buffer(frames, buffer);
    mc_result result = mc_buffer_create(frames->gpu, size,
                                        usage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                            VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
                                        MC_MEMORY_DEVICE, name, buffer, error);
    if (result == MC_OK)
        result = mc_buffer_create_view(frames->gpu, buffer, format, 4 * sizeof(float), error);
    return result;
}

mc_result mc_strand_pass_prepare(mc_strand_pass *pass, mc_frames *frames, uint32_t piece_count,
                                 uint32_t width, uint32_t height, mc_error *error) {
    mc_result result = MC_OK;
    VkDeviceSize pixels = get_pixels_size(width, height);
    VkDeviceSize pieces = piece_count * sizeof(mc_strand_piece);
    if (pass->pixels.size < pixels) {
        pass->epoch = 0;
        MC_TRY(make_room(&pass->pixels, frames, pixels, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                         VK_FORMAT_R32G32B32A32_UINT, "strands", error));
    }
    if (pass->pieces.size < pieces)
        MC_TRY(make_room(&pass->pieces, frames, pieces + pieces / 2, 0,
                         VK_FORMAT_R32G32B32A32_SFLOAT, "pieces of strands", error));
fail:
    return result;
}

// What earlier frames left has a lower epoch, and so counts as empty until epochs are used up.
static void record_next_epoch(mc_strand_pass *pass, VkCommandBuffer commands) {
    const VkPipelineStageFlags2 users =
        VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    const VkAccessFlags2 shader_access =
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    bool is_empty = pass->epoch == 0 || pass->epoch + 1 == 1u << MC_VISIBLE_EPOCH_BITS;
    pass->epoch = is_empty ? 1 : pass->epoch + 1;
    mc_buffer_record_barrier(commands, users, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                             VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
                                 VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                             shader_access | VK_ACCESS_2_TRANSFER_WRITE_BIT);
    if (!is_empty) return;
    vkCmdFillBuffer(commands, pass->pixels.handle, 0, VK_WHOLE_SIZE, 0);
    mc_buffer_record_barrier(commands, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                             VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                             shader_access);
}

void mc_strand_pass_record(mc_strand_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                           const mc_strands *strands, uint32_t count, VkCommandBuffer commands) {
    mc_gpu_begin_label(gpu, commands, "strands");
    record_next_epoch(pass, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pass->splat);
    uint32_t first_piece = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t piece_count = strands[i].count * strands[i].segment_count;
        mc_frustum_draw draw = {.segment_count = strands[i].segment_count,
                                .first = strands[i].first,
                                .count = strands[i].count,
                                .first_piece = first_piece,
                                .opacity = 1.0f,
                                .epoch = pass->epoch};
        mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
        vkCmdDispatch(commands, (piece_count + MC_STRAND_GROUP_SIZE - 1) / MC_STRAND_GROUP_SIZE, 1,
                      1);
        first_piece += piece_count;
    }
    mc_buffer_record_barrier(
        commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
        VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
    mc_gpu_end_label(gpu, commands);
}

void mc_strand_pass_record_resolve(const mc_strand_pass *pass, const mc_gpu *gpu,
                                   const mc_bindings *bindings, const mc_frame *frame,
                                   VkImageView depth, float through) {
    VkCommandBuffer commands = frame->commands;
    mc_gpu_begin_label(gpu, commands, "strands resolve");
    VkDescriptorImageInfo image = {.imageView = depth,
                                   .imageLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = pass->sets.items[frame->index],
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                  .pImageInfo = &image};
    vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pass->layout, 1, 1,
                            &pass->sets.items[frame->index], 0, NULL);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pass->resolve);
    mc_frustum_draw draw = {.opacity = through, .epoch = pass->epoch};
    mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
    vkCmdDraw(commands, 3, 1, 0, 0);
    mc_gpu_end_label(gpu, commands);
}
