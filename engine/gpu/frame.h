// frame.h - command buffers in flight, the retire queue, and timestamps.
//
// Submissions are numbered 1, 2, ... (serials); what was retired is destroyed once the serial that
// may still use it has completed. Threads: the one that owns the mc_gpu.
#pragma once
#include "engine/gpu/buffer.h"
#include "engine/gpu/image.h"

enum { MC_FRAME_COUNT = 2, MC_FRAME_TIMESTAMP_COUNT = 8 };

typedef struct mc_frame {
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkSemaphore acquired; // signalled when the swapchain's image may be drawn to
    VkQueryPool queries;  // VK_NULL_HANDLE: no timestamps
    uint64_t serial;      // of its last submission; 0: none yet
    uint32_t index;       // which of the frames in flight this is
    uint32_t timestamp_count;
} mc_frame;

typedef struct mc_retired {
    uint64_t serial;
    mc_buffer buffer;
    mc_image image;
} mc_retired;

typedef struct mc_frames {
    mc_gpu *gpu;
    mc_frame items[MC_FRAME_COUNT];
    uint64_t submitted, completed; // serials
    mc_retired *retired;
    size_t retired_count, retired_capacity;
    double timestamps_ms[MC_FRAME_TIMESTAMP_COUNT]; // of the last frame that was waited for
    uint32_t timestamp_count;
} mc_frames;

mc_result mc_frames_init(mc_frames *frames, mc_gpu *gpu, mc_error *error);
// Waits for everything submitted. A zeroed or partly built object is fine.
void mc_frames_deinit(mc_frames *frames);

// The frame whose turn it is: waits until the GPU has done with its last use, destroys what has
// been retired since, and begins its command buffer.
mc_result mc_frames_begin(mc_frames *frames, mc_frame **frame, mc_error *error);

// Ends and submits. Either semaphore may be VK_NULL_HANDLE; `wait` is waited for before transfers.
mc_result mc_frames_submit(mc_frames *frames, mc_frame *frame, VkSemaphore wait, VkSemaphore signal,
                           mc_error *error);

// Waits until the submission `serial` has completed.
mc_result mc_frames_wait(mc_frames *frames, uint64_t serial, mc_error *error);

// Hands over objects that submissions so far may use; the originals are zeroed. If memory is out,
// waits for the GPU and destroys at once.
void mc_frames_retire_buffer(mc_frames *frames, mc_buffer *buffer);
void mc_frames_retire_image(mc_frames *frames, mc_image *image);

// Writes the next timestamp of the frame, after all commands so far.
void mc_frame_record_timestamp(mc_frame *frame);
