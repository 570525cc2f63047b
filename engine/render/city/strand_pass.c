#include "engine/render/city/strand_pass.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"
#include <stddef.h>

#include "strands.comp.inc"
#include "strands.frag.inc"
#include "strands.vert.inc"
#include "strands_sort.comp.inc"
#include "strands_splat.comp.inc"
#include "strands_tiles.comp.inc"

#define PIXEL_SIZE (4 * sizeof(uint32_t))  // which is inside, which is there, and their depths
#define TILE_WORDS (MC_STRAND_SLICES + 3u) // of a tile, as shaders/strands.glsl has them
#define TEXEL_SIZE (4 * sizeof(float))

#define PIECE_SIZE (sizeof(mc_strand_line) + sizeof(mc_strand_look))

_Static_assert(PIECE_SIZE == 4 * TEXEL_SIZE, "four texels a piece");
_Static_assert(sizeof(mc_strand_head) == 8 * sizeof(uint32_t), "as in strands_splat.comp");

enum { SORT_COUNT = sizeof((mc_strand_pass){0}.sort) / sizeof(mc_pipeline *) };

static mc_result need_sort(mc_strand_pass *pass, mc_gpu *gpu, mc_error *error) {
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < SORT_COUNT && result == MC_OK; i++) {
        const uint32_t constants[] = {i / 2, i % 2};
        mc_pipeline **sort = &pass->sort[i / 2][i % 2];
        if (!*sort)
            result =
                mc_pipeline_create_variant(gpu, MC_SHADER_CODE(strands_sort_comp), constants, 2,
                                           pass->bindings->layout, "strands sort", sort, error);
    }
    return result;
}

static mc_result need_compute(mc_strand_pass *pass, mc_gpu *gpu, mc_error *error) {
    VkPipelineLayout layout = pass->bindings->layout;
    mc_result result = MC_OK;
    if (!pass->cut)
        result = mc_pipeline_create_compute(gpu, MC_SHADER_CODE(strands_comp), layout,
                                            "strands cut", &pass->cut, error);
    if (result == MC_OK) result = need_sort(pass, gpu, error);
    if (result == MC_OK && !pass->make_room)
        result = mc_pipeline_create_compute(gpu, MC_SHADER_CODE(strands_tiles_comp), layout,
                                            "strands tiles", &pass->make_room, error);
    if (result == MC_OK && !pass->splat)
        result = mc_pipeline_create_compute(gpu, MC_SHADER_CODE(strands_splat_comp), layout,
                                            "strands splat", &pass->splat, error);
    return result;
}

static mc_result need_pipelines(mc_strand_pass *pass, mc_gpu *gpu, mc_error *error) {
    if (pass->resolve) return MC_OK; // the last one
    mc_result result = need_compute(pass, gpu, error);
    if (result != MC_OK) return result;
    mc_graphics_desc desc = mc_bindings_get_pipeline(
        pass->bindings, 1, MC_SHADER_CODE(strands_vert), MC_SHADER_CODE(strands_frag));
    desc.layout = pass->layout;
    desc.depth_format = VK_FORMAT_UNDEFINED;
    desc.depth_test = false;
    desc.blend = true;
    desc.name = "strands resolve";
    return mc_pipeline_create_graphics(gpu, &desc, &pass->resolve, error);
}

mc_result mc_strand_pass_create(mc_strand_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                uint32_t samples, mc_error *error) {
    mc_result result = MC_OK;
    *pass = (mc_strand_pass){.bindings = bindings};
    if (samples != 1 || !gpu->has_int64_atomics) return MC_OK;
    MC_TRY(mc_descriptor_sets_create_sampled(gpu, MC_FRAME_COUNT, "strands", &pass->sampler,
                                             &pass->sets, error));
    MC_TRY(mc_bindings_extend(bindings, gpu, pass->sets.layout, "strands", &pass->layout, error));
    return MC_OK;
fail:
    mc_strand_pass_destroy(pass, gpu);
    return result;
}

void mc_strand_pass_destroy(mc_strand_pass *pass, const mc_gpu *gpu) {
    mc_pipeline_destroy(pass->cut);
    mc_pipeline_destroy(pass->make_room);
    mc_pipeline_destroy(pass->splat);
    mc_pipeline_destroy(pass->resolve);
    for (uint32_t i = 0; i < SORT_COUNT; i++)
        mc_pipeline_destroy(pass->sort[i / 2][i % 2]);
    if (pass->layout) vkDestroyPipelineLayout(gpu->device, pass->layout, NULL);
    mc_descriptor_sets_destroy(&pass->sets, gpu);
    if (pass->sampler) vkDestroySampler(gpu->device, pass->sampler, NULL);
    mc_buffer_destroy(gpu, &pass->pixels);
    mc_buffer_destroy(gpu, &pass->pieces);
    mc_buffer_destroy(gpu, &pass->words);
    *pass = (mc_strand_pass){0};
}

static uint64_t get_tile_count(uint32_t width, uint32_t height) {
    const uint32_t side = MC_STRAND_TILE;
    return (uint64_t)((width + side - 1) / side) * ((height + side - 1) / side);
}

// What precedes the items.
static VkDeviceSize get_words_size(uint64_t tile_count) {
    return sizeof(mc_strand_head) + tile_count * TILE_WORDS * sizeof(uint32_t);
}

static bool fits(const mc_gpu *gpu, VkDeviceSize size, uint32_t element_size) {
    return size / element_size <= mc_buffer_get_largest_column(gpu, element_size);
}

bool mc_strand_pass_can_draw(const mc_strand_pass *pass, const mc_gpu *gpu, uint64_t piece_count,
                             uint32_t width, uint32_t height) {
    uint64_t tile_count = get_tile_count(width, height);
    uint64_t most = piece_count > tile_count ? piece_count : tile_count;
    return pass->layout && most / MC_STRAND_GROUP_SIZE < gpu->limits.maxComputeWorkGroupCount[0] &&
           fits(gpu, piece_count * PIECE_SIZE * 3 / 2, TEXEL_SIZE) &&
           fits(gpu, (VkDeviceSize)width * height * PIXEL_SIZE, PIXEL_SIZE) &&
           fits(gpu, 2 * get_words_size(tile_count), sizeof(uint32_t));
}

static mc_result make_room(mc_buffer *buffer, mc_frames *frames, VkDeviceSize size,
                           VkBufferUsageFlags usage, VkFormat format, uint32_t texel_size,
                           const char *name, mc_error *error) {
    if (buffer->size >= size) return MC_OK;
    mc_frames_retire_buffer(frames, buffer);
    mc_result result = mc_buffer_create(frames->gpu, size,
                                        usage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                            VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
                                        MC_MEMORY_DEVICE, name, buffer, error);
    if (result == MC_OK)
        result = mc_buffer_create_column(frames->gpu, buffer, format, texel_size, error);
    return result;
}

mc_result mc_strand_pass_prepare(mc_strand_pass *pass, mc_frames *frames, const mc_strands *strands,
                                 uint32_t width, uint32_t height, mc_error *error) {
    mc_result result = MC_OK;
    const mc_gpu *gpu = frames->gpu;
    pass->strands = (mc_strands){0};
    if (strands->count == 0) return MC_OK;
    MC_TRY(need_pipelines(pass, frames->gpu, error));
    VkDeviceSize pieces = strands->piece_count * PIECE_SIZE;
    if (pieces > pass->pieces.size) pieces += pieces / 2;
    uint64_t tile_count = get_tile_count(width, height);
    VkDeviceSize head = get_words_size(tile_count);
    VkDeviceSize words = head + strands->item_count * sizeof(uint32_t);
    if (words > pass->words.size) words += words / 2;
    while (!fits(gpu, words, sizeof(uint32_t)))
        words /= 2;
    MC_TRY(make_room(&pass->pixels, frames, (VkDeviceSize)width * height * PIXEL_SIZE, 0,
                     VK_FORMAT_R32G32B32A32_UINT, PIXEL_SIZE, "strands", error));
    MC_TRY(make_room(&pass->pieces, frames, pieces, 0, VK_FORMAT_R32G32B32A32_SFLOAT, TEXEL_SIZE,
                     "pieces of strands", error));
    MC_TRY(make_room(&pass->words, frames, words,
                     VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                     VK_FORMAT_R32_UINT, sizeof(uint32_t), "tiles of strands", error));
    pass->capacity = (uint32_t)((pass->words.size - head) / sizeof(uint32_t));
    pass->tile_count = (uint32_t)tile_count;
    pass->strands = *strands;
fail:
    return result;
}

static void record_barrier(VkCommandBuffer commands) {
    mc_buffer_record_barrier(
        commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
        VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT |
            VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT |
            VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
}

// What the frame before used may be written.
static void record_clear(const mc_strand_pass *pass, VkCommandBuffer commands) {
    const VkPipelineStageFlags2 users =
        VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
        VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    const VkAccessFlags2 shader_access =
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    mc_buffer_record_barrier(commands, users, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                             VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT |
                                 VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                             VK_ACCESS_2_TRANSFER_WRITE_BIT | shader_access);
    vkCmdFillBuffer(commands, pass->words.handle, 0, get_words_size(pass->tile_count), 0);
    mc_buffer_record_barrier(commands, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                             VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                             shader_access);
}

static void record_step(const mc_strand_pass *pass, const mc_bindings *bindings,
                        VkCommandBuffer commands, mc_pipeline *pipeline, uint32_t count) {
    mc_frustum_draw draw = {.segment_count = 2, // or more, which are all alike
                            .opacity = 1.0f,
                            .first = pass->strands.first,
                            .count = count,
                            .piece_count = pass->strands.piece_count,
                            .capacity = pass->capacity,
                            .top = pass->strands.top};
    mc_pipeline_record_bind(pipeline, commands);
    mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
    vkCmdDispatch(commands, (count + MC_STRAND_GROUP_SIZE - 1) / MC_STRAND_GROUP_SIZE, 1, 1);
    record_barrier(commands);
}

void mc_strand_pass_record(const mc_strand_pass *pass, const mc_gpu *gpu,
                           const mc_bindings *bindings, VkCommandBuffer commands) {
    const mc_strands *strands = &pass->strands;
    if (strands->count == 0) return;
    mc_gpu_begin_label(gpu, commands, "strands");
    record_clear(pass, commands);
    record_step(pass, bindings, commands, pass->cut, strands->count);
    for (uint32_t i = strands->are_wide ? MC_STRAND_HIDE : MC_STRAND_COUNT; i <= MC_STRAND_FILL;
         i++) {
        if (i == MC_STRAND_FILL)
            record_step(pass, bindings, commands, pass->make_room, pass->tile_count);
        record_step(pass, bindings, commands, pass->sort[i][strands->are_wide],
                    strands->piece_count);
    }
    mc_pipeline_record_bind(pass->splat, commands);
    vkCmdDispatchIndirect(commands, pass->words.handle, offsetof(mc_strand_head, group_count));
    record_barrier(commands);
    mc_gpu_end_label(gpu, commands);
}

void mc_strand_pass_record_resolve(const mc_strand_pass *pass, const mc_gpu *gpu,
                                   const mc_bindings *bindings, const mc_frame *frame,
                                   VkImageView depth, float through) {
    VkCommandBuffer commands = frame->commands;
    if (pass->strands.count == 0) return;
    mc_gpu_begin_label(gpu, commands, "strands resolve");
    mc_descriptor_sets_write_image(&pass->sets, gpu, frame->index, 0,
                                   VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, depth,
                                   VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pass->layout, 1, 1,
                            &pass->sets.items[frame->index], 0, NULL);
    mc_pipeline_record_bind(pass->resolve, commands);
    mc_frustum_draw draw = {.opacity = through, .piece_count = pass->strands.piece_count};
    mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
    vkCmdDrawIndirect(commands, pass->words.handle, 0, 1, 0);
    mc_gpu_end_label(gpu, commands);
}
