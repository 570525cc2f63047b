// devices.h - the names of the devices that can draw, for the preferences.
//
// Threads: the main thread.
#pragma once
#include "app/session/facts.h"
#include "app/session/settings.h"
#include "engine/gpu/gpu_list.h"

#define MC_VIEWER_DEVICE_MOST 8

typedef struct mc_viewer_devices {
    bool is_listed;
    uint32_t count;
    char texts[MC_VIEWER_DEVICE_MOST][MC_GPU_LIST_NAME_SIZE];
    const char *names[MC_VIEWER_DEVICE_MOST];
} mc_viewer_devices;

// Puts them into the facts while the preferences are open. They are looked for once.
void mc_viewer_devices_fill(mc_viewer_devices *devices, const mc_gpu *gpu,
                            const mc_settings *settings, mc_facts *model);
