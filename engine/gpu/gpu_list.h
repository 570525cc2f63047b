// gpu_list.h - which Vulkan devices a machine has, whether or not they are enough.
//
// Threads: any; starts and ends an instance of its own.
#pragma once
#include "engine/gpu/gpu.h"

#define MC_GPU_LIST_MOST 32
#define MC_GPU_LIST_NAME_SIZE 256

typedef struct mc_gpu_entry {
    char name[MC_GPU_LIST_NAME_SIZE];
    const char *kind;                   // "discrete GPU", "CPU" …
    uint32_t api_major, api_minor;      // of Vulkan
    bool is_usable;                     // a window or picture can be drawn with it
    char reason[MC_ERROR_MESSAGE_SIZE]; // why not
} mc_gpu_entry;

// Fills in at most MC_GPU_LIST_MOST. MC_ERROR_UNSUPPORTED with a sentence that says what to install
// if there is no Vulkan.
// Not while a device is in use: Vulkan's functions are looked up anew.
mc_result mc_gpu_list(mc_gpu_entry *entries, uint32_t *count, mc_error *error);

// The names of the devices beside `gpu`, itself among them, that have the version of Vulkan that is
// needed. Returns how many there are, at most `capacity`.
uint32_t mc_gpu_list_names(const mc_gpu *gpu, char (*names)[MC_GPU_LIST_NAME_SIZE],
                           uint32_t capacity);
