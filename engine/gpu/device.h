// device.h - the inside of an mc_gpu (gpu.h): the handles with which engine/gpu and engine/render
// record.
//
// Not for users of gpu.h. Threads: the one that owns the mc_gpu.
#pragma once
#include "engine/base/base.h"
#include <stdatomic.h>
#include <volk.h>

typedef struct mc_gpu {
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkSurfaceKHR surface; // VK_NULL_HANDLE: headless
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkQueue queue; // graphics, compute, transfer and, with a surface, presenting
    uint32_t queue_family;
    VkPhysicalDeviceLimits limits;
    VkDeviceSize largest_buffer_size; // that one buffer, and the memory of one, may have
    VkPhysicalDeviceMemoryProperties memory;
    double timestamp_period_ns; // 0: the queue has no timestamps
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    char driver[VK_MAX_DRIVER_NAME_SIZE + VK_MAX_DRIVER_INFO_SIZE + 2];
    bool software;
    uint32_t without;       // MC_GPU_*, though the device may have it
    bool has_int64_atomics; // on storage buffers, in any shader
    bool reads_texels;      // shaders read columns as texels; else as storage buffers
    float subpixels;        // steps in a pixel of the grid on which triangles are drawn
    bool has_debug_utils;
    bool abort_on_validation;
    _Atomic uint32_t validation_count; // the layer may call back from the driver's threads
    mc_log log;
    struct mc_pipeline *pipelines; // all there are; see pipeline.h
    mc_error pipeline_error;       // of the first one that could not be built
} mc_gpu;

// Turns a failed call into a sentence for the user, logs it once with its place in the source, and
// returns the code to hand on.
mc_result mc_gpu_fail(const mc_gpu *gpu, VkResult vk_result, const char *call, const char *file,
                      int line, mc_error *error);

// Calls Vulkan inside a function that has `gpu`, `error`, `result` and a label `fail`.
#define MC_VK(call)                                                                  \
    do {                                                                             \
        VkResult vk_result_ = (call);                                                \
        if (vk_result_ != VK_SUCCESS) {                                              \
            result = mc_gpu_fail(gpu, vk_result_, #call, __FILE__, __LINE__, error); \
            goto fail;                                                               \
        }                                                                            \
    } while (0)

// Likewise for our own functions, which have reported already.
#define MC_TRY(call)                    \
    do {                                \
        result = (call);                \
        if (result != MC_OK) goto fail; \
    } while (0)

// Names an object for validation messages and frame debuggers. `format` as in printf.
void mc_gpu_set_name(const mc_gpu *gpu, VkObjectType type, uint64_t handle, const char *format, ...)
    MC_PRINTF(4, 5);

// Vulkan handles are pointers or integers, by platform.
#define MC_HANDLE(handle) ((uint64_t)(uintptr_t)(handle))

// A named region of commands in frame debuggers.
void mc_gpu_begin_label(const mc_gpu *gpu, VkCommandBuffer commands, const char *name);
void mc_gpu_end_label(const mc_gpu *gpu, VkCommandBuffer commands);

// Allocates memory of its own for a buffer or image: the first type in `wanted` order that the
// requirements allow and that has room. Objects are few and large, so sharing blocks would save
// nothing. `*flags` gets the properties of the type that was taken.
mc_result mc_gpu_allocate(const mc_gpu *gpu, const VkMemoryRequirements *requirements,
                          const VkMemoryPropertyFlags *wanted, uint32_t wanted_count,
                          const VkMemoryDedicatedAllocateInfo *dedicated, VkDeviceMemory *memory,
                          VkMemoryPropertyFlags *flags, mc_error *error);
