#include "engine/gpu/gpu_list.h"

#include "engine/gpu/device.h"
#include <stdio.h>
#include <string.h>

static const char *get_kind(VkPhysicalDeviceType type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return "discrete GPU";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return "integrated GPU";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return "virtual GPU";
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return "CPU";
    default: return "other";
    }
}

static void list_devices(VkInstance instance, mc_gpu_entry *entries, uint32_t *count) {
    VkPhysicalDevice devices[MC_GPU_LIST_MOST];
    uint32_t found = MC_GPU_LIST_MOST;
    VkResult result = vkEnumeratePhysicalDevices(instance, &found, devices);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE) found = 0;
    for (uint32_t i = 0; i < found; i++) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        entries[i] = (mc_gpu_entry){.kind = get_kind(properties.deviceType),
                                    .api_major = VK_API_VERSION_MAJOR(properties.apiVersion),
                                    .api_minor = VK_API_VERSION_MINOR(properties.apiVersion)};
        snprintf(entries[i].name, sizeof entries[i].name, "%s", properties.deviceName);
    }
    *count = found;
}

// By starting it: nothing else tells for sure.
static void try_device(mc_gpu_entry *entry) {
    mc_gpu_desc desc = {.device_name = entry->name};
    mc_gpu *gpu = NULL;
    mc_error error = {0};
    entry->is_usable = mc_gpu_create(&desc, &gpu, &error) == MC_OK;
    if (!entry->is_usable) snprintf(entry->reason, sizeof entry->reason, "%s", error.message);
    if (entry->is_usable) mc_gpu_destroy(gpu);
}

mc_result mc_gpu_list(mc_gpu_entry *entries, uint32_t *count, mc_error *error) {
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .pApplicationName = "memcity",
                                     .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &application};
    VkInstance instance = VK_NULL_HANDLE;
    *count = 0;
    if (volkInitialize() != VK_SUCCESS)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "Vulkan's loader is not installed");
    VkResult result = vkCreateInstance(&info, NULL, &instance);
    if (result != VK_SUCCESS)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "no Vulkan driver is installed (%d)",
                       (int)result);
    volkLoadInstance(instance);
    list_devices(instance, entries, count);
    vkDestroyInstance(instance, NULL);
    for (uint32_t i = 0; i < *count; i++)
        try_device(&entries[i]);
    return MC_OK;
}

uint32_t mc_gpu_list_names(const mc_gpu *gpu, char (*names)[MC_GPU_LIST_NAME_SIZE],
                           uint32_t capacity) {
    mc_gpu_entry entries[MC_GPU_LIST_MOST];
    uint32_t found = 0, count = 0;
    list_devices(gpu->instance, entries, &found);
    for (uint32_t i = 0; i < found && count < capacity; i++) {
        if (entries[i].api_major == 1 && entries[i].api_minor < 3) continue;
        memcpy(names[count++], entries[i].name, MC_GPU_LIST_NAME_SIZE);
    }
    return count;
}
