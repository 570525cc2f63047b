// box_windows.h - boxes and colours as compute shaders write them: part by part.
//
// A storage buffer may be bound only so far (maxStorageBufferRange, 128 MiB on lavapipe), and one
// dispatch has only so many groups. Shaders read a column of any length as texels; what they write
// is bound as a window of neighbouring boxes, descriptor set 1 beside the shared one, and there is
// one dispatch a window. Threads: the renderer's.
#pragma once
#include "engine/render/core/bindings.h"

enum { MC_BOX_WINDOW_MOST = 4 };

typedef struct mc_box_windows {
    mc_descriptor_sets sets; // MC_BOX_WINDOW_MOST for each frame in flight
    VkPipelineLayout layout; // the shared set, then a window
    uint32_t size;           // boxes of a window: a multiple of what any group takes
} mc_box_windows;

// Boxes that all windows have in all, at most.
uint64_t mc_box_windows_get_most(const mc_gpu *gpu);

mc_result mc_box_windows_init(mc_box_windows *windows, mc_gpu *gpu, const mc_bindings *bindings,
                              mc_error *error);
void mc_box_windows_deinit(mc_box_windows *windows, const mc_gpu *gpu); // zeroed is fine

// Points a frame's sets, which the GPU must not be using, to the columns.
void mc_box_windows_write(const mc_box_windows *windows, const mc_gpu *gpu, uint32_t frame_index,
                          const mc_buffer *boxes, const mc_buffer *colors);
// Binds the one that begins at box `first`, a multiple of the size, for compute.
void mc_box_windows_record_bind(const mc_box_windows *windows, VkCommandBuffer commands,
                                uint32_t frame_index, uint32_t first);
