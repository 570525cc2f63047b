#include "engine/render/city/frustum_pass.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"
#include <string.h>

enum { ARC_SEGMENT_COUNT = 24 };
#define THROUGH_OPACITY 0.22f // of what is hidden

_Static_assert(sizeof(mc_frustum) == 64, "four 16-byte loads a frustum");

static const uint32_t frustum_vert[] = {
#include "frustum.vert.inc"
};
static const uint32_t frustum_frag[] = {
#include "frustum.frag.inc"
};

static mc_result create_buffer(mc_buffer *buffer, mc_gpu *gpu, VkDeviceSize size, mc_error *error) {
    return mc_buffer_create(gpu, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MC_MEMORY_DYNAMIC,
                            "frustums", buffer, error);
}

mc_result mc_frustum_pass_create(mc_frustum_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                 uint32_t samples, mc_error *error) {
    mc_result result = MC_OK;
    *pass = (mc_frustum_pass){0};
    mc_graphics_desc desc = mc_bindings_get_pipeline(
        bindings, samples, MC_SHADER_CODE(frustum_vert), MC_SHADER_CODE(frustum_frag));
    desc.depth_write = true;
    desc.blend = true;
    desc.name = "frustums visible";
    MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->visible, error));
    desc.depth_test = desc.depth_write = false;
    desc.name = "frustums hidden";
    MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->hidden, error));
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++)
        MC_TRY(create_buffer(&pass->buffers[i], gpu, 0, error));
    return MC_OK;
fail:
    mc_frustum_pass_destroy(pass, gpu);
    return result;
}

void mc_frustum_pass_destroy(mc_frustum_pass *pass, const mc_gpu *gpu) {
    if (pass->visible) vkDestroyPipeline(gpu->device, pass->visible, NULL);
    if (pass->hidden) vkDestroyPipeline(gpu->device, pass->hidden, NULL);
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++)
        mc_buffer_destroy(gpu, &pass->buffers[i]);
    *pass = (mc_frustum_pass){0};
}

mc_result mc_frustum_pass_prepare(mc_frustum_pass *pass, mc_frames *frames, const mc_frame *frame,
                                  const mc_frustum *frustums, uint32_t count, uint32_t box_count,
                                  mc_error *error) {
    mc_buffer *buffer = &pass->buffers[frame->index];
    pass->straight_count = pass->arc_count = 0;
    size_t size = count * sizeof *frustums;
    if (buffer->size < size) {
        mc_buffer larger = {0};
        mc_result result = create_buffer(&larger, frames->gpu, size + size / 2, error);
        if (result != MC_OK) return result;
        mc_frames_retire_buffer(frames, buffer);
        *buffer = larger;
    }
    // Straight ones first: they need fewer triangles.
    mc_frustum *next = buffer->mapped;
    for (int arcs = 0; arcs < 2; arcs++)
        for (uint32_t i = 0; i < count; i++) {
            const mc_frustum *frustum = &frustums[i];
            if ((frustum->arc > 0.0f) != (arcs == 1)) continue;
            if (frustum->from_box >= box_count || frustum->to_box >= box_count) continue;
            *next++ = *frustum;
            if (arcs == 1)
                pass->arc_count++;
            else
                pass->straight_count++;
        }
    return MC_OK;
}

const mc_buffer *mc_frustum_pass_get_buffer(const mc_frustum_pass *pass, uint32_t frame_index) {
    return &pass->buffers[frame_index];
}

void mc_frustum_pass_record(const mc_frustum_pass *pass, const mc_gpu *gpu,
                            const mc_bindings *bindings, VkCommandBuffer commands) {
    if (pass->straight_count + pass->arc_count == 0) return;
    mc_gpu_begin_label(gpu, commands, "frustums");
    const VkPipeline pipelines[] = {pass->hidden, pass->visible};
    for (int i = 0; i < 2; i++) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
        mc_frustum_draw draw = {.segment_count = 1, .opacity = i == 0 ? THROUGH_OPACITY : 1.0f};
        mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
        if (pass->straight_count > 0) vkCmdDraw(commands, 6, pass->straight_count, 0, 0);
        draw.segment_count = ARC_SEGMENT_COUNT;
        mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
        if (pass->arc_count > 0)
            vkCmdDraw(commands, 6 * ARC_SEGMENT_COUNT, pass->arc_count, 0, pass->straight_count);
    }
    mc_gpu_end_label(gpu, commands);
}
