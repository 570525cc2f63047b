#include "engine/render/city/layer_pass.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"
#include "engine/render/city/splat_pass.h"
#include <stddef.h>

#include "layers.comp.inc"
#include "layers.frag.inc"
#include "layers.vert.inc"
#include "layers_parts.comp.inc"
#include "layers_tiles.comp.inc"

// Items of a pixel outside of nodes: as many as there is room for, but not fewer.
enum { MOST_SLOT_COUNT = 8, LEAST_SLOT_COUNT = 4 };
enum { FIRST_NODE_CAPACITY = 1 << 16, NODE_SIZE = 4 * sizeof(uint32_t) };

_Static_assert(sizeof(mc_indirect_quads) == sizeof(VkDrawIndirectCommand), "read by Vulkan");
_Static_assert(sizeof(mc_layer_head) == 20 * sizeof(uint32_t), "as in layers.frag");

enum { VARIANT_COUNT = sizeof((mc_layer_pass){0}.append) / sizeof(mc_pipeline *) };

// Those that look behind what the splat pass has drawn, and those that know outlines: either takes
// time where there is nothing of the kind.
static uint32_t get_variant(uint32_t epoch, bool outlines) {
    return (epoch > 0 ? 1u : 0u) + (outlines ? 2u : 0u);
}

mc_result mc_layer_pass_create(mc_layer_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                               uint32_t samples, mc_error *error) {
    mc_result result = MC_OK;
    *pass = (mc_layer_pass){0};
    if (samples != 1 || !gpu->has_int64_atomics) return MC_OK;
    MC_TRY(mc_descriptor_sets_create_sampled(gpu, MC_FRAME_COUNT, "layers", &pass->sampler,
                                             &pass->sets, error));
    MC_TRY(mc_bindings_extend(bindings, gpu, pass->sets.layout, "layers", &pass->layout, error));
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++)
        MC_TRY(mc_buffer_create(gpu, sizeof(mc_layer_head), VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                MC_MEMORY_READBACK, "layers head", &pass->heads[i], error));
    return MC_OK;
fail:
    mc_layer_pass_destroy(pass, gpu);
    return result;
}

// Pipelines of each kind that are not there yet, as after an error.
static mc_result need_resolve(mc_layer_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                              mc_error *error) {
    mc_result result = MC_OK;
    mc_graphics_desc desc = mc_bindings_get_pipeline(bindings, 1, MC_SHADER_CODE(layers_vert),
                                                     MC_SHADER_CODE(layers_frag));
    desc.layout = pass->layout;
    desc.depth_format = VK_FORMAT_UNDEFINED;
    desc.depth_test = false;
    desc.blend = true;
    desc.constant_count = 1;
    desc.name = "layers resolve";
    for (uint32_t kind = 0; kind < MC_LAYER_KIND_COUNT && result == MC_OK; kind++) {
        desc.constants = &kind;
        if (!pass->resolve[kind])
            result = mc_pipeline_create_graphics(gpu, &desc, &pass->resolve[kind], error);
    }
    return result;
}

static mc_result need_append(mc_layer_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                             mc_error *error) {
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < VARIANT_COUNT && result == MC_OK; i++) {
        const uint32_t constants[] = {i & 1, i >> 1};
        if (!pass->append[i])
            result =
                mc_pipeline_create_variant(gpu, MC_SHADER_CODE(layers_comp), constants, 2,
                                           bindings->layout, "layers", &pass->append[i], error);
        if (result == MC_OK && !pass->append_parts[i])
            result = mc_pipeline_create_variant(gpu, MC_SHADER_CODE(layers_parts_comp), constants,
                                                2, bindings->layout, "layers parts",
                                                &pass->append_parts[i], error);
    }
    return result;
}

static mc_result need_pipelines(mc_layer_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                mc_error *error) {
    if (pass->sort) return MC_OK; // the last one
    mc_result result = need_resolve(pass, gpu, bindings, error);
    if (result == MC_OK) result = need_append(pass, gpu, bindings, error);
    if (result == MC_OK)
        result = mc_pipeline_create_compute(gpu, MC_SHADER_CODE(layers_tiles_comp),
                                            bindings->layout, "layers tiles", &pass->sort, error);
    return result;
}

void mc_layer_pass_destroy(mc_layer_pass *pass, const mc_gpu *gpu) {
    for (uint32_t i = 0; i < VARIANT_COUNT; i++) {
        mc_pipeline_destroy(pass->append[i]);
        mc_pipeline_destroy(pass->append_parts[i]);
    }
    for (uint32_t i = 0; i < MC_LAYER_KIND_COUNT; i++)
        mc_pipeline_destroy(pass->resolve[i]);
    mc_pipeline_destroy(pass->sort);
    if (pass->layout) vkDestroyPipelineLayout(gpu->device, pass->layout, NULL);
    mc_descriptor_sets_destroy(&pass->sets, gpu);
    if (pass->sampler) vkDestroySampler(gpu->device, pass->sampler, NULL);
    mc_buffer_destroy(gpu, &pass->slots);
    mc_buffer_destroy(gpu, &pass->words);
    mc_buffer_destroy(gpu, &pass->nodes);
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++)
        mc_buffer_destroy(gpu, &pass->heads[i]);
    *pass = (mc_layer_pass){0};
}

static uint64_t get_tile_count(uint32_t width, uint32_t height) {
    const uint32_t side = MC_LAYER_TILE;
    return (uint64_t)((width + side - 1) / side) * ((height + side - 1) / side);
}

// As shaders/layers.glsl counts them.
static uint64_t get_word_count(uint32_t width, uint32_t height) {
    return sizeof(mc_layer_head) / sizeof(uint32_t) + (uint64_t)width * height * 2 +
           get_tile_count(width, height) * MC_LAYER_KIND_COUNT;
}

// How many items of a pixel the device can bind; 0: too few.
static uint32_t get_slot_count(const mc_gpu *gpu, uint32_t width, uint32_t height) {
    uint64_t pixel_count = (uint64_t)width * height;
    uint64_t room = 2 * mc_buffer_get_largest_column(gpu, 2 * sizeof(uint64_t));
    uint64_t count = room / pixel_count < MOST_SLOT_COUNT ? room / pixel_count : MOST_SLOT_COUNT;
    uint64_t word_count = get_word_count(width, height);
    count -= count % 2; // they are read in pairs
    bool fits = word_count <= mc_buffer_get_largest_column(gpu, sizeof(uint32_t));
    return fits && count >= LEAST_SLOT_COUNT ? (uint32_t)count : 0;
}

static uint64_t get_most_nodes(const mc_gpu *gpu) {
    return mc_buffer_get_largest_storage(gpu) / (2 * NODE_SIZE);
}

bool mc_layer_pass_can_draw(const mc_layer_pass *pass, const mc_gpu *gpu, uint32_t building_count,
                            uint32_t width, uint32_t height) {
    return pass->layout && get_slot_count(gpu, width, height) > 0 &&
           pass->wanted_count <= get_most_nodes(gpu) &&
           mc_splat_get_group_count(building_count) <= gpu->limits.maxComputeWorkGroupCount[0];
}

// Parts are all of a tile: with more pixels in them than the picture has, triangles are faster. A
// view that is about there does not change from frame to frame.
static bool has_large(uint64_t part_count, uint64_t pixel_count, bool had_large) {
    uint64_t in_parts = part_count * MC_LAYER_TILE * MC_LAYER_TILE;
    return in_parts * 8 > pixel_count * (had_large ? 7 : 9);
}

void mc_layer_pass_finish(mc_layer_pass *pass, const mc_frame *frame) {
    mc_layer_count *counted = &pass->counted[frame->index];
    const mc_layer_head *head = pass->heads[frame->index].mapped;
    if (counted->has_parts)
        pass->has_large = has_large(head->part_count, counted->pixel_count, pass->has_large);
    if (counted->has_nodes) {
        pass->wanted_count =
            head->node_count > head->part_count ? head->node_count : head->part_count;
        pass->has_left_out |= pass->wanted_count > pass->node_capacity;
    }
    *counted = (mc_layer_count){0};
}

void mc_layer_pass_forget(mc_layer_pass *pass) {
    pass->wanted_count = 0;
    pass->has_large = false;
}

static mc_result create_column(mc_gpu *gpu, VkDeviceSize size, VkFormat format, uint32_t texel_size,
                               const char *name, mc_buffer *buffer, mc_error *error) {
    mc_result result = mc_buffer_create(
        gpu, size,
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
            VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
            VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
        MC_MEMORY_DEVICE, name, buffer, error);
    if (result == MC_OK) result = mc_buffer_create_column(gpu, buffer, format, texel_size, error);
    return result;
}

mc_result mc_layer_pass_prepare(mc_layer_pass *pass, mc_frames *frames, const mc_bindings *bindings,
                                uint32_t width, uint32_t height, mc_error *error) {
    mc_result result = MC_OK;
    mc_gpu *gpu = frames->gpu;
    MC_TRY(need_pipelines(pass, gpu, bindings, error));
    // A smaller picture, as while the camera moves, leaves the buffers of the larger one alone.
    pass->slot_count = get_slot_count(gpu, width, height);
    VkDeviceSize slots_size = (uint64_t)width * height * pass->slot_count * sizeof(uint64_t);
    VkDeviceSize words_size = get_word_count(width, height) * sizeof(uint32_t);
    if (pass->slots.size < slots_size) {
        mc_frames_retire_buffer(frames, &pass->slots);
        MC_TRY(create_column(gpu, slots_size, VK_FORMAT_R32G32B32A32_UINT, 2 * sizeof(uint64_t),
                             "layers", &pass->slots, error));
    }
    if (pass->words.size < words_size) {
        mc_frames_retire_buffer(frames, &pass->words);
        MC_TRY(create_column(gpu, words_size, VK_FORMAT_R32_UINT, sizeof(uint32_t),
                             "layers by pixel", &pass->words, error));
    }
    pass->width = width;
    pass->height = height;
    uint64_t capacity = pass->node_capacity > 0 ? pass->node_capacity : FIRST_NODE_CAPACITY;
    while (capacity < pass->wanted_count)
        capacity *= 2;
    capacity = capacity < get_most_nodes(gpu) ? capacity : get_most_nodes(gpu);
    if (capacity > pass->node_capacity) {
        mc_frames_retire_buffer(frames, &pass->nodes);
        pass->node_capacity = 0;
        MC_TRY(mc_buffer_create(gpu, capacity * 2 * NODE_SIZE, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                MC_MEMORY_DEVICE, "layer nodes", &pass->nodes, error));
        pass->node_capacity = (uint32_t)capacity;
    }
fail:
    return result;
}

static void record_barrier(VkCommandBuffer commands) {
    mc_buffer_record_barrier(
        commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
        VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT |
            VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
}

static void record_readable(VkCommandBuffer commands) {
    mc_buffer_record_barrier(commands, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                             VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_HOST_BIT,
                             VK_ACCESS_2_HOST_READ_BIT);
}

void mc_layer_pass_record(mc_layer_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                          const mc_frame *frame, uint32_t building_count, uint32_t epoch,
                          bool outlines) {
    uint32_t variant = get_variant(epoch, outlines);
    const VkPipelineStageFlags2 users =
        VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
        VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    const VkAccessFlags2 shader_access =
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    VkCommandBuffer commands = frame->commands;
    mc_gpu_begin_label(gpu, commands, "layers");
    mc_buffer_record_barrier(commands, users | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                             VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                             VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    vkCmdFillBuffer(commands, pass->words.handle, 0,
                    get_word_count(pass->width, pass->height) * sizeof(uint32_t), 0);
    mc_buffer_record_barrier(commands, users | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                             VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT,
                             VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                             shader_access | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
    mc_pipeline_record_bind(pass->append[variant], commands);
    mc_splat_draw draw = {.box_count = building_count,
                          .epoch = epoch,
                          .pixel_limit = MC_LAYER_PIXEL_LIMIT,
                          .slot_count = pass->slot_count,
                          .node_capacity = pass->node_capacity};
    mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
    vkCmdDispatch(commands, mc_splat_get_group_count(building_count), 1, 1);
    record_barrier(commands);
    mc_pipeline_record_bind(pass->append_parts[variant], commands);
    vkCmdDispatchIndirect(commands, pass->words.handle, offsetof(mc_layer_head, group_count));
    record_barrier(commands);
    mc_pipeline_record_bind(pass->sort, commands);
    uint64_t tile_count = get_tile_count(pass->width, pass->height);
    vkCmdDispatch(commands, ((uint32_t)tile_count + MC_SPLAT_GROUP_SIZE - 1) / MC_SPLAT_GROUP_SIZE,
                  1, 1);
    mc_buffer_record_barrier(
        commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
        VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
            VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
            VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT);
    VkBufferCopy head = {.size = sizeof(mc_layer_head)};
    vkCmdCopyBuffer(commands, pass->words.handle, pass->heads[frame->index].handle, 1, &head);
    record_readable(commands);
    pass->counted[frame->index] =
        (mc_layer_count){true, true, (uint64_t)pass->width * pass->height};
    mc_gpu_end_label(gpu, commands);
}

void mc_layer_pass_record_watch(mc_layer_pass *pass, const mc_frame *frame,
                                const mc_kept_boxes *kept, uint32_t width, uint32_t height) {
    VkCommandBuffer commands = frame->commands;
    if (!pass->layout) return;
    mc_buffer_record_barrier(commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                             VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                             VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_READ_BIT);
    VkBufferCopy parts = {.srcOffset = offsetof(mc_indirect_head, part_count),
                          .dstOffset = offsetof(mc_layer_head, part_count),
                          .size = sizeof(uint32_t)};
    vkCmdCopyBuffer(commands, kept->draws.handle, pass->heads[frame->index].handle, 1, &parts);
    record_readable(commands);
    pass->counted[frame->index] = (mc_layer_count){true, false, (uint64_t)width * height};
}

void mc_layer_pass_record_resolve(const mc_layer_pass *pass, const mc_gpu *gpu,
                                  const mc_bindings *bindings, const mc_frame *frame,
                                  VkImageView depth) {
    VkCommandBuffer commands = frame->commands;
    mc_gpu_begin_label(gpu, commands, "layers resolve");
    mc_descriptor_sets_write_image(&pass->sets, gpu, frame->index, 0,
                                   VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, depth,
                                   VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pass->layout, 1, 1,
                            &pass->sets.items[frame->index], 0, NULL);
    mc_splat_draw draw = {.slot_count = pass->slot_count, .node_capacity = pass->node_capacity};
    mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
    for (uint32_t kind = 0; kind < MC_LAYER_KIND_COUNT; kind++) {
        mc_pipeline_record_bind(pass->resolve[kind], commands);
        vkCmdDrawIndirect(commands, pass->words.handle, kind * sizeof(mc_indirect_quads), 1, 0);
    }
    mc_gpu_end_label(gpu, commands);
}
