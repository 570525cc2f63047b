#include "engine/gpu/device.h"

#include <stdarg.h>
#include <stdio.h>

static const char *describe_result(VkResult result) {
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY: return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY: return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
    case VK_ERROR_INITIALIZATION_FAILED: return "VK_ERROR_INITIALIZATION_FAILED";
    case VK_ERROR_DEVICE_LOST: return "VK_ERROR_DEVICE_LOST";
    case VK_ERROR_MEMORY_MAP_FAILED: return "VK_ERROR_MEMORY_MAP_FAILED";
    case VK_ERROR_LAYER_NOT_PRESENT: return "VK_ERROR_LAYER_NOT_PRESENT";
    case VK_ERROR_EXTENSION_NOT_PRESENT: return "VK_ERROR_EXTENSION_NOT_PRESENT";
    case VK_ERROR_FEATURE_NOT_PRESENT: return "VK_ERROR_FEATURE_NOT_PRESENT";
    case VK_ERROR_INCOMPATIBLE_DRIVER: return "VK_ERROR_INCOMPATIBLE_DRIVER";
    case VK_ERROR_TOO_MANY_OBJECTS: return "VK_ERROR_TOO_MANY_OBJECTS";
    case VK_ERROR_FORMAT_NOT_SUPPORTED: return "VK_ERROR_FORMAT_NOT_SUPPORTED";
    case VK_ERROR_OUT_OF_POOL_MEMORY: return "VK_ERROR_OUT_OF_POOL_MEMORY";
    case VK_ERROR_SURFACE_LOST_KHR: return "VK_ERROR_SURFACE_LOST_KHR";
    case VK_ERROR_NATIVE_WINDOW_IN_USE_KHR: return "VK_ERROR_NATIVE_WINDOW_IN_USE_KHR";
    case VK_ERROR_OUT_OF_DATE_KHR: return "VK_ERROR_OUT_OF_DATE_KHR";
    case VK_INCOMPLETE: return "VK_INCOMPLETE";
    case VK_TIMEOUT: return "VK_TIMEOUT";
    default: return "an unknown error";
    }
}

mc_result mc_gpu_fail(const mc_gpu *gpu, VkResult vk_result, const char *call, const char *file,
                      int line, mc_error *error) {
    const char *text = describe_result(vk_result);
    mc_log_write(&gpu->log, MC_LOG_ERROR, "%s:%d: %s returned %s (%d)", file, line, call, text,
                 (int)vk_result);
    switch (vk_result) {
    case VK_ERROR_DEVICE_LOST:
        return mc_fail(error, MC_ERROR_GPU,
                       "The graphics driver of %s gave up (%s); start memcity again, and "
                       "look for a newer driver if it happens often",
                       gpu->name, text);
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return mc_fail(error, MC_ERROR_OUT_OF_MEMORY,
                       "%s has not enough memory for this city or picture",
                       gpu->name[0] ? gpu->name : "The graphics device");
    case VK_ERROR_OUT_OF_HOST_MEMORY: return mc_error_out_of_memory(error);
    default:
        return mc_fail(error, MC_ERROR_GPU, "The graphics driver failed (%s in %.100s)", text,
                       call);
    }
}

void mc_gpu_set_name(const mc_gpu *gpu, VkObjectType type, uint64_t handle, const char *format,
                     ...) {
    if (!gpu->has_debug_utils || handle == 0) return;
    char name[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = name,
    };
    // A name that can't be stored is no reason to stop.
    (void)vkSetDebugUtilsObjectNameEXT(gpu->device, &info);
}

void mc_gpu_begin_label(const mc_gpu *gpu, VkCommandBuffer commands, const char *name) {
    if (!gpu->has_debug_utils) return;
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                  .pLabelName = name};
    vkCmdBeginDebugUtilsLabelEXT(commands, &label);
}

void mc_gpu_end_label(const mc_gpu *gpu, VkCommandBuffer commands) {
    if (gpu->has_debug_utils) vkCmdEndDebugUtilsLabelEXT(commands);
}
