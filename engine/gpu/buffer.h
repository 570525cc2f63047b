// buffer.h - buffers, each with memory of its own.
//
// Threads: the one that owns the mc_gpu. Destroying a buffer that the GPU still uses is the
// caller's bug: hand it to mc_frames_retire_buffer().
#pragma once
#include "engine/gpu/gpu.h"

typedef enum mc_memory_kind {
    MC_MEMORY_DEVICE,   // where the GPU is fastest; mapped only where that is the same memory
    MC_MEMORY_DYNAMIC,  // mapped, written by the CPU front to back, near the GPU if possible
    MC_MEMORY_READBACK, // mapped, written by the GPU, fast to read for the CPU
} mc_memory_kind;

// Zeroed: no buffer.
typedef struct mc_buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkDeviceSize size;
    void *mapped;      // coherent; NULL where the CPU can't see it
    VkBufferView view; // as texels; VK_NULL_HANDLE: none
} mc_buffer;

// `size` 0 makes a small buffer, so that it can always be bound. `name` is for debugging. On
// failure `buffer` is zeroed.
mc_result mc_buffer_create(mc_gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage,
                           mc_memory_kind kind, const char *name, mc_buffer *buffer,
                           mc_error *error);
// Lets shaders fetch all of a buffer as texels, which was created with that usage.
// MC_ERROR_UNSUPPORTED if there are more than the device can address.
mc_result mc_buffer_create_view(mc_gpu *gpu, mc_buffer *buffer, VkFormat format,
                                uint32_t texel_size, mc_error *error);
// The same for a column, where shaders read columns as texels (shaders/columns.glsl); elsewhere
// does nothing, as they read the storage buffer.
mc_result mc_buffer_create_column(mc_gpu *gpu, mc_buffer *buffer, VkFormat format,
                                  uint32_t texel_size, mc_error *error);
void mc_buffer_destroy(const mc_gpu *gpu, mc_buffer *buffer); // zeroed is fine

// Writes into a buffer that the GPU does not use: directly where it is mapped, else through a
// staging buffer, waiting for the copy. For load time, not for frames.
mc_result mc_buffer_upload(mc_gpu *gpu, const mc_buffer *buffer, VkDeviceSize offset,
                           const void *data, size_t size, mc_error *error);

// Makes what came before in `source_*`, on any buffer, visible to `target_*`.
void mc_buffer_record_barrier(VkCommandBuffer commands, VkPipelineStageFlags2 source_stage,
                              VkAccessFlags2 source_access, VkPipelineStageFlags2 target_stage,
                              VkAccessFlags2 target_access);

// The largest storage buffer, in bytes: what one binding, one buffer and one allocation may have.
VkDeviceSize mc_buffer_get_largest_storage(const mc_gpu *gpu);
// The most elements of so many bytes that a column may have, which is a storage buffer too.
uint64_t mc_buffer_get_largest_column(const mc_gpu *gpu, uint32_t element_size);
// The same of one that shaders only read, or write in parts: where they read texels, no storage
// binding has to reach over all of it.
uint64_t mc_buffer_get_largest_read_column(const mc_gpu *gpu, uint32_t element_size);
