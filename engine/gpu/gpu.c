#include "engine/gpu/gpu.h"

#include "engine/base/memory.h"
#include "engine/gpu/device.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static const char validation_layer[] = "VK_LAYER_KHRONOS_validation";

static const struct {
    const char *name;
    uint32_t bit;
} features[] = {{"int64-atomics", MC_GPU_INT64_ATOMICS},
                {"texels", MC_GPU_TEXELS},
                {"samples", MC_GPU_SAMPLES},
                {"timestamps", MC_GPU_TIMESTAMPS},
                {"mapped-memory", MC_GPU_MAPPED_MEMORY},
                {"debug-names", MC_GPU_DEBUG_NAMES}};
enum { FEATURE_COUNT = sizeof features / sizeof features[0] };

static mc_result report_no_feature(const char *name, size_t length, mc_error *error) {
    char names[256] = "";
    for (size_t i = 0; i < FEATURE_COUNT; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", features[i].name);
    }
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "\"%.*s\" is nothing that a graphics device can be used without; there is: "
                   "%s",
                   (int)(length < 100 ? length : 100), name, names);
}

// Names with commas between them; NULL and "" are none.
static mc_result parse_without(const char *text, uint32_t *bits, mc_error *error) {
    *bits = 0;
    while (text && *text) {
        size_t length = strcspn(text, ","), found = 0;
        while (found < FEATURE_COUNT && (strlen(features[found].name) != length ||
                                         memcmp(features[found].name, text, length) != 0))
            found++;
        if (found == FEATURE_COUNT) return report_no_feature(text, length, error);
        *bits |= features[found].bit;
        text += length + (text[length] == ',');
    }
    return MC_OK;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL receive_message(
    VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
    const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
    mc_gpu *gpu = user;
    bool is_error = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    mc_log_write(&gpu->log, is_error ? MC_LOG_ERROR : MC_LOG_WARNING, "%s", data->pMessage);
    // The loader's own messages (a driver that can't be loaded, say) say nothing about us.
    if (!(types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT)) return VK_FALSE;
    // Nor does what the layer can't look at on this device.
    const char *id = data->pMessageIdName;
    if (id && strcmp(id, "UNASSIGNED-GPU-Assisted Validation Warning") == 0) return VK_FALSE;
    atomic_fetch_add(&gpu->validation_count, 1);
    if (is_error && gpu->abort_on_validation) {
        fprintf(stderr, "%s\n", data->pMessage);
        abort();
    }
    return VK_FALSE;
}

static bool has_layer(const char *name) {
    uint32_t count = 0;
    if (vkEnumerateInstanceLayerProperties(&count, NULL) != VK_SUCCESS) return false;
    VkLayerProperties *layers = mc_alloc(count, sizeof *layers);
    bool found = false;
    if (layers && vkEnumerateInstanceLayerProperties(&count, layers) >= VK_SUCCESS)
        for (uint32_t i = 0; i < count; i++)
            found = found || strcmp(layers[i].layerName, name) == 0;
    mc_free(layers);
    return found;
}

static bool has_instance_extension(const char *name) {
    uint32_t count = 0;
    if (vkEnumerateInstanceExtensionProperties(NULL, &count, NULL) != VK_SUCCESS) return false;
    VkExtensionProperties *extensions = mc_alloc(count, sizeof *extensions);
    bool found = false;
    if (extensions &&
        vkEnumerateInstanceExtensionProperties(NULL, &count, extensions) >= VK_SUCCESS)
        for (uint32_t i = 0; i < count; i++)
            found = found || strcmp(extensions[i].extensionName, name) == 0;
    mc_free(extensions);
    return found;
}

static mc_result create_instance(mc_gpu *gpu, const mc_gpu_desc *desc, mc_error *error) {
    mc_result result = MC_OK;
    const char **extensions = mc_alloc((size_t)desc->instance_extension_count + 1, sizeof(char *));
    if (!extensions) return mc_error_out_of_memory(error);
    uint32_t extension_count = 0;
    for (; extension_count < desc->instance_extension_count; extension_count++)
        extensions[extension_count] = desc->instance_extensions[extension_count];
    bool has_debug_utils = has_instance_extension(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    gpu->has_debug_utils = has_debug_utils && !(gpu->without & MC_GPU_DEBUG_NAMES);
    if (has_debug_utils) extensions[extension_count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;

    bool validate = desc->validation && has_layer(validation_layer);
    if (desc->validation && !validate)
        mc_log_write(&gpu->log, MC_LOG_WARNING,
                     "%s is not installed: Vulkan calls are not checked "
                     "(apt install vulkan-validationlayers)",
                     validation_layer);

    VkValidationFeatureEnableEXT enabled[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    VkValidationFeaturesEXT checks = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = enabled,
    };
    VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .pNext = &checks,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = receive_message,
        .pUserData = gpu,
    };
    const char *layers[] = {validation_layer};
    bool listen = validate && has_debug_utils;
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "memcity",
        .pEngineName = "memcity",
        .apiVersion = VK_API_VERSION_1_3,
    };
    VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = listen ? &messenger : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = validate ? 1 : 0,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    VkResult created = vkCreateInstance(&info, NULL, &gpu->instance);
    if (created == VK_ERROR_INCOMPATIBLE_DRIVER) {
        result = mc_fail(error, MC_ERROR_UNSUPPORTED,
                         "No Vulkan driver found; install one, for example: "
                         "apt install mesa-vulkan-drivers");
        goto fail;
    }
    if (created == VK_ERROR_EXTENSION_NOT_PRESENT) {
        result = mc_fail(error, MC_ERROR_UNSUPPORTED,
                         "The Vulkan driver can't draw to windows here; install one that can, "
                         "for example: apt install mesa-vulkan-drivers");
        goto fail;
    }
    MC_VK(created);
    // Device functions too are taken from the instance: they then serve any number of devices, for
    // an indirection more on the few calls of a frame.
    volkLoadInstance(gpu->instance);
    messenger.pNext = NULL;
    if (listen)
        MC_VK(vkCreateDebugUtilsMessengerEXT(gpu->instance, &messenger, NULL, &gpu->messenger));
fail:
    mc_free(extensions);
    return result;
}

static bool contains_ignoring_case(const char *text, const char *part) {
    size_t length = strlen(part);
    for (; *text; text++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (i == length) return true;
    }
    return length == 0;
}

static bool has_device_extension(VkPhysicalDevice device, const char *name) {
    uint32_t count = 0;
    if (vkEnumerateDeviceExtensionProperties(device, NULL, &count, NULL) != VK_SUCCESS)
        return false;
    VkExtensionProperties *extensions = mc_alloc(count, sizeof *extensions);
    bool found = false;
    if (extensions &&
        vkEnumerateDeviceExtensionProperties(device, NULL, &count, extensions) >= VK_SUCCESS)
        for (uint32_t i = 0; i < count; i++)
            found = found || strcmp(extensions[i].extensionName, name) == 0;
    mc_free(extensions);
    return found;
}

// The first queue family that does everything we need; MC_NONE if there is none.
static uint32_t find_queue_family(const mc_gpu *gpu, VkPhysicalDevice device,
                                  bool *has_timestamps) {
    VkQueueFamilyProperties families[32];
    uint32_t count = sizeof families / sizeof families[0];
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
        if ((families[i].queueFlags & needed) != needed) continue;
        VkBool32 presents = VK_TRUE;
        if (gpu->surface &&
            vkGetPhysicalDeviceSurfaceSupportKHR(device, i, gpu->surface, &presents) != VK_SUCCESS)
            presents = VK_FALSE;
        if (!presents) continue;
        *has_timestamps = families[i].timestampValidBits > 0;
        return i;
    }
    return MC_NONE;
}

static bool is_enough(const mc_gpu *gpu, VkPhysicalDevice device, uint32_t api_version) {
    if (api_version < VK_API_VERSION_1_3) return false;
    VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &features13};
    vkGetPhysicalDeviceFeatures2(device, &all);
    if (!features13.dynamicRendering || !features13.synchronization2 || !features13.maintenance4)
        return false;
    bool has_timestamps;
    if (find_queue_family(gpu, device, &has_timestamps) == MC_NONE) return false;
    return !gpu->surface || has_device_extension(device, VK_KHR_SWAPCHAIN_EXTENSION_NAME);
}

static int rank_device_type(VkPhysicalDeviceType type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return 1;
    default: return 0;
    }
}

static mc_result report_no_device(const mc_gpu_desc *desc, uint32_t device_count, const char *names,
                                  mc_error *error) {
    if (device_count == 0)
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "No Vulkan device found; install a driver, for example: "
                       "apt install mesa-vulkan-drivers");
    if (desc->device_name)
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "No usable Vulkan device has \"%.100s\" in its name; there is: %s",
                       desc->device_name, names);
    return mc_fail(error, MC_ERROR_UNSUPPORTED,
                   "No Vulkan device here has Vulkan 1.3 and can draw%s (found: %s); install "
                   "a newer driver, for example: apt install mesa-vulkan-drivers",
                   desc->create_surface ? " to this window" : "", names);
}

static mc_result choose_device(mc_gpu *gpu, const mc_gpu_desc *desc, mc_error *error) {
    mc_result result = MC_OK;
    VkPhysicalDevice devices[32];
    uint32_t count = sizeof devices / sizeof devices[0];
    char names[512] = "";
    int best_rank = -1;
    VkResult enumerated = vkEnumeratePhysicalDevices(gpu->instance, &count, devices);
    // Some drivers answer this where there is no hardware for them, instead of none.
    if (enumerated == VK_ERROR_INITIALIZATION_FAILED)
        count = 0;
    else if (enumerated != VK_INCOMPLETE)
        MC_VK(enumerated);
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                 properties.deviceName);
        if (desc->device_name && !contains_ignoring_case(properties.deviceName, desc->device_name))
            continue;
        if (!is_enough(gpu, devices[i], properties.apiVersion)) continue;
        int rank = rank_device_type(properties.deviceType);
        if (rank <= best_rank) continue;
        best_rank = rank;
        gpu->physical_device = devices[i];
    }
    if (!gpu->physical_device) result = report_no_device(desc, count, names, error);
fail:
    return result;
}

static void read_properties(mc_gpu *gpu) {
    VkPhysicalDeviceVulkan13Properties sizes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES};
    VkPhysicalDeviceVulkan11Properties allocations = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, .pNext = &sizes};
    VkPhysicalDeviceVulkan12Properties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, .pNext = &allocations};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    vkGetPhysicalDeviceProperties2(gpu->physical_device, &properties);
    vkGetPhysicalDeviceMemoryProperties(gpu->physical_device, &gpu->memory);
    gpu->limits = properties.properties.limits;
    gpu->largest_buffer_size = allocations.maxMemoryAllocationSize;
    if (sizes.maxBufferSize < gpu->largest_buffer_size)
        gpu->largest_buffer_size = sizes.maxBufferSize;
    gpu->software = properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    snprintf(gpu->name, sizeof gpu->name, "%s", properties.properties.deviceName);
    snprintf(gpu->driver, sizeof gpu->driver, "%s %s", driver.driverName, driver.driverInfo);
}

// lavapipe allocates and frees a draw's vertices, some tens of megabytes, at each draw. What glibc
// gives back to the kernel in between has to be mapped and cleared again: 1,000,000 page faults in
// 60 frames of 300,000 translucent boxes, and a third of their time. How much it gives back depends
// on what else was freed before, so this says so.
static void tune_malloc(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

// Texels are for the sake of software drivers: only where they reach at least as far as storage
// buffers do, or as any city needs.
static bool reads_texels(const mc_gpu *gpu) {
    const uint64_t largest_texel = 16, enough = (uint64_t)2 << 30;
    uint64_t reach = gpu->limits.maxTexelBufferElements * largest_texel;
    bool is_short = reach < gpu->limits.maxStorageBufferRange && reach < enough;
    return !is_short && !(gpu->without & MC_GPU_TEXELS);
}

static bool has_int64_atomics(VkPhysicalDevice device) {
    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &features12};
    vkGetPhysicalDeviceFeatures2(device, &all);
    return all.features.shaderInt64 && features12.shaderBufferInt64Atomics;
}

static mc_result create_device(mc_gpu *gpu, mc_error *error) {
    mc_result result = MC_OK;
    bool has_timestamps = false;
    gpu->queue_family = find_queue_family(gpu, gpu->physical_device, &has_timestamps);
    if (has_timestamps && !(gpu->without & MC_GPU_TIMESTAMPS))
        gpu->timestamp_period_ns = (double)gpu->limits.timestampPeriod;
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = gpu->queue_family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    gpu->has_int64_atomics =
        !(gpu->without & MC_GPU_INT64_ATOMICS) && has_int64_atomics(gpu->physical_device);
    gpu->reads_texels = reads_texels(gpu);
    // Beyond 8 bits the shaders' floats are too short, and the grid is finer than what they allow.
    uint32_t bits = gpu->limits.subPixelPrecisionBits;
    gpu->subpixels = (float)(1u << (bits < 8 ? bits : 8));
    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .shaderBufferInt64Atomics = gpu->has_int64_atomics,
    };
    VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = &features12,
        .dynamicRendering = VK_TRUE,
        .synchronization2 = VK_TRUE,
        .maintenance4 = VK_TRUE, // as SPIR-V of 1.3 states workgroup sizes
    };
    VkPhysicalDeviceFeatures enabled = {.shaderInt64 = gpu->has_int64_atomics};
    const char *extensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features13,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = gpu->surface ? 1 : 0,
        .ppEnabledExtensionNames = extensions,
        .pEnabledFeatures = &enabled,
    };
    MC_VK(vkCreateDevice(gpu->physical_device, &info, NULL, &gpu->device));
    vkGetDeviceQueue(gpu->device, gpu->queue_family, 0, &gpu->queue);
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_QUEUE, MC_HANDLE(gpu->queue), "queue");
fail:
    return result;
}

mc_result mc_gpu_create(const mc_gpu_desc *desc, mc_gpu **out, mc_error *error) {
    mc_result result = MC_OK;
    mc_gpu *gpu = mc_alloc_zero(1, sizeof *gpu);
    if (!gpu) return mc_error_out_of_memory(error);
    if (desc->log) gpu->log = *desc->log;
    gpu->abort_on_validation = desc->abort_on_validation;
    MC_TRY(parse_without(desc->without, &gpu->without, error));
    if (volkInitialize() != VK_SUCCESS) {
        result = mc_fail(error, MC_ERROR_UNSUPPORTED,
                         "Vulkan is not installed; install its loader and a driver, for "
                         "example: apt install libvulkan1 mesa-vulkan-drivers");
        goto fail;
    }
    MC_TRY(create_instance(gpu, desc, error));
    if (desc->create_surface) MC_VK(desc->create_surface(gpu->instance, desc->user, &gpu->surface));
    MC_TRY(choose_device(gpu, desc, error));
    read_properties(gpu);
    if (gpu->software) tune_malloc();
    MC_TRY(create_device(gpu, error));
    mc_log_write(&gpu->log, MC_LOG_INFO, "drawing with %s, %s", gpu->name, gpu->driver);
    *out = gpu;
    return MC_OK;
fail:
    mc_gpu_destroy(gpu);
    return result;
}

void mc_gpu_destroy(mc_gpu *gpu) {
    if (!gpu) return;
    if (gpu->device) vkDestroyDevice(gpu->device, NULL);
    if (gpu->surface) vkDestroySurfaceKHR(gpu->instance, gpu->surface, NULL);
    if (gpu->messenger) vkDestroyDebugUtilsMessengerEXT(gpu->instance, gpu->messenger, NULL);
    if (gpu->instance) vkDestroyInstance(gpu->instance, NULL);
    mc_free(gpu);
}

const char *mc_gpu_get_device_name(const mc_gpu *gpu) {
    return gpu->name;
}
const char *mc_gpu_get_driver_name(const mc_gpu *gpu) {
    return gpu->driver;
}
bool mc_gpu_is_software(const mc_gpu *gpu) {
    return gpu->software;
}
uint32_t mc_gpu_get_validation_count(const mc_gpu *gpu) {
    return atomic_load(&gpu->validation_count);
}
