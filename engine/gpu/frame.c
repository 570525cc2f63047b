#include "engine/gpu/frame.h"

#include "engine/base/memory.h"
#include "engine/gpu/device.h"

static mc_result init_frame(mc_gpu *gpu, mc_frame *frame, mc_error *error) {
    mc_result result = MC_OK;
    VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
        .queueFamilyIndex = gpu->queue_family,
    };
    MC_VK(vkCreateCommandPool(gpu->device, &pool, NULL, &frame->pool));
    VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = frame->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    MC_VK(vkAllocateCommandBuffers(gpu->device, &commands, &frame->commands));
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    MC_VK(vkCreateFence(gpu->device, &fence, NULL, &frame->fence));
    VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    MC_VK(vkCreateSemaphore(gpu->device, &semaphore, NULL, &frame->acquired));
    if (gpu->timestamp_period_ns > 0.0) {
        VkQueryPoolCreateInfo queries = {
            .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
            .queryType = VK_QUERY_TYPE_TIMESTAMP,
            .queryCount = MC_FRAME_TIMESTAMP_COUNT,
        };
        MC_VK(vkCreateQueryPool(gpu->device, &queries, NULL, &frame->queries));
    }
    uint32_t i = frame->index;
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_COMMAND_POOL, MC_HANDLE(frame->pool), "frame %u pool", i);
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_COMMAND_BUFFER, MC_HANDLE(frame->commands),
                    "frame %u commands", i);
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_FENCE, MC_HANDLE(frame->fence), "frame %u fence", i);
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_SEMAPHORE, MC_HANDLE(frame->acquired), "frame %u acquired",
                    i);
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_QUERY_POOL, MC_HANDLE(frame->queries), "frame %u queries",
                    i);
fail:
    return result;
}

mc_result mc_frames_init(mc_frames *frames, mc_gpu *gpu, mc_error *error) {
    mc_result result = MC_OK;
    *frames = (mc_frames){.gpu = gpu};
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++) {
        frames->items[i].index = i;
        MC_TRY(init_frame(gpu, &frames->items[i], error));
    }
    return MC_OK;
fail:
    mc_frames_deinit(frames);
    return result;
}

static void destroy_retired(mc_frames *frames) {
    size_t kept = 0;
    for (size_t i = 0; i < frames->retired_count; i++) {
        mc_retired *retired = &frames->retired[i];
        if (retired->serial > frames->completed) {
            frames->retired[kept++] = *retired;
            continue;
        }
        mc_buffer_destroy(frames->gpu, &retired->buffer);
        mc_image_destroy(frames->gpu, &retired->image);
    }
    frames->retired_count = kept;
}

void mc_frames_deinit(mc_frames *frames) {
    mc_gpu *gpu = frames->gpu;
    if (!gpu) return;
    // Also after an error: nothing may be destroyed while the GPU uses it. A lost device answers
    // at once.
    (void)vkDeviceWaitIdle(gpu->device);
    frames->completed = frames->submitted;
    destroy_retired(frames);
    mc_free(frames->retired);
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++) {
        mc_frame *frame = &frames->items[i];
        if (frame->queries) vkDestroyQueryPool(gpu->device, frame->queries, NULL);
        if (frame->acquired) vkDestroySemaphore(gpu->device, frame->acquired, NULL);
        if (frame->fence) vkDestroyFence(gpu->device, frame->fence, NULL);
        if (frame->pool) vkDestroyCommandPool(gpu->device, frame->pool, NULL);
    }
    *frames = (mc_frames){0};
}

static void read_timestamps(mc_frames *frames, const mc_frame *frame) {
    uint64_t ticks[MC_FRAME_TIMESTAMP_COUNT];
    frames->timestamp_count = 0;
    if (!frame->queries || frame->timestamp_count == 0) return;
    VkResult read =
        vkGetQueryPoolResults(frames->gpu->device, frame->queries, 0, frame->timestamp_count,
                              sizeof ticks, ticks, sizeof ticks[0], VK_QUERY_RESULT_64_BIT);
    if (read != VK_SUCCESS) return;
    frames->timestamp_count = frame->timestamp_count;
    for (uint32_t i = 0; i < frame->timestamp_count; i++)
        frames->timestamps_ms[i] =
            (double)(ticks[i] - ticks[0]) * frames->gpu->timestamp_period_ns * 1e-6;
}

static mc_result wait_frame(mc_frames *frames, mc_frame *frame, mc_error *error) {
    mc_result result = MC_OK;
    mc_gpu *gpu = frames->gpu;
    if (frame->serial <= frames->completed) return MC_OK;
    MC_VK(vkWaitForFences(gpu->device, 1, &frame->fence, VK_TRUE, UINT64_MAX));
    frames->completed = frame->serial; // one queue: what was submitted before is done as well
    read_timestamps(frames, frame);
fail:
    return result;
}

mc_result mc_frames_wait(mc_frames *frames, uint64_t serial, mc_error *error) {
    assert(serial <= frames->submitted);
    while (frames->completed < serial) {
        mc_frame *oldest = NULL;
        for (uint32_t i = 0; i < MC_FRAME_COUNT; i++) {
            mc_frame *frame = &frames->items[i];
            if (frame->serial < serial) continue;
            if (!oldest || frame->serial < oldest->serial) oldest = frame;
        }
        // A frame is used anew only after it was waited for, so one of them is at least as late.
        assert(oldest);
        mc_result result = wait_frame(frames, oldest, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

mc_result mc_frames_begin(mc_frames *frames, mc_frame **out, mc_error *error) {
    mc_result result = MC_OK;
    mc_gpu *gpu = frames->gpu;
    mc_frame *frame = &frames->items[frames->submitted % MC_FRAME_COUNT];
    MC_TRY(wait_frame(frames, frame, error));
    destroy_retired(frames);
    MC_VK(vkResetCommandPool(gpu->device, frame->pool, 0));
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    MC_VK(vkBeginCommandBuffer(frame->commands, &begin));
    frame->timestamp_count = 0;
    if (frame->queries)
        vkCmdResetQueryPool(frame->commands, frame->queries, 0, MC_FRAME_TIMESTAMP_COUNT);
    *out = frame;
fail:
    return result;
}

mc_result mc_frames_submit(mc_frames *frames, mc_frame *frame, VkSemaphore wait, VkSemaphore signal,
                           mc_error *error) {
    mc_result result = MC_OK;
    mc_gpu *gpu = frames->gpu;
    MC_VK(vkEndCommandBuffer(frame->commands));
    VkCommandBufferSubmitInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                          .commandBuffer = frame->commands};
    VkSemaphoreSubmitInfo wait_info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                       .semaphore = wait,
                                       .stageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT};
    VkSemaphoreSubmitInfo signal_info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                         .semaphore = signal,
                                         .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    VkSubmitInfo2 submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = wait ? 1 : 0,
        .pWaitSemaphoreInfos = &wait_info,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &commands,
        .signalSemaphoreInfoCount = signal ? 1 : 0,
        .pSignalSemaphoreInfos = &signal_info,
    };
    MC_VK(vkResetFences(gpu->device, 1, &frame->fence));
    MC_VK(vkQueueSubmit2(gpu->queue, 1, &submit, frame->fence));
    frame->serial = ++frames->submitted;
fail:
    return result;
}

static void retire(mc_frames *frames, mc_retired retired) {
    retired.serial = frames->submitted;
    if (!mc_reserve(&frames->retired, &frames->retired_capacity, frames->retired_count + 1,
                    sizeof *frames->retired)) {
        // A failing wait means that the device is lost: then nothing uses the object any more.
        (void)mc_frames_wait(frames, frames->submitted, NULL);
        mc_buffer_destroy(frames->gpu, &retired.buffer);
        mc_image_destroy(frames->gpu, &retired.image);
        return;
    }
    frames->retired[frames->retired_count++] = retired;
}

void mc_frames_retire_buffer(mc_frames *frames, mc_buffer *buffer) {
    if (buffer->handle) retire(frames, (mc_retired){.buffer = *buffer});
    *buffer = (mc_buffer){0};
}

void mc_frames_retire_image(mc_frames *frames, mc_image *image) {
    if (image->handle) retire(frames, (mc_retired){.image = *image});
    *image = (mc_image){0};
}

void mc_frame_record_timestamp(mc_frame *frame) {
    if (!frame->queries || frame->timestamp_count == MC_FRAME_TIMESTAMP_COUNT) return;
    vkCmdWriteTimestamp2(frame->commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, frame->queries,
                         frame->timestamp_count++);
}
