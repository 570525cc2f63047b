#include "engine/render/city/style_buffers.h"

#include "engine/gpu/device.h"
#include <string.h>

_Static_assert(sizeof(mc_building_style) == 16, "one 16-byte load a style");

static mc_result create(mc_buffer *buffer, mc_gpu *gpu, VkDeviceSize size, mc_error *error) {
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
    mc_result result =
        mc_buffer_create(gpu, size, usage, MC_MEMORY_DYNAMIC, "styles", buffer, error);
    if (result != MC_OK) return result;
    result = mc_buffer_create_column(gpu, buffer, VK_FORMAT_R32G32B32A32_UINT,
                                     sizeof(mc_building_style), error);
    if (result != MC_OK) mc_buffer_destroy(gpu, buffer);
    return result;
}

mc_result mc_style_buffers_init(mc_style_buffers *buffers, mc_gpu *gpu, mc_error *error) {
    *buffers = (mc_style_buffers){0};
    return create(&buffers->items[0], gpu, 0, error);
}

void mc_style_buffers_retire(mc_style_buffers *buffers, mc_frames *frames) {
    for (uint32_t i = 0; i < MC_STYLE_SLOT_COUNT; i++)
        mc_frames_retire_buffer(frames, &buffers->items[i]);
    *buffers = (mc_style_buffers){0};
}

mc_result mc_style_buffers_set(mc_style_buffers *buffers, mc_frames *frames,
                               const mc_building_style *styles, uint32_t count, mc_error *error) {
    mc_result result = MC_OK;
    if (!styles || count == 0) {
        buffers->version += buffers->has_styles;
        buffers->has_styles = false;
        return MC_OK;
    }
    uint32_t slot = 0;
    for (uint32_t i = 1; i < MC_STYLE_SLOT_COUNT; i++)
        if (buffers->last_use[i] < buffers->last_use[slot]) slot = i;
    size_t size = count * sizeof *styles;
    mc_buffer *buffer = &buffers->items[slot];
    if (buffer->size < size) {
        mc_buffer larger = {0};
        MC_TRY(create(&larger, frames->gpu, size, error));
        mc_frames_retire_buffer(frames, buffer);
        *buffer = larger;
    } else {
        MC_TRY(mc_frames_wait(frames, buffers->last_use[slot], error));
    }
    memcpy(buffer->mapped, styles, size);
    buffers->current = slot;
    buffers->has_styles = true;
    buffers->version++;
fail:
    return result;
}

const mc_buffer *mc_style_buffers_get(const mc_style_buffers *buffers) {
    return &buffers->items[buffers->current];
}

void mc_style_buffers_mark_use(mc_style_buffers *buffers, uint64_t serial) {
    buffers->last_use[buffers->current] = serial;
}
